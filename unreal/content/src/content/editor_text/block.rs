//! A block of the text, from `Begin` to `End`.

use std::fmt::{self, Write};

/// Columns that what stands in a block is moved to the right.
const STEP: usize = 3;

/// An object and what lies in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ObjectBlock {
    /// `Object`, or `Actor` right in a level.
    pub kind: &'static str,
    /// Its attributes in the line that begins the block: class, name, archetype.
    pub attributes: String,
    /// Those of the line that goes on with an object: its name. Empty where one block says it all (UE3).
    pub name: String,
    /// The objects in it.
    pub inner: Vec<ObjectBlock>,
    /// The lines of its properties.
    pub lines: Vec<String>,
}

impl ObjectBlock {
    /// Writes the block `depth` steps in.
    pub fn write(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        self.begin(out, &self.attributes, depth)?;
        self.write_content(out, depth + 1)?;
        self.end(out, depth)
    }

    /// From UE4 on objects are begun first and filled afterwards, so that they may refer to each other.
    fn write_content(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        for inner in &self.inner {
            match inner.name.is_empty() {
                true => inner.write(out, depth)?,
                false => inner.declare(out, depth)?,
            }
        }
        for inner in self.inner.iter().filter(|inner| !inner.name.is_empty()) {
            inner.begin(out, &inner.name, depth)?;
            inner.fill(out, depth + 1)?;
            inner.end(out, depth)?;
        }
        self.write_lines(out, depth)
    }

    /// The block without values, with the same of what lies in it.
    fn declare(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        self.begin(out, &self.attributes, depth)?;
        self.inner.iter().try_for_each(|inner| inner.declare(out, depth + 1))?;
        self.end(out, depth)
    }

    /// The values of an object that was declared.
    fn fill(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        for inner in &self.inner {
            inner.begin(out, &inner.name, depth)?;
            inner.fill(out, depth + 1)?;
            inner.end(out, depth)?;
        }
        self.write_lines(out, depth)
    }

    fn write_lines(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        let width = depth * STEP;
        self.lines.iter().try_for_each(|line| writeln!(out, "{:width$}{line}", ""))
    }

    fn begin(&self, out: &mut dyn Write, attributes: &str, depth: usize) -> fmt::Result {
        writeln!(out, "{:width$}Begin {} {attributes}", "", self.kind, width = depth * STEP)
    }

    fn end(&self, out: &mut dyn Write, depth: usize) -> fmt::Result {
        writeln!(out, "{:width$}End {}", "", self.kind, width = depth * STEP)
    }
}

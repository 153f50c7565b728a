//! The differences of one object as lines.

use unreal_packages::compare::{Difference, ObjectDifference, WordPart, line_hunks, word_parts};

use super::Diff;
use crate::color::Paint;
use crate::failure::Failure;
use crate::output::{Output, cut};

/// Properties that say where an actor, a component or a node stands.
const PLACES: [&str; 6] =
    ["location", "rotation", "relativelocation", "relativerotation", "nodeposx", "nodeposy"];

/// An object that only stands elsewhere, in one line.
pub(super) fn moved(object: &ObjectDifference) -> Option<String> {
    let place = |change: &Difference| match change {
        Difference::Property { property, .. } => {
            let name = property.split(['.', '[']).next().unwrap_or_default();
            let is_place = PLACES.contains(&&*name.to_ascii_lowercase());
            is_place.then(|| cut(&change.to_string()))
        }
        _ => None,
    };
    let places: Vec<String> = object.changes.iter().map(place).collect::<Option<_>>()?;
    Some(format!("> {} ({}) moved: {}", object.path, object.class, places.join(", ")))
}

impl Diff {
    /// The lines of the differences, as many as are wanted.
    pub(super) fn print(&self, changes: &[Difference], out: &mut Output) -> Result<(), Failure> {
        let shown = if self.limit == 0 { changes.len() } else { self.limit.min(changes.len()) };
        for change in &changes[..shown] {
            match change {
                Difference::Code { line, old, new } => {
                    out.line(format!("    code from line {}", line + 1))?;
                    self.lines(old, new, out)?;
                }
                Difference::Property { property: field, old: Some(old), new: Some(new) } => {
                    self.value(change, [field, old, new], out)?;
                }
                Difference::Field(found) | Difference::Attribute(found) => {
                    match (&found.old, &found.new) {
                        (Some(old), Some(new)) => {
                            self.value(change, [&found.field, old, new], out)?;
                        }
                        _ => self.one(change, out)?,
                    }
                }
                change => self.one(change, out)?,
            }
        }
        if shown < changes.len() {
            let more = changes.len() - shown;
            out.line(format!("    … {more} more; --limit 0 shows all"))?;
        }
        Ok(())
    }

    fn one(&self, change: &Difference, out: &mut Output) -> Result<(), Failure> {
        let line = format!("    {}", cut(&change.to_string()));
        match paint_of(change) {
            Some(paint) => out.painted(paint, line),
            None => out.line(line),
        }
    }

    /// A value that both sides have: texts of several lines by those that differ.
    fn value(
        &self,
        change: &Difference,
        [field, old, new]: [&str; 3],
        out: &mut Output,
    ) -> Result<(), Failure> {
        if old.contains('\n') || new.contains('\n') {
            for hunk in line_hunks(old, new) {
                out.line(format!("    {field} from line {}", hunk.old_line + 1))?;
                self.lines(&hunk.old, &hunk.new, out)?;
            }
            return Ok(());
        }
        match self.word_diff {
            true => out.line(format!("    {field}: {}", by_words(old, new))),
            false => self.one(change, out),
        }
    }

    /// Lines that went and came, as many as are wanted.
    fn lines(&self, old: &[String], new: &[String], out: &mut Output) -> Result<(), Failure> {
        if self.word_diff && old.len() == new.len() {
            let mut pairs = old.iter().zip(new);
            return pairs
                .try_for_each(|(old, new)| out.line(format!("      {}", by_words(old, new))));
        }
        let lines = old.iter().map(|line| ('-', line)).chain(new.iter().map(|l| ('+', l)));
        let all = old.len() + new.len();
        let shown = if self.limit == 0 { all } else { self.limit };
        for (sign, line) in lines.take(shown) {
            let paint = if sign == '-' { Paint::Removed } else { Paint::Added };
            out.painted(paint, format!("      {sign} {}", cut(line)))?;
        }
        match shown < all {
            true => out.line(format!("      … {} more lines", all - shown)),
            false => Ok(()),
        }
    }
}

/// A line with what went and came in it, as git marks them.
fn by_words(old: &str, new: &str) -> String {
    let part = |part: WordPart| match part {
        WordPart::Same(text) => text,
        WordPart::Removed(text) => format!("[-{text}-]"),
        WordPart::Added(text) => format!("{{+{text}+}}"),
    };
    word_parts(old, new).into_iter().map(part).collect()
}

/// What came is green, what went red.
fn paint_of(change: &Difference) -> Option<Paint> {
    match change {
        Difference::Property { old: None, .. } | Difference::Element { old: None, .. } => {
            Some(Paint::Added)
        }
        Difference::Property { new: None, .. } | Difference::Element { new: None, .. } => {
            Some(Paint::Removed)
        }
        _ => None,
    }
}

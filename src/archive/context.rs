//! What an archive knows about the package around a value.

use bytes::Bytes;

use crate::primitive::Name;
use crate::table::NameEntry;

/// Knowledge about the package around a value: its source bytes and its name texts. Immutable while
/// values are serialised; shared by every archive of a package.
#[derive(Debug, Clone, Default)]
pub struct Context {
    source: Bytes,
    names: Vec<NameEntry>,
}

impl Context {
    /// A context over these source bytes and names.
    pub fn new(source: Bytes, names: Vec<NameEntry>) -> Self {
        Self { source, names }
    }

    /// The source that spans are ranges of.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// The text of a name, its number included (`Light_3`), or `None` when the index is out of range.
    pub fn name_text(&self, name: &Name) -> Option<String> {
        let entry = usize::try_from(name.index.value()).ok().and_then(|at| self.names.get(at))?;
        let text = entry.text.text(&self.source).ok()?;
        Some(match name.number {
            0 => text.into_owned(),
            number => format!("{text}_{}", i64::from(number) - 1),
        })
    }

    /// Whether a name means "none": its text is `None` in any case, without a number.
    pub fn is_none(&self, name: &Name) -> bool {
        name.number == 0
            && self.name_text(name).is_some_and(|text| text.eq_ignore_ascii_case("None"))
    }
}

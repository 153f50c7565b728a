//! What an archive knows about the package around a value.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::primitive::Name;
use crate::property::{Layouts, PropertyType};
use crate::table::NameEntry;

/// Knowledge about the package around a value: its source bytes, its name texts, its classes. Immutable
/// while values are serialised; shared by every archive of a package.
#[derive(Debug, Clone, Default)]
pub struct Context {
    source: Bytes,
    names: Vec<NameEntry>,
    /// Rows that mean "none", ascending: one in most packages, one a generation in conformed ones.
    none: Vec<i32>,
    /// Rows whose text is the name of a property class (`IntProperty`).
    types: HashMap<i32, PropertyType>,
    layouts: Arc<Layouts>,
}

impl Context {
    /// A context over these source bytes and names.
    pub fn new(source: Bytes, names: Vec<NameEntry>) -> Self {
        let mut none = Vec::new();
        let mut types = HashMap::new();
        for (row, entry) in names.iter().enumerate() {
            let Ok(text) = entry.text.text(&source) else { continue };
            if text.eq_ignore_ascii_case("None") {
                none.push(row as i32);
            } else if let Some(property) = PropertyType::of_class(&text) {
                types.insert(row as i32, property);
            }
        }
        Self { source, names, none, types, layouts: Arc::default() }
    }

    /// The same with what is known about classes and structs.
    #[must_use]
    pub fn with_layouts(mut self, layouts: Arc<Layouts>) -> Self {
        self.layouts = layouts;
        self
    }

    /// The source that spans are ranges of.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// What is known about classes and structs.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// The same as a handle, for another context.
    pub(crate) fn shared_layouts(&self) -> Arc<Layouts> {
        self.layouts.clone()
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
    #[inline]
    pub fn is_none(&self, name: &Name) -> bool {
        name.number == 0 && self.none.binary_search(&name.index.value()).is_ok()
    }

    /// The property class that a name stands for.
    #[inline]
    pub fn property_type(&self, name: &Name) -> Option<&PropertyType> {
        self.types.get(&name.index.value())
    }
}

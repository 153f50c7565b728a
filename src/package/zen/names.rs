//! The names of a zen package.

use std::collections::HashMap;

use crate::container::zen::{NameBatch, ZenName};
use crate::package::Package;
use crate::primitive::Name;

/// First those that bodies use, in the rows where they stand in the package; then others as they are needed.
pub(super) struct ZenNames<'a> {
    package: &'a Package,
    texts: Vec<String>,
    /// By the text in small letters: case tells no names apart.
    rows: HashMap<String, u32>,
}

impl<'a> ZenNames<'a> {
    pub fn of(package: &'a Package) -> Self {
        let used = package.summary().names_referenced_from_export_data_count;
        let texts: Vec<String> =
            package.names().iter().take(used as usize).map(|name| name.into_owned()).collect();
        let mut rows = HashMap::new();
        for (text, row) in texts.iter().zip(0..) {
            rows.entry(text.to_ascii_lowercase()).or_insert(row);
        }
        Self { package, texts, rows }
    }

    /// The row of a text, added if it is not there.
    pub fn text(&mut self, text: &str, number: i32) -> ZenName {
        let next = self.texts.len() as u32;
        let row = *self.rows.entry(text.to_ascii_lowercase()).or_insert(next);
        if row == next {
            self.texts.push(text.to_owned());
        }
        ZenName { row, number: number.cast_unsigned() }
    }

    /// A name of the package.
    pub fn name(&mut self, name: Name) -> ZenName {
        let row = name.index.value();
        let used = self.package.summary().names_referenced_from_export_data_count;
        match u32::try_from(row) {
            Ok(own) if row < used => ZenName { row: own, number: name.number.cast_unsigned() },
            _ => {
                let bare = Name { number: 0, ..name };
                self.text(&self.package.name_text(bare), name.number)
            }
        }
    }

    pub fn into_batch(self) -> NameBatch {
        NameBatch { texts: self.texts }
    }
}

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
    /// How many are those of the package in its rows.
    used: u32,
}

impl<'a> ZenNames<'a> {
    /// With the first names of the package in their rows.
    pub fn of(package: &'a Package, used: usize) -> Self {
        let texts: Vec<String> =
            package.names().iter().take(used).map(|name| name.into_owned()).collect();
        let mut rows = HashMap::new();
        for (text, row) in texts.iter().zip(0..) {
            rows.entry(text.to_ascii_lowercase()).or_insert(row);
        }
        let used = texts.len() as u32;
        Self { package, texts, rows, used }
    }

    /// A name with its number, in the row where it was if that still says it.
    pub fn kept(&mut self, text: &str, before: ZenName) -> ZenName {
        let there = self.texts.get(before.row as usize).map(|base| match before.number {
            0 => base.clone(),
            number => format!("{base}_{}", number - 1),
        });
        if there.is_some_and(|there| there == text) {
            return before;
        }
        let (base, number) = Name::split(text).unwrap_or((text, 0));
        self.text(base, number)
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
        match u32::try_from(name.index.value()) {
            Ok(own) if own < self.used => ZenName { row: own, number: name.number.cast_unsigned() },
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

//! Rows that opaque bytes may refer to.

use std::sync::Arc;

use super::numbers::Numbers;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{Decoded, Package};

/// Rows of the tables that opaque bytes may refer to: each table's first so many. Names and
/// objects that came later can't be meant by bytes that were there before.
#[derive(Debug, Default)]
pub(in crate::edit) struct HiddenRows {
    /// The exports whose bodies are not decoded whole.
    pub bodies: Vec<usize>,
    pub names: usize,
    pub imports: usize,
    pub exports: usize,
}

/// How many rows the tables had when the package was opened.
#[derive(Debug, Clone, Copy)]
pub(in crate::edit) struct OpenedRows {
    pub names: usize,
    pub imports: usize,
    pub exports: usize,
}

impl OpenedRows {
    /// In a package whose first rows were not counted, all rows may have been there.
    pub fn of(package: &Package) -> Self {
        let tables = package.tables();
        let (names, imports, exports) = match package.baseline() {
            Some(baseline) => (baseline.names, baseline.imports, baseline.exports),
            None => (tables.names.len(), tables.imports.len(), tables.exports.len()),
        };
        Self { names, imports, exports }
    }
}

impl HiddenRows {
    /// The rows of a package whose bodies are decoded as far as they can be; bodies that are `leaving` it don't
    /// count.
    pub fn of(package: &Package, leaving: impl Fn(usize) -> bool) -> Self {
        Self::looking(package, leaving, |_, _| {})
    }

    /// The same; meanwhile `look` sees every body that is decoded for this. What it changes is lost.
    pub fn looking(
        package: &Package,
        leaving: impl Fn(usize) -> bool,
        mut look: impl FnMut(usize, &mut Decoded),
    ) -> Self {
        let tables = package.tables();
        let mut bodies = Vec::new();
        package.each_undecoded(|row, fresh| {
            let known = package.bodies().decoded.get(&row);
            let opaque = fresh.as_deref().or(known).map(|decoded| decoded.opaque);
            let has_body = tables.exports[row].serial_size.value() > 0;
            if opaque.map_or(has_body, |opaque| opaque > 0) && !leaving(row) {
                bodies.push(row);
            }
            if let Some(mut fresh) = fresh {
                look(row, Arc::make_mut(&mut fresh));
            }
        });
        if bodies.is_empty() {
            return Self::default();
        }
        let OpenedRows { names, imports, exports } = OpenedRows::of(package);
        Self { bodies, names, imports, exports }
    }

    /// Refuses numbers that such bytes would have to follow.
    ///
    /// # Errors
    /// `Refused` with the objects of the bytes.
    pub(super) fn check(&self, package: &Package, numbers: &Numbers) -> Result<()> {
        let moves = |rows: &[Option<i32>], hidden: usize| {
            let mut rows = rows.iter().take(hidden).enumerate();
            rows.any(|(old, new)| new.and_then(|new| usize::try_from(new).ok()) != Some(old))
        };
        if !moves(&numbers.names, self.names)
            && !moves(&numbers.imports, self.imports)
            && !moves(&numbers.exports, self.exports)
        {
            return Ok(());
        }
        let reason = "names and objects change their numbers, and those in bodies that are not decoded \
                      whole can't follow";
        let shown = self.bodies.iter().map(|&row| package.exports().path(row)).collect();
        Err(Error::refused(reason, shown))
    }
}

//! From the new order of rows to the new number of each old row.

use super::Renumbering;
use crate::error::{ErrorKind, Result};
use crate::package::Package;
use crate::package::tables::next_row;
use crate::primitive::{ObjectRef, PackageIndex};

/// What references to dropped exports become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dropped {
    /// There must be none.
    Refused,
    /// Null.
    Nulled,
}

/// The new number of every old row.
pub(super) struct Numbers {
    names: Vec<Option<i32>>,
    imports: Vec<Option<i32>>,
    pub exports: Vec<Option<i32>>,
    pub dropped: Dropped,
}

impl Numbers {
    pub fn name(&self, old: i32) -> Option<i32> {
        *self.names.get(usize::try_from(old).ok()?)?
    }

    pub fn object(&self, old: i32) -> Option<i32> {
        match PackageIndex::new(old).target() {
            ObjectRef::Null => Some(0),
            ObjectRef::Import(row) => self.imports.get(row)?.map(|row| -1 - row),
            ObjectRef::Export(row) => match (self.exports.get(row)?, self.dropped) {
                (Some(row), _) => Some(row + 1),
                (None, Dropped::Nulled) => Some(0),
                (None, Dropped::Refused) => None,
            },
        }
    }

    pub fn drops(&self, index: PackageIndex) -> bool {
        matches!(index.target(), ObjectRef::Export(row) if self.exports.get(row) == Some(&None))
    }
}

impl Renumbering {
    /// Every row stays where it is.
    pub fn identity(package: &Package) -> Self {
        Self {
            names: (0..package.tables().names.len()).map(Some).collect(),
            imports: (0..package.tables().imports.len()).collect(),
            exports: (0..package.tables().exports.len()).map(Some).collect(),
        }
    }

    pub(super) fn numbers(&self, package: &Package, dropped: Dropped) -> Result<Numbers> {
        let imports: Vec<_> = self.imports.iter().copied().map(Some).collect();
        let mut names = invert("name", &self.names, package.tables().names.len())?;
        let blank = self.names.iter().rposition(|row| match row {
            Some(row) => package.is_none_name(*row),
            None => true,
        });
        let blank = blank.map(|row| row as i32);
        for (row, number) in names.iter_mut().enumerate() {
            if number.is_none() && package.is_none_name(row) {
                *number = blank;
            }
        }
        Ok(Numbers {
            names,
            imports: invert("import", &imports, package.tables().imports.len())?,
            exports: invert("export", &self.exports, package.tables().exports.len())?,
            dropped,
        })
    }
}

/// From "which old row stands here" to "where does each old row stand".
fn invert(what: &'static str, rows: &[Option<usize>], count: usize) -> Result<Vec<Option<i32>>> {
    let mut inverse = vec![None; count];
    for (new, old) in rows.iter().enumerate() {
        let Some(old) = old else { continue };
        let number = next_row(new)?;
        let Some(place) = inverse.get_mut(*old) else {
            let hint = format!("; there are {count}");
            return Err(ErrorKind::NotFound { what, name: format!("#{old}"), hint }.into());
        };
        if place.replace(number).is_some() {
            return Err(ErrorKind::Exists { what, name: format!("#{old}") }.into());
        }
    }
    Ok(inverse)
}

/// The first rows of names and exports that another one takes.
pub(super) fn first_moves(renumbering: &Renumbering) -> (usize, usize) {
    let first = |rows: &[Option<usize>]| {
        let moved = rows.iter().enumerate().position(|(new, old)| *old != Some(new));
        moved.unwrap_or(rows.len())
    };
    (first(&renumbering.names), first(&renumbering.exports))
}

//! From the new order of rows to the new number of each old row.

use std::sync::Arc;

use super::Renumbering;
use crate::archive::{Archived, Remap};
use crate::error::{ErrorKind, Noun, Result, noun};
use crate::package::Package;
use crate::package::former::BodyChange;
use crate::primitive::{NameRemap, ObjectRef, PackageIndex};
use crate::table::next_row;
use crate::version::Versions;

/// The new number of every old row.
pub(super) struct Numbers {
    pub names: Vec<Option<i32>>,
    pub imports: Vec<Option<i32>>,
    pub exports: Vec<Option<i32>>,
}

impl Numbers {
    pub fn name(&self, old: i32) -> Option<i32> {
        *self.names.get(usize::try_from(old).ok()?)?
    }

    pub fn object(&self, old: i32) -> Option<i32> {
        match PackageIndex::new(old).target() {
            ObjectRef::Null => Some(0),
            ObjectRef::Import(row) => self.imports.get(row)?.map(|row| -1 - row),
            ObjectRef::Export(row) => self.exports.get(row)?.map(|row| row + 1),
        }
    }

    /// The change that gives decoded bodies these numbers.
    pub fn change(self: &Arc<Self>, versions: Versions) -> BodyChange {
        let numbers = self.clone();
        Box::new(move |decoded| {
            let (by_name, by_object) = (|old| numbers.name(old), |old| numbers.object(old));
            let mut remap = Remap::names_and_objects(versions.clone(), &by_name, &by_object);
            decoded.body.serialize(&mut remap)
        })
    }

    /// Whether a row that is there has no number any more.
    pub fn drops(&self, index: PackageIndex) -> bool {
        match index.target() {
            ObjectRef::Null => false,
            ObjectRef::Import(row) => self.imports.get(row) == Some(&None),
            ObjectRef::Export(row) => self.drops_export(row),
        }
    }

    /// Whether an import has another number than before, or none.
    pub fn moves_imports(&self) -> bool {
        let mut imports = self.imports.iter().zip(0..);
        imports.any(|(new, old)| *new != Some(old))
    }

    pub fn drops_export(&self, row: usize) -> bool {
        self.exports.get(row) == Some(&None)
    }

    /// How many of the first names there must be, so that the first `count` are among them.
    pub fn first_names(&self, count: usize) -> usize {
        let first = self.names.iter().take(count).flatten().max();
        first.map_or(0, |&row| row as usize + 1)
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

    pub(super) fn numbers(&self, package: &Package) -> Result<Numbers> {
        let imports: Vec<_> = self.imports.iter().copied().map(Some).collect();
        let mut names = invert(noun::NAME, &self.names, package.tables().names.len())?;
        if names.iter().any(Option::is_none) {
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
        }
        Ok(Numbers {
            names,
            imports: invert(noun::IMPORT, &imports, package.tables().imports.len())?,
            exports: invert(noun::EXPORT, &self.exports, package.tables().exports.len())?,
        })
    }
}

/// From "which old row stands here" to "where does each old row stand".
fn invert(what: Noun, rows: &[Option<usize>], count: usize) -> Result<Vec<Option<i32>>> {
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

//! An object that a material leads to, in whichever package it is.

use super::material::MeshOptions;
use crate::package::{Package, redirector_target};
use crate::primitive::{ObjectRef, PackageIndex};

/// Redirectors and imports that are followed, one after the other.
const DEEPEST: usize = 8;

/// An object with its package.
#[derive(Debug, Clone)]
pub(super) struct ObjectAt {
    pub package: Package,
    pub row: usize,
}

impl ObjectAt {
    /// What an index means, if it is at hand; redirectors lead on.
    pub fn of(package: &Package, index: PackageIndex, options: &MeshOptions<'_>) -> Option<Self> {
        let (mut package, mut index) = (package.clone(), index);
        for _ in 0..DEEPEST {
            let row = match index.target() {
                ObjectRef::Export(row) if row < package.exports().len() => row,
                ObjectRef::Import(_) => {
                    let (other, row) = options.objects?.find(&package, index)?;
                    (package, index) = (other, PackageIndex::export(row));
                    continue;
                }
                _ => return None,
            };
            match redirector_target(&package.decode(row).ok()?.body) {
                Some(target) => index = target,
                None => return Some(Self { package, row }),
            }
        }
        None
    }

    /// Its path in its package.
    pub fn path(&self) -> String {
        self.package.exports().path(self.row)
    }

    /// What tells it from all others that are open.
    pub fn key(&self) -> (usize, usize) {
        (self.package.source().as_ptr() as usize, self.row)
    }
}

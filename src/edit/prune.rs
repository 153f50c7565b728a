//! Pruning: what nothing uses goes.

use std::cell::RefCell;

use super::Edit;
use super::renumber::Renumbering;
use crate::archive::{Archived, Remap};
use crate::error::Result;
use crate::primitive::{Guid, ObjectRef, PackageIndex};
use crate::table::Generation;
use crate::version::threshold;

/// What was dropped.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pruned {
    /// Names that nothing used.
    pub names: Vec<String>,
    /// Rows `None` that were merged into the one that is left.
    pub nones: usize,
    /// The paths of imports that nothing used.
    pub imports: Vec<String>,
    /// Null exports.
    pub null_exports: usize,
    /// Generations before the newest.
    pub generations: usize,
    /// The new GUID; `None` below file version 42, where packages have none.
    pub guid: Option<Guid>,
}

/// Which rows something refers to.
struct Used {
    names: Vec<bool>,
    imports: Vec<bool>,
    exports: Vec<bool>,
}

impl Used {
    fn name(&mut self, index: i32) {
        if let Some(used) = usize::try_from(index).ok().and_then(|row| self.names.get_mut(row)) {
            *used = true;
        }
    }

    fn object(&mut self, index: i32) {
        let used = match PackageIndex::new(index).target() {
            ObjectRef::Null => None,
            ObjectRef::Import(row) => self.imports.get_mut(row),
            ObjectRef::Export(row) => self.exports.get_mut(row),
        };
        if let Some(used) = used {
            *used = true;
        }
    }
}

impl Edit {
    /// Drops names, imports and null exports that nothing uses, leaves one `None`, and starts anew: with one
    /// generation and a new GUID, as a package that was never conformed.
    ///
    /// # Errors
    /// `Refused` with the objects whose bodies are not decoded whole.
    pub fn prune(&mut self) -> Result<Pruned> {
        self.restructure(Self::prune_decoded)
    }

    fn prune_decoded(&mut self) -> Result<Pruned> {
        let used = self.used_rows();
        let mut pruned = Pruned::default();
        let mut kept = Renumbering::default();
        let mut none_kept = false;
        for row in 0..self.tables().names.len() {
            let is_none = self.is_none_name(row);
            if is_none && !none_kept || !is_none && used.names[row] {
                none_kept |= is_none;
                kept.names.push(Some(row));
            } else if is_none {
                pruned.nones += 1;
            } else {
                pruned.names.push(self.names().get(row).unwrap_or_default().into_owned());
            }
        }
        for row in 0..self.tables().imports.len() {
            match used.imports[row] {
                true => kept.imports.push(row),
                false => pruned.imports.push(self.path(PackageIndex::import(row))),
            }
        }
        for row in 0..self.tables().exports.len() {
            match self.exports().is_null(row) && !used.exports[row] {
                true => pruned.null_exports += 1,
                false => kept.exports.push(Some(row)),
            }
        }
        pruned.generations = match self.versions().file {
            ..threshold::HERITAGE_REMOVED => self.tables().summary.heritage_count.max(0) as usize,
            _ => self.tables().summary.generations.len(),
        }
        .saturating_sub(1);
        self.renumber_decoded(&kept, super::renumber::Dropped::Refused)?;
        let guid = Guid::random();
        let newest = self.tables().summary.generations.last().copied();
        let generation = Generation {
            net_object_count: newest.map_or(0, |generation| generation.net_object_count),
            ..Generation::default()
        };
        self.set_history(vec![guid], vec![generation]);
        self.sync_counts()?;
        pruned.guid = (self.versions().file >= threshold::HERITAGE_GUID_ADDED).then_some(guid);
        self.rebase()?;
        Ok(pruned)
    }

    /// What exports, bodies and depends refer to, and what the imports among that refer to.
    fn used_rows(&mut self) -> Used {
        let used = RefCell::new(Used {
            names: vec![false; self.tables().names.len()],
            imports: vec![false; self.tables().imports.len()],
            exports: vec![false; self.tables().exports.len()],
        });
        let by_name = |index| {
            used.borrow_mut().name(index);
            Some(index)
        };
        let by_object = |index| {
            used.borrow_mut().object(index);
            Some(index)
        };
        let mut visitor = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object);
        // Visiting never fails: every index keeps its number.
        for export in &mut self.tables_mut().exports {
            let _ = export.serialize(&mut visitor);
        }
        for depends in &mut self.tables_mut().depends {
            let _ = depends.serialize(&mut visitor);
        }
        for decoded in self.bodies_mut().decoded.values_mut() {
            let _ = decoded.body.serialize(&mut visitor);
        }
        // The groups and packages around used imports are used.
        let mut open: Vec<usize> = (0..self.tables().imports.len()).collect();
        open.retain(|&row| used.borrow().imports[row]);
        while let Some(row) = open.pop() {
            let outer = self.tables().imports[row].outer_index;
            if let ObjectRef::Import(outer) = outer.target()
                && used.borrow().imports.get(outer) == Some(&false)
            {
                open.push(outer);
            }
            let _ = self.tables_mut().imports[row].serialize(&mut visitor);
        }
        used.into_inner()
    }
}

//! Names and imports that came with edits and that nothing uses any more.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Edit;
use crate::archive::{Archive, Archived, References, Remap};
use crate::error::Result;
use crate::package::Section;
use crate::primitive::{ObjectRef, PackageIndex};

/// Rows of a table that go.
#[derive(Default)]
struct Gone(BTreeSet<usize>);

impl Gone {
    /// The new place of a row that stays.
    fn row(&self, row: usize) -> Option<usize> {
        let before = self.0.range(..=row);
        match self.0.contains(&row) {
            true => None,
            false => Some(row - before.count()),
        }
    }

    /// Whether a row that stays moves up.
    fn moves(&self, rows: usize) -> bool {
        self.0.first().is_some_and(|first| rows - first > self.0.len())
    }

    /// Takes the rows out of a list.
    fn close<T>(&self, rows: &mut Vec<T>) {
        let mut at = 0..;
        rows.retain(|_| at.next().is_none_or(|at: usize| !self.0.contains(&at)));
    }

    fn moved(&self, rows: &BTreeSet<usize>) -> BTreeSet<usize> {
        rows.iter().filter_map(|row| self.row(*row)).collect()
    }
}

impl Edit {
    /// Drops the names and imports that edits have added, that were not asked for as such and that nothing
    /// uses.
    pub(super) fn drop_unneeded(&mut self) -> Result<()> {
        let Some(baseline) = self.package.baseline().cloned() else { return Ok(()) };
        if self.bodies().replaced.is_empty() {
            self.drop_soft_paths()?;
        }
        let counts = (self.tables().names.len(), self.tables().imports.len());
        // Bytes of the caller's may use any row.
        if counts != (baseline.names, baseline.imports) && self.bodies().replaced.is_empty() {
            let (mut objects, mut texts) = self.used();
            let (mut names, mut imports) = (Gone::default(), Gone::default());
            // What lies in an import stands behind it.
            for row in (baseline.imports..counts.1).rev() {
                let users = objects.get(&PackageIndex::import(row).value());
                if users.is_some_and(|users| *users > 0) || baseline.kept_imports.contains(&row) {
                    continue;
                }
                imports.0.insert(row);
                let mut own = References::new(self.versions().clone());
                // Visiting never fails: it neither reads nor writes.
                let _ = self.tables().imports[row].clone().serialize(&mut own);
                take_off(&mut objects, own.objects());
                take_off(&mut texts, own.names());
            }
            for row in baseline.names..counts.0 {
                let users = i32::try_from(row).ok().and_then(|row| texts.get(&row));
                if users.is_none_or(|users| *users == 0) && !baseline.kept_names.contains(&row) {
                    names.0.insert(row);
                }
            }
            if !names.0.is_empty() || !imports.0.is_empty() {
                self.close_up(&names, &imports)?;
            }
        }
        self.package.settle_referenced_names();
        Ok(())
    }

    /// How many rows of tables and typed bodies use each object and each name.
    fn used(&mut self) -> (HashMap<i32, u64>, HashMap<i32, u64>) {
        let mut used = References::new(self.versions().clone());
        let package = &mut self.package;
        // Visiting never fails: it neither reads nor writes.
        for section in package.header_sections() {
            let _ = package.serialize_section(section, used.as_dyn());
        }
        let counted =
            |rows: &BTreeMap<i32, u64>| rows.iter().map(|(&row, &count)| (row, count)).collect();
        let (mut objects, mut names) = (counted(used.objects()), counted(used.names()));
        let add = |known: &mut HashMap<i32, u64>, rows: &[i32]| {
            rows.iter().for_each(|row| *known.entry(*row).or_default() += 1);
        };
        for (of_body, names_of_body) in package.body_uses().all() {
            add(&mut objects, of_body);
            add(&mut names, names_of_body);
        }
        (objects, names)
    }

    /// Takes the rows out; what stands behind them moves up.
    fn close_up(&mut self, names: &Gone, imports: &Gone) -> Result<()> {
        let counts = (self.tables().names.len(), self.tables().imports.len());
        let tables = self.tables_mut();
        names.close(&mut tables.names);
        imports.close(&mut tables.imports);
        tables.lookup.forget();
        if tables.further.asset_dependencies.is_some()
            && let Some(dependencies) = &mut tables.further.asset_dependencies
        {
            dependencies.import_used_in_game.keep(|row| !imports.0.contains(&row));
        }
        if names.moves(counts.0) || imports.moves(counts.1) {
            self.renumber_closed(names, imports)?;
        }
        if let Some(baseline) = self.package.baseline_mut() {
            baseline.kept_names = names.moved(&baseline.kept_names);
            baseline.kept_imports = imports.moved(&baseline.kept_imports);
        }
        self.sync_counts()
    }

    fn renumber_closed(&mut self, names: &Gone, imports: &Gone) -> Result<()> {
        let by_name = |row: i32| {
            let row = names.row(usize::try_from(row).ok()?)?;
            i32::try_from(row).ok()
        };
        let by_object = |index: i32| match PackageIndex::new(index).target() {
            ObjectRef::Import(row) => Some(PackageIndex::import(imports.row(row)?).value()),
            _ => Some(index),
        };
        let versions = self.package.versions().clone();
        let of_bodies = versions.of_bodies();
        let mut remap = Remap::names_and_objects(versions, &by_name, &by_object);
        for section in self.package.header_sections() {
            if section != Section::Names {
                self.package.serialize_section(section, remap.as_dyn())?;
            }
        }
        remap.set_versions(of_bodies);
        for decoded in self.package.parts_mut().bodies.decoded.values_mut() {
            decoded.body.serialize(&mut remap)?;
        }
        Ok(())
    }
}

/// What these rows use, they use no more.
fn take_off<'a>(counts: &mut HashMap<i32, u64>, own: impl IntoIterator<Item = (&'a i32, &'a u64)>) {
    for (row, count) in own {
        if let Some(known) = counts.get_mut(row) {
            *known = known.saturating_sub(*count);
        }
    }
}

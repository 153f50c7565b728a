//! Names and imports that came with edits and that nothing uses any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Edit;
use crate::archive::{Archive, Archived, Context, Remap};
use crate::error::Result;
use crate::package::Section;
use crate::primitive::{Name, NameRemap, ObjectRef, PackageIndex, Visit, Visitor, Way};
use crate::table::Pieces;
use crate::version::UnrealVersions;

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

    /// The same for rows that copies share.
    fn close_pieces<T: Clone>(&self, rows: &mut Pieces<T>) {
        let Some(&first) = self.0.iter().min() else { return };
        let behind = (first..rows.len()).filter(|row| !self.0.contains(row));
        let behind: Vec<T> = behind.map(|row| rows[row].clone()).collect();
        rows.truncate(first);
        behind.into_iter().for_each(|row| rows.push(row));
    }

    fn moved(&self, rows: &BTreeSet<usize>) -> BTreeSet<usize> {
        rows.iter().filter_map(|row| self.row(*row)).collect()
    }
}

/// How many use each name and import that came with edits.
struct Users {
    /// The rows of the tables from which on it counts.
    first_name: usize,
    first_import: usize,
    names: Vec<u64>,
    imports: Vec<u64>,
    /// Whether what it meets is a user no more.
    counts_down: bool,
}

impl Users {
    fn of_name(&self, row: usize) -> u64 {
        row.checked_sub(self.first_name).and_then(|at| self.names.get(at)).copied().unwrap_or(0)
    }

    fn of_import(&self, row: usize) -> u64 {
        row.checked_sub(self.first_import).and_then(|at| self.imports.get(at)).copied().unwrap_or(0)
    }

    fn add_name(&mut self, row: i32) {
        let at = usize::try_from(row).ok().and_then(|row| row.checked_sub(self.first_name));
        count(at.and_then(|at| self.names.get_mut(at)), self.counts_down);
    }

    fn add_object(&mut self, index: PackageIndex) {
        let ObjectRef::Import(row) = index.target() else { return };
        let at = row.checked_sub(self.first_import);
        count(at.and_then(|at| self.imports.get_mut(at)), self.counts_down);
    }
}

fn count(users: Option<&mut u64>, down: bool) {
    if let Some(users) = users {
        *users = if down { users.saturating_sub(1) } else { *users + 1 };
    }
}

impl Visitor for Users {
    fn takes_paths(&self) -> bool {
        false
    }

    fn name(&mut self, name: &mut Name, _: &Way) {
        self.add_name(name.index.value());
    }

    fn object(&mut self, index: &mut PackageIndex, _: &Way) {
        self.add_object(*index);
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
        let rebuilt = baseline.rebuilt;
        // Bytes of the caller's may use any row.
        if counts != (baseline.names, baseline.imports) && self.bodies().replaced.is_empty() {
            let mut users = self.users_of_newer(baseline.names, baseline.imports, rebuilt);
            let (mut names, mut imports) = (Gone::default(), Gone::default());
            // What lies in an import stands behind it.
            for row in (baseline.imports..counts.1).rev() {
                if users.of_import(row) > 0 || baseline.kept_imports.contains(&row) {
                    continue;
                }
                imports.0.insert(row);
                users.counts_down = true;
                let mut visit = Visit::new(&mut users, self.versions().clone(), Context::nothing());
                // Visiting never fails: it neither reads nor writes.
                let _ = self.tables().imports[row].clone().serialize(&mut visit);
            }
            for row in baseline.names..counts.0 {
                if users.of_name(row) == 0 && !baseline.kept_names.contains(&row) {
                    names.0.insert(row);
                }
            }
            if !names.0.is_empty() || !imports.0.is_empty() {
                if rebuilt {
                    // Their numbers follow.
                    self.decode_all();
                }
                self.close_up(&names, &imports)?;
            }
        }
        self.package.settle_referenced_names();
        Ok(())
    }

    /// How many rows of tables and bodies use each name and import that came with edits; bodies that are not
    /// decoded may do so where the package was `rebuilt` meanwhile.
    fn users_of_newer(&mut self, first_name: usize, first_import: usize, rebuilt: bool) -> Users {
        let (tables, versions) = (self.tables(), self.versions().clone());
        let mut users = Users {
            first_name,
            first_import,
            names: vec![0; tables.names.len().saturating_sub(first_name)],
            imports: vec![0; tables.imports.len().saturating_sub(first_import)],
            counts_down: false,
        };
        let sections = self.package.header_sections().into_iter();
        for section in sections.filter(|section| !section.refers_to_nothing()) {
            let mut visit = Visit::new(&mut users, versions.clone(), Context::nothing());
            // Visiting never fails: it neither reads nor writes.
            let _ = self.package.serialize_section(section, &mut visit);
        }
        for (objects, names) in self.package.body_uses().all() {
            objects.iter().for_each(|&index| users.add_object(PackageIndex::new(index)));
            names.iter().for_each(|&row| users.add_name(row));
        }
        if rebuilt {
            let versions = versions.of_bodies();
            self.package.each_undecoded(|_, fresh| {
                let Some(mut fresh) = fresh else { return };
                let mut visit = Visit::new(&mut users, versions.clone(), Context::nothing());
                let _ = Arc::make_mut(&mut fresh).body.serialize(&mut visit);
            });
        }
        users
    }

    /// Takes the rows out; what stands behind them moves up.
    fn close_up(&mut self, names: &Gone, imports: &Gone) -> Result<()> {
        let counts = (self.tables().names.len(), self.tables().imports.len());
        let tables = self.tables_mut();
        names.close_pieces(&mut tables.names);
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

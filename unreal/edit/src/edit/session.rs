//! A change of a package.

use std::collections::BTreeSet;
use std::ops::Deref;

use bytes::Bytes;

use super::undo_log::{Undo, UndoLog};
use crate::compression::ContainerForm;
use crate::error::Result;
use crate::inspect::rows_by_name::RowsByName;
use crate::package::tables::{Bodies, Parts};
use crate::package::{Package, SaveOptions, Saved};
use crate::table::Tables;
use crate::version::Versions;

/// A package that is being changed; everything that a package shows, it shows as well.
///
/// A call that fails leaves it as it was.
#[derive(Debug, Clone)]
pub struct Edit {
    pub(super) package: Package,
    pub(super) undo_log: UndoLog,
    /// Whether values and names that look wrong are refused.
    pub(super) checks: bool,
    /// Objects whose bodies came as bytes: whether their code can run shows when they are decoded.
    pub(super) given_bodies: BTreeSet<usize>,
    /// Whether bodies were decoded before it began: the caller that decoded them may go on with them.
    pub(super) had_decoded: bool,
    /// What changes could not keep true, in the order of the changes.
    pub(super) notes: Vec<String>,
    pub(super) rows_by_name: RowsByName,
}

/// The one way in which a [`Package`] changes.
pub trait PackageEdit {
    /// Changes the package: all that `change` does, or, where it or what comes of it can't be saved and read
    /// again, nothing. [`SaveOptions::edit`] gives the saved bytes as well.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::generate::Builder;
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let mut package = Package::from_bytes(Builder::new(69).name("Hello").build()?)?;
    /// package.edit(|edit| {
    ///     edit.rename_name("Hello", "Goodbye")?;
    ///     edit.add_import("Engine.Actor", "Core.Class")
    /// })?;
    /// assert!(package.find("Engine.Actor").is_some());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The error of `change`, and as [`SaveOptions::edit`]; the package is as before then.
    fn edit<T>(&mut self, change: impl FnOnce(&mut Edit) -> Result<T>) -> Result<T>;
}

impl PackageEdit for Package {
    fn edit<T>(&mut self, change: impl FnOnce(&mut Edit) -> Result<T>) -> Result<T> {
        // What can't come into a package of a container is known when it is saved as one.
        let is_zen = self.container().is_some_and(|it| it.form() == ContainerForm::Zen);
        let options = if is_zen { SaveOptions::new() } else { SaveOptions::of_image() };
        Ok(options.edit(self, change)?.0)
    }
}

/// An edit that is saved as these options say.
pub trait EditOptions {
    /// Changes a package as [`Package::edit`] does, and saves it in this way: any number of changes, then one
    /// layout and one proof. Names and imports that edits have added and nothing uses go again.
    ///
    /// # Errors
    /// The error of `change`; as [`Package::save`]; `Invalid` where an object would be read as something else
    /// than what was written. The package is as before then.
    fn edit<T, E: From<crate::Error>>(
        &self,
        package: &mut Package,
        change: impl FnOnce(&mut Edit) -> Result<T, E>,
    ) -> Result<(T, Saved), E>;
}

impl EditOptions for SaveOptions {
    fn edit<T, E: From<crate::Error>>(
        &self,
        package: &mut Package,
        change: impl FnOnce(&mut Edit) -> Result<T, E>,
    ) -> Result<(T, Saved), E> {
        let mut running = Running::new(package);
        let done = change(&mut running.edit)?;
        let saved = running.edit.commit(self)?;
        running.keep();
        Ok((done, saved))
    }
}

/// A package whose edit is running: where it does not end well, the package is as before.
struct Running<'a> {
    place: &'a mut Package,
    edit: Edit,
}

impl<'a> Running<'a> {
    fn new(place: &'a mut Package) -> Self {
        place.claims();
        let package = std::mem::replace(place, Package::empty(Bytes::new()));
        Self { place, edit: Edit::of(package) }
    }

    fn keep(mut self) {
        self.edit.undo_log = UndoLog::default();
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.edit.undo_all();
        std::mem::swap(self.place, &mut self.edit.package);
    }
}

impl Edit {
    pub(super) fn of(package: Package) -> Self {
        let had_decoded = !package.bodies().decoded.is_empty();
        let undo_log = UndoLog::default();
        let given_bodies = BTreeSet::new();
        let notes = Vec::new();
        let rows_by_name = RowsByName::default();
        let mut edit = Self {
            package,
            undo_log,
            checks: true,
            given_bodies,
            had_decoded,
            notes,
            rows_by_name,
        };
        edit.package.begin_edits();
        edit
    }

    /// A package of these versions with nothing in it.
    pub(crate) fn blank(versions: Versions) -> Self {
        let mut package = Package::empty(Bytes::new());
        *package.parts_mut().versions = versions;
        Self {
            package,
            undo_log: UndoLog::default(),
            checks: true,
            given_bodies: BTreeSet::new(),
            had_decoded: false,
            notes: Vec::new(),
            rows_by_name: RowsByName::default(),
        }
    }

    /// The package as it is now.
    pub(crate) fn into_package(self) -> Package {
        self.package
    }

    /// Runs `change`; what it has changed is taken back if it fails.
    pub(crate) fn transact<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.attempt(change)
    }

    /// Runs several changes as one: what they have changed is taken back if one fails, and the edit goes on.
    ///
    /// # Errors
    /// That of `change`.
    pub fn attempt<T, E>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.undo_log.begin();
        let notes = self.notes.len();
        match change(self) {
            Ok(done) => {
                self.undo_log.end();
                Ok(done)
            }
            Err(error) => {
                let undone = self.undo_log.fail();
                self.undo(undone);
                self.notes.truncate(notes);
                Err(error)
            }
        }
    }

    /// What the changes so far could not keep true, a sentence each: paths that the editor must build anew, links of
    /// a copied node.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Notes what a change can't keep true; once, where several changes say the same.
    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// As [`Package::decode_all`]: what is known of bodies is no change.
    pub fn decode_all(&mut self) {
        let fresh = self.package.decode_rest();
        self.note_decoded(&fresh);
    }

    /// Bodies that were not decoded before something was changed are read in the light of that: they go with it.
    pub(super) fn note_decoded(&mut self, fresh: &[usize]) {
        if !self.undo_log.is_empty() {
            fresh.iter().for_each(|&row| self.undo_log.note_body(row, None));
        }
    }

    pub(super) fn undo_all(&mut self) {
        while !self.undo_log.is_empty() {
            let undone = self.undo_log.fail();
            self.undo(undone);
        }
    }

    fn undo(&mut self, undone: Vec<Undo>) {
        if undone.is_empty() {
            return;
        }
        let names = self.package.tables().names.len();
        for undo in undone {
            let Parts { tables, bodies, .. } = self.package.parts_mut();
            match undo {
                Undo::Whole(package) => self.package = *package,
                Undo::Names(length) => tables.names.truncate(length),
                Undo::Imports(length) => tables.imports.truncate(length),
                Undo::Exports(length, depends) => {
                    tables.exports.truncate(length);
                    tables.depends.truncate(depends);
                    bodies.decoded.truncate(length);
                    drop(bodies.replaced.split_off(&length));
                }
                Undo::Name(row, entry) => {
                    tables.names[row] = *entry;
                    tables.lookup.forget();
                }
                Undo::Import(row, import) => tables.imports[row] = import,
                Undo::Export(row, export) => tables.exports[row] = *export,
                Undo::Depends(row, depends) => tables.depends[row] = depends,
                Undo::Summary(summary) => tables.summary = *summary,
                Undo::Further(further) => tables.further = further,
                Undo::Assets(length) => {
                    tables.assets_mut().into_iter().for_each(|rows| rows.truncate(length));
                }
                Undo::Asset(row, asset) => {
                    let known = tables.assets_mut().and_then(|rows| rows.get_mut(row));
                    known.into_iter().for_each(|known| *known = (*asset).clone());
                }
                Undo::AssetGone(row, asset) => {
                    if let Some(rows) = tables.assets_mut() {
                        rows.insert(row.min(rows.len()), *asset);
                    }
                }
                Undo::Body(row, body) => bodies.decoded.set(row, body),
                Undo::Replaced(row, Some(span)) => drop(bodies.replaced.insert(row, span)),
                Undo::Replaced(row, None) => drop(bodies.replaced.remove(&row)),
            }
        }
        if self.package.tables().names.len() != names {
            self.package.parts_mut().tables.lookup.forget();
        }
        self.package.trim_baseline();
    }

    /// The package for changes that are not noted one by one: all of it is noted.
    pub(crate) fn whole(&mut self) -> &mut Package {
        self.undo_log.note_whole(&self.package);
        &mut self.package
    }

    pub(crate) fn tables_mut(&mut self) -> &mut Tables {
        self.whole().parts_mut().tables
    }

    pub(crate) fn bodies_mut(&mut self) -> &mut Bodies {
        self.whole().parts_kept().bodies
    }

    pub(crate) fn sync_counts(&mut self) -> Result<()> {
        self.undo_log.note_summary(&self.package.tables().summary);
        let parts = self.package.parts_kept();
        parts.tables.sync_counts(parts.versions)
    }
}

impl Deref for Edit {
    type Target = Package;

    fn deref(&self) -> &Package {
        &self.package
    }
}

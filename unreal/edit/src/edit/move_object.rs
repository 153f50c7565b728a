//! Moving objects to other groups, objects and levels.

use super::Edit;
use super::level::STANDS_BESIDE;
use super::preload::PreloadDependencies;
use super::renaming::{Plan, Scope};
use super::rows::export_row;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::own_path::package_path;
use crate::package::PathMap;
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

impl Edit {
    /// Moves an object with all that lies in it into another group or object, or to the top of the package.
    ///
    /// An actor leaves the list of its level and goes to the end of that of the level that it is moved into; one that
    /// was in no list comes into it. In
    /// UE4 and UE5 soft paths to the object, its thumbnails, metadata and preload dependencies follow; at the
    /// top it is known to the asset registry, elsewhere it is not.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `Invalid` for a group within the object itself; `Refused` for fields of
    /// scripts and functions of classes, for actors that would lie in no level, before UE3 in one or in a group, and
    /// for components of UE3 whose layout depends on where they lie; `Doubtful` for what the engine finds by its path.
    pub fn move_object(&mut self, path: &str, into: Option<&str>) -> Result<()> {
        let row = self.find_export(path)?;
        let outer = self.group(into)?;
        let mut at = outer;
        for _ in 0..=self.tables().exports.len() {
            if at == PackageIndex::export(row) {
                return Err(Error::invalid(format!("'{path}' can't be moved into itself")));
            }
            at = self.outer(at);
        }
        if self.tables().exports[row].outer_index == outer {
            return Ok(());
        }
        self.check_place(row, outer)?;
        self.check_fixed_name(row)?;
        self.vacant(outer, &self.object_name(PackageIndex::export(row)))?;
        self.transact(|package| package.move_row(row, outer))
    }

    fn move_row(&mut self, row: usize, outer: PackageIndex) -> Result<()> {
        if self.class_of_function(row).is_some() {
            let reason = "functions stand in the list of their class and can't be moved";
            return Err(Error::refused(reason, vec![self.exports().path(row)]));
        }
        let old_outer = self.tables().exports[row].outer_index;
        let old_path = self.exports().path(row);
        let name = self.object_name(PackageIndex::export(row));
        let new_path = match self.path(outer) {
            around if around.is_empty() => name,
            around => format!("{around}.{name}"),
        };
        self.decode_owners_of(&[row]);
        self.move_actor(row, outer)?;
        self.unlist_moved(row)?;
        if self.versions().has_soft_references() {
            let own = package_path(self).unwrap_or_default();
            let map = PathMap::of_object((&own, &old_path), (&own, &new_path));
            self.carry_out(&Plan { map, scope: Scope::All, rows: Vec::new() })?;
        }
        let index = PackageIndex::export(row);
        self.unlist_components(export_row(old_outer), |listed| listed == index);
        self.change_export(row, |export| export.outer_index = outer);
        self.settle_component(row);
        self.list_new(row)?;
        if !self.versions().has_soft_references() {
            self.retitle_thumbnails(&old_path, row)?;
        }
        self.settle_asset(row, &old_path, old_outer);
        if let Some(mut lists) = PreloadDependencies::of(self, row) {
            lists.created_before_creation.retain(|&known| known != old_outer);
            lists.serialized_before_serialization.retain(|&known| known != old_outer);
            self.set_preload(row, &lists)?;
            self.settle_preload(row)?;
        }
        self.sync_counts()
    }

    /// Takes an actor out of its level's list and puts it into that of another one.
    fn move_actor(&mut self, row: usize, outer: PackageIndex) -> Result<()> {
        let index = PackageIndex::export(row);
        let Some(old) = self.level_of(row)? else { return self.take_in(row, outer) };
        if self.actors_stand_beside() {
            return match outer.is_null() {
                true => Ok(()),
                false => Err(Error::refused(STANDS_BESIDE, vec![self.exports().path(row)])),
            };
        }
        if self.outer(index) != PackageIndex::export(old) {
            return Ok(());
        }
        let new = match outer.target() {
            ObjectRef::Export(new) if self.levels().contains(&new) => new,
            _ => {
                let reason = "an actor lies in a level: move it into another level, or remove it";
                return Err(Error::refused(reason, vec![self.exports().path(row)]));
            }
        };
        if let Some(mut lists) = self.actors_mut(old) {
            lists.drop_actors(&|actor| actor == index);
            if lists.actors.contains(&index) {
                let reason = "a level needs the actors that stand first in its list";
                return Err(Error::refused(reason, vec![self.exports().path(row)]));
            }
        }
        self.add_actor(new, row)?;
        self.settle_preload_since(old, &[index])
    }

    /// Brings the asset registry up to date, which knows the objects at the top.
    fn settle_asset(&mut self, row: usize, old_path: &str, old_outer: PackageIndex) {
        let (v4, export) = (self.versions().ue4(), &self.tables().exports[row]);
        if v4 < ue4::OLDEST_LOADABLE_PACKAGE {
            return;
        }
        let is_public = export.object_flags.contains(ObjectFlags::UE4_PUBLIC);
        let (was_top, is_top) = (old_outer.is_null(), export.outer_index.is_null());
        if was_top && !is_top {
            let source = self.source_bytes();
            let new_path = self.exports().path(row);
            let is_own = |text: &str| {
                let text = text.replace(':', ".");
                text.eq_ignore_ascii_case(old_path) || text.eq_ignore_ascii_case(&new_path)
            };
            self.tables_mut().exports[row].is_asset = false.into();
            if let Some(registry) = &mut self.further_mut().asset_registry {
                registry.assets.retain(|asset| {
                    !asset.object_path.text(&source).is_ok_and(|text| is_own(&text))
                });
            }
        } else if is_top && !was_top && is_public {
            self.tables_mut().exports[row].is_asset =
                (v4 >= ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT).into();
            self.note_asset(row, Vec::new());
        }
    }

    /// Whether an object may lie in `outer`: bodies may have another layout there.
    fn check_place(&self, row: usize, outer: PackageIndex) -> Result<()> {
        let path = || vec![self.exports().path(row)];
        let is_script = self.is_script(PackageIndex::export(row));
        if self.is_field(row) || is_script && self.is_script(outer) {
            let reason = "fields stand in the chain of their struct and can't be moved";
            return Err(Error::refused(reason, path()));
        }
        if self.is_in_default(self.tables().exports[row].outer_index) != self.is_in_default(outer) {
            let reason = "components within the defaults of a class have another layout";
            return Err(Error::refused(reason, path()));
        }
        Ok(())
    }
}

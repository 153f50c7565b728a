//! A level's list of its actors (spec: ue1-3/06 §6.2, 10 §10.3, 11 §11.5, ue4-5/05 §6).
//!
//! Being in the list is what makes an object a part of the level: one that is not in it is neither drawn nor
//! updated, and UE3 and later never load it.

mod chains;
mod kinship;
mod lights;
mod lists;
mod motion;
mod offset;
mod owned;
mod placement;
mod placing;
mod turning;
mod unlist;

use super::Edit;
use super::rows::export_row;
use crate::error::{Error, Result, UnrealErrors};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::table::Export;

pub(super) use self::chains::links;
pub(super) use self::lists::ActorLists;
pub use self::motion::{ActorMotion, MirrorAxis};
pub use self::placement::{Placement, belongs_to_level};
pub(super) use self::placement::{Placing, STANDS_BESIDE, detach};
pub use self::placing::PlacedActors;
pub(super) use self::unlist::{drop_lights, keeps_lights, unlist};

impl Edit {
    /// The rows of the levels in the package.
    pub(super) fn levels(&self) -> Vec<usize> {
        let mut rows = self.rows_of_class("Level");
        let exports = &self.tables().exports;
        let is_default = |export: &Export| export.object_flags.is_class_default(self.versions());
        rows.retain(|&row| exports.get(row).is_some_and(|export| !is_default(export)));
        rows
    }

    /// Whether an object lies in a level, in an actor of it or deeper.
    pub(super) fn lies_in_level(&self, row: usize) -> bool {
        let levels = self.levels();
        let is_level = |index: PackageIndex| match index.target() {
            ObjectRef::Export(row) => levels.contains(&row),
            _ => false,
        };
        self.outers(PackageIndex::export(row)).any(is_level)
    }

    /// The rows of exports whose class has this name, ascending.
    pub(super) fn rows_of_class(&self, name: &str) -> Vec<usize> {
        let objects = self.object_index();
        let is_named = |index: &&PackageIndex| self.object_name(**index).eq_ignore_ascii_case(name);
        // Asked for each actor that is added: this must not go through all rows.
        let classes = objects.named(name).iter().filter(is_named);
        let of_them = classes.flat_map(|class| objects.of_class(*class));
        let mut rows: Vec<usize> = of_them.filter_map(|&index| export_row(index)).collect();
        rows.sort_unstable();
        rows
    }

    /// The level whose list has this actor; `None` for one that is in no list, and for other objects.
    ///
    /// # Errors
    /// `Refused` where the object may be an actor of a level that is not decoded.
    pub(super) fn level_of(&mut self, actor: usize) -> Result<Option<usize>> {
        let index = PackageIndex::export(actor);
        let Some(export) = self.tables().exports.get(actor) else { return Ok(None) };
        let (outer, has_stack) =
            (export.outer_index, export.object_flags.has_stack(self.versions()));
        for level in self.levels() {
            self.decode_row(level);
            match self.actors_mut(level) {
                Some(lists) if lists.actors.contains(&index) => return Ok(Some(level)),
                Some(_) => {}
                // Before UE3 actors stand beside their level, and have a state frame.
                None if outer == PackageIndex::export(level) || outer.is_null() && has_stack => {
                    return Err(self.unknown_actors(level));
                }
                None => {}
            }
        }
        Ok(None)
    }

    /// Puts an actor at the end of a level's list; one that is there already stays where it is.
    ///
    /// # Errors
    /// `Refused` where the list is not decoded.
    pub(super) fn add_actor(&mut self, level: usize, actor: usize) -> Result<()> {
        self.decode_row(level);
        let before = self.references_of(level).unwrap_or_default();
        let index = PackageIndex::export(actor);
        let Some(mut lists) = self.actors_mut(level) else {
            return Err(self.unknown_actors(level));
        };
        if !lists.actors.contains(&index) {
            lists.change(|actors| actors.push(index));
        }
        self.settle_preload_since(level, &before)
    }

    /// The list of a level that is decoded.
    pub(super) fn actors_mut(&mut self, level: usize) -> Option<ActorLists<'_>> {
        ActorLists::of(&mut self.decoded_mut(level)?.body)
    }

    fn unknown_actors(&self, level: usize) -> Error {
        let reason = "the level's list of actors is not decoded";
        Error::refused(reason, vec![self.exports().path(level)])
    }
}

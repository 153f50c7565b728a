//! Actors at another place.

use crate::edit::{Computation, Edit};
use crate::error::{Error, Result};
use crate::inspect::PackageValues;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Places of an actor beside the one that it stands at, which move along: where a mover started from, where it was.
pub(super) const FURTHER_PLACES: &[&str] = &["BasePos", "OldPos", "ColLocation", "OldLocation"];

impl Edit {
    /// Moves actors by a vector, `(X=0,Y=0,Z=64)`; of those that hang on another one of them their place beside it
    /// stays. What the level has computed from their places is that of the old ones until it is built.
    ///
    /// # Errors
    /// `Invalid` for an object that has no place: as [`Edit::compute_property`].
    pub fn move_actors(&mut self, rows: &[usize], offset: &str) -> Result<()> {
        self.transact(|edit| rows.iter().try_for_each(|&row| edit.move_actor_by(row, rows, offset)))
    }

    /// Whether an object lies in one of these.
    pub(super) fn lies_in_one(&self, row: usize, all: &[usize]) -> bool {
        let mut outers = self.outers(PackageIndex::export(row));
        outers.any(|outer| matches!(outer.target(), ObjectRef::Export(row) if all.contains(&row)))
    }

    fn move_actor_by(&mut self, row: usize, all: &[usize], offset: &str) -> Result<()> {
        let object = format!("#{row}");
        let root = match self.versions_have_scenes() {
            true => self.object_at(row, "RootComponent"),
            false => None,
        };
        let Some(root) = root else {
            self.shift(row, "Location", offset)?;
            for place in FURTHER_PLACES {
                if self.values().property(&object, place).is_ok() {
                    self.shift(row, place, offset)?;
                }
            }
            return Ok(());
        };
        // The place of a component counts from the one that it hangs on.
        let parent = self.object_at(root, "AttachParent");
        match parent.is_some_and(|parent| self.lies_in_one(parent, all)) {
            true => Ok(()),
            false => self.shift(root, "RelativeLocation", offset),
        }
    }

    /// From UE4 on components have places, before that actors.
    pub(super) fn versions_have_scenes(&self) -> bool {
        self.versions().has_soft_references()
    }

    pub(super) fn object_at(&self, row: usize, property: &str) -> Option<usize> {
        self.values().object_at(row, property)
    }

    fn shift(&mut self, row: usize, property: &str, offset: &str) -> Result<()> {
        let object = format!("#{row}");
        if !offset.trim_start().starts_with('(') {
            return Err(Error::invalid(format!("'{offset}' is no vector: write (X=0,Y=0,Z=64)")));
        }
        self.compute_property(&object, property, Computation::Add, offset, None).map(drop)
    }
}

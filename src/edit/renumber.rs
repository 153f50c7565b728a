//! Renumbering: the one way in which rows of the tables change their places.

mod numbers;

pub(super) use numbers::Dropped;

use std::collections::BTreeMap;

use self::numbers::{Numbers, first_moves};
use super::Edit;
use super::refusal::refuse_object_versions;
use crate::archive::{Archived, Remap};
use crate::error::{Error, Result};
use crate::primitive::{Name, NameFlags};
use crate::table::{Export, Generation, NameEntry};
use crate::version::Engine;

/// Flags of the engine's own names in UE1 and UE2 (spec: ue1-3/07 §7.5).
const HARDCODED_NAME: u64 = 0x0407_0410;

/// What stands at each row of the tables after [`Edit::renumber`].
///
/// Old rows that are not listed are dropped; nothing may refer to them, except that references to a
/// dropped name `None` go to the last `None` there is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Renumbering {
    /// The name table: old rows, or `None` for a new row of the text "None".
    pub names: Vec<Option<usize>>,
    /// The import table: old rows.
    pub imports: Vec<usize>,
    /// The export table: old rows, or `None` for a null export.
    pub exports: Vec<Option<usize>>,
}

impl Edit {
    /// Gives the rows of the tables other places; every table, body and script follows.
    ///
    /// Where an older generation's rows move, the generations before the newest are dropped: their counts
    /// promise that nothing has moved ([`Edit::conform_to`] is the way to keep them).
    ///
    /// # Errors
    /// `Refused` with the objects whose bodies are not decoded whole, or that refer to a dropped row;
    /// `NotFound` and `Exists` for rows that are not there or stand twice.
    pub fn renumber(&mut self, renumbering: &Renumbering) -> Result<()> {
        self.restructure(|package| {
            package.renumber_decoded(renumbering, Dropped::Refused)?;
            package.rebase()
        })
    }

    /// Runs a change that renumbers on a copy whose bodies are all decoded; the copy takes the package's place
    /// if it succeeds.
    pub(super) fn restructure<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        refuse_object_versions(self, "renumbering")?;
        let had_decoded = !self.bodies().decoded.is_empty();
        self.transact(|package| {
            package.decode_for_renumbering()?;
            let done = change(package)?;
            if had_decoded {
                // Whoever has decoded bodies may go on with them.
                package.decode_all();
            }
            Ok(done)
        })
    }

    /// Decodes every body, so that all references in them can be visited.
    pub(super) fn decode_for_renumbering(&mut self) -> Result<()> {
        if !self.bodies().replaced.is_empty() {
            // Bytes of the caller's are decoded like any others once they stand in a package.
            self.rebase()?;
        }
        self.decode_all();
        let blocked = |&row: &usize| match self.bodies().decoded.get(&row) {
            Some(decoded) => decoded.opaque > 0,
            None => self.tables().exports[row].serial_size.value() > 0,
        };
        let blocked: Vec<usize> = (0..self.tables().exports.len()).filter(blocked).collect();
        if blocked.is_empty() {
            return Ok(());
        }
        let reason = "names and objects change their numbers, and those in bodies that are not decoded \
                      whole can't follow";
        let shown = blocked.into_iter().map(|row| self.exports().path(row)).collect();
        Err(Error::refused(reason, shown))
    }

    /// Carries a renumbering out; `self` is a working copy whose bodies are all decoded.
    pub(super) fn renumber_decoded(
        &mut self,
        renumbering: &Renumbering,
        dropped: Dropped,
    ) -> Result<()> {
        let numbers = renumbering.numbers(self, dropped)?;
        self.check_export_guids(&numbers)?;
        self.drop_thumbnails(&numbers);
        let oldest_move = first_moves(renumbering);
        let (by_name, by_object) = (|old| numbers.name(old), |old| numbers.object(old));
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
            .refusing_opaque();
        self.drop_listed(&numbers);
        let mut failed: Vec<(usize, Error)> = Vec::new();
        let mut decoded = BTreeMap::new();
        for (row, mut body) in std::mem::take(&mut self.bodies_mut().decoded) {
            let Some(Some(new)) = numbers.exports.get(row) else { continue };
            match body.body.serialize(&mut remap) {
                Ok(()) => drop(decoded.insert(*new as usize, body)),
                Err(error) => failed.push((row, error)),
            }
        }
        for (row, export) in self.tables_mut().exports.iter_mut().enumerate() {
            if numbers.exports.get(row).is_some_and(Option::is_some)
                && let Err(error) = export.serialize(&mut remap)
            {
                failed.push((row, error));
            }
        }
        if let Some((_, first)) = failed.first() {
            let reason = format!("something there has no new number: {first}");
            let shown = failed.iter().map(|(row, _)| self.exports().path(*row)).collect();
            return Err(Error::refused(reason, shown));
        }
        self.bodies_mut().decoded = decoded;
        for &row in &renumbering.imports {
            let renumbered = self.tables_mut().imports[row].serialize(&mut remap);
            renumbered.map_err(|error| error.at_index(row).in_field("imports"))?;
        }
        for (row, depends) in self.tables_mut().depends.iter_mut().enumerate() {
            if numbers.exports.get(row).is_some_and(Option::is_some) {
                let renumbered = depends.serialize(&mut remap);
                renumbered.map_err(|error| error.at_index(row).in_field("depends"))?;
            }
        }
        self.reorder(renumbering);
        self.settle_generations(oldest_move);
        self.package.forget_bodies();
        self.sync_counts()
    }

    /// Lists that only name objects lose those that are dropped.
    fn drop_listed(&mut self, numbers: &Numbers) {
        for depends in &mut self.tables_mut().depends {
            depends.objects.retain(|&index| !numbers.drops(index));
        }
        for allocation in &mut self.tables_mut().summary.texture_allocations {
            let new = |&row: &i32| {
                let row = usize::try_from(row).ok();
                row.and_then(|row| numbers.exports.get(row).copied().flatten())
            };
            allocation.export_indices = allocation.export_indices.iter().filter_map(new).collect();
        }
        if numbers.dropped == Dropped::Nulled {
            for export in &mut self.tables_mut().exports {
                if export.details.component_map.iter().any(|entry| numbers.drops(entry.export)) {
                    let listed = &mut export.details.component_map;
                    listed.retain(|entry| !numbers.drops(entry.export));
                }
            }
        }
    }

    /// Nobody knows whether these rows count from 0 or 1, so neither of the two may move
    /// (spec: ue1-3/03 §3.7).
    fn check_export_guids(&self, numbers: &Numbers) -> Result<()> {
        let stays = |row: i32| {
            let Ok(row) = usize::try_from(row) else { return true };
            numbers.exports.get(row).is_none_or(|new| *new == Some(row as i32))
        };
        let moves = |guid: &&crate::table::ExportGuid| {
            !stays(guid.object) || !stays(guid.object.saturating_sub(1))
        };
        let stuck: Vec<_> = self.tables().export_guids.iter().filter(moves).collect();
        if stuck.is_empty() {
            return Ok(());
        }
        let reason = "the table of export GUIDs refers to rows that would move, and whether it counts \
                      from 0 or 1 is not known";
        let shown = stuck.iter().map(|row| format!("row {} of {}", row.object, row.guid)).collect();
        Err(Error::refused(reason, shown))
    }

    /// Thumbnails know their objects by path.
    fn drop_thumbnails(&mut self, numbers: &Numbers) {
        if self.tables().thumbnails.is_empty() {
            return;
        }
        let dropped = numbers.exports.iter().enumerate().filter(|(_, new)| new.is_none());
        let dropped: std::collections::HashSet<_> =
            dropped.map(|(row, _)| self.exports().path(row).to_ascii_lowercase()).collect();
        let source = self.source_bytes();
        self.tables_mut().thumbnails.retain(|thumbnail| {
            let path = thumbnail.object_path.text(&source).unwrap_or_default();
            !dropped.contains(&path.to_ascii_lowercase())
        });
        let used: std::collections::HashSet<_> =
            self.tables().thumbnails.iter().map(|row| i64::from(row.file_offset)).collect();
        let images = self.tables().images.iter();
        let keeps: Vec<bool> = images.map(|(at, _)| used.contains(&(*at as i64))).collect();
        self.package.keep_images(&keeps);
    }

    fn reorder(&mut self, renumbering: &Renumbering) {
        let none = NameEntry { text: "None".into(), flags: self.none_flags() };
        let blank = self.last_none().map_or(none, |row| self.tables().names[row].clone());
        let names = std::mem::take(&mut self.tables_mut().names);
        self.tables_mut().names = renumbering
            .names
            .iter()
            .map(|row| row.map_or_else(|| blank.clone(), |row| names[row].clone()))
            .collect();
        self.tables_mut().lookup.forget();
        self.tables_mut().imports =
            renumbering.imports.iter().map(|&row| self.tables().imports[row]).collect();
        let last = (0..self.tables().names.len()).rev().find(|&row| self.is_none_name(row));
        let null = Export { object_name: Name::new(last.unwrap_or(0) as i32), ..Export::default() };
        let mut exports: Vec<_> =
            std::mem::take(&mut self.tables_mut().exports).into_iter().map(Some).collect();
        let mut depends = std::mem::take(&mut self.tables_mut().depends);
        // A table that ends early says nothing of its missing rows.
        let had_depends = !depends.is_empty();
        depends.resize(exports.len(), Default::default());
        for row in &renumbering.exports {
            let export = row.and_then(|row| exports[row].take());
            self.tables_mut().exports.push(export.unwrap_or_else(|| null.clone()));
            if had_depends {
                let row = row.map(|row| std::mem::take(&mut depends[row]));
                self.tables_mut().depends.push(row.unwrap_or_default());
            }
        }
    }

    fn none_flags(&self) -> NameFlags {
        match self.versions().engine() {
            Engine::Ue1 | Engine::Ue2 => NameFlags(HARDCODED_NAME),
            _ => NameFlags::ordinary(self.versions()),
        }
    }

    /// Older generations promise that their rows have not moved.
    fn settle_generations(&mut self, (names, exports): (usize, usize)) {
        let moved = |generation: &Generation| {
            usize::try_from(generation.name_count).is_ok_and(|count| names < count)
                || usize::try_from(generation.export_count).is_ok_and(|count| exports < count)
        };
        let generations = &mut self.tables_mut().summary.generations;
        let older = generations.len().saturating_sub(1);
        if generations[..older].iter().any(moved) {
            generations.drain(..older);
        }
    }

    /// Saves and opens again, so that ranges of the source, claims and rows agree once more.
    pub(super) fn rebase(&mut self) -> Result<()> {
        self.package = self.package.clone().rebuilt()?;
        Ok(())
    }
}

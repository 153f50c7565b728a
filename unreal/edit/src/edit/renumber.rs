//! Renumbering: the one way in which rows of the tables change their places.

mod gaps;
mod hidden;
mod numbers;
mod renumbering;
mod resources;
mod tables;

pub use renumbering::Renumbering;

use std::sync::Arc;

use crate::package::DecodedBodies;

pub(super) use self::hidden::HiddenRows;
use self::numbers::{Numbers, first_moves};
use super::Edit;
use crate::archive::{Archived, Remap};
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Section;
use crate::package::former::Former;
use crate::primitive::{Name, NameFlags, NameRemap};
use crate::table::{Export, Generation, NameEntry, Pieces};
use crate::version::{EngineFacts, UnrealVersions};

/// Flags of the engine's own names in UE1 and UE2 (spec: ue1-3/07 §7.5).
const HARDCODED_NAME: u64 = 0x0407_0410;

/// Tables whose rows are renumbered one by one, or that hold no references.
const BY_ROW: &[Section] = &[Section::Names, Section::Imports, Section::Exports, Section::Depends];

impl Edit {
    /// Gives the rows of the tables other places; every table, body and script follows.
    ///
    /// Where an older generation's rows move, the generations before the newest are dropped: their counts
    /// promise that nothing has moved ([`Edit::conform_to`] keeps them).
    ///
    /// # Errors
    /// `Refused` with the objects that refer to a dropped row, or whose bodies are not decoded whole and may
    /// refer to a row that moves; `NotFound` and `Exists` for rows that are not there or stand twice.
    pub fn renumber(&mut self, renumbering: &Renumbering) -> Result<()> {
        self.rebuilding(|package| {
            // What this edit has removed goes as well.
            let gaps = package.gaps();
            let mut renumbering = renumbering.clone();
            renumbering.exports.retain(|row| row.is_none_or(|row| !gaps.contains(&row)));
            package.renumber_rows(&renumbering)?;
            package.rebase()
        })
    }

    /// Gives the exports another order: at each place the row that stands there now. Bodies stand in the
    /// order of their rows.
    ///
    /// ```
    /// use unreal_packages::prelude::*;
    /// use unreal_packages::generate::Builder;
    ///
    /// # fn main() -> unreal_packages::Result<()> {
    /// let builder = Builder::new(69).name("None");
    /// let builder = builder.export("A", "Engine.Info", [0]).export("B", "Engine.Info", [0]);
    /// let mut package = Package::from_bytes(builder.build()?)?;
    /// package.edit(|edit| edit.reorder_exports(&[1, 0]))?;
    /// assert_eq!(package.find_export("B")?, 0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `Invalid` where rows are left out; otherwise as [`Edit::renumber`].
    pub fn reorder_exports(&mut self, order: &[usize]) -> Result<()> {
        let count = self.tables().exports.len();
        if order.len() != count {
            let given = order.len();
            let reason = format!("an order of {given} rows for {count} exports: say each row once");
            return Err(Error::invalid(reason));
        }
        let exports = order.iter().copied().map(Some).collect();
        self.renumber(&Renumbering { exports, ..Renumbering::identity(self) })
    }

    /// Runs a change that renumbers, with no row left of what this edit has removed.
    pub(super) fn restructure<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.rebuilding(|package| {
            if package.close_gaps()? {
                package.rebase()?;
            }
            change(package)
        })
    }

    fn rebuilding<T>(&mut self, change: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let had_decoded = !self.bodies().decoded.is_empty();
        self.transact(|package| {
            package.whole();
            package.settle_replaced()?;
            let done = change(package)?;
            if had_decoded {
                // Whoever has decoded bodies may go on with them.
                package.decode_all();
            }
            Ok(done)
        })
    }

    /// Bytes of the caller's are decoded like any others once they stand in a package.
    pub(super) fn settle_replaced(&mut self) -> Result<()> {
        match self.bodies().replaced.is_empty() {
            true => Ok(()),
            false => {
                self.rebase()?;
                self.check_given(&self.package)
            }
        }
    }

    /// Carries a renumbering out; `self` is a working copy. Bodies that are not decoded are renumbered when the
    /// package is saved, which the caller does next ([`Edit::rebase`]). Lists that only name rows, as
    /// they must be loaded first, lose those that are dropped; nothing else may refer to them.
    pub(super) fn renumber_rows(&mut self, renumbering: &Renumbering) -> Result<()> {
        // Every body will be another one: nobody is to share them.
        self.whole().parts_kept().caches.uses = Arc::default();
        let numbers = Arc::new(renumbering.numbers(self)?);
        if self.tables().further.data_resources.is_some() {
            // Their rows are dropped as well.
            self.decode_all();
        }
        // Both are decoded in the light of the same declarations.
        self.decoding_context();
        let former = self.package.as_former();
        let renumber = numbers.change(self.versions().of_bodies());
        let mut failed: Vec<(usize, Error)> = Vec::new();
        let mut follow_later = false;
        let hidden = HiddenRows::looking(
            self,
            |row| numbers.drops_export(row),
            |row, body| {
                follow_later = true;
                if !numbers.drops_export(row)
                    && let Err(error) = renumber(body)
                {
                    failed.push((row, error));
                }
            },
        );
        hidden.check(self, &numbers)?;
        self.check_export_guids(&numbers)?;
        let oldest_move = first_moves(renumbering);
        let names_of_bodies = numbers.first_names(self.names_of_bodies());
        let names_move = oldest_move.0 < self.tables().names.len();
        self.drop_titled(&numbers);
        self.drop_listed(&numbers);
        self.drop_resources(&numbers, &hidden)?;
        let mut decoded = DecodedBodies::default();
        for (row, mut body) in std::mem::take(&mut self.bodies_mut().decoded) {
            let Some(Some(new)) = numbers.exports.get(row) else { continue };
            match renumber(&mut body) {
                Ok(()) => decoded.insert(*new as usize, body),
                Err(error) => failed.push((row, error)),
            }
        }
        let (by_name, by_object) = (|old| numbers.name(old), |old| numbers.object(old));
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object);
        let is_none = |row: &Option<usize>| row.is_none_or(|row| self.is_none_name(row));
        let last = renumbering.names.iter().rposition(is_none);
        let null = Export { object_name: Name::new(last.unwrap_or(0) as i32), ..Export::default() };
        let mut exports = Pieces::default();
        for &row in &renumbering.exports {
            let old = row.and_then(|row| self.tables().exports.get(row));
            let mut export = old.unwrap_or(&null).clone();
            if let Some(row) = row
                && let Err(error) = export.serialize(&mut remap)
            {
                failed.push((row, error));
            }
            exports.push(export);
        }
        if let Some((_, first)) = failed.first() {
            let reason = format!("something there has no new number: {first}");
            let shown = failed.iter().map(|(row, _)| self.exports().path(*row)).collect();
            return Err(Error::refused(reason, shown));
        }
        self.bodies_mut().decoded = decoded;
        if follow_later {
            let rows = renumbering.exports.iter();
            let rows = rows.map(|row| row.and_then(|row| u32::try_from(row).ok())).collect();
            self.package.set_former(Former::new(former, rows, renumber));
        }
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
        let sections = self.header_sections();
        for section in sections.into_iter().filter(|section| !BY_ROW.contains(section)) {
            self.package.serialize_section(section, &mut remap)?;
        }
        self.reorder(renumbering, exports);
        self.settle_generations(oldest_move);
        // Bytes that nobody decodes stay where they are, or are asked whether they may move.
        let count = renumbering.exports.len();
        let exports_stay = oldest_move.1 == count && count == numbers.exports.len();
        if hidden.bodies.is_empty() || !exports_stay {
            self.package.forget_bodies(|row| hidden.bodies.binary_search(&row).is_ok());
        }
        if hidden.bodies.is_empty() && !renumbering.exports.iter().flatten().is_sorted() {
            self.line_bodies_up();
        }
        self.sync_counts()?;
        if names_move {
            self.settle_names_of_bodies(names_of_bodies)?;
        }
        self.settle_baseline(renumbering);
        if let Some(baseline) = self.package.baseline_mut() {
            // Their rows are in no renumbering.
            baseline.gaps.clear();
        }
        Ok(())
    }

    /// Keeps the baseline up to the last row that was there before the first edit.
    fn settle_baseline(&mut self, renumbering: &Renumbering) {
        let Some(baseline) = self.package.baseline() else { return };
        let stay = |rows: &mut dyn Iterator<Item = Option<usize>>, first: usize| {
            rows.take(first).enumerate().all(|(row, old)| old == Some(row))
        };
        let mut imports = renumbering.imports.iter().copied().map(Some);
        if !stay(&mut renumbering.names.iter().copied(), baseline.names)
            || !stay(&mut imports, baseline.imports)
        {
            self.package.renew_baseline();
            return;
        }
        let is_old = |row: &Option<usize>| row.is_some_and(|row| row < baseline.exports);
        let exports = renumbering.exports.iter().rposition(is_old).map_or(0, |last| last + 1);
        if let Some(baseline) = self.package.baseline_mut() {
            baseline.exports = exports;
        }
    }

    /// Where bodies go by their places, they stand in the order of their rows from now on.
    fn line_bodies_up(&mut self) {
        if !self.versions().has_tiled_layout() {
            return;
        }
        let exports = &mut self.tables_mut().exports;
        let bodies = || exports.iter().filter(|export| export.size() > 0);
        let Some(first) = bodies().map(|export| export.serial_offset.value()).min() else { return };
        for export in exports.iter_mut().filter(|export| export.size() > 0) {
            export.serial_offset.set(first);
        }
    }

    /// Refuses to move rows that these may mean: whether they count from 0 or 1 is not known
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

    fn reorder(&mut self, renumbering: &Renumbering, exports: Pieces<Export>) {
        let none = NameEntry { text: "None".into(), flags: self.none_flags() };
        let blank = self.last_none().map_or(none, |row| self.tables().names[row].clone());
        let stay = |(new, old): (usize, &Option<usize>)| *old == Some(new);
        let names = &self.tables().names;
        if renumbering.names.len() != names.len() || !renumbering.names.iter().enumerate().all(stay)
        {
            let names = renumbering.names.iter();
            let names = names.map(|row| row.map_or(&blank, |row| &self.tables().names[row]));
            self.tables_mut().names = names.cloned().collect();
            self.tables_mut().lookup.forget();
        }
        self.tables_mut().imports =
            renumbering.imports.iter().map(|&row| self.tables().imports[row]).collect();
        let tables = self.tables_mut();
        let count = std::mem::replace(&mut tables.exports, exports).len();
        let mut depends = std::mem::take(&mut tables.depends);
        if depends.is_empty() {
            return;
        }
        // A table that ends early says nothing of its missing rows.
        depends.resize(count, Default::default());
        for row in &renumbering.exports {
            let row = row.map(|row| std::mem::take(&mut depends[row]));
            tables.depends.push(row.unwrap_or_default());
        }
    }

    fn none_flags(&self) -> NameFlags {
        match self.versions().has_hardcoded_names() {
            true => NameFlags(HARDCODED_NAME),
            false => NameFlags::ordinary(self.versions()),
        }
    }

    /// Older generations promise that their rows have not moved.
    fn settle_generations(&mut self, (names, exports): (usize, usize)) {
        let moved = |generation: &Generation| {
            usize::try_from(generation.name_count).is_ok_and(|count| names < count)
                || usize::try_from(generation.export_count).is_ok_and(|count| exports < count)
        };
        let generations = &self.tables().summary.generations;
        let older = generations.len().saturating_sub(1);
        if generations[..older].iter().any(moved) {
            self.summary_mut().generations.drain(..older);
        }
    }

    /// Saves and opens again, so that ranges of the source, claims and rows agree once more.
    pub(super) fn rebase(&mut self) -> Result<()> {
        let package = self.whole();
        let baseline = package.baseline().cloned();
        *package = package.rebuilt()?;
        package.set_baseline(baseline);
        Ok(())
    }
}

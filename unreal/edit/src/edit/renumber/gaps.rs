//! Rows of removed objects: they stay empty until the edit ends, so that no other row moves meanwhile.

use std::collections::BTreeSet;

use super::Renumbering;
use super::hidden::HiddenRows;
use super::numbers::first_moves;
use crate::edit::Edit;
use crate::error::Result;
use crate::table::{Export, ExportPreload};

impl Edit {
    /// The exports that this edit has removed, whose rows are still there.
    pub(in crate::edit) fn gaps(&self) -> BTreeSet<usize> {
        let gaps = self.package.baseline().map(|baseline| &baseline.gaps);
        // A row that somebody has filled since is none.
        gaps.into_iter().flatten().copied().filter(|&row| self.is_emptied(row)).collect()
    }

    /// Every row but the empty ones and these.
    fn without_gaps(&self, rows: &[usize]) -> Renumbering {
        let gaps = self.gaps();
        let mut renumbering = Renumbering::identity(self);
        renumbering.exports.retain(|row| {
            row.is_none_or(|row| !gaps.contains(&row) && rows.binary_search(&row).is_err())
        });
        renumbering
    }

    /// The first rows of names and exports that move when these exports, ascending, are gone, where something
    /// asks for them.
    ///
    /// # Errors
    /// `Refused` with the objects that would have to follow and can't.
    pub(in crate::edit) fn check_gaps(&self, rows: &[usize]) -> Result<(usize, usize)> {
        let gaps = self.gaps();
        let hidden =
            HiddenRows::of(self, |row| rows.binary_search(&row).is_ok() || gaps.contains(&row));
        let tables = self.tables();
        if hidden.bodies.is_empty()
            && tables.export_guids.is_empty()
            && tables.summary.generations.len() < 2
        {
            // Nothing asks which rows move.
            return Ok((usize::MAX, usize::MAX));
        }
        let renumbering = self.without_gaps(rows);
        let numbers = renumbering.numbers(self)?;
        hidden.check(self, &numbers)?;
        self.check_export_guids(&numbers)?;
        Ok(first_moves(&renumbering))
    }

    /// Empties the rows of these exports, to which nothing refers any more but lists that only name them.
    pub(in crate::edit) fn leave_gaps(
        &mut self,
        rows: &[usize],
        oldest_move: (usize, usize),
    ) -> Result<()> {
        let mut emptied = Renumbering::identity(self);
        rows.iter().for_each(|&row| emptied.exports[row] = None);
        let numbers = emptied.numbers(self)?;
        self.drop_titled(&numbers);
        self.drop_listed(&numbers);
        self.settle_generations(oldest_move);
        let object_name = self.name_row("None")?;
        for &row in rows {
            self.package.forget_declared(row);
            self.take_decoded(row);
            self.change_export(row, |export| {
                *export = Export { object_name, preload: ExportPreload::NONE, ..Export::default() };
            });
        }
        match self.package.baseline_mut() {
            Some(baseline) => baseline.gaps.extend(rows),
            None => self.close_up_rows(rows)?,
        }
        Ok(())
    }

    /// Takes the empty rows out; every index follows. Says whether there were any.
    pub(in crate::edit) fn close_gaps(&mut self) -> Result<bool> {
        let gaps = self.gaps();
        if let Some(baseline) = self.package.baseline_mut() {
            baseline.gaps.retain(|row| gaps.contains(row));
        }
        if gaps.is_empty() {
            return Ok(false);
        }
        self.settle_replaced()?;
        self.close_up_rows(&gaps.into_iter().collect::<Vec<_>>())?;
        Ok(true)
    }

    fn close_up_rows(&mut self, rows: &[usize]) -> Result<()> {
        let renumbering = self.without_gaps(rows);
        self.whole();
        self.renumber_rows(&renumbering)
    }
}

//! Rows that two people have changed in one table.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::grid::Table;
use crate::edit::{MergeConflict, MergeOptions, Merged};

/// A row by its name, the cells that tell it apart, and how many like it stand before it.
type RowKey = (Vec<String>, usize);

/// The rows of a table by what they are called.
struct KeyedRows<'a> {
    table: &'a Table,
    keys: Vec<RowKey>,
    places: HashMap<RowKey, usize>,
}

impl<'a> KeyedRows<'a> {
    fn of(table: &'a Table, identity: &[&str]) -> Self {
        let mut met: HashMap<Vec<String>, usize> = HashMap::new();
        let mut keys = Vec::with_capacity(table.rows().len());
        for (row, name) in table.rows().enumerate() {
            let cells = identity.iter().map(|column| table.cell(row, column).unwrap_or_default());
            let own: Vec<String> = std::iter::once(name.to_owned()).chain(cells).collect();
            let before = met.entry(own.clone()).or_default();
            keys.push((own, *before));
            *before += 1;
        }
        let places = keys.iter().cloned().zip(0..).collect();
        Self { table, keys, places }
    }

    fn cell(&self, key: &RowKey, column: &str) -> Option<String> {
        self.table.cell(*self.places.get(key)?, column)
    }

    fn has(&self, key: &RowKey) -> bool {
        self.places.contains_key(key)
    }

    fn is_same(&self, other: &Self, key: &RowKey, columns: &[String]) -> bool {
        columns.iter().all(|column| self.cell(key, column) == other.cell(key, column))
    }
}

/// What conflicts call a row.
fn shown((names, before): &RowKey) -> String {
    let text = names.join("/");
    if *before == 0 { text } else { format!("{text}[{before}]") }
}

impl Table {
    /// Our rows with what others have changed since both came from `base`: cells, rows that came and went. Rows are the
    /// same by their name and the cells of these columns; our order stays, new rows come behind those of their name.
    pub fn merged(
        &self,
        base: &Self,
        theirs: &Self,
        identity: &[&str],
        options: &MergeOptions,
    ) -> (Self, Merged) {
        let [base, ours, theirs] = [base, self, theirs].map(|it| KeyedRows::of(it, identity));
        let mut columns = self.columns().to_vec();
        columns
            .extend(theirs.table.columns().iter().filter(|it| self.column(it).is_none()).cloned());
        let mut merge =
            RowMerge { sides: [&base, &ours, &theirs], options, merged: Merged::default() };
        let mut rows = Vec::new();
        for key in &ours.keys {
            let is_gone = base.has(key) && !theirs.has(key);
            if is_gone && merge.goes(key, &columns) {
                merge.merged.removed.push(shown(key));
                continue;
            }
            let cells = match is_gone {
                true => columns.iter().map(|column| ours.cell(key, column)).collect(),
                false => merge.cells(key, &columns),
            };
            rows.push((key.clone(), cells));
        }
        // The last row of each name, behind which new ones come.
        let mut last: HashMap<Option<String>, usize> = HashMap::new();
        for (at, (key, _)) in rows.iter().enumerate() {
            last.insert(key.0.first().cloned(), at);
        }
        let mut places: Vec<usize> = (0..rows.len()).collect();
        for key in theirs.keys.iter().filter(|key| !ours.has(key)) {
            if base.has(key) && !merge.comes_back(key, &columns) {
                continue;
            }
            merge.merged.taken.push(shown(key));
            let cells = columns.iter().map(|column| theirs.cell(key, column)).collect();
            places.push(*last.entry(key.0.first().cloned()).or_insert(rows.len()));
            rows.push((key.clone(), cells));
        }
        let mut rows: Vec<_> = places.into_iter().zip(rows).collect();
        rows.sort_by_key(|(place, _)| *place);
        let merged = merge.merged;
        let mut made = Self::new(self.head, self.key);
        made.namespace.clone_from(&self.namespace);
        made.add_columns(&columns.iter().map(String::as_str).collect::<Vec<_>>());
        for (_, ((names, _), cells)) in rows {
            let cells = columns.iter().cloned().zip(cells);
            let cells = cells.filter_map(|(column, cell)| Some((column, Json::from(cell?))));
            made.push(names.into_iter().next().unwrap_or_default(), cells.collect());
        }
        (made, merged)
    }
}

struct RowMerge<'a> {
    /// Base, ours, theirs.
    sides: [&'a KeyedRows<'a>; 3],
    options: &'a MergeOptions,
    merged: Merged,
}

impl RowMerge<'_> {
    fn conflict(&self, key: &RowKey, column: &str) -> MergeConflict {
        let [_, ours, theirs] = self.sides.map(|side| side.cell(key, column));
        MergeConflict::new(shown(key), column.to_owned(), ours, theirs)
    }

    /// Whether a row goes that the other side has taken away.
    fn goes(&mut self, key: &RowKey, columns: &[String]) -> bool {
        let [base, ours, _] = self.sides;
        if base.is_same(ours, key, columns) {
            return true;
        }
        let conflict = self.conflict(key, "").because("they have taken away what we have changed");
        self.options.takes_theirs(conflict, &mut self.merged)
    }

    /// Whether a row comes back that we have taken away.
    fn comes_back(&mut self, key: &RowKey, columns: &[String]) -> bool {
        let [base, _, theirs] = self.sides;
        if base.is_same(theirs, key, columns) {
            return false;
        }
        let conflict = self.conflict(key, "").because("we have taken away what they have changed");
        self.options.takes_theirs(conflict, &mut self.merged)
    }

    /// The cells of a row that we have and they have not taken away.
    fn cells(&mut self, key: &RowKey, columns: &[String]) -> Vec<Option<String>> {
        let [base, ours, theirs] = self.sides;
        let (mut taken, mut kept, mut made) = (false, false, Vec::with_capacity(columns.len()));
        for column in columns {
            let [before, own, other] = [base, ours, theirs].map(|side| side.cell(key, column));
            let is_theirs = match () {
                () if own == other || other == before || !theirs.has(key) => false,
                () if own == before && base.has(key) => true,
                () => {
                    let conflict = self.conflict(key, column);
                    self.options.takes_theirs(conflict, &mut self.merged)
                }
            };
            taken |= is_theirs;
            kept |= own != before;
            made.push(if is_theirs { other } else { own });
        }
        let merged = &mut self.merged;
        match (taken, kept && base.has(key)) {
            (true, true) => merged.combined.push(shown(key)),
            (true, false) => merged.taken.push(shown(key)),
            _ => {}
        }
        made
    }
}

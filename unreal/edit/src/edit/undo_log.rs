//! The undo log: changes of an edit, so that a call that fails, or all of it, can be taken back.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::archive::Span;
use crate::package::{Decoded, Package};
use crate::primitive::Rare;
use crate::table::{AssetData, DependsRow, Export, FurtherSections, Import, NameEntry, Summary};

/// One change, as the value that takes it back.
#[derive(Debug, Clone)]
pub(super) enum Undo {
    /// The name table was this long.
    Names(usize),
    /// The import table was this long.
    Imports(usize),
    /// The export table and the depends table were this long.
    Exports(usize, usize),
    /// A row of the import table was this one.
    Import(usize, Import),
    /// A row of the export table was this one.
    Export(usize, Box<Export>),
    /// A row of the depends table was this one.
    Depends(usize, DependsRow),
    /// A row of the name table was this one.
    Name(usize, Box<NameEntry>),
    /// The header was this one.
    Summary(Box<Summary>),
    /// The further sections were these.
    Further(Rare<FurtherSections>),
    /// The asset registry had this many assets.
    Assets(usize),
    /// A row of the asset registry was this one.
    Asset(usize, Box<AssetData>),
    /// The asset registry had this row here.
    AssetGone(usize, Box<AssetData>),
    /// The typed body of an export was this one, or it had none.
    Body(usize, Option<Arc<Decoded>>),
    /// The bytes that replace a body were these, or there were none.
    Replaced(usize, Option<Span>),
    /// The package was this one.
    Whole(Box<Package>),
}

/// The changes so far, oldest first.
#[derive(Debug, Clone)]
pub(super) struct UndoLog {
    entries: Vec<Undo>,
    /// The calls that are running, outermost first; the first is the edit itself.
    calls: Vec<Call>,
}

/// The notes of a running call, by itself or in calls that ended well.
#[derive(Debug, Clone, Default)]
struct Call {
    from: usize,
    /// Where the package is noted as a whole: what came later needs no note.
    whole: Option<usize>,
    summary: bool,
    further: bool,
    bodies: HashSet<usize>,
}

impl Default for UndoLog {
    fn default() -> Self {
        Self { entries: Vec::new(), calls: vec![Call::default()] }
    }
}

impl UndoLog {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The rows of names that have other texts now than before.
    pub fn renamed_rows(&self, now: &Package) -> BTreeSet<i32> {
        let names = &now.tables().names;
        let mut rows = BTreeSet::new();
        for undo in &self.entries {
            match undo {
                Undo::Name(row, _) => drop(rows.insert(*row as i32)),
                Undo::Whole(before) => {
                    let pairs = before.tables().names.iter().zip(names.iter()).zip(0..);
                    let other = pairs.filter(|((old, new), _)| old.text != new.text);
                    rows.extend(other.map(|(_, row)| row));
                }
                _ => {}
            }
        }
        rows
    }

    /// Whether the table of data resources, by which bodies are read, is another one now.
    pub fn has_other_resources(&self, now: &Package) -> bool {
        let now = &now.tables().further.data_resources;
        let before = self.entries.iter().find_map(|undo| match undo {
            Undo::Further(further) => Some(&further.data_resources),
            Undo::Whole(before) => Some(&before.tables().further.data_resources),
            _ => None,
        });
        before.is_some_and(|before| before != now)
    }

    /// A call begins.
    pub fn begin(&mut self) {
        self.calls.push(Call { from: self.entries.len(), ..Call::default() });
    }

    /// The innermost call ends well: what it has noted is for the call around it.
    pub fn end(&mut self) {
        let (Some(ended), true) = (self.calls.pop(), !self.calls.is_empty()) else { return };
        let around = self.calls.len() - 1;
        self.forget_known(&ended, around);
        let around = &mut self.calls[around];
        // Nothing is noted behind the whole package, so that it is the last.
        let last = ended.whole.and(self.entries.len().checked_sub(1));
        around.whole = around.whole.or(last);
        around.summary |= ended.summary;
        around.further |= ended.further;
        around.bodies.extend(ended.bodies);
        if let Some(at) = around.whole {
            self.entries.truncate(at + 1);
        }
    }

    /// Drops those notes of an ended call of which the call around it has an older value: that one takes all of it back.
    /// A level that gets thousands of actors would be kept once for each of them otherwise.
    fn forget_known(&mut self, ended: &Call, around: usize) {
        let around = &self.calls[around];
        let knows_body = ended.bodies.iter().any(|row| around.bodies.contains(row));
        let knows_summary = around.summary && ended.summary;
        let knows_further = around.further && ended.further;
        if !knows_body && !knows_summary && !knows_further {
            return;
        }
        let notes = self.entries.split_off(ended.from.min(self.entries.len()));
        let is_older = |undo: &Undo| match undo {
            Undo::Body(row, _) => around.bodies.contains(row),
            Undo::Summary(_) => around.summary,
            Undo::Further(_) => around.further,
            _ => false,
        };
        self.entries.extend(notes.into_iter().filter(|undo| !is_older(undo)));
    }

    /// The innermost call fails: what takes its changes back, in this order.
    pub fn fail(&mut self) -> Vec<Undo> {
        let from = self.call().from.min(self.entries.len());
        if self.calls.len() > 1 {
            self.calls.pop();
        }
        let mut undone = self.entries.split_off(from);
        undone.reverse();
        undone
    }

    /// The innermost call; there is always one.
    fn call(&mut self) -> &mut Call {
        if self.calls.is_empty() {
            self.calls.push(Call::default());
        }
        let last = self.calls.len() - 1;
        &mut self.calls[last]
    }

    /// Notes a change, but where the innermost call has noted the whole package before.
    pub fn note(&mut self, undo: impl FnOnce() -> Undo) {
        if self.call().whole.is_none() {
            self.entries.push(undo());
        }
    }

    /// Notes the package as it is, once a call.
    pub fn note_whole(&mut self, package: &Package) {
        if self.call().whole.is_none() {
            self.call().whole = Some(self.entries.len());
            self.entries.push(Undo::Whole(Box::new(package.copy_to_undo())));
        }
    }

    /// Notes the header as it is, once a call.
    pub fn note_summary(&mut self, summary: &Summary) {
        if !std::mem::replace(&mut self.call().summary, true) {
            self.note(|| Undo::Summary(Box::new(summary.clone())));
        }
    }

    /// Notes the further sections as they are, once a call.
    pub fn note_further(&mut self, further: &Rare<FurtherSections>) {
        if !std::mem::replace(&mut self.call().further, true) {
            self.note(|| Undo::Further(further.clone()));
        }
    }

    /// Notes a body as it is, once a call.
    pub fn note_body(&mut self, row: usize, body: Option<&Arc<Decoded>>) {
        if self.call().bodies.insert(row) {
            self.note(|| Undo::Body(row, body.cloned()));
        }
    }
}

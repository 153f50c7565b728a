//! Code that is entered at places which other code says: event graphs.

use super::merging::Merging;
use super::side::SideChanges;
use crate::compare::Difference;
use crate::package::Package;
use crate::primitive::PackageIndex;
use crate::script::ScriptItem;
use crate::version::EngineFacts;

/// A jump to a place that its callers say (spec: ue4-5/05 §3).
const COMPUTED_JUMP: u8 = 0x4e;

impl Merging<'_> {
    /// A side that has changed the code of an event graph has moved its places; what the other side has added or
    /// changed may enter it at the old ones.
    pub(super) fn check_entries(&mut self) {
        let found = [
            moved_entries(self.edit, &self.our_changes, &self.theirs, &self.their_changes),
            moved_entries(&self.theirs, &self.their_changes, self.edit, &self.our_changes),
        ];
        for (path, graph) in found.into_iter().flatten() {
            let reason =
                format!("it may enter the code of '{graph}', which the other side has moved");
            self.conflicts.block(path, "code", reason);
        }
    }
}

/// The entries that one side adds to event graphs which the other has changed, by path, with the graph's.
fn moved_entries(
    moving: &Package,
    moves: &SideChanges,
    entering: &Package,
    enters: &SideChanges,
) -> Vec<(String, String)> {
    let code = |package: &Package, row: usize| -> Vec<ScriptItem> {
        let decoded = package.decode(row).ok();
        let script = decoded.as_ref().and_then(|decoded| decoded.body.native.code());
        script.map(|script| script.items.clone()).unwrap_or_default()
    };
    let is_code = |change: &Difference| matches!(change, Difference::Code { .. });
    let mut found = Vec::new();
    for graph in moves.diff.changed.iter().filter(|object| object.changes.iter().any(is_code)) {
        let jumps = |item: &ScriptItem| item.token() == Some(COMPUTED_JUMP);
        let Some(&there) = enters.rows.get(&graph.rows.0) else { continue };
        if !moving.versions().has_event_graphs() || !code(moving, graph.rows.1).iter().any(jumps) {
            continue;
        }
        let (index, name) = (PackageIndex::export(there), entering.exports().get(there));
        let name = name.map(|export| export.name()).unwrap_or_default();
        let calls = |item: &ScriptItem| match item {
            ScriptItem::Object(object) => *object == index,
            ScriptItem::Name(called) => entering.name_text(*called).eq_ignore_ascii_case(&name),
            _ => false,
        };
        let changed = enters.diff.changed.iter().filter(|object| {
            object.rows.0 != graph.rows.0
                && object.changes.iter().any(is_code)
                // What both have changed is compared itself.
                && moves.change(object.rows.0).is_none()
        });
        let changed = changed.map(|object| (object.rows.1, &object.path));
        let added = enters.diff.added.iter().map(|object| (object.row, &object.path));
        for (_, path) in
            added.chain(changed).filter(|(row, _)| code(entering, *row).iter().any(calls))
        {
            found.push((path.clone(), graph.path.clone()));
        }
    }
    found
}

//! The changes of one side.

use std::collections::{HashMap, HashSet};

use crate::compare::{Diff, Difference, FieldOrigin, ObjectDifference, paired, plain_diff};
use crate::package::Package;

/// The changes of one side since the base; objects by their rows.
#[derive(Debug)]
pub(super) struct SideChanges {
    pub diff: Diff,
    /// Rows of the same objects: of the base, of this side.
    pub rows: HashMap<usize, usize>,
    /// The same from this side.
    pub base_rows: HashMap<usize, usize>,
    /// Rows of the base that are gone.
    pub removed: HashSet<usize>,
    /// By rows of the base: where the changes of an object stand.
    changed: HashMap<usize, usize>,
    /// By rows of the base: where a renaming stands.
    renamed: HashMap<usize, usize>,
}

impl SideChanges {
    pub fn between(base: &Package, side: &Package) -> Self {
        let diff = plain_diff(base, side);
        let pairs = paired(base, side);
        let rows = pairs.iter().copied().collect();
        let base_rows = pairs.into_iter().map(|(base, side)| (side, base)).collect();
        let removed = diff.removed.iter().map(|title| title.row).collect();
        let changed = diff.changed.iter().enumerate();
        let changed = changed.map(|(at, object)| (object.rows.0, at)).collect();
        let renamed = diff.renamed.iter().enumerate();
        let renamed = renamed.map(|(at, object)| (object.rows.0, at)).collect();
        Self { diff, rows, base_rows, removed, changed, renamed }
    }

    /// Takes names out that nothing is called by any more.
    pub fn forget_names(&mut self, left: &HashSet<String>) {
        self.diff.header.retain(|field| {
            let name = field.new.as_ref();
            let name = name.filter(|_| field.old.is_none() && field.origin == FieldOrigin::Unused);
            name.is_none_or(|name| !left.contains(name))
        });
    }

    /// The changes of an object of the base.
    pub fn change(&self, row: usize) -> Option<&ObjectDifference> {
        self.diff.changed.get(*self.changed.get(&row)?)
    }

    /// Whether more has changed in an object than its row of the export table.
    pub fn changes_body(&self, row: usize) -> bool {
        let changes = self.change(row).map(|object| object.changes.as_slice());
        let in_row = |change: &Difference| matches!(change, Difference::Attribute(_));
        changes.unwrap_or_default().iter().any(|change| !in_row(change))
    }

    /// The new path of an object of the base, if it has one.
    pub fn new_path(&self, row: usize) -> Option<&str> {
        Some(&self.diff.renamed.get(*self.renamed.get(&row)?)?.new)
    }

    /// The text of a place in an object now.
    pub fn text(&self, row: usize, place: &str) -> Option<String> {
        let is_at = |path: &str| {
            path.get(..place.len()).is_some_and(|head| head.eq_ignore_ascii_case(place))
                || place.get(..path.len()).is_some_and(|head| head.eq_ignore_ascii_case(path))
        };
        let text = |new: &Option<String>| new.clone().unwrap_or_else(|| "(removed)".to_owned());
        let shown: Vec<String> = self
            .change(row)?
            .changes
            .iter()
            .filter_map(|change| match change {
                Difference::Property { property, new, .. } if is_at(property) => {
                    Some(match property.eq_ignore_ascii_case(place) {
                        true => text(new),
                        false => format!("{property} = {}", text(new)),
                    })
                }
                Difference::Element { property, new, .. } if is_at(property) => {
                    Some(format!("{property} = {}", text(new)))
                }
                Difference::Attribute(field) | Difference::Field(field)
                    if place == "data" || is_at(&field.field) =>
                {
                    Some(format!("{} = {}", field.field, text(&field.new)))
                }
                Difference::Code { new, .. } if place == "code" => Some(new.join("; ")),
                Difference::Data { .. } if place == "data" => Some(change.to_string()),
                _ => None,
            })
            .collect();
        (!shown.is_empty()).then(|| shown.join(", "))
    }
}

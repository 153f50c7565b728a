//! Rows that have a key each, of a base and two sides.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// Rows by their keys: one that a side alone has changed, added or taken away is as there, and `both` says what
/// becomes of one that both have changed. They stand as ours do, new ones behind.
pub(super) fn merged_rows<T: Clone + PartialEq, K: Hash + Eq>(
    base: &[T],
    ours: &[T],
    theirs: &[T],
    key: impl Fn(&T) -> K,
    mut both: impl FnMut(Option<&T>, &T, &T) -> T,
) -> Vec<T> {
    if base == theirs {
        return ours.to_vec();
    }
    if base == ours {
        return theirs.to_vec();
    }
    let by_key = |rows: &[T]| -> HashMap<K, usize> {
        rows.iter().enumerate().map(|(at, row)| (key(row), at)).collect()
    };
    let (in_base, in_theirs) = (by_key(base), by_key(theirs));
    let mut merged = Vec::with_capacity(ours.len().max(theirs.len()));
    let mut met = HashSet::new();
    for row in ours {
        let id = key(row);
        let before = in_base.get(&id).and_then(|&at| base.get(at));
        match (before, in_theirs.get(&id).and_then(|&at| theirs.get(at))) {
            (Some(before), None) if before == row => {}
            (_, None) => merged.push(row.clone()),
            (_, Some(other)) if other == row => merged.push(row.clone()),
            (Some(before), Some(other)) if before == other => merged.push(row.clone()),
            (Some(before), Some(other)) if before == row => merged.push(other.clone()),
            (before, Some(other)) => merged.push(both(before, row, other)),
        }
        met.insert(id);
    }
    for other in theirs {
        let id = key(other);
        let is_gone = in_base.get(&id).and_then(|&at| base.get(at)) == Some(other);
        if !is_gone && met.insert(id) {
            merged.push(other.clone());
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::merged_rows;

    fn merged(base: &[(u8, u8)], ours: &[(u8, u8)], theirs: &[(u8, u8)]) -> Vec<(u8, u8)> {
        merged_rows(base, ours, theirs, |row| row.0, |_, ours, _| *ours)
    }

    #[test]
    fn rows_that_one_side_has_changed_are_as_there() {
        let base = [(1, 0), (2, 0), (3, 0)];
        assert_eq!(
            merged(&base, &[(1, 5), (2, 0), (3, 0)], &[(3, 0), (2, 6)]),
            [(1, 5), (2, 6), (3, 0)]
        );
        assert_eq!(merged(&base, &[(2, 0), (4, 0)], &[(1, 0), (2, 7), (3, 0)]), [(2, 7), (4, 0)]);
        assert_eq!(merged(&base, &base, &[(3, 1), (1, 0)]), [(3, 1), (1, 0)]);
    }

    #[test]
    fn what_both_have_changed_is_asked_about() {
        let found = merged_rows(
            &[(1, 0)],
            &[(1, 3)],
            &[(1, 4)],
            |row: &(u8, u8)| row.0,
            |_, a, b| (a.0, a.1 + b.1),
        );
        assert_eq!(found, [(1, 7)]);
    }
}

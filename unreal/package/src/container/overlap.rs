//! Files of a container whose stored bytes are also those of others.
//!
//! A packer may store equal files once. But a thousand files of one stream are a thousand times as much to
//! decompress as the container's size says, and ranges that overlap in part are never what a packer wrote.

use std::collections::HashMap;

/// Bytes of files that are stored once for several may be this many times those that are stored.
const MOST_REPEATED: u64 = 8;

/// The files of a container whose stored bytes overlap those of another file.
#[derive(Debug, Default)]
pub struct Overlaps(HashMap<usize, usize>);

impl Overlaps {
    /// Overlaps among these ranges, each with its start, its end and the row of its file. Ranges that are the same
    /// are overlaps only where all of them together are far more than what is stored.
    pub(super) fn new(mut ranges: Vec<(u64, u64, usize)>) -> Self {
        ranges.sort_unstable_by_key(|(start, end, row)| (*start, std::cmp::Reverse(*end), *row));
        let (mut overlaps, mut repeats) = (HashMap::new(), Vec::new());
        let (mut stored, mut repeated) = (0_u64, 0_u64);
        let mut reach: Option<(u64, u64, usize)> = None;
        for (start, end, row) in ranges.into_iter().filter(|(start, end, _)| start < end) {
            match reach {
                Some((first, before, other)) if (first, before) == (start, end) => {
                    repeated = repeated.saturating_add(end - start);
                    repeats.push((row, other));
                }
                Some((first, before, other)) if start < before => {
                    overlaps.insert(row, other);
                    reach = Some((first, before.max(end), other));
                }
                _ => {
                    stored = stored.saturating_add(end - start);
                    reach = Some((start, end, row));
                }
            }
        }
        if repeated > stored.saturating_mul(MOST_REPEATED) {
            overlaps.extend(repeats);
        }
        Self(overlaps)
    }

    /// These and others.
    pub(super) fn with(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The file that holds bytes of this one as well; `None` for the first of them, and for all that share none or
    /// are equal to it.
    pub fn of(&self, row: usize) -> Option<usize> {
        self.0.get(&row).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_overlapping_files_is_the_one_that_counts() {
        let ranges =
            vec![(0, 10, 4), (10, 20, 3), (15, 30, 2), (29, 31, 1), (31, 31, 0), (31, 40, 5)];
        let overlaps = Overlaps::new(ranges);
        let found: Vec<_> = (0..6).map(|row| overlaps.of(row)).collect();
        assert_eq!(found, [None, Some(3), Some(3), None, None, None]);
    }

    #[test]
    fn equal_files_may_be_stored_once_but_not_a_thousand_times() {
        let twice = Overlaps::new(vec![(5, 9, 1), (5, 9, 0)]);
        assert_eq!((twice.of(0), twice.of(1)), (None, None));
        let many = Overlaps::new((0..10).map(|row| (5, 9, row)).collect());
        assert_eq!((many.of(0), many.of(1), many.of(9)), (None, Some(0), Some(0)));
    }
}

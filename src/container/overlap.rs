//! Files of a container whose stored bytes are also those of others.
//!
//! No packer writes such containers, and a thousand files of one stream are a thousand times as much to
//! decompress as the container's size says.

use std::collections::HashMap;

/// The files of a container whose stored bytes overlap those of another file.
#[derive(Debug, Default)]
pub struct Overlaps(HashMap<usize, usize>);

impl Overlaps {
    /// Overlaps among these ranges, each with its start, its end and the row of its file.
    pub(super) fn new(mut ranges: Vec<(u64, u64, usize)>) -> Self {
        ranges.sort_unstable_by_key(|(start, end, row)| (*start, std::cmp::Reverse(*end), *row));
        let mut overlaps = HashMap::new();
        let mut reach: Option<(u64, usize)> = None;
        for (start, end, row) in ranges.into_iter().filter(|(start, end, _)| start < end) {
            match reach {
                Some((before, other)) if start < before => {
                    overlaps.insert(row, other);
                    if end > before {
                        reach = Some((end, other));
                    }
                }
                _ => reach = Some((end, row)),
            }
        }
        Self(overlaps)
    }

    /// These and others.
    pub(super) fn with(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    /// The file that holds bytes of this one as well; `None` for the first of them and all that share none.
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
        let twice = Overlaps::new(vec![(5, 9, 1), (5, 9, 0)]);
        assert_eq!((twice.of(0), twice.of(1)), (None, Some(0)));
    }
}

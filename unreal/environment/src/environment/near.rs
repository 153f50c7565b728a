//! Objects that may be meant by one that is not there.

use super::Digest;
use crate::primitive::PackageIndex;

/// Paths of exports that may be meant: of the same name elsewhere, or of nearly the same name and the
/// same class.
pub(super) fn near(digest: &Digest, own: &str, name: &str, class: (&str, &str)) -> Vec<String> {
    const SHOWN: usize = 3;
    /// Names are compared up to this many, so that a large package costs little.
    const COMPARED: usize = 20_000;
    let lower = name.to_ascii_lowercase();
    let mut found: Vec<(usize, String)> = Vec::new();
    for row in 0..digest.exports.len().min(COMPARED) {
        let index = PackageIndex::export(row);
        let other = digest.name(index);
        let steps = match other.eq_ignore_ascii_case(name) {
            true => 0,
            false => {
                let same_class = digest.class_of(row, own).1.eq_ignore_ascii_case(class.1);
                let close = other.len().abs_diff(name.len()) <= 2 && name.len() > 2;
                if !same_class || !close {
                    continue;
                }
                distance(&lower, &other.to_ascii_lowercase())
            }
        };
        if steps <= 2 {
            found.push((steps, format!("{own}.{}", digest.path(index))));
        }
    }
    found.sort();
    found.truncate(SHOWN);
    found.into_iter().map(|(_, path)| path).collect()
}

/// Letters to add, take away or change to get from one text to the other.
#[doc(hidden)]
pub fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}

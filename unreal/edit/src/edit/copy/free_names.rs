//! Names that no object has yet.

use std::collections::{HashMap, HashSet};

use crate::edit::Edit;
use crate::primitive::PackageIndex;

/// Names for new objects, each given away once.
#[derive(Debug, Default)]
pub struct FreeNames {
    /// Names that were given away, in lower case, by what they lie in, with the class: objects of one package
    /// may share a name where their classes differ, and copies of them may as well.
    taken: HashSet<(PackageIndex, String, String)>,
    /// The number that is tried next after a name without its digits: so many names of one kind cost no more
    /// than one look-up each.
    next: HashMap<(PackageIndex, String), u64>,
}

impl FreeNames {
    /// Keeps a name for an object in `outer`; says whether it was free.
    fn take(&mut self, edit: &Edit, outer: PackageIndex, name: &str, class: &str) -> bool {
        let key = || (outer, name.to_ascii_lowercase(), class.to_ascii_lowercase());
        edit.vacant(outer, name).is_ok() && self.taken.insert(key())
    }

    /// The name itself where it is free, or else the next one of its kind, as the editor counts: `Model2`,
    /// `Model3`.
    pub fn pick(&mut self, edit: &Edit, outer: PackageIndex, name: &str, class: &str) -> String {
        if self.take(edit, outer, name, class) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let own = name.get(stem.len()..).and_then(|digits| digits.parse::<u32>().ok());
        // A name of digits alone, and one with more than a number can have, is counted up behind its end.
        let (base, first) = match own.filter(|_| !stem.is_empty()) {
            Some(number) => (stem, u64::from(number) + 1),
            None => (name, 1),
        };
        let key = (outer, base.to_ascii_lowercase());
        let mut number = self.next.get(&key).copied().unwrap_or(0).max(first);
        loop {
            let candidate = format!("{base}{number}");
            number += 1;
            if self.take(edit, outer, &candidate, class) {
                self.next.insert(key, number);
                return candidate;
            }
        }
    }
}

//! Whether a package conforms to an older one.

use std::fmt;

use crate::package::Package;
use crate::primitive::Guid;
use crate::table::Generation;
use crate::version::{UnrealVersions, threshold};

/// A reason why two packages can't meet on the net.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Mismatch {
    /// The GUIDs differ. Below file version 68: the new heritage table does not go on from the old one.
    Guid {
        /// That of the old package.
        old: Guid,
        /// That of the new package.
        new: Guid,
    },
    /// The new package has no generation, or another one, where the old package has this one.
    Generation {
        /// Place in the list, from 0.
        row: usize,
        /// That of the old package.
        old: Generation,
        /// That of the new package.
        new: Option<Generation>,
    },
    /// The newest generation does not count the rows that the tables have.
    Counts {
        /// Rows of the export table.
        exports: usize,
        /// Rows of the name table.
        names: usize,
        /// The newest generation.
        newest: Option<Generation>,
    },
    /// Another name stands where the old package has this one; `None` would be fine.
    Name {
        /// Row of the name table.
        row: usize,
        /// The text in the old package.
        old: String,
        /// The text in the new package; nothing when its table ends before.
        new: Option<String>,
    },
    /// Another object stands where the old package has this one; a null export would be fine.
    Export {
        /// Row of the export table.
        row: usize,
        /// The path in the old package.
        old: String,
        /// The path in the new package; nothing when its table ends before.
        new: Option<String>,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Guid { old, new } => write!(f, "the GUID is {new} instead of {old}"),
            Self::Generation { row, old, new } => {
                let (exports, names) = (old.export_count, old.name_count);
                // Counted from 1, as elsewhere.
                let number = row + 1;
                write!(
                    f,
                    "generation {number} should count {exports} exports and {names} names, "
                )?;
                match new {
                    Some(new) => write!(f, "not {} and {}", new.export_count, new.name_count),
                    None => f.write_str("but is not there"),
                }
            }
            Self::Counts { exports, names, newest } => {
                write!(f, "the tables have {exports} exports and {names} names, ")?;
                match newest {
                    Some(newest) => {
                        let (exports, names) = (newest.export_count, newest.name_count);
                        write!(f, "the newest generation counts {exports} and {names}")
                    }
                    None => f.write_str("but there is no generation"),
                }
            }
            Self::Name { row, old, new } => {
                let new = new.as_deref().unwrap_or("not there");
                write!(f, "name {row} should be '{old}' or 'None' and is '{new}'")
            }
            Self::Export { row, old, new } => {
                let new = new.as_deref().unwrap_or("not there");
                write!(f, "export {row} should be '{old}' or null and is '{new}'")
            }
        }
    }
}

/// Every reason why this package can't meet the older one on the net; none when it conforms.
///
/// Whether a row `None` separates the generations does not matter. Spec: ue1-3/07 §7.5, §7.7.
pub fn mismatches(package: &Package, old: &Package) -> Vec<Mismatch> {
    let mut found = Vec::new();
    check_history(package, old, &mut found);
    let same =
        |old: &str, new: &str| old.eq_ignore_ascii_case(new) || new.eq_ignore_ascii_case("None");
    for (row, text) in old.names().iter().enumerate() {
        let new = package.names().get(row);
        if !new.as_deref().is_some_and(|new| same(&text, new)) {
            let (old, new) = (text.into_owned(), new.map(|text| text.into_owned()));
            found.push(Mismatch::Name { row, old, new });
        }
    }
    for row in (0..old.tables().exports.len()).filter(|&row| !old.exports().is_null(row)) {
        let path = old.exports().path(row);
        let new = (row < package.tables().exports.len()).then(|| package.exports().path(row));
        let fits = new.as_deref().is_some_and(|new| path.eq_ignore_ascii_case(new));
        if !fits && !package.exports().is_null(row) {
            found.push(Mismatch::Export { row, old: path, new });
        }
    }
    found
}

fn check_history(package: &Package, old: &Package, found: &mut Vec<Mismatch>) {
    let (old_guid, new_guid) = (old.guid(), package.guid());
    if package.versions().file() < threshold::HERITAGE_REMOVED {
        if !package.tables().heritage.starts_with(&old.tables().heritage) {
            found.push(Mismatch::Guid { old: old_guid, new: new_guid });
        }
        return;
    }
    if old_guid != new_guid {
        found.push(Mismatch::Guid { old: old_guid, new: new_guid });
    }
    let generations = &package.tables().summary.generations;
    for (row, old) in stored_generations(old).into_iter().enumerate() {
        let new = generations.get(row).copied();
        if new != Some(old) {
            found.push(Mismatch::Generation { row, old, new });
        }
    }
    let newest = generations.last().copied();
    let counts = (package.tables().exports.len(), package.tables().names.len());
    let counted = |generation: Generation| {
        (usize::try_from(generation.export_count), usize::try_from(generation.name_count))
    };
    if newest.map(counted) != Some((Ok(counts.0), Ok(counts.1))) {
        let (exports, names) = counts;
        found.push(Mismatch::Counts { exports, names, newest });
    }
}

/// The generations; below file version 68, where none are stored, the engine assumes one.
#[doc(hidden)]
pub fn stored_generations(package: &Package) -> Vec<Generation> {
    if package.versions().file() >= threshold::HERITAGE_REMOVED {
        return package.tables().summary.generations.clone();
    }
    vec![Generation {
        export_count: package.tables().summary.export_count,
        name_count: package.tables().summary.name_count,
        net_object_count: 0,
    }]
}

//! Names of imports of which only the hash is known.

/// A character that no object's name starts with.
const MARK: char = '@';

/// The name that stands for a hash: `@05fdebba5fc805f9`.
pub(super) fn of(hash: u64) -> String {
    format!("{MARK}{hash:016x}")
}

/// The name that stands for an imported package of which nothing is known but its row: `@package3`.
pub(super) fn of_package_row(row: usize) -> String {
    format!("{MARK}package{row}")
}

/// The hash that a name stands for.
pub(super) fn hash(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(MARK).filter(|digits| digits.len() == 16)?;
    u64::from_str_radix(digits, 16).ok().filter(|hash| of(*hash) == name)
}

/// Whether a name stands for something that is not known.
pub(in crate::package) fn is(name: &str) -> bool {
    name.starts_with(MARK)
}

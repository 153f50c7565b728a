//! Files beside a package that belong to it: bulk data, payloads of the editor.

use super::canonical::HASH;
use super::{FieldDifference, Side};
use crate::package::{Companion, CompanionKind, Package};

/// The prefix of fields about the content of another file.
const FIELD: &str = "companion .";

fn field(kind: CompanionKind) -> String {
    format!("{FIELD}{}", kind.extension())
}

/// The kinds of files whose bytes are not those of the package itself.
fn kinds() -> impl Iterator<Item = CompanionKind> {
    CompanionKind::ALL.into_iter().filter(|kind| *kind != CompanionKind::Exports)
}

fn of(package: &Package, kind: CompanionKind) -> Option<&Companion> {
    package.companions().iter().find(|companion| companion.kind == kind)
}

/// Whether it is known which files lie beside a package: of one that was opened from bytes it is not.
fn is_known(package: &Package) -> bool {
    !package.read_from().is_empty() || !package.companions().is_empty()
}

fn text(companion: &Companion) -> String {
    let size = companion.size;
    match companion.content_hash() {
        Ok(hash) => format!("{size} bytes, {}", &hash[..HASH]),
        Err(error) => format!("{size} bytes, {error}"),
    }
}

/// The files of which one side has none, or with other bytes.
pub(super) fn differences(old: &Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    if !is_known(old.package) || !is_known(new.package) {
        return Vec::new();
    }
    let one = |kind| {
        let sides = (of(old.package, kind), of(new.package, kind));
        // The same file need not be read.
        if sides.0 == sides.1 {
            return None;
        }
        let [old, new] = [sides.0, sides.1].map(|companion| companion.map(text));
        (old != new).then(|| FieldDifference::of(field(kind), old, new))
    };
    kinds().filter_map(one).collect()
}

/// The files that are there, and what they hold.
pub(super) fn texts(side: &Side<'_>) -> impl Iterator<Item = (String, String)> {
    kinds().filter_map(|kind| Some((field(kind), text(of(side.package, kind)?))))
}

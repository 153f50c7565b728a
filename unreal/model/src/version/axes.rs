//! The axes of packages.

use std::fmt;

use super::{Axes, Axis, Counts, Format, threshold};

/// The file version of UE1 to UE3 (35 to 868). 864 in UE4 and UE5, as their headers say: what UE3 had reached stays
/// reached.
pub const FILE: Axis = Axis::FIRST;

/// The licensee version beside it; 0 in most files that Epic made.
pub const LICENSEE: Axis = Axis::new(1, "licensee");

/// The UE4 object version (214 to 522), 0 below UE4.
pub const UE4: Axis = Axis::new(2, "ue4");

/// The UE5 object version (1000 and up), 0 below UE5.
pub const UE5: Axis = Axis::new(3, "ue5");

/// The engine release, where a layout depends on what no version tells; 0 where none is said
/// ([`UnrealVersions::release`](super::UnrealVersions::release)).
pub const RELEASE: Axis = Axis::new(4, "release");

/// The game, by its place in the list ([`UnrealVersions::game`](super::UnrealVersions::game)).
pub const GAME: Axis = Axis::new(5, "game");

/// Parts that were left out of the package or are stored otherwise, a bit each
/// ([`UnrealVersions::cooked`](super::UnrealVersions::cooked)).
pub const STORED: Axis = Axis::new(6, "stored");

/// Unreal's packages of all engines. Counts are compact indices below file version 178, an `i32` from there on (spec:
/// ue1-3/01 §1.1, §1.6); a `bool` is a `UBOOL` of four bytes.
pub static PACKAGES: Format =
    Format::new("Unreal packages", &[FILE, LICENSEE, UE4, UE5, RELEASE, GAME, STORED])
        .with_counts(counts)
        .with_wide_bools()
        .with_stamp(stamp);

fn has_object_versions(axes: &Axes) -> bool {
    (axes.get(UE4) | axes.get(UE5)) != 0
}

fn counts(axes: &Axes) -> Counts {
    let is_compact =
        axes.get(FILE) < threshold::COMPACT_INDEX_REMOVED && !has_object_versions(axes);
    if is_compact { Counts::Compact } else { Counts::Signed }
}

/// `69/0`, `ue4 522, ue5 1009`.
fn stamp(axes: &Axes, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if has_object_versions(axes) {
        write!(f, "ue4 {}, ue5 {}", axes.get(UE4), axes.get(UE5))
    } else {
        write!(f, "{}/{}", axes.get(FILE), axes.get(LICENSEE))
    }
}

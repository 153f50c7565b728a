//! Classes of XCOM 2.

use crate::Archived;
use crate::primitive::{Map, PackageIndex};

/// Which actors are seen together. Seen at 845/101 to 845/120.
///
/// C++: `UXComVisGroupData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct XComVisGroupData {
    /// Numbers of its groups, by actor.
    pub groups_of_actors: Map<PackageIndex, Vec<i32>>,
    /// The groups: actors, and two more lists that were empty.
    pub groups: Vec<[Vec<PackageIndex>; 3]>,
}

/// The tiles of a level. Seen at 845/101 to 845/108.
///
/// C++: `UXComWorldData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct XComWorldData {
    /// The object that holds them.
    pub container: PackageIndex,
}

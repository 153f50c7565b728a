//! Actor groups and level information of SWAT 4.

use super::Zeros;
use crate::Archived;
use crate::object::VengeanceHeader;
use crate::primitive::{FString, PackageIndex, TransArray};

/// Actors that the editor shows and moves together; SWAT 4.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ActorGroup {
    /// Version 3, 3.
    pub header: VengeanceHeader,
    /// Its name.
    pub name: FString,
    /// Its actors.
    pub actors: TransArray<PackageIndex>,
    /// The group that this one is in.
    pub parent: PackageIndex,
    /// The groups in this one.
    pub children: TransArray<PackageIndex>,
    /// 0 in every known file.
    pub unknown_1: i32,
    /// 0 in every known file.
    pub unknown_2: [i32; 2],
    /// Null in every known file.
    pub other: PackageIndex,
}

/// The part that SWAT 4 adds to the level's information behind its properties.
///
/// Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LevelInfo {
    /// Version 0, 1.
    pub header: VengeanceHeader,
    /// Two empty things.
    pub zeros: Zeros<2>,
}

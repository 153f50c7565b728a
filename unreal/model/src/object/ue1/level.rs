//! Levels of UE1.

use crate::Archived;
use crate::object::url::Url;
use crate::primitive::{FString, Map, PackageIndex, TransArray};

/// A level of UE1.
///
/// Spec: ue1-3/06 §6.2, 10 §10.5. C++: `ULevel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// The actors; none where one was deleted.
    pub actors: TransArray<PackageIndex>,
    /// Where it was loaded from.
    pub url: Url,
    /// The geometry.
    pub model: PackageIndex,
    /// Ways between navigation points.
    pub reach_specs: Vec<ReachSpec>,
    /// Time in the level, about.
    pub approx_time: f32,
    /// First deleted actor.
    pub first_deleted: PackageIndex,
    /// Texts.
    pub text_blocks: [PackageIndex; 16],
    /// The items that players take along.
    #[since(61)]
    pub travel_info: Map<FString, FString>,
    /// 0 in every known file.
    #[since(61)]
    #[until(62)]
    pub unknown: u8,
}

/// A way between two navigation points.
///
/// Spec: ue1-3/06 §6.2. C++: `FReachSpec`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ReachSpec {
    /// How far it is.
    pub distance: i32,
    /// From where.
    pub start: PackageIndex,
    /// To where.
    pub end: PackageIndex,
    /// How wide one may be.
    pub radius: i32,
    /// How high one may be.
    pub height: i32,
    /// Abilities that the path needs.
    pub flags: i32,
    /// Whether a detour is as good.
    pub pruned: u8,
}

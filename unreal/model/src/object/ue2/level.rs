//! Levels.

use crate::Archived;
use crate::object::VengeanceHeader;
use crate::object::game::swat;
use crate::object::url::Url;
use crate::primitive::{FString, Map, PackageIndex, TransArray};

/// A level: its actors and its geometry.
///
/// Spec: ue1-3/10 §10.3, §10.6. C++: `ULevel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Level {
    /// Its actors; the deleted ones are null.
    pub actors: TransArray<PackageIndex>,
    /// Its address.
    pub url: Url,
    /// Version 4, 6.
    #[archive(when = swat(ar))]
    pub header: VengeanceHeader,
    /// Its geometry.
    pub model: PackageIndex,
    /// Time since its start.
    pub time_seconds: f32,
    /// The first deleted actor.
    pub first_deleted: PackageIndex,
    /// Texts.
    pub text_blocks: [PackageIndex; 16],
    /// The items that players take along.
    pub travel_info: Map<FString, FString>,
    /// Another object.
    #[archive(when = swat(ar))]
    pub other: PackageIndex,
}

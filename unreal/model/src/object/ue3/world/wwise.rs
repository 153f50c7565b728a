//! Sounds of Mass Effect 2 and 3.

use crate::object::game::{is_mass_effect_3, is_ported_to_ps3};
use crate::primitive::{BulkData, Guid, PackageIndex};
use crate::version::UnrealVersions;
use crate::{Archive, Archived};

/// A bank of sounds and events.
///
/// Spec: ue1-3/11 §11.11. C++: `UWwiseBank`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WwiseBank {
    /// Of unknown meaning; Mass Effect 2, where nothing follows if both are 0.
    #[archive(when = !is_mass_effect_3(ar))]
    pub unknown: [i32; 2],
    /// The bank.
    #[archive(when = is_mass_effect_3(ar) || self.unknown != [0; 2])]
    pub data: BulkData,
}

/// A sound in a file of its own.
///
/// Spec: ue1-3/11 §11.11. C++: `UWwiseStream`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WwiseStream {
    /// Of unknown meaning; Mass Effect 2, where nothing follows if both are 0.
    #[archive(when = !is_mass_effect_3(ar) || is_second_on_ps3(ar))]
    pub unknown: [i32; 2],
    /// Of unknown meaning; Mass Effect 2.
    #[archive(when = !is_mass_effect_3(ar) && self.unknown != [0; 2])]
    pub guid: Guid,
    /// Of unknown meaning; Mass Effect 2.
    #[archive(when = !is_mass_effect_3(ar) && self.unknown != [0; 2])]
    pub numbers: [i32; 2],
    /// The sound.
    #[archive(when = is_third(ar) || self.unknown != [0; 2])]
    pub data: BulkData,
}

/// An event that plays sounds.
///
/// Spec: ue1-3/11 §11.11. C++: `UWwiseEvent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WwiseEvent {
    /// Its number; Mass Effect 2.
    #[archive(when = !is_third(ar))]
    pub id: u32,
    /// The objects that it needs; Mass Effect 2.
    #[archive(when = !is_mass_effect_3(ar))]
    pub relationships: Vec<WwiseRelationship>,
    /// Sounds; Mass Effect 3.
    #[archive(when = is_third(ar))]
    pub streams: Vec<PackageIndex>,
}

/// Mass Effect 2 on PlayStation 3.
fn is_second_on_ps3<A: Archive + ?Sized>(ar: &A) -> bool {
    is_ported_to_ps3(ar) && ar.versions().mass_effect_port() == Some(2)
}

/// Mass Effect 3, and not the second one on PlayStation 3.
fn is_third<A: Archive + ?Sized>(ar: &A) -> bool {
    is_mass_effect_3(ar) && !is_second_on_ps3(ar)
}

/// The objects that a [`WwiseEvent`] needs. Spec: ue1-3/11 §11.11.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct WwiseRelationship {
    /// Banks.
    pub banks: Vec<PackageIndex>,
    /// Sounds.
    pub streams: Vec<PackageIndex>,
}

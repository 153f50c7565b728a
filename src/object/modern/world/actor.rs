//! What every actor adds.

use crate::archive::{in_field, private};
use crate::error::Result;
use crate::object::modern::condition::{custom as custom_version, is_cooked};
use crate::object::modern::prepared::Flagged;
use crate::primitive::{FString, Guid, PackageIndex};
use crate::version::custom;
use crate::{Archive, Archived};

/// What every actor adds.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | bool; if set FString | label | special projects from 4 |
/// | 2 | guid, guid | actor, instance | cooked, Fortnite main from 150 |
///
/// Spec: ue4-5/09 §2. C++: `AActor`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Actor {
    /// Its name in the editor, in cooked packages that keep it.
    #[since(custom = custom::UE5_SPECIAL_PROJECT, 4)]
    pub label: Flagged<FString>,
    /// Name of the actor, and of the level instance that it is in.
    #[archive(with = guids)]
    pub guids: [Guid; 2],
}

fn guids<A: Archive + ?Sized>(guids: &mut [Guid; 2], ar: &mut A) -> Result<()> {
    if is_cooked(ar) && custom_version(ar, custom::FORTNITE_MAIN) >= 150 {
        in_field("guids", ar, |ar| guids.serialize(ar))
    } else {
        private::absent(guids, ar, "guids")
    }
}

/// Instances of foliage, below the foliage version 13 and empty.
///
/// Spec: ue4-5/09 §9. C++: `AInstancedFoliageActor`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstancedFoliageActor {
    /// Base.
    pub base: Actor,
    /// Instances by type: only an empty list is known.
    pub instances: Vec<PackageIndex>,
}

//! The part that all actors have.

use crate::archive::layout::Layout;
use crate::archive::{Role, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::optional::last;
use crate::object::ue4::asset::cooked_shape::part::ConstantByte;
use crate::object::ue4::condition::{custom as custom_version, has_editor_data, is_cooked};
use crate::object::ue4::prepared::Flagged;
use crate::primitive::{FString, Guid, PackageIndex, array};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The part that all actors have.
///
/// Spec: ue4-5/09 §2. C++: `AActor`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Actor {
    /// Its name in the editor, in cooked packages that keep it.
    #[since(custom = custom::UE5_SPECIAL_PROJECT, custom::ue5_special_project::SERIALIZE_ACTOR_LABEL_IN_COOKED_BUILDS)]
    pub label: Flagged<FString>,
    /// Name of the actor, and of the level instance that it is in.
    #[archive(with = guids)]
    pub guids: [Guid; 2],
}

fn guids<A: Archive + ?Sized>(guids: &mut [Guid; 2], ar: &mut A) -> Result<()> {
    if is_cooked(ar)
        && custom_version(ar, custom::FORTNITE_MAIN)
            >= custom::fortnite_main::LEVEL_INSTANCE_STATIC_LIGHTING_SUPPORT
    {
        in_field("guids", ar, |ar| guids.serialize(ar))
    } else {
        private::absent(guids, ar, "guids")
    }
}

/// An instance of a level.
///
/// C++: `ALevelInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LevelInstance {
    /// The part that all actors have.
    pub base: Actor,
    /// Its name, in cooked packages.
    #[archive(with = guid_at_end)]
    pub guid: Option<Guid>,
}

fn guid_at_end<A: Archive + ?Sized>(guid: &mut Option<Guid>, ar: &mut A) -> Result<()> {
    last(guid, &["", "guid"], ar)
}

/// Foliage of a level; of cooked ones meshes are known, else only empty lists.
///
/// Spec: ue4-5/09 §9. C++: `AInstancedFoliageActor`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstancedFoliageActor {
    /// The part that all actors have.
    pub base: Actor,
    /// Number of the next base that foliage stands on. The first version is inferred: files without custom
    /// version lack it, those with 11 and higher have it.
    #[since(custom = custom::FOLIAGE, 5)]
    #[archive(when = has_editor_data(ar))]
    pub next_base_id: i32,
    /// Bases, and bases by level.
    #[since(custom = custom::FOLIAGE, 5)]
    #[archive(when = has_editor_data(ar))]
    pub bases: [Empty; 2],
    /// Instances by type.
    #[archive(with = array::counted_i32)]
    pub instances: Vec<FoliageInstances>,
}

/// The instances of a type of foliage, in cooked packages: a component has them.
///
/// C++: `FFoliageInfo`, `FFoliageStaticMesh`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FoliageInstances {
    /// The type.
    #[archive(with = foliage_type)]
    pub foliage_type: PackageIndex,
    /// What they are: meshes in every known file. C++: `EFoliageImplType`.
    pub kind: ConstantByte<1>,
    /// The component that draws them.
    pub component: PackageIndex,
}

fn foliage_type<A: Archive + ?Sized>(foliage: &mut PackageIndex, ar: &mut A) -> Result<()> {
    let is_known = custom_version(ar, custom::FOLIAGE) >= custom::foliage::FOLIAGE_ACTOR_SUPPORT;
    match is_known && !has_editor_data(ar) {
        true => foliage.serialize(ar),
        false => Err(ar.error(ErrorKind::NonCanonical { form: "elements of unknown layout" })),
    }
}

/// A list of elements of unknown layout, so that it must be empty.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Empty;

impl Archived for Empty {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = 0;
        in_field("count", ar, |ar| ar.serialize_i32(&mut count))?;
        ar.role(Role::Count);
        array::mark_empty(usize::try_from(count).unwrap_or(usize::MAX), ar);
        match count {
            0 => Ok(()),
            _ => Err(ar.error(ErrorKind::NonCanonical { form: "elements of unknown layout" })),
        }
    }
}

//! Prefabs, matinees and other objects with a map behind their properties.

use super::is_mass_effect_3;
use crate::error::{ErrorKind, Result};
use crate::object::geometry::{Rotator, Vector};
use crate::primitive::{FString, Map, Name, PackageIndex};
use crate::{Archive, Archived};

/// Which objects a prefab became.
///
/// Spec: ue1-3/11 §11.1. C++: `APrefabInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PrefabInstance {
    /// Archetypes and what was made from them.
    pub instances: Map<PackageIndex, PackageIndex>,
    /// Objects with numbers in the data of the prefab.
    pub offsets: Map<PackageIndex, i32>,
}

/// A matinee: where actors were. Always empty in known files, not stored in Mass Effect 3, and missing
/// in some objects of Mass Effect 2.
///
/// Spec: ue1-3/11 §11.1. C++: `USeqAct_Interp`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SeqActInterp {
    /// Where actors were.
    pub saved_transforms: Option<Map<PackageIndex, SavedTransform>>,
}

impl Archived for SeqActInterp {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let absent = is_mass_effect_3(ar) || ar.peek(1).is_empty();
            self.saved_transforms = (!absent).then(Map::default);
        }
        match &mut self.saved_transforms {
            Some(map) => map.serialize(ar),
            None => Ok(()),
        }
    }
}

/// Where an actor was. Spec: ue1-3/11 §11.1. C++: `FSavedTransform`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct SavedTransform {
    /// Location.
    pub location: Vector,
    /// Rotation.
    pub rotation: Rotator,
}

/// Data of the user interface that outlive their scene: lists of texts by two names. Only empty ones are
/// known.
///
/// Spec: ue1-3/11 §11.1. C++: `UUIDynamicFieldProvider`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UiDynamicFieldProvider {
    /// Texts by collection and field.
    pub collections: Map<Name, Map<Name, Vec<FString>>>,
}

/// An asset of the APEX physics. Only those without data are known; others are not decoded.
///
/// Spec: ue1-3/11 §11.1. C++: `UApexGenericAsset`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ApexGenericAsset;

impl Archived for ApexGenericAsset {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        nothing(ar, "an asset of APEX with data")
    }
}

/// Gestures of Mass Effect 3: a list of which only empty ones are known.
///
/// Spec: ue1-3/11 §11.11. C++: `UBioGestureAnimSetMgr`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BioGestureAnimSetMgr;

impl Archived for BioGestureAnimSetMgr {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match is_mass_effect_3(ar) {
            true => nothing(ar, "a list of gestures"),
            false => Ok(()),
        }
    }
}

/// A flag or count that has to be 0, since what follows otherwise is not known.
fn nothing<A: Archive + ?Sized>(ar: &mut A, form: &'static str) -> Result<()> {
    let mut count = 0i32;
    ar.serialize_i32(&mut count)?;
    match count {
        0 => Ok(()),
        _ => Err(ar.error(ErrorKind::NonCanonical { form })),
    }
}

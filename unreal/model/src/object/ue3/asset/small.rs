//! Classes with little of their own.

use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::geometry::{Rotator, Vector};
use crate::object::optional::last;
use crate::primitive::{Guid, Map, Name, PackageIndex};
use crate::{Archive, Archived, Described};

/// The GUIDs of packages, which the cooker has collected.
///
/// Spec: ue1-3/11 §11.1. C++: `UGuidCache`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct GuidCache {
    /// By name of the package.
    pub guids: Map<Name, Guid>,
}

/// A prefab in a level.
///
/// Spec: ue1-3/11 §11.1. C++: `APrefabInstance`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PrefabInstance {
    /// Which object was made from which archetype.
    pub archetype_to_instance: Map<PackageIndex, PackageIndex>,
    /// Numbers of objects.
    pub object_map: Map<PackageIndex, i32>,
}

/// Where actors stood before a matinee moved them; one object of Mass Effect 2 lacks it.
///
/// Spec: ue1-3/11 §11.1. C++: `USeqAct_Interp`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct SavedTransforms {
    /// Location and rotation by actor.
    pub transforms: Option<Map<PackageIndex, (Vector, Rotator)>>,
}

impl Archived for SavedTransforms {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        last(&mut self.transforms, &["", "transforms"], ar)
    }
}

/// Fields of the user interface; entries are not known.
///
/// Spec: ue1-3/11 §11.1. C++: `UUIDynamicFieldProvider`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct DynamicFields {
    /// Number of entries, 0 in every known file.
    #[since(503)]
    pub count: i32,
}

/// An asset of APEX; those with data are not known.
///
/// Spec: ue1-3/11 §11.1. C++: `UApexGenericAsset`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ApexAsset {
    /// Whether data follows, 0 in every known file.
    pub has_data: u32,
}

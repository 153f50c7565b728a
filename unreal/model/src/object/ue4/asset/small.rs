//! Assets whose body is a field or two.

use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::optional::last;
use crate::object::ue4::bulk::EditorBulkData;
use crate::primitive::{FString, Guid, Map, Name, PackageIndex};
use crate::version::custom;
use crate::{Archive, Archived, Described};

/// Stands where another object was before it was moved. C++: `UObjectRedirector`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ObjectRedirector {
    /// The object.
    pub target: PackageIndex,
}

/// Physics of a map, UE4.10 to 4.12. Spec: ue4-5/09 §2. C++: `UPhysicsSerializer`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PhysicsSerializer {
    /// Whether it was cooked: only 0 is known.
    pub cooked: bool,
}

/// Which bodies of a skeleton do not collide. Spec: ue4-5/09 §5. C++: `UPhysicsAsset`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PhysicsAsset {
    /// Pairs of bodies.
    pub collision_disable: Map<(i32, i32), bool>,
}

/// A blueprint. Spec: ue4-5/05 §4. C++: `UBlueprint`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq)]
pub struct Blueprint {
    /// 1 in nearly every file below UE4.25, absent from there on and in some before.
    pub unknown: Option<u32>,
}

impl Archived for Blueprint {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        last(&mut self.unknown, &["", "unknown"], ar)
    }
}

/// The source of a level of detail. Spec: ue4-5/09 §4. C++: `UStaticMeshDescriptionBulkData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshDescriptionBulkData {
    /// The mesh description.
    pub bulk: EditorBulkData,
    /// Its name.
    pub guid: Guid,
    /// Whether the name is a hash of it.
    pub guid_is_hash: bool,
}

/// Notes of the editor on objects.
///
/// Spec: ue4-5/05 §4. C++: `UMetaData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MetaData {
    /// Texts by key, by object.
    pub objects: Map<PackageIndex, Map<Name, FString>>,
    /// Texts of the package by key.
    #[since(custom = custom::EDITOR, custom::editor::ROOT_META_DATA_SUPPORT)]
    pub root: Map<Name, FString>,
}

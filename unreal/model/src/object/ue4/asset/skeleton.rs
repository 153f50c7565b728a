//! Skeletons.

use super::reference_skeleton::ReferenceSkeleton;
use crate::object::ue4::condition::{custom as custom_version, from_release, has_editor_data};
use crate::object::ue4::geometry::Transform;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, Map, Name, PackageIndex, SoftPath};
use crate::version::{UE4, custom};
use crate::{Archive, Archived};

/// A skeleton.
///
/// Spec: ue4-5/09 §5. C++: `USkeleton`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    /// Its bones.
    #[since(ue4 = 310)]
    pub reference: ReferenceSkeleton,
    /// Poses of other meshes.
    #[since(ue4 = 331)]
    pub retarget_sources: Map<Name, ReferencePose>,
    /// Its name.
    #[since(ue4 = 338)]
    pub guid: Guid,
    /// Curves and other names.
    #[since(ue4 = 388)]
    #[archive(when = has_smart_names(ar))]
    pub smart_names: Map<Name, NameMapping>,
    /// Flags of the parts that were left out.
    #[since(custom = custom::ANIM, custom::anim::STORE_MARKER_NAMES_ON_SKELETON)]
    pub strip: StripFlags,
    /// Markers of animations.
    #[since(custom = custom::ANIM, custom::anim::STORE_MARKER_NAMES_ON_SKELETON)]
    #[archive(when = self.strip.has_editor_data())]
    pub marker_names: Vec<Name>,
}

/// Packages without editor data lack them from 5.8 on; the others since they say so.
fn has_smart_names<A: Archive + ?Sized>(ar: &A) -> bool {
    match has_editor_data(ar) {
        true => {
            custom_version(ar, custom::UE5_RELEASE)
                < custom::ue5_release::REMOVED_SMART_NAME_CONTAINER_PAYLOAD
        }
        false => !from_release(ar, 5, 8),
    }
}

/// Names of a skeleton's bones for other skeletons. C++: `URig`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Rig {
    /// The bones of the skeleton that it was made from.
    pub source: ReferenceSkeleton,
}

/// The pose of another mesh. Spec: ue4-5/09 §5. C++: `FReferencePose`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ReferencePose {
    /// Its name.
    pub name: Name,
    /// The bones.
    pub pose: Vec<Transform>,
    /// The mesh.
    #[until(custom = custom::ANIM_PHYS, custom::anim_phys::CHANGE_RETARGET_SOURCE_MESH_TO_SOFT_OBJECT_PTR)]
    #[archive(when = has_editor_data(ar))]
    pub source_mesh: PackageIndex,
    /// The path of the mesh.
    #[since(custom = custom::ANIM_PHYS, custom::anim_phys::CHANGE_RETARGET_SOURCE_MESH_TO_SOFT_OBJECT_PTR)]
    #[archive(when = has_editor_data(ar))]
    pub source_mesh_path: SoftPath,
}

/// Names of one kind. Spec: ue4-5/09 §5. C++: `FSmartNameMapping`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct NameMapping {
    /// The next number.
    #[until(custom = custom::FRAMEWORK, custom::framework::SMART_NAME_REFACTOR)]
    pub next_uid: u16,
    /// Names by number.
    #[until(custom = custom::FRAMEWORK, custom::framework::SMART_NAME_REFACTOR)]
    pub uids: Map<u16, Name>,
    /// Names with their GUIDs.
    #[since(custom = custom::FRAMEWORK, custom::framework::SMART_NAME_REFACTOR)]
    #[until(custom = custom::ANIM_PHYS, custom::anim_phys::SMART_NAME_REFACTOR_FOR_DETERMINISTIC_COOKING)]
    pub guids: Map<Name, Guid>,
    /// Uses of curves.
    #[since(custom = custom::FRAMEWORK, custom::framework::MOVE_CURVE_TYPES_TO_SKELETON)]
    pub curves: Map<Name, CurveMetaData>,
}

/// The use of a curve. Spec: ue4-5/09 §5. C++: `FCurveMetaData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CurveMetaData {
    /// It is a parameter of materials.
    pub material: bool,
    /// It moves vertices.
    pub morph_target: bool,
    /// Bones that it belongs to.
    pub linked_bones: Vec<Name>,
    /// The last level of detail with it.
    #[since(custom = custom::ANIM_PHYS, custom::anim_phys::ADD_LOD_TO_CURVE_META_DATA)]
    pub max_lod: u8,
}

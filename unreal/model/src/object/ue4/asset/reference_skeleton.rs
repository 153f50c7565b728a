//! Bones of skeletons.

use crate::Archived;
use crate::object::geometry::Color;
use crate::object::ue4::condition::has_editor_data;
use crate::object::ue4::geometry::Transform;
use crate::primitive::{FString, Map, Name};
use crate::version::UE4;

/// Bones with the pose that they are at rest in.
///
/// Spec: ue4-5/09 §3. C++: `FReferenceSkeleton`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ReferenceSkeleton {
    /// The bones.
    pub bones: Vec<Bone>,
    /// Where they are at rest, relative to their parents.
    pub pose: Vec<Transform>,
    /// Which bone has which name.
    #[since(ue4 = 310)]
    pub name_to_index: Map<Name, i32>,
}

/// A bone. Spec: ue4-5/09 §3. C++: `FMeshBoneInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: Name,
    /// Its parent, -1 for none.
    pub parent: i32,
    /// Its colour.
    #[until(ue4 = 310)]
    pub color: Color,
    /// Its name in the file that it was imported from.
    #[since(ue4 = 370)]
    #[archive(when = has_editor_data(ar))]
    pub export_name: FString,
}

//! Classes of UE4 and UE5: what stands behind the properties of an object (spec: ue4-5/05, 09).

pub mod asset;
pub mod component;
mod condition;
pub mod graph;
pub mod rig;
pub mod structure;
pub mod table;
pub mod world;

use super::registry::{Room, classes};

classes! {
    pub mod bulk {}
    pub mod class_defaults { also ClassDefaults; }
    pub mod field {}
    pub mod geometry {}
    pub mod prepared {}
    pub mod remainder { also Remainder; }
    pub mod strip {}
    pub mod value {}
}

pub(super) const ROOMS: &[&Room] = &[
    &ROOM,
    &asset::ROOM,
    &asset::cooked_shape::ROOM,
    &asset::static_mesh_lod::ROOM,
    &component::ROOM,
    &graph::ROOM,
    &rig::ROOM,
    &structure::ROOM,
    &table::ROOM,
    &world::ROOM,
];

/// Whether objects of a class write what the class adds alone: neither properties nor a GUID.
pub fn has_no_properties(class: &str) -> bool {
    ["LandscapeHeightmapTextureEdgeFixup", "RigHierarchy", "RigVM", "RigVMLink"].contains(&class)
        || class.starts_with("Interchange") && class.ends_with("Node")
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[
    ("LandscapeMaterialInstanceConstant", "MaterialInstanceConstant"),
    ("SplineMeshComponent", "StaticMeshComponent"),
    ("InteractiveFoliageComponent", "StaticMeshComponent"),
    ("LandscapeMeshProxyComponent", "StaticMeshComponent"),
    ("ControlPointMeshComponent", "StaticMeshComponent"),
    ("ProceduralFoliageComponent", "ActorComponent"),
    ("FoliageInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("GrassInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("SphereReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("BoxReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("PlaneReflectionCaptureComponent", "ReflectionCaptureComponent"),
    // By name it would have the form of its family.
    ("SkyLightComponent", "ActorComponent"),
];

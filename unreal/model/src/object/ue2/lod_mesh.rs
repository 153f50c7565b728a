//! The part that all animated meshes have.

use crate::Archived;
use crate::object::geometry::{Color, Primitive, Rotator, Vector};
use crate::primitive::{PackageIndex, Payload};

/// A mesh with levels of detail: the base of skeletal meshes and of those with animated vertices.
///
/// Spec: ue1-3/10 §10.1. C++: `ULodMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LodMesh {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Version of the layout within the class.
    pub version: i32,
    /// Vertices.
    pub vertex_count: i32,
    /// Vertices of 11, 11 and 10 bits.
    pub vertices: Payload<4>,
    /// Old faces.
    #[archive(when = self.version <= 1)]
    pub old_faces: Payload<38>,
    /// Materials, which sections know by their numbers.
    pub materials: Vec<PackageIndex>,
    /// Scale.
    pub scale: Vector,
    /// Presence.
    pub origin: Vector,
    /// Rotation.
    pub rotation: Rotator,
    /// An old array.
    #[archive(when = self.version <= 1)]
    pub old_indices: Payload<2>,
    /// Level of detail of faces.
    pub face_levels: Payload<2>,
    /// Faces: three wedges and a material.
    pub faces: Payload<8>,
    /// Wedges by their number in lower levels.
    pub collapse_wedges: Payload<2>,
    /// Wedges: vertex and texture coordinates.
    pub wedges: Payload<10>,
    /// Materials of faces.
    pub mesh_materials: Vec<MeshMaterial>,
    /// Largest scale.
    pub scale_max: f32,
    /// How late levels change.
    pub lod_hysteresis: f32,
    /// How early levels change.
    pub lod_strength: f32,
    /// Vertices that always stay.
    pub lod_min_vertices: i32,
    /// How vertices move between levels.
    pub lod_morph: f32,
    /// Moves the distance.
    pub lod_z_displace: f32,
    /// The impostor that is drawn from afar.
    #[archive(when = self.version >= 3)]
    pub impostor: Impostor,
    /// Tesselation.
    #[archive(when = self.version >= 4)]
    pub tesselation: f32,
}

/// Material of some faces. C++: `FMeshMaterial`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MeshMaterial {
    /// Flags.
    pub poly_flags: u32,
    /// Index of the material.
    pub material: i32,
}

/// A picture that stands for the mesh from afar. C++: `FImpostorProps`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Impostor {
    /// Whether there is one.
    pub has_impostor: i32,
    /// The picture.
    pub material: PackageIndex,
    /// Where it stands.
    pub location: Vector,
    /// How it stands.
    pub rotation: Rotator,
    /// Its scale.
    pub scale: Vector,
    /// Its colour.
    pub color: Color,
    /// In which space it stands, how it is drawn, how it is lit.
    pub modes: [i32; 3],
}

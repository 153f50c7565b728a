//! Parts of static meshes.

use crate::Archived;
use crate::object::ue4::condition::from_release;
use crate::version::custom;

/// A part with one material. Spec: ue4-5/09 §4. C++: `FStaticMeshSection`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Section {
    /// Its material.
    pub material_index: i32,
    /// Its first index.
    pub first_index: i32,
    /// Its triangles.
    pub triangle_count: i32,
    /// Its first vertex.
    pub min_vertex: i32,
    /// Its last vertex.
    pub max_vertex: i32,
    /// Whether it collides.
    pub enable_collision: bool,
    /// Whether it casts shadows.
    pub cast_shadow: bool,
    /// Whether it hides what is behind.
    #[since(custom = custom::RENDERING, custom::rendering::STATIC_MESH_SECTION_FORCE_OPAQUE_FIELD)]
    pub force_opaque: bool,
    /// Whether rays see it.
    #[archive(when = from_release(ar, 4, 25))]
    pub visible_in_ray_tracing: bool,
    /// Whether it counts for distances.
    #[archive(when = from_release(ar, 5, 1))]
    pub affects_distance_field: bool,
}

//! Static meshes.

use super::kdop::KdopTree;
use super::static_lod::StaticLod;
use crate::error::Result;
use crate::object::game::{
    is_killing_floor_2, is_mass_effect_1, is_mass_effect_2, is_mass_effect_3,
};
use crate::object::geometry::{Bounds, Rotator};
use crate::object::optional::rest;
use crate::primitive::{FString, Guid, Name, PackageIndex, array};
use crate::{Archive, ArchiveExt, Archived, Span};

/// A mesh without bones.
///
/// Mass Effect 1 ends with five numbers
/// in place of all that follows the levels of detail.
///
/// Spec: ue1-3/11 §11.6. C++: `UStaticMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMesh {
    /// Box and sphere.
    pub bounds: Bounds,
    /// The body setup of physics.
    pub body_setup: PackageIndex,
    /// Collision.
    pub kdop_tree: KdopTree,
    /// Version of the mesh's own.
    pub internal_version: i32,
    /// Tags of the editor.
    #[until(593)]
    #[archive(when = self.internal_version >= 17)]
    pub content_tags: Vec<Name>,
    /// The mesh before it was simplified; one or none, after a flag.
    #[since(823)]
    #[archive(when = !is_mass_effect_3(ar), with = optional_lod)]
    pub source: Vec<StaticLod>,
    /// How each level of detail was simplified: largest deviation.
    #[since(823)]
    #[until(829)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub old_optimization: Vec<f32>,
    /// How each level of detail was simplified.
    #[since(829)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub optimization: Vec<Optimization>,
    /// Whether the mesh was simplified.
    #[since(823)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub simplified: u32,
    /// Whether the mesh stands for several others.
    #[since(859)]
    pub is_proxy: u32,
    /// Levels of detail.
    pub lods: Vec<StaticLod>,
    /// The end in Mass Effect 1.
    #[archive(when = is_mass_effect_1(ar))]
    pub mass_effect: [i32; 5],
    /// The rest.
    #[archive(when = !is_mass_effect_1(ar))]
    pub tail: StaticMeshTail,
}

/// How a level of detail was simplified; empty in every known file.
///
/// C++: `FStaticMeshOptimizationSettings`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct Optimization {
    /// Largest deviation.
    pub max_deviation: f32,
    /// How important outlines are.
    pub silhouette_importance: u8,
    /// How important textures are.
    pub texture_importance: u8,
    /// How important shading is.
    pub shading_importance: u8,
}

/// The fields behind the levels of detail.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshTail {
    /// How many levels of detail the editor knows; nothing is stored about them.
    pub lod_info_count: i32,
    /// View of the thumbnail.
    pub thumbnail_angle: Rotator,
    /// View of the thumbnail.
    pub thumbnail_distance: f32,
    /// Unknown number of Mass Effect.
    #[archive(when = is_mass_effect_2(ar) || is_mass_effect_3(ar))]
    pub mass_effect: i32,
    /// The mesh this one was simplified from.
    #[since(532)]
    pub high_res_source_name: FString,
    /// Tells whether that mesh has changed.
    #[since(532)]
    pub high_res_source_crc: u32,
    /// Changes when light must be computed anew.
    #[since(600)]
    pub lighting_guid: Guid,
    /// Changes with the vertices.
    #[since(801)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub vertex_position_version: i32,
    /// How densely textures lie, by texture coordinates.
    #[since(797)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub streaming_texture_factors: Vec<f32>,
    /// Whether triangles without area are removed.
    #[since(804)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub remove_degenerates: u32,
    /// Whether instances have light maps for each level of detail.
    #[since(848)]
    pub per_lod_static_lighting: u32,
    /// Instances for which consoles keep memory.
    #[since(848)]
    pub console_preallocate_instances: i32,
    /// The part that Killing Floor 2 adds.
    #[archive(when = is_killing_floor_2(ar), with = rest)]
    pub killing_floor_2: Span,
}

/// A flag, and if it is 1 a level of detail.
fn optional_lod<A: Archive + ?Sized>(lods: &mut Vec<StaticLod>, ar: &mut A) -> Result<()> {
    // A count of 0 or 1 has the same bytes.
    array::counted_i32(lods, ar)?;
    match lods.len() {
        0 | 1 => Ok(()),
        _ => Err(ar.error(crate::ErrorKind::NonCanonical { form: "a truth value above 1" })),
    }
}

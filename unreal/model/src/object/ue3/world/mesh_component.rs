//! Components that show meshes.

use super::light_map::LightMap;
use crate::Archived;
use crate::object::Zeros;
use crate::object::game::{is_mass_effect_1_2, is_mass_effect_3, is_xcom_2};
use crate::object::geometry::{Color, Vector};
use crate::object::ue3::asset::static_lod::ColorStream;
use crate::primitive::PackageIndex;

/// A static mesh in a level; also instanced, fractured and spline meshes.
///
/// Spec: ue1-3/11 §11.3. C++: `UStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshComponent {
    /// Levels of detail.
    pub lods: Vec<StaticMeshComponentLod>,
    /// Of unknown meaning; XCOM 2.
    #[archive(when = is_xcom_2(ar))]
    pub unknown: Zeros<46>,
}

/// Baked light and painted colours of a level of detail. Spec: ue1-3/11 §11.3.
/// C++: `FStaticMeshComponentLODInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshComponentLod {
    /// Shadow maps in textures.
    pub shadow_maps: Vec<PackageIndex>,
    /// Shadow maps of vertices.
    pub shadow_vertex_buffers: Vec<PackageIndex>,
    /// Baked light.
    pub light_map: LightMap,
    /// 1 when there are colours of vertices.
    #[since(615)]
    pub has_colors: u8,
    /// Colours of vertices.
    #[since(615)]
    #[archive(when = self.has_colors == 1)]
    pub colors: ColorStream,
    /// Where the painted vertices are. Files bracket the version as 684..820.
    #[since(820)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub painted_vertices: Vec<PaintedVertex>,
}

/// A vertex that was painted. Spec: ue1-3/11 §11.3. C++: `FPaintedVertex`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PaintedVertex {
    /// Position.
    pub position: Vector,
    /// Packed normal.
    pub normal: [u8; 4],
    /// Colour.
    pub color: Color,
}

/// Water: one light map. Absent in Mass Effect 1 and 2.
///
/// Spec: ue1-3/11 §11.3. C++: `UFluidSurfaceComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FluidSurfaceComponent {
    /// Baked light.
    pub light_map: LightMap,
}

/// A tree: a light map for every kind of its geometry.
///
/// Spec: ue1-3/11 §11.3. C++: `USpeedTreeComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct SpeedTreeComponent {
    /// Branches.
    pub branches: LightMap,
    /// Fronds.
    pub fronds: LightMap,
    /// Leaves that are meshes; in Mass Effect 1 and 2 there are four light maps only.
    pub leaf_meshes: LightMap,
    /// Leaves that are flat.
    pub leaf_cards: LightMap,
    /// The flat form of the whole tree.
    #[archive(when = !is_mass_effect_1_2(ar))]
    pub billboards: LightMap,
}

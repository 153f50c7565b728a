//! Components that show meshes.

use super::light_map::LightMap;
use crate::object::Zeros;
use crate::object::game::{is_mass_effect_1_2, is_mass_effect_3, is_xcom_2};
use crate::object::geometry::{Color, Vector};
use crate::object::ue3::asset::static_lod::ColorStream;
use crate::primitive::{BulkArray, PackageIndex};
use crate::version::UnrealVersions;
use crate::{Archive, Archived};

/// First licensee version of XCOM 2 with the wider form of what it adds.
const WIDER_PART: u32 = 107;

fn is_wide_xcom_2<A: Archive + ?Sized>(ar: &A) -> bool {
    is_xcom_2(ar) && ar.versions().licensee() >= WIDER_PART
}

/// A static mesh in a level; also instanced, fractured and spline meshes.
///
/// Spec: ue1-3/11 §11.3. C++: `UStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshComponent {
    /// Levels of detail.
    pub lods: Vec<StaticMeshComponentLod>,
    /// The part that XCOM 2 adds.
    #[archive(when = is_xcom_2(ar))]
    pub xcom_2: XcomMeshPart,
}

/// The part that XCOM 2 adds to a [`StaticMeshComponent`]: little but references is ever set.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct XcomMeshPart {
    /// Of unknown meaning.
    pub unknown: Zeros<36>,
    /// Of unknown meaning; licensees 101 to 104 are without, 107 to 120 with it.
    #[archive(when = is_wide_xcom_2(ar))]
    pub wider: Zeros<2>,
    /// Objects.
    pub objects: [PackageIndex; 2],
}

/// Instances of a mesh in XCOM 2; the main line has the part of a [`StaticMeshComponent`] alone.
///
/// C++: `UInstancedStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct InstancedStaticMeshComponent {
    /// The part of every mesh.
    pub base: StaticMeshComponent,
    /// The instances, none in every known file.
    pub instances: BulkArray<96>,
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
    /// Of unknown meaning; XCOM 2.
    #[archive(when = is_wide_xcom_2(ar))]
    pub xcom_2: Zeros<2>,
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

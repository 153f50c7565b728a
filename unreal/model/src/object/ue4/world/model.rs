//! BSP.

use super::light_map::{LightMap, ShadowMap};
use super::lightmass::LightmassPrimitiveSettings;
use super::polys::OWNER_REMOVED;
use crate::object::geometry::Plane;
use crate::object::ue3::world::model::Zone;
use crate::object::ue4::bulk::BulkArray;
use crate::object::ue4::component::{ComponentPart, based_component};
use crate::object::ue4::condition::{has_editor_data, ue4};
use crate::object::ue4::geometry::Bounds;
use crate::object::ue4::strip::StripFlags;
use crate::primitive::{Guid, PackageIndex, Payload};
use crate::version::{UE4, custom};
use crate::{Archive, Archived};

/// A BSP model: a brush, or a level.
///
/// Spec: ue4-5/09 §8. C++: `UModel`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Box and sphere around it.
    pub bounds: Bounds,
    /// Directions, 12 bytes each.
    pub vectors: BulkArray,
    /// Points, 12 bytes each.
    pub points: BulkArray,
    /// Nodes of the tree.
    pub nodes: BulkArray,
    /// The object that the list of surfaces belongs to.
    #[until(ue4 = OWNER_REMOVED)]
    pub surfaces_owner: PackageIndex,
    /// Surfaces.
    pub surfaces: Vec<Surface>,
    /// Corners of nodes.
    pub vertices: BulkArray,
    /// Number of sides that two nodes share.
    pub shared_sides: i32,
    /// Zones.
    #[until(ue4 = 330)]
    pub zones: Vec<Zone>,
    /// Polygons that it was built from.
    #[archive(when = has_polys(ar))]
    pub polys: PackageIndex,
    /// Hulls of leaves.
    #[archive(when = has_polys(ar))]
    pub leaf_hulls: BulkArray,
    /// Leaves.
    #[archive(when = has_polys(ar))]
    pub leaves: BulkArray,
    /// Whether the outside is solid.
    pub root_outside: bool,
    /// Whether surfaces refer to each other.
    pub linked: bool,
    /// Indices of portals.
    #[until(ue4 = 330)]
    pub portal_nodes: BulkArray,
    /// Number of vertices that differ.
    pub unique_vertices: u32,
    /// Vertices to draw, below the rendering version 26.
    #[until(custom = custom::RENDERING, custom::rendering::INCREASE_NORMAL_PRECISION)]
    #[archive(when = self.has_vertex_buffer())]
    pub vertex_buffer_old: BulkArray,
    /// Vertices to draw, 56 bytes each.
    #[since(custom = custom::RENDERING, custom::rendering::INCREASE_NORMAL_PRECISION)]
    #[archive(when = self.has_vertex_buffer())]
    pub vertex_buffer: Payload<56>,
    /// Name of the baked light.
    pub lighting_guid: Guid,
    /// Settings of baked light that surfaces refer to.
    pub lightmass: Vec<LightmassPrimitiveSettings>,
}

impl Model {
    fn has_vertex_buffer(&self) -> bool {
        self.strip.has_editor_data() || self.strip.has(1)
    }
}

fn has_polys<A: Archive + ?Sized>(ar: &A) -> bool {
    has_editor_data(ar) || ue4(ar) < 442
}

/// A surface of a [`Model`]. Spec: ue4-5/09 §8. C++: `FBspSurf`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// The material.
    pub material: PackageIndex,
    /// Flags.
    pub poly_flags: u32,
    /// The point that texture coordinates start from.
    pub base_point: i32,
    /// The normal.
    pub normal: i32,
    /// Direction of the texture's U.
    pub texture_u: i32,
    /// Direction of the texture's V.
    pub texture_v: i32,
    /// Its polygon in the brush.
    pub brush_poly: i32,
    /// The brush.
    pub actor: PackageIndex,
    /// Its plane.
    pub plane: Plane,
    /// Units a texel of baked light.
    pub light_map_scale: f32,
    /// Its settings of baked light.
    pub lightmass_index: i32,
}

/// A part of a model that is drawn.
///
/// Spec: ue4-5/09 §8. C++: `UModelComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ModelComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// The model.
    pub model: PackageIndex,
    /// Nodes with the same material.
    pub elements: Vec<ModelElement>,
    /// Its place in the level.
    pub component_index: i32,
    /// Nodes.
    pub nodes: Vec<u16>,
}

based_component!(ModelComponent: ComponentPart);

/// Nodes with the same material. Spec: ue4-5/09 §8. C++: `FModelElement`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ModelElement {
    /// Baked light.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    pub light_map: LightMap,
    /// Baked shadows.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    pub shadow_map: ShadowMap,
    /// Name of the baked light.
    #[since(custom = custom::RENDERING, custom::rendering::FIXED_BSP_LIGHTMAPS)]
    pub map_build_data_id: Guid,
    /// The component.
    pub component: PackageIndex,
    /// The material.
    pub material: PackageIndex,
    /// Nodes.
    pub nodes: Vec<u16>,
    /// Lights that do not matter.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    pub irrelevant_lights: Vec<Guid>,
}

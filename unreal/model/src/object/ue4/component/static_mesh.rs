//! Static meshes in levels.

use super::{ComponentPart, based_component};
use crate::object::geometry::Color;
use crate::object::ue4::asset::mesh_buffer::ColorBuffer;
use crate::object::ue4::condition::{custom as custom_version, has_editor_data, is_cooked};
use crate::object::ue4::geometry::Vector;
use crate::object::ue4::prepared::{ByteFlagged, Flagged};
use crate::object::ue4::strip::StripFlags;
use crate::object::ue4::world::light_map::{LightMap, ShadowMap};
use crate::primitive::{Guid, PackageIndex, Real};
use crate::version::custom;
use crate::{Archive, Archived};

/// A static mesh in a level.
///
/// Spec: ue4-5/09 §9. C++: `UStaticMeshComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct StaticMeshComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Baked light and colours of levels of detail.
    pub lods: Vec<ComponentLod>,
    /// The texture that is painted on it.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::MESH_PAINT_TEXTURE_USES_EDITOR_ONLY)]
    pub mesh_paint_texture: Flagged<PackageIndex>,
}

based_component!(StaticMeshComponent: ComponentPart);

/// Baked light and colours of a level of detail.
///
/// Spec: ue4-5/09 §9. C++: `FStaticMeshComponentLODInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ComponentLod {
    /// Flags of the parts that were left out.
    pub strip: StripFlags,
    /// Baked light.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub light_map: LightMap,
    /// Baked shadows.
    #[until(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub shadow_map: ShadowMap,
    /// Name of what was baked before it was cooked.
    #[since(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    #[archive(when = self.strip.has_audio_visual_data() && has_original(ar))]
    pub original_map_build_data_id: Guid,
    /// Name of what was baked.
    #[since(custom = custom::RENDERING, custom::rendering::MAP_BUILD_DATA_SEPARATE_PACKAGE)]
    #[archive(when = self.strip.has_audio_visual_data())]
    pub map_build_data_id: Guid,
    /// Colours of vertices.
    #[archive(when = self.strip.has(1))]
    pub override_colors: ByteFlagged<ColorBuffer>,
    /// Vertices that were painted.
    #[archive(when = self.strip.has_editor_data() && has_editor_data(ar))]
    pub painted_vertices: Vec<PaintedVertex>,
}

fn has_original<A: Archive + ?Sized>(ar: &A) -> bool {
    is_cooked(ar)
        && custom_version(ar, custom::FORTNITE_MAIN)
            >= custom::fortnite_main::LEVEL_INSTANCE_STATIC_LIGHTING_SUPPORT
}

/// A vertex that was painted.
///
/// Spec: ue4-5/09 §9. C++: `FPaintedVertex`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PaintedVertex {
    /// Its place.
    pub position: Vector,
    /// Its normal, packed.
    #[until(custom = custom::RENDERING, custom::rendering::INCREASE_NORMAL_PRECISION)]
    pub packed_normal: u32,
    /// Its normal.
    #[since(custom = custom::RENDERING, custom::rendering::INCREASE_NORMAL_PRECISION)]
    pub normal: [Real; 4],
    /// Its colour.
    pub color: Color,
}

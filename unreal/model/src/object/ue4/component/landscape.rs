//! Landscapes.

use super::{ComponentPart, based_component};
use crate::Archived;
use crate::object::Zeros;
use crate::object::ue4::asset::cooked_shape::bulk::ShapeArray;
use crate::object::ue4::asset::cooked_shape::height_field::CookedHeightField;
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{from_release, has_editor_data};
use crate::primitive::{PackageIndex, Real};
use crate::version::custom;

/// The collision of landscapes.
///
/// Spec: ue4-5/09 §9. C++: `ULandscapeHeightfieldCollisionComponent`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HeightfieldCollisionComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Whether it was cooked.
    pub cooked: bool,
    /// Heights.
    #[archive(when = !self.cooked)]
    pub heights: BulkData,
    /// The layers that count most.
    #[archive(when = !self.cooked)]
    pub dominant_layers: BulkData,
    /// Physical materials as they are drawn; seen empty.
    #[since(custom = custom::FORTNITE_MAIN, custom::fortnite_main::LANDSCAPE_PHYSICAL_MATERIAL_RENDER_DATA)]
    #[archive(when = !self.cooked)]
    pub physical_materials: BulkData,
    /// The shape, as it was cooked; before 4.14 in another form.
    #[archive(when = self.cooked && from_release(ar, 4, 14))]
    pub cooked_collision: ShapeArray<CookedHeightField>,
}

/// A part of a landscape, in UE5.
///
/// C++: `ULandscapeComponent`, `FLandscapeComponentGrassData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct LandscapeComponent {
    /// The part that all components have.
    pub base: ComponentPart,
    /// Hash of what its grass was made of.
    #[archive(when = has_editor_data(ar))]
    pub grass_hash: u32,
    /// Heights that its grass has; -1 where it has none.
    pub element_count: i32,
    /// Where the weights of each kind of grass start: none in every known file.
    pub weight_offsets: Zeros<4>,
    /// Heights, then weights.
    pub weights: Vec<u8>,
    /// What the editor has selected; 0 in every known file.
    #[archive(when = has_editor_data(ar))]
    pub selected_type: i32,
    /// Whether it was cooked.
    pub cooked: bool,
}

/// The height map of a landscape as its texture is made of while it is streamed.
///
/// C++: `ULandscapeTextureStorageProviderFactory`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TextureStorageProviderFactory {
    /// Mips that must be there.
    pub non_optional_mips: i32,
    /// Mips that are loaded at once.
    pub non_streaming_mips: i32,
    /// Units of a texel along each axis.
    pub grid_scale: [Real; 3],
    /// The mips, largest first.
    pub mips: Vec<HeightMip>,
    /// The texture.
    pub texture: PackageIndex,
}

/// A mip of a height map.
///
/// C++: `FLandscapeTexture2DMipMap`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HeightMip {
    /// Width in texels.
    pub size_x: i32,
    /// Height in texels.
    pub size_y: i32,
    /// Heights as differences from the one before, then the normals of edges; else texels.
    pub compressed: bool,
    /// The bytes.
    pub bulk: BulkData,
}

based_component!(LandscapeComponent: ComponentPart);
based_component!(HeightfieldCollisionComponent: ComponentPart);

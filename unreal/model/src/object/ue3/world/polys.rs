//! Polygons of brushes.

use crate::archive::in_part;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::geometry::Vector;
use crate::primitive::{Name, PackageIndex, StoredName, array};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described, Versions};

/// The polygons of a brush.
///
/// Spec: ue1-3/11 §11.4. C++: `UPolys`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Polys {
    /// Allocated elements as stored.
    pub maximum: i32,
    /// The object itself.
    pub owner: PackageIndex,
    /// The polygons.
    pub polys: Vec<Poly>,
}

impl Archived for Polys {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = self.polys.len();
        let count = in_part("count", ar, |ar| array::serialize_i32_list_count(length, ar))?;
        in_part("maximum", ar, |ar| ar.serialize_i32(&mut self.maximum))?;
        in_part("owner", ar, |ar| self.owner.serialize(ar))?;
        array::elements(&mut self.polys, count, ar)
    }
}

/// First file version whose surfaces say which lights light them; 391 does not have it, 491 has.
pub(super) const LIGHTING_CHANNELS_ADDED: u32 = 392;
/// First file version whose polygons say how they take part in the baking of light.
const LIGHTMASS_ADDED: u32 = 600;
/// First file version whose polygons name a variation of the rules of a building.
const RULESET_VARIATION_ADDED: u32 = 670;

/// A polygon of a brush, from file version 321. Spec: ue1-3/11 §11.4. C++: `FPoly`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Poly {
    /// Presence of the texture.
    pub base: Vector,
    /// Normal.
    pub normal: Vector,
    /// Texture axis.
    pub texture_u: Vector,
    /// Texture axis.
    pub texture_v: Vector,
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Flags of the polygon.
    pub poly_flags: u32,
    /// The brush.
    pub actor: PackageIndex,
    /// Its name in the editor's builder.
    pub item_name: Name,
    /// The material.
    pub material: PackageIndex,
    /// Number of the first polygon in the same plane.
    pub link: i32,
    /// Number in the brush.
    pub brush_poly: i32,
    /// Texels of a shadow map for a unit.
    pub shadow_map_scale: f32,
    /// Which lights light it; files bracket 391..491.
    #[since(LIGHTING_CHANNELS_ADDED)]
    pub lighting_channels: u32,
    /// How it takes part in the baking of light.
    #[since(LIGHTMASS_ADDED)]
    pub lightmass: LightmassSettings,
    /// Rules of a building.
    #[since(606)]
    #[until(RULESET_VARIATION_ADDED)]
    pub ruleset: PackageIndex,
    /// Variation of the rules of a building.
    #[since(RULESET_VARIATION_ADDED)]
    pub ruleset_variation: StoredName,
}

impl Poly {
    /// The polygon with what nobody has changed in the editor, as far as this version has it: lit by what lights BSP
    /// (the bits `bInitialized` and `BSP`), baked like others (866 and 868 in the corpora).
    pub fn unchanged(versions: &Versions, none: Name) -> Self {
        let mut poly = Self { brush_poly: -1, link: -1, ..Self::default() };
        if versions.file() >= LIGHTING_CHANNELS_ADDED {
            poly.lighting_channels = 3;
        }
        if versions.file() >= LIGHTMASS_ADDED {
            poly.lightmass = LightmassSettings {
                fully_occluded_fraction: 1.0,
                emissive_falloff_exponent: 2.0,
                emissive_boost: 1.0,
                diffuse_boost: 1.0,
                specular_boost: 1.0,
                ..LightmassSettings::default()
            };
        }
        if versions.file() >= RULESET_VARIATION_ADDED {
            poly.ruleset_variation = none.into();
        }
        poly
    }
}

/// How a surface takes part in the baking of light, from file version 600.
///
/// Spec: ue1-3/11 §11.4. C++: `FLightmassPrimitiveSettings`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct LightmassSettings {
    /// Lit from both sides.
    pub use_two_sided_lighting: bool,
    /// Casts shadows of indirect light only.
    #[since(652)]
    pub shadow_indirect_only: bool,
    /// How much of a sample may be hidden.
    pub fully_occluded_fraction: f32,
    /// Shines by its emissive material.
    pub use_emissive_for_static_lighting: bool,
    /// How fast emissive light fades.
    pub emissive_falloff_exponent: f32,
    /// How far emissive light reaches.
    #[since(636)]
    pub emissive_influence_radius: f32,
    /// Factor of emissive light.
    pub emissive_boost: f32,
    /// Factor of diffuse light.
    pub diffuse_boost: f32,
    /// Factor of reflected light.
    pub specular_boost: f32,
}

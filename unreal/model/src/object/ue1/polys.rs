//! Polygons of brushes in UE1 and UE2.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::geometry::Vector;
use crate::primitive::{Index, Name, PackageIndex, TransArray, array};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Described, Versions};

/// First file version whose polygons have no pan (spec: ue1-3/06 §6.2).
const PAN_REMOVED: u32 = 78;
/// First file version whose polygons say how fine their light map is (spec: ue1-3/06 §6.2).
const LIGHT_MAP_SCALE_ADDED: u32 = 106;

/// The polygons of a brush.
///
/// Spec: ue1-3/06 §6.2. C++: `UPolys`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Polys {
    /// The polygons.
    pub polys: TransArray<Poly>,
}

/// A polygon.
///
/// Spec: ue1-3/06 §6.2. C++: `FPoly`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Poly {
    /// Plane, axes and vertices.
    pub shape: PolyShape,
    /// Flags. C++: `PolyFlags`.
    pub poly_flags: u32,
    /// The brush.
    pub actor: PackageIndex,
    /// The texture or material.
    pub texture: PackageIndex,
    /// Name of the part. C++: `ItemName`.
    pub item_name: Name,
    /// Polygon whose texture this one shares. C++: `iLink`.
    pub link: Index,
    /// Polygon of the brush. C++: `iBrushPoly`.
    pub brush_poly: Index,
    /// Horizontal offset of the texture.
    #[until(PAN_REMOVED)]
    pub pan_u: i16,
    /// Vertical offset of the texture.
    #[until(PAN_REMOVED)]
    pub pan_v: i16,
    /// Scale of the light map.
    #[since(LIGHT_MAP_SCALE_ADDED)]
    pub light_map_scale: f32,
}

impl Poly {
    /// Whether polygons of these versions say how their texture is moved.
    pub fn has_pan(versions: &Versions) -> bool {
        versions.file() < PAN_REMOVED
    }

    /// Whether polygons of these versions say how fine their light map is.
    pub fn has_light_map_scale(versions: &Versions) -> bool {
        versions.file() >= LIGHT_MAP_SCALE_ADDED
    }
}

/// Plane, texture axes and vertices of a [`Poly`]; the number of vertices stands first.
///
/// Spec: ue1-3/06 §6.2. C++: `FPoly`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PolyShape {
    /// Base point of the texture.
    pub base: Vector,
    /// Normal.
    pub normal: Vector,
    /// Horizontal axis of the texture.
    pub texture_u: Vector,
    /// Vertical axis of the texture.
    pub texture_v: Vector,
    /// Vertices.
    pub vertices: Vec<Vector>,
}

impl Archived for PolyShape {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = in_field("vertex_count", ar, |ar| {
            array::serialize_list_count(self.vertices.len(), ar)
        })?;
        in_field("base", ar, |ar| self.base.serialize(ar))?;
        in_field("normal", ar, |ar| self.normal.serialize(ar))?;
        in_field("texture_u", ar, |ar| self.texture_u.serialize(ar))?;
        in_field("texture_v", ar, |ar| self.texture_v.serialize(ar))?;
        in_field("vertices", ar, |ar| array::elements(&mut self.vertices, count, ar))
    }
}

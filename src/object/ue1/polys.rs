//! Polygons of brushes in UE1 and UE2.

use crate::archive::Step;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::geometry::Vector;
use crate::primitive::{Index, Name, PackageIndex, TransArray, array};
use crate::{Archive, ArchiveExt, Archived, Described};

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
        let length = self.vertices.len();
        let mut count = i32::try_from(length)
            .map(Index::new)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length as i128, bits: 31 }))?;
        ar.enter(Step::Field("vertex_count"));
        let read = count.serialize(ar);
        ar.leave();
        read?;
        if ar.is_loading() && !count.is_canonical() {
            return Err(ar.error(ErrorKind::NonCanonical { form: "an overlong count" }));
        }
        let number = usize::try_from(count.value())
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.value().into() }))?;
        for (name, vector) in [
            ("base", &mut self.base),
            ("normal", &mut self.normal),
            ("texture_u", &mut self.texture_u),
            ("texture_v", &mut self.texture_v),
        ] {
            ar.enter(Step::Field(name));
            let result = vector.serialize(ar);
            ar.leave();
            result.map_err(|error| error.in_field(name))?;
        }
        ar.enter(Step::Field("vertices"));
        let result = array::elements(&mut self.vertices, number, ar);
        ar.leave();
        result.map_err(|error| error.in_field("vertices"))
    }
}

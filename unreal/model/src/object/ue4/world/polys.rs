//! Polygons of brushes.

use super::lightmass::LightmassPrimitiveSettings;
use crate::archive::layout::Layout;
use crate::archive::{ArchiveExt, Role, in_field};
use crate::error::Result;
use crate::object::geometry::Vector;
use crate::object::ue4::condition::{ue4, when};
use crate::primitive::{Name, PackageIndex, array};
use crate::{Archive, Archived, Described};

/// First UE4 version whose lists have no owner (spec: ue4-5/09 §8).
pub(super) const OWNER_REMOVED: u32 = 473;

/// The polygons of a brush.
///
/// Spec: ue4-5/09 §8. C++: `UPolys`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct Polys {
    /// Room for so many; this and the owner stand between their number and the polygons, below UE4 version 473.
    pub capacity: i32,
    /// The object that the list belongs to.
    pub owner: PackageIndex,
    /// The polygons.
    pub polygons: Vec<Polygon>,
}

impl Archived for Polys {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = array::u32_count(self.polygons.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        ar.role(Role::Count);
        array::mark_empty(count as usize, ar);
        let has_owner = ue4(ar) < OWNER_REMOVED;
        when(has_owner, &mut self.capacity, "capacity", ar)?;
        when(has_owner, &mut self.owner, "owner", ar)?;
        in_field("polygons", ar, |ar| array::elements(&mut self.polygons, count as usize, ar))
    }
}

/// A polygon of a brush. Spec: ue4-5/09 §8. C++: `FPoly`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Polygon {
    /// A point of its plane.
    pub base: Vector,
    /// Its normal.
    pub normal: Vector,
    /// Direction of the texture's U.
    pub texture_u: Vector,
    /// Direction of the texture's V.
    pub texture_v: Vector,
    /// Its corners.
    pub vertices: Vec<Vector>,
    /// Flags.
    pub poly_flags: u32,
    /// The brush.
    pub actor: PackageIndex,
    /// Its name in the brush.
    pub item_name: Name,
    /// The material.
    pub material: PackageIndex,
    /// Another polygon with the same texture.
    pub link: i32,
    /// Its place in the brush.
    pub brush_poly: i32,
    /// Units a texel of baked light.
    pub light_map_scale: f32,
    /// How it takes part in baked light.
    pub lightmass: LightmassPrimitiveSettings,
    /// A rule set for procedural buildings.
    pub ruleset: Name,
}

//! Shapes of Chaos, the physics engine of UE5.

use super::chaos_convex::ChaosConvex;
use super::chaos_mesh::ChaosMesh;
use super::height_field::ChaosHeightField;
use super::part::{Constant, UvInfo};
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::optional::optional;
use crate::primitive::array;
use crate::{Archive, ArchiveExt, Archived, Described};

/// Shapes of Chaos. C++: `FChaosDerivedDataReader`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ChaosShapes {
    /// Bytes of a float: 4.
    pub float_size: Constant<4>,
    /// Convex hulls.
    pub convexes: Vec<ChaosPointer>,
    /// Meshes of triangles.
    pub meshes: Vec<ChaosPointer>,
    /// Texture coordinates.
    pub uv_info: UvInfo,
    /// The faces that those of the mesh were made from.
    pub face_remap: Vec<i32>,
}

impl Archived for ChaosShapes {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("float_size", ar, |ar| self.float_size.serialize(ar))?;
        let mut known = 0;
        let mut list = |pointers: &mut Vec<ChaosPointer>, name, ar: &mut A| {
            in_field(name, ar, |ar| {
                array::counted_i32_by(pointers, ar, |it, ar| it.serialize_in(&mut known, ar))
            })
        };
        list(&mut self.convexes, "convexes", ar)?;
        list(&mut self.meshes, "meshes", ar)?;
        in_field("uv_info", ar, |ar| self.uv_info.serialize(ar))?;
        in_field("face_remap", ar, |ar| self.face_remap.serialize(ar))
    }
}

/// A shape by its number; the shape itself stands where its number comes first.
///
/// C++: `FChaosArchive::SerializePtr`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ChaosPointer {
    /// Whether there is one.
    pub exists: bool,
    /// Its number, in the order of the shapes.
    pub tag: i32,
    /// The shape, where it comes first.
    pub shape: Option<ChaosShape>,
}

impl ChaosPointer {
    /// `known` is how many shapes have come before.
    pub(super) fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        known: &mut i32,
        ar: &mut A,
    ) -> Result<()> {
        in_field("exists", ar, |ar| self.exists.serialize(ar))?;
        if !self.exists {
            private::absent(&mut self.tag, ar, "tag")?;
            return private::absent(&mut self.shape, ar, "shape");
        }
        in_field("tag", ar, |ar| ar.serialize_i32(&mut self.tag))?;
        let is_new = self.tag == *known;
        if self.tag < 0 || self.tag > *known {
            return Err(ar.error(ErrorKind::NonCanonical { form: "shapes without an order" }));
        }
        if ar.is_loading() {
            self.shape = is_new.then(ChaosShape::default);
        } else if ar.is_saving() && is_new != self.shape.is_some() {
            let reason = "a shape stands where its number comes first".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        *known += i32::from(is_new);
        optional(&mut self.shape, "shape", ar)
    }
}

/// A shape. C++: `FImplicitObject`, `EImplicitObjectType`.
#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(u8)]
pub enum ChaosShape {
    /// A convex hull.
    Convex(Box<ChaosConvex>) = 8,
    /// A mesh of triangles.
    Mesh(Box<ChaosMesh>) = 11,
    /// A grid of heights.
    HeightField(Box<ChaosHeightField>) = 12,
}

impl Default for ChaosShape {
    fn default() -> Self {
        Self::Convex(Box::default())
    }
}

/// The part that all shapes have. C++: `FImplicitObject`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChaosObject {
    /// Whether it is convex.
    pub is_convex: bool,
    /// Whether it collides.
    pub do_collide: bool,
    /// As what it collides. C++: `EImplicitObjectType`.
    pub collision_type: u8,
}

//! Shapes that were cooked for a physics engine and for navigation.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::{ErrorKind, Result};
use crate::object::registry::classes;
use crate::object::geometry::Vector;
use crate::object::ue4::condition::choose;
use crate::object::ue4::geometry;
use crate::primitive::Real;
use crate::{Archive, ArchiveExt, Archived, Described};

classes! {
    pub mod bulk {}
    pub mod chaos { also ChaosShapes; }
    pub mod chaos_convex { also HalfEdges; }
    pub mod chaos_mesh {}
    pub mod navigation { also NavShapes; }
    pub mod physx { also PhysxShapes; }
    pub mod physx_convex {}
    pub mod physx_mesh { also PhysxTree; }
}

/// What a body collides with, as a physics engine stores it. Spec: ue4-5/09 §6.
#[derive(Described, Debug, Clone, PartialEq)]
pub enum BodyShapes {
    /// PhysX, up to UE4.27.
    Physx(Box<physx::PhysxShapes>),
    /// Chaos, from UE5.0 on.
    Chaos(Box<chaos::ChaosShapes>),
}

impl Default for BodyShapes {
    fn default() -> Self {
        Self::Chaos(Box::default())
    }
}

impl Archived for BodyShapes {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        const ENGINES: [&str; 2] = ["chaos", "physx"];
        let known = i64::from(matches!(self, Self::Physx(_)));
        // PhysX starts with the byte 1, Chaos with the size of a float as an `i32`.
        let form = choose(&ENGINES, known, ar, |ar| {
            i64::from(ar.peek(1) == [1])
        });
        if ar.is_loading() {
            *self = match form {
                0 => Self::Chaos(Box::default()),
                _ => Self::Physx(Box::default()),
            };
        }
        match self {
            Self::Chaos(shapes) => shapes.serialize(ar),
            Self::Physx(shapes) => shapes.serialize(ar),
        }
    }
}

/// An axis-aligned box of f32 in every version. C++: `Chaos::TAABB`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ShapeBounds {
    /// Lowest corner.
    pub min: Vector,
    /// Highest corner.
    pub max: Vector,
}

/// Texture coordinates of what is collided with. All are empty in every known file. C++: `FBodySetupUVInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UvInfo {
    /// Corners of triangles.
    pub index_buffer: Vec<i32>,
    /// Places of corners.
    pub vert_positions: Vec<geometry::Vector>,
    /// Coordinates of corners, by channel.
    pub vert_uvs: Vec<Vec<[Real; 2]>>,
}

/// A number that has one value in every known file.
fn constant<A: Archive + ?Sized>(
    value: &mut u32,
    wanted: u32,
    form: &'static str,
    name: &'static str,
    ar: &mut A,
) -> Result<()> {
    in_field(name, ar, |ar| value.serialize(ar))?;
    match *value == wanted {
        true => Ok(()),
        false => Err(ar.error(ErrorKind::NonCanonical { form })),
    }
}

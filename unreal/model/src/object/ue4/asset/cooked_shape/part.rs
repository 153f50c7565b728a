//! Parts that several shapes have.

use crate::error::{ErrorKind, Result};
use crate::object::geometry::Vector;
use crate::object::ue4::geometry;
use crate::primitive::Real;
use crate::{Archive, ArchiveExt, Archived};

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

/// A number of four bytes that every known file has: shapes with another one are not decoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Constant<const N: u32>;

impl<const N: u32> Archived for Constant<N> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut number = N;
        ar.serialize_u32(&mut number)?;
        known(number == N, ar)
    }
}

/// The same of one byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ConstantByte<const N: u8>;

impl<const N: u8> Archived for ConstantByte<N> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut number = N;
        ar.serialize_u8(&mut number)?;
        known(number == N, ar)
    }
}

fn known<A: Archive + ?Sized>(is_known: bool, ar: &A) -> Result<()> {
    match is_known {
        true => Ok(()),
        false => {
            Err(ar.error(ErrorKind::NonCanonical { form: "a number that was always the same" }))
        }
    }
}

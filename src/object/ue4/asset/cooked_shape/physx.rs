//! Shapes of PhysX, the physics engine of UE4.

use super::UvInfo;
use super::physx_convex::PhysxConvex;
use super::physx_mesh::PhysxMesh;
use crate::error::{ErrorKind, Result};
use crate::object::optional::last;
use crate::object::ue4::prepared::ByteFlagged;
use crate::{Archive, ArchiveExt, Archived};

/// Shapes of PhysX. C++: `FPhysXCookingDataReader`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PhysxShapes {
    /// Whether numbers are little-endian: 1.
    #[archive(with = little_endian)]
    pub little_endian: u8,
    /// Convex hulls.
    pub convex_count: i32,
    /// Mirrored convex hulls.
    pub mirrored_count: i32,
    /// Meshes of triangles.
    pub mesh_count: i32,
    /// Convex hulls, where they could be made.
    #[archive(count = convex_count)]
    pub convexes: Vec<ByteFlagged<Box<PhysxConvex>>>,
    /// The same, mirrored.
    #[archive(count = mirrored_count)]
    pub mirrored: Vec<ByteFlagged<Box<PhysxConvex>>>,
    /// Meshes of triangles.
    #[archive(count = mesh_count)]
    pub meshes: Vec<PhysxMesh>,
    /// Texture coordinates: not yet in UE4.10.
    #[archive(with = uv_info)]
    pub uv_info: Option<UvInfo>,
}

fn uv_info<A: Archive + ?Sized>(value: &mut Option<UvInfo>, ar: &mut A) -> Result<()> {
    last(value, &["", "uv"], ar)
}

/// A byte that says the byte order: shapes of the other one are not decoded.
pub(super) fn little_endian<A: Archive + ?Sized>(value: &mut u8, ar: &mut A) -> Result<()> {
    ar.serialize_u8(value)?;
    match ar.is_loading() && *value != 1 {
        true => Err(ar.error(ErrorKind::NonCanonical { form: "shapes of another byte order" })),
        false => Ok(()),
    }
}

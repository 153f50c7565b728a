//! Shapes of PhysX, the physics engine of UE4.

use super::part::{ConstantByte, UvInfo};
use super::physx_convex::PhysxConvex;
use super::physx_mesh::PhysxMesh;
use crate::error::Result;
use crate::object::optional::last;
use crate::object::ue4::prepared::ByteFlagged;
use crate::{Archive, Archived};

/// Shapes of PhysX. C++: `FPhysXCookingDataReader`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PhysxShapes {
    /// Whether numbers are little-endian: 1.
    pub little_endian: ConstantByte<1>,
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

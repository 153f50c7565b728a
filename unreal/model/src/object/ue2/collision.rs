//! Collision of static meshes.

use crate::Archived;
use crate::object::game::{is_ut, ut};
use crate::object::geometry::{Plane, Vector};
use crate::primitive::{Index, Payload};
use crate::version::{UnrealVersions, Versions};

/// First file version with one of the two later forms.
const EARLY_REMOVED: u32 = 126;

/// The collision tree of a static mesh, in one of three forms.
///
/// Spec: ue1-3/10 §10.2.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Collision {
    /// Below version 126.
    #[until(EARLY_REMOVED)]
    pub early: EarlyCollision,
    /// The main line and SWAT 4, from 126.
    #[since(EARLY_REMOVED)]
    #[archive(when = !ut(ar, 0))]
    pub compact: CompactCollision,
    /// The line of UT2004, from 126.
    #[since(EARLY_REMOVED)]
    #[archive(when = ut(ar, 0))]
    pub ut: UtCollision,
}

/// Which of the forms of a [`Collision`] a version has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollisionTreeForm {
    /// [`Collision::early`].
    Early,
    /// [`Collision::compact`].
    Compact,
    /// [`Collision::ut`].
    Ut,
}

impl CollisionTreeForm {
    /// That of a package.
    pub fn of(versions: &Versions) -> Self {
        match versions.file() {
            ..EARLY_REMOVED => Self::Early,
            _ if is_ut(versions, 0) => Self::Ut,
            _ => Self::Compact,
        }
    }
}

/// Collision of static meshes below version 126.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct EarlyCollision {
    /// Triangles: four planes, then vertices and material.
    pub triangles: Vec<EarlyTriangle>,
    /// Nodes of the tree.
    pub nodes: Vec<EarlyNode>,
}

/// A triangle of an [`EarlyCollision`].
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct EarlyTriangle {
    /// Four planes.
    pub planes: [Plane; 4],
    /// Vertices and material.
    pub indices: [Index; 4],
}

/// A node of an [`EarlyCollision`].
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct EarlyNode {
    /// Triangle and children.
    pub indices: [Index; 4],
    /// Lowest corner.
    pub min: Vector,
    /// Highest corner.
    pub max: Vector,
    /// Whether the corners mean anything.
    pub is_valid: u8,
}

/// Collision of static meshes of the main line and SWAT 4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct CompactCollision {
    /// Triangles: three u16 vertices, u8 material.
    pub triangles: Payload<7>,
    /// Nodes: u16 triangle, three u16 links, six u16 of a box.
    pub nodes: Payload<20>,
    /// Scale of the boxes.
    pub scale: Vector,
}

/// Collision of static meshes of the line of UT2004.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UtCollision {
    /// Nodes: six floats of a box, an i32, two i16.
    pub nodes: Payload<32>,
    /// Triangles: four u16.
    pub triangles: Payload<8>,
}

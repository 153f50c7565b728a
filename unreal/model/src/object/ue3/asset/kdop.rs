//! Collision trees of meshes.

use crate::object::game::is_mass_effect_3;
use crate::primitive::BulkArray;
use crate::version::UnrealVersions;
use crate::{Archive, Archived};

/// First file version with small nodes.
const COMPACT: u32 = 770;

/// A tree of boxes around triangles.
///
/// Spec: ue1-3/11 §11.6. C++: `TkDOPTree`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct KdopTree {
    /// The nodes: six `f32`, `u32` leaf, two `u16`.
    #[archive(when = !is_compact(ar))]
    pub nodes: BulkArray<32>,
    /// The box around all.
    #[archive(when = is_compact(ar))]
    pub root_bound: [f32; 6],
    /// The nodes, their boxes relative to their parents'.
    #[archive(when = is_compact(ar))]
    pub compact_nodes: BulkArray<6>,
    /// The triangles: three `u16` vertices, `u16` material.
    pub triangles: BulkArray<8>,
}

fn is_compact<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().file() >= COMPACT || is_mass_effect_3(ar)
}

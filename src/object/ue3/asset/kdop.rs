//! Collision trees of meshes.

use super::is_me3;
use crate::primitive::BulkArray;
use crate::{Archive, Archived};

/// First file version with small nodes.
const COMPACT: u32 = 770;

/// A tree of boxes around triangles.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | bulk array of 32 bytes | nodes: 6 × f32, u32 leaf, u16, u16 | below 770, not Mass Effect 3 |
/// | 2 | 6 × f32 | box around all | from 770, Mass Effect 3 |
/// | 3 | bulk array of 6 bytes | nodes | from 770, Mass Effect 3 |
/// | 4 | bulk array of 8 bytes | triangles: 3 × u16 vertex, u16 material | |
///
/// Spec: ue1-3/11 §11.6. C++: `TkDOPTree`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct KdopTree {
    /// The nodes.
    #[archive(when = !is_compact(ar))]
    pub nodes: BulkArray<32>,
    /// The box around all.
    #[archive(when = is_compact(ar))]
    pub root_bound: [f32; 6],
    /// The nodes, their boxes relative to their parents'.
    #[archive(when = is_compact(ar))]
    pub compact_nodes: BulkArray<6>,
    /// The triangles.
    pub triangles: BulkArray<8>,
}

fn is_compact<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().file >= COMPACT || is_me3(ar)
}

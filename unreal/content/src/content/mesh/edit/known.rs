//! What is known of the vertices that a mesh had: files hold other numbers than packages, and what did not change must
//! come back as it was.

use std::collections::HashMap;

use crate::content::mesh::glb;
use crate::content::mesh::gltf_read;
use crate::content::mesh::numbers::unit;
use crate::content::mesh::shape::Lod;

type VectorBits = [u32; 3];

fn bits(v: [f32; 3]) -> VectorBits {
    v.map(|number| (number + 0.0).to_bits())
}

/// The positions and normals that a mesh had, by what becomes of them on the way through a file.
#[derive(Debug, Default)]
pub(super) struct KnownVertices {
    positions: HashMap<VectorBits, [f32; 3]>,
    normals: HashMap<VectorBits, [f32; 3]>,
}

impl KnownVertices {
    /// Those of a level of detail as it is stored.
    pub fn of(lod: &Lod) -> Self {
        let mut made = Self::default();
        for v in &lod.positions {
            made.positions.insert(bits(gltf_read::in_units(glb::position(*v))), *v);
        }
        for v in &lod.normals {
            // Each way out makes the length 1 anew, which may change the last digit.
            let mut written = *v;
            for _ in 0..3 {
                written = unit(written).unwrap_or_default();
                made.normals.insert(bits(written), *v);
            }
        }
        made
    }

    /// Puts the numbers that were stored in the place of those that the file made of them.
    pub fn settle(&self, lod: &mut Lod) {
        for v in &mut lod.positions {
            *v = self.positions.get(&bits(*v)).copied().unwrap_or(*v);
        }
        for v in &mut lod.normals {
            *v = self.normals.get(&bits(*v)).copied().unwrap_or(*v);
        }
    }
}

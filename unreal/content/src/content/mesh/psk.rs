//! Meshes out as `.psk` and `.pskx` files.
//!
//! `.psk` is what Unreal's importers of UE1 to UE3 read: points with bones, wedges, triangles. It has no place for
//! normals, more than one set of texture coordinates, colours, morphs, and more than 65,536 wedges; a mesh with one of these
//! or without bones becomes `.pskx`, the same with more chunks, as other tools read it.
//!
//! | of | in the file |
//! |---|---|
//! | places | Y the other way; morphs alone stay as they are |
//! | triangles | their first two corners exchanged |
//! | rotations | mirrored likewise; those of bones but the root the other way round |
//! | texture coordinates | as they are |

use super::actor_x::ActorXFile;
use super::numbers::{turned, unit};
use super::psk_bones::{CutNames, bones};
use super::psk_chunks::MeshChunks;
use super::shape::{Lod, Mesh, MeshPlacement};
use crate::error::{Error, Result};

/// A mesh or its animations as a file of the importers of UE1 to UE3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActorXOutput {
    /// `psk`, `pskx` or `psa`.
    pub extension: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// What the mesh has and the file has not.
    pub notes: Vec<String>,
}

impl Mesh {
    /// A level of detail as a `.psk` file, or as `.pskx` where that has no place for all of it.
    ///
    /// Vertices with one place, the same bones and the same morphs share a point, in `.pskx` those with one normal too.
    /// Vertices of no triangle are left out.
    /// A mesh without bones stands in the file as it stands in its object's space; one with bones stands as its bones do,
    /// and its placement is a note. The importers find materials by the last part of their names.
    ///
    /// # Errors
    /// `Invalid` for a level that is not there, one without triangles, one whose parts do not fit each other, more
    /// than 256 materials, and bones that do not hang on one that is before them, but for the first.
    pub fn to_psk(&self, level: usize) -> Result<ActorXOutput> {
        let Some(lod) = self.lods.get(level) else {
            let count = self.lods.len();
            let reason = format!("it has {count} levels of detail, none is {level}");
            return Err(Error::invalid(reason));
        };
        let mut lod = lod.clone();
        // Those of the triangles are what the file says without any.
        let has_normals = !lod.normals.is_empty();
        lod.settle(self.bones.len())?;
        if lod.triangle_count() == 0 {
            return Err(Error::invalid("it has no triangles"));
        }
        let mut notes = self.notes.clone();
        let plain = MeshPlacement::default();
        let is_skinned = !self.bones.is_empty() && !lod.influences.is_empty();
        match is_skinned {
            _ if self.placement == plain => {}
            true => {
                notes.push("where the mesh stands in its object's space is left out".to_owned())
            }
            false => place(&mut lod, &self.placement),
        }
        for (count, what) in [(self.sockets.len(), "sockets"), (self.collision.len(), "shapes")] {
            if count > 0 {
                notes.push(format!("{count} {what} are left out"));
            }
        }
        let framed = self.animations.iter().filter(|animation| !animation.frames.is_empty());
        match framed.count() {
            0 => {}
            count => {
                notes.push(format!("{count} animations by frames are left out: frames are morphs"))
            }
        }
        let mut names = CutNames::default();
        let mut file = ActorXFile::of("ACTRHEAD");
        let bones = bones(&self.bones, &mut names, &mut notes)?;
        let is_extended = MeshChunks::of(&lod, is_skinned, has_normals)
            .write(&mut file, self, bones, &mut names)?;
        names.note(&mut notes);
        let extension = if is_extended { "pskx" } else { "psk" };
        Ok(ActorXOutput { extension, bytes: file.write()?, notes })
    }
}

/// Puts vertices where the mesh stands.
fn place(lod: &mut Lod, placement: &MeshPlacement) {
    let MeshPlacement { translation, rotation, scale } = *placement;
    let put = |v: &mut [f32; 3]| {
        let scaled = [0, 1, 2].map(|axis| v[axis] * scale[axis]);
        let turned = turned(rotation, scaled);
        *v = [0, 1, 2].map(|axis| turned[axis] + translation[axis]);
    };
    lod.positions.iter_mut().for_each(put);
    lod.morphs.iter_mut().flat_map(|morph| &mut morph.positions).for_each(put);
    for normal in &mut lod.normals {
        let [x, y, z] = scale;
        // What is upright stays upright: divided by the size, without a division by 0.
        let upright = [normal[0] * y * z, normal[1] * x * z, normal[2] * x * y];
        let side = if x * y * z < 0.0 { -1.0 } else { 1.0 };
        let upright = turned(rotation, upright.map(|number| number * side));
        *normal = unit(upright).unwrap_or(*normal);
    }
    if scale.iter().product::<f32>() < 0.0 {
        let triangles = lod.sections.iter_mut().flat_map(|it| it.indices.chunks_exact_mut(3));
        triangles.for_each(|corners| corners.swap(1, 2));
    }
}

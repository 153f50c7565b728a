//! What a mesh is, whichever engine made it.

use std::sync::Arc;

use super::collision_shape::CollisionShape;
use crate::error::{Error, Result};

/// A mesh: triangles with materials, in levels of detail, with bones and animations where it has them.
///
/// Coordinates are Unreal's: X forwards, Y to the right, Z upwards, one unit a centimetre. Corners of a triangle stand
/// in Unreal's order too: `(b - a) × (c - a)` points inwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Name of the object.
    pub name: String,
    /// Levels of detail, the finest first.
    pub lods: Vec<Lod>,
    /// Materials, which sections know by their numbers.
    pub materials: Vec<MeshMaterial>,
    /// Bones in their pose of rest.
    pub bones: Vec<Bone>,
    /// How the mesh stands in its object's space.
    pub placement: MeshPlacement,
    /// Places that other objects can be fixed to.
    pub sockets: Vec<Socket>,
    /// Simple shapes that things collide with, if they were asked for.
    pub collision: Vec<CollisionShape>,
    /// What moves it.
    pub animations: Vec<Animation>,
    /// What the mesh has and this form has not.
    pub notes: Vec<String>,
}

/// A level of detail. Lists of vertices are empty or have one element for each position.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lod {
    /// Positions.
    pub positions: Vec<[f32; 3]>,
    /// Normals, of length 1.
    pub normals: Vec<[f32; 3]>,
    /// Sets of texture coordinates.
    pub uvs: Vec<Vec<[f32; 2]>>,
    /// Colours: red, green, blue, alpha.
    pub colors: Vec<[u8; 4]>,
    /// The bones that move each vertex.
    pub influences: Vec<Influences>,
    /// Parts with one material each.
    pub sections: Vec<MeshSection>,
    /// Other positions of all vertices: frames of an animation, expressions.
    pub morphs: Vec<Morph>,
    /// Bones that move a vertex beside the strongest [`INFLUENCES`], which this form has no place for.
    pub further_influences: usize,
    /// Texture coordinates that are no numbers and became 0.
    pub broken_uvs: usize,
}

/// Bones that move a vertex, the strongest first; weights add up to 1, those that are 0 are of bone 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Influences {
    /// Numbers of bones.
    pub bones: [u16; INFLUENCES],
    /// How strongly each moves the vertex.
    pub weights: [f32; INFLUENCES],
}

/// Bones that move a vertex at most.
pub const INFLUENCES: usize = 8;

/// Triangles with one material.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshSection {
    /// Number of the material.
    pub material: usize,
    /// Three vertices for each triangle.
    pub indices: Vec<u32>,
}

/// Other positions of the vertices of a [`Lod`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Morph {
    /// Its name.
    pub name: String,
    /// All positions.
    pub positions: Vec<[f32; 3]>,
}

/// A material. Pictures are PNG files.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshMaterial {
    /// Path of the object.
    pub name: String,
    /// The picture of its base colour.
    pub picture: Option<Arc<[u8]>>,
    /// Red, green and blue of its base colour without such a picture: light, from 0 to 1.
    pub color: [f32; 3],
    /// That of its normals, with green upwards.
    pub normals: Option<Arc<[u8]>>,
    /// That of its roughness, in green, and of its metal, in blue.
    pub levels: Option<Arc<[u8]>>,
    /// How rough it is without such a picture, from 0 to 1; 0.9 where nothing says it.
    pub roughness: f32,
    /// How metallic it is without such a picture, from 0 to 1.
    pub metallic: f32,
    /// Whether the alpha of the picture says where holes are.
    pub masked: bool,
    /// How opaque it is where it is seen through, times the alpha of the picture, from 0 to 1.
    pub opacity: Option<f32>,
    /// Whether both sides are seen.
    pub two_sided: bool,
}

impl Default for MeshMaterial {
    fn default() -> Self {
        Self {
            name: String::new(),
            picture: None,
            color: [1.0; 3],
            normals: None,
            levels: None,
            roughness: 0.9,
            metallic: 0.0,
            masked: false,
            opacity: None,
            two_sided: false,
        }
    }
}

/// A bone.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bone {
    /// Its name.
    pub name: String,
    /// Number of its parent.
    pub parent: Option<usize>,
    /// Where it is at rest, from its parent.
    pub rest: MeshPlacement,
}

/// Size, then rotation, then place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshPlacement {
    /// Place.
    pub translation: [f32; 3],
    /// A quaternion: x, y, z, w.
    pub rotation: [f32; 4],
    /// Size.
    pub scale: [f32; 3],
}

impl Default for MeshPlacement {
    fn default() -> Self {
        Self { translation: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// A place that other objects can be fixed to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Socket {
    /// Its name.
    pub name: String,
    /// Number of the bone that it moves with.
    pub bone: Option<usize>,
    /// Where it is, from there.
    pub place: MeshPlacement,
}

/// An animation: of bones, or through the [`Morph`]s of each level of detail.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: String,
    /// Seconds between two frames, of [`Animation::frames`].
    pub frame_seconds: f32,
    /// Numbers of positions, one after the other: 0 the mesh itself, 1 the first [`Morph`].
    pub frames: Vec<u32>,
    /// Keys of bones.
    pub tracks: Vec<Track>,
}

/// Keys of a bone: one for each time, or one alone where it does not change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// Number of the bone.
    pub bone: usize,
    /// Seconds and places.
    pub translations: Vec<(f32, [f32; 3])>,
    /// Seconds and rotations.
    pub rotations: Vec<(f32, [f32; 4])>,
    /// Seconds and sizes.
    pub scales: Vec<(f32, [f32; 3])>,
}

impl MeshPlacement {
    pub(super) fn is_finite(&self) -> bool {
        let Self { translation, rotation, scale } = self;
        translation.iter().chain(rotation).chain(scale).all(|number| number.is_finite())
    }
}

impl Mesh {
    /// Refuses what no file could say of places: numbers that are none. Sockets at such places are left out.
    pub(super) fn settle_places(&mut self) -> Result<()> {
        if !self.placement.is_finite() {
            return Err(Error::invalid("its place, rotation or scale is no number"));
        }
        if let Some(bone) = self.bones.iter().find(|bone| !bone.rest.is_finite()) {
            let name = &bone.name;
            return Err(Error::invalid(format!("the place of bone {name} is no number")));
        }
        self.settle_collision();
        let count = self.sockets.len();
        self.sockets.retain(|socket| socket.place.is_finite());
        let lost = count - self.sockets.len();
        if lost > 0 {
            self.notes.push(format!("sockets whose places are no numbers: {lost}, left out"));
        }
        Ok(())
    }
}

impl Influences {
    /// The strongest of these, made to add up to 1; a bone that is named twice counts once. `None` where nothing
    /// moves the vertex.
    pub fn of(list: impl IntoIterator<Item = (u16, f32)>) -> Option<Self> {
        let mut all: Vec<_> = list.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        all.sort_by_key(|(bone, _)| *bone);
        all.dedup_by(|next, known| {
            let is_same = next.0 == known.0;
            known.1 += if is_same { next.1 } else { 0.0 };
            is_same
        });
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(INFLUENCES);
        let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
        if !sum.is_finite() || sum <= 0.0 {
            return None;
        }
        let mut made = Self::default();
        for (at, (bone, weight)) in all.into_iter().enumerate() {
            (made.bones[at], made.weights[at]) = (bone, weight / sum);
        }
        Some(made)
    }
}

impl Lod {
    /// Triangles of all sections.
    pub fn triangle_count(&self) -> usize {
        self.sections.iter().map(|section| section.indices.len() / 3).sum()
    }

    /// Refuses what no file could say: lists of unequal length, numbers of vertices and bones that are not there,
    /// coordinates that are no numbers. Normals get the length 1, or that of their triangle where they have none.
    pub(super) fn settle(&mut self, bones: usize) -> Result<()> {
        let count = self.positions.len();
        let invalid = |what: String| Error::invalid(what);
        let lengths = [self.normals.len(), self.colors.len(), self.influences.len()];
        let sets =
            self.uvs.iter().map(Vec::len).chain(self.morphs.iter().map(|m| m.positions.len()));
        if let Some(length) =
            lengths.into_iter().filter(|length| *length > 0).chain(sets).find(|l| *l != count)
        {
            return Err(invalid(format!(
                "{count} positions, but {length} of another part of vertices"
            )));
        }
        if self.positions.iter().flatten().any(|number| !number.is_finite()) {
            return Err(invalid("a position is no number".to_owned()));
        }
        self.sections.retain(|section| !section.indices.is_empty());
        for index in self.sections.iter().flat_map(|section| &section.indices) {
            if *index as usize >= count {
                return Err(invalid(format!("a triangle has vertex {index} of {count}")));
            }
        }
        for influences in &self.influences {
            if let Some(bone) =
                influences.bones.iter().find(|bone| usize::from(**bone) >= bones.max(1))
            {
                return Err(invalid(format!("a vertex moves with bone {bone} of {bones}")));
            }
        }
        for number in self.uvs.iter_mut().flatten().flatten().filter(|number| !number.is_finite()) {
            *number = 0.0;
            self.broken_uvs += 1;
        }
        self.settle_normals();
        Ok(())
    }

    fn settle_normals(&mut self) {
        let mut missing = self.normals.is_empty();
        for normal in &mut self.normals {
            match super::numbers::unit(*normal) {
                Some(unit) => *normal = unit,
                None => {
                    missing = true;
                    *normal = [0.0; 3];
                }
            }
        }
        if !missing {
            return;
        }
        let flat = self.computed_normals();
        self.normals.resize(flat.len(), [0.0; 3]);
        for (normal, flat) in self.normals.iter_mut().zip(flat) {
            if *normal == [0.0; 3] {
                *normal = flat;
            }
        }
    }

    /// The mean normal of the triangles at each vertex.
    fn computed_normals(&self) -> Vec<[f32; 3]> {
        let vertices: Vec<usize> = (0..self.positions.len()).collect();
        self.normals_of_points(&vertices)
    }

    /// The mean normal of the triangles at the point of each vertex: vertices that differ in texture coordinates alone
    /// are one point, so that no edge shows between them. Triangles of vertices that are not there do not count.
    pub(super) fn normals_of_points(&self, points: &[usize]) -> Vec<[f32; 3]> {
        let count = points.iter().max().map_or(0, |last| last + 1);
        let mut sums = vec![[0.0_f32; 3]; count];
        for triangle in self.sections.iter().flat_map(|section| section.indices.chunks_exact(3)) {
            let corners = [0, 1, 2].map(|at| {
                let vertex = triangle[at] as usize;
                Some((*points.get(vertex)?, *self.positions.get(vertex)?))
            });
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let outwards = super::numbers::cross(
                super::numbers::less(c.1, a.1),
                super::numbers::less(b.1, a.1),
            );
            for (point, _) in [a, b, c] {
                let sum = &mut sums[point];
                *sum = [0, 1, 2].map(|axis| sum[axis] + outwards[axis]);
            }
        }
        let normal = |point: &usize| super::numbers::unit(sums[*point]).unwrap_or([0.0, 0.0, 1.0]);
        points.iter().map(normal).collect()
    }
}

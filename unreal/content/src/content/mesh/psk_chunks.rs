//! The chunks of a mesh in `.psk` and `.pskx` files.

use std::collections::HashMap;

use super::actor_x::{
    ActorXBone, ActorXFace, ActorXFile, ActorXMaterial, ActorXMorph, ActorXMorphPoint,
    ActorXRecords, ActorXWedge, ActorXWeight,
};
use super::numbers::{dot, less};
use super::psk_bones::{CutNames, mirrored};
use super::psk_points::{MOST_NARROW, Points};
use super::shape::{Lod, Mesh};
use crate::error::{Error, Result};

/// Materials that numbers of 8 bits can name.
const MOST_MATERIALS: usize = 1 << 8;
/// The cosine of the angle between normals that are the same.
const SMOOTH: f32 = 0.9999;

/// Whether normals are others than importers compute, which round all edges at a point: the faces have one smoothing
/// group.
fn has_own_normals(lod: &Lod, points: &Points) -> bool {
    let point = |vertex| points.of_vertex.get(&vertex).map_or(0, |point| *point as usize);
    let of_vertices: Vec<usize> = (0..lod.positions.len()).map(point).collect();
    let computed = lod.normals_of_points(&of_vertices);
    let mut drawn = points.of_vertex.keys();
    drawn.any(|vertex| dot(lod.normals[*vertex], computed[*vertex]) < SMOOTH)
}

/// What the chunks of a mesh are made of.
pub(super) struct MeshChunks<'a> {
    lod: &'a Lod,
    is_skinned: bool,
    /// Whether it has more than `.psk` has places for.
    is_extended: bool,
    points: Points,
    /// A vertex and a material for each wedge.
    wedges: Vec<(usize, usize)>,
    /// Wedges of each triangle.
    triangles: Vec<([u32; 3], usize)>,
}

impl<'a> MeshChunks<'a> {
    /// `has_normals`: whether the mesh had normals before they were made those of its triangles.
    pub fn of(lod: &'a Lod, is_skinned: bool, has_normals: bool) -> Self {
        // Each vertex is a wedge, and another one for each further material.
        let mut wedges: Vec<(usize, usize)> = Vec::with_capacity(lod.positions.len());
        let mut places: HashMap<(usize, usize), u32> = HashMap::new();
        let mut triangles = Vec::with_capacity(lod.triangle_count());
        for section in &lod.sections {
            for corners in section.indices.chunks_exact(3) {
                let wedge = |corner: &u32| {
                    let key = (*corner as usize, section.material);
                    *places.entry(key).or_insert_with(|| {
                        wedges.push(key);
                        wedges.len() as u32 - 1
                    })
                };
                let mut found = corners.iter().map(wedge);
                let mut next = || found.next().unwrap_or_default();
                triangles.push(([next(), next(), next()], section.material));
            }
        }
        // Vertices of no triangle are left out, whatever their colour.
        let mut colors = wedges.iter().filter_map(|(vertex, _)| lod.colors.get(*vertex));
        let first_color = colors.next();
        let is_colored = colors.any(|color| Some(color) != first_color);
        let vertices = || wedges.iter().map(|(vertex, _)| *vertex);
        let mut points = Points::of(lod, vertices(), false);
        let is_extended = !is_skinned
            || is_colored
            || lod.uvs.len() > 1
            || !lod.morphs.is_empty()
            || wedges.len() > MOST_NARROW
            || has_normals && has_own_normals(lod, &points);
        if is_extended {
            points = Points::of(lod, vertices(), true);
        }
        Self { lod, is_skinned, is_extended, points, wedges, triangles }
    }

    /// Adds the chunks, and says whether some are not of `.psk`.
    pub fn write(
        self,
        file: &mut ActorXFile,
        mesh: &Mesh,
        bones: Vec<ActorXBone>,
        names: &mut CutNames,
    ) -> Result<bool> {
        let lod = self.lod;
        let used = self
            .triangles
            .iter()
            .map(|(_, material)| material.saturating_add(1))
            .max()
            .unwrap_or(0);
        let materials = used.max(mesh.materials.len());
        if materials > MOST_MATERIALS {
            return Err(Error::invalid(format!(
                "{materials} materials are more than the {MOST_MATERIALS} that the file can name"
            )));
        }
        let vertices = &self.points.vertices;
        let position = |vertex: &usize| mirrored(lod.positions[*vertex]);
        file.push(ActorXRecords::Points(vertices.iter().map(position).collect()));
        let first_uvs = lod.uvs.first();
        let wedge = |(vertex, material): &(usize, usize)| ActorXWedge {
            point: self.points.of_vertex[vertex],
            uv: first_uvs.map_or([0.0; 2], |uvs| uvs[*vertex]),
            material: *material as u8,
            ..ActorXWedge::default()
        };
        file.push(ActorXRecords::Wedges(self.wedges.iter().map(wedge).collect()));
        file.push(self.faces());
        let material = |at: usize| {
            let full = mesh.materials.get(at).map_or("", |it| it.name.as_str());
            let last = full.rsplit(['.', '/', ':']).next().unwrap_or_default();
            let numbered = format!("material_{at}");
            let name = names.put(if last.is_empty() { &numbered } else { last });
            ActorXMaterial { name, texture: at as u32, ..ActorXMaterial::default() }
        };
        file.push(ActorXRecords::Materials((0..materials).map(material).collect()));
        file.push(ActorXRecords::Bones(bones));
        file.push(ActorXRecords::Weights(self.weights()));
        if self.is_extended {
            self.extend(file, names);
        }
        Ok(self.is_extended)
    }

    fn faces(&self) -> ActorXRecords {
        fn faces<I: Default>(
            triangles: &[([u32; 3], usize)],
            narrow: impl Fn(u32) -> I,
        ) -> Vec<ActorXFace<I>> {
            let one = |([a, b, c], material): &([u32; 3], usize)| ActorXFace {
                wedges: [*b, *a, *c].map(&narrow),
                material: *material as u8,
                smoothing_groups: 1,
                ..ActorXFace::default()
            };
            triangles.iter().map(one).collect()
        }
        match self.wedges.len() > MOST_NARROW {
            true => ActorXRecords::WideFaces(faces(&self.triangles, |wedge| wedge)),
            false => ActorXRecords::Faces(faces(&self.triangles, |wedge| wedge as u16)),
        }
    }

    fn weights(&self) -> Vec<ActorXWeight> {
        let mut made = Vec::new();
        for (point, vertex) in self.points.vertices.iter().enumerate().filter(|_| self.is_skinned) {
            let moved = &self.lod.influences[*vertex];
            let pairs = moved.weights.iter().zip(moved.bones).filter(|(weight, _)| **weight > 0.0);
            made.extend(pairs.map(|(weight, bone)| ActorXWeight {
                weight: *weight,
                point: point as u32,
                bone: bone.into(),
            }));
        }
        made
    }

    /// Chunks that `.pskx` alone has.
    fn extend(&self, file: &mut ActorXFile, names: &mut CutNames) {
        let lod = self.lod;
        if !lod.colors.is_empty() {
            let colors = self.wedges.iter().map(|(vertex, _)| lod.colors[*vertex]);
            file.push(ActorXRecords::Colors(colors.collect()));
        }
        for (set, uvs) in lod.uvs.iter().skip(1).enumerate() {
            let uvs = self.wedges.iter().map(|(vertex, _)| uvs[*vertex]).collect();
            file.push_named(&format!("EXTRAUVS{set}"), ActorXRecords::ExtraUvs(uvs));
        }
        let normals = self.points.vertices.iter().map(|vertex| mirrored(lod.normals[*vertex]));
        file.push(ActorXRecords::Normals(normals.collect()));
        if lod.morphs.is_empty() {
            return;
        }
        let (mut morphs, mut moved) = (Vec::new(), Vec::new());
        for morph in &lod.morphs {
            let first = moved.len();
            for (point, vertex) in self.points.vertices.iter().enumerate() {
                let delta = less(morph.positions[*vertex], lod.positions[*vertex]);
                if delta != [0.0; 3] {
                    let point = point as u32;
                    moved.push(ActorXMorphPoint { moved: delta, normal: [0.0; 3], point });
                }
            }
            let points = (moved.len() - first) as u32;
            morphs.push(ActorXMorph { name: names.put(&morph.name), points });
        }
        file.push(ActorXRecords::Morphs(morphs));
        file.push(ActorXRecords::MorphPoints(moved));
    }
}

//! Meshes of `.psk` and `.pskx` files.

use super::actor_x::{ActorXBone, ActorXFace, ActorXFile, ActorXMorph, ActorXMorphPoint};
use super::actor_x::{ActorXMaterial, ActorXRecords, ActorXWedge, ActorXWeight};
use super::psk_bones::{mirrored, stored_rotation};
use super::psk_points::MOST_NARROW;
use super::sections::Sections;
use super::shape::{Bone, INFLUENCES, Influences, Lod, Mesh, MeshMaterial, MeshPlacement, Morph};
use super::source::check_frames;
use crate::error::{Error, Result};

/// The chunks of a mesh.
#[derive(Default)]
struct PskParts {
    points: Vec<[f32; 3]>,
    wedges: Vec<ActorXWedge>,
    faces: Vec<ActorXFace<u32>>,
    materials: Vec<ActorXMaterial>,
    bones: Vec<ActorXBone>,
    weights: Vec<ActorXWeight>,
    colors: Vec<[u8; 4]>,
    extra_uvs: Vec<Vec<[f32; 2]>>,
    normals: Vec<[f32; 3]>,
    morphs: Vec<ActorXMorph>,
    morph_points: Vec<ActorXMorphPoint>,
}

fn wide(face: ActorXFace<u16>) -> ActorXFace<u32> {
    let ActorXFace { wedges, material, second_material, smoothing_groups } = face;
    ActorXFace { wedges: wedges.map(u32::from), material, second_material, smoothing_groups }
}

/// Bones of either kind of file.
pub(super) fn bones(stored: &[ActorXBone]) -> Result<Vec<Bone>> {
    let one = |(at, bone): (usize, &ActorXBone)| {
        let parent = bone.parent as usize;
        if at > 0 && parent >= at {
            return Err(Error::invalid(format!(
                "bone {at} hangs on bone {parent}, which is not before it"
            )));
        }
        Ok(Bone {
            name: bone.name.text(),
            parent: (at > 0).then_some(parent),
            rest: MeshPlacement {
                translation: mirrored(bone.translation),
                rotation: stored_rotation(bone.rotation, at == 0),
                ..MeshPlacement::default()
            },
        })
    };
    stored.iter().enumerate().map(one).collect()
}

impl Mesh {
    /// The mesh of a `.psk` or `.pskx` file: one level of detail whose vertices are the wedges.
    ///
    /// # Errors
    /// `Invalid` for another file, and for one whose records do not fit each other; `UnexpectedEnd` and `TooLong` for a
    /// damaged one.
    pub fn of_psk(bytes: &[u8]) -> Result<Self> {
        let mut parts = PskParts::default();
        for records in ActorXFile::read(bytes, "ACTRHEAD")?.records() {
            match records {
                ActorXRecords::Points(all) => parts.points = all,
                ActorXRecords::Wedges(all) => parts.wedges = all,
                ActorXRecords::Faces(all) => parts.faces = all.into_iter().map(wide).collect(),
                ActorXRecords::WideFaces(all) => parts.faces = all,
                ActorXRecords::Materials(all) => parts.materials = all,
                ActorXRecords::Bones(all) => parts.bones = all,
                ActorXRecords::Weights(all) => parts.weights = all,
                ActorXRecords::Colors(all) => parts.colors = all,
                ActorXRecords::ExtraUvs(all) => parts.extra_uvs.push(all),
                ActorXRecords::Normals(all) => parts.normals = all,
                ActorXRecords::Morphs(all) => parts.morphs = all,
                ActorXRecords::MorphPoints(all) => parts.morph_points = all,
                _ => {}
            }
        }
        let (mut lod, points) = parts.lod()?;
        let bones = bones(&parts.bones)?;
        let is_smooth = lod.normals.is_empty() && parts.is_smooth();
        lod.settle(bones.len())?;
        if is_smooth {
            lod.normals = lod.normals_of_points(&points);
        }
        let material =
            |it: &ActorXMaterial| MeshMaterial { name: it.name.text(), ..MeshMaterial::default() };
        let materials = parts.materials.iter().map(material).collect();
        let mut mesh = Self { lods: vec![lod], materials, bones, ..Self::default() };
        mesh.settle_places()?;
        Ok(mesh)
    }
}

impl PskParts {
    /// Whether no edge is hard: a smoothing group has all faces.
    fn is_smooth(&self) -> bool {
        self.faces.iter().fold(u32::MAX, |groups, face| groups & face.smoothing_groups) != 0
    }

    /// The level of detail, and the point of each of its vertices.
    fn lod(&self) -> Result<(Lod, Vec<usize>)> {
        let count = self.points.len();
        // So few points have numbers of 16 bits: the other bits of a wedge may hold anything.
        let is_narrow = count <= MOST_NARROW;
        let mut points = Vec::with_capacity(self.wedges.len());
        for wedge in &self.wedges {
            let point = if is_narrow { wedge.point & 0xffff } else { wedge.point } as usize;
            if point >= count {
                return Err(Error::invalid(format!("a wedge has point {point} of {count}")));
            }
            points.push(point);
        }
        let of_points =
            |all: &[[f32; 3]]| points.iter().map(|point| mirrored(all[*point])).collect();
        let mut lod = Lod { positions: of_points(&self.points), ..Lod::default() };
        // Lists of other lengths say nothing of points or wedges.
        if self.normals.len() == count {
            lod.normals = of_points(&self.normals);
        }
        if self.colors.len() == points.len() {
            lod.colors.clone_from(&self.colors);
        }
        lod.uvs.push(self.wedges.iter().map(|wedge| wedge.uv).collect());
        let fits = |uvs: &&Vec<[f32; 2]>| uvs.len() == points.len();
        lod.uvs.extend(self.extra_uvs.iter().filter(fits).cloned());
        if !self.weights.is_empty() {
            let of_points = self.influences(&mut lod.further_influences)?;
            lod.influences = points.iter().map(|point| of_points[*point]).collect();
        }
        lod.morphs = self.morphs(&points, &lod.positions)?;
        let mut sections = Sections::default();
        for face in &self.faces {
            let [a, b, c] = face.wedges;
            sections.push(face.material.into(), [b, a, c]);
        }
        lod.sections = sections.list;
        Ok((lod, points))
    }

    fn influences(&self, further: &mut usize) -> Result<Vec<Influences>> {
        let mut lists = vec![Vec::new(); self.points.len()];
        let bones = self.bones.len();
        for weight in &self.weights {
            let list: Option<&mut Vec<_>> = lists.get_mut(weight.point as usize);
            let bone = u16::try_from(weight.bone).ok().filter(|bone| usize::from(*bone) < bones);
            let (Some(list), Some(bone)) = (list, bone) else {
                let ActorXWeight { point, bone, .. } = weight;
                return Err(Error::invalid(format!(
                    "a weight is of point {point} and bone {bone}"
                )));
            };
            list.push((bone, weight.weight));
        }
        *further = lists.iter().map(|list| list.len().saturating_sub(INFLUENCES)).sum();
        let unmoved = || Influences { weights: one_weight(), ..Influences::default() };
        Ok(lists.into_iter().map(|list| Influences::of(list).unwrap_or_else(unmoved)).collect())
    }

    fn morphs(&self, points: &[usize], positions: &[[f32; 3]]) -> Result<Vec<Morph>> {
        check_frames(points.len(), self.morphs.len())?;
        let mut left = self.morph_points.iter();
        let mut made = Vec::with_capacity(self.morphs.len());
        for morph in &self.morphs {
            let mut moved = vec![[0.0_f32; 3]; self.points.len()];
            for at in left.by_ref().take(morph.points as usize) {
                if let Some(moved) = moved.get_mut(at.point as usize) {
                    *moved = at.moved;
                }
            }
            let one = |(point, from): (&usize, &[f32; 3])| {
                [0, 1, 2].map(|axis| from[axis] + moved[*point][axis])
            };
            let positions = points.iter().zip(positions).map(one).collect();
            made.push(Morph { name: morph.name.text(), positions });
        }
        Ok(made)
    }
}

/// The first bone alone.
fn one_weight() -> [f32; INFLUENCES] {
    std::array::from_fn(|at| if at == 0 { 1.0 } else { 0.0 })
}

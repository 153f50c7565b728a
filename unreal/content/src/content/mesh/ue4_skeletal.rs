//! Skeletal meshes of UE4 and UE5.

use super::numbers::{Element, PackedForm};
use super::shape::{Bone, INFLUENCES, Influences, Lod, Mesh, MeshPlacement};
use super::source::MeshSource;
use super::ue4_static::{check_sections, section};
use super::{ue4_drawn, ue4_morphs};
use crate::content::values::value;
use crate::error::{Error, Result};
use crate::object::ue4::asset::reference_skeleton::ReferenceSkeleton;
use crate::object::ue4::asset::skeletal_lod::{SkeletalLod, SkinWeights, VertexBuffer};
use crate::object::ue4::asset::skeletal_mesh::SkeletalMesh;
use crate::object::ue4::geometry::Transform;
use crate::property::{Elements, PropertyList, Value};
use crate::version::{UnrealVersions, custom};

/// The mesh, its materials without pictures.
pub(super) fn mesh(source: &MeshSource<'_>, stored: &SkeletalMesh) -> Result<Mesh> {
    let mut mesh = Mesh { name: source.name(), ..Mesh::default() };
    mesh.bones = bones(source, &stored.reference)?;
    let slots: Vec<LevelSlots> =
        source.lists("LODInfo").map(|info| LevelSlots::of(source, info)).collect();
    let none = LevelSlots::default();
    let mut levels = Vec::new();
    let slots = |level: usize| slots.get(level).unwrap_or(&none);
    for (level, lod) in stored.lods.lods.iter().enumerate() {
        match self::lod(source, lod, slots(level)) {
            Ok(lod) => {
                mesh.lods.push(lod);
                levels.push((level, None));
            }
            Err(error) if level == 0 => return Err(error),
            Err(error) => mesh.notes.push(format!("LOD{level}: {error}")),
        }
    }
    // A platform may go without the finest, and their files may not be at hand: the next one is the finest.
    let has_colors = stored.cooked.colors;
    let drawn = stored.cooked.data.as_ref().map(|drawn| drawn.lods.as_slice()).unwrap_or_default();
    for (level, lod) in drawn.iter().enumerate() {
        match ue4_drawn::lod(source, lod, slots(level), has_colors) {
            Ok(made) => {
                mesh.lods.push(made.lod);
                levels.push((level, made.morphs));
                if !made.is_whole {
                    mesh.notes
                        .push(format!("LOD{level}: what stands behind its colours is not read"));
                }
            }
            Err(error) => mesh.notes.push(format!("LOD{level}: {error}")),
        }
    }
    ue4_morphs::add(source, &mut mesh, &levels);
    match (mesh.lods.is_empty(), mesh.notes.first()) {
        (false, _) => Ok(mesh),
        (true, Some(why)) => Err(Error::invalid(why.clone())),
        (true, None) => Err(Error::invalid("it has no level of detail that is decoded")),
    }
}

/// The slots of materials that the sections of a level of detail have instead of their own: its settings say them.
#[derive(Default)]
pub(super) struct LevelSlots<'a>(&'a [i32]);

impl<'a> LevelSlots<'a> {
    fn of(source: &MeshSource<'a>, info: Option<&'a PropertyList>) -> Self {
        match info.and_then(|info| value(source.package, info, "LODMaterialMap")) {
            Some(Value::Array(Elements::Int(slots))) => Self(slots),
            _ => Self::default(),
        }
    }

    /// The slot of a section; below 0 its own one stays.
    pub fn of_section(&self, section: usize, own: i32) -> i32 {
        self.0.get(section).copied().filter(|slot| *slot >= 0).unwrap_or(own)
    }
}

/// The bones of a skeleton.
pub(super) fn bones(source: &MeshSource<'_>, skeleton: &ReferenceSkeleton) -> Result<Vec<Bone>> {
    let mut made = Vec::new();
    for (at, (bone, rest)) in skeleton.bones.iter().zip(&skeleton.pose).enumerate() {
        made.push(Bone {
            name: source.name_text(bone.name),
            parent: source.parent(at, bone.parent)?,
            rest: placement(rest),
        });
    }
    Ok(made)
}

fn placement(transform: &Transform) -> MeshPlacement {
    let Transform { rotation: r, translation: t, scale: s } = transform;
    MeshPlacement {
        translation: [t.x, t.y, t.z].map(|number| number.value() as f32),
        rotation: [r.x, r.y, r.z, r.w].map(|number| number.value() as f32),
        scale: [s.x, s.y, s.z].map(|number| number.value() as f32),
    }
}

fn lod(source: &MeshSource<'_>, stored: &SkeletalLod, slots: &LevelSlots<'_>) -> Result<Lod> {
    let mut made = Lod::default();
    let container = &stored.index_container;
    let indices: Vec<u32> = match container.data.data.is_empty() {
        true => stored.indices.clone(),
        false => source.indices(&container.data.data, container.data_type_size == 4)?,
    };
    // Which bones a vertex means depends on its part.
    let parts: Vec<(u32, &[u16])> = match stored.chunks.is_empty() {
        true => stored.sections.iter().map(|it| (it.base_vertex, it.bone_map.as_slice())).collect(),
        false => {
            let start = |first: i32| u32::try_from(first).unwrap_or(0);
            stored.chunks.iter().map(|it| (start(it.base_vertex), it.bone_map.as_slice())).collect()
        }
    };
    if !stored.vertices.data.data.is_empty() {
        drawn(source, stored, &parts, &mut made)?;
    } else {
        imported(source, stored, &mut made)?;
    }
    check_sections(indices.len(), stored.sections.iter().map(|it| it.triangle_count))?;
    for (at, it) in stored.sections.iter().enumerate() {
        let material = slots.of_section(at, it.material_index.into());
        let found = section(&indices, it.base_index, it.triangle_count, material)?;
        made.sections.push(found);
    }
    Ok(made)
}

/// Vertices as the graphics card takes them: two packed directions, below the skeletal mesh version 7 bones and weights,
/// then the position and texture coordinates.
fn drawn(
    source: &MeshSource<'_>,
    stored: &SkeletalLod,
    parts: &[(u32, &[u16])],
    made: &mut Lod,
) -> Result<()> {
    let VertexBuffer { data, full_precision_uvs: wide, extra_bone_influences, .. } =
        &stored.vertices;
    let sets = usize::try_from(stored.vertices.tex_coords).unwrap_or(0).min(8);
    let pair = if *wide { 8 } else { 4 };
    let separate = &stored.skin_weights;
    let is_separate = !separate.data.data.is_empty();
    let bones = match (is_separate, extra_bone_influences) {
        (true, _) => 0,
        (false, true) => 8,
        (false, false) => 4,
    };
    let size = 8 + bones * 2 + 12 + pair * sets;
    if data.element_size as usize != size {
        let stored = data.element_size;
        return Err(Error::invalid(format!("vertices of {stored} bytes, where {size} are known")));
    }
    let all = source.elements(&data.data, size)?;
    let form = match source.package.versions().custom(&custom::RENDERING)
        >= custom::rendering::INCREASE_NORMAL_PRECISION
    {
        true => PackedForm::Signed8,
        false => PackedForm::Unsigned8,
    };
    let at_position = 8 + bones * 2;
    made.positions = all.iter().map(|at| at.vector(at_position)).collect();
    made.normals = all.iter().map(|at| at.packed(4, form)).collect();
    let uv = |set| all.iter().map(|at| at.uv(at_position + 12 + set * pair, *wide)).collect();
    made.uvs = (0..sets).map(uv).collect();
    let weights = match is_separate {
        true => weights(source, separate)?,
        false => all.iter().map(|at| eight_bits(at, 8, bones)).collect(),
    };
    made.influences = mapped(weights, parts)?;
    let colors = stored.colors.as_deref().map(|it| (&it.data.data, &it.buffer.data.data));
    if let Some((old, new)) = colors {
        let span = if new.is_empty() { old } else { new };
        let all = source.elements(span, 4)?;
        if all.len() == made.positions.len() {
            made.colors = all.iter().map(|at| at.color(0)).collect();
        }
    }
    Ok(())
}

pub(super) type Weights = Vec<(u16, f32)>;

/// How the bones that move a vertex are stored: their numbers, then their weights, each of one byte or two.
#[derive(Clone, Copy)]
pub(super) struct InfluenceForm {
    pub bones: usize,
    pub bone_bytes: usize,
    pub weight_bytes: usize,
}

impl InfluenceForm {
    /// Bytes of a vertex.
    pub fn size(self) -> usize {
        self.bones * (self.bone_bytes + self.weight_bytes)
    }

    pub fn weights(self, element: Element<'_>, start: usize) -> Weights {
        let weights = start + self.bones * self.bone_bytes;
        let one = |bone: usize| {
            let number = match self.bone_bytes {
                2 => element.u16(start + bone * 2),
                _ => element.u8(start + bone).into(),
            };
            let weight = match self.weight_bytes {
                2 => f32::from(element.u16(weights + bone * 2)) / 65535.0,
                _ => f32::from(element.u8(weights + bone)) / 255.0,
            };
            (number, weight)
        };
        (0..self.bones).map(one).collect()
    }
}

/// Numbers of bones, then their weights, a byte each.
pub(super) fn eight_bits(element: Element<'_>, at: usize, bones: usize) -> Weights {
    InfluenceForm { bones, bone_bytes: 1, weight_bytes: 1 }.weights(element, at)
}

fn weights(source: &MeshSource<'_>, stored: &SkinWeights) -> Result<Vec<Weights>> {
    let bones = if stored.extra_bone_influences { 8 } else { 4 };
    let all = source.elements(&stored.data.data, bones * 2)?;
    Ok(all.iter().map(|at| eight_bits(at, 0, bones)).collect())
}

/// The bones of the mesh that those of a part mean.
pub(super) fn mapped(weights: Vec<Weights>, parts: &[(u32, &[u16])]) -> Result<Vec<Influences>> {
    let mut made = Vec::with_capacity(weights.len());
    let mut parts = parts.to_vec();
    parts.sort_by_key(|(first, _)| *first);
    let mut begun = 0;
    for (vertex, weights) in (0_u32..).zip(weights) {
        while parts.get(begun).is_some_and(|(first, _)| *first <= vertex) {
            begun += 1;
        }
        let map = begun.checked_sub(1).map_or(&[][..], |last| parts[last].1);
        made.push(influences(weights, map)?);
    }
    Ok(made)
}

/// The bones of the mesh that a vertex of one part means.
pub(super) fn influences(weights: Weights, map: &[u16]) -> Result<Influences> {
    let mut known = Weights::new();
    for (bone, weight) in weights.into_iter().filter(|(_, weight)| *weight > 0.0) {
        let found = map.get(usize::from(bone)).ok_or_else(|| {
            Error::invalid(format!("a vertex moves with bone {bone} of {} of its part", map.len()))
        })?;
        known.push((*found, weight));
    }
    let first = map.first().copied().unwrap_or_default();
    Ok(Influences::of(known).unwrap_or_else(|| one(first)))
}

/// One bone alone.
pub(super) fn one(bone: u16) -> Influences {
    let mut made = Influences::default();
    (made.bones[0], made.weights[0]) = (bone, 1.0);
    made
}

/// Vertices as they were imported: those of one bone, then those of several, part by part.
fn imported(source: &MeshSource<'_>, stored: &SkeletalLod, made: &mut Lod) -> Result<()> {
    let form = Imported::of(source);
    made.uvs = vec![Vec::new(); 4];
    let parts: Vec<_> = match stored.chunks.is_empty() {
        true => {
            let part = |it| {
                let it: &crate::object::ue4::asset::skeletal_lod::Section = it;
                (&it.rigid_vertices, &it.soft_vertices, it.bone_map.as_slice())
            };
            stored.sections.iter().map(part).collect()
        }
        false => (stored.chunks.iter())
            .map(|it| (&it.rigid_vertices, &it.soft_vertices, it.bone_map.as_slice()))
            .collect(),
    };
    for (rigid, soft, map) in parts {
        let bare = form.bare();
        for at in source.elements(&rigid.0, bare + 1)?.iter() {
            form.vertex(at, made);
            made.influences.push(influences(vec![(at.u8(bare).into(), 1.0)], map)?);
        }
        for at in source.elements(&soft.0, bare + form.influences.size())?.iter() {
            form.vertex(at, made);
            let weights = form.influences.weights(at, bare);
            let named = weights.iter().filter(|(_, weight)| *weight > 0.0).count();
            made.further_influences += named.saturating_sub(INFLUENCES);
            made.influences.push(influences(weights, map)?);
        }
    }
    if made.positions.is_empty() {
        return Err(Error::invalid("its vertices were left out"));
    }
    // Later sets that all vertices leave at 0 are none.
    while made.uvs.len() > 1
        && made.uvs.last().is_some_and(|set| set.iter().all(|uv| *uv == [0.0, 0.0]))
    {
        made.uvs.pop();
    }
    Ok(())
}

/// How imported vertices are stored (spec: ue4-5/09 §3).
struct Imported {
    /// Three directions of 12, 12 and 16 bytes; else of 4 each.
    wide_tangents: bool,
    influences: InfluenceForm,
}

impl Imported {
    fn of(source: &MeshSource<'_>) -> Self {
        let versions = source.package.versions();
        let anim = versions.custom(&custom::ANIM);
        let wide_weights =
            versions.custom(&custom::UE5_MAIN) >= custom::ue5_main::INCREASED_SKIN_WEIGHT_PRECISION;
        Self {
            wide_tangents: versions.custom(&custom::RENDERING)
                >= custom::rendering::INCREASE_NORMAL_PRECISION,
            influences: InfluenceForm {
                bones: match () {
                    () if anim >= 5 => 12,
                    () if versions.ue4() >= 332 => 8,
                    () => 4,
                },
                bone_bytes: if anim >= 4 { 2 } else { 1 },
                weight_bytes: if anim >= 5 && wide_weights { 2 } else { 1 },
            },
        }
    }

    fn tangents(&self) -> usize {
        if self.wide_tangents { 40 } else { 12 }
    }

    /// Bytes without bones.
    fn bare(&self) -> usize {
        12 + self.tangents() + 32 + 4
    }

    fn vertex(&self, at: Element<'_>, made: &mut Lod) {
        made.positions.push(at.vector(0));
        made.normals.push(match self.wide_tangents {
            true => at.vector(12 + 24),
            false => at.packed(12 + 8, PackedForm::Unsigned8),
        });
        let uvs = 12 + self.tangents();
        for (set, list) in made.uvs.iter_mut().enumerate() {
            list.push(at.uv(uvs + set * 8, true));
        }
        made.colors.push(at.color(uvs + 32));
    }
}

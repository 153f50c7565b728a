//! Skeletal meshes of UE4.19 and later that were cooked: buffers as the graphics card takes them, beside the mesh or in
//! bulk data.

use super::shape::Lod;
use super::source::MeshSource;
use super::ue4_morphs::DrawnMorphs;
use super::ue4_skeletal::{InfluenceForm, LevelSlots, Weights, mapped};
use super::ue4_static::{check_sections, colors, positions, section, vertices};
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::mesh_buffer::IndexContainer;
use crate::object::ue4::asset::skeletal_buffers::{
    DrawnSkinWeights, SkeletalBuffers, SkinWeightLookup,
};
use crate::object::ue4::asset::skeletal_render::SkeletalRenderLod;

/// Bones that move a vertex at most. C++: `MAX_TOTAL_INFLUENCES`.
const MOST_BONES: u32 = 12;

/// A level of detail as it is drawn.
pub(super) struct DrawnLod {
    pub lod: Lod,
    /// Its shapes, where they are drawn.
    pub morphs: Option<DrawnMorphs>,
    /// Whether all of its buffers could be read.
    pub is_whole: bool,
}

/// A level of detail, whose vertices have colours or not.
pub(super) fn lod(
    source: &MeshSource<'_>,
    stored: &SkeletalRenderLod,
    slots: &LevelSlots<'_>,
    has_colors: bool,
) -> Result<DrawnLod> {
    if let Some(buffers) = &stored.inlined {
        // Before 4.24 indices stand beside the buffers.
        let indices = match buffers.indices.data.data.is_empty() {
            true => &stored.indices,
            false => &buffers.indices,
        };
        return drawn(source, stored, buffers, indices, slots, true);
    }
    let (bytes, _) = payload(source.package, &stored.buffers)?;
    if bytes.is_empty() {
        return Err(Error::invalid("it was cooked without its buffers"));
    }
    let forms = (has_colors, stored.has_cloth());
    let (buffers, is_whole) = SkeletalBuffers::read(&bytes, forms, source.package.versions())?;
    drawn(&source.within(&bytes), stored, &buffers, &buffers.indices, slots, is_whole)
}

/// A level of detail from its buffers, whose spans are of the bytes of `source`.
fn drawn(
    source: &MeshSource<'_>,
    stored: &SkeletalRenderLod,
    buffers: &SkeletalBuffers,
    indices: &IndexContainer,
    slots: &LevelSlots<'_>,
    is_whole: bool,
) -> Result<DrawnLod> {
    let positions = positions(source, &buffers.positions)?;
    let mut made = Lod { positions, ..Lod::default() };
    vertices(source, &buffers.vertices, &mut made)?;
    if let Some(buffer) = &buffers.colors {
        colors(source, buffer, &mut made)?;
    }
    let parts: Vec<_> = (stored.sections.iter())
        .map(|section| (section.base_vertex, section.bone_map.as_slice()))
        .collect();
    let weights = weights(source, &buffers.skin_weights, &buffers.lookup)?;
    made.influences = mapped(weights, &parts)?;
    let indices = source.indices(&indices.data.data, indices.data_type_size == 4)?;
    check_sections(indices.len(), stored.sections.iter().map(|part| part.triangle_count))?;
    for (at, part) in stored.sections.iter().enumerate().filter(|(_, part)| !part.disabled) {
        let material = slots.of_section(at, part.material_index.into());
        made.sections.push(section(&indices, part.base_index, part.triangle_count, material)?);
    }
    let morphs = buffers.morphs.0.as_ref().map(|morphs| DrawnMorphs::of(morphs, source.bytes));
    Ok(DrawnLod { lod: made, morphs: morphs.transpose()?, is_whole })
}

/// The influences of each vertex: numbers of bones, then their weights.
fn weights(
    source: &MeshSource<'_>,
    stored: &DrawnSkinWeights,
    lookup: &SkinWeightLookup,
) -> Result<Vec<Weights>> {
    let bytes = |wide: bool| if wide { 2 } else { 1 };
    let form = |bones: usize| InfluenceForm {
        bones,
        bone_bytes: bytes(stored.wide_bones),
        weight_bytes: bytes(stored.wide_weights),
    };
    if stored.is_variable {
        return variable(source, stored, lookup, form);
    }
    let bones = match (stored.most_bones, stored.has_extra_influences) {
        (0, true) => 8,
        (0, false) if stored.count == 0 => 4,
        (bones, _) => bones,
    };
    if bones == 0 || bones > MOST_BONES {
        return Err(Error::invalid(format!("{bones} bones move a vertex")));
    }
    let form = form(bones as usize);
    let all = source.elements(&stored.data.data, form.size())?;
    Ok(all.iter().map(|at| form.weights(at, 0)).collect())
}

/// The same where their number varies: the list says how many each vertex has, and where they begin.
fn variable(
    source: &MeshSource<'_>,
    stored: &DrawnSkinWeights,
    lookup: &SkinWeightLookup,
    form: impl Fn(usize) -> InfluenceForm,
) -> Result<Vec<Weights>> {
    let bytes = source.elements(&stored.data.data, 1)?;
    let all = source.elements(&lookup.data.data, 4)?;
    let mut made = Vec::with_capacity(all.len());
    for at in all.iter() {
        let (count, first) = (at.u32(0) & 0xFF, at.u32(0) >> 8);
        if count > MOST_BONES {
            return Err(Error::invalid(format!("{count} bones move a vertex")));
        }
        let form = form(count as usize);
        let element = bytes.range(first as usize, form.size()).ok_or_else(|| {
            Error::invalid(format!("influences at {first}, of {} bytes", bytes.len()))
        })?;
        made.push(form.weights(element, 0));
    }
    Ok(made)
}

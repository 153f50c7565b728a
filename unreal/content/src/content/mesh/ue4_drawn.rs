//! Skeletal meshes of UE5 that were cooked: buffers as the graphics card takes them, in bulk data.

use super::shape::Lod;
use super::source::MeshSource;
use super::ue4_skeletal::{InfluenceForm, Weights, mapped};
use super::ue4_static::{colors, positions, section, vertices};
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::skeletal_buffers::{DrawnSkinWeights, SkeletalBuffers};
use crate::object::ue4::asset::skeletal_render::SkeletalRenderLod;

/// Bones that move a vertex at most. C++: `MAX_TOTAL_INFLUENCES`.
const MOST_BONES: u32 = 12;

/// A level of detail.
pub(super) fn lod(source: &MeshSource<'_>, stored: &SkeletalRenderLod) -> Result<Lod> {
    let (bytes, _) = payload(source.package, &stored.buffers)?;
    if bytes.is_empty() {
        return Err(Error::invalid("it was cooked without its buffers"));
    }
    let has_colors = stored.buffer_sizes.colors[1] > 0;
    let (buffers, color_buffer) =
        SkeletalBuffers::read(&bytes, has_colors, source.package.versions())?;
    let source = source.within(&bytes);
    let positions = positions(&source, &buffers.positions)?;
    let mut made = Lod { positions, ..Lod::default() };
    vertices(&source, &buffers.vertices, &mut made)?;
    if has_colors {
        colors(&source, &color_buffer, &mut made)?;
    }
    let parts: Vec<_> = (stored.sections.iter())
        .map(|section| (section.base_vertex, section.bone_map.as_slice()))
        .collect();
    made.influences = mapped(weights(&source, &buffers.skin_weights)?, &parts)?;
    let indices = &buffers.indices;
    let indices = source.indices(&indices.data.data, indices.data_type_size == 4)?;
    for part in stored.sections.iter().filter(|part| !part.disabled) {
        let material = part.material_index.into();
        made.sections.push(section(&indices, part.base_index, part.triangle_count, material)?);
    }
    Ok(made)
}

/// The influences of each vertex: numbers of bones, then their weights.
fn weights(source: &MeshSource<'_>, stored: &DrawnSkinWeights) -> Result<Vec<Weights>> {
    if stored.is_variable {
        return Err(Error::invalid("the number of bones varies from vertex to vertex"));
    }
    if stored.most_bones == 0 || stored.most_bones > MOST_BONES {
        return Err(Error::invalid(format!("{} bones move a vertex", stored.most_bones)));
    }
    let bytes = |wide: bool| if wide { 2 } else { 1 };
    let form = InfluenceForm {
        bones: stored.most_bones as usize,
        bone_bytes: bytes(stored.wide_bones),
        weight_bytes: bytes(stored.wide_weights),
    };
    let all = source.elements(&stored.data.data, form.size())?;
    Ok(all.iter().map(|at| form.weights(at, 0)).collect())
}

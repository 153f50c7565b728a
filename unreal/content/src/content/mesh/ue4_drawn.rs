//! Skeletal meshes of UE5 that were cooked: buffers as the graphics card takes them, in bulk data.

use super::numbers::Element;
use super::shape::Lod;
use super::source::MeshSource;
use super::ue4_skeletal::{Weights, mapped};
use super::ue4_static::{colors, section, vertices};
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
    let mut made = Lod::default();
    let positions = &buffers.positions.data;
    let positions = source.elements(&positions.data, positions.element_size as usize)?;
    made.positions = positions.iter().map(|at| at.vector(0)).collect();
    vertices(&source, &buffers.vertices, &mut made)?;
    if has_colors {
        colors(&source, &color_buffer, &mut made)?;
    }
    let parts: Vec<_> = (stored.sections.iter())
        .map(|section| (section.base_vertex, section.bone_map.as_slice()))
        .collect();
    made.influences = mapped(weights(&source, &buffers.skin_weights)?, &parts)?;
    let wide = buffers.indices.data_type_size == 4;
    let indices = source.elements(&buffers.indices.data.data, if wide { 4 } else { 2 })?;
    let indices: Vec<u32> = match wide {
        true => indices.iter().map(|at| at.u32(0)).collect(),
        false => indices.iter().map(|at| u32::from(at.u16(0))).collect(),
    };
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
    let bones = stored.most_bones as usize;
    let bone_size = if stored.wide_bones { 2 } else { 1 };
    let weight_size = if stored.wide_weights { 2 } else { 1 };
    let behind = bones * bone_size;
    let all = source.elements(&stored.data.data, behind + bones * weight_size)?;
    let one = |at: Element<'_>, bone: usize| {
        let number = match stored.wide_bones {
            true => at.u16(bone * 2),
            false => at.u8(bone).into(),
        };
        let weight = match stored.wide_weights {
            true => f32::from(at.u16(behind + bone * 2)) / 65535.0,
            false => f32::from(at.u8(behind + bone)) / 255.0,
        };
        (number, weight)
    };
    Ok(all.iter().map(|at| (0..bones).map(|bone| one(at, bone)).collect()).collect())
}

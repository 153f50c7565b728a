//! Static meshes of UE4 and UE5.

use super::imported_static;
use super::numbers::PackedForm;
use super::shape::{Lod, Mesh, MeshSection};
use super::source::MeshSource;
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::mesh_buffer::{
    ColorBuffer, IndexBuffer, PositionBuffer, VertexBuffer,
};
use crate::object::ue4::asset::static_mesh::StaticMesh;
use crate::object::ue4::asset::static_mesh_lod::{Lod as StoredLod, LodBuffers};
use crate::object::ue4::bulk::BulkData;
use crate::version::custom;

/// The mesh, its materials without pictures.
pub(super) fn mesh(source: &MeshSource<'_>, stored: &StaticMesh) -> Result<Mesh> {
    let mut mesh = Mesh { name: source.name(), ..Mesh::default() };
    if stored.cooked {
        if stored.render_data.lods.is_empty() {
            return Err(Error::invalid("it was cooked without levels of detail"));
        }
        let mut missing = 0;
        for (level, lod) in stored.render_data.lods.iter().enumerate() {
            match (&lod.buffers, &lod.streamed) {
                (Some(buffers), _) => mesh.lods.push(self::lod(source, lod, buffers)?),
                // Where it is not at hand, the next one is the finest.
                (None, Some(streamed)) => match self::streamed(source, lod, &streamed.bulk) {
                    Ok(lod) => mesh.lods.push(lod),
                    Err(error) => mesh.notes.push(format!("LOD{level}: {error}")),
                },
                (None, None) => missing += 1,
            }
        }
        if mesh.lods.is_empty() {
            let why = mesh.notes.first().map(|note| format!(": {note}")).unwrap_or_default();
            return Err(Error::invalid(format!(
                "the vertices of its levels of detail were left out or stand in another file{why}"
            )));
        }
        if missing > 0 {
            mesh.notes.push(format!("{missing} levels of detail were left out"));
        }
        return Ok(mesh);
    }
    imported_static::add(source, stored, &mut mesh)?;
    Ok(mesh)
}

/// A level of detail whose buffers stand in bulk data.
fn streamed(source: &MeshSource<'_>, stored: &StoredLod, bulk: &BulkData) -> Result<Lod> {
    let (bytes, _) = payload(source.package, bulk)?;
    let buffers = LodBuffers::read(&bytes, stored, source.package.versions())?;
    lod(&source.within(&bytes), stored, &buffers)
}

fn lod(source: &MeshSource<'_>, stored: &StoredLod, buffers: &LodBuffers) -> Result<Lod> {
    let mut made = Lod { positions: positions(source, &buffers.positions)?, ..Lod::default() };
    vertices(source, &buffers.vertices, &mut made)?;
    colors(source, &buffers.colors, &mut made)?;
    let indices = match buffers.indices.first() {
        Some(buffer) => indices(source, buffer)?,
        None => Vec::new(),
    };
    check_sections(indices.len(), stored.sections.iter().map(|section| section.triangle_count))?;
    for section in &stored.sections {
        made.sections.push(self::section(
            &indices,
            section.first_index,
            section.triangle_count,
            section.material_index,
        )?);
    }
    Ok(made)
}

/// Times that all sections together may show each triangle: they share some at most.
const MOST_SHARED: u64 = 4;

/// Refuses sections that would make much of few indices.
pub(super) fn check_sections(indices: usize, triangles: impl Iterator<Item = i32>) -> Result<()> {
    let all: u64 = triangles.map(|count| u64::try_from(count).unwrap_or(0)).sum();
    match all.saturating_mul(3) <= (indices as u64).saturating_mul(MOST_SHARED) {
        true => Ok(()),
        false => {
            Err(Error::invalid(format!("{all} triangles in its sections, of {indices} indices")))
        }
    }
}

/// A range of indices.
pub(super) fn section(
    indices: &[u32],
    first: i32,
    triangles: i32,
    material: i32,
) -> Result<MeshSection> {
    let range = usize::try_from(first).ok().zip(usize::try_from(triangles).ok());
    let range = range
        .and_then(|(first, triangles)| Some(first..first.checked_add(triangles.checked_mul(3)?)?));
    let found = range.and_then(|range| indices.get(range)).ok_or_else(|| {
        let count = indices.len();
        Error::invalid(format!("{triangles} triangles from index {first} on, of {count} indices"))
    })?;
    let material = usize::try_from(material).unwrap_or(usize::MAX);
    Ok(MeshSection { material, indices: found.to_vec() })
}

fn indices(source: &MeshSource<'_>, buffer: &IndexBuffer) -> Result<Vec<u32>> {
    let wide = buffer.is_32_bit || buffer.data.element_size == 4;
    source.indices(&buffer.data.data, wide)
}

/// How directions are packed: by the precision that the buffer says, and signed from 4.20 on.
fn packed(source: &MeshSource<'_>, wide: bool) -> PackedForm {
    let signed = source.package.versions().custom(&custom::RENDERING)
        >= custom::rendering::INCREASE_NORMAL_PRECISION;
    match (wide, signed) {
        (true, true) => PackedForm::Signed16,
        (true, false) => PackedForm::Unsigned16,
        (false, true) => PackedForm::Signed8,
        (false, false) => PackedForm::Unsigned8,
    }
}

pub(super) fn positions(source: &MeshSource<'_>, buffer: &PositionBuffer) -> Result<Vec<[f32; 3]>> {
    let all = source.elements(&buffer.data.data, buffer.data.element_size as usize)?;
    Ok(all.iter().map(|at| at.vector(0)).collect())
}

pub(super) fn vertices(
    source: &MeshSource<'_>,
    buffer: &VertexBuffer,
    made: &mut Lod,
) -> Result<()> {
    let sets = usize::try_from(buffer.tex_coords).unwrap_or(0).min(8);
    let form = packed(source, buffer.high_precision_tangents);
    let (tangents, wide) = (form.size() * 2, buffer.full_precision_uvs);
    let pair = if wide { 8 } else { 4 };
    if !buffer.uvs.data.is_empty() {
        let normals = source.elements(&buffer.tangents.data, tangents)?;
        made.normals = normals.iter().map(|at| at.packed(form.size(), form)).collect();
        let all = source.elements(&buffer.uvs.data, pair * sets.max(1))?;
        made.uvs =
            (0..sets).map(|set| all.iter().map(|at| at.uv(set * pair, wide)).collect()).collect();
        return Ok(());
    }
    if buffer.tangents.data.is_empty() {
        return Ok(());
    }
    let all = source.elements(&buffer.tangents.data, tangents + pair * sets)?;
    made.normals = all.iter().map(|at| at.packed(form.size(), form)).collect();
    let uv = |set| all.iter().map(|at| at.uv(tangents + set * pair, wide)).collect();
    made.uvs = (0..sets).map(uv).collect();
    Ok(())
}

pub(super) fn colors(source: &MeshSource<'_>, buffer: &ColorBuffer, made: &mut Lod) -> Result<()> {
    let all = source.elements(&buffer.data.data, 4)?;
    if all.len() == made.positions.len() {
        made.colors = all.iter().map(|at| at.color(0)).collect();
    }
    Ok(())
}

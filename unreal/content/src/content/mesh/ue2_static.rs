//! Static meshes of UE2.

use super::shape::{Lod, Mesh, MeshSection};
use super::source::MeshSource;
use crate::error::{Error, Result};
use crate::object::ue2::StaticMesh;

/// The mesh; the material of a section is that of the same number in the property `Materials`.
pub(super) fn mesh(source: &MeshSource<'_>, stored: &StaticMesh) -> Result<Mesh> {
    let mut lod = Lod::default();
    let vertices = source.payload(&stored.vertices.stream.data)?;
    lod.positions = vertices.iter().map(|at| at.vector(0)).collect();
    lod.normals = vertices.iter().map(|at| at.vector(12)).collect();
    for stream in &stored.uv_streams {
        let all = source.payload(&stream.data)?;
        if all.len() == lod.positions.len() {
            lod.uvs.push(all.iter().map(|at| at.uv(0, true)).collect());
        }
    }
    let colors = source.payload(&stored.colors.data)?;
    if colors.len() == lod.positions.len() {
        lod.colors = colors.iter().map(|at| at.color(0)).collect();
    }
    let indices = source.indices(&stored.indices.data.0, false)?;
    for (material, section) in stored.sections.iter().enumerate() {
        if section.is_strip != 0 {
            return Err(Error::invalid("a section is drawn as a strip, which no known file does"));
        }
        let first = usize::from(section.first_index);
        let found = indices.get(first..first + usize::from(section.face_count) * 3);
        let found = found.ok_or_else(|| {
            let (faces, count) = (section.face_count, indices.len());
            Error::invalid(format!("{faces} triangles from index {first} on, of {count} indices"))
        })?;
        lod.sections.push(MeshSection { material, indices: found.to_vec() });
    }
    Ok(Mesh { name: source.name(), lods: vec![lod], ..Mesh::default() })
}

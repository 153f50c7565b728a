//! Static meshes of UE3.

use super::shape::{Lod, Mesh};
use super::source::MeshSource;
use super::ue4_static::section;
use crate::error::{Error, Result};
use crate::object::ue3::asset::static_lod::{StaticLod, VertexStream};
use crate::object::ue3::asset::static_mesh::StaticMesh;
use crate::primitive::PackageIndex;
use crate::version::{ByteOrder, UnrealVersions};

/// First file version with a stream of colours: before it each vertex has one.
const MESH_PAINT: u32 = 615;

/// What is said of colours that stay behind.
const COLORS: &str = "colours of vertices are left out: nothing tells their order on this console";

/// The mesh, and the materials of its sections, one for each.
pub(super) fn mesh(
    source: &MeshSource<'_>,
    stored: &StaticMesh,
) -> Result<(Mesh, Vec<PackageIndex>)> {
    let mut mesh = Mesh { name: source.name(), ..Mesh::default() };
    let mut materials: Vec<PackageIndex> = Vec::new();
    for lod in &stored.lods {
        mesh.lods.push(self::lod(source, lod, &mut materials)?);
        if has_unknown_colors(source, lod) {
            mesh.notes.push(COLORS.to_owned());
        }
    }
    match mesh.lods.is_empty() {
        true => Err(Error::invalid("it has no levels of detail")),
        false => Ok((mesh, materials)),
    }
}

/// Whether colours are stored in an order that nothing tells: that of a console.
fn has_unknown_colors(source: &MeshSource<'_>, stored: &StaticLod) -> bool {
    let versions = source.package.versions();
    let is_stored = versions.file() < MESH_PAINT || stored.colors.data.count > 0;
    versions.byte_order == ByteOrder::Big && is_stored
}

fn lod(
    source: &MeshSource<'_>,
    stored: &StaticLod,
    materials: &mut Vec<PackageIndex>,
) -> Result<Lod> {
    let mut made = Lod::default();
    let positions = source.elements(&stored.positions.data.data, 12)?;
    made.positions = positions.iter().map(|at| at.vector(0)).collect();
    vertices(source, &stored.vertices, &mut made)?;
    let colors = source.elements(&stored.colors.data.data, 4)?;
    let fit = colors.len() == made.positions.len() && colors.len() > 0;
    if fit && !has_unknown_colors(source, stored) {
        made.colors = colors.iter().map(|at| at.color(0)).collect();
    }
    let indices = source.indices(&stored.indices.data, false)?;
    for element in &stored.elements {
        let known = materials.iter().position(|known| *known == element.material);
        let material = known.unwrap_or_else(|| {
            materials.push(element.material);
            materials.len() - 1
        });
        let number = |number: u32| i32::try_from(number).unwrap_or(-1);
        let (first, triangles) = (number(element.first_index), number(element.triangle_count));
        made.sections.push(section(&indices, first, triangles, material as i32)?);
    }
    Ok(made)
}

fn vertices(source: &MeshSource<'_>, stored: &VertexStream, made: &mut Lod) -> Result<()> {
    let sets = usize::try_from(stored.tex_coords).unwrap_or(0).min(8);
    let wide = stored.full_precision != 0;
    let pair = if wide { 8 } else { 4 };
    let has_color = source.package.versions().file() < MESH_PAINT;
    let start = if has_color { 12 } else { 8 };
    let (size, known) = (stored.data.element_size, start + pair * sets);
    if usize::try_from(size) != Ok(known) {
        return Err(Error::invalid(format!("vertices of {size} bytes, where {known} are known")));
    }
    let all = source.elements(&stored.data.data, known)?;
    made.normals = all.directions(4);
    let uv = |set| all.iter().map(|at| at.uv(start + set * pair, wide)).collect();
    made.uvs = (0..sets).map(uv).collect();
    if has_color && !all.is_big() {
        made.colors = all.iter().map(|at| at.color(8)).collect();
    }
    Ok(())
}

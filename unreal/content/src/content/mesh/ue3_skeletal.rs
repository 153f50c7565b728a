//! Skeletal meshes of UE3.

use super::numbers::{Element, PackedForm, rotation};
use super::shape::{Bone, Lod, Mesh, MeshPlacement};
use super::source::MeshSource;
use super::ue4_skeletal::{eight_bits, influences, mapped};
use super::ue4_static::section;
use crate::error::{Error, Result};
use crate::object::geometry::Vector;
use crate::object::ue3::asset::skeletal_lod::{Chunk, SkeletalLod, SkinStream};
use crate::object::ue3::asset::skeletal_mesh::{Bone as StoredBone, SkeletalMesh};
use crate::version::{ByteOrder, UnrealVersions};

/// First file version with several texture coordinates for imported vertices, and the next with colours.
const MULTIPLE_UVS: u32 = 709;
const VERTEX_COLORS: u32 = 710;
/// First file version with half-precision texture coordinates.
const HALF_UVS: u32 = 493;

/// The largest numbers of packed positions, which are on the sides of their box.
const MOST_STEPS: [f32; 3] = [1023.0, 1023.0, 511.0];

/// The mesh, its materials without pictures.
pub(super) fn mesh(source: &MeshSource<'_>, stored: &SkeletalMesh) -> Result<Mesh> {
    let head = &stored.head;
    let mut mesh = Mesh { name: source.name(), ..Mesh::default() };
    mesh.bones = bones(source, stored)?;
    let turn = head.rotation;
    let turn = rotation(turn.pitch, turn.yaw, turn.roll);
    let away = super::numbers::turned(turn, [head.origin.x, head.origin.y, head.origin.z]);
    mesh.placement =
        MeshPlacement { translation: away, rotation: turn, ..MeshPlacement::default() };
    for (level, lod) in stored.lods.iter().enumerate() {
        match self::lod(source, lod) {
            Ok(lod) => mesh.lods.push(lod),
            Err(error) if level == 0 => return Err(error),
            Err(error) => mesh.notes.push(format!("LOD{level}: {error}")),
        }
    }
    match mesh.lods.is_empty() {
        true => Err(Error::invalid("it has no levels of detail")),
        false => Ok(mesh),
    }
}

/// The bones of its skeleton, whose rotations are stored as they are: the other way round bones lie far from their vertices.
pub(super) fn bones(source: &MeshSource<'_>, stored: &SkeletalMesh) -> Result<Vec<Bone>> {
    let bones = stored.head.bones.iter().enumerate();
    let bone = |(at, bone): (usize, &StoredBone)| {
        source.bone(at, bone.name, bone.parent_index, (bone.orientation, bone.position))
    };
    bones.map(bone).collect()
}

fn lod(source: &MeshSource<'_>, stored: &SkeletalLod) -> Result<Lod> {
    let mut made = Lod::default();
    let head = &stored.head;
    let indices = &head.indices.data;
    let indices = source.indices(&indices.data, indices.element_size == 4)?;
    let is_imported = head
        .chunks
        .iter()
        .any(|chunk| !chunk.rigid_vertices.is_empty() || !chunk.soft_vertices.is_empty());
    match is_imported && source.package.versions().file() < HALF_UVS {
        true => imported(source, &head.chunks, &mut made)?,
        false => drawn(source, stored, &mut made)?,
    }
    if let Some(colors) = &stored.colors {
        let all = source.elements(&colors.data, 4)?;
        if all.len() == made.positions.len() {
            made.colors = all.iter().map(|at| at.color(0)).collect();
        }
    }
    for it in &head.sections {
        let number = |number: u32| i32::try_from(number).unwrap_or(-1);
        let (first, triangles) = (number(it.base_index), number(it.triangle_count));
        made.sections.push(section(&indices, first, triangles, it.material_index.into())?);
    }
    Ok(made)
}

/// Vertices as the graphics card takes them: two packed directions, four bones, four weights, the position, texture
/// coordinates. Consoles may pack positions into one number.
fn drawn(source: &MeshSource<'_>, stored: &SkeletalLod, made: &mut Lod) -> Result<()> {
    let stream = &stored.head.vertices;
    let wide = stream.full_precision != 0;
    let pair = if wide { 8 } else { 4 };
    let size = usize::try_from(stream.data.element_size).unwrap_or(0);
    // Before there could be several the number is not stored.
    let sets = usize::try_from(stream.tex_coords).unwrap_or(0).clamp(1, 4);
    if stream.data.data.is_empty() {
        return Ok(());
    }
    let is_packed =
        stream.packed_position != 0 && source.package.versions().byte_order == ByteOrder::Big;
    let coordinates = 16 + if is_packed { 4 } else { 12 };
    let known = coordinates + pair * sets;
    if size != known || source.package.versions().file() < HALF_UVS {
        return Err(Error::invalid(format!("vertices of {size} bytes, where {known} are known")));
    }
    let all = source.elements(&stream.data.data, size)?;
    made.positions = match is_packed {
        true => all.iter().map(|at| unpacked(stream, at.u32(16))).collect(),
        false => all.iter().map(|at| at.vector(16)).collect(),
    };
    made.normals = all.directions(4);
    let uv = |set| all.iter().map(|at| at.uv(coordinates + set * pair, wide)).collect();
    made.uvs = (0..sets).map(uv).collect();
    let parts: Vec<_> = (stored.head.chunks.iter())
        .map(|it| (u32::try_from(it.base_vertex_index).unwrap_or(0), it.bone_map.as_slice()))
        .collect();
    let weights = all.iter().map(|at| eight_bits(at, 8, 4)).collect();
    made.influences = mapped(weights, &parts)?;
    Ok(())
}

/// A position in a box: eleven, eleven and ten bits with signs. C++: `FPackedPosition`.
fn unpacked(stream: &SkinStream, packed: u32) -> [f32; 3] {
    let bits = packed.cast_signed();
    let steps = [bits << 21 >> 21, bits << 10 >> 21, bits >> 22];
    let number = |it: &Vector| [it.x, it.y, it.z];
    let (half, middle) = (number(&stream.mesh_extension), number(&stream.mesh_origin));
    [0, 1, 2].map(|axis| steps[axis] as f32 / MOST_STEPS[axis] * half[axis] + middle[axis])
}

/// Vertices as they were imported, part by part.
fn imported(source: &MeshSource<'_>, chunks: &[Chunk], made: &mut Lod) -> Result<()> {
    let file = source.package.versions().file();
    let sets = if file >= MULTIPLE_UVS { 4 } else { 1 };
    let bare = 24 + sets * 8 + if file >= VERTEX_COLORS { 4 } else { 0 };
    made.uvs = vec![Vec::new(); sets];
    let vertex = |at: Element<'_>, made: &mut Lod| {
        made.positions.push(at.vector(0));
        made.normals.push(at.packed(20, PackedForm::Unsigned8));
        for (set, list) in made.uvs.iter_mut().enumerate() {
            list.push(at.uv(24 + set * 8, true));
        }
    };
    for chunk in chunks {
        for at in source.elements(&chunk.rigid_vertices, bare + 1)?.iter() {
            vertex(at, made);
            made.influences.push(influences(vec![(at.u8(bare).into(), 1.0)], &chunk.bone_map)?);
        }
        for at in source.elements(&chunk.soft_vertices, bare + 8)?.iter() {
            vertex(at, made);
            let weights = eight_bits(at, bare, 4);
            made.influences.push(influences(weights, &chunk.bone_map)?);
        }
    }
    Ok(())
}

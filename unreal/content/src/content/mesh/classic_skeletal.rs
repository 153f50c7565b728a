//! Skeletal meshes of UE1 and UE2: points with weights, wedges, faces.

use super::numbers::{VertexElements, conjugated, rotation, turned};
use super::sections::Sections;
use super::shape::{Bone, INFLUENCES, Influences, Lod, Mesh, MeshPlacement};
use super::source::MeshSource;
use super::ue4_skeletal::one;
use crate::error::{Error, Result};
use crate::object::geometry::{Rotator, Vector};
use crate::object::{ue1, ue2};

/// Rotations of bones, but for roots, are stored the other way round.
fn bones(source: &MeshSource<'_>, stored: &[ue1::Bone]) -> Result<Vec<Bone>> {
    let mut made = Vec::new();
    for (at, bone) in stored.iter().enumerate() {
        let rest = (bone.orientation, bone.position);
        let mut bone = source.bone(at, bone.name, bone.parent, rest)?;
        if bone.parent.is_some() {
            bone.rest.rotation = conjugated(bone.rest.rotation);
        }
        made.push(bone);
    }
    Ok(made)
}

/// How a mesh of UE1 or UE2 stands: the origin is taken away first.
pub(super) fn placement(scale: Vector, origin: Vector, turn: Rotator) -> MeshPlacement {
    let turn = rotation(turn.pitch, turn.yaw, turn.roll);
    let moved = [origin.x * scale.x, origin.y * scale.y, origin.z * scale.z];
    let translation = turned(turn, moved).map(|number| -number);
    MeshPlacement { translation, rotation: turn, scale: [scale.x, scale.y, scale.z] }
}

/// Where texture coordinates stand in a wedge: two of 32 bits, or two of 8.
#[derive(Clone, Copy)]
enum Uv {
    Wide(usize),
    Narrow(usize),
}

/// What points, wedges, faces and weights are made of.
struct SkinParts<'a> {
    points: VertexElements<'a>,
    /// `u16` point.
    wedges: VertexElements<'a>,
    /// Where texture coordinates stand in a wedge.
    uv: Uv,
    /// Three `u16` wedges.
    faces: VertexElements<'a>,
    /// The material of a face, from its bytes.
    material: fn(super::numbers::Element<'a>) -> usize,
}

fn lod(parts: &SkinParts<'_>, weights: &[Vec<(u16, f32)>]) -> Result<Lod> {
    let mut made = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let mut points = Vec::with_capacity(parts.wedges.len());
    // Of each point once: many wedges may stand at one that many bones move.
    let of_points: Vec<Influences> = weights
        .iter()
        .map(|list| Influences::of(list.iter().copied()).unwrap_or_else(|| one(0)))
        .collect();
    made.further_influences =
        weights.iter().map(|list| list.len().saturating_sub(INFLUENCES)).sum();
    for wedge in parts.wedges.iter() {
        let point = usize::from(wedge.u16(0));
        let found = parts.points.get(point).ok_or_else(|| {
            Error::invalid(format!("a wedge has point {point} of {}", parts.points.len()))
        })?;
        made.positions.push(found.vector(0));
        points.push(point);
        made.uvs[0].push(match parts.uv {
            Uv::Wide(at) => wedge.uv(at, true),
            Uv::Narrow(at) => [wedge.u8(at), wedge.u8(at + 1)].map(|it| f32::from(it) / 255.0),
        });
        made.influences.push(of_points.get(point).copied().unwrap_or_else(|| one(0)));
    }
    let mut sections = Sections::default();
    for face in parts.faces.iter() {
        let material = (parts.material)(face);
        let corners = [0, 2, 4].map(|at| u32::from(face.u16(at)));
        sections.push(material, corners);
    }
    made.sections = sections.list;
    // The engine has a normal for each point: no edge shows where texture coordinates part.
    made.normals = made.normals_of_points(&points);
    Ok(made)
}

/// A skeletal mesh of UE1.
pub(super) fn ue1(source: &MeshSource<'_>, stored: &ue1::SkeletalMesh) -> Result<Mesh> {
    let points = source.payload(&stored.points)?;
    let all = source.payload(&stored.bone_weights)?;
    let mut weights = vec![Vec::new(); points.len()];
    let mut named = 0_usize;
    for (bone, at) in source.payload(&stored.bone_weight_indices)?.iter().enumerate() {
        let (first, count) = (usize::from(at.u16(0)), usize::from(at.u16(2)));
        named += all.len().saturating_sub(first).min(count);
        if named > all.len() {
            return Err(Error::invalid("its bones share weights"));
        }
        for weight in (first..first + count).filter_map(|at| all.get(at)) {
            if let Some(list) = weights.get_mut(usize::from(weight.u16(0))) {
                let list: &mut Vec<(u16, f32)> = list;
                list.push((u16::try_from(bone).unwrap_or(0), f32::from(weight.u16(2))));
            }
        }
    }
    let base = &stored.lod_mesh;
    // The wedges of the base are those that are drawn; the others are empty in some files.
    let is_wide = stored.ext_wedges.count() > 0;
    let parts = SkinParts {
        points,
        wedges: match is_wide {
            true => source.payload(&stored.ext_wedges)?,
            false => source.payload(&base.wedges)?,
        },
        uv: if is_wide { Uv::Wide(4) } else { Uv::Narrow(2) },
        faces: source.payload(&base.faces)?,
        material: |face| usize::from(face.u16(6)),
    };
    Ok(Mesh {
        name: source.name(),
        lods: vec![lod(&parts, &weights)?],
        bones: bones(source, &stored.bones)?,
        placement: placement(base.mesh.scale, base.mesh.origin, base.mesh.rotation),
        ..Mesh::default()
    })
}

/// A skeletal mesh of UE2: as it was imported, then its coarser levels of detail.
pub(super) fn ue2(source: &MeshSource<'_>, stored: &ue2::SkeletalMesh) -> Result<Mesh> {
    let base = &stored.base;
    let mut mesh = Mesh {
        name: source.name(),
        bones: bones(source, &stored.bones)?,
        placement: placement(base.scale, base.origin, base.rotation),
        ..Mesh::default()
    };
    let is_raw = stored.raw_triangles.data.count() > 0;
    if is_raw {
        let points = source.lazy(&stored.raw_points)?;
        let weights = ue2_weights(points.len(), source.lazy(&stored.raw_influences)?);
        let parts = SkinParts {
            points,
            wedges: source.lazy(&stored.raw_wedges)?,
            uv: Uv::Wide(2),
            faces: source.lazy(&stored.raw_triangles)?,
            material: |face| usize::from(face.u8(6)),
        };
        mesh.lods.push(lod(&parts, &weights)?);
    }
    // The first one is what was imported, with its wedges joined.
    for model in stored.lod_models.iter().skip(usize::from(is_raw)) {
        let points = source.lazy(&model.points)?;
        let weights = ue2_weights(points.len(), source.lazy(&model.influences)?);
        let parts = SkinParts {
            points,
            wedges: source.lazy(&model.wedges)?,
            uv: Uv::Wide(2),
            faces: source.lazy(&model.faces)?,
            material: |face| usize::from(face.u16(6)),
        };
        mesh.lods.push(lod(&parts, &weights)?);
    }
    match mesh.lods.is_empty() {
        true => Err(Error::invalid("it has no levels of detail")),
        false => Ok(mesh),
    }
}

/// `f32` weight, `u16` point, `u16` bone.
fn ue2_weights(points: usize, all: VertexElements<'_>) -> Vec<Vec<(u16, f32)>> {
    let mut weights = vec![Vec::new(); points];
    for at in all.iter() {
        if let Some(list) = weights.get_mut(usize::from(at.u16(4))) {
            let list: &mut Vec<(u16, f32)> = list;
            list.push((at.u16(6), at.f32(0)));
        }
    }
    weights
}

//! Meshes whose vertices are stored for each frame, of UE1 and UE2.

use super::classic_skeletal::placement;
use super::numbers::{Element, VertexElements, cross, less, unit};
use super::sections::Sections;
use super::shape::{Animation, Lod, Mesh, MeshSection, Morph};
use super::source::{MeshSource, check_frames, turned};
use crate::error::{Error, Result};
use crate::object::ue1::AnimSequence;
use crate::object::{ue1, ue2};

/// Vertices of all frames.
struct Frames<'a> {
    all: VertexElements<'a>,
    is_wide: bool,
    stride: usize,
    count: usize,
}

impl Frames<'_> {
    /// Eleven, eleven and ten bits, or sixteen each.
    fn position(&self, at: Element<'_>) -> [f32; 3] {
        if self.is_wide {
            return [at.i16(0), at.i16(2), at.i16(4)].map(f32::from);
        }
        let bits = at.u32(0).cast_signed();
        [bits << 21 >> 21, bits << 10 >> 21, bits >> 22].map(|number| number as f32)
    }

    fn positions(&self, frame: usize, points: &[usize]) -> Result<Vec<[f32; 3]>> {
        let found = points.iter().map(|point| {
            let at = (*point < self.stride).then(|| frame * self.stride + point);
            let at = at.and_then(|at| self.all.get(at)).ok_or_else(|| {
                Error::invalid(format!("a corner has vertex {point} of {} of a frame", self.stride))
            })?;
            Ok(self.position(at))
        });
        found.collect()
    }

    /// The level of detail with its sections: the first frame, and the others as its other positions. Corners of one point
    /// have one normal, also where the texture has a seam: so engines shade them.
    fn fill(&self, lod: &mut Lod, points: &[usize], sections: Vec<MeshSection>) -> Result<()> {
        check_frames(points.len(), self.count)?;
        lod.positions = self.positions(0, points)?;
        lod.sections = sections;
        lod.normals = smooth(lod, points, self.stride);
        for frame in 1..self.count {
            let positions = self.positions(frame, points)?;
            lod.morphs.push(Morph { name: format!("Frame {frame}"), positions });
        }
        Ok(())
    }
}

/// The mean normal of the triangles at the point of each vertex.
fn smooth(lod: &Lod, points: &[usize], stride: usize) -> Vec<[f32; 3]> {
    let mut sums = vec![[0.0_f32; 3]; stride];
    let place = |at: u32| lod.positions.get(at as usize).copied().unwrap_or_default();
    for triangle in lod.sections.iter().flat_map(|section| section.indices.chunks_exact(3)) {
        let [a, b, c] = [0, 1, 2].map(|at| place(triangle[at]));
        let outwards = cross(less(c, a), less(b, a));
        for corner in triangle {
            let sum = points.get(*corner as usize).and_then(|point| sums.get_mut(*point));
            if let Some(sum) = sum {
                *sum = [0, 1, 2].map(|axis| sum[axis] + outwards[axis]);
            }
        }
    }
    let normal =
        |point: &usize| sums.get(*point).copied().and_then(unit).unwrap_or([0.0, 0.0, 1.0]);
    points.iter().map(normal).collect()
}

fn frames(count: i32, stride: i32, all: VertexElements<'_>, is_wide: bool) -> Result<Frames<'_>> {
    let number = |number: i32| usize::try_from(number).unwrap_or(0);
    let (count, stride) = (number(count), number(stride));
    if stride == 0 || count == 0 || count.checked_mul(stride).is_none_or(|most| most > all.len()) {
        let most = all.len();
        let reason = format!("{count} frames of {stride} vertices, where {most} are stored");
        return Err(Error::invalid(reason));
    }
    Ok(Frames { all, is_wide, stride, count })
}

fn animations(
    source: &MeshSource<'_>,
    stored: &[AnimSequence],
    frames: usize,
) -> Result<Vec<Animation>> {
    let mut made = Vec::new();
    for sequence in stored {
        let first = u32::try_from(sequence.start_frame).unwrap_or(0);
        let count = u32::try_from(sequence.frame_count).unwrap_or(0);
        let count = count.min((frames as u32).saturating_sub(first));
        // A sequence that was stored again and again must not fill the memory.
        check_frames(frames, count as usize)?;
        let rate = sequence.rate;
        made.push(Animation {
            name: source.name_text(sequence.name),
            frame_seconds: if rate.is_finite() && rate > 0.0 { 1.0 / rate } else { 1.0 / 30.0 },
            frames: (first..first + count).collect(),
            tracks: Vec::new(),
        });
    }
    let all: usize = made.iter().map(|animation: &Animation| animation.frames.len()).sum();
    check_frames(frames, all)?;
    Ok(made)
}

fn mesh_of(source: &MeshSource<'_>, stored: &ue1::Mesh, lod: Lod, frames: usize) -> Result<Mesh> {
    Ok(Mesh {
        name: source.name(),
        lods: vec![lod],
        placement: placement(stored.scale, stored.origin, stored.rotation),
        animations: animations(source, &stored.sequences, frames)?,
        ..Mesh::default()
    })
}

/// A mesh of UE1 with levels of detail.
pub(super) fn lod_mesh(source: &MeshSource<'_>, stored: &ue1::LodMesh) -> Result<Mesh> {
    let base = &stored.mesh;
    let wide = base.vertices.is_wide;
    let all = source.elements(&base.vertices.data, if wide { 8 } else { 4 })?;
    let remap = source.payload(&stored.remap_vertices)?;
    let stride = match remap.len() {
        0 => base.frame_vertices,
        _ => stored.old_frame_vertices,
    };
    let frames = frames(base.frame_count, stride, all, wide)?;
    let special = usize::try_from(stored.special_vertices).unwrap_or(0);
    let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let (mut points, mut sections) = (Vec::new(), Sections::default());
    for wedge in source.payload(&stored.wedges)?.iter() {
        let point = usize::from(wedge.u16(0)).saturating_add(special);
        points.push(match remap.len() {
            0 => point,
            _ => remap.get(point).map_or(point, |at| usize::from(at.u16(0))),
        });
        lod.uvs[0].push([wedge.u8(2), wedge.u8(3)].map(|number| f32::from(number) / 255.0));
    }
    for face in source.payload(&stored.faces)?.iter() {
        let material = stored.materials.get(usize::from(face.u16(6)));
        let material = material.map_or(0, |it| usize::try_from(it.texture_index).unwrap_or(0));
        let corners = [0, 2, 4].map(|at| u32::from(face.u16(at)));
        sections.push(material, turned(corners));
    }
    frames.fill(&mut lod, &points, sections.list)?;
    mesh_of(source, base, lod, frames.count)
}

/// A mesh of UE1 without levels of detail.
pub(super) fn mesh(source: &MeshSource<'_>, stored: &ue1::Mesh) -> Result<Mesh> {
    let wide = stored.vertices.is_wide;
    let all = source.elements(&stored.vertices.data, if wide { 8 } else { 4 })?;
    let frames = frames(stored.frame_count, stored.frame_vertices, all, wide)?;
    let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let (mut points, mut sections) = (Vec::new(), Sections::default());
    for triangle in source.lazy(&stored.triangles)?.iter() {
        let first = points.len() as u32;
        for corner in 0..3 {
            points.push(usize::from(triangle.u16(corner * 2)));
            let uv = [6 + corner * 2, 7 + corner * 2].map(|at| f32::from(triangle.u8(at)) / 255.0);
            lod.uvs[0].push(uv);
        }
        let material = usize::try_from(triangle.i32(16)).unwrap_or(0);
        sections.push(material, turned([first, first + 1, first + 2]));
    }
    frames.fill(&mut lod, &points, sections.list)?;
    mesh_of(source, stored, lod, frames.count)
}

/// A mesh of UE2.
pub(super) fn vert_mesh(source: &MeshSource<'_>, stored: &ue2::VertMesh) -> Result<Mesh> {
    let base = &stored.base;
    let all = source.payload(&base.vertices)?;
    let frames = frames(stored.frame_count, stored.frame_vertices, all, false)?;
    let mut lod = Lod { uvs: vec![Vec::new()], ..Lod::default() };
    let (mut points, mut sections) = (Vec::new(), Sections::default());
    for wedge in source.payload(&base.wedges)?.iter() {
        points.push(usize::from(wedge.u16(0)));
        lod.uvs[0].push(wedge.uv(2, true));
    }
    for face in source.payload(&base.faces)?.iter() {
        let material = base.mesh_materials.get(usize::from(face.u16(6)));
        let material = material.map_or(0, |it| usize::try_from(it.material).unwrap_or(0));
        let corners = [0, 2, 4].map(|at| u32::from(face.u16(at)));
        sections.push(material, turned(corners));
    }
    frames.fill(&mut lod, &points, sections.list)?;
    Ok(Mesh {
        name: source.name(),
        lods: vec![lod],
        placement: placement(base.scale, base.origin, base.rotation),
        animations: animations(source, &stored.sequences, frames.count)?,
        ..Mesh::default()
    })
}

//! Meshes of UE1: vertices for each frame, with levels of detail and without.

use std::collections::{HashMap, HashSet};

use super::change::MeshChange;
use super::collapse::CollapseOrder;
use super::frames::{MeshFrames, vertex_numbers};
use super::slots::MeshSlots;
use crate::archive::Span;
use crate::content::mesh::shape::{Animation, Mesh};
use crate::content::mesh::source::MeshSource;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::object::geometry::Primitive;
use crate::object::ue1;
use crate::primitive::{LazyPayload, Payload, StoredName};

/// What vertices of a mesh stay at least, in every known one.
const LEAST_VERTICES: i32 = 10;
/// Frames a second where nothing says it.
const RATE: f32 = 30.0;
/// Flags that all triangles of a mesh have: those of no triangle.
const ALL_FLAGS: u32 = u32::MAX;

/// A new mesh as engines make one: without its vertices.
pub(super) fn blank() -> ue1::LodMesh {
    ue1::LodMesh {
        // What engines take where no `LODPARAMS` says otherwise (spec: ue1-3/16 §16.9).
        lod_strength: 1.0,
        lod_min_vertices: LEAST_VERTICES,
        lod_morph: 0.3,
        mesh: ue1::Mesh { and_flags: ALL_FLAGS, ..ue1::Mesh::default() },
        ..ue1::LodMesh::default()
    }
}

/// Puts the mesh of a file into one with levels of detail.
pub(super) fn store_lod(
    edit: &mut Edit,
    row: usize,
    stored: &mut ue1::LodMesh,
    (slots, new): (&MeshSlots, &Mesh),
    change: &mut MeshChange,
) -> Result<()> {
    let is_new = stored.wedges.count() == 0;
    let special = special_points(edit, row, stored)?;
    let mut frames =
        MeshFrames::of(&stored.mesh, new, &slots.of_file, (is_new, !special.is_empty()), change)?;
    if !special.is_empty() && special.len() != frames.frames.len() {
        let (had, has) = (special.len(), frames.frames.len());
        return Err(Error::invalid(format!(
            "the triangle that a weapon is held by has {had} frames, the file {has}"
        )));
    }
    let order = put_in_order(&mut frames);
    put_base(edit, &mut stored.mesh, &frames, &special, (slots, new), change)?;
    let used: HashSet<usize> = frames.faces.iter().map(|(_, slot)| *slot).collect();
    let (materials, of_slot) = lod_materials(stored, slots, &used);
    let flags = |it: &ue1::MeshMaterial| (it.texture_index, it.poly_flags);
    note_flags(stored.materials.iter().map(flags), change);
    stored.materials = materials;
    put_levels(stored, &frames, &order, &of_slot);
    Ok(())
}

/// Puts the points of a mesh into the order in which they fall together.
pub(super) fn put_in_order(frames: &mut MeshFrames) -> CollapseOrder {
    let triangles: Vec<_> = frames.faces.iter().map(|(face, _)| frames.corners(*face)).collect();
    let order = CollapseOrder::of(&frames.places, &triangles);
    frames.reorder(&order.old);
    order
}

/// What a mesh with levels of detail has beside its frames; `of_slot` says the material of each slot of its faces.
pub(super) fn put_levels(
    stored: &mut ue1::LodMesh,
    frames: &MeshFrames,
    order: &CollapseOrder,
    of_slot: &[u16],
) {
    let count = frames.places.len();
    stored.model_vertices = count as i32;
    stored.remap_vertices = Payload::default();
    stored.old_frame_vertices = 0;
    stored.mesh_scale_max = stored.mesh.bounding_sphere.radius * stored.mesh.scale.x.abs() / 64.0;
    stored.collapse_points = shorts(order.onto.iter().copied());
    stored.collapse_wedges = shorts(collapsed_wedges(frames, order, stored.lod_min_vertices));
    let levels = frames.faces.iter().map(|(face, _)| order.level(frames.corners(*face)));
    stored.face_levels = shorts(levels);
    let face = |(face, slot): &([u16; 3], usize)| {
        let material = of_slot.get(*slot).copied().unwrap_or_default();
        [face[0], face[1], face[2], material]
    };
    stored.faces = shorts(frames.faces.iter().flat_map(face));
    let wedge = |(point, uv): &(u16, [u8; 2])| {
        let [low, high] = point.to_le_bytes();
        [low, high, uv[0], uv[1]]
    };
    stored.wedges = Payload(Span::owned(frames.wedges.iter().flat_map(wedge).collect::<Vec<_>>()));
}

/// Puts the mesh of a file into one without levels of detail.
pub(super) fn store_plain(
    edit: &mut Edit,
    row: usize,
    stored: &mut ue1::Mesh,
    (slots, new): (&MeshSlots, &Mesh),
    change: &mut MeshChange,
) -> Result<()> {
    let flags = triangle_flags(edit, row, stored, slots.objects.len(), change)?;
    let frames = MeshFrames::of(stored, new, &slots.of_file, (false, false), change)?;
    put_base(edit, stored, &frames, &[], (slots, new), change)?;
    let of_slot: Vec<_> = flags.into_iter().zip(0..).collect();
    put_triangles(stored, &frames, &of_slot);
    Ok(())
}

/// The triangles of a mesh without levels of detail, and which of them are at each point; `of_slot` says the flags and the
/// texture of each slot of its faces.
pub(super) fn put_triangles(stored: &mut ue1::Mesh, frames: &MeshFrames, of_slot: &[(u32, i32)]) {
    let mut bytes = Vec::with_capacity(frames.faces.len() * 20);
    let mut at_point: Vec<Vec<u32>> = vec![Vec::new(); frames.places.len()];
    for (number, (face, slot)) in frames.faces.iter().enumerate() {
        let corners = frames.corners(*face);
        bytes.extend(corners.iter().flat_map(|point| point.to_le_bytes()));
        let uv = |wedge: &u16| frames.wedges.get(usize::from(*wedge)).map_or([0; 2], |(_, uv)| *uv);
        bytes.extend(face.iter().flat_map(uv));
        let (flags, texture) = of_slot.get(*slot).copied().unwrap_or_default();
        bytes.extend_from_slice(&flags.to_le_bytes());
        bytes.extend_from_slice(&texture.to_le_bytes());
        for point in corners {
            at_point[usize::from(point)].push(number as u32);
        }
    }
    stored.triangles =
        LazyPayload { data: Payload(Span::owned(bytes)), ..stored.triangles.clone() };
    let (mut connects, mut links) = (Vec::new(), Vec::new());
    for triangles in at_point {
        connects.extend_from_slice(&(triangles.len() as u32).to_le_bytes());
        connects.extend_from_slice(&((links.len() / 4) as u32).to_le_bytes());
        links.extend(triangles.iter().flat_map(|number| number.to_le_bytes()));
    }
    stored.connects =
        LazyPayload { data: Payload(Span::owned(connects)), ..stored.connects.clone() };
    stored.vertex_links =
        LazyPayload { data: Payload(Span::owned(links)), ..stored.vertex_links.clone() };
}

/// Says so where triangles of one texture have different flags: they get those of the first.
fn note_flags(of_texture: impl Iterator<Item = (i32, u32)>, change: &mut MeshChange) {
    let mut first = HashMap::new();
    let mut others = HashSet::new();
    for (texture, flags) in of_texture {
        if *first.entry(texture).or_insert(flags) != flags {
            others.insert(texture);
        }
    }
    if !others.is_empty() {
        let count = others.len();
        change.notes.push(format!(
            "textures whose triangles had different flags, now those of the first: {count}"
        ));
    }
}

/// Flags of the triangles of each texture: those of the first.
fn triangle_flags(
    edit: &Edit,
    row: usize,
    stored: &ue1::Mesh,
    textures: usize,
    change: &mut MeshChange,
) -> Result<Vec<u32>> {
    let decoded = edit.decode(row)?;
    let source = MeshSource::of(edit, row, &decoded.body);
    note_flags(source.lazy(&stored.triangles)?.iter().map(|it| (it.i32(16), it.u32(12))), change);
    let mut flags = vec![None; textures];
    for triangle in source.lazy(&stored.triangles)?.iter() {
        let texture = usize::try_from(triangle.i32(16)).ok();
        if let Some(flag) = texture.and_then(|at| flags.get_mut(at)) {
            flag.get_or_insert(triangle.u32(12));
        }
    }
    Ok(flags.into_iter().map(Option::unwrap_or_default).collect())
}

fn shorts<const N: usize>(numbers: impl IntoIterator<Item = u16>) -> Payload<N> {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u16::to_le_bytes).collect();
    Payload(Span::owned(bytes))
}

/// What meshes with levels of detail and without have alike.
fn put_base(
    edit: &mut Edit,
    stored: &mut ue1::Mesh,
    frames: &MeshFrames,
    special: &[Vec<[i16; 3]>],
    (slots, new): (&MeshSlots, &Mesh),
    change: &mut MeshChange,
) -> Result<()> {
    let had = stored.frame_count;
    put_frames(stored, frames, special);
    if had > 0 && had != stored.frame_count {
        change.notes.push(format!("{had} frames became {}", stored.frame_count));
    }
    stored.textures.clone_from(&slots.objects);
    stored.texture_lods.resize(slots.objects.len(), 1.0);
    add_sequences(edit, stored, &new.animations)
}

/// The vertices of all frames, and what is around them.
pub(super) fn put_frames(stored: &mut ue1::Mesh, frames: &MeshFrames, special: &[Vec<[i16; 3]>]) {
    (stored.scale, stored.origin, stored.rotation) = (frames.scale, frames.origin, frames.rotation);
    stored.vertices.data = Span::owned(frames.bytes(special));
    let (of_frames, (whole, sphere)) = frames.bounds();
    (stored.bounding_boxes, stored.bounding_spheres) = of_frames.into_iter().unzip();
    (stored.bounding_box, stored.bounding_sphere) = (whole, sphere);
    stored.primitive = Primitive { bounding_box: whole, bounding_sphere: sphere };
    let before = special.first().map_or(0, Vec::len);
    stored.frame_vertices = (frames.places.len() + before) as i32;
    stored.frame_count = frames.frames.len() as i32;
}

/// Sequences of a file take the place of those that are called so; others stay where their frames are there.
fn add_sequences(edit: &mut Edit, stored: &mut ue1::Mesh, animations: &[Animation]) -> Result<()> {
    let mut seen = HashSet::new();
    for animation in animations {
        if animation.name.is_empty() || !seen.insert(animation.name.to_ascii_lowercase()) {
            let name = &animation.name;
            return Err(Error::invalid(format!(
                "the file has animation '{name}' without a name of its own"
            )));
        }
        let first = animation.frames.first().copied().unwrap_or(0);
        let is_row = (first..).zip(&animation.frames).all(|(expected, frame)| expected == *frame);
        if !is_row {
            return Err(Error::invalid(format!(
                "the keys of animation {} are not the morph targets one after the other",
                animation.name
            )));
        }
        let (start_frame, frame_count) = (first as i32, animation.frames.len() as i32);
        let rate = match animation.frame_seconds {
            seconds if seconds > 0.0 && seconds.is_finite() => Some(1.0 / seconds),
            _ => None,
        };
        let name = &animation.name;
        let known = stored
            .sequences
            .iter()
            .position(|it| edit.name_text(it.name).eq_ignore_ascii_case(name));
        match known.and_then(|at| stored.sequences.get_mut(at)) {
            Some(sequence) => {
                (sequence.start_frame, sequence.frame_count) = (start_frame, frame_count);
                if let Some(rate) =
                    rate.filter(|rate| (rate - sequence.rate).abs() > sequence.rate.abs() * 1e-3)
                {
                    sequence.rate = rate;
                }
            }
            None => {
                let made = ue1::AnimSequence {
                    name: edit.add_name(name)?,
                    group: StoredName::from(edit.none_name()),
                    start_frame,
                    frame_count,
                    rate: rate.unwrap_or(RATE),
                    ..ue1::AnimSequence::default()
                };
                stored.sequences.push(made);
            }
        }
    }
    let frames = stored.frame_count;
    let lost =
        stored.sequences.iter().find(|it| it.start_frame.saturating_add(it.frame_count) > frames);
    match lost {
        None => Ok(()),
        Some(lost) => {
            let name = edit.name_text(lost.name);
            Err(Error::invalid(format!(
                "sequence {name} has frames beyond the {frames} of the file: write the file with all morph targets, or with \
                 an animation of that name"
            )))
        }
    }
}

/// The points of the triangle that a weapon is held by, which stand before the others in each frame.
fn special_points(edit: &Edit, row: usize, stored: &ue1::LodMesh) -> Result<Vec<Vec<[i16; 3]>>> {
    let special = usize::try_from(stored.special_vertices).unwrap_or(0);
    if special == 0 {
        return Ok(Vec::new());
    }
    let decoded = edit.decode(row)?;
    let source = MeshSource::of(edit, row, &decoded.body);
    let base = &stored.mesh;
    let size = if base.vertices.is_wide { 8 } else { 4 };
    let all = source.elements(&base.vertices.data, size)?;
    let remap = source.payload(&stored.remap_vertices)?;
    let stride = if remap.len() == 0 { base.frame_vertices } else { stored.old_frame_vertices };
    let stride = usize::try_from(stride).unwrap_or(0);
    let point = |frame: usize, point: usize| {
        let point = if remap.len() == 0 { point } else { usize::from(remap.get(point)?.u16(0)) };
        let at = frame.checked_mul(stride)?.checked_add(point).filter(|_| point < stride)?;
        Some(vertex_numbers(all.get(at)?, base.vertices.is_wide))
    };
    let frames = usize::try_from(base.frame_count).unwrap_or(0).min(all.len());
    crate::content::mesh::source::check_frames(special, frames)?;
    (0..frames)
        .map(|frame| (0..special).map(|at| point(frame, at)).collect::<Option<Vec<_>>>())
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| {
            Error::invalid("the triangle that a weapon is held by has vertices that are not there")
        })
}

/// The wedge that each falls to: of the point that its own falls to, the one with the nearest texture coordinates. Those
/// of points that always stay fall to themselves.
fn collapsed_wedges(frames: &MeshFrames, order: &CollapseOrder, least: i32) -> Vec<u16> {
    let least = usize::try_from(least).unwrap_or(0);
    // Wedges stand in the order of their points.
    let first = |point: u16| frames.wedges.partition_point(|(other, _)| *other < point);
    let onto = |(at, (point, uv)): (usize, &(u16, [u8; 2]))| {
        let target = order.onto.get(usize::from(*point)).copied().unwrap_or(*point);
        if usize::from(*point) < least || target >= *point {
            return at as u16;
        }
        let others = first(target)..first(target + 1);
        let away = |other: &usize| {
            let to = frames.wedges[*other].1;
            u32::from(to[0].abs_diff(uv[0])) + u32::from(to[1].abs_diff(uv[1]))
        };
        // A point with very many wedges would be looked through for each that falls to it.
        others.take(64).min_by_key(away).unwrap_or(at) as u16
    };
    frames.wedges.iter().enumerate().map(onto).collect()
}

/// The materials of a mesh, and which of them each of its textures has: those that show a texture keep their flags.
fn lod_materials(
    stored: &ue1::LodMesh,
    slots: &MeshSlots,
    used: &HashSet<usize>,
) -> (Vec<ue1::MeshMaterial>, Vec<u16>) {
    let mut materials = stored.materials.clone();
    let mut first: HashMap<i32, usize> = HashMap::new();
    for (at, material) in materials.iter().enumerate() {
        first.entry(material.texture_index).or_insert(at);
    }
    let of_texture = (0..slots.objects.len()).map(|slot| {
        if !used.contains(&slot) {
            return 0;
        }
        let texture_index = slot as i32;
        *first.entry(texture_index).or_insert_with(|| {
            materials.push(ue1::MeshMaterial { poly_flags: 0, texture_index });
            materials.len() - 1
        }) as u16
    });
    let of_texture = of_texture.collect();
    (materials, of_texture)
}

//! New meshes of UE1 from files of its own.

use std::collections::HashMap;

use super::frames::MeshFrames;
use super::ue1_mesh::{blank, put_frames, put_in_order, put_levels, put_triangles};
use super::ue2_static::vector;
use super::unreal_3d::Unreal3d;
use crate::edit::{Edit, NewProperties};
use crate::error::{Error, Result};
use crate::object::geometry::Rotator;
use crate::object::ue1;
use crate::primitive::{PackageIndex, StoredName};

/// How a new mesh is made of a `_d.3d` and an `_a.3d` file, as lines of `#exec MESH` and `#exec MESHMAP` say it.
///
/// Spec: ue1-3/16 §16.9.
#[derive(Debug, Clone, PartialEq)]
pub struct NewVertexMesh {
    /// Size of a step of its numbers. `MESHMAP SCALE`.
    pub scale: [f32; 3],
    /// What is taken away from its numbers. `MESH ORIGIN`.
    pub origin: [f32; 3],
    /// Pitch, yaw and roll, 65536 a turn. `MESH ORIGIN`, where 256 are one.
    pub rotation: [i32; 3],
    /// Whether it has no levels of detail. `MESH IMPORT … MLOD=0`.
    pub without_levels: bool,
    /// Whether it is seen in a mirror. `MESH IMPORT … UNMIRROR=1`.
    pub unmirrored: bool,
    /// How strongly levels of detail are used. `MESH LODPARAMS`, as the next four.
    pub lod_strength: f32,
    /// Vertices that stay at least.
    pub lod_min_vertices: i32,
    /// How much vertices are moved on the way.
    pub lod_morph: f32,
    /// How much nearer it must be to have more.
    pub lod_hysteresis: f32,
    /// How much further away it is taken to be.
    pub lod_z_displace: f32,
    /// Textures by their numbers. `MESHMAP SETTEXTURE`.
    pub textures: Vec<PackageIndex>,
    /// Sequences. `MESH SEQUENCE`.
    pub sequences: Vec<NewSequence>,
}

/// A sequence of a new mesh.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewSequence {
    /// Its name.
    pub name: String,
    /// Its group.
    pub group: Option<String>,
    /// First frame.
    pub start_frame: i32,
    /// Frames.
    pub frame_count: i32,
    /// Frames a second.
    pub rate: f32,
    /// When functions are called, from 0 to 1, and which. `MESH NOTIFY`.
    pub notifies: Vec<(f32, String)>,
}

impl Default for NewVertexMesh {
    fn default() -> Self {
        let blank = blank();
        Self {
            scale: [1.0; 3],
            origin: [0.0; 3],
            rotation: [0; 3],
            without_levels: false,
            unmirrored: false,
            lod_strength: blank.lod_strength,
            lod_min_vertices: blank.lod_min_vertices,
            lod_morph: blank.lod_morph,
            lod_hysteresis: blank.lod_hysteresis,
            lod_z_displace: blank.lod_z_displace,
            textures: Vec::new(),
            sequences: Vec::new(),
        }
    }
}

pub(super) fn add(
    edit: &mut Edit,
    path: &str,
    (data, animation): (&[u8], &[u8]),
    new: &NewVertexMesh,
) -> Result<usize> {
    let mut file = Unreal3d::read(data, animation)?;
    if new.unmirrored {
        file.unmirror();
    }
    let mut lod = blank();
    let mesh = &mut lod.mesh;
    let [pitch, yaw, roll] = new.rotation;
    (mesh.scale, mesh.origin) = (vector(new.scale), vector(new.origin));
    mesh.rotation = Rotator { pitch, yaw, roll };
    mesh.vertices.is_wide = file.is_wide;
    // A slot for each pair of flags and texture, in the order of the polygons.
    let mut slots: HashMap<(u32, i32), usize> = HashMap::new();
    let mut of_slot = Vec::new();
    let mut faces = Vec::with_capacity(file.polygons.len());
    for polygon in &file.polygons {
        let shown = (polygon.flags, i32::from(polygon.texture));
        let slot = *slots.entry(shown).or_insert_with(|| {
            of_slot.push(shown);
            of_slot.len() - 1
        });
        faces.push((polygon.corners, slot));
    }
    let mut frames = MeshFrames::of_numbers(mesh, file.frames, faces)?;
    let used = file.polygons.iter().map(|polygon| usize::from(polygon.texture) + 1);
    let used = used.max().unwrap_or(0).max(new.textures.len());
    mesh.textures.clone_from(&new.textures);
    mesh.textures.resize(used, PackageIndex::NULL);
    mesh.texture_lods.resize(used, 1.0);
    mesh.sequences = sequences(edit, new, frames.frames.len())?;
    if new.without_levels {
        put_frames(mesh, &frames, &[]);
        put_triangles(mesh, &frames, &of_slot);
        (mesh.and_flags, mesh.or_flags) = (0, 0);
        let properties = NewProperties::new(edit).finish();
        return edit.add_object(path, "Engine.Mesh", properties, lod.mesh);
    }
    let order = put_in_order(&mut frames);
    put_frames(mesh, &frames, &[]);
    (lod.lod_strength, lod.lod_morph) = (new.lod_strength, new.lod_morph);
    (lod.lod_hysteresis, lod.lod_z_displace) = (new.lod_hysteresis, new.lod_z_displace);
    lod.lod_min_vertices = new.lod_min_vertices;
    let material = |(poly_flags, texture_index): &(u32, i32)| ue1::MeshMaterial {
        poly_flags: *poly_flags,
        texture_index: *texture_index,
    };
    lod.materials = of_slot.iter().map(material).collect();
    let of_slot: Vec<u16> = (0..of_slot.len()).map(|slot| slot as u16).collect();
    put_levels(&mut lod, &frames, &order, &of_slot);
    let properties = NewProperties::new(edit).finish();
    edit.add_object(path, "Engine.LodMesh", properties, lod)
}

fn sequences(
    edit: &mut Edit,
    new: &NewVertexMesh,
    frames: usize,
) -> Result<Vec<ue1::AnimSequence>> {
    let mut made = Vec::with_capacity(new.sequences.len());
    for sequence in &new.sequences {
        let (start, count) = (sequence.start_frame, sequence.frame_count);
        let end = start.checked_add(count).filter(|_| start >= 0 && count >= 0);
        if end.and_then(|end| usize::try_from(end).ok()).is_none_or(|end| end > frames) {
            let name = &sequence.name;
            return Err(Error::invalid(format!(
                "sequence {name} has {count} frames from {start} on, of {frames}"
            )));
        }
        let group = match &sequence.group {
            Some(group) => edit.add_name(group)?,
            None => edit.none_name(),
        };
        let mut notifies = Vec::with_capacity(sequence.notifies.len());
        for (time, function) in &sequence.notifies {
            let function = edit.add_name(function)?;
            notifies.push(ue1::Notify { time: *time, function, object: PackageIndex::NULL });
        }
        made.push(ue1::AnimSequence {
            name: edit.add_name(&sequence.name)?,
            group: StoredName::from(group),
            start_frame: start,
            frame_count: count,
            notifies,
            rate: sequence.rate,
            ..ue1::AnimSequence::default()
        });
    }
    Ok(made)
}

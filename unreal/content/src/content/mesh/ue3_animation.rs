//! Animations of UE3: keys of the bones that a set of animations names ([`animation_set`](super::animation_set)).

use super::animation::{Tracks, finished, raw_track, seconds};
use super::animation_set::{AnimationSet, KnownSkeletons, NoSkeleton};
use super::material::MeshOptions;
use super::numbers::conjugated;
use super::packed_keys::PackedKeys;
use super::shape::{Bone, Mesh};
use super::source::MeshSource;
use crate::archive::Span;
use crate::error::{Error, Result};
use crate::object::ue3::asset::animation::AnimSequence;
use crate::primitive::PackageIndex;
use crate::property::Value;

/// The bones of a mesh that has those of the animation, and the animation.
pub(super) fn mesh(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    options: &MeshOptions<'_>,
) -> Result<Mesh> {
    let alone = KnownSkeletons::default();
    let known = options.known.unwrap_or(&alone);
    let set = known.set(source.package, set_of(source)?, options)?;
    let skeleton = set.skeleton.as_ref().map_err(NoSkeleton::error)?;
    let mut mesh = Mesh { name: name(source), ..Mesh::default() };
    mesh.bones.clone_from(&skeleton.mesh.bones);
    mesh.notes.extend(skeleton.note.clone());
    let seconds = source.value("SequenceLength").and_then(seconds);
    let bone = |track: usize| set.tracks.get(track).and_then(|name| skeleton.mesh.names.find(name));
    let length = seconds.unwrap_or(0.0);
    let packed = match options.played || stored.raw_tracks.is_empty() {
        true => packed_tracks(source, stored, length, bone)?,
        false => None,
    };
    let mut found = match packed {
        Some(found) => found,
        None => raw_tracks(source, stored, length, bone)?,
    };
    turn(&mesh.bones, &mut found);
    let kept = keep_places(&set, &mesh.bones, &mut found);
    if kept > 0 {
        mesh.notes.push(format!("{kept} bones stay where they are in the mesh, as the set says"));
    }
    finished(mesh, found, seconds)
}

/// The set names animations, not the object.
fn name(source: &MeshSource<'_>) -> String {
    match source.value("SequenceName") {
        Some(Value::Name(name)) => source.name_text(*name),
        _ => source.name(),
    }
}

/// The object that lists the bones: the set around an animation, or one of their own in Mass Effect.
fn set_of(source: &MeshSource<'_>) -> Result<usize> {
    let named = source.value("m_pBioAnimSetData").and_then(Value::export);
    let outer = source.package.outer(PackageIndex::export(source.row));
    let row = named.or_else(|| Value::Object(outer).export());
    row.filter(|row| *row < source.package.exports().len())
        .ok_or_else(|| Error::invalid("it is in no set of animations"))
}

/// Tracks as they were imported.
fn raw_tracks(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    seconds: f32,
    bone: impl Fn(usize) -> Option<usize>,
) -> Result<Tracks> {
    let mut found = Tracks::default();
    for (at, track) in stored.raw_tracks.iter().enumerate() {
        let spans = [&track.positions.data, &track.rotations.data, &Span::default()];
        found.push(bone(at), |bone| raw_track(source, bone, spans, seconds))?;
    }
    Ok(found)
}

/// Tracks as they are packed; `None` where none are.
fn packed_tracks(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    seconds: f32,
    bone: impl Fn(usize) -> Option<usize>,
) -> Result<Option<Tracks>> {
    let bytes = stored.compressed.0.bytes(source.package.source())?;
    let Some(packed) = PackedKeys::of_properties(source, seconds, bytes)? else { return Ok(None) };
    let mut found = Tracks::default();
    for at in 0..packed.len() {
        found.push(bone(at), |bone| packed.track(at, bone))?;
    }
    Ok(Some(found))
}

/// Turns the keys of all bones but the root's around: they are stored the other way round than the bones of meshes, which
/// packages say that hold both (of 5,000 tracks four in five start near the pose of rest then, and one in three else).
fn turn(bones: &[Bone], found: &mut Tracks) {
    for track in found.tracks.iter_mut().filter(|track| bones[track.bone].parent.is_some()) {
        for (_, rotation) in &mut track.rotations {
            *rotation = conjugated(*rotation);
        }
    }
}

/// Takes the positions of bones that the engine leaves where they are in the mesh. Says how many had some that differ.
fn keep_places(set: &AnimationSet, bones: &[Bone], found: &mut Tracks) -> usize {
    let mut kept = 0;
    for track in &mut found.tracks {
        let bone = &bones[track.bone];
        if !set.leaves(&bone.name, bone.parent.is_none()) {
            continue;
        }
        let same = |(_, place): &(f32, [f32; 3])| *place == bone.rest.translation;
        kept += usize::from(!track.translations.iter().all(same));
        track.translations.clear();
    }
    kept
}

//! Animations of UE3: keys of the bones that a set of animations names. The skeleton is that of a mesh, which a set does
//! not refer to: the one that its author looked at is named as text, unless that was left out.

use std::collections::HashSet;

use super::animation::{BoneNames, Tracks, finished, no_skeleton, raw_track, seconds};
use super::material::MeshOptions;
use super::packed_keys::PackedKeys;
use super::shape::{Bone, Mesh};
use super::source::{MeshSource, is_true};
use super::ue3_skeletal::bones;
use crate::archive::Span;
use crate::error::{Error, Result};
use crate::object::ue3::asset::animation::AnimSequence;
use crate::object::ue3::asset::skeletal_mesh::SkeletalMesh;
use crate::package::{Package, native_as};
use crate::primitive::{Name, PackageIndex};
use crate::property::{Elements, Value};

/// The bones of a mesh that has those of the animation, and the animation.
pub(super) fn mesh(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    options: &MeshOptions<'_>,
) -> Result<Mesh> {
    let package = source.package;
    let set = set_of(source)?;
    let decoded = package.decode(set)?;
    let set = MeshSource { package, row: set, body: &decoded.body };
    let tracks = names(&set, "TrackBoneNames");
    let mut mesh = Mesh { name: name(source), ..Mesh::default() };
    let skeleton = skeleton(&set, &tracks, options)?;
    mesh.bones = skeleton.bones;
    mesh.notes.extend(skeleton.note);
    let bones = BoneNames::of(&mesh.bones);
    let seconds = source.value("SequenceLength").and_then(seconds);
    let bone = |track: usize| tracks.get(track).and_then(|name| bones.find(name));
    let length = seconds.unwrap_or(0.0);
    let mut found = match stored.raw_tracks.is_empty() || options.played {
        true => packed_tracks(source, stored, length, bone)?,
        false => raw_tracks(source, stored, length, bone)?,
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

fn names(source: &MeshSource<'_>, property: &str) -> Vec<String> {
    let listed: &[Name] = match source.value(property) {
        Some(Value::Array(Elements::Name(all))) => all,
        _ => &[],
    };
    listed.iter().map(|name| source.name_text(*name)).collect()
}

struct FoundSkeleton {
    bones: Vec<Bone>,
    note: Option<String>,
}

/// The bones of the mesh that the set was made for; where nothing says which one that is, of that of the package which has
/// the most of its bones, and more than half.
fn skeleton(
    set: &MeshSource<'_>,
    tracks: &[String],
    options: &MeshOptions<'_>,
) -> Result<FoundSkeleton> {
    let package = set.package;
    let named = match set.value("PreviewSkelMeshName") {
        Some(Value::Name(name)) => Some(set.name_text(*name)).filter(|name| name != "None"),
        _ => None,
    };
    if let Some(name) = &named
        && let Some(bones) = named_mesh(package, name, options)?
    {
        return Ok(FoundSkeleton { bones, note: None });
    }
    let mut best: Option<(usize, usize, Vec<Bone>)> = None;
    for row in 0..package.exports().len() {
        if super::source::class_name(package, row) != "SkeletalMesh" {
            continue;
        }
        let Some(bones) = bones_of(package, row)? else { continue };
        let known = BoneNames::of(&bones);
        let count = tracks.iter().filter(|name| known.find(name).is_some()).count();
        if count * 2 > tracks.len() && best.as_ref().is_none_or(|(most, ..)| count > *most) {
            best = Some((count, row, bones));
        }
    }
    match (best, named) {
        (Some((count, row, bones)), _) => {
            let path = package.exports().path(row);
            let note =
                format!("the bones are those of {path}, which has {count} of {}", tracks.len());
            Ok(FoundSkeleton { bones, note: Some(note) })
        }
        (None, Some(name)) => Err(no_skeleton(name)),
        (None, None) => Err(Error::invalid("no mesh of its package has its bones")),
    }
}

/// The bones of the mesh of this path, which begins with the name of a package.
fn named_mesh(
    package: &Package,
    path: &str,
    options: &MeshOptions<'_>,
) -> Result<Option<Vec<Bone>>> {
    if let Some((other, row)) = options.objects.and_then(|it| it.find_path(path)) {
        return bones_of(&other, row);
    }
    // A package does not know its own name: the rest of the path may be one of its objects.
    let inner = path.split_once('.').map(|(_, inner)| inner);
    for path in [Some(path), inner].into_iter().flatten() {
        if let Ok(row) = package.find_export(path)
            && let Some(bones) = bones_of(package, row)?
        {
            return Ok(Some(bones));
        }
    }
    Ok(None)
}

fn bones_of(package: &Package, row: usize) -> Result<Option<Vec<Bone>>> {
    let decoded = package.decode(row)?;
    let Some(stored) = native_as::<SkeletalMesh>(&decoded.body) else { return Ok(None) };
    bones(&MeshSource { package, row, body: &decoded.body }, stored).map(Some)
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

/// Tracks as they are packed.
fn packed_tracks(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    seconds: f32,
    bone: impl Fn(usize) -> Option<usize>,
) -> Result<Tracks> {
    let mut found = Tracks::default();
    let bytes = stored.compressed.0.bytes(source.package.source())?;
    if let Some(packed) = PackedKeys::of_properties(source, seconds, bytes)? {
        for at in 0..packed.len() {
            found.push(bone(at), |bone| packed.track(at, bone))?;
        }
    }
    Ok(found)
}

/// Turns the keys of all bones but the root's around: they are stored the other way round than the bones of meshes, which
/// packages say that hold both (of 5,000 tracks four in five start near the pose of rest then, and one in three else).
fn turn(bones: &[Bone], found: &mut Tracks) {
    for track in found.tracks.iter_mut().filter(|track| bones[track.bone].parent.is_some()) {
        for (_, [x, y, z, _]) in &mut track.rotations {
            (*x, *y, *z) = (-*x, -*y, -*z);
        }
    }
}

/// Takes the positions of bones that the engine leaves where they are in the mesh: all but the root's and those that a set
/// lists, unless the set says that it moves bones. Says how many had some that differ.
fn keep_places(set: &MeshSource<'_>, bones: &[Bone], found: &mut Tracks) -> usize {
    let fixed: HashSet<String> = lower(names(set, "ForceMeshTranslationBoneNames"));
    let moved: HashSet<String> = lower(names(set, "UseTranslationBoneNames"));
    let rotates = set.value("bAnimRotationOnly").is_none_or(is_true);
    let mut kept = 0;
    for track in &mut found.tracks {
        let bone = &bones[track.bone];
        let name = bone.name.to_ascii_lowercase();
        let stays =
            fixed.contains(&name) || rotates && bone.parent.is_some() && !moved.contains(&name);
        if !stays {
            continue;
        }
        let same = |(_, place): &(f32, [f32; 3])| *place == bone.rest.translation;
        kept += usize::from(!track.translations.iter().all(same));
        track.translations.clear();
    }
    kept
}

fn lower(names: Vec<String>) -> HashSet<String> {
    names.into_iter().map(|name| name.to_ascii_lowercase()).collect()
}

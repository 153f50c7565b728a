//! Animations of bones, UE2.

use super::animation::BoneNames;
use super::numbers::conjugated;
use super::shape::{Animation, Mesh, Track};
use super::source::MeshSource;
use crate::error::Result;
use crate::object::ue1::{AnalogTrack, Motion};
use crate::object::ue2::MeshAnimation;
use crate::package::native_as;
use crate::primitive::{ObjectRef, PackageIndex};

/// First flag of motions whose keys are packed.
const PACKED: u32 = 3;

/// Gives a mesh the sequences of its default animation, where that is in the package.
pub(super) fn add(source: &MeshSource<'_>, mesh: &mut Mesh, object: PackageIndex) -> Result<()> {
    let row = match object.target() {
        ObjectRef::Export(row) if row < source.package.exports().len() => row,
        ObjectRef::Import(_) => {
            let path = source.package.path(object);
            mesh.notes.push(format!("its animations are in another package: {path}"));
            return Ok(());
        }
        _ => return Ok(()),
    };
    let decoded = source.package.decode(row)?;
    let Some(stored) = native_as::<MeshAnimation>(&decoded.body) else {
        mesh.notes.push("its animations are not decoded".to_owned());
        return Ok(());
    };
    let names = BoneNames::of(&mesh.bones);
    let bones: Vec<Option<usize>> =
        stored.bones.iter().map(|bone| names.find(&source.name_text(bone.name))).collect();
    let mut packed = 0;
    for (sequence, motion) in stored.sequences.iter().zip(&stored.motions) {
        if motion.flags >= PACKED && motion.tracks.is_empty() {
            packed += 1;
            continue;
        }
        let rate = sequence.rate;
        let seconds = if rate.is_finite() && rate > 0.0 { 1.0 / rate } else { 1.0 / 30.0 };
        mesh.animations.push(Animation {
            name: source.name_text(sequence.name),
            frame_seconds: seconds,
            frames: Vec::new(),
            tracks: tracks(source, mesh, motion, &bones, seconds)?,
        });
    }
    if packed > 0 {
        mesh.notes.push(format!("{packed} sequences have packed keys, which are left out"));
    }
    Ok(())
}

fn tracks(
    source: &MeshSource<'_>,
    mesh: &Mesh,
    motion: &Motion,
    bones: &[Option<usize>],
    seconds: f32,
) -> Result<Vec<Track>> {
    let mut made = Vec::new();
    for (at, track) in motion.tracks.iter().enumerate() {
        let number = match motion.bone_indices.get(at) {
            Some(number) => usize::try_from(*number).ok(),
            None => usize::try_from(motion.start_bone).ok().and_then(|first| first.checked_add(at)),
        };
        let Some(bone) = number.and_then(|number| bones.get(number).copied().flatten()) else {
            continue;
        };
        let is_root = mesh.bones[bone].parent.is_none();
        made.push(self::track(source, track, bone, is_root, seconds)?);
    }
    Ok(made)
}

/// Times are frames: as many as keys, or fewer where a list does not change.
fn track(
    source: &MeshSource<'_>,
    stored: &AnalogTrack,
    bone: usize,
    is_root: bool,
    seconds: f32,
) -> Result<Track> {
    let times = source.payload(&stored.times)?;
    let time = |at: usize| times.get(at).map_or(at as f32, |time| time.f32(0)) * seconds;
    let rotations = source.payload(&stored.rotations)?;
    let positions = source.payload(&stored.positions)?;
    let turn = |q: [f32; 4]| if is_root { q } else { conjugated(q) };
    let rotations =
        rotations.iter().enumerate().map(|(at, key)| (time(at), turn(key.quaternion(0))));
    let translations = positions.iter().enumerate().map(|(at, key)| (time(at), key.vector(0)));
    Ok(Track {
        bone,
        translations: translations.collect(),
        rotations: rotations.collect(),
        scales: Vec::new(),
    })
}

//! Animations of UE4 and UE5 as they were imported, judged by their skeletons: bones of a character keep their lengths, so
//! that keys say them once more.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::mesh::{MeshObjects, MeshOptions, MeshPlacement, PackageMeshes, Track};
use unreal_packages::object::ue4::asset::anim_sequence::AnimSequence;
use unreal_packages::object::ue4::asset::skeleton::Skeleton;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{Guid, PackageIndex};
use unreal_packages::property::Value;
use unreal_packages::version::UnrealVersions;

use crate::meshes::every_package;

/// Skeletons of the corpora. Several projects call theirs alike: the one that an animation was made for has the GUID
/// that the animation names. For UE5, of whose skeletons none is there, that of UE4's mannequin stands in, whose bones
/// have the same names.
#[derive(Debug)]
struct Neighbors {
    skeletons: Vec<(Guid, Package, usize)>,
    wanted: Guid,
    is_late: bool,
}

/// The name of the stand-in.
const MANNEQUIN: &str = "UE4_Mannequin_Skeleton";

fn skeletons(files: &[PathBuf]) -> Vec<(Guid, Package, usize)> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.to_string_lossy().contains("_Skeleton")) {
        let Ok(package) = Package::open(file) else { continue };
        for row in 0..package.exports().len() {
            let decoded = package.decode(row).unwrap();
            if let Some(skeleton) = native_as::<Skeleton>(&decoded.body) {
                found.push((skeleton.guid, package.clone(), row));
            }
        }
    }
    found
}

impl MeshObjects for Neighbors {
    fn find(&self, _: &Package, _: PackageIndex) -> Option<(Package, usize)> {
        let is = |(guid, package, row): &&(Guid, Package, usize)| match self.is_late {
            true => package.exports().path(*row) == MANNEQUIN,
            false => *guid == self.wanted,
        };
        self.skeletons.iter().find(is).map(|(_, package, row)| (package.clone(), *row))
    }
}

/// Whether the first key of a bone leaves it as far from its parent as at rest.
fn keeps_length(track: &Track, rest: &MeshPlacement) -> bool {
    let length = |v: [f32; 3]| v.iter().map(|number| number * number).sum::<f32>().sqrt();
    let (_, first) = track.translations.first().copied().unwrap_or((0.0, rest.translation));
    let known = length(rest.translation);
    (length(first) - known).abs() <= known.max(1.0) * 0.02
}

pub fn animations_move_the_bones_of_their_skeletons() {
    let files = every_package();
    let skeletons = skeletons(&files);
    let mut refused = BTreeMap::<String, u32>::new();
    let (mut came, mut tracks, mut keep, mut near) = (0, 0, 0, 0);
    let mut forms = BTreeMap::<&str, u32>::new();
    for path in &files {
        let Ok(package) = Package::open(path) else { continue };
        if package.versions().ue4() == 0 {
            continue;
        }
        for row in 0..package.exports().len() {
            if !package.is_animation(row).unwrap() {
                continue;
            }
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let decoded = package.decode(row).unwrap();
            let wanted = native_as::<AnimSequence>(&decoded.body).unwrap().base.skeleton_guid;
            let is_late = package.versions().ue5() > 0;
            let neighbors = Neighbors { skeletons: skeletons.clone(), wanted, is_late };
            let options = MeshOptions { objects: Some(&neighbors), ..MeshOptions::default() };
            let mesh = match package.animation(row, &options) {
                Ok(mesh) => mesh,
                Err(error) => {
                    let reason = error.to_string();
                    let reason = reason.rsplit("): ").next().unwrap();
                    let reason = reason.split(": ").next().unwrap().to_owned();
                    *refused.entry(reason).or_default() += 1;
                    continue;
                }
            };
            came += 1;
            let form = match package.versions().ue5() {
                0 => "raw tracks",
                _ if package.names().iter().any(|name| name == "AnimationSequencerDataModel") => {
                    "controls"
                }
                _ => "model",
            };
            *forms.entry(form).or_default() += 1;
            let animation = &mesh.animations[0];
            let length = decoded.body.lists().next().and_then(|list| {
                let mut all = list.properties.iter();
                match all
                    .find(|it| it.name_text(|name| package.name_text(name)) == "SequenceLength")?
                    .value()
                {
                    Value::Float(length) => Some(*length),
                    _ => None,
                }
            });
            for track in &animation.tracks {
                let bone = &mesh.bones[track.bone];
                if let Some((last, length)) = track.rotations.last().zip(length) {
                    let ends = last.0 == 0.0 || (last.0 - length).abs() < 0.05;
                    assert!(ends, "{place} {}: {} of {length}", bone.name, last.0);
                }
                let square = |q: [f32; 4]| q.iter().map(|number| number * number).sum::<f32>();
                for (_, rotation) in &track.rotations {
                    assert!((square(*rotation) - 1.0).abs() < 0.02, "{place} {}", bone.name);
                }
                // Bones of UE5's characters have other lengths than those of the stand-in.
                if is_late || bone.parent.is_none() {
                    continue;
                }
                tracks += 1;
                keep += u32::from(keeps_length(track, &bone.rest));
                if let Some((_, first)) = track.rotations.first() {
                    let same: f32 = first.iter().zip(bone.rest.rotation).map(|(a, b)| a * b).sum();
                    near += u32::from(same.abs().min(1.0).acos() < 1.0);
                }
            }
            mesh.to_glb().unwrap_or_else(|error| panic!("{place}: {error}"));
        }
    }
    println!(
        "{came} animations {forms:?}; of {tracks} tracks {keep} keep lengths, {near} start near the pose of rest; {refused:?}"
    );
    // One of the skeletons was made anew with other bones since.
    assert!(came >= 12 && tracks > 500);
    assert!(
        f64::from(keep) > f64::from(tracks) * 0.75 && f64::from(near) > f64::from(tracks) * 0.95
    );
    assert!(["raw tracks", "controls", "model"].iter().all(|form| forms.contains_key(form)));
}

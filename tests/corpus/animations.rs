//! Animations of UE3 to UE5, judged by their skeletons: bones of a character keep their lengths, so that keys say them once
//! more. Packed keys are judged by those that were imported, where a package holds both.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::mesh::{Mesh, MeshObjects, MeshOptions, MeshPlacement, PackageMeshes, Track};
use unreal_packages::object::ue3;
use unreal_packages::object::ue4::asset::anim_sequence::AnimSequence;
use unreal_packages::object::ue4::asset::skeleton::Skeleton;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{Guid, PackageIndex};
use unreal_packages::property::{Property, Value};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Error, ErrorKind};

use crate::meshes::every_package;

/// Skeletons of the corpora. Several projects call theirs alike: the one that an animation was made for has the GUID
/// that the animation names. For UE5, of whose skeletons none is there, that of UE4's mannequin stands in, whose bones
/// have the same names.
#[derive(Debug)]
pub struct Neighbors {
    skeletons: Vec<(Guid, Package, usize)>,
    wanted: Guid,
    is_late: bool,
}

impl Neighbors {
    /// Those of an animation of UE4 or UE5.
    pub fn of(package: &Package, row: usize, skeletons: &[(Guid, Package, usize)]) -> Self {
        let decoded = package.decode(row).unwrap();
        let animation = native_as::<AnimSequence>(&decoded.body);
        let wanted = animation.map(|it| it.base.skeleton_guid).unwrap_or_default();
        Self { skeletons: skeletons.to_vec(), wanted, is_late: package.versions().ue5() > 0 }
    }
}

/// The name of the stand-in.
const MANNEQUIN: &str = "UE4_Mannequin_Skeleton";

/// The skeletons of these files, with their GUIDs.
pub fn skeletons(files: &[PathBuf]) -> Vec<(Guid, Package, usize)> {
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

    fn find_path(&self, _: &str) -> Option<(Package, usize)> {
        None
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
                    *refused.entry(reason(&error)).or_default() += 1;
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

/// Why an animation did not come out, without its name.
fn reason(error: &Error) -> String {
    match error.kind() {
        ErrorKind::NotFound { what, .. } => format!("{what} not found"),
        _ => {
            let text = error.to_string();
            text.split("): ").nth(1).unwrap_or(&text).to_owned()
        }
    }
}

/// The mesh with the animation, or why it did not come out.
fn animation(
    package: &Package,
    row: usize,
    options: &MeshOptions<'_>,
    refused: &mut BTreeMap<String, u32>,
) -> Option<Mesh> {
    match package.animation(row, options) {
        Ok(mesh) => Some(mesh),
        Err(error) => {
            *refused.entry(reason(&error)).or_default() += 1;
            None
        }
    }
}

fn angle(a: [f32; 4], b: [f32; 4]) -> f32 {
    let same: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    same.abs().min(1.0).acos() * 2.0
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>().sqrt()
}

pub fn animations_of_ue3_move_the_bones_of_their_meshes() {
    let mut refused = BTreeMap::new();
    let (mut came, mut tracks, mut near, mut keys) = (0, 0, 0, 0);
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        if package.versions().ue4() > 0 || package.versions().ue5() > 0 {
            continue;
        }
        for row in 0..package.exports().len() {
            if !package.is_animation(row).unwrap() {
                continue;
            }
            let place = format!("{} {}", path.display(), package.exports().path(row));
            let options = MeshOptions::default();
            let Some(mesh) = animation(&package, row, &options, &mut refused) else { continue };
            came += 1;
            for track in &mesh.animations[0].tracks {
                let bone = &mesh.bones[track.bone];
                for (_, rotation) in &track.rotations {
                    let square: f32 = rotation.iter().map(|number| number * number).sum();
                    assert!((square - 1.0).abs() < 0.02, "{place} {}: {rotation:?}", bone.name);
                }
                keys += track.rotations.len() + track.translations.len();
                let Some((_, first)) = track.rotations.first() else { continue };
                tracks += 1;
                near += u32::from(angle(*first, bone.rest.rotation) < 1.0);
            }
            mesh.to_glb().unwrap_or_else(|error| panic!("{place}: {error}"));
        }
    }
    println!(
        "{came} animations, {keys} keys; of {tracks} tracks {near} start near the pose of rest; {refused:?}"
    );
    assert!(came >= 15 && tracks > 200);
    assert!(f64::from(near) > f64::from(tracks) * 0.9);
}

/// The value of keys at a time, between two of them on the way that `between` goes.
fn at_time<const N: usize>(
    keys: &[(f32, [f32; N])],
    time: f32,
    between: impl Fn([f32; N], [f32; N], f32) -> [f32; N],
) -> [f32; N] {
    let after = keys.iter().position(|(at, _)| *at >= time);
    match after {
        None => keys[keys.len() - 1].1,
        Some(0) => keys[0].1,
        Some(after) => {
            let ((t0, a), (t1, b)) = (keys[after - 1], keys[after]);
            between(a, b, (time - t0) / (t1 - t0))
        }
    }
}

/// Half way on the straight line, in the direction of `a`, and of length 1: close keys are hardly different on the arc.
fn between_rotations(a: [f32; 4], b: [f32; 4], way: f32) -> [f32; 4] {
    let same: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if same < 0.0 { -1.0 } else { 1.0 };
    let sum = [0, 1, 2, 3].map(|at| a[at] * (1.0 - way) + b[at] * sign * way);
    let length = sum.iter().map(|number| number * number).sum::<f32>().sqrt();
    sum.map(|number| number / length)
}

fn between_places(a: [f32; 3], b: [f32; 3], way: f32) -> [f32; 3] {
    [0, 1, 2].map(|at| a[at] * (1.0 - way) + b[at] * way)
}

pub fn packed_keys_say_what_was_imported() {
    let files = every_package();
    let skeletons = skeletons(&files);
    let mut refused = BTreeMap::new();
    let mut forms = BTreeMap::<String, u32>::new();
    let (mut compared, mut keys, mut far, mut worst) = (0, 0_u32, 0_u32, (0.0_f32, 0.0_f32));
    for path in &files {
        let Ok(package) = Package::open(path) else { continue };
        if package.versions().ue5() > 0 {
            continue;
        }
        for row in 0..package.exports().len() {
            if !package.is_animation(row).unwrap() {
                continue;
            }
            let decoded = package.decode(row).unwrap();
            let text = |name: &str| {
                let list = decoded.body.lists().next()?;
                let mut all = list.properties.iter();
                let is = |it: &&Property| it.name_text(|name| package.name_text(name)) == name;
                match all.find(is)?.value() {
                    Value::Name(name) => Some(package.name_text(*name)),
                    Value::Array(all) => Some(all.len().to_string()),
                    _ => None,
                }
            };
            if text("CompressedTrackOffsets").is_none() {
                continue;
            }
            // Only what holds both can be compared.
            let late = native_as::<AnimSequence>(&decoded.body);
            let early = native_as::<ue3::asset::animation::AnimSequence>(&decoded.body);
            let is_raw = late.is_some_and(|it| !it.raw_tracks.is_empty())
                || early.is_some_and(|it| !it.raw_tracks.is_empty());
            if !is_raw {
                continue;
            }
            let wanted = late.map_or(Guid::default(), |it| it.base.skeleton_guid);
            let neighbors = Neighbors { skeletons: skeletons.clone(), wanted, is_late: false };
            let options = MeshOptions { objects: Some(&neighbors), ..MeshOptions::default() };
            let Some(raw) = animation(&package, row, &options, &mut refused) else { continue };
            let options = MeshOptions { played: true, ..options };
            let Some(packed) = animation(&package, row, &options, &mut refused) else { continue };
            compared += 1;
            let form =
                ["KeyEncodingFormat", "TranslationCompressionFormat", "RotationCompressionFormat"];
            *forms.entry(form.map(|it| text(it).unwrap_or_default()).join(" ")).or_default() += 1;
            let size = raw.bones.iter().map(|it| distance(it.rest.translation, [0.0; 3]));
            let size = size.fold(1.0, f32::max);
            for track in &raw.animations[0].tracks {
                let mut others = packed.animations[0].tracks.iter();
                let other =
                    others.find(|it| it.bone == track.bone).expect("the track is packed, too");
                for (time, rotation) in &track.rotations {
                    assert!(!other.rotations.is_empty(), "{} {}", path.display(), track.bone);
                    let far_away =
                        angle(at_time(&other.rotations, *time, between_rotations), *rotation);
                    (keys, far) = (keys + 1, far + u32::from(far_away > 0.05));
                    worst.0 = worst.0.max(far_away);
                }
                for (time, place) in &track.translations {
                    assert!(!other.translations.is_empty(), "{} {}", path.display(), track.bone);
                    let far_away =
                        distance(at_time(&other.translations, *time, between_places), *place);
                    (keys, far) = (keys + 1, far + u32::from(far_away > size * 0.01));
                    worst.1 = worst.1.max(far_away / size);
                }
            }
        }
    }
    println!(
        "{compared} animations {forms:?}: of {keys} keys {far} are further away, at most {worst:?}; {refused:?}"
    );
    assert!(compared >= 12 && keys > 5_000);
    assert!(f64::from(far) <= f64::from(keys) * 0.01);
}

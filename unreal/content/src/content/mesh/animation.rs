//! Animations of UE4 and UE5: keys of the bones of a skeleton, which usually is another package.
//!
//! | releases | keys |
//! |---|---|
//! | UE4 | raw tracks behind the properties, bones by number and name; cooked ones as they are packed, but for 4.22 ([`packed_keys`](super::packed_keys)) |
//! | 5.0, 5.1 | an `AnimDataModel`: tracks with the name of their bone |
//! | 5.2 and later | a sequence of controls, one for each bone ([`control_tracks`](super::control_tracks)) |

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::control_tracks;
use super::material::MeshOptions;
use super::numbers::VertexElements;
use super::packed_keys::{self, PackedKeys};
use super::shape::{Animation, Bone, Mesh, Track};
use super::source::{MeshSource, class_name, structs, value};
use super::ue4_skeletal::bones;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::payload;
use crate::object::ue4::asset::anim_sequence::{AnimSequence, RawTrack};
use crate::object::ue4::asset::compressed_animation::CompressedAnimation;
use crate::object::ue4::asset::skeleton::Skeleton;
use crate::package::{Package, native_as, redirector_target};
use crate::primitive::{Name, ObjectRef, PackageIndex, Payload};
use crate::property::{Elements, PropertyList, Value};

/// Redirectors that are followed to a skeleton.
const MOST_REDIRECTORS: u32 = 16;

/// Bytes of a position, a rotation, a size.
const KEY_SIZES: [usize; 3] = [12, 16, 12];

/// Bones of a skeleton by their names, in any case of letters.
pub(super) struct BoneNames {
    places: HashMap<String, usize>,
    /// Bones, those of one name included.
    count: usize,
}

impl BoneNames {
    pub fn of(bones: &[Bone]) -> Self {
        let mut places = HashMap::new();
        for (at, bone) in bones.iter().enumerate() {
            places.entry(bone.name.to_ascii_lowercase()).or_insert(at);
        }
        Self { places, count: bones.len() }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(&name.to_ascii_lowercase()).copied()
    }
}

/// Tracks, one for each bone.
#[derive(Default)]
pub(super) struct Tracks {
    pub tracks: Vec<Track>,
    /// Bones that have one.
    bones: HashSet<usize>,
    /// Tracks of bones that the skeleton does not have.
    pub lost: usize,
    /// Further tracks of bones that have one.
    pub repeated: usize,
    /// Pairs of keys further apart than a frame with a curve between them.
    pub curved: usize,
}

impl Tracks {
    /// Adds the track of a bone, if it is one.
    pub fn push(
        &mut self,
        bone: Option<usize>,
        track: impl FnOnce(usize) -> Result<Track>,
    ) -> Result<()> {
        match bone {
            Some(bone) if self.bones.insert(bone) => self.tracks.push(track(bone)?),
            Some(_) => self.repeated += 1,
            None => self.lost += 1,
        }
        Ok(())
    }
}

/// The bones of its skeleton, and the animation.
pub(super) fn mesh(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    options: &MeshOptions<'_>,
) -> Result<Mesh> {
    let mut mesh = Mesh { name: source.name(), ..Mesh::default() };
    let Some(Value::Object(skeleton)) = source.value("Skeleton") else {
        return Err(Error::invalid("it names no skeleton"));
    };
    mesh.bones = skeleton_bones(source.package, *skeleton, options, MOST_REDIRECTORS)?;
    let names = BoneNames::of(&mesh.bones);
    let seconds = source.value("SequenceLength").and_then(seconds);
    let model = ["DataModelInterface", "DataModel"]
        .iter()
        .find_map(|name| source.value(name).and_then(Value::export));
    let found = match model {
        Some(row) => of_model(source.package, row, seconds, &names)?,
        None => stored_tracks(source, stored, seconds.unwrap_or(0.0), &names, options.played)?,
    };
    finished(mesh, found, seconds)
}

/// The mesh with its tracks as an animation.
pub(super) fn finished(mut mesh: Mesh, found: Tracks, seconds: Option<f32>) -> Result<Mesh> {
    if found.tracks.is_empty() {
        return Err(Error::invalid(match found.lost {
            0 => "it has no keys".to_owned(),
            lost => format!("none of its {lost} tracks is of a bone of its skeleton"),
        }));
    }
    if found.lost > 0 {
        mesh.notes.push(format!("{} tracks of bones that its skeleton has not", found.lost));
    }
    if found.repeated > 0 {
        mesh.notes.push(format!("{} tracks of bones that have one already", found.repeated));
    }
    if found.curved > 0 {
        mesh.notes.push(format!("{} curves between keys became straight lines", found.curved));
    }
    if found.tracks.iter().any(has_no_length) {
        return Err(Error::invalid("it has keys and says no length"));
    }
    let keys = found
        .tracks
        .iter()
        .map(|track| track.translations.len().max(track.rotations.len()).max(track.scales.len()));
    let keys = keys.max().unwrap_or(1);
    let frame_seconds = frame_seconds(seconds.unwrap_or(0.0), keys);
    mesh.animations.push(Animation {
        name: mesh.name.clone(),
        frame_seconds,
        frames: Vec::new(),
        tracks: found.tracks,
    });
    mesh.settle_places()?;
    Ok(mesh)
}

/// Whether several keys of a track stand at the same time.
fn has_no_length(track: &Track) -> bool {
    fn of<T>(keys: &[(f32, T)]) -> bool {
        matches!(keys, [first, .., last] if first.0 >= last.0)
    }
    of(&track.translations) || of(&track.rotations) || of(&track.scales)
}

pub(super) fn seconds(value: &Value) -> Option<f32> {
    let number = match value {
        Value::Float(number) => *number,
        Value::Double(number) => *number as f32,
        _ => return None,
    };
    (number.is_finite() && number > 0.0).then_some(number)
}

fn frame_seconds(length: f32, keys: usize) -> f32 {
    match keys {
        0 | 1 => 0.0,
        keys => length / (keys - 1) as f32,
    }
}

/// The skeleton of this path lies in a package that is not at hand.
pub(super) fn no_skeleton(name: String) -> Error {
    ErrorKind::NotFound { what: noun::SKELETON, name, hint: String::new() }.into()
}

fn skeleton_bones(
    package: &Package,
    skeleton: PackageIndex,
    options: &MeshOptions<'_>,
    redirectors: u32,
) -> Result<Vec<Bone>> {
    let row = match skeleton.target() {
        ObjectRef::Export(row) if row < package.exports().len() => row,
        ObjectRef::Import(_) => {
            let Some((other, row)) = options.objects.and_then(|it| it.find(package, skeleton))
            else {
                return Err(no_skeleton(package.path(skeleton)));
            };
            return skeleton_bones(&other, PackageIndex::export(row), options, redirectors);
        }
        _ => return Err(Error::invalid("it names no skeleton")),
    };
    let decoded = package.decode(row)?;
    if let Some(left) = redirectors.checked_sub(1)
        && let Some(target) = redirector_target(&decoded.body)
    {
        return skeleton_bones(package, target, options, left);
    }
    let Some(stored) = native_as::<Skeleton>(&decoded.body) else {
        let (path, class) = (package.exports().path(row), class_name(package, row));
        return Err(Error::invalid(format!("its skeleton {path} ({class}) is not decoded")));
    };
    bones(&MeshSource::of(package, row, &decoded.body), &stored.reference)
}

/// Tracks of UE4: as they were imported, or else as they are packed.
fn stored_tracks(
    source: &MeshSource<'_>,
    stored: &AnimSequence,
    length: f32,
    names: &BoneNames,
    played: bool,
) -> Result<Tracks> {
    // What is played is made of these; the others are what they were before layers were added.
    let tracks = match stored.raw_tracks.is_empty() {
        true => &stored.source_raw_tracks,
        false => &stored.raw_tracks,
    };
    let mut found = Tracks::default();
    if (played || tracks.is_empty())
        && let Some(packed) = packed(source, stored, length)?
    {
        let tracks = [&stored.compressed.track_to_bone, &stored.packed.track_to_bone];
        let tracks = tracks.into_iter().find(|it| !it.is_empty());
        let bones = TrackBones::of(source, tracks.map_or(&[][..], Vec::as_slice));
        for at in 0..packed.len() {
            found.push(bones.find(source, at, names), |bone| packed.track(at, bone))?;
        }
        return Ok(found);
    }
    let bones = TrackBones::of(source, &[]);
    for (at, track) in tracks.iter().enumerate() {
        found.push(bones.find(source, at, names), |bone| {
            let RawTrack { positions, rotations, scales } = track;
            raw_track(source, bone, [&positions.data, &rotations.data, &scales.data], length)
        })?;
    }
    Ok(found)
}

/// The bones that tracks of UE4 are of: by name where names are stored, or else by number.
struct TrackBones<'a> {
    names: &'a [Name],
    numbers: Vec<Option<usize>>,
}

impl<'a> TrackBones<'a> {
    /// Packed keys have numbers of their own.
    fn of(source: &MeshSource<'a>, packed: &[i32]) -> Self {
        let names: &[Name] = match source.value("AnimationTrackNames") {
            Some(Value::Array(Elements::Name(all))) if packed.is_empty() => all,
            _ => &[],
        };
        let table = source
            .lists("TrackToSkeletonMapTable")
            .map(|list| list.and_then(|list| number(source.package, list, "BoneTreeIndex")));
        let numbers = match packed.is_empty() {
            true => table.collect(),
            false => packed.iter().map(|number| usize::try_from(*number).ok()).collect(),
        };
        Self { names, numbers }
    }

    fn find(&self, source: &MeshSource<'_>, track: usize, bones: &BoneNames) -> Option<usize> {
        match self.names.get(track) {
            Some(name) => bones.find(&source.name_text(*name)),
            None => self.numbers.get(track).copied().flatten().filter(|bone| *bone < bones.count),
        }
    }
}

/// The packed keys of UE4 and UE5, whose forms are properties or stand before the keys; `None` where there are none.
fn packed<'a>(
    source: &'a MeshSource<'a>,
    stored: &'a AnimSequence,
    seconds: f32,
) -> Result<Option<PackedKeys<'a>>> {
    let bytes_of = |payload: &'a Payload<1>| payload.0.bytes(source.package.source());
    if stored.has_compressed && stored.packed != CompressedAnimation::default() {
        return later_packed(source, &stored.packed, seconds).map(Some);
    }
    if stored.has_compressed {
        let it = &stored.compressed;
        if it.track_offsets.is_empty() {
            return match it.data.is_empty() {
                true => Ok(None),
                false => Err(Error::invalid("its packed keys are not decoded")),
            };
        }
        let offsets = [&it.track_offsets, &it.scale_offsets].map(Cow::from);
        let bytes = bytes_of(&it.stream)?.into();
        let frames = packed_keys::frames(source);
        let order = source.package.versions().byte_order;
        return PackedKeys::of_formats(it.formats, offsets, (frames, seconds), (order, bytes))
            .map(Some);
    }
    PackedKeys::of_properties(source, seconds, bytes_of(&stored.compressed_stream)?)
}

/// The packed keys of UE4.23 and newer.
fn later_packed<'a>(
    source: &'a MeshSource<'a>,
    stored: &'a CompressedAnimation,
    seconds: f32,
) -> Result<PackedKeys<'a>> {
    let package = source.package;
    let Some((forms, frames)) = stored.forms() else {
        let codec = stored.bone_codec.text(package.source())?;
        return Err(Error::unsupported(format!(
            "its keys are packed by {codec}, which is not decoded"
        )));
    };
    let stream: Cow<'_, [u8]> = match stored.stream.in_bulk {
        true => payload(package, &stored.stream.bulk)?.0.into(),
        false => stored.stream.bytes.bytes(package.source())?.into(),
    };
    let (offsets, rest) = packed_keys::numbers(&stream, forms.offset_count)?;
    let (scale_offsets, rest) = packed_keys::numbers(rest, forms.scale_offset_count)?;
    let size = usize::try_from(forms.byte_count).ok().filter(|size| *size <= rest.len());
    let start = stream.len() - rest.len();
    let end = start + size.ok_or_else(|| Error::invalid("its packed keys are cut"))?;
    let bytes = match stream {
        Cow::Borrowed(stream) => Cow::Borrowed(&stream[start..end]),
        Cow::Owned(stream) => Cow::Owned(stream[start..end].to_vec()),
    };
    let offsets = [offsets, scale_offsets].map(Cow::from);
    let (frames, order) = (usize::try_from(frames).unwrap_or(0), package.versions().byte_order);
    PackedKeys::of_formats(forms.formats, offsets, (frames, seconds), (order, bytes))
}

/// Keys as they were imported: positions, rotations, sizes, each for every frame or one alone.
pub(super) fn raw_track(
    source: &MeshSource<'_>,
    bone: usize,
    spans: [&Span; 3],
    length: f32,
) -> Result<Track> {
    let [a, b, c] = spans;
    let [x, y, z] = KEY_SIZES;
    Ok(track_of(
        bone,
        [source.elements(a, x)?, source.elements(b, y)?, source.elements(c, z)?],
        length,
    ))
}

fn track_of(bone: usize, keys: [VertexElements<'_>; 3], length: f32) -> Track {
    let [positions, rotations, scales] = keys;
    let time = |at: usize, keys: usize| at as f32 * frame_seconds(length, keys);
    let vectors = |list: VertexElements<'_>| {
        let count = list.len();
        list.iter().enumerate().map(|(at, key)| (time(at, count), key.vector(0))).collect()
    };
    let count = rotations.len();
    let turns = rotations.iter().enumerate();
    Track {
        bone,
        translations: vectors(positions),
        rotations: turns.map(|(at, key)| (time(at, count), key.quaternion(0))).collect(),
        scales: vectors(scales),
    }
}

fn number(package: &Package, list: &PropertyList, name: &str) -> Option<usize> {
    match value(package, list, name) {
        Some(Value::Int(number)) => usize::try_from(*number).ok(),
        None => Some(0),
        _ => None,
    }
}

/// Tracks of UE5: of the object that holds them.
fn of_model(
    package: &Package,
    row: usize,
    seconds: Option<f32>,
    names: &BoneNames,
) -> Result<Tracks> {
    let decoded = package.decode(row)?;
    let model = MeshSource::of(package, row, &decoded.body);
    if let Some(scene) = model.value("MovieScene").and_then(Value::export) {
        return control_tracks::of_scene(package, scene, names);
    }
    let length = model.value("PlayLength").and_then(self::seconds).or(seconds).unwrap_or(0.0);
    let mut found = Tracks::default();
    for list in model.lists("BoneAnimationTracks") {
        let Some(list) = list else { continue };
        let bone = match value(package, list, "Name") {
            Some(Value::Name(name)) => names.find(&package.name_text(*name)),
            _ => None,
        };
        let keys = value(package, list, "InternalTrackData");
        found.push(bone, |bone| model_track(&model, bone, keys, length))?;
    }
    Ok(found)
}

/// A track of a model: three counted arrays, or lists of structs where the values are those of a list without a form of
/// its own.
fn model_track(
    model: &MeshSource<'_>,
    bone: usize,
    keys: Option<&Value>,
    length: f32,
) -> Result<Track> {
    let unknown = || Error::invalid("a track has keys in an unknown form");
    match keys {
        Some(Value::Fields(fields)) => {
            let mut lists = fields.iter().filter_map(|field| match field {
                Value::Keys(span) => Some(span),
                _ => None,
            });
            let mut next = |size| match lists.next() {
                Some(span) => model.elements(span, size),
                None => Err(unknown()),
            };
            let [a, b, c] = KEY_SIZES;
            Ok(track_of(bone, [next(a)?, next(b)?, next(c)?], length))
        }
        Some(Value::List(list)) => {
            let of = |name| structs(value(model.package, list, name));
            let vectors = |name| {
                timed(of(name), length, |value| {
                    value.three_numbers().map(|numbers| numbers.map(|number| number as f32))
                })
            };
            let rotations = timed(of("RotKeys"), length, |value| match value {
                Value::Float4(numbers) => Some(*numbers),
                Value::Double4(numbers) => Some(numbers.map(|number| number as f32)),
                _ => None,
            });
            Ok(Track {
                bone,
                translations: vectors("PosKeys").ok_or_else(unknown)?,
                rotations: rotations.ok_or_else(unknown)?,
                scales: vectors("ScaleKeys").ok_or_else(unknown)?,
            })
        }
        _ => Err(unknown()),
    }
}

fn timed<T>(
    values: &[Value],
    length: f32,
    read: impl Fn(&Value) -> Option<T>,
) -> Option<Vec<(f32, T)>> {
    let step = frame_seconds(length, values.len());
    let timed = values.iter().enumerate().map(|(at, value)| Some((at as f32 * step, read(value)?)));
    timed.collect()
}

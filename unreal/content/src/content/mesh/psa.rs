//! Animations of bones as `.psa` files, both ways: for every frame a key of every bone.

use super::actor_x::{
    ActorXBone, ActorXFile, ActorXKey, ActorXRecords, ActorXScaleKey, ActorXSequence,
};
use super::psk::ActorXOutput;
use super::psk_bones::{CutNames, bones, mirrored, stored_rotation};
use super::psk_read;
use super::shape::{Animation, Bone, Mesh, Track};
use crate::error::{Error, Result};

/// Keys of a file: 32 bytes each, whatever few bytes of a mesh ask for.
const MOST_KEYS: usize = 8 << 20;
/// Seconds of a frame where nothing says them.
const USUAL: f32 = 1.0 / 30.0;
/// How far from its frame a key may be, in frames.
const NEAR: f32 = 0.02;

/// An animation by frames.
struct SequenceFrames<'a> {
    animation: &'a Animation,
    count: usize,
    seconds: f32,
    /// The track of each bone.
    tracks: Vec<Option<&'a Track>>,
    /// Keys that stand between frames.
    between: usize,
}

impl<'a> SequenceFrames<'a> {
    fn of(animation: &'a Animation, bones: usize) -> Result<Self> {
        let seconds = animation.frame_seconds;
        let seconds = if seconds.is_finite() && seconds > 0.0 { seconds } else { USUAL };
        let (mut last, mut between) = (0.0_f32, 0);
        let mut tracks = vec![None; bones];
        for track in &animation.tracks {
            let Some(place) = tracks.get_mut(track.bone) else {
                let bone = track.bone;
                return Err(Error::invalid(format!("a track is of bone {bone} of {bones}")));
            };
            *place = Some(track);
            let times = track.translations.iter().map(|key| key.0);
            let times = times.chain(track.rotations.iter().map(|key| key.0));
            for time in
                times.chain(track.scales.iter().map(|key| key.0)).filter(|it| it.is_finite())
            {
                last = last.max(time);
                let frame = time / seconds;
                between += usize::from((frame - frame.round()).abs() > NEAR);
            }
        }
        // What is too large for the type becomes its largest number, which is refused.
        let count = ((last / seconds).round() as usize).saturating_add(1);
        Ok(Self { animation, count, seconds, tracks, between })
    }
}

/// The value at a time: between two keys where they are as far apart, before the first and behind the last as these.
fn sampled<const N: usize>(
    keys: &[(f32, [f32; N])],
    time: f32,
    rest: [f32; N],
    between: fn([f32; N], [f32; N], f32) -> [f32; N],
) -> [f32; N] {
    let behind = keys.partition_point(|(at, _)| *at <= time);
    match (behind.checked_sub(1).and_then(|at| keys.get(at)), keys.get(behind)) {
        (None, None) => rest,
        (Some((_, value)), None) | (None, Some((_, value))) => *value,
        (Some((from, a)), Some((to, b))) => {
            let share = (time - from) / (to - from);
            if share > 0.0 && share.is_finite() { between(*a, *b, share) } else { *a }
        }
    }
}

fn mixed<const N: usize>(a: [f32; N], b: [f32; N], share: f32) -> [f32; N] {
    std::array::from_fn(|at| a[at] + (b[at] - a[at]) * share)
}

/// The same of rotations, the shorter way around.
fn turned_between(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    let cosine: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let b = if cosine < 0.0 { b.map(|number| -number) } else { b };
    super::numbers::unit(mixed(a, b, share)).unwrap_or(a)
}

impl Mesh {
    /// The animations of its bones as a `.psa` file: for every frame a key of every bone, those that nothing moves as they
    /// are at rest. Frames are [`Animation::frame_seconds`] apart.
    ///
    /// # Errors
    /// `Invalid` for a mesh whose bones no animation moves, more than 8,388,608 keys, a track of a bone that is not there, and
    /// bones that do not hang on one that is before them, but for the first.
    pub fn to_psa(&self) -> Result<ActorXOutput> {
        let (mut names, mut notes) = (CutNames::default(), self.notes.clone());
        let moving = self.animations.iter().filter(|it| !it.tracks.is_empty());
        let all = moving
            .map(|it| SequenceFrames::of(it, self.bones.len()))
            .collect::<Result<Vec<_>>>()?;
        if all.is_empty() {
            return Err(Error::invalid("no animation moves its bones"));
        }
        let frames = all.iter().fold(0_usize, |sum, it| sum.saturating_add(it.count));
        let keys = frames.saturating_mul(self.bones.len());
        if keys > MOST_KEYS {
            let bones = self.bones.len();
            return Err(Error::invalid(format!(
                "{bones} bones in {frames} frames are more than the {MOST_KEYS} keys that are written"
            )));
        }
        let is_scaled =
            all.iter().any(|it| it.tracks.iter().flatten().any(|it| !it.scales.is_empty()));
        let mut made = PsaKeys::default();
        for frames in &all {
            made.add(frames, &self.bones, &mut names, is_scaled);
            if frames.between > 0 {
                let (name, count) = (&frames.animation.name, frames.between);
                notes.push(format!(
                    "{count} keys of {name} stand between two frames, which are written"
                ));
            }
        }
        let mut file = ActorXFile::of("ANIMHEAD");
        let bones = bones(&self.bones, &mut names, &mut notes)?;
        file.push(ActorXRecords::BoneNames(bones));
        file.push(ActorXRecords::Sequences(made.sequences));
        file.push(ActorXRecords::Keys(made.keys));
        if is_scaled {
            file.push(ActorXRecords::ScaleKeys(made.scales));
        }
        names.note(&mut notes);
        Ok(ActorXOutput { extension: "psa", bytes: file.write()?, notes })
    }

    /// The bones and animations of a `.psa` file, without triangles.
    ///
    /// # Errors
    /// `Invalid` for another file, and for one whose records do not fit each other; `UnexpectedEnd` and `TooLong` for a
    /// damaged one.
    pub fn of_psa(bytes: &[u8]) -> Result<Self> {
        let (mut stored, mut made) = (Vec::<ActorXBone>::new(), PsaKeys::default());
        for records in ActorXFile::read(bytes, "ANIMHEAD")?.records() {
            match records {
                ActorXRecords::BoneNames(all) => stored = all,
                ActorXRecords::Sequences(all) => made.sequences = all,
                ActorXRecords::Keys(all) => made.keys = all,
                ActorXRecords::ScaleKeys(all) => made.scales = all,
                _ => {}
            }
        }
        let bones = psk_read::bones(&stored)?;
        let animations = made.animations(bones.len())?;
        let mut mesh = Self { bones, animations, ..Self::default() };
        mesh.settle_places()?;
        Ok(mesh)
    }
}

/// Sequences with their keys.
#[derive(Default)]
struct PsaKeys {
    sequences: Vec<ActorXSequence>,
    keys: Vec<ActorXKey>,
    scales: Vec<ActorXScaleKey>,
    /// Frames of all sequences that were added.
    frames: u32,
}

impl PsaKeys {
    fn add(
        &mut self,
        frames: &SequenceFrames<'_>,
        bones: &[Bone],
        names: &mut CutNames,
        is_scaled: bool,
    ) {
        let (group, _) = super::actor_x::PaddedText::of("None");
        self.sequences.push(ActorXSequence {
            name: names.put(&frames.animation.name),
            group,
            bones: bones.len() as u32,
            keys: (frames.count * bones.len()) as u32,
            duration: frames.count as f32,
            rate: 1.0 / frames.seconds,
            first_frame: self.frames,
            frames: frames.count as u32,
            ..ActorXSequence::default()
        });
        self.frames += frames.count as u32;
        let still = Track::default();
        for frame in 0..frames.count {
            let time = frame as f32 * frames.seconds;
            for (at, (bone, track)) in bones.iter().zip(&frames.tracks).enumerate() {
                let (rest, track) = (bone.rest, track.unwrap_or(&still));
                let place = sampled(&track.translations, time, rest.translation, mixed);
                let turn = sampled(&track.rotations, time, rest.rotation, turned_between);
                self.keys.push(ActorXKey {
                    translation: mirrored(place),
                    rotation: stored_rotation(turn, at == 0),
                    time: 1.0,
                });
                if is_scaled {
                    let scale = sampled(&track.scales, time, rest.scale, mixed);
                    self.scales.push(ActorXScaleKey { scale, time: 1.0 });
                }
            }
        }
    }

    fn animations(&self, bones: usize) -> Result<Vec<Animation>> {
        let mut made = Vec::with_capacity(self.sequences.len());
        // Sequences may name the same frames again and again.
        let named: u64 = self.sequences.iter().map(|it| u64::from(it.frames)).sum();
        let stored = self.keys.len().checked_div(bones).unwrap_or(0) as u64;
        if named > stored {
            return Err(Error::invalid(format!(
                "sequences have {named} frames, where {stored} are stored"
            )));
        }
        for sequence in &self.sequences {
            let name = sequence.name.text();
            let start = (sequence.first_frame as usize).saturating_mul(bones);
            let end = start.saturating_add((sequence.frames as usize).saturating_mul(bones));
            let Some(keys) = self.keys.get(start..end) else {
                return Err(Error::invalid(format!(
                    "{name} has keys up to {end}, which are not there"
                )));
            };
            let scales = self.scales.get(start..end).unwrap_or_default();
            let rate = sequence.rate;
            let seconds = if rate.is_finite() && rate > 0.0 { 1.0 / rate } else { USUAL };
            let track = |bone: usize| {
                let time = |frame: usize| frame as f32 * seconds;
                let rows = keys.iter().skip(bone).step_by(bones.max(1)).enumerate();
                let sizes = scales.iter().skip(bone).step_by(bones.max(1)).enumerate();
                Track {
                    bone,
                    translations: rows
                        .clone()
                        .map(|(at, key)| (time(at), mirrored(key.translation)))
                        .collect(),
                    rotations: rows
                        .map(|(at, key)| (time(at), stored_rotation(key.rotation, bone == 0)))
                        .collect(),
                    scales: sizes.map(|(at, key)| (time(at), key.scale)).collect(),
                }
            };
            // A file of few bytes may have many sequences without a frame, and many bones.
            let moved = if sequence.frames == 0 { 0 } else { bones };
            made.push(Animation {
                name,
                frame_seconds: seconds,
                frames: Vec::new(),
                tracks: (0..moved).map(track).collect(),
            });
        }
        Ok(made)
    }
}

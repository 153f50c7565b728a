//! Keys of bones as UE3 to UE5 pack them for playing, with the engine's own codecs.
//!
//! | encoding | offsets of a track | keys |
//! |---|---|---|
//! | constant | place and number of its positions, of its rotations | as many as frames, or one |
//! | variable | the same | behind them, on a multiple of 4, the frame of each: u8, or u16 over 255 frames |
//! | per track | place of its positions, of its rotations, -1 for those of a bone that is left at its parent | a head says form, parts and number; the frames behind them as above, where it says so |
//!
//! One key alone is never packed: three floats. Judged by files that hold the raw keys as well.
//! C++: `AnimationCompressionFormat`, `AnimationKeyFormat`.

use std::borrow::Cow;
use std::cell::Cell;

use super::key_form::{KeyEncoding, KeyForm};
use super::key_list::{KeyBounds, KeyList, KeyPart, KeyReader, TimedKeys, outside};
use super::shape::Track;
use super::source::{MeshSource, value};
use crate::error::{Error, Result};
use crate::property::{Elements, Value};
use crate::version::ByteOrder;

/// The packed tracks of an animation.
#[derive(Debug)]
pub(super) struct PackedKeys<'a> {
    pub encoding: KeyEncoding,
    pub translation: KeyForm,
    pub rotation: KeyForm,
    pub scale: KeyForm,
    /// Four numbers a track, or two.
    pub offsets: Cow<'a, [i32]>,
    /// Two numbers a track, or one.
    pub scale_offsets: Cow<'a, [i32]>,
    pub frames: usize,
    pub seconds: f32,
    pub order: ByteOrder,
    pub bytes: Cow<'a, [u8]>,
    /// Bytes of the lists that were read: no two tracks share one, and so they are no more than there are.
    pub used: Cell<usize>,
}

/// How often packed keys may be read on average: no file is known that reads one twice.
const MOST_SHARED: usize = 2;

/// Frames of an animation, as its properties say.
pub(super) fn frames(source: &MeshSource<'_>) -> usize {
    ["NumFrames", "NumberOfKeys"]
        .iter()
        .find_map(|name| match source.value(name) {
            Some(Value::Int(frames)) => usize::try_from(*frames).ok(),
            _ => None,
        })
        .unwrap_or(0)
}

impl<'a> PackedKeys<'a> {
    /// Those whose forms are stored as numbers (keys, positions, rotations, sizes), with where tracks start, also of sizes;
    /// how long they last; their bytes.
    pub fn of_formats(
        [encoding, translation, rotation, scale]: [u8; 4],
        [offsets, scale_offsets]: [Cow<'a, [i32]>; 2],
        (frames, seconds): (usize, f32),
        (order, bytes): (ByteOrder, Cow<'a, [u8]>),
    ) -> Result<Self> {
        Ok(Self {
            encoding: KeyEncoding::of_number(encoding)?,
            translation: KeyForm::of_number(translation)?,
            rotation: KeyForm::of_number(rotation)?,
            scale: KeyForm::of_number(scale)?,
            offsets,
            scale_offsets,
            frames,
            seconds,
            order,
            bytes,
            used: Cell::default(),
        })
    }

    /// Those whose places and forms are properties; `None` where there are no places.
    pub fn of_properties(
        source: &MeshSource<'a>,
        seconds: f32,
        bytes: &'a [u8],
    ) -> Result<Option<Self>> {
        let offsets = match source.value("CompressedTrackOffsets") {
            Some(Value::Array(Elements::Int(offsets))) if !offsets.is_empty() => offsets,
            _ => return Ok(None),
        };
        // Enums are bytes in early files of UE3, and names later.
        let form = |property| match source.value(property) {
            Some(Value::Name(name)) => KeyForm::of_name(&source.name_text(*name)),
            Some(Value::Byte(number)) => KeyForm::of_number(*number),
            _ => Ok(KeyForm::Plain),
        };
        let sizes = match source.value("CompressedScaleOffsets") {
            Some(Value::List(list)) => value(source.package, list, "OffsetData"),
            _ => None,
        };
        Ok(Some(Self {
            encoding: match source.value("KeyEncodingFormat") {
                Some(Value::Name(name)) => KeyEncoding::of_name(&source.name_text(*name))?,
                Some(Value::Byte(number)) => KeyEncoding::of_number(*number)?,
                _ => KeyEncoding::Constant,
            },
            translation: form("TranslationCompressionFormat")?,
            rotation: form("RotationCompressionFormat")?,
            scale: form("ScaleCompressionFormat")?,
            offsets: offsets.into(),
            scale_offsets: match sizes {
                Some(Value::Array(Elements::Int(all))) => all.into(),
                _ => Cow::default(),
            },
            frames: frames(source),
            seconds,
            order: source.package.versions().byte_order,
            bytes: bytes.into(),
            used: Cell::default(),
        }))
    }
}

/// The numbers at the start of a stream of UE4.23 and newer: so many, little-endian, and what is behind them.
pub(super) fn numbers(bytes: &[u8], count: i32) -> Result<(Vec<i32>, &[u8])> {
    let size = usize::try_from(count).ok().and_then(|count| count.checked_mul(4));
    let (numbers, rest) = size.and_then(|size| bytes.split_at_checked(size)).ok_or_else(outside)?;
    let (numbers, _) = numbers.as_chunks::<4>();
    Ok((numbers.iter().map(|number| i32::from_le_bytes(*number)).collect(), rest))
}

impl PackedKeys<'_> {
    /// How many tracks there are.
    pub fn len(&self) -> usize {
        self.offsets.len() / self.width()
    }

    fn width(&self) -> usize {
        if self.encoding == KeyEncoding::PerTrack { 2 } else { 4 }
    }

    /// The keys of a track.
    pub fn track(&self, at: usize, bone: usize) -> Result<Track> {
        let width = self.width();
        let offsets = self.offsets.get(at * width..(at + 1) * width);
        let offsets = offsets.ok_or_else(|| Error::invalid(format!("no track {at}")))?;
        let sizes = self.scale_offsets.get(at * width / 2..(at + 1) * width / 2).unwrap_or(&[]);
        let (translations, rotations) = offsets.split_at(width / 2);
        Ok(Track {
            bone,
            translations: self.vectors(translations, KeyPart::Translation)?,
            rotations: self.rotations(rotations)?,
            scales: self.vectors(sizes, KeyPart::Scale)?,
        })
    }

    fn vectors(&self, place: &[i32], part: KeyPart) -> Result<TimedKeys<3>> {
        let Some(list) = self.list(place, part)? else { return Ok(Vec::new()) };
        self.counted(list.keys(self.frames, self.seconds, |list, keys| list.vector(keys, part))?)
    }

    fn rotations(&self, place: &[i32]) -> Result<TimedKeys<4>> {
        let Some(list) = self.list(place, KeyPart::Rotation)? else { return Ok(Vec::new()) };
        self.counted(list.keys(self.frames, self.seconds, KeyList::rotation)?)
    }

    /// Keys that were read: what a few bytes of a file could ask for again and again is refused.
    fn counted<T>(&self, (keys, bytes): (T, usize)) -> Result<T> {
        let used = self.used.get() + bytes;
        if used / MOST_SHARED > self.bytes.len() {
            return Err(Error::invalid("tracks that share their keys"));
        }
        self.used.set(used);
        Ok(keys)
    }

    /// A list of keys, up to the first one; `None` for a track that has none.
    fn list(&self, place: &[i32], part: KeyPart) -> Result<Option<KeyList<'_>>> {
        let (start, count) = match *place {
            [start, count] => (start, Some(count)),
            [start] => (start, None),
            _ => return Ok(None),
        };
        if count == Some(0) || count.is_some() && start < 0 {
            return Ok(None);
        }
        let at = usize::try_from(start).unwrap_or(0);
        let mut reader = KeyReader { order: self.order, bytes: &self.bytes, at };
        // A track with a head that is not there is at its parent, not turned, in its own size.
        if start < 0 {
            let (form, bounds) = (KeyForm::Identity, KeyBounds::default());
            return Ok(Some(KeyList {
                form,
                parts: 0,
                count: 1,
                is_timed: false,
                has_head: true,
                bounds,
                reader,
            }));
        }
        let mut list = match count {
            Some(count) => {
                let form = match part {
                    KeyPart::Translation => self.translation,
                    KeyPart::Rotation => self.rotation,
                    KeyPart::Scale => self.scale,
                };
                let count = usize::try_from(count).map_err(|_| outside())?;
                // One key alone is never packed.
                let form = match (part, count) {
                    (KeyPart::Rotation, 1) => KeyForm::Float96,
                    (_, 1) => KeyForm::Plain,
                    _ => form,
                };
                let is_timed = self.encoding == KeyEncoding::Variable && count > 1;
                KeyList {
                    form,
                    parts: 7,
                    count,
                    is_timed,
                    has_head: false,
                    bounds: KeyBounds::default(),
                    reader,
                }
            }
            None => {
                let head = reader.u32()?;
                let (form, flags) = ((head >> 28) as u8, head >> 24 & 15);
                let form = KeyForm::of_number(form)?;
                let count = (head & 0xff_ffff) as usize;
                let parts = if flags & 7 == 0 && form != KeyForm::Identity { 7 } else { flags & 7 };
                let is_timed = flags & 8 != 0;
                KeyList {
                    form,
                    parts,
                    count,
                    is_timed,
                    has_head: true,
                    bounds: KeyBounds::default(),
                    reader,
                }
            }
        };
        // Nothing is stored of what leaves a bone as it is: no more than one key is needed.
        if list.form == KeyForm::Identity {
            (list.count, list.is_timed) = (1, false);
        }
        if list.count == 0 {
            return Ok(None);
        }
        let is_bounded = matches!(list.form, KeyForm::IntervalFixed32 | KeyForm::Smallest48);
        if is_bounded {
            list.bounds = KeyBounds::read(&mut list.reader, list.parts, count.is_some())?;
        }
        Ok(Some(list))
    }
}

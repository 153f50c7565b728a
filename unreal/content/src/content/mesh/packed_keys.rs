//! Keys of bones as UE3 and UE4 up to 4.21 pack them for playing.
//!
//! | encoding | offsets of a track | keys |
//! |---|---|---|
//! | constant | place and number of its positions, of its rotations | as many as frames, or one |
//! | variable | the same | behind them, on a multiple of 4, the frame of each: u8, or u16 over 255 frames |
//! | per track | place of its positions, of its rotations, -1 for none | a head says form, parts and number; the frames behind them as above, where it says so |
//!
//! One key alone is never packed: three floats. Judged by files that hold the raw keys as well.
//! C++: `AnimationCompressionFormat`, `AnimationKeyFormat`.

use std::cell::Cell;

use super::numbers::{dot, unit};
use super::shape::Track;
use super::source::{MeshSource, value};
use crate::error::{Error, Result};
use crate::property::{Elements, Value};
use crate::version::ByteOrder;

/// How a number of a key is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyForm {
    /// Three floats of a vector, four of a rotation.
    Plain,
    /// Three floats.
    Float96,
    /// Three words.
    Fixed48,
    /// Ten and eleven bits within bounds, which stand before the keys.
    IntervalFixed32,
    /// Ten and eleven bits.
    Fixed32,
    /// The same with exponents.
    Float32,
    /// Nothing is stored: no position, no rotation.
    Identity,
    /// Mass Effect: the three smaller parts, and which one is missing.
    Smallest48,
}

/// Names of the forms in the order of their numbers.
const FORMS: &[(&str, KeyForm)] = &[
    ("ACF_None", KeyForm::Plain),
    ("ACF_Float96NoW", KeyForm::Float96),
    ("ACF_Fixed48NoW", KeyForm::Fixed48),
    ("ACF_IntervalFixed32NoW", KeyForm::IntervalFixed32),
    ("ACF_Fixed32NoW", KeyForm::Fixed32),
    ("ACF_Float32NoW", KeyForm::Float32),
    ("ACF_Identity", KeyForm::Identity),
    ("ACF_BioFixed48", KeyForm::Smallest48),
];

impl KeyForm {
    /// The form of this number; only the engine's own have one.
    pub fn of_number(number: u8) -> Result<Self> {
        let found = FORMS[..FORMS.len() - 1].get(usize::from(number)).map(|(_, form)| *form);
        found.ok_or_else(|| Error::invalid(format!("keys in the unknown form {number}")))
    }

    /// The form that a property names.
    pub fn of_name(name: &str) -> Result<Self> {
        let found = FORMS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let unknown = || Error::invalid(format!("keys in the unknown form {name}"));
        found.map(|(_, form)| *form).ok_or_else(unknown)
    }

    fn name(self) -> &'static str {
        FORMS.iter().find(|(_, form)| *form == self).map_or("", |(name, _)| name)
    }
}

/// How tracks are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyEncoding {
    Constant,
    Variable,
    PerTrack,
}

impl KeyEncoding {
    pub fn of_number(number: u8) -> Result<Self> {
        match number {
            0 => Ok(Self::Constant),
            1 => Ok(Self::Variable),
            2 => Ok(Self::PerTrack),
            _ => Err(Error::invalid(format!("tracks in the unknown encoding {number}"))),
        }
    }

    pub fn of_name(name: &str) -> Result<Self> {
        match name {
            "AKF_ConstantKeyLerp" => Ok(Self::Constant),
            "AKF_VariableKeyLerp" => Ok(Self::Variable),
            "AKF_PerTrackCompression" => Ok(Self::PerTrack),
            _ => Err(Error::invalid(format!("tracks in the unknown encoding {name}"))),
        }
    }
}

/// What a list of keys says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Translation,
    Rotation,
    Scale,
}

/// The packed tracks of an animation.
#[derive(Debug)]
pub(super) struct PackedKeys<'a> {
    pub encoding: KeyEncoding,
    pub translation: KeyForm,
    pub rotation: KeyForm,
    pub scale: KeyForm,
    /// Four numbers a track, or two.
    pub offsets: &'a [i32],
    /// Two numbers a track, or one.
    pub scale_offsets: &'a [i32],
    pub frames: usize,
    pub seconds: f32,
    pub order: ByteOrder,
    pub bytes: &'a [u8],
    /// Bytes of the lists that were read: no two tracks share one, and so they are no more than there are.
    pub used: Cell<usize>,
}

/// How often packed keys may be read on average: no file is known that reads one twice.
const MOST_SHARED: usize = 2;

/// Seconds and values of a list of keys.
type Keys<const N: usize> = Vec<(f32, [f32; N])>;

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
    /// Those whose places and forms are properties; `None` where there are no places.
    pub fn of_properties(
        source: &MeshSource<'a>,
        seconds: f32,
        bytes: &'a [u8],
    ) -> Result<Option<Self>> {
        let Some(Value::Array(Elements::Int(offsets))) = source.value("CompressedTrackOffsets")
        else {
            return Ok(None);
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
            offsets,
            scale_offsets: match sizes {
                Some(Value::Array(Elements::Int(all))) => all,
                _ => &[],
            },
            frames: frames(source),
            seconds,
            order: source.package.versions().byte_order,
            bytes,
            used: Cell::default(),
        }))
    }
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
            translations: self.vectors(translations, Part::Translation)?,
            rotations: self.rotations(rotations)?,
            scales: self.vectors(sizes, Part::Scale)?,
        })
    }

    fn vectors(&self, place: &[i32], part: Part) -> Result<Keys<3>> {
        let Some(list) = self.list(place, part)? else { return Ok(Vec::new()) };
        list.keys(self, |list, reader| list.vector(reader, part))
    }

    fn rotations(&self, place: &[i32]) -> Result<Keys<4>> {
        let Some(list) = self.list(place, Part::Rotation)? else { return Ok(Vec::new()) };
        list.keys(self, List::rotation)
    }

    /// A list of keys, up to the first one; `None` for a track that has none.
    fn list(&self, place: &[i32], part: Part) -> Result<Option<List<'_>>> {
        let (start, count) = match *place {
            [start, count] => (start, Some(count)),
            [start] => (start, None),
            _ => return Ok(None),
        };
        if start < 0 || count == Some(0) {
            return Ok(None);
        }
        let mut reader = Reader { order: self.order, bytes: self.bytes, at: start as usize };
        let mut list = match count {
            Some(count) => {
                let form = match part {
                    Part::Translation => self.translation,
                    Part::Rotation => self.rotation,
                    Part::Scale => self.scale,
                };
                let count = usize::try_from(count).map_err(|_| outside())?;
                // One key alone is never packed.
                let form = match (part, count) {
                    (Part::Rotation, 1) => KeyForm::Float96,
                    (_, 1) => KeyForm::Plain,
                    _ => form,
                };
                let is_timed = self.encoding == KeyEncoding::Variable && count > 1;
                List { form, parts: 7, count, is_timed, bounds: Bounds::default(), reader }
            }
            None => {
                let head = reader.u32()?;
                let (form, flags) = ((head >> 28) as u8, head >> 24 & 15);
                let form = KeyForm::of_number(form)?;
                let count = (head & 0xff_ffff) as usize;
                let parts = if flags & 7 == 0 && form != KeyForm::Identity { 7 } else { flags & 7 };
                let is_timed = flags & 8 != 0;
                List { form, parts, count, is_timed, bounds: Bounds::default(), reader }
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
            list.bounds = Bounds::read(&mut list.reader, list.parts, count.is_some())?;
        }
        Ok(Some(list))
    }
}

fn outside() -> Error {
    Error::invalid("keys that are stored outside the packed ones")
}

/// What keys within bounds are counted from.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    least: [f32; 3],
    ranges: [f32; 3],
}

impl Bounds {
    /// Of lists without a head the three least numbers stand first, of others each with its range.
    fn read(reader: &mut Reader<'_>, parts: u32, is_plain: bool) -> Result<Self> {
        let mut made = Self::default();
        if is_plain {
            for number in made.least.iter_mut().chain(&mut made.ranges) {
                *number = reader.f32()?;
            }
            return Ok(made);
        }
        for axis in (0..3).filter(|axis| parts >> axis & 1 != 0) {
            made.least[axis] = reader.f32()?;
            made.ranges[axis] = reader.f32()?;
        }
        Ok(made)
    }
}

/// The keys of one kind of a track.
struct List<'a> {
    form: KeyForm,
    /// Bits of the parts that are stored.
    parts: u32,
    count: usize,
    is_timed: bool,
    bounds: Bounds,
    /// At the first key.
    reader: Reader<'a>,
}

impl List<'_> {
    fn keys<const N: usize>(
        &self,
        packed: &PackedKeys<'_>,
        read: impl Fn(&Self, &mut Reader<'_>) -> Result<[f32; N]>,
    ) -> Result<Keys<N>> {
        let mut reader = self.reader;
        let mut values = Vec::new();
        for _ in 0..self.count {
            values.push(read(self, &mut reader)?);
        }
        // What a few bytes of a file could ask for again and again.
        let used = packed.used.get() + (reader.at - self.reader.at);
        if used / MOST_SHARED > packed.bytes.len() {
            return Err(Error::invalid("tracks that share their keys"));
        }
        packed.used.set(used);
        let last = packed.frames.saturating_sub(1).max(1) as f32;
        let frame = |frame: f32| frame / last * packed.seconds;
        if !self.is_timed {
            let step = match values.len() {
                0 | 1 => 0.0,
                keys => packed.seconds / (keys - 1) as f32,
            };
            let timed = values.into_iter().enumerate();
            return Ok(timed.map(|(at, value)| (at as f32 * step, value)).collect());
        }
        reader.at = reader.at.next_multiple_of(4);
        let is_wide = packed.frames > 0xff;
        let mut timed = Vec::with_capacity(values.len());
        for value in values {
            let time = if is_wide { reader.u16()? } else { reader.u8()?.into() };
            timed.push((frame(time.into()), value));
        }
        match timed.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            true => Ok(timed),
            false => Err(Error::invalid("keys that do not follow each other")),
        }
    }

    fn vector(&self, reader: &mut Reader<'_>, part: Part) -> Result<[f32; 3]> {
        // A bone that is left as it is: at the place of its parent, in its own size.
        let mut made = [0.0; 3];
        match self.form {
            KeyForm::Plain | KeyForm::Float96 => {
                for axis in self.axes() {
                    made[axis] = reader.f32()?;
                }
            }
            KeyForm::IntervalFixed32 => {
                let key = reader.u32()?;
                let parts = [
                    ((key & 0x3ff) as f32 - 511.0) / 511.0,
                    ((key >> 10 & 0x7ff) as f32 - 1023.0) / 1023.0,
                    ((key >> 21) as f32 - 1023.0) / 1023.0,
                ];
                let Bounds { least, ranges } = &self.bounds;
                made = [0, 1, 2].map(|axis| parts[axis] * ranges[axis] + least[axis]);
            }
            KeyForm::Identity if part == Part::Translation => {}
            // No file is known that has others, and so nobody has seen what they mean.
            form => return Err(unknown(form, "a vector")),
        }
        Ok(made)
    }

    fn axes(&self) -> impl Iterator<Item = usize> + use<> {
        let parts = self.parts;
        (0..3).filter(move |axis| parts >> axis & 1 != 0)
    }

    fn rotation(&self, reader: &mut Reader<'_>) -> Result<[f32; 4]> {
        let mut made = [0.0; 3];
        match self.form {
            KeyForm::Plain => {
                return Ok([reader.f32()?, reader.f32()?, reader.f32()?, reader.f32()?]);
            }
            KeyForm::Float96 => {
                for axis in self.axes() {
                    made[axis] = reader.f32()?;
                }
            }
            KeyForm::Fixed48 => {
                for axis in self.axes() {
                    made[axis] = (f32::from(reader.u16()?) - 32767.0) / 32767.0;
                }
            }
            KeyForm::IntervalFixed32 | KeyForm::Fixed32 => {
                let key = reader.u32()?;
                let parts = [
                    ((key >> 21) as f32 - 1023.0) / 1023.0,
                    ((key >> 10 & 0x7ff) as f32 - 1023.0) / 1023.0,
                    ((key & 0x3ff) as f32 - 511.0) / 511.0,
                ];
                let Bounds { least, ranges } = &self.bounds;
                made = match self.form {
                    KeyForm::Fixed32 => parts,
                    _ => [0, 1, 2].map(|axis| parts[axis] * ranges[axis] + least[axis]),
                };
            }
            KeyForm::Identity => {}
            KeyForm::Smallest48 => return self.smallest(reader),
            form => return Err(unknown(form, "a rotation")),
        }
        let [x, y, z] = made;
        let whole = [x, y, z, (1.0 - dot(made, made)).max(0.0).sqrt()];
        // Some files have keys whose parts are longer than 1 together.
        Ok(if dot(made, made) > 1.0 { unit(whole).unwrap_or(whole) } else { whole })
    }

    /// Three parts of fifteen bits between the roots of a half, and in the top bits of the first two which one is missing.
    fn smallest(&self, reader: &mut Reader<'_>) -> Result<[f32; 4]> {
        let words = [reader.u16()?, reader.u16()?, reader.u16()?];
        let range = std::f32::consts::SQRT_2;
        let parts = words.map(|word| f32::from(word & 0x7fff) / 32767.0 * range - range / 2.0);
        let missing = usize::from(words[0] >> 15 << 1 | words[1] >> 15);
        let mut made = [0.0; 4];
        let mut stored = parts.into_iter();
        for (axis, part) in made.iter_mut().enumerate() {
            *part = match axis == missing {
                true => (1.0 - dot(parts, parts)).max(0.0).sqrt(),
                false => stored.next().unwrap_or_default(),
            };
        }
        Ok(made)
    }
}

fn unknown(form: KeyForm, value: &str) -> Error {
    Error::invalid(format!("{value} in the form {}, which is not known", form.name()))
}

/// Reads numbers of packed keys.
#[derive(Debug, Clone, Copy)]
struct Reader<'a> {
    order: ByteOrder,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let end = self.at.checked_add(N).ok_or_else(outside)?;
        let bytes = self.bytes.get(self.at..end).ok_or_else(outside)?;
        self.at = end;
        let mut made: [u8; N] = bytes.try_into().map_err(|_| outside())?;
        if self.order == ByteOrder::Big {
            made.reverse();
        }
        Ok(made)
    }

    fn u8(&mut self) -> Result<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }
}

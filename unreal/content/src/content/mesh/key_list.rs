//! The packed keys of one kind of a track: its places, its rotations or its sizes.

use super::key_form::KeyForm;
use super::numbers::{dot, unit};
use crate::error::{Error, Result};
use crate::version::ByteOrder;

/// What a list of keys says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPart {
    Translation,
    Rotation,
    Scale,
}

/// Seconds and values of a list of keys.
pub(super) type TimedKeys<const N: usize> = Vec<(f32, [f32; N])>;

pub(super) fn outside() -> Error {
    Error::invalid("keys that are stored outside the packed ones")
}

/// What keys within bounds are counted from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyBounds {
    least: [f32; 3],
    ranges: [f32; 3],
}

impl KeyBounds {
    /// Of lists without a head the three least numbers stand first, of others each with its range.
    pub fn read(reader: &mut KeyReader<'_>, parts: u32, is_plain: bool) -> Result<Self> {
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

/// The number that stands for zero where positions and sizes are stored as whole numbers of 16 bits.
const FIXED_48_ZERO: f32 = 255.0;

/// The keys of one kind of a track.
pub(super) struct KeyList<'a> {
    pub form: KeyForm,
    /// Bits of the parts that are stored.
    pub parts: u32,
    pub count: usize,
    pub is_timed: bool,
    /// Whether a head says how they are stored, not the animation.
    pub has_head: bool,
    pub bounds: KeyBounds,
    /// At the first key.
    pub reader: KeyReader<'a>,
}

impl KeyList<'_> {
    /// The keys, and how many bytes they take.
    pub fn keys<const N: usize>(
        &self,
        frames: usize,
        seconds: f32,
        read: impl Fn(&Self, &mut KeyReader<'_>) -> Result<[f32; N]>,
    ) -> Result<(TimedKeys<N>, usize)> {
        let mut reader = self.reader;
        let mut values = Vec::new();
        for _ in 0..self.count {
            values.push(read(self, &mut reader)?);
        }
        let used = reader.at - self.reader.at;
        let last = frames.saturating_sub(1).max(1) as f32;
        let frame = |frame: f32| frame / last * seconds;
        if !self.is_timed {
            let step = match values.len() {
                0 | 1 => 0.0,
                keys => seconds / (keys - 1) as f32,
            };
            let timed = values.into_iter().enumerate();
            return Ok((timed.map(|(at, value)| (at as f32 * step, value)).collect(), used));
        }
        reader.at = reader.at.next_multiple_of(4);
        let is_wide = frames > 0xff;
        let mut timed = Vec::with_capacity(values.len());
        for value in values {
            let time = if is_wide { reader.u16()? } else { reader.u8()?.into() };
            timed.push((frame(time.into()), value));
        }
        match timed.windows(2).all(|pair| pair[0].0 < pair[1].0) {
            true => Ok((timed, used)),
            false => Err(Error::invalid("keys that do not follow each other")),
        }
    }

    pub fn vector(&self, reader: &mut KeyReader<'_>, part: KeyPart) -> Result<[f32; 3]> {
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
                let KeyBounds { least, ranges } = &self.bounds;
                made = [0, 1, 2].map(|axis| parts[axis] * ranges[axis] + least[axis]);
            }
            // Whole numbers: sizes of 1 are 256 there in every file seen.
            KeyForm::Fixed48 if self.has_head => {
                for axis in self.axes() {
                    made[axis] = f32::from(reader.u16()?) - FIXED_48_ZERO;
                }
            }
            KeyForm::Identity if part == KeyPart::Scale => made = [1.0; 3],
            KeyForm::Identity => {}
            // No file is known that has others, and so nobody has seen what they mean.
            form => return Err(unknown(form, "a vector")),
        }
        Ok(made)
    }

    fn axes(&self) -> impl Iterator<Item = usize> + use<> {
        let parts = self.parts;
        (0..3).filter(move |axis| parts >> axis & 1 != 0)
    }

    pub fn rotation(&self, reader: &mut KeyReader<'_>) -> Result<[f32; 4]> {
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
                let KeyBounds { least, ranges } = &self.bounds;
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
    fn smallest(&self, reader: &mut KeyReader<'_>) -> Result<[f32; 4]> {
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
pub(super) struct KeyReader<'a> {
    pub order: ByteOrder,
    pub bytes: &'a [u8],
    pub at: usize,
}

impl KeyReader<'_> {
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

    pub fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }
}

//! Texts with their hashes.

use super::hash;
use crate::archive::layout::Layout;
use crate::archive::{at_index, in_field};
use crate::error::{Error, ErrorKind, UnrealError};
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// Says how the hashes are made: CityHash64.
const ALGORITHM: u64 = 0xc164_0000;
/// In the length of a text: its characters are of two bytes.
const WIDE: u16 = 0x8000;

/// A list of texts: count, bytes of all characters, the kind of hashes, hashes, lengths (two bytes, the highest
/// first; the highest bit says UTF-16), characters. A list without texts is its count alone.
///
/// Hashes and lengths follow from the texts. Spec: ue4-5/12 §3.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct NameBatch {
    /// The texts.
    pub texts: Vec<String>,
}

impl NameBatch {
    /// The characters of a text, and its length as it is stored; `None` for one that is too long.
    fn stored(text: &str) -> Option<(Vec<u8>, u16)> {
        let (bytes, length, wide) = match text.is_ascii() {
            true => (text.as_bytes().to_vec(), text.len(), 0),
            false => {
                let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let length = bytes.len() / 2;
                (bytes, length, WIDE)
            }
        };
        let length = u16::try_from(length).ok().filter(|length| *length < WIDE)?;
        Some((bytes, length | wide))
    }

    /// Bytes of the stored list.
    pub fn size(&self) -> u64 {
        let text = |text: &String| match text.is_ascii() {
            true => text.len() as u64 + 10,
            false => text.encode_utf16().count() as u64 * 2 + 10,
        };
        match self.texts.is_empty() {
            true => 4,
            false => 16 + self.texts.iter().map(text).sum::<u64>(),
        }
    }
}

/// The text of so many units; `None` where it is not stored so.
fn text_of(bytes: &[u8], wide: bool) -> Option<String> {
    let text = match wide {
        true => {
            let units: Vec<u16> =
                bytes.as_chunks().0.iter().map(|it| u16::from_le_bytes(*it)).collect();
            String::from_utf16(&units).ok()?
        }
        false => std::str::from_utf8(bytes).ok()?.to_owned(),
    };
    (text.is_ascii() != wide).then_some(text)
}

impl NameBatch {
    /// Bytes of the characters and of the hashes where these stand apart, as in UE4.
    pub(super) fn parts_size(&self) -> (u64, u64) {
        let text = |at: u64, text: &String| match text.is_ascii() {
            true => at + 2 + text.len() as u64,
            false => (at + 2).next_multiple_of(2) + text.encode_utf16().count() as u64 * 2,
        };
        (self.texts.iter().fold(0, text), 8 + self.texts.len() as u64 * 8)
    }

    /// Lengths and characters as UE4 has them, name after name; those of two bytes stand on a multiple of two.
    /// When loading up to `size` bytes, or the end.
    pub(super) fn serialize_characters<A: Archive + ?Sized>(
        &mut self,
        size: Option<u64>,
        ar: &mut A,
    ) -> Result<()> {
        if !ar.is_loading() {
            let each = |(row, text): (usize, &String)| {
                let mut text = text.clone();
                at_index(row, ar, |ar| one_text(&mut text, ar))
            };
            return self.texts.iter().enumerate().try_for_each(each);
        }
        self.texts.clear();
        let end = size.and_then(|size| ar.position().checked_add(size));
        while end.map_or(!ar.peek(1).is_empty(), |end| ar.position() < end) {
            let mut text = String::new();
            ar.claim(1, size_of::<String>())?;
            at_index(self.texts.len(), ar, |ar| one_text(&mut text, ar))?;
            self.texts.push(text);
        }
        match end.is_some_and(|end| ar.position() != end) {
            true => Err(invalid(ar, self.texts.len(), "the names end elsewhere")),
            false => Ok(()),
        }
    }

    /// The kind of the hashes and the hashes, apart from the names.
    pub(super) fn serialize_hashes<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        algorithm(ar)?;
        for (row, text) in self.texts.iter().enumerate() {
            let expected = hash::of_name(text);
            let mut stored = expected;
            at_index(row, ar, |ar| ar.serialize_u64(&mut stored))?;
            if stored != expected {
                return Err(invalid(ar, row, "the name has another hash"));
            }
        }
        Ok(())
    }
}

fn invalid<A: Archive + ?Sized>(ar: &A, row: usize, reason: &str) -> Error {
    ar.error(ErrorKind::Invalid { reason: reason.to_owned() }).at_index(row)
}

/// The kind of hashes.
fn algorithm<A: Archive + ?Sized>(ar: &mut A) -> Result<()> {
    let mut algorithm = ALGORITHM;
    in_field("algorithm", ar, |ar| ar.serialize_u64(&mut algorithm))?;
    if algorithm != ALGORITHM {
        let reason = format!("hashes of names of kind {algorithm:#x}");
        return Err(ar.error(UnrealError::unsupported(reason)));
    }
    Ok(())
}

/// A length, the highest byte first.
fn length<A: Archive + ?Sized>(length: &mut u16, ar: &mut A) -> Result<()> {
    let mut bytes = length.to_be_bytes();
    ar.serialize_bytes(&mut bytes)?;
    *length = u16::from_be_bytes(bytes);
    Ok(())
}

/// A name of UE4 with its length.
fn one_text<A: Archive + ?Sized>(text: &mut String, ar: &mut A) -> Result<()> {
    let too_long = |ar: &A| ar.error(ErrorKind::Invalid { reason: "it is too long".to_owned() });
    let (mut bytes, mut units) = NameBatch::stored(text).ok_or_else(|| too_long(ar))?;
    length(&mut units, ar)?;
    let wide = units & WIDE != 0;
    if wide && ar.position() % 2 == 1 {
        let mut pad = [0];
        ar.serialize_bytes(&mut pad)?;
    }
    if ar.is_loading() {
        let count = usize::from(units & !WIDE) * if wide { 2 } else { 1 };
        ar.claim(count as u64, 1)?;
        bytes.resize(count, 0);
    }
    ar.serialize_bytes(&mut bytes)?;
    if ar.is_loading() {
        let reason = "it is not stored as names of its characters are".to_owned();
        let read = text_of(&bytes, wide);
        *text = read.ok_or_else(|| ar.error(ErrorKind::Invalid { reason }))?;
    }
    Ok(())
}

impl Archived for NameBatch {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = crate::primitive::array::u32_count(self.texts.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        if ar.is_loading() {
            self.texts.clear();
        }
        if count == 0 {
            return Ok(());
        }
        let (mut characters, mut lengths, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        for (row, text) in self.texts.iter().enumerate() {
            let stored = Self::stored(text);
            let (bytes, length) = stored.ok_or_else(|| invalid(ar, row, "the name is too long"))?;
            characters.extend(bytes);
            lengths.push(length);
            hashes.push(hash::of_name(text));
        }
        let mut size = crate::primitive::array::u32_count(characters.len(), ar)?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut size))?;
        algorithm(ar)?;
        if ar.is_loading() {
            ar.claim(count.into(), size_of::<u64>() + size_of::<u16>() + size_of::<String>())?;
            hashes.resize(count as usize, 0);
            lengths.resize(count as usize, 0);
        }
        in_field("hashes", ar, |ar| {
            let mut each = hashes.iter_mut().enumerate();
            each.try_for_each(|(row, hash)| at_index(row, ar, |ar| ar.serialize_u64(hash)))
        })?;
        in_field("lengths", ar, |ar| {
            let mut each = lengths.iter_mut().enumerate();
            each.try_for_each(|(row, units)| at_index(row, ar, |ar| length(units, ar)))
        })?;
        if ar.is_loading() {
            ar.claim(size.into(), 1)?;
            characters.resize(size as usize, 0);
        }
        in_field("characters", ar, |ar| ar.serialize_bytes(&mut characters))?;
        if !ar.is_loading() {
            return Ok(());
        }
        let mut rest = &characters[..];
        for (row, (length, hash)) in lengths.into_iter().zip(hashes).enumerate() {
            let wide = length & WIDE != 0;
            let bytes = usize::from(length & !WIDE) * if wide { 2 } else { 1 };
            let (text, behind) = rest
                .split_at_checked(bytes)
                .ok_or_else(|| invalid(ar, row, "the characters end before the names do"))?;
            rest = behind;
            let text = text_of(text, wide).filter(|text| hash::of_name(text) == hash);
            self.texts.push(text.ok_or_else(|| invalid(ar, row, "the name has another hash"))?);
        }
        match rest.is_empty() {
            true => Ok(()),
            false => Err(invalid(ar, self.texts.len(), "there are more characters than names")),
        }
    }
}

//! The names of a registry of assets: a table, and rows of it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::archive::{Kind, at_index, in_field, private};
use crate::container::zen::hash;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, array};
use crate::table::NameHashes;
use crate::{Archive, ArchiveExt, Archived, FString, Span};

use super::asset_registry::{FIXED_TAGS, RegistryForm};

/// Characters that a name may have. C++: `NAME_SIZE`, with the zero behind it.
const LONGEST: usize = 1023;
/// How names are hashed from version 8 on.
const HASH_VERSION: u64 = 0xc164_0000;
/// In a row of a name: a number follows.
const NUMBERED: u32 = 0x8000_0000;
/// In the header of a text in a batch: it is of 16-bit units.
const WIDE: u16 = 0x8000;

/// A count, then rows by a function that knows the version.
pub(super) fn counted<T: Default, A: Archive + ?Sized>(
    rows: &mut Vec<T>,
    ar: &mut A,
    serialize: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    array::counted_i32_by(rows, ar, serialize)
}

/// The texts of all names of a registry.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryNames {
    /// How the names are hashed, from version 8: 0xC1640000.
    pub hash_version: u64,
    /// The names in stored order.
    pub rows: Vec<RegistryText>,
}

/// A text in the table of names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryText {
    /// Hash of the text in lower case, from version 8; before, two of 16 bits.
    pub hash: u64,
    /// The text, below version 8.
    pub text: FString,
    /// Whether the characters are of 16 bits, from version 8.
    pub wide: bool,
    /// The characters, from version 8: without a terminator.
    pub characters: Span,
}

impl RegistryNames {
    /// Below version 8: a count, then texts with two hashes.
    pub(super) fn serialize_list<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        counted(&mut self.rows, ar, |row, ar| {
            in_field("text", ar, |ar| row.text.serialize(ar))?;
            let (mut first, mut second) = (row.hash as u16, (row.hash >> 16) as u16);
            in_field("hash", ar, |ar| ar.serialize_u16(&mut first))?;
            in_field("case_hash", ar, |ar| ar.serialize_u16(&mut second))?;
            if ar.is_loading() {
                row.hash = u64::from(first) | u64::from(second) << 16;
            }
            Ok(())
        })
    }

    /// From version 8: counts, hashes, headers, characters.
    ///
    /// | order | type | field |
    /// |---|---|---|
    /// | 1 | u32 | names |
    /// | 2 | u32 | bytes of all characters |
    /// | 3 | u64 | how they are hashed |
    /// | 4 | u64 each | hashes |
    /// | 5 | 2 bytes each, high byte first | 0x8000 for 16-bit characters, and how many |
    /// | 6 | | characters |
    pub(super) fn serialize_batch<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut count = array::u32_count(self.rows.len(), ar)?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        if count == 0 {
            // Nothing else follows.
            self.rows.clear();
            return private::absent(&mut self.hash_version, ar, "hash_version");
        }
        let (place, mut bytes) = (ar.position(), 0);
        in_field("bytes", ar, |ar| ar.serialize_u32(&mut bytes))?;
        in_field("hash_version", ar, |ar| ar.serialize_u64(&mut self.hash_version))?;
        if ar.is_loading() {
            self.rows.clear();
            ar.claim(count.into(), size_of::<RegistryText>())?;
            self.rows.resize_with(count as usize, RegistryText::default);
        }
        let rows = &mut self.rows;
        in_field("hashes", ar, |ar| each(rows, ar, |row, ar| ar.serialize_u64(&mut row.hash)))?;
        let mut lengths = Vec::new();
        ar.claim(count.into(), size_of::<u64>())?;
        in_field("headers", ar, |ar| {
            each(rows, ar, |row, ar| {
                let unit = if row.wide { 2 } else { 1 };
                let units = row.characters.len() / unit;
                let header = u16::try_from(units).ok().filter(|units| units & WIDE == 0);
                let error = ErrorKind::OutOfRange { value: units.into(), bits: 15 };
                let header = header.ok_or_else(|| ar.error(error))?;
                let mut stored = (header | if row.wide { WIDE } else { 0 }).to_be_bytes();
                ar.serialize_bytes(&mut stored)?;
                if ar.is_loading() {
                    let header = u16::from_be_bytes(stored);
                    row.wide = header & WIDE != 0;
                    let unit = if row.wide { 2 } else { 1 };
                    lengths.push(u64::from(header & !WIDE) * unit);
                }
                Ok(())
            })
        })?;
        let (start, mut lengths) = (ar.position(), lengths.into_iter());
        in_field("characters", ar, |ar| {
            each(rows, ar, |row, ar| {
                let length = lengths.next().unwrap_or_default();
                ar.serialize_span(&mut row.characters, length, Kind::Text)
            })
        })?;
        let read = ar.position() - start;
        if ar.is_loading() && ar.form("is_document", &[], 0).is_none() && read != u64::from(bytes) {
            return Err(ar.error(ErrorKind::LeftOver { left: bytes.into(), size: read }));
        }
        ar.patch_u32(place, u32::try_from(read).unwrap_or(u32::MAX))
    }

    /// The text of a row with its number; the row itself where there is no such row.
    pub fn text(&self, name: RegistryName, source: &[u8]) -> String {
        let text = self.rows.get(name.row as usize).map(|row| row.text(source));
        let text = text.unwrap_or_else(|| format!("#{}", name.row).into());
        match name.number {
            0 => text.into_owned(),
            number => format!("{text}_{}", number - 1),
        }
    }
}

fn each<T, A: Archive + ?Sized>(
    rows: &mut [T],
    ar: &mut A,
    mut serialize: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    let row = |(index, row)| at_index(index, ar, |ar| serialize(row, ar));
    rows.iter_mut().enumerate().try_for_each(row)
}

impl RegistryText {
    /// The text; `source` is what the registry was read from.
    pub fn text<'a>(&'a self, source: &'a [u8]) -> Cow<'a, str> {
        if self.characters.is_empty() {
            return self.text.text(source).unwrap_or_default();
        }
        let bytes = self.characters.bytes(source).unwrap_or_default();
        if !self.wide {
            return String::from_utf8_lossy(bytes);
        }
        let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}

/// The rows of a table of names by their texts, to which others are added.
pub(super) struct NameRows {
    rows: HashMap<String, u32>,
    version: i32,
}

impl NameRows {
    pub fn of(names: &RegistryNames, version: i32, source: &[u8]) -> Self {
        let texts = (0..).zip(&names.rows).map(|(at, row)| (row.text(source).into_owned(), at));
        let mut rows = HashMap::with_capacity(names.rows.len());
        for (text, at) in texts {
            rows.entry(text).or_insert(at);
        }
        Self { rows, version }
    }

    /// A name, whose text is added where the table lacks it.
    pub fn name(&mut self, text: &str, names: &mut RegistryNames) -> Result<RegistryName> {
        let (base, number) = Name::split(text).unwrap_or((text, 0));
        let number = number.cast_unsigned();
        if let Some(&row) = self.rows.get(base) {
            return Ok(RegistryName { row, number });
        }
        if base.is_empty() || base.contains('\0') {
            return Err(Error::invalid(format!("'{text}' is no name")));
        }
        if base.encode_utf16().count() > LONGEST {
            let start: String = base.chars().take(32).collect();
            return Err(Error::invalid(format!(
                "'{start}…' is longer than a name may be ({LONGEST} characters)"
            )));
        }
        let row = u32::try_from(names.rows.len()).ok().filter(|row| row & NUMBERED == 0);
        let row = row.ok_or_else(|| Error::invalid("no registry holds more names"))?;
        names.rows.push(match self.version >= FIXED_TAGS {
            true => {
                if names.rows.is_empty() {
                    names.hash_version = HASH_VERSION;
                } else if names.hash_version != HASH_VERSION {
                    return Err(Error::invalid("its names are hashed in a way that is not known"));
                }
                let wide = !base.is_ascii();
                let characters = match wide {
                    false => base.as_bytes().to_vec(),
                    true => base.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                };
                let (hash, characters) = (hash::of_name(base), Span::owned(characters));
                RegistryText { hash, wide, characters, ..RegistryText::default() }
            }
            false => {
                let NameHashes { case_folded, case_preserving } = NameHashes::of(base);
                let hash = u64::from(case_folded) | u64::from(case_preserving) << 16;
                RegistryText { hash, text: FString::new(base), ..RegistryText::default() }
            }
        });
        self.rows.insert(base.to_owned(), row);
        Ok(RegistryName { row, number })
    }
}

/// A row of the table of names, and the number behind it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct RegistryName {
    /// The row.
    pub row: u32,
    /// One more than the number that follows the text; 0 for none.
    pub number: u32,
}

impl RegistryName {
    /// Below version 8 two numbers; then one of which the highest bit says that another follows.
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        let is_short = form.version >= FIXED_TAGS;
        let mut row = self.row;
        if is_short && !ar.is_loading() {
            if row & NUMBERED != 0 {
                return Err(ar.error(ErrorKind::OutOfRange { value: row.into(), bits: 31 }));
            }
            row |= if self.number == 0 { 0 } else { NUMBERED };
        }
        in_field("row", ar, |ar| ar.serialize_u32(&mut row))?;
        let has_number = !is_short || row & NUMBERED != 0;
        let mut number = if has_number { self.number } else { 0 };
        if has_number {
            in_field("number", ar, |ar| ar.serialize_u32(&mut number))?;
        }
        if ar.is_loading() {
            if is_short && has_number && number == 0 {
                let form = "a name with a number of zero beside it";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
            *self = Self { row: if is_short { row & !NUMBERED } else { row }, number };
        }
        Ok(())
    }
}

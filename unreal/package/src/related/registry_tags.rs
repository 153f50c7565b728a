//! The tags of all assets of a registry, from version 8: texts and names that pairs of key and value share.

use std::collections::HashMap;

use super::asset_registry::RegistryForm;
use super::registry_names::{RegistryName, RegistryNames};
use crate::archive::{Kind, at_index, in_field, private};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Utf8String, array};
use crate::{Archive, ArchiveExt, FString, Span};

/// What the store begins with where texts stand in their own order.
const IN_ORDER: u32 = 0x1234_5678;
/// What it begins with where texts stand first.
const TEXTS_FIRST: u32 = 0x1234_5679;
/// What it ends with.
const END: u32 = 0x8765_4321;
/// First version whose texts are UTF-8, without a zero behind them.
const UTF8_TEXTS: i32 = 19;

/// The tags of all assets.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u32 | 0x12345678, or 0x12345679 where texts stand first |
/// | 2 | i32 × 11 | counts, in the order of the fields; then bytes of the texts, and the texts, if they stand first |
/// | 3 | | the fields in their order |
/// | 4 | u32 | 0x87654321 |
///
/// From version 24 zeros stand before the store, and where texts stand first before each part, so that it begins at a
/// multiple of 16 bytes.
///
/// Spec: ue4-5/14 §14.3. C++: `FixedTagPrivate::FStore`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TagStore {
    /// Whether texts stand before all else.
    pub texts_first: bool,
    /// Names without numbers.
    pub plain_names: Vec<u32>,
    /// Names.
    pub names: Vec<RegistryName>,
    /// Paths of objects whose names have no numbers.
    pub plain_paths: Vec<PlainPath>,
    /// Paths of objects.
    pub paths: Vec<ExportPath>,
    /// Texts that can be translated, as they are exported, below version 19.
    pub texts: Vec<FString>,
    /// The same from version 19.
    pub utf8_texts: Vec<Utf8String>,
    /// Where each text of 8-bit characters begins.
    pub ansi_starts: Vec<u32>,
    /// Where each text of 16-bit characters begins, in characters.
    pub wide_starts: Vec<u32>,
    /// Texts of 8-bit characters, each with a zero behind it.
    pub ansi: Span,
    /// Texts of 16-bit characters, each with a zero behind it.
    pub wide: Span,
    /// Keys without numbers, and values.
    pub plain_pairs: Vec<PlainPair>,
    /// Keys and values.
    pub pairs: Vec<TagPair>,
}

/// The path of an object as an asset's tag holds it, without numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PlainPath(pub Vec<u32>);

/// The path of an object as an asset's tag holds it: class, object and package; from version 14 the class's package
/// first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExportPath(pub Vec<RegistryName>);

/// A tag whose key has no number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PlainPair {
    /// Row of the key's name.
    pub key: u32,
    /// The value.
    pub value: TagValue,
}

/// A tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagPair {
    /// The key.
    pub key: RegistryName,
    /// The value.
    pub value: TagValue,
}

/// The value of a tag: the kind in the three lowest bits, above them the row among the store's values of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagValue(pub u32);

impl TagStore {
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        form.align(ar)?;
        let mut mark = if self.texts_first { TEXTS_FIRST } else { IN_ORDER };
        in_field("begin", ar, |ar| ar.serialize_u32(&mut mark))?;
        if ar.is_loading() {
            self.texts_first = mark == TEXTS_FIRST;
            if mark != TEXTS_FIRST && mark != IN_ORDER {
                let (value, type_name) = (mark.into(), "TagStore");
                return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
            }
        }
        let counts = self.serialize_counts(ar)?;
        let texts_first = self.texts_first;
        let align = |ar: &mut A| if texts_first { form.align(ar) } else { Ok(()) };
        if self.texts_first {
            let (place, mut bytes) = (ar.position(), 0);
            in_field("texts_size", ar, |ar| ar.serialize_u32(&mut bytes))?;
            form.align(ar)?;
            let start = ar.position();
            self.serialize_texts(counts[4], form, ar)?;
            let read = ar.position() - start;
            if ar.is_loading()
                && ar.form("is_document", &[], 0).is_none()
                && read != u64::from(bytes)
            {
                return Err(ar.error(ErrorKind::LeftOver { left: bytes.into(), size: read }));
            }
            ar.patch_u32(place, u32::try_from(read).unwrap_or(u32::MAX))?;
        }
        align(ar)?;
        in_field("plain_names", ar, |ar| array::elements(&mut self.plain_names, counts[0], ar))?;
        align(ar)?;
        in_field("names", ar, |ar| {
            rows(&mut self.names, counts[1], ar, |row, ar| row.serialize(form, ar))
        })?;
        let parts = if form.version >= CLASS_PATHS { 4 } else { 3 };
        align(ar)?;
        in_field("plain_paths", ar, |ar| {
            rows(&mut self.plain_paths, counts[2], ar, |path, ar| {
                fixed(&mut path.0, parts, ar, |part, ar| ar.serialize_u32(part))
            })
        })?;
        align(ar)?;
        in_field("paths", ar, |ar| {
            rows(&mut self.paths, counts[3], ar, |path, ar| {
                fixed(&mut path.0, parts, ar, |part, ar| part.serialize(form, ar))
            })
        })?;
        if !self.texts_first {
            self.serialize_texts(counts[4], form, ar)?;
        }
        align(ar)?;
        in_field("ansi_starts", ar, |ar| array::elements(&mut self.ansi_starts, counts[5], ar))?;
        align(ar)?;
        in_field("wide_starts", ar, |ar| array::elements(&mut self.wide_starts, counts[6], ar))?;
        align(ar)?;
        in_field("ansi", ar, |ar| ar.serialize_span(&mut self.ansi, counts[7] as u64, Kind::Text))?;
        let wide = counts[8] as u64 * 2;
        align(ar)?;
        in_field("wide", ar, |ar| ar.serialize_span(&mut self.wide, wide, Kind::Text))?;
        align(ar)?;
        in_field("plain_pairs", ar, |ar| {
            rows(&mut self.plain_pairs, counts[9], ar, |pair, ar| {
                in_field("key", ar, |ar| ar.serialize_u32(&mut pair.key))?;
                in_field("value", ar, |ar| ar.serialize_u32(&mut pair.value.0))
            })
        })?;
        align(ar)?;
        in_field("pairs", ar, |ar| {
            rows(&mut self.pairs, counts[10], ar, |pair, ar| {
                in_field("key", ar, |ar| pair.key.serialize(form, ar))?;
                in_field("value", ar, |ar| ar.serialize_u32(&mut pair.value.0))
            })
        })?;
        let mut end = END;
        in_field("end", ar, |ar| ar.serialize_u32(&mut end))?;
        match end {
            END => Ok(()),
            end => {
                let (wanted, found) = (END.to_le_bytes().to_vec(), end.to_le_bytes().to_vec());
                Err(ar.error(ErrorKind::BadMagic { wanted, found }))
            }
        }
    }

    /// So many texts, in the form of the version.
    fn serialize_texts<A: Archive + ?Sized>(
        &mut self,
        count: usize,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        if form.version < UTF8_TEXTS {
            private::absent(&mut self.utf8_texts, ar, "utf8_texts")?;
            return in_field("texts", ar, |ar| array::elements(&mut self.texts, count, ar));
        }
        private::absent(&mut self.texts, ar, "texts")?;
        in_field("utf8_texts", ar, |ar| array::elements(&mut self.utf8_texts, count, ar))
    }

    fn serialize_counts<A: Archive + ?Sized>(&self, ar: &mut A) -> Result<[usize; 11]> {
        let wide = usize::try_from(self.wide.len() / 2).unwrap_or(usize::MAX);
        let ansi = usize::try_from(self.ansi.len()).unwrap_or(usize::MAX);
        let mut counts = [
            self.plain_names.len(),
            self.names.len(),
            self.plain_paths.len(),
            self.paths.len(),
            self.texts.len() + self.utf8_texts.len(),
            self.ansi_starts.len(),
            self.wide_starts.len(),
            ansi,
            wide,
            self.plain_pairs.len(),
            self.pairs.len(),
        ];
        in_field("counts", ar, |ar| {
            for (index, count) in counts.iter_mut().enumerate() {
                *count = at_index(index, ar, |ar| array::serialize_i32_count(*count, ar))?;
            }
            Ok(())
        })?;
        Ok(counts)
    }

    /// The value of a tag as text; `source` is what the registry was read from.
    pub fn text(&self, value: TagValue, names: &RegistryNames, source: &[u8]) -> Option<String> {
        let row = (value.0 >> 3) as usize;
        let plain = |row: u32| names.text(RegistryName { row, number: 0 }, source);
        Some(match value.0 & 7 {
            0 => {
                let start = *self.ansi_starts.get(row)? as usize;
                let bytes = self.ansi.bytes(source).ok()?.get(start..)?;
                let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
                String::from_utf8_lossy(&bytes[..end]).into_owned()
            }
            1 => {
                let start = (*self.wide_starts.get(row)? as usize).checked_mul(2)?;
                let bytes = self.wide.bytes(source).ok()?.get(start..)?;
                let units = bytes.chunks_exact(2).map(|it| u16::from_le_bytes([it[0], it[1]]));
                let units: Vec<_> = units.take_while(|unit| *unit != 0).collect();
                String::from_utf16_lossy(&units)
            }
            2 => plain(*self.plain_names.get(row)?),
            3 => names.text(*self.names.get(row)?, source),
            4 => path_text(self.plain_paths.get(row)?.0.iter().map(|part| plain(*part)).collect()),
            5 => {
                let path = self.paths.get(row)?.0.iter();
                path_text(path.map(|part| names.text(*part, source)).collect())
            }
            6 => match self.utf8_texts.get(row) {
                Some(text) => text.text(source).ok()?.into_owned(),
                None => self.texts.get(row)?.text(source).ok()?.into_owned(),
            },
            _ => return None,
        })
    }
}

/// Bits of a value that say which kind it is.
const KIND_BITS: u32 = 3;
/// The kinds of values, by those bits: 8-bit characters, 16-bit characters, texts that can be translated.
const ANSI: u32 = 0;
const WIDE: u32 = 1;
pub(super) const LOCALIZED: u32 = 6;

impl TagValue {
    /// Which kind of value it is.
    pub(super) fn kind(self) -> u32 {
        self.0 & ((1 << KIND_BITS) - 1)
    }
}

/// The texts of a store while others are put behind them: all at once, since each would copy those before.
pub(super) struct TagTexts {
    ansi: Vec<u8>,
    wide: Vec<u8>,
    /// Those that were added.
    added: HashMap<String, TagValue>,
}

impl TagTexts {
    pub fn of(store: &TagStore, source: &[u8]) -> Result<Self> {
        let (ansi, wide) = (store.ansi.bytes(source)?.to_vec(), store.wide.bytes(source)?.to_vec());
        Ok(Self { ansi, wide, added: HashMap::new() })
    }

    /// A text behind all others, as a value.
    pub fn add(&mut self, text: &str, store: &mut TagStore) -> Result<TagValue> {
        if let Some(value) = self.added.get(text) {
            return Ok(*value);
        }
        if text.contains('\0') {
            return Err(Error::invalid("a tag holds no zero"));
        }
        let too_many = || Error::invalid("no registry holds more texts");
        let (bytes, starts, unit, kind) = match text.is_ascii() {
            true => (&mut self.ansi, &mut store.ansi_starts, 1, ANSI),
            false => (&mut self.wide, &mut store.wide_starts, 2, WIDE),
        };
        let start = u32::try_from(bytes.len() / unit).map_err(|_| too_many())?;
        let row = u32::try_from(starts.len()).ok().filter(|row| *row < 1 << (32 - KIND_BITS));
        let value = TagValue(row.ok_or_else(too_many)? << KIND_BITS | kind);
        match kind {
            ANSI => bytes.extend(text.bytes().chain([0])),
            _ => bytes.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes)),
        }
        starts.push(start);
        self.added.insert(text.to_owned(), value);
        Ok(value)
    }

    /// Puts the texts into the store, if there are others.
    pub fn put(self, store: &mut TagStore) {
        if !self.added.is_empty() {
            (store.ansi, store.wide) = (Span::owned(self.ansi), Span::owned(self.wide));
        }
    }
}

/// First version whose classes are paths.
pub(super) const CLASS_PATHS: i32 = 14;

/// `Class'Package.Object'`, as tags are written.
fn path_text(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [class, object, package] => format!("{class}'{package}.{object}'"),
        [outer, class, object, package] => format!("{outer}.{class}'{package}.{object}'"),
        _ => parts.join("."),
    }
}

/// So many rows, whose number stands elsewhere.
fn rows<T: Default, A: Archive + ?Sized>(
    values: &mut Vec<T>,
    count: usize,
    ar: &mut A,
    mut each: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    if ar.is_loading() {
        ar.claim(count as u64, size_of::<T>())?;
        values.clear();
        values.resize_with(count, T::default);
    }
    for (index, value) in values.iter_mut().enumerate() {
        at_index(index, ar, |ar| each(value, ar))?;
    }
    Ok(())
}

/// As many parts as the version has.
fn fixed<T: Default, A: Archive + ?Sized>(
    parts: &mut Vec<T>,
    count: usize,
    ar: &mut A,
    each: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    if !ar.is_loading() && parts.len() != count {
        return Err(ar.error(ErrorKind::NotInVersion));
    }
    rows(parts, count, ar, each)
}

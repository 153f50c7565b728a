//! `.locres`: the texts of one language, by namespace and key.

use bytes::Bytes;

use crate::archive::{Context, Coverage, Kind, at_index, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, array};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Loader, Saver, Span, Versions};

/// What files start with, but those of version 0.
const MAGIC: [u8; 16] = [
    0x0e, 0x14, 0x74, 0x75, 0x67, 0x4a, 0x03, 0xfc, 0x4a, 0x15, 0x90, 0x9d, 0xc3, 0x37, 0x7f, 0x1b,
];
/// The newest version.
const NEWEST: u8 = 3;

/// The texts of one language: a `.locres` file.
///
/// | version | start | keys | translations |
/// |---|---|---|---|
/// | 0 | no magic | text | text |
/// | 1 | magic, version, offset of the strings | text | index of a string |
/// | 2, 3 | the same, number of keys | hash, text | index of a string, which counts its users |
///
/// Hashes stay as they are stored: those of keys are of the text, the entries' own of the source text, which
/// the file does not hold. Spec: ue4-5/14 §14.2. C++: `FTextLocalizationResource`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalizedTexts {
    /// 0 to 3.
    pub version: u8,
    /// Whether there is a list of strings, from version 1: an offset of -1 says that there is none.
    pub has_strings: bool,
    /// Number of keys in all namespaces, from version 2.
    pub key_count: u32,
    /// The namespaces in stored order.
    pub namespaces: Vec<LocalizedNamespace>,
    /// The translations, from version 1.
    pub strings: Vec<LocalizedString>,
    /// What stands behind all; nothing in every file seen.
    pub rest: Span,
}

/// A namespace or a key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KeyRecord {
    /// Hash of the text, from version 2.
    pub hash: u32,
    /// The text.
    pub text: FString,
}

/// A namespace with its keys.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalizedNamespace {
    /// Its name, often empty.
    pub name: KeyRecord,
    /// Its entries in stored order.
    pub entries: Vec<LocalizedEntry>,
}

/// A key with its translation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalizedEntry {
    /// The key.
    pub key: KeyRecord,
    /// Hash of the source text: a translation counts only where the game's text still has it.
    pub source_hash: u32,
    /// The translation.
    pub translation: LocalizedTranslation,
}

/// Where a translation is.
#[derive(Debug, Clone, PartialEq)]
pub enum LocalizedTranslation {
    /// Version 0: here.
    Text(FString),
    /// From version 1: in this row of the strings.
    Row(i32),
}

impl Default for LocalizedTranslation {
    fn default() -> Self {
        Self::Row(0)
    }
}

/// A translation that entries share.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalizedString {
    /// The text.
    pub text: FString,
    /// Entries that use it, from version 2; -1 where nobody has counted.
    pub users: i32,
}

/// A count, then rows by a function that knows the version.
fn rows<T: Default, A: Archive + ?Sized>(
    rows: &mut Vec<T>,
    ar: &mut A,
    mut serialize: impl FnMut(&mut T, &mut A) -> Result<()>,
) -> Result<()> {
    let mut count = array::u32_count(rows.len(), ar)?;
    ar.serialize_u32(&mut count)?;
    if ar.is_loading() {
        rows.clear();
        ar.claim(count.into(), size_of::<T>())?;
        rows.resize_with(count as usize, T::default);
    }
    let row = |(index, row)| at_index(index, ar, |ar| serialize(row, ar));
    rows.iter_mut().enumerate().try_for_each(row)
}

impl KeyRecord {
    fn serialize<A: Archive + ?Sized>(&mut self, version: u8, ar: &mut A) -> Result<()> {
        match version {
            0 | 1 => private::absent(&mut self.hash, ar, "hash")?,
            _ => in_field("hash", ar, |ar| ar.serialize_u32(&mut self.hash))?,
        }
        in_field("text", ar, |ar| self.text.serialize(ar))
    }
}

impl LocalizedEntry {
    fn serialize<A: Archive + ?Sized>(&mut self, version: u8, ar: &mut A) -> Result<()> {
        in_field("key", ar, |ar| self.key.serialize(version, ar))?;
        in_field("source_hash", ar, |ar| ar.serialize_u32(&mut self.source_hash))?;
        if ar.is_loading() {
            self.translation = match version {
                0 => LocalizedTranslation::Text(FString::EMPTY),
                _ => LocalizedTranslation::Row(0),
            };
        }
        in_field("translation", ar, |ar| match &mut self.translation {
            LocalizedTranslation::Text(text) if version == 0 => text.serialize(ar),
            LocalizedTranslation::Row(row) if version > 0 => ar.serialize_i32(row),
            _ => Err(ar.error(ErrorKind::NotInVersion)),
        })
    }
}

impl LocalizedString {
    fn serialize<A: Archive + ?Sized>(&mut self, version: u8, ar: &mut A) -> Result<()> {
        in_field("text", ar, |ar| self.text.serialize(ar))?;
        match version {
            0 | 1 => private::absent(&mut self.users, ar, "users"),
            _ => in_field("users", ar, |ar| ar.serialize_i32(&mut self.users)),
        }
    }
}

impl Archived for LocalizedTexts {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // Only files of version 0 lack the magic; no bytes of a document say so.
        let given = ar.form("without_magic", &[], i64::from(self.version == 0));
        let marked = given.map_or_else(|| ar.peek(16) == MAGIC, |bare| bare == 0);
        let is_document = ar.is_loading() && given.is_some();
        let (mut strings_at, mut place) = (if self.has_strings { 0 } else { -1 }, 0);
        if marked {
            private::magic(&MAGIC, ar)?;
            in_field("version", ar, |ar| ar.serialize_u8(&mut self.version))?;
            if !(1..=NEWEST).contains(&self.version) {
                let (value, type_name) = (self.version.into(), "LocalizedTexts");
                return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
            }
            place = ar.position();
            in_field("strings_at", ar, |ar| ar.serialize_i64(&mut strings_at))?;
        } else if ar.is_loading() {
            self.version = 0;
            strings_at = -1;
        }
        let version = self.version;
        match version {
            0 | 1 => private::absent(&mut self.key_count, ar, "key_count")?,
            _ => in_field("key_count", ar, |ar| ar.serialize_u32(&mut self.key_count))?,
        }
        in_field("namespaces", ar, |ar| {
            rows(&mut self.namespaces, ar, |namespace, ar| {
                in_field("name", ar, |ar| namespace.name.serialize(version, ar))?;
                in_field("entries", ar, |ar| {
                    rows(&mut namespace.entries, ar, |entry, ar| entry.serialize(version, ar))
                })
            })
        })?;
        if ar.is_loading() {
            self.has_strings = strings_at != -1;
            self.strings.clear();
            let (offset, length) = (strings_at, ar.position());
            if self.has_strings && !is_document && offset.cast_unsigned() != length {
                return Err(ar.error(ErrorKind::BadOffset { offset, length }));
            }
        }
        if self.has_strings {
            ar.patch_i64(place, ar.position().cast_signed())?;
            in_field("strings", ar, |ar| {
                rows(&mut self.strings, ar, |string, ar| string.serialize(version, ar))
            })?;
        } else {
            private::absent(&mut self.strings, ar, "strings")?;
        }
        let length = ar.peek(usize::MAX).len() as u64;
        in_field("rest", ar, |ar| ar.serialize_span(&mut self.rest, length, Kind::Opaque))
    }
}

impl LocalizedTexts {
    /// Whether a file says that it holds the texts of a language; those of version 0 do not.
    pub fn recognise(file: &[u8]) -> bool {
        file.starts_with(&MAGIC)
    }

    /// Reads a file, and how much of it is typed.
    ///
    /// # Errors
    /// `UnknownVariant` for a version beyond 3, `BadOffset` for strings that do not stand behind the entries,
    /// `UnexpectedEnd`, `TooLong` and the like for a damaged file.
    pub fn read(file: impl Into<Bytes>) -> Result<(Self, Coverage)> {
        let file = file.into();
        let mut loader = Loader::new(&file, Versions::ue4_and_5(0, 0));
        let mut texts = Self::default();
        texts.serialize(&mut loader)?;
        let (opaque, payload) = (loader.opaque(), loader.payload());
        let typed = (file.len() as u64).saturating_sub(opaque + payload);
        Ok((texts, Coverage { typed, payload, opaque, gap: 0 }))
    }

    /// The bytes of the file; `source` is what it was read from.
    ///
    /// # Errors
    /// `NotInVersion` for what the version lacks; `OutsideSource`.
    pub fn save(&mut self, source: impl Into<Bytes>) -> Result<Vec<u8>> {
        let context = std::sync::Arc::new(Context::of(source));
        let mut saver = Saver::new(Versions::ue4_and_5(0, 0)).with_context(context);
        self.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// How many keys there are in all namespaces.
    pub fn keys(&self) -> usize {
        self.namespaces.iter().map(|namespace| namespace.entries.len()).sum()
    }

    /// The translation of an entry, where it has one.
    pub fn translation<'a>(&'a self, entry: &'a LocalizedEntry) -> Option<&'a FString> {
        match &entry.translation {
            LocalizedTranslation::Text(text) => Some(text),
            LocalizedTranslation::Row(row) => {
                Some(&self.strings.get(usize::try_from(*row).ok()?)?.text)
            }
        }
    }
}

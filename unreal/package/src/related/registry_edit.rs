//! Tags, chunks and flags of a registry's assets get other values.

use super::asset_registry::AssetRegistry;
use super::registry_assets::TagRange;
use super::registry_names::RegistryName;
use super::registry_tags::{TagStore, TagValue};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::{FString, Span};

/// Bits of a value's row that say which kind it is.
const KIND_BITS: u32 = 3;
/// The kinds of values, by those bits: 8-bit characters, 16-bit characters, texts that can be translated.
const ANSI: u32 = 0;
const WIDE: u32 = 1;
const LOCALIZED: u32 = 6;

impl AssetRegistry {
    /// Gives a tag of an asset another value, or its `ChunkIDs` or `PackageFlags`, and says what it was; `path` is
    /// `/Game/Folder/Asset.Asset[Tag]`, `source` what the registry was read from. Other assets that share the value
    /// keep theirs.
    ///
    /// # Errors
    /// `NotFound` for an asset or a tag that is not there; `Invalid` for no such path, for what is no number, and for
    /// a text that can be translated, whose key and namespace a plain text would lose. Then nothing has changed.
    pub fn set(&mut self, path: &str, text: &str, source: &[u8]) -> Result<String> {
        let parts = path.strip_suffix(']').and_then(|path| path.rsplit_once('['));
        let Some((asset, key)) = parts else {
            let next = "write /Game/Folder/Asset.Asset[Tag]";
            return Err(Error::invalid(format!("'{path}' names no tag of an asset: {next}")));
        };
        let is_it =
            |at: &usize| self.asset_path(&self.assets[*at], source).0.eq_ignore_ascii_case(asset);
        let found = (0..self.assets.len()).find(is_it);
        let row = found.ok_or_else(|| not_found(asset, "; `upk get FILE` shows all assets"))?;
        match key {
            "ChunkIDs" => self.set_chunks(row, text),
            "PackageFlags" => {
                let flags = match text.strip_prefix("0x") {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => text.parse(),
                };
                let flags = flags.map_err(|_| Error::invalid(format!("'{text}' are no flags")))?;
                let old = std::mem::replace(&mut self.assets[row].package_flags, flags);
                Ok(format!("{old:#x}"))
            }
            _ => self.set_tag(row, key, text, source),
        }
    }

    fn set_chunks(&mut self, row: usize, text: &str) -> Result<String> {
        let numbers = text.split(',').map(str::trim).filter(|text| !text.is_empty());
        let chunks = numbers.map(str::parse).collect::<std::result::Result<Vec<i32>, _>>();
        let chunks = chunks
            .map_err(|_| Error::invalid(format!("'{text}' are no numbers of chunks: 0,12")))?;
        let old = std::mem::replace(&mut self.assets[row].chunks, chunks);
        Ok(old.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
    }

    fn set_tag(&mut self, row: usize, key: &str, text: &str, source: &[u8]) -> Result<String> {
        let missing = || not_found(key, "; `upk get FILE ASSET` shows its tags");
        let name = |name: RegistryName| self.names.text(name, source);
        let is_it = |known: RegistryName| name(known).eq_ignore_ascii_case(key);
        // Below version 8 the tags stand in the asset.
        if let Some(tag) = self.assets[row].tags.iter().position(|(known, _)| is_it(*known)) {
            let value = &mut self.assets[row].tags[tag].1;
            let old = value.text(source)?.into_owned();
            *value = FString::new(text);
            return Ok(old);
        }
        let range = self.assets[row].tag_range;
        let pair = |at: usize| match range.is_plain() {
            true => {
                let pair = self.tags.plain_pairs.get(at)?;
                Some((RegistryName { row: pair.key, number: 0 }, pair.value))
            }
            false => self.tags.pairs.get(at).map(|pair| (pair.key, pair.value)),
        };
        let mut tags = range.rows().filter_map(|at| Some((at, pair(at)?)));
        let (at, (_, value)) = tags.find(|(_, (known, _))| is_it(*known)).ok_or_else(missing)?;
        if value.0 & ((1 << KIND_BITS) - 1) == LOCALIZED {
            let next = "change its document: `upk to-json`, `upk from-json`";
            return Err(Error::invalid(format!(
                "'{key}' is a text that can be translated: {next}"
            )));
        }
        let old = self.tags.text(value, &self.names, source).ok_or_else(missing)?;
        if old == text {
            return Ok(old);
        }
        let value = self.tags.add_text(text, source)?;
        let at = at - range.rows().start;
        let start = self.own_range(row)?;
        if range.is_plain() {
            self.tags.plain_pairs[start + at].value = value;
        } else {
            self.tags.pairs[start + at].value = value;
        }
        Ok(old)
    }

    /// Where the pairs of an asset start, which no other asset has: a copy of them where one has.
    fn own_range(&mut self, row: usize) -> Result<usize> {
        let range = self.assets[row].tag_range;
        let rows = range.rows();
        let is_shared = self.assets.iter().enumerate().any(|(other, asset)| {
            let (others, is_plain) = (asset.tag_range.rows(), asset.tag_range.is_plain());
            other != row
                && is_plain == range.is_plain()
                && others.start < rows.end
                && rows.start < others.end
        });
        if !is_shared {
            return Ok(rows.start);
        }
        let start = match range.is_plain() {
            true => self.tags.plain_pairs.len(),
            false => self.tags.pairs.len(),
        };
        let first = u32::try_from(start).map_err(|_| too_many())?;
        if rows.end > start {
            return Err(Error::invalid("tags that are not there".to_owned()));
        }
        match range.is_plain() {
            true => self.tags.plain_pairs.extend_from_within(rows),
            false => self.tags.pairs.extend_from_within(rows),
        }
        self.assets[row].tag_range = TagRange(range.0 & !u64::from(u32::MAX) | u64::from(first));
        Ok(start)
    }
}

impl TagStore {
    /// A text behind all others, as a value.
    fn add_text(&mut self, text: &str, source: &[u8]) -> Result<TagValue> {
        let is_ascii = text.is_ascii();
        let (span, starts, unit, kind) = match is_ascii {
            true => (&mut self.ansi, &mut self.ansi_starts, 1, ANSI),
            false => (&mut self.wide, &mut self.wide_starts, 2, WIDE),
        };
        if text.contains('\0') {
            return Err(Error::invalid("a tag holds no zero".to_owned()));
        }
        let mut bytes = span.bytes(source)?.to_vec();
        let start = u32::try_from(bytes.len() / unit).map_err(|_| too_many())?;
        let row = u32::try_from(starts.len()).ok().filter(|row| *row < 1 << (32 - KIND_BITS));
        let row = row.ok_or_else(too_many)?;
        match is_ascii {
            true => bytes.extend(text.bytes().chain([0])),
            false => bytes.extend(text.encode_utf16().chain([0]).flat_map(u16::to_le_bytes)),
        }
        *span = Span::owned(bytes);
        starts.push(start);
        Ok(TagValue(row << KIND_BITS | kind))
    }
}

fn not_found(name: &str, hint: &str) -> Error {
    ErrorKind::NotFound { what: noun::TEXT, name: name.to_owned(), hint: hint.to_owned() }.into()
}

fn too_many() -> Error {
    Error::invalid("no registry holds more texts".to_owned())
}

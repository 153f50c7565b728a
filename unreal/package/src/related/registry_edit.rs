//! Tags, chunks and flags of a registry's assets get other values.

use super::asset_registry::AssetRegistry;
use super::registry_assets::TagRange;
use super::registry_names::RegistryName;
use super::registry_tags::{LOCALIZED, TagTexts};
use crate::FString;
use crate::error::{Error, ErrorKind, Result, noun};

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
            "ChunkIDs" => {
                let old = std::mem::replace(&mut self.assets[row].chunks, chunks(text)?);
                Ok(old.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
            }
            "PackageFlags" => {
                let old = std::mem::replace(&mut self.assets[row].package_flags, flags(text)?);
                Ok(format!("{old:#x}"))
            }
            _ => self.set_tag(row, key, text, source),
        }
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
        if value.kind() == LOCALIZED {
            let next = "change its document: `upk to-json`, `upk from-json`";
            return Err(Error::invalid(format!(
                "'{key}' is a text that can be translated: {next}"
            )));
        }
        let old = self.tags.text(value, &self.names, source).ok_or_else(missing)?;
        if old == text {
            return Ok(old);
        }
        let mut texts = TagTexts::of(&self.tags, source)?;
        let value = texts.add(text, &mut self.tags)?;
        texts.put(&mut self.tags);
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
        let first =
            u32::try_from(start).map_err(|_| Error::invalid("no registry holds more tags"))?;
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

/// The numbers of chunks: `0,12`.
pub(super) fn chunks(text: &str) -> Result<Vec<i32>> {
    let numbers = text.split(',').map(str::trim).filter(|text| !text.is_empty());
    let chunks = numbers.map(str::parse).collect::<std::result::Result<_, _>>();
    chunks.map_err(|_| Error::invalid(format!("'{text}' are no numbers of chunks: 0,12")))
}

/// Flags of a package: a number, also in hexadecimal digits.
pub(super) fn flags(text: &str) -> Result<u32> {
    let flags = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    flags.map_err(|_| Error::invalid(format!("'{text}' are no flags")))
}

fn not_found(name: &str, hint: &str) -> Error {
    ErrorKind::NotFound { what: noun::TEXT, name: name.to_owned(), hint: hint.to_owned() }.into()
}

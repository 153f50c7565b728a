//! Assets of a registry by rows: kept, changed, added, removed, in another order.

use std::collections::{HashMap, HashSet};

use super::asset_registry::{AssetRegistry, FIXED_TAGS};
use super::registry_assets::{GROUP_REMOVED, PATH_REMOVED, RegistryAsset, TagRange};
use super::registry_edit::{chunks, flags};
use super::registry_names::{NameRows, RegistryName};
use super::registry_tags::{CLASS_PATHS, LOCALIZED, PlainPair, TagPair, TagTexts, TagValue};
use crate::FString;
use crate::error::{Error, ErrorKind, Result};

/// An asset of a registry as it is to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegistryRow {
    /// The asset that is there, by its place.
    pub from: Option<usize>,
    /// The path of a new asset: `/Game/Maps/Entry.Entry`.
    pub path: String,
    /// Another class, with its package from version 14: `/Script/Engine.World`. A new asset needs one.
    pub class: Option<String>,
    /// Another object that it lies in, where the registry says that.
    pub outer_path: Option<String>,
    /// Other chunks: `0,12`.
    pub chunks: Option<String>,
    /// Other flags of the package: `0x80000000`.
    pub package_flags: Option<String>,
    /// Tags with other values; `None` takes a tag away.
    pub tags: Vec<(String, Option<String>)>,
}

/// Tags of an asset while they change.
type Tags = Vec<(RegistryName, TagValue)>;

impl AssetRegistry {
    /// Gives the registry these assets in this order; `source` is what it was read from. Assets that are there and not named
    /// go. What depends on what, the data of packages, and what is loaded together with an asset stay as they are: a new
    /// asset has none of them.
    ///
    /// # Errors
    /// `Invalid` for a new asset whose path is there, for one without a class, for what is no path, class or number,
    /// for a text that can be translated, and for assets named twice; `NotInVersion` for what the version lacks;
    /// `OutsideSource`. The registry is as before then.
    pub fn set_rows(&mut self, rows: &[RegistryRow], source: &[u8]) -> Result<()> {
        let mut changed = RowEdit::of(self, source)?;
        let (mut assets, mut taken) = (Vec::with_capacity(rows.len()), HashSet::new());
        let mut paths = HashSet::new();
        for row in rows {
            let (path, mut asset) = match row.from {
                Some(from) => {
                    let asset = self.assets.get(from).filter(|_| taken.insert(from));
                    let wrong = || Error::invalid("an asset is named twice, or is not there");
                    let asset = asset.ok_or_else(wrong)?;
                    (self.asset_path(asset, source).0, asset.clone())
                }
                None => (row.path.clone(), changed.new_asset(row)?),
            };
            changed.change(row, &mut asset).map_err(|error| about(&path, error))?;
            if row.from.is_some() {
                paths.insert(path.to_ascii_lowercase());
            }
            assets.push(asset);
        }
        for row in rows.iter().filter(|row| row.from.is_none()) {
            if !paths.insert(row.path.to_ascii_lowercase()) {
                return Err(Error::invalid(format!("the asset {} stands twice", row.path)));
            }
        }
        let mut registry = changed.finish();
        registry.assets = assets;
        *self = registry;
        Ok(())
    }
}

/// The registry that the rows make.
struct RowEdit<'a> {
    source: &'a [u8],
    registry: AssetRegistry,
    names: NameRows,
    texts: TagTexts,
    /// Assets whose tags are also those of others.
    is_shared: Vec<bool>,
}

impl<'a> RowEdit<'a> {
    fn of(registry: &AssetRegistry, source: &'a [u8]) -> Result<Self> {
        let registry = registry.clone();
        let names = NameRows::of(&registry.names, registry.version, source);
        let texts = TagTexts::of(&registry.tags, source)?;
        let is_shared = shared(&registry.assets);
        Ok(Self { source, registry, names, texts, is_shared })
    }

    fn finish(mut self) -> AssetRegistry {
        self.texts.put(&mut self.registry.tags);
        self.registry
    }

    fn name(&mut self, text: &str) -> Result<RegistryName> {
        self.names.name(text, &mut self.registry.names)
    }

    fn new_asset(&mut self, row: &RegistryRow) -> Result<RegistryAsset> {
        let wrong = || {
            Error::invalid(format!(
                "'{}' is no path of an asset: write /Game/Folder/Asset.Asset",
                row.path
            ))
        };
        let (package, object) = row.path.rsplit_once('.').ok_or_else(wrong)?;
        let (folder, file) = package.rsplit_once('/').ok_or_else(wrong)?;
        if !package.starts_with('/') || file.is_empty() || object.is_empty() || object.contains(':')
        {
            return Err(wrong());
        }
        if row.class.is_none() {
            return Err(Error::invalid(format!("{} is new and needs a class", row.path)));
        }
        let version = self.registry.version;
        let mut asset = RegistryAsset {
            package_path: self.name(folder)?,
            package: self.name(package)?,
            asset: self.name(object)?,
            ..RegistryAsset::default()
        };
        if version < PATH_REMOVED {
            asset.object_path = self.name(&row.path)?;
        }
        if version < GROUP_REMOVED {
            asset.group = self.name("None")?;
        }
        if self.has_outers() {
            asset.outer_path = self.name("None")?;
        }
        if version >= FIXED_TAGS {
            // None yet, of those whose keys have no numbers.
            asset.tag_range = TagRange::new(true, 0, 0)?;
        }
        Ok(asset)
    }

    /// Whether the registry says what assets lie in.
    fn has_outers(&self) -> bool {
        self.registry.version >= PATH_REMOVED && !self.registry.filter_editor_only
    }

    fn change(&mut self, row: &RegistryRow, asset: &mut RegistryAsset) -> Result<()> {
        if let Some(class) = &row.class {
            let (package, class) = match self.registry.version >= CLASS_PATHS {
                true => class.rsplit_once('.').filter(|(package, _)| package.starts_with('/')),
                false => Some(("", class.as_str())).filter(|(_, class)| !class.contains('.')),
            }
            .filter(|(_, class)| !class.is_empty())
            .ok_or_else(|| {
                let known = if self.registry.version >= CLASS_PATHS {
                    "/Script/Engine.World"
                } else {
                    "World"
                };
                Error::invalid(format!("'{class}' is no class: write {known}"))
            })?;
            asset.class = self.name(class)?;
            if !package.is_empty() {
                asset.class_package = self.name(package)?;
            }
        }
        if let Some(outer) = &row.outer_path {
            if !self.has_outers() {
                return Err(ErrorKind::NotInVersion.into());
            }
            asset.outer_path = self.name(if outer.is_empty() { "None" } else { outer })?;
        }
        if let Some(text) = &row.chunks {
            asset.chunks = chunks(text)?;
        }
        if let Some(text) = &row.package_flags {
            asset.package_flags = flags(text)?;
        }
        match row.tags.is_empty() {
            true => Ok(()),
            false if self.registry.version < FIXED_TAGS => self.own_tags(&row.tags, asset),
            false => self.stored_tags(row, asset),
        }
    }

    /// Below version 8 the tags stand in the asset.
    fn own_tags(
        &mut self,
        tags: &[(String, Option<String>)],
        asset: &mut RegistryAsset,
    ) -> Result<()> {
        for (key, value) in tags {
            let is_it = |name: RegistryName| {
                self.registry.names.text(name, self.source).eq_ignore_ascii_case(key)
            };
            let at = asset.tags.iter().position(|(name, _)| is_it(*name));
            match (at, value) {
                (Some(at), Some(value)) => asset.tags[at].1 = FString::new(value),
                (Some(at), None) => drop(asset.tags.remove(at)),
                (None, Some(value)) => asset.tags.push((self.name(key)?, FString::new(value))),
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// From version 8 they are a range of the store's pairs: another one where their number changes, and where the range is
    /// also that of another asset.
    fn stored_tags(&mut self, row: &RegistryRow, asset: &mut RegistryAsset) -> Result<()> {
        let old = self.pairs(asset.tag_range)?;
        let mut tags = old.clone();
        for (key, value) in &row.tags {
            let is_it = |name: RegistryName| {
                self.registry.names.text(name, self.source).eq_ignore_ascii_case(key)
            };
            let at = tags.iter().position(|(name, _)| is_it(*name));
            if let Some(at) = at
                && tags[at].1.kind() == LOCALIZED
            {
                let next = "change its document: `upk to-json`, `upk from-json`";
                return Err(Error::invalid(format!(
                    "the tag '{key}' is a text that can be translated: {next}"
                )));
            }
            match (at, value) {
                (Some(at), Some(value)) => {
                    tags[at].1 = self.texts.add(value, &mut self.registry.tags)?;
                }
                (Some(at), None) => drop(tags.remove(at)),
                (None, Some(value)) => {
                    let name = self.name(key)?;
                    tags.push((name, self.texts.add(value, &mut self.registry.tags)?));
                }
                (None, None) => {}
            }
        }
        if tags == old {
            return Ok(());
        }
        let store = &mut self.registry.tags;
        let is_plain = tags.iter().all(|(name, _)| name.number == 0);
        let is_own = row.from.is_some_and(|from| !self.is_shared[from]);
        let stays = is_own && tags.len() == old.len() && is_plain == asset.tag_range.is_plain();
        let start = match (stays, is_plain) {
            (true, _) => asset.tag_range.rows().start,
            (false, true) => store.plain_pairs.len(),
            (false, false) => store.pairs.len(),
        };
        for (at, (key, value)) in tags.iter().copied().enumerate() {
            let at = start + at;
            match is_plain {
                true => put(&mut store.plain_pairs, at, PlainPair { key: key.row, value }),
                false => put(&mut store.pairs, at, TagPair { key, value }),
            }
        }
        asset.tag_range = TagRange::new(is_plain, start, tags.len())?;
        Ok(())
    }

    fn pairs(&self, range: TagRange) -> Result<Tags> {
        let store = &self.registry.tags;
        let found = match range.is_plain() {
            true => store.plain_pairs.get(range.rows()).map(|pairs| {
                let name = |row| RegistryName { row, number: 0 };
                pairs.iter().map(|pair| (name(pair.key), pair.value)).collect()
            }),
            false => (store.pairs.get(range.rows()))
                .map(|pairs| pairs.iter().map(|pair| (pair.key, pair.value)).collect()),
        };
        found.ok_or_else(|| Error::invalid("tags that are not there"))
    }
}

/// In the place of an element, or behind all.
fn put<T>(list: &mut Vec<T>, at: usize, value: T) {
    match list.get_mut(at) {
        Some(place) => *place = value,
        None => list.push(value),
    }
}

/// Which assets have tags that are also those of another one.
fn shared(assets: &[RegistryAsset]) -> Vec<bool> {
    let mut made = vec![false; assets.len()];
    let mut ranges: HashMap<bool, Vec<(usize, usize, usize)>> = HashMap::new();
    for (at, asset) in assets.iter().enumerate() {
        let rows = asset.tag_range.rows();
        if !rows.is_empty() {
            let list = ranges.entry(asset.tag_range.is_plain()).or_default();
            list.push((rows.start, rows.end, at));
        }
    }
    for mut list in ranges.into_values() {
        list.sort_unstable();
        // The one that reaches furthest of those before.
        let mut last: Option<(usize, usize)> = None;
        for (start, end, at) in list {
            if let Some((reach, other)) = last.filter(|(reach, _)| start < *reach) {
                (made[at], made[other]) = (true, true);
                last = Some(if end > reach { (end, at) } else { (reach, other) });
            } else {
                last = Some((end, at));
            }
        }
    }
    made
}

fn about(path: &str, error: Error) -> Error {
    match error.kind() {
        ErrorKind::Invalid { reason } => Error::invalid(format!("{path}: {reason}")),
        _ => error,
    }
}

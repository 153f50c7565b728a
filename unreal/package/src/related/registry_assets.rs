//! Assets in a registry.

use super::asset_registry::{AssetRegistry, FIXED_TAGS, RegistryForm};
use super::registry_names::{RegistryName, counted};
use super::registry_tags::CLASS_PATHS;
use crate::archive::{in_field, private};
use crate::error::{Error, ErrorKind, Result};
use crate::{Archive, Archived, FString};

/// First version without groups.
pub(super) const GROUP_REMOVED: i32 = 4;
/// First version that does not repeat the path of the object.
pub(super) const PATH_REMOVED: i32 = 15;

/// An asset: where it is, what it is, its tags.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryAsset {
    /// The path of the object, below version 15.
    pub object_path: RegistryName,
    /// The folder.
    pub package_path: RegistryName,
    /// The package of the class, from version 14.
    pub class_package: RegistryName,
    /// The class.
    pub class: RegistryName,
    /// The group, below version 4.
    pub group: RegistryName,
    /// The package.
    pub package: RegistryName,
    /// The object.
    pub asset: RegistryName,
    /// What the object lies in, from version 15 where data of the editor is there.
    pub outer_path: RegistryName,
    /// Below version 8: the tags.
    pub tags: Vec<(RegistryName, FString)>,
    /// From version 8: where the tags stand among the store's pairs.
    pub tag_range: TagRange,
    /// What is loaded together, from version 8.
    pub bundles: Vec<RegistryBundle>,
    /// The chunks that it is in.
    pub chunks: Vec<i32>,
    /// Flags of the package.
    pub package_flags: u32,
}

/// Pairs of the store: bit 63 for those whose keys have no numbers, how many in bits 32 to 47, the first one in the
/// lowest 32.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TagRange(pub u64);

impl TagRange {
    /// So many pairs from a row on.
    pub(super) fn new(is_plain: bool, first: usize, count: usize) -> Result<Self> {
        let (first, count) = (u32::try_from(first), u16::try_from(count));
        let too_many = |_| Error::invalid("no asset has more tags");
        let rows = u64::from(count.map_err(too_many)?) << 32 | u64::from(first.map_err(too_many)?);
        Ok(Self(u64::from(is_plain) << 63 | rows))
    }

    /// Whether the keys have no numbers.
    pub fn is_plain(self) -> bool {
        self.0 >> 63 != 0
    }

    /// The rows of the pairs.
    pub fn rows(self) -> std::ops::Range<usize> {
        let first = self.0 as u32 as usize;
        first..first.saturating_add((self.0 >> 32) as u16 as usize)
    }
}

/// Assets that are loaded together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryBundle {
    /// Its name.
    pub name: RegistryName,
    /// The assets.
    pub assets: Vec<RegistryPath>,
}

/// The path of an asset in a bundle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RegistryPath {
    /// The package, from version 14; before, the whole path.
    pub package: RegistryName,
    /// The asset, from version 14.
    pub asset: RegistryName,
    /// What lies in it.
    pub sub_path: FString,
}

impl RegistryAsset {
    pub(super) fn serialize<A: Archive + ?Sized>(
        &mut self,
        form: RegistryForm,
        ar: &mut A,
    ) -> Result<()> {
        let version = form.version;
        for (name, field, is_in) in [
            (&mut self.object_path, "object_path", version < PATH_REMOVED),
            (&mut self.package_path, "package_path", true),
            (&mut self.class_package, "class_package", version >= CLASS_PATHS),
            (&mut self.class, "class", true),
            (&mut self.group, "group", version < GROUP_REMOVED),
            (&mut self.package, "package", true),
            (&mut self.asset, "asset", true),
            (&mut self.outer_path, "outer_path", version >= PATH_REMOVED && !form.filtered),
        ] {
            match is_in {
                true => in_field(field, ar, |ar| name.serialize(form, ar))?,
                false => private::absent(name, ar, field)?,
            }
        }
        if version < FIXED_TAGS {
            private::absent(&mut self.tag_range.0, ar, "tag_range")?;
            private::absent(&mut self.bundles, ar, "bundles")?;
            in_field("tags", ar, |ar| {
                counted(&mut self.tags, ar, |(key, value), ar| {
                    in_field("key", ar, |ar| key.serialize(form, ar))?;
                    in_field("value", ar, |ar| value.serialize(ar))
                })
            })?;
        } else {
            private::absent(&mut self.tags, ar, "tags")?;
            in_field("tag_range", ar, |ar| ar.serialize_u64(&mut self.tag_range.0))?;
            in_field("bundles", ar, |ar| {
                counted(&mut self.bundles, ar, |bundle, ar| bundle.serialize(form, ar))
            })?;
        }
        in_field("chunks", ar, |ar| {
            counted(&mut self.chunks, ar, |row, ar| ar.serialize_i32(row))
        })?;
        in_field("package_flags", ar, |ar| ar.serialize_u32(&mut self.package_flags))
    }
}

impl RegistryBundle {
    fn serialize<A: Archive + ?Sized>(&mut self, form: RegistryForm, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(form, ar))?;
        in_field("assets", ar, |ar| {
            counted(&mut self.assets, ar, |path, ar| {
                in_field("package", ar, |ar| path.package.serialize(form, ar))?;
                match form.version >= CLASS_PATHS {
                    true => in_field("asset", ar, |ar| path.asset.serialize(form, ar))?,
                    false => private::absent(&mut path.asset, ar, "asset")?,
                }
                in_field("sub_path", ar, |ar| path.sub_path.serialize(ar))
            })
        })
    }
}

impl AssetRegistry {
    /// The path of an asset, `/Game/Maps/Entry.Entry`, and its class; `source` is what the registry was read from.
    pub fn asset_path(&self, asset: &RegistryAsset, source: &[u8]) -> (String, String) {
        let text = |name| self.names.text(name, source);
        let class = match asset.class_package {
            package if package == RegistryName::default() => text(asset.class),
            package => format!("{}.{}", text(package), text(asset.class)),
        };
        (format!("{}.{}", text(asset.package), text(asset.asset)), class)
    }

    /// The tags of an asset, keys and values as text.
    ///
    /// # Errors
    /// `Invalid` for a range or value that the store does not have; as the texts' own.
    pub fn tags_of(&self, asset: &RegistryAsset, source: &[u8]) -> Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        for (key, value) in &asset.tags {
            let value = value.text(source)?.into_owned();
            found.push((self.names.text(*key, source), value));
        }
        let (store, rows) = (&self.tags, asset.tag_range.rows());
        let missing =
            || Error::from(ErrorKind::Invalid { reason: "tags that are not there".into() });
        for row in rows {
            let (key, value) = match asset.tag_range.is_plain() {
                true => {
                    let pair = store.plain_pairs.get(row).ok_or_else(missing)?;
                    (RegistryName { row: pair.key, number: 0 }, pair.value)
                }
                false => {
                    let pair = store.pairs.get(row).ok_or_else(missing)?;
                    (pair.key, pair.value)
                }
            };
            let value = store.text(value, &self.names, source).ok_or_else(missing)?;
            found.push((self.names.text(key, source), value));
        }
        Ok(found)
    }
}

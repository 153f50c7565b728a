//! The rows of a registry as entries that can be compared: by name, with what they refer to as text.

use super::RelatedEntry;
use super::asset_registry::{AssetRegistry, DEPENDENCY_FLAGS};
use super::registry_assets::{RegistryAsset, RegistryPath};
use super::registry_names::RegistryName;
use super::registry_packages::{RegistryNode, RegistryPackage};
use crate::error::{Error, Result};
use crate::primitive::Guid;

/// Bits of a dependency's flags.
const FLAG_BITS: usize = 5;
/// What the lists of dependencies are called, from version 7; the last one says the same from the other side.
const LISTS: [&str; 3] = ["package", "name", "manager"];
/// The same below version 7.
const OLD_LISTS: [&str; 5] = ["hard", "soft", "name", "soft manager", "hard manager"];
/// Bytes that the texts of any registry may have.
const ALWAYS: usize = 64 << 20;
/// Bytes that each byte of a registry may become: paths are rows of names there, and each name stands often.
const PER_BYTE: usize = 64;

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a text can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl AssetRegistry {
    /// Every asset with its tags, bundles, chunks and flags, then what each package depends on, then what is known of
    /// its file. What depends on a package follows from the second and is left out. `source` is what the registry was
    /// read from.
    ///
    /// # Errors
    /// As [`AssetRegistry::tags_of`]; `Invalid` where all texts together are far larger than the registry.
    pub fn entries(&self, source: &[u8]) -> Result<Vec<RelatedEntry>> {
        let left = ALWAYS.max(source.len().saturating_mul(PER_BYTE));
        let mut texts = EntryTexts { registry: self, source, left };
        let assets = self.assets.iter().map(|asset| texts.asset(asset));
        let mut entries = assets.collect::<Result<Vec<_>>>()?;
        let names = self.dependencies.iter().map(|node| texts.node_name(node));
        let names = names.collect::<Result<Vec<_>>>()?;
        for (node, name) in self.dependencies.iter().zip(&names) {
            entries.push(texts.node(node, name, &names)?);
        }
        for package in &self.packages {
            entries.push(texts.package(package)?);
        }
        Ok(entries)
    }
}

/// The texts of a registry's entries, as many as it may have.
struct EntryTexts<'a> {
    registry: &'a AssetRegistry,
    source: &'a [u8],
    /// Bytes that further texts may have: a few bytes name a text of any length.
    left: usize,
}

impl EntryTexts<'_> {
    fn counted(&mut self, text: String) -> Result<String> {
        match self.left.checked_sub(text.len() + 1) {
            Some(left) => self.left = left,
            None => {
                let reason = "the texts of its entries are far larger than the registry";
                return Err(Error::invalid(reason.to_owned()));
            }
        }
        Ok(text)
    }

    fn name(&mut self, name: RegistryName) -> Result<String> {
        let text = self.registry.names.text(name, self.source);
        self.counted(text)
    }

    fn joined(&mut self, names: &[RegistryName], between: &str) -> Result<String> {
        let names = names.iter().map(|name| self.name(*name));
        Ok(names.collect::<Result<Vec<_>>>()?.join(between))
    }

    fn asset(&mut self, asset: &RegistryAsset) -> Result<RelatedEntry> {
        let (path, class) = self.registry.asset_path(asset, self.source);
        let (path, class) = (self.counted(path)?, self.counted(class)?);
        let mut fields = vec![("Class".to_owned(), class.clone())];
        if asset.outer_path != RegistryName::default() {
            let outer = self.name(asset.outer_path)?;
            if outer != "None" {
                fields.push(("OuterPath".to_owned(), outer));
            }
        }
        for (key, value) in self.registry.tags_of(asset, self.source)? {
            fields.push((format!("tag {}", self.counted(key)?), self.counted(value)?));
        }
        for bundle in &asset.bundles {
            let paths = bundle.assets.iter().map(|path| self.bundle_path(path));
            let paths = paths.collect::<Result<Vec<_>>>()?.join(", ");
            fields.push((format!("bundle {}", self.name(bundle.name)?), paths));
        }
        let chunks: Vec<_> = asset.chunks.iter().map(ToString::to_string).collect();
        fields.push(("ChunkIDs".to_owned(), chunks.join(",")));
        fields.push(("PackageFlags".to_owned(), format!("{:#x}", asset.package_flags)));
        Ok(RelatedEntry { group: "asset", path, class, fields })
    }

    fn bundle_path(&mut self, path: &RegistryPath) -> Result<String> {
        let mut text = self.name(path.package)?;
        if path.asset != RegistryName::default() {
            text = format!("{text}.{}", self.name(path.asset)?);
        }
        let below = path.sub_path.text(self.source)?.into_owned();
        let below = self.counted(below)?;
        Ok(if below.is_empty() { text } else { format!("{text}:{below}") })
    }

    /// The parts of a node's identifier: of most only the package.
    fn node_name(&mut self, node: &RegistryNode) -> Result<String> {
        self.joined(&node.identifier, ":")
    }

    fn node(&mut self, node: &RegistryNode, name: &str, names: &[String]) -> Result<RelatedEntry> {
        let is_flagged = self.registry.version >= DEPENDENCY_FLAGS;
        let labels = if is_flagged { &LISTS[..] } else { &OLD_LISTS[..] };
        // The last list is of those that refer to this one.
        let lists = node.lists.iter().take(node.lists.len().saturating_sub(1));
        let mut fields = Vec::new();
        for (list, (rows, label)) in lists.zip(labels).enumerate() {
            for (index, row) in rows.iter().enumerate() {
                let other = usize::try_from(*row).ok().and_then(|row| names.get(row));
                let other = other.map_or_else(|| format!("#{row}"), Clone::clone);
                let flags = if is_flagged && list == 0 {
                    flags_at(&node.package_flags, index)
                } else {
                    None
                };
                let value = flags.map_or_else(|| "yes".to_owned(), |it| format!("{it:#x}"));
                fields.push((format!("{label} {}", self.counted(other)?), value));
            }
        }
        let class = "dependencies".to_owned();
        Ok(RelatedEntry { group: "dependencies", path: name.to_owned(), class, fields })
    }

    fn package(&mut self, package: &RegistryPackage) -> Result<RelatedEntry> {
        let mut fields = vec![("size".to_owned(), package.size.to_string())];
        let mut add = |name: &str, is_there: bool, value: String| {
            if is_there {
                fields.push((name.to_owned(), value));
            }
        };
        add("guid", package.guid != Guid::default(), package.guid.to_string());
        add("saved_hash", package.saved_hash != [0; 20], hexadecimal(&package.saved_hash));
        let cooked = package.cooked_hash.unwrap_or_default();
        add("cooked_hash", package.cooked_hash.is_some(), hexadecimal(&cooked));
        let versions = [package.ue4, package.ue5, package.licensee];
        let text = versions.map(|it| it.to_string()).join("/");
        add("versions", versions != [0; 3], text);
        add("flags", package.flags != 0, format!("{:#x}", package.flags));
        for (guid, number) in &package.custom {
            add(&format!("custom version {guid}"), true, number.to_string());
        }
        for (index, hash) in package.chunk_hashes.iter().enumerate() {
            add(&format!("chunk_hashes[{index}]"), true, hexadecimal(&hash.0));
        }
        let classes = self.joined(&package.imported_classes, ", ")?;
        add("imported_classes", !classes.is_empty(), classes);
        let extension = package.extension.text(self.source)?.into_owned();
        add("extension", !extension.is_empty(), self.counted(extension)?);
        let path = self.name(package.name)?;
        Ok(RelatedEntry { group: "package", path, class: "package".to_owned(), fields })
    }
}

/// The flags of a dependency, which stand without gaps in words of 32 bits.
fn flags_at(words: &[u32], index: usize) -> Option<u32> {
    let start = index.checked_mul(FLAG_BITS)?;
    let first = u64::from(*words.get(start / 32)?);
    let second = words.get(start / 32 + 1).map_or(0, |word| u64::from(*word));
    let shifted = (first | second << 32) >> (start % 32);
    Some(shifted as u32 & ((1 << FLAG_BITS) - 1))
}

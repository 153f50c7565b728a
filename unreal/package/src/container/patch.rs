//! Patches: containers that hold what was changed, beside those that it comes from.

use std::io::Write;

use super::iostore::{ChunkKind, IoStore, IoStoreOptions, IoStoreWriter, StoreEntry};
use super::pak::{Pak, PakOptions, PakVersion, PakWriter};
use super::zen::{ZenHeader, hash};
use super::{BlockMethod, GameContainer};
use crate::error::{Error, ErrorKind, Noun, Result, UnrealErrors};

/// Changed files of a container: whole paths, as [`GameContainer::files`] has them, and contents.
pub type ChangedFiles<'a> = &'a [(String, Vec<u8>)];

/// A name with the number that is stored beside it.
fn numbered(text: &str, number: i32) -> String {
    match number {
        0 => text.to_owned(),
        number => format!("{text}_{}", i64::from(number) - 1),
    }
}

/// The number of the package that a header is of.
pub fn package_id(header: &ZenHeader) -> Option<u64> {
    let name = header.summary.name;
    let text = header.names.texts.get(name.row as usize)?;
    Some(hash::of_package(&numbered(text, name.number.cast_signed())))
}

/// The path of a file from a mount point.
fn below<'a>(path: &'a str, mount: &str) -> Result<&'a str> {
    path.strip_prefix(mount).ok_or_else(|| {
        let reason = format!("{path} does not lie under the container's mount point {mount}");
        ErrorKind::Invalid { reason }.into()
    })
}

impl Pak {
    /// Writes a `.pak` file of the same version and mount point that holds these files.
    ///
    /// # Errors
    /// `Invalid` for a path outside the mount point; `Unsupported` for a method that can't be written; `Io`.
    pub fn write_patch(
        &self,
        files: ChangedFiles<'_>,
        method: Option<BlockMethod>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (_, mount) = self.paths();
        let mount_point = self.mount_point().to_owned();
        let options =
            PakOptions { version: self.version(), mount_point, method, ..PakOptions::default() };
        let mut writer = PakWriter::new(out, options);
        for (path, content) in files {
            writer.add(below(path, mount)?, content)?;
        }
        writer.finish()
    }
}

/// A `.pak` file without files: the engine looks for a `.utoc` file only beside one.
///
/// # Errors
/// `OutOfRange`.
pub fn empty_pak() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    PakWriter::new(&mut bytes, PakOptions { version: PakVersion::V11, ..PakOptions::default() })
        .finish()?;
    Ok(bytes)
}

impl IoStoreOptions {
    /// The options of a container of another name and the same versions.
    pub fn like(other: &IoStore, name: impl Into<String>) -> Self {
        let header_version = other.header().map(|header| header.version);
        let of_new = Self::new(name);
        Self {
            version: other.toc_header().version,
            header_version: header_version.unwrap_or(of_new.header_version),
            ..of_new
        }
    }
}

impl IoStoreWriter<'_> {
    /// Writes a package in its zen form: its number, and from 5.3 on the packages that it imports, are in its header.
    /// `known` is what containers say of it elsewhere: its shader maps, and before 5.3 the packages that it imports.
    ///
    /// # Errors
    /// `Invalid` for a header without a name; `Unsupported` where nothing says what it imports; as
    /// [`IoStoreWriter::add`].
    pub fn add_zen_package(
        &mut self,
        path: &str,
        header: &ZenHeader,
        known: StoreEntry,
        content: &[u8],
    ) -> Result<u64> {
        let id = package_id(header);
        let id = id.ok_or_else(|| Error::invalid(format!("{path}: the package has no name")))?;
        let names = header.imported_packages.texts.iter().zip(&header.imported_package_numbers);
        let named = names.map(|(text, number)| hash::of_package(&numbered(text, *number)));
        let mut imported_packages: Vec<u64> = named.collect();
        if !header.bundles.is_empty() {
            imported_packages = known.imported_packages;
            let (listed, waits) = (imported_packages.len(), header.package_arcs.len());
            // From 5.0 on the header has a place for each; in UE4 it may wait for others, too.
            let is_all = if self.is_ue4() { listed > 0 || waits == 0 } else { listed == waits };
            if !is_all {
                return Err(Error::unsupported(format!("{path}: {UNLISTED}")));
            }
        }
        let counts = self.counts_exports();
        let bundles = header.bundles.len().max(1) as i32;
        // In UE4 other packages wait for its bundles by their numbers.
        if self.is_ue4() && known.export_bundle_count > bundles {
            return Err(Error::unsupported(format!(
                "{path}: the game's own package has {} bundles for which others may wait, this one {bundles}: change that \
                 one",
                known.export_bundle_count
            )));
        }
        if !self.is_ue4() {
            imported_packages.sort_unstable();
        }
        let entry = StoreEntry {
            imported_packages,
            shader_maps: if self.is_ue4() { Vec::new() } else { known.shader_maps },
            export_count: if counts { header.exports.len() as i32 } else { 0 },
            export_bundle_count: if counts { bundles } else { 0 },
            export_bundles_size: if self.is_ue4() { content.len() as u64 } else { 0 },
            load_order: if self.is_ue4() { known.load_order } else { 0 },
        };
        self.add_package(path, id, entry, content)?;
        Ok(id)
    }
}

const UNLISTED: &str = "before 5.3 only containers say which packages one imports, and none at hand says it of this one: \
                        the package as .uasset and .uexp does (upk convert --to legacy), or the game's container (--like)";

impl IoStore {
    /// Writes a container of the same versions and mount point that holds these files: the blocks go to `out`,
    /// the table of contents is returned. `header` gives the header of a package's new content.
    ///
    /// # Errors
    /// `NotFound` for a file that is not in this container; `Invalid` for a path outside the mount point; what
    /// `header` fails with; `Io`.
    pub fn write_patch(
        &self,
        name: &str,
        files: ChangedFiles<'_>,
        method: Option<BlockMethod>,
        header: &dyn Fn(&[u8]) -> Result<ZenHeader>,
        out: &mut dyn Write,
    ) -> Result<Vec<u8>> {
        let (paths, mount) = self.paths();
        let mut options = IoStoreOptions::like(self, name);
        options.mount_point = self.mount_point().to_owned();
        options.method = method;
        let mut writer = IoStoreWriter::new(out, options)?;
        for (path, content) in files {
            let row = paths.exact(path).ok_or_else(|| {
                let hint = ": a patch changes what is in the container".to_owned();
                Error::from(ErrorKind::NotFound { what: Noun::File, name: path.clone(), hint })
            })?;
            let (Some((_, id)), Some(kind)) = (self.chunk_of(row), self.kind_of(row)) else {
                continue;
            };
            let inside = below(path, mount)?;
            if kind != ChunkKind::ExportBundleData {
                writer.add(inside, id.id, kind, content)?;
                continue;
            }
            let entry = self.header().and_then(|header| header.store_entry(id.id));
            let known = entry.cloned().unwrap_or_default();
            writer.add_zen_package(inside, &header(content)?, known, content)?;
        }
        writer.finish()
    }
}

impl GameContainer {
    /// What the container says of a package, by its number.
    pub fn store_entry(&self, package: u64) -> Option<&StoreEntry> {
        let Self::IoStore(store) = self else { return None };
        store.header()?.store_entry(package)
    }
}

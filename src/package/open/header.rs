//! Opening packages of UE4 and UE5.

use std::sync::Arc;

use bytes::Bytes;

use crate::archive::{Archive, ArchiveExt, Context, Loader, Span};
use crate::error::{ErrorKind, Result};
use crate::package::{OpenOptions, Package, Section};
use crate::table::{COOKED_PACKAGE_NAMES, PACKAGE_TAG};
use crate::version::threshold::{ue4, ue5};
use crate::version::{EngineRelease, Game, Versions};

/// Bytes of an import row with and without the name of its package, from UE5 object version 1003.
const IMPORT_SIZES: (i64, i64) = (40, 32);

impl Package {
    /// Opens a package whose header has the form of UE4 and UE5.
    pub(in crate::package) fn open_by_release(
        source: Bytes,
        options: &OpenOptions,
    ) -> Result<Self> {
        let game = match options.game {
            Game::Detect => Game::Mainline,
            game => game,
        };
        let attempt = |versions: Versions| {
            let versions = Versions { game, ..versions };
            let bytes = source.clone();
            let mut loader = Loader::new(&bytes, versions);
            let mut package = Self::empty(source.clone());
            package.load_tiled(&bytes, &mut loader)?;
            package.mappings = options.mappings.clone();
            Ok(package)
        };
        let needs_release = options.written.is_none() && is_unversioned(&source);
        match legacy_version(&source) {
            Some(legacy) if needs_release => detect(legacy, attempt),
            _ => attempt(options.written.clone().unwrap_or_default()),
        }
    }

    fn load_tiled<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        self.serialize_section(Section::Summary, loader)?;
        self.note_place(Section::Summary, 0, loader.position());
        self.versions = loader.versions().clone();
        self.refuse_unknown(loader)?;
        self.settle_release(loader);
        let summary = self.summary.clone();
        let header_end = u64::try_from(summary.total_header_size).unwrap_or(0);
        let end = match header_end {
            0 => source.len() as u64,
            end => end.min(source.len() as u64),
        };
        for (section, count, offset) in [
            (Section::Names, summary.name_count, summary.name_offset),
            (
                Section::SoftObjectPaths,
                summary.soft_object_paths_count,
                summary.soft_object_paths_offset,
            ),
            (Section::Imports, summary.import_count, summary.import_offset),
            (Section::Exports, summary.export_count, summary.export_offset),
            (Section::CellImports, summary.cell_import_count, summary.cell_import_offset),
            (Section::CellExports, summary.cell_export_count, summary.cell_export_offset),
            (
                Section::SoftPackageReferences,
                summary.soft_package_references_count,
                summary.soft_package_references_offset,
            ),
            (
                Section::ImportTypeHierarchies,
                summary.import_type_hierarchies_count,
                summary.import_type_hierarchies_offset,
            ),
        ] {
            if count < 0 {
                let kind = ErrorKind::NegativeCount { count: count.into() };
                return Err(loader.error(kind).in_field(section.step()));
            }
            if count > 0 {
                self.load_section(section, offset.into(), source, end, loader)?;
            }
        }
        if summary.preload_dependency_count > 0 {
            let offset = summary.preload_dependency_offset;
            self.load_section(Section::PreloadDependencies, offset.into(), source, end, loader)?;
        }
        self.check_bodies(loader)?;
        if summary.gatherable_text_data_count > 0 {
            let offset = summary.gatherable_text_data_offset.into();
            // Its rows may hold what nobody knows; then the section stays as it is.
            let read = self.load_section(Section::GatherableText, offset, source, end, loader);
            if read.is_err() {
                self.further.gatherable_text.clear();
            }
        }
        self.load_depends_rows(summary.depends_offset, source, end, loader)?;
        self.load_optional(source, end, loader)?;
        self.load_thumbnails_at(summary.thumbnail_table_offset, source, loader)?;
        self.load_end(source, loader)
    }

    /// Reads one section and notes its place.
    fn load_section<'a>(
        &mut self,
        section: Section,
        offset: i64,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let start = u64::try_from(offset).unwrap_or(u64::MAX);
        let end = if start < end { end } else { source.len() as u64 };
        loader.seek(source, start, end).map_err(|error| error.in_field(section.step()))?;
        self.serialize_section(section, loader)?;
        self.note_place(section, start, loader.position() - start);
        Ok(())
    }

    /// Sections that have an offset and no count in the summary.
    fn load_optional<'a>(
        &mut self,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let summary = &self.summary;
        let offsets = [
            (Section::SearchableNames, summary.searchable_names_offset),
            (Section::AssetRegistry, summary.asset_registry_data_offset),
            (Section::WorldTileInfo, summary.world_tile_info_data_offset),
            (Section::DataResources, summary.data_resource_offset),
        ];
        let meta_data = summary.meta_data_offset;
        for (section, offset) in offsets {
            if offset <= 0 {
                continue;
            }
            self.further.expect(section, 0);
            self.load_section(section, offset.into(), source, end, loader)?;
        }
        let registry = self.further.asset_registry.as_ref();
        let dependencies = registry.map_or(0, |registry| registry.dependency_data_offset);
        if dependencies > 0 {
            self.further.expect(Section::AssetDependencies, 0);
            self.load_section(Section::AssetDependencies, dependencies, source, end, loader)?;
        }
        if meta_data > 0 {
            self.further.expect(Section::MetaData, 0);
            // Its objects are rows of the list of soft object paths, if there is one.
            let context = Context::default().with_soft_object_paths(self.soft_object_paths());
            let mut loader = Loader::new(source, self.versions.clone());
            loader = loader.with_context(Arc::new(context));
            self.load_section(Section::MetaData, meta_data.into(), source, end, &mut loader)?;
        }
        Ok(())
    }

    /// One row an export. Cooks of 4.14 and 4.15 have rows behind the export table without saying where
    /// (spec: ue4-5/03 §6).
    fn load_depends_rows<'a>(
        &mut self,
        offset: i32,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let rows = self.export_count() as u64;
        let start = match u64::try_from(offset) {
            Ok(0) => {
                let exports = self.places.iter().find(|place| place.section == Section::Exports);
                let Some(start) = exports.map(|place| place.end()) else { return Ok(()) };
                let range = start as usize..start.saturating_add(rows * 4) as usize;
                let empty =
                    source.get(range).is_some_and(|rows| rows.iter().all(|&byte| byte == 0));
                if !empty || !self.versions.filter_editor_only {
                    return Ok(());
                }
                start
            }
            Ok(start) => start,
            Err(_) => return Ok(()),
        };
        if rows == 0 || start > source.len() as u64 {
            return Ok(());
        }
        loader.seek(source, start, if start < end { end } else { source.len() as u64 })?;
        self.serialize_section(Section::Depends, loader)?;
        let size = self.count_section(Section::Depends, start, &self.source_context())?;
        self.note_place(Section::Depends, start, size);
        Ok(())
    }

    /// What stands behind the bodies: bulk data, the package tag once more, the trailer.
    fn load_end<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let length = source.len() as u64;
        let toc = self.summary.payload_toc_offset;
        let mut end = length;
        if let Ok(start) = u64::try_from(toc)
            && start > 0
            && start < length
        {
            end = start;
            self.further.expect(Section::Trailer, 0);
            // What is no trailer stays as it is.
            let read = self.load_section(Section::Trailer, toc, source, length, loader);
            if read.is_err() {
                self.further.trailer = None;
            }
        }
        let header = self.places.iter().filter(|place| place.section != Section::Trailer);
        let header = header.map(|place| place.end()).max().unwrap_or(0);
        let bodies = self.body_ranges().filter(|range| range.1 > 0);
        let data = bodies.map(|(start, size)| start + size).fold(header, u64::max);
        let tag = end.checked_sub(4).filter(|&tag| tag >= data);
        if let Some(tag) = tag
            && self.versions.ue4 >= ue4::PACKAGE_MAGIC_POSTTAG
            && self.is_tag(source, tag)
        {
            self.further.expect(Section::ClosingTag, 4);
            self.note_place(Section::ClosingTag, tag, 4);
            end = tag;
        }
        let start = u64::try_from(self.summary.bulk_data_start_offset).unwrap_or(0);
        if start >= data && start < end {
            self.further.bulk_data = Span::source(start, end - start);
            self.note_place(Section::BulkData, start, end - start);
        }
        Ok(())
    }

    fn is_tag(&self, source: &[u8], at: u64) -> bool {
        let bytes = source.get(at as usize..).and_then(|rest| rest.first_chunk::<4>());
        let tag = bytes.map(|bytes| match self.versions.byte_order.is_big() {
            true => u32::from_be_bytes(*bytes),
            false => u32::from_le_bytes(*bytes),
        });
        tag == Some(PACKAGE_TAG)
    }

    fn refuse_unknown(&self, loader: &Loader<'_>) -> Result<()> {
        let chunks = self.summary.compressed_chunks.len();
        if chunks > 0 {
            let reason = format!("compressed in {chunks} chunks, which no engine of UE4 loads");
            return Err(loader.error(ErrorKind::Unsupported { reason }));
        }
        Ok(())
    }

    /// Cooked imports name their packages from 5.8 on, and no version says so: the size of the import table
    /// does (spec: ue4-5/03 §4).
    fn settle_release(&mut self, loader: &mut Loader<'_>) {
        let summary = &self.summary;
        let (count, start) = (i64::from(summary.import_count), i64::from(summary.import_offset));
        let next = i64::from(summary.export_offset);
        let cooked = self.versions.filter_editor_only;
        if self.versions.ue5 < ue5::IMPORT_TYPE_HIERARCHIES || !cooked || count <= 0 {
            return;
        }
        let fits = |size: i64| {
            count.checked_mul(size).and_then(|all| all.checked_add(start)) == Some(next)
        };
        let is_new = self.versions.is_release(COOKED_PACKAGE_NAMES);
        let release = match (fits(IMPORT_SIZES.0), fits(IMPORT_SIZES.1)) {
            (true, false) if !is_new => COOKED_PACKAGE_NAMES,
            (false, true) if is_new => EngineRelease::new(5, 7),
            _ => return,
        };
        self.versions.release = Some(release);
        loader.set_versions(self.versions.clone());
    }

    /// Whether header sections stand one behind the other up to the bodies; only zeros may fill the end.
    fn header_tiles(&self) -> bool {
        let summary = &self.summary;
        let end = u64::try_from(summary.total_header_size).unwrap_or(0);
        let mut places: Vec<_> = self.places.iter().filter(|place| place.start < end).collect();
        places.sort_by_key(|place| (place.start, place.size));
        let mut at = 0;
        for place in places {
            if place.start != at {
                return false;
            }
            at = place.end();
        }
        let rest = self.source.get(at as usize..end as usize);
        let first = self.body_ranges().filter(|range| range.1 > 0).map(|range| range.0).min();
        rest.is_some_and(|rest| rest.iter().all(|&byte| byte == 0))
            && first.is_none_or(|first| first == end)
    }
}

/// The form of the header, if the file starts as packages of UE4 and UE5 do.
fn legacy_version(source: &[u8]) -> Option<i32> {
    word(source, 4).map(|word| word as i32).filter(|legacy| (-9..0).contains(legacy))
}

fn word(source: &[u8], at: usize) -> Option<u32> {
    let number = |at: usize| source.get(at..)?.first_chunk::<4>().copied();
    let big = u32::from_le_bytes(number(0)?) == PACKAGE_TAG.swap_bytes();
    number(at).map(|bytes| if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
}

/// Whether the versions of the header are all zero.
fn is_unversioned(source: &[u8]) -> bool {
    let Some(legacy) = legacy_version(source) else { return false };
    let first = if legacy == -4 { 8 } else { 12 };
    let words = if legacy <= -8 { 3 } else { 2 };
    (0..words).all(|at| word(source, first + at * 4) == Some(0))
}

/// Tries every release that writes this form of header; what fits alone is it.
fn detect(legacy: i32, attempt: impl Fn(Versions) -> Result<Package>) -> Result<Package> {
    let mut fitting = Vec::new();
    let mut found = None;
    for release in EngineRelease::all().filter(|it| it.legacy_file_version() == legacy) {
        let Ok(package) = attempt(release.versions()) else { continue };
        if package.header_tiles() && package.versions.release == Some(release) {
            fitting.push(release.to_string());
            found = Some(package);
        }
    }
    match (found, fitting.len()) {
        (Some(package), 1) => Ok(package),
        (_, 0) => {
            let reason = "the package has no versions and fits no known engine release: \
                          say which one (--engine 5.4)"
                .to_owned();
            Err(ErrorKind::Unsupported { reason }.into())
        }
        _ => {
            let (first, last) = (&fitting[0], &fitting[fitting.len() - 1]);
            let list =
                if fitting.len() > 3 { format!("{first} to {last}") } else { fitting.join(", ") };
            let reason = format!(
                "the package has no versions and its header fits several engine releases ({list}): \
                 say which one (--engine {last})"
            );
            Err(ErrorKind::Unsupported { reason }.into())
        }
    }
}

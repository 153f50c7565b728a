//! Loading the tables.

use std::sync::Arc;

use crate::archive::{Archive, ArchiveExt, Archived, Context, Counter, Loader};
use crate::error::{ErrorKind, Result, UnrealError, Unsupported};
use crate::package::{CompanionKind, Package, Section, SectionPlace};
use crate::property::PackageContext;
use crate::table::{Entry, Loading, SECTIONS, ThumbnailImage};
use crate::version::{Game, UnrealVersions};

impl Package {
    /// Everything but the bodies.
    pub(super) fn load<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        self.serialize_section(Section::Summary, loader)?;
        self.versions = loader.versions().clone();
        self.note_place(Section::Summary, 0, loader.position());
        self.refuse_unreadable(loader)?;
        self.settle_release(loader);
        let end = self.tables_end();
        self.load_listed(Loading::Counted, source, end, loader)?;
        if self.tables.summary.preload_dependency_count > 0 {
            let offset = self.tables.summary.preload_dependency_offset;
            self.load_section(Section::PreloadDependencies, offset.into(), source, end, loader)?;
        }
        self.check_bodies(loader)?;
        if self.tables.summary.gatherable_text_data_count > 0 {
            let offset = self.tables.summary.gatherable_text_data_offset.into();
            // Its rows may hold what nobody knows; then the section stays as it is.
            let read = self.load_section(Section::GatherableText, offset, source, end, loader);
            if read.is_err() {
                self.tables.further.gatherable_text.clear();
            }
        }
        // The first claim on bytes counts: from UE4 on that of the depends table comes before what is optional.
        let tiled = self.versions.has_tiled_layout();
        if tiled {
            self.load_depends(source, end, loader)?;
        }
        self.load_listed(Loading::Placed, source, end, loader)?;
        self.load_dependencies(source, end, loader)?;
        self.load_meta_data(source, end)?;
        self.load_thumbnails(source, loader)?;
        self.load_guids(source, loader)?;
        if !tiled {
            self.load_depends(source, end, loader)?;
        }
        self.load_end(source, loader)
    }

    /// Where tables end: where header and bodies lie one behind the other, at the bodies.
    fn tables_end(&self) -> u64 {
        let length = self.source.len() as u64;
        match u64::try_from(self.tables.summary.total_header_size) {
            Ok(end @ 1..) if self.versions.has_tiled_layout() => end.min(length),
            _ => length,
        }
    }

    /// Sections that the list says to find so.
    fn load_listed<'a>(
        &mut self,
        loading: Loading,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let mut summary = self.tables.summary.clone();
        let versions = self.versions.clone();
        let is_in = |entry: &&Entry| entry.loading == loading && (entry.is_in)(&versions);
        for entry in SECTIONS.iter().filter(is_in) {
            let offset = entry.offset.map_or(0, |offset| *offset(&mut summary));
            let count = entry.count.map_or(offset, |count| *count(&mut summary));
            if count < 0 && entry.count.is_some() {
                let kind = ErrorKind::NegativeCount { count: count.into() };
                return Err(loader.error(kind).in_field(entry.step));
            }
            if count > 0 {
                self.tables.expect(entry.section, 0);
                self.load_section(entry.section, offset.into(), source, end, loader)?;
            }
        }
        Ok(())
    }

    /// Reads one section and notes its place.
    pub(super) fn load_section<'a>(
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

    /// How the package depends on others: the asset registry's data says where.
    fn load_dependencies<'a>(
        &mut self,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let registry = self.tables.further.asset_registry.as_ref();
        let offset = registry.map_or(0, |registry| registry.dependency_data_offset);
        if offset > 0 {
            self.tables.expect(Section::AssetDependencies, 0);
            self.load_section(Section::AssetDependencies, offset, source, end, loader)?;
        }
        Ok(())
    }

    fn load_meta_data(&mut self, source: &[u8], end: u64) -> Result<()> {
        let offset = self.tables.summary.meta_data_offset;
        if offset > 0 {
            self.tables.expect(Section::MetaData, 0);
            // Its objects are rows of the list of soft object paths, if there is one.
            let context = Context::default().with_soft_object_paths(self.soft_object_paths());
            let mut loader = Loader::new(source, self.versions.clone());
            loader = loader.with_context(Arc::new(context));
            self.load_section(Section::MetaData, offset.into(), source, end, &mut loader)?;
        }
        Ok(())
    }

    pub(in crate::package) fn note_place(&mut self, section: Section, start: u64, size: u64) {
        self.places.push(SectionPlace { section, start, size });
    }

    /// The tables of Rocket League are encrypted (spec: ue1-3/02 §2.5); what came out of a stream is not
    /// decompressed a second time; and no engine of UE4 loads chunks.
    fn refuse_unreadable(&self, loader: &Loader<'_>) -> Result<()> {
        let summary = &self.tables.summary;
        let chunks = summary.compressed_chunks.len();
        let encrypted =
            self.versions.game() == Game::RocketLeague && summary.compression_flags != 0;
        let (why, reason) = match self.versions.has_compressed_chunks() {
            true if encrypted => {
                (Unsupported::Encrypted, "header encrypted (Rocket League)".to_owned())
            }
            true if chunks > 0 => {
                (Unsupported::Compressed, "compressed twice (chunks in a stream)".to_owned())
            }
            false if chunks > 0 => {
                let reason = format!("compressed in {chunks} chunks, which no engine of UE4 loads");
                (Unsupported::Compressed, reason)
            }
            _ => return Ok(()),
        };
        Err(loader.error(UnrealError::Unsupported { why, reason }))
    }

    /// Every body lies in the file; nothing else about bodies is looked at.
    pub(in crate::package) fn check_bodies<A: Archive>(&self, loader: &A) -> Result<()> {
        let length = self.source.len() as u64;
        for (row, export) in self.tables.exports.iter().enumerate() {
            let (size, offset) = (export.serial_size.value(), export.serial_offset.value());
            let end = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
            let end = end.and_then(|(offset, size)| offset.checked_add(size));
            let fault = if size < 0 {
                ("serial_size", ErrorKind::NegativeCount { count: size })
            } else if size > 0 && end.is_none_or(|end| end > length) {
                let header = i64::from(self.tables.summary.total_header_size);
                if self.versions.has_tiled_layout() && header > 0 && length as i64 == header {
                    let extension = CompanionKind::Exports.extension();
                    return Err(loader.error(UnrealError::MissingBodies { extension }));
                }
                ("serial_offset", ErrorKind::BadOffset { offset, length })
            } else {
                continue;
            };
            let error = loader.error(fault.1).in_field(fault.0);
            return Err(error.at_index(row).in_field(Section::Exports.step()));
        }
        Ok(())
    }

    /// The offset of an optional section, unless it points nowhere or into a section that is known:
    /// then the number is stale and is kept as it is.
    fn optional_start(&self, offset: i32) -> Option<u64> {
        let start = u64::try_from(offset).ok().filter(|&start| start > 0)?;
        let inside = |place: &SectionPlace| place.start <= start && start < place.end();
        (start <= self.source.len() as u64 && !self.places.iter().any(inside)).then_some(start)
    }

    fn load_thumbnails<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let end = source.len() as u64;
        let offset = self.tables.summary.thumbnail_table_offset;
        let Some(start) = self.optional_start(offset) else { return Ok(()) };
        self.load_section(Section::ThumbnailTable, start as i64, source, end, loader)?;
        let mut offsets: Vec<u64> = self
            .tables
            .thumbnails
            .iter()
            .filter_map(|row| u64::try_from(row.file_offset).ok())
            .filter(|&offset| offset > 0)
            .collect();
        offsets.sort_unstable();
        offsets.dedup();
        // Images that share bytes could be far larger together than the file, and so would saving be.
        let mut left = end;
        for offset in offsets {
            // An image that is not there leaves its row as it is: the offset stays a number.
            let mut image = ThumbnailImage::default();
            if loader.seek(source, offset, end).is_ok() && image.serialize(loader).is_ok() {
                let count = loader.position() - offset;
                left = left.checked_sub(count).ok_or_else(|| {
                    let kind = ErrorKind::TooLong { count, remaining: left };
                    loader.error(kind).in_field("thumbnail_images")
                })?;
                self.tables.images.push((offset, image));
            }
        }
        if self.tables.images.is_empty() {
            return Ok(());
        }
        let context = self.source_context();
        for row in 0..self.tables.images.len() {
            let offset = self.tables.images[row].0;
            let section = Section::ThumbnailImage(row as u32);
            let size = self.count_section(section, offset, &context)?;
            self.note_place(section, offset, size);
        }
        Ok(())
    }

    fn load_guids<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let summary = &self.tables.summary;
        if summary.import_guids_count <= 0 && summary.export_guids_count <= 0 {
            return Ok(());
        }
        let offset = summary.import_export_guids_offset.into();
        self.load_section(Section::Guids, offset, source, source.len() as u64, loader)
    }

    fn load_depends<'a>(
        &mut self,
        source: &'a [u8],
        end: u64,
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let Some((start, end)) = self.depends_range(source, end) else { return Ok(()) };
        loader.seek(source, start, end)?;
        self.serialize_section(Section::Depends, loader)?;
        // Counted, since the last row read may not have fitted.
        let size = self.count_section(Section::Depends, start, &self.source_context())?;
        self.note_place(Section::Depends, start, size);
        Ok(())
    }

    /// Where the depends table starts, and where it must end.
    fn depends_range(&self, source: &[u8], end: u64) -> Option<(u64, u64)> {
        let length = source.len() as u64;
        let offset = self.tables.summary.depends_offset;
        if !self.versions.has_tiled_layout() {
            let start = self.optional_start(offset)?;
            return Some((start, self.next_start(start)));
        }
        let rows = self.export_count() as u64;
        let start = match u64::try_from(offset).ok()? {
            // Cooks of 4.14 and 4.15 have rows behind the export table without saying where
            // (spec: ue4-5/03 §6).
            0 => {
                let exports = self.places.iter().find(|place| place.section == Section::Exports);
                let start = exports?.end();
                let range = start as usize..start.saturating_add(rows * 4) as usize;
                let rows = source.get(range)?;
                if rows.iter().any(|&byte| byte != 0) || !self.versions.filter_editor_only() {
                    return None;
                }
                start
            }
            start => start,
        };
        let is_there = rows > 0 && start <= length;
        is_there.then_some((start, if start < end { end } else { length }))
    }

    /// Where the section at `start` must end: at the next one, known by its place or its offset.
    fn next_start(&self, start: u64) -> u64 {
        let summary = &self.tables.summary;
        let offsets = [
            summary.import_export_guids_offset,
            summary.thumbnail_table_offset,
            summary.total_header_size,
        ];
        let bodies = self.body_ranges().filter(|body| body.1 > 0);
        offsets
            .into_iter()
            .filter_map(|offset| u64::try_from(offset).ok())
            .chain(self.places.iter().map(|place| place.start))
            .chain(bodies.map(|body| body.0))
            .filter(|&other| other > start)
            .fold(self.source.len() as u64, u64::min)
    }

    /// How many bytes a section takes that stands at `start`.
    #[doc(hidden)]
    pub fn count_section(
        &mut self,
        section: Section,
        start: u64,
        context: &Arc<Context>,
    ) -> Result<u64> {
        let mut counter =
            Counter::new(self.versions.clone()).at(start).with_context(context.clone());
        self.serialize_section(section, &mut counter)?;
        Ok(counter.length())
    }
}

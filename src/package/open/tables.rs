//! Loading the tables of UE1 to UE3 and what all engines share of it.

use std::sync::Arc;

use crate::archive::{Archive, ArchiveExt, Archived, Context, Counter, Loader};
use crate::error::{ErrorKind, Result};
use crate::package::{Package, Section, SectionPlace};
use crate::table::ThumbnailImage;
use crate::version::{Game, threshold};

impl Package {
    /// Everything but the bodies.
    pub(super) fn load<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let end = source.len() as u64;
        self.serialize_section(Section::Summary, loader)?;
        self.versions = loader.versions().clone();
        self.note_place(Section::Summary, 0, loader.position());
        self.refuse_unreadable(loader)?;
        let summary = &self.summary;
        let tables = [
            (Section::Heritage, summary.heritage_count, summary.heritage_offset),
            (Section::Names, summary.name_count, summary.name_offset),
            (Section::Imports, summary.import_count, summary.import_offset),
            (Section::Exports, summary.export_count, summary.export_offset),
        ];
        for (section, count, offset) in tables {
            if count < 0 {
                let kind = ErrorKind::NegativeCount { count: count.into() };
                return Err(loader.error(kind).in_field(section.step()));
            }
            if count > 0 {
                let start = u64::try_from(offset).unwrap_or(u64::MAX);
                loader.seek(source, start, end).map_err(|error| error.in_field(section.step()))?;
                self.serialize_section(section, loader)?;
                self.note_place(section, start, loader.position() - start);
            }
        }
        self.check_bodies(loader)?;
        self.load_thumbnails(source, loader)?;
        self.load_guids(source, loader)?;
        self.load_depends(source, loader)
    }

    pub(in crate::package) fn note_place(&mut self, section: Section, start: u64, size: u64) {
        self.places.push(SectionPlace { section, start, size });
    }

    /// The tables of Rocket League are encrypted (spec: ue1-3/02 §2.5); and what came out of a stream is
    /// not decompressed a second time.
    fn refuse_unreadable(&self, loader: &Loader<'_>) -> Result<()> {
        let reason = match &self.summary {
            summary
                if self.versions.game == Game::RocketLeague && summary.compression_flags != 0 =>
            {
                "header encrypted (Rocket League)"
            }
            summary if !summary.compressed_chunks.is_empty() => {
                "compressed twice (chunks in a stream)"
            }
            _ => return Ok(()),
        };
        Err(loader.error(ErrorKind::Unsupported { reason: reason.to_owned() }))
    }

    /// Every body lies in the file; nothing else about bodies is looked at.
    pub(in crate::package) fn check_bodies<A: Archive>(&self, loader: &A) -> Result<()> {
        let length = self.source.len() as u64;
        for (row, export) in self.exports.iter().enumerate() {
            let (size, offset) = (export.serial_size.value(), export.serial_offset.value());
            let end = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
            let end = end.and_then(|(offset, size)| offset.checked_add(size));
            let fault = if size < 0 {
                ("serial_size", ErrorKind::NegativeCount { count: size })
            } else if size > 0 && end.is_none_or(|end| end > length) {
                let header = i64::from(self.summary.total_header_size);
                if self.versions.may_have_split_bodies() && header > 0 && length as i64 == header {
                    let reason = "its bodies are in a .uexp file that is not there".to_owned();
                    return Err(loader.error(ErrorKind::Unsupported { reason }));
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
        self.load_thumbnails_at(self.summary.thumbnail_table_offset, source, loader)
    }

    pub(in crate::package) fn load_thumbnails_at<'a>(
        &mut self,
        offset: i32,
        source: &'a [u8],
        loader: &mut Loader<'a>,
    ) -> Result<()> {
        let end = source.len() as u64;
        let Some(start) = self.optional_start(offset) else { return Ok(()) };
        loader.seek(source, start, end)?;
        self.serialize_section(Section::ThumbnailTable, loader)?;
        self.note_place(Section::ThumbnailTable, start, loader.position() - start);
        let mut offsets: Vec<u64> = self
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
                self.images.push((offset, image));
            }
        }
        if self.images.is_empty() {
            return Ok(());
        }
        let context = self.source_context();
        for row in 0..self.images.len() {
            let offset = self.images[row].0;
            let section = Section::ThumbnailImage(row as u32);
            let size = self.count_section(section, offset, &context)?;
            self.note_place(section, offset, size);
        }
        Ok(())
    }

    fn load_guids<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let summary = &self.summary;
        if summary.import_guids_count <= 0 && summary.export_guids_count <= 0 {
            return Ok(());
        }
        let start = u64::try_from(summary.import_export_guids_offset).unwrap_or(u64::MAX);
        loader.seek(source, start, source.len() as u64)?;
        self.serialize_section(Section::Guids, loader)?;
        self.note_place(Section::Guids, start, loader.position() - start);
        Ok(())
    }

    fn load_depends<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        if self.versions.file < threshold::DEPENDS_ADDED {
            return Ok(());
        }
        let Some(start) = self.optional_start(self.summary.depends_offset) else { return Ok(()) };
        loader.seek(source, start, self.next_start(start))?;
        self.serialize_section(Section::Depends, loader)?;
        // Counted, since the last row read may not have fitted.
        let size = self.count_section(Section::Depends, start, &self.source_context())?;
        self.note_place(Section::Depends, start, size);
        Ok(())
    }

    /// Where the section at `start` must end: at the next one, known by its place or its offset.
    fn next_start(&self, start: u64) -> u64 {
        let summary = &self.summary;
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
    pub(in crate::package) fn count_section(
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

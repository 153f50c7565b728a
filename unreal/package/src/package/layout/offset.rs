//! The offsets and sizes in tables that follow from a layout.

use super::{FileLayout, LayoutKind};
use crate::error::{ErrorKind, Result};
use crate::package::saving::Saving;
use crate::package::settled::Settled;
use crate::package::{Section, SectionPlace};
use crate::version::UnrealVersions;
use crate::version::threshold::{self, ue4};

impl Saving<'_> {
    /// Settles size and offset of an export's row.
    pub(super) fn update_export(&mut self, row: usize, start: u64, size: u64) -> Result<()> {
        let versions = &self.package.versions;
        let bits = match versions.ue4() >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT {
            true => 63,
            false => 31,
        };
        let number = |value: u64, field| match i64::try_from(value) {
            Ok(number) if number >> bits == 0 => Ok(number),
            _ => {
                let kind = ErrorKind::OutOfRange { value: value.into(), bits };
                Err(crate::Error::from(kind).in_field(field).at_index(row).in_field("exports"))
            }
        };
        let keeps_offset = versions.file() >= threshold::TOTAL_HEADER_SIZE_ADDED;
        let start = if size > 0 || keeps_offset { start } else { 0 };
        let (size, start) = (number(size, "serial_size")?, number(start, "serial_offset")?);
        self.settled.set_place(&self.package.tables.exports, row, size, start);
        Ok(())
    }

    /// Settles the decided offsets of the summary and the thumbnail table.
    pub(in crate::package) fn apply(&mut self, layout: &FileLayout) -> Result<()> {
        if self.package.versions.has_tiled_layout() {
            return self.apply_tiled(layout);
        }
        let offset = |start: u64| {
            i32::try_from(start)
                .map_err(|_| ErrorKind::OutOfRange { value: start.into(), bits: 31 })
        };
        for place in &*layout.places {
            let start = offset(place.start)?;
            if let Some(field) = place.section.entry().and_then(|entry| entry.offset) {
                *field(&mut self.settled.tables.summary) = start;
            }
        }
        if layout.kind != LayoutKind::InPlace {
            self.move_dead_offsets(layout)?;
            self.settle_empty_sections(layout, offset)?;
        }
        Ok(())
    }

    /// Sections without bytes that name a place, and the end of the header, follow the tables.
    fn settle_empty_sections(
        &mut self,
        layout: &FileLayout,
        offset: impl Fn(u64) -> Result<i32, ErrorKind>,
    ) -> Result<()> {
        let (versions, summary) = (&self.package.versions, &mut self.settled.tables.summary);
        if versions.file() >= threshold::TOTAL_HEADER_SIZE_ADDED
            && let Some(end) = layout.total_header_size
        {
            summary.total_header_size = offset(end)?;
        }
        let end_of = |section: Section| {
            layout.places.iter().find(|place| place.section == section).map(SectionPlace::end)
        };
        if versions.file() < threshold::HERITAGE_GUID_ADDED {
            // Its rows have no bytes (spec: ue1-3/02 §2.2).
            summary.heritage_offset = summary.name_offset;
        }
        // The GUID section starts where the depends table ends even when it is empty, as soon as there are
        // exports (spec: ue1-3/03 §3.7).
        let built = self.source.is_empty();
        let guids = versions.file() >= threshold::IMPORT_EXPORT_GUIDS_ADDED
            && !self.package.tables.exports.is_empty();
        if (summary.import_export_guids_offset > 0 || built && guids)
            && end_of(Section::Guids).is_none()
            && let Some(end) = end_of(Section::Depends)
        {
            summary.import_export_guids_offset = offset(end)?;
        }
        for (section, field) in [
            (Section::Names, &mut summary.name_offset),
            (Section::Imports, &mut summary.import_offset),
            (Section::Exports, &mut summary.export_offset),
        ] {
            if (*field > 0 || built) && end_of(section).is_none() {
                let front = layout.places.first().map_or(0, SectionPlace::end);
                *field = offset(end_of(Section::Names).unwrap_or(front))?;
            }
        }
        Ok(())
    }
}

impl Settled {
    /// Images stand elsewhere: the table follows them, and offsets that lead to no image move with what is
    /// there.
    pub(super) fn relocate_images(
        &mut self,
        new: impl Fn(Section) -> Option<u64>,
        other: impl Fn(u64) -> u64,
    ) -> Result<()> {
        let old: Vec<u64> = self.tables.images.iter().map(|(at, _)| *at).collect();
        for (row, image) in self.tables.images.iter_mut().enumerate() {
            image.0 = new(Section::ThumbnailImage(row as u32)).unwrap_or(image.0);
        }
        for thumbnail in &mut self.tables.thumbnails {
            let Ok(at) = u64::try_from(thumbnail.file_offset) else { continue };
            let at = match old.binary_search(&at) {
                Ok(row) => self.tables.images[row].0,
                Err(_) if at > 0 => other(at),
                Err(_) => continue,
            };
            thumbnail.file_offset = i32::try_from(at)
                .map_err(|_| ErrorKind::OutOfRange { value: at.into(), bits: 31 })?;
        }
        Ok(())
    }
}

//! The sections behind the bodies: bulk data, the package tag once more, the trailer.

use crate::archive::{Loader, Span};
use crate::error::Result;
use crate::package::{Package, Section};
use crate::table::PACKAGE_TAG;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

impl Package {
    /// Loads it, as far as the package has it.
    pub(super) fn load_end<'a>(&mut self, source: &'a [u8], loader: &mut Loader<'a>) -> Result<()> {
        let length = source.len() as u64;
        let toc = self.tables.summary.payload_toc_offset;
        let mut end = length;
        if let Ok(start) = u64::try_from(toc)
            && start > 0
            && start < length
        {
            end = start;
            self.tables.expect(Section::Trailer, 0);
            // What is no trailer stays as it is.
            let read = self.load_section(Section::Trailer, toc, source, length, loader);
            if read.is_err() {
                self.tables.further.trailer = None;
            }
        }
        let header = self.places.iter().filter(|place| place.section != Section::Trailer);
        let header = header.map(|place| place.end()).max().unwrap_or(0);
        let bodies = self.body_ranges().filter(|range| range.1 > 0);
        let data = bodies.map(|(start, size)| start + size).fold(header, u64::max);
        let tag = end.checked_sub(4).filter(|&tag| tag >= data);
        if let Some(tag) = tag
            && self.versions.ue4() >= ue4::PACKAGE_MAGIC_POSTTAG
            && self.is_tag(source, tag)
        {
            self.tables.expect(Section::ClosingTag, 4);
            self.note_place(Section::ClosingTag, tag, 4);
            end = tag;
        }
        let start = u64::try_from(self.tables.summary.bulk_data_start_offset).unwrap_or(0);
        if start >= data && start < end {
            self.tables.further.bulk_data = Span::source(start, end - start);
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
}

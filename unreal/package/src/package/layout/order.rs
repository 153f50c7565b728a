//! Where the sections of UE4 and UE5 stand: their order, and the offsets that follow when they move.
//!
//! Header sections, bodies, bulk data, closing tag and trailer lie one behind the other in every file, so
//! what grows moves everything behind it by one distance. The order is the one of the source; what is new
//! stands where the engine would write it.

use std::sync::LazyLock;

use crate::error::{ErrorKind, Result};
use crate::package::layout::{FileLayout, Piece};
use crate::package::saving::Saving;
use crate::package::{LayoutKind, Package, Section, SectionPlace};
use crate::table::SECTIONS;
use crate::version::UnrealVersions;

/// The sections behind the bodies.
const BEHIND: &[Section] = &[Section::BulkData, Section::ClosingTag, Section::Trailer];

fn listed(section: Section) -> usize {
    SECTIONS.iter().position(|entry| entry.section == section).unwrap_or(SECTIONS.len()) * 2
}

/// In front of the bulk data. Kept, since there are as many bodies as objects.
static BODIES: LazyLock<usize> = LazyLock::new(|| listed(Section::BulkData) - 1);

/// Place of a section in the engine's order.
fn rank(section: Section) -> (usize, u32) {
    match section {
        Section::Body(row) => (*BODIES, row),
        // Images stand before their table.
        Section::ThumbnailImage(row) => (listed(Section::ThumbnailTable), row),
        Section::ThumbnailTable => (listed(section), u32::MAX),
        _ => (listed(section), 0),
    }
}

/// Whether a section stands behind the header.
fn is_data(section: Section) -> bool {
    matches!(section, Section::Body(_)) || BEHIND.contains(&section)
}

/// Where the header ends, and where the bodies do.
fn boundaries(places: impl Iterator<Item = SectionPlace>, end: u64) -> (u64, u64) {
    let (mut header, mut bodies) = (None, None);
    for place in places.filter(|place| is_data(place.section)) {
        header = Some(header.map_or(place.start, |start| place.start.min(start)));
        if matches!(place.section, Section::Body(_)) {
            bodies = bodies.max(Some(place.end()));
        }
    }
    let header = header.unwrap_or(end);
    (header, bodies.unwrap_or(header))
}

/// Where the last section of the header ends that the engine writes before this one.
fn end_before(places: &[SectionPlace], section: Section) -> Option<u64> {
    let is_before = |place: &&SectionPlace| {
        !is_data(place.section)
            && !matches!(place.section, Section::Gap(_))
            && rank(place.section) < rank(section)
    };
    places.iter().filter(is_before).map(SectionPlace::end).max()
}

impl FileLayout {
    /// Where the header ends in it.
    pub(super) fn header_end(&self) -> u64 {
        boundaries(self.places.iter().copied(), self.length).0
    }
}

impl Package {
    /// Where the header ended, and where the bodies did.
    pub(super) fn old_boundaries(&self) -> (u64, u64) {
        let claims = self.claims();
        let old = self.old_places().chain(claims.forgotten);
        boundaries(old, self.source.len() as u64)
    }

    /// The sections that the package may have, but for bodies, in the engine's order.
    #[doc(hidden)]
    pub fn header_sections(&self) -> Vec<Section> {
        // An empty table of thumbnails has a count, which an absent one has not.
        let has_thumbnails = !self.tables.thumbnails.is_empty()
            || self.places.iter().any(|place| place.section == Section::ThumbnailTable);
        let mut sections = Vec::new();
        for entry in SECTIONS.iter().filter(|entry| (entry.is_in)(&self.versions)) {
            if entry.section == Section::ThumbnailTable {
                let images = 0..self.tables.images.len();
                sections.extend(images.map(|row| Section::ThumbnailImage(row as u32)));
            }
            if entry.section != Section::ThumbnailTable || has_thumbnails {
                sections.push(entry.section);
            }
        }
        sections
    }

    /// Sections in the order of the source, new ones behind what the engine writes before them.
    pub(in crate::package) fn order_tiled(&self, pieces: &mut [Piece]) {
        let mut known: Vec<_> =
            pieces.iter().filter_map(|p| Some((rank(p.section), p.old()?.end()))).collect();
        known.sort_unstable();
        // The last end among those up to each.
        let mut last = 0;
        for (_, end) in &mut known {
            last = last.max(*end);
            *end = last;
        }
        let header = u64::try_from(self.tables.summary.total_header_size).unwrap_or(0);
        let key = |piece: &Piece| {
            let rank = rank(piece.section);
            if let Some(old) = piece.old() {
                return (old.start, true, rank);
            }
            if let Section::Body(row) = piece.section {
                // An empty body has a place as well.
                let start = self.body_range(row as usize).0;
                if start > 0 && start >= header && start <= self.source.len() as u64 {
                    return (start, false, rank);
                }
            }
            let before = known.partition_point(|(other, _)| *other < rank).checked_sub(1);
            (before.map_or(0, |at| known[at].1), false, rank)
        };
        pieces.sort_by_cached_key(key);
    }

    /// How far the start of bulk data moves: bodies that refer to companions count from there.
    pub(in crate::package) fn bulk_data_moves(&self, layout: &FileLayout) -> bool {
        let bodies = |places: &[SectionPlace]| {
            let bodies = places.iter().filter(|place| matches!(place.section, Section::Body(_)));
            bodies.map(SectionPlace::end).max()
        };
        self.versions.has_tiled_layout() && bodies(&self.claims().places) != bodies(&layout.places)
    }
}

impl Saving<'_> {
    /// Settles the decided offsets of the summary and the tables.
    pub(super) fn apply_tiled(&mut self, layout: &FileLayout) -> Result<()> {
        if layout.kind == LayoutKind::InPlace {
            return Ok(());
        }
        let Self { package, settled, source, .. } = self;
        let claims = package.claims();
        let new = layout.by_section();
        let relocation = package.relocation(layout);
        let is_new = |section| !claims.places.iter().any(|place| place.section == section);
        let is_header = |place: &SectionPlace| !matches!(place.section, Section::Body(_));
        let old: Vec<_> = package.old_places().filter(is_header).collect();
        let (old_header, old_bodies) = package.old_boundaries();
        let (new_header, new_bodies) = boundaries(layout.places.iter().copied(), layout.length);
        let built = source.is_empty();
        let settle = |stored: i64, before: u64, after: u64| {
            if built || stored == before as i64 {
                after as i64
            } else {
                u64::try_from(stored).map_or(stored, |old| relocation.to(old) as i64)
            }
        };
        let narrow = |start: i64, field: &'static str| {
            i32::try_from(start).map_err(|_| {
                let kind = ErrorKind::OutOfRange { value: start.into(), bits: 31 };
                crate::Error::from(kind).in_field(field).in_field("summary")
            })
        };
        let start = |old| new.get(&old).map(|place| place.start);
        settled.relocate_images(start, |at| relocation.to(at))?;
        let exports = &package.tables.exports;
        for row in 0..exports.len() {
            // What has no body has a place as well.
            if let Some(old) = settled.empty_place(exports, row) {
                settled.set_place(exports, row, 0, relocation.to(old) as i64);
            }
        }
        let further = &mut *settled.tables.further;
        if let Some(registry) = &mut further.asset_registry
            && registry.dependency_data_offset > 0
        {
            let place = new.get(&Section::AssetDependencies).map(|place| place.start);
            let old = registry.dependency_data_offset as u64;
            registry.dependency_data_offset = place.unwrap_or_else(|| relocation.to(old)) as i64;
        }
        for row in further.cell_exports.iter_mut().filter(|row| row.serial_offset > 0) {
            row.serial_offset = relocation.to(row.serial_offset as u64) as i64;
        }
        let summary = &mut settled.tables.summary;
        for entry in SECTIONS {
            let Some(offset) = entry.offset else { continue };
            let (section, field) = (entry.section, offset(summary));
            // Absent sections keep their 0 or -1; empty ones move with what stands there.
            match new.get(&section) {
                Some(place) if *field > 0 || is_new(section) => {
                    *field = narrow(place.start as i64, entry.step)?;
                }
                None if *field > 0 => {
                    let stood = *field as u64;
                    // Without rows it stands behind the section before it.
                    let before = end_before(&old, section).filter(|&end| end == stood);
                    let before = before.and_then(|_| end_before(&layout.places, section));
                    let place = before.unwrap_or_else(|| relocation.to(stood));
                    *field = narrow(place as i64, entry.step)?;
                }
                _ => {}
            }
        }
        let header = settle(summary.total_header_size.into(), old_header, new_header);
        summary.total_header_size = narrow(header, "total_header_size")?;
        summary.bulk_data_start_offset =
            settle(summary.bulk_data_start_offset, old_bodies, new_bodies);
        if let Some(trailer) = new.get(&Section::Trailer) {
            summary.payload_toc_offset = trailer.start as i64;
        } else if summary.payload_toc_offset > 0 {
            let old = summary.payload_toc_offset as u64;
            summary.payload_toc_offset = relocation.to(old) as i64;
        }
        if summary.preload_dependency_count < 0 && built {
            summary.preload_dependency_offset = summary.total_header_size;
        }
        if let Some(split) = settled.split {
            let header = if split == old_header { new_header } else { relocation.to(split) };
            settled.split = Some(header);
        }
        Ok(())
    }
}

//! Where old positions have gone, and that offsets which led nowhere still do.

use std::collections::{HashMap, HashSet};

use super::FileLayout;
use crate::archive::{Archived, Loader};
use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::package::saving::Saving;
use crate::package::{Package, Section, SectionPlace};
use crate::table::ThumbnailImage;
use crate::version::UnrealVersions;

/// Where old positions have gone.
pub(in crate::package) struct Relocation {
    /// Old start, old end, new start, new end; ascending.
    moved: Vec<(u64, u64, u64, u64)>,
}

impl Relocation {
    /// The new place of what began at `old`; of an end, if nothing begins there. What lay behind the end of
    /// the file lies as far behind it.
    pub fn to(&self, old: u64) -> u64 {
        let behind = self.moved.partition_point(|(start, ..)| *start <= old);
        match behind.checked_sub(1).and_then(|at| self.moved.get(at)) {
            Some((start, end, new, _)) if old < *end || start == end => {
                new.saturating_add(old - start)
            }
            Some((_, end, _, new)) => new.saturating_add(old - end),
            None => old,
        }
    }
}

impl FileLayout {
    /// The new place of each section but bodies.
    pub(in crate::package) fn by_section(&self) -> HashMap<Section, SectionPlace> {
        let is_body = |place: &&SectionPlace| matches!(place.section, Section::Body(_));
        let others = self.places.iter().filter(|place| !is_body(place));
        others.map(|place| (place.section, *place)).collect()
    }
}

impl Package {
    /// Sections and gaps where they were.
    pub(in crate::package) fn old_places(&self) -> impl Iterator<Item = SectionPlace> + use<> {
        let claims = self.claims();
        let gaps = claims.gaps.iter().enumerate().map(|(row, gap)| SectionPlace {
            section: Section::Gap(row as u32),
            start: gap.start,
            size: gap.end - gap.start,
        });
        let gaps: Vec<_> = gaps.collect();
        let places = claims.places.clone();
        (0..places.len()).map(move |at| places[at]).chain(gaps)
    }

    /// Where a layout moves what was there.
    pub(in crate::package) fn relocation(&self, layout: &FileLayout) -> Relocation {
        let new = layout.by_section();
        let mut bodies = vec![(0, 0); self.export_count()];
        for place in &*layout.places {
            if let Section::Body(row) = place.section
                && let Some(body) = bodies.get_mut(row as usize)
            {
                *body = (place.start, place.end());
            }
        }
        let old = self.old_places();
        let moved = old.filter_map(|place| {
            let (start, end) = match place.section {
                // Bodies stand behind the header.
                Section::Body(row) => *bodies.get(row as usize).filter(|(_, end)| *end > 0)?,
                section => new.get(&section).map(|new| (new.start, new.end()))?,
            };
            Some((place.start, place.end(), start, end))
        });
        let mut moved: Vec<_> = moved.collect();
        moved.push((self.source.len() as u64, u64::MAX, layout.length, u64::MAX));
        let header = self.old_boundaries().0;
        // Where no body stands any more, numbers may still mean the end of the header.
        if self.versions.has_tiled_layout() && !moved.iter().any(|(start, ..)| *start == header) {
            let end = layout.header_end();
            moved.push((header, header, end, end));
        }
        moved.sort_unstable();
        Relocation { moved }
    }
}

impl Saving<'_> {
    /// Moves the images of thumbnails, and the offsets of UE1 to UE3 that lead to no section with what they
    /// point at: a number behind the end of the file would else lead into a file that has grown.
    pub(super) fn move_dead_offsets(&mut self, layout: &FileLayout) -> Result<()> {
        let new = layout.by_section();
        let tables = &self.settled.tables;
        let offsets = [tables.summary.thumbnail_table_offset, tables.summary.depends_offset];
        if tables.images.is_empty()
            && tables.thumbnails.is_empty()
            && offsets.iter().all(|&it| it <= 0)
        {
            return Ok(());
        }
        let relocation = self.package.relocation(layout);
        // What is built has no positions yet.
        let built = self.source.is_empty();
        let to = |old: u64| if built { old } else { relocation.to(old) };
        let start = |section| new.get(&section).map(|place| place.start);
        self.settled.relocate_images(start, to)?;
        let summary = &mut self.settled.tables.summary;
        for (section, field, offset) in [
            (
                Section::ThumbnailTable,
                "thumbnail_table_offset",
                &mut summary.thumbnail_table_offset,
            ),
            (Section::Depends, "depends_offset", &mut summary.depends_offset),
        ] {
            let Ok(old @ 1..) = u64::try_from(*offset) else { continue };
            if new.contains_key(&section) {
                continue;
            }
            *offset = i32::try_from(to(old)).map_err(|_| {
                let kind = ErrorKind::OutOfRange { value: to(old).into(), bits: 31 };
                crate::Error::from(kind).in_field(field).in_field("summary")
            })?;
        }
        Ok(())
    }

    /// Refuses a saved image in which an offset leads to a thumbnail that led to none before.
    ///
    /// # Errors
    /// `Refused` with the objects of the thumbnails.
    pub(in crate::package) fn check_dead_offsets(
        &self,
        layout: &FileLayout,
        image: &[u8],
    ) -> Result<()> {
        let awake =
            "an offset that led nowhere would lead to bytes that can be taken for a thumbnail";
        let refuse = |reason: String, objects| Err(Error::refused(reason, objects));
        let end = image.len() as u64;
        let has_table = layout.places.iter().any(|place| place.section == Section::ThumbnailTable);
        let offset = u64::try_from(self.settled.tables.summary.thumbnail_table_offset).unwrap_or(0);
        // What opening takes for a stale number.
        let inside = |place: &SectionPlace| {
            let table = !matches!(
                place.section,
                Section::Body(_) | Section::Gap(_) | Section::ThumbnailImage(_)
            );
            table && place.start <= offset && offset < place.end()
        };
        if !has_table && (1..=end).contains(&offset) && !layout.places.iter().any(inside) {
            return refuse(format!("{awake} table (at {offset:#x})"), Vec::new());
        }
        let tables = &self.settled.tables;
        let images: HashSet<u64> = tables.images.iter().map(|(start, _)| *start).collect();
        let mut loader = Loader::new(image, self.package.versions.clone());
        let mut objects = Vec::new();
        for thumbnail in &tables.thumbnails {
            let Ok(offset @ 1..) = u64::try_from(thumbnail.file_offset) else { continue };
            if images.contains(&offset) {
                continue;
            }
            let read = loader.seek(image, offset, end);
            if read.and_then(|()| ThumbnailImage::default().serialize(&mut loader)).is_ok() {
                objects.push(thumbnail.object_path.text(&self.source).unwrap_or_default().into());
            }
        }
        match objects.is_empty() {
            true => Ok(()),
            false => refuse(awake.to_owned(), objects),
        }
    }
}

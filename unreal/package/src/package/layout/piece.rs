//! The sections in the order in which they will stand, before they have places.

use std::collections::{BTreeMap, HashMap};

use crate::error::Result;
use crate::package::former::Former;
use crate::package::saving::Saving;
use crate::package::{Section, SectionPlace};
use crate::version::{UnrealVersions, threshold};

/// A section on its way to a new place: its new size, and where the source has it.
#[derive(Debug)]
pub(in crate::package) struct Piece {
    pub section: Section,
    pub size: u64,
    /// Start and size in the source; the start of one that is not there is the largest number.
    old: (u64, u64),
    /// Gaps that stand right behind it in the source and move with it; few sections have any.
    gaps: Option<Box<Gaps>>,
}

#[derive(Debug, Default)]
struct Gaps(Vec<SectionPlace>);

impl Piece {
    fn new(section: Section, size: u64, old: Option<SectionPlace>) -> Self {
        let old = old.map_or((u64::MAX, 0), |old| (old.start, old.size));
        Self { section, size, old, gaps: None }
    }

    /// Where the source has it, if it does.
    pub(super) fn old(&self) -> Option<SectionPlace> {
        let (start, size) = self.old;
        (start < u64::MAX).then_some(SectionPlace { section: self.section, start, size })
    }

    pub(super) fn gaps(&self) -> &[SectionPlace] {
        self.gaps.as_ref().map_or(&[], |gaps| &gaps.0)
    }

    pub(super) fn row(&self) -> Option<usize> {
        match self.section {
            Section::Body(row) => Some(row as usize),
            _ => None,
        }
    }
}

impl Saving<'_> {
    /// Every section that has bytes now or had some, in the engine's order, bodies as they lie.
    pub(super) fn pieces(&mut self) -> Result<Vec<Piece>> {
        let claims = self.package.claims();
        // By section: a hostile file has as many thumbnails, bodies and gaps as it likes.
        let (mut found, mut bodies) = (HashMap::new(), vec![false; self.package.export_count()]);
        for place in &*claims.places {
            match place.section {
                Section::Body(row) => {
                    if let Some(has) = bodies.get_mut(row as usize) {
                        *has = true;
                    }
                }
                section => drop(found.insert(section, *place)),
            }
        }
        // Below version 249 an empty body has no offset, so sizes decide how long the export table is.
        let has_body = |row: usize| bodies.get(row) == Some(&true);
        // Bodies that are new, in the order of their rows.
        let mut fresh = BTreeMap::new();
        let known = &self.package.bodies.decoded;
        let rows = self.package.bodies.replaced.keys().copied().chain(known.keys());
        let former = self.package.former.iter();
        let is_later = |former: &Former, row: &usize| former.has(*row) && !known.contains_key(row);
        let former =
            former.flat_map(|former| (0..bodies.len()).filter(move |row| is_later(former, row)));
        let rows: Vec<usize> = rows.chain(former).collect();
        for row in rows {
            let start = self.package.body_range(row).0;
            if has_body(row) && !self.package.bodies.replaced.contains_key(&row) {
                continue;
            }
            let size = self.draft_body(row, start)?;
            self.update_export(row, start, size)?;
            if !has_body(row) && size > 0 {
                fresh.insert(row, size);
            }
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let context = self.drafts.context().clone();
        for section in self.package.header_sections() {
            let old = found.get(&section).copied();
            // Tables that were not found in the source and are empty stay away, offset and all.
            let start = old.map_or(0, |place| place.start);
            let size = self.count_section(section, start, &context)?;
            if size > 0 || old.is_some() {
                pieces.push(Piece::new(section, size, old));
            }
        }
        let mut places: Vec<_> = claims.places.iter().collect();
        places.retain(|place| matches!(place.section, Section::Body(_)));
        places.sort_by_key(|place| place.start);
        // Bodies are drafted where they will stand if all that stands before them moves them along.
        let first = places.first().map_or(0, |place| place.start);
        let stands_before = |piece: &&Piece| piece.old().is_none_or(|old| old.start < first);
        let sizes = pieces.iter().filter(stands_before).map(|piece| (piece.size, piece.old.1));
        let (mut now, mut then) = sizes.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        // Below version 178 the data stands before imports and exports (spec: ue1-3/03 §3.9).
        let data_at = match self.package.versions.file() {
            ..threshold::COMPACT_INDEX_REMOVED => pieces
                .iter()
                .position(|piece| matches!(piece.section, Section::Imports | Section::Exports)),
            _ => None,
        };
        let mut behind = pieces.split_off(data_at.unwrap_or(pieces.len()));
        pieces.reserve_exact(places.len() + fresh.len() + behind.len());
        let mut ahead = 0;
        for (at, place) in places.iter().enumerate() {
            if at == ahead {
                ahead += self.draft_ahead(&places[at..], (now, then));
            }
            let row = place.section.row().unwrap_or_default();
            let start = place.start.saturating_add(now).saturating_sub(then);
            let size = self.draft_body(row, start)?;
            (now, then) = (now + size, then + place.size);
            pieces.push(Piece::new(place.section, size, Some(**place)));
        }
        let new = |(row, size)| Piece::new(Section::Body(row as u32), size, None);
        pieces.extend(fresh.into_iter().map(new));
        pieces.append(&mut behind);
        if self.package.versions.has_tiled_layout() {
            self.package.order_tiled(&mut pieces);
        }
        if claims.gaps.is_empty() {
            return Ok(pieces);
        }
        let ends = pieces.iter().enumerate();
        let ends = ends.filter_map(|(at, piece)| Some((piece.old()?.end(), at)));
        let mut ends: Vec<_> = ends.collect();
        ends.sort_unstable();
        for (row, gap) in claims.gaps.iter().enumerate() {
            let section = Section::Gap(row as u32);
            let place = SectionPlace { section, start: gap.start, size: gap.end - gap.start };
            // What stood right before it, or, where that is gone, the nearest thing before that.
            let before = ends.partition_point(|(end, _)| *end <= gap.start).checked_sub(1);
            let before = before.map_or(0, |before| ends[before].1);
            pieces[before].gaps.get_or_insert_default().0.push(place);
        }
        Ok(pieces)
    }
}

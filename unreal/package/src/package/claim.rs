//! Which section owns which bytes of the source.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::view::Exports;
use super::{Overlap, Package, Section, SectionPlace};
use crate::error::{Error, Result};
use crate::table::ThumbnailImage;

/// How many times larger than the source all bodies together may be where each is written out.
const MOST_SHARED: u64 = 8;

/// Every byte of the source with its owner: the first claim wins.
#[derive(Debug, Clone, Default)]
#[doc(hidden)]
pub struct Claims {
    /// All sections that have bytes, and bodies, in order of their claims.
    pub places: Arc<Vec<SectionPlace>>,
    owned: Owned,
    /// Claims that came too late.
    pub overlaps: Vec<Overlap>,
    /// Ranges that nothing claims, ascending.
    pub gaps: Vec<Range<u64>>,
    /// From the first to the last of the bodies that stood somewhere and stand nowhere now, since their rows
    /// have moved.
    pub forgotten: Option<SectionPlace>,
}

/// The bytes that each section owns alone.
#[derive(Debug, Clone)]
enum Owned {
    /// Each has all that it claims; which of the places comes when, ascending.
    Whole(Vec<u32>),
    /// Ranges, ascending.
    Parts(Vec<(Range<u64>, Section)>),
}

impl Default for Owned {
    fn default() -> Self {
        Self::Whole(Vec::new())
    }
}

impl Owned {
    fn of(places: &[SectionPlace]) -> (Self, Vec<Overlap>) {
        let order = Self::order(places);
        let place = |at: u32| &places[at as usize];
        match order.windows(2).all(|pair| place(pair[0]).end() <= place(pair[1]).start) {
            true => (Self::Whole(order), Vec::new()),
            false => {
                let (parts, overlaps) = first_wins(places);
                (Self::Parts(parts), overlaps)
            }
        }
    }

    /// Which place comes when. There are as many as rows and sections, and rows have 32 bits.
    fn order(places: &[SectionPlace]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        order.sort_by_key(|&at| places[at as usize].start);
        order
    }
}

impl Claims {
    /// The bytes that each section owns alone, ascending.
    pub fn owned(&self) -> impl Iterator<Item = (Range<u64>, Section)> + '_ {
        let (order, parts): (&[u32], &[_]) = match &self.owned {
            Owned::Whole(order) => (order, &[]),
            Owned::Parts(parts) => (&[], parts),
        };
        let whole = order.iter().filter_map(|&at| self.places.get(at as usize));
        let whole = whole.map(|place| (place.start..place.end(), place.section));
        whole.chain(parts.iter().cloned())
    }

    /// Keeps the places that `keeps` keeps, which may change their rows.
    fn retain(&mut self, mut keeps: impl FnMut(&mut Section) -> bool) {
        Arc::make_mut(&mut self.places).retain_mut(|place| keeps(&mut place.section));
        match &mut self.owned {
            Owned::Whole(order) => *order = Owned::order(&self.places),
            Owned::Parts(parts) => parts.retain_mut(|(_, section)| keeps(section)),
        }
    }
}

impl Package {
    /// Computed when first asked for: opening does not need it. From then on it stays what the source
    /// says, whatever is edited.
    #[doc(hidden)]
    pub fn claims(&self) -> Arc<Claims> {
        self.claims.get_or_init(|| Arc::new(self.compute_claims())).clone()
    }

    /// Decoded bodies stand nowhere until the package is saved; those that stay where they are keep their
    /// places.
    #[doc(hidden)]
    pub fn forget_bodies(&mut self, stays: impl Fn(usize) -> bool) {
        let claims = self.claims();
        let keeps = |section: Section| match section {
            Section::Body(row) => stays(row as usize),
            _ => true,
        };
        let forgotten = claims.places.iter().filter(|place| !keeps(place.section));
        let forgotten = forgotten.copied().chain(claims.forgotten).reduce(|all, place| {
            let start = all.start.min(place.start);
            SectionPlace { start, size: all.end().max(place.end()) - start, ..all }
        });
        let places = claims.places.iter().copied().filter(|place| keeps(place.section));
        let places: Vec<_> = places.collect();
        let owned = match &claims.owned {
            Owned::Whole(_) => Owned::Whole(Owned::order(&places)),
            Owned::Parts(parts) => {
                let parts = parts.iter().filter(|(_, section)| keeps(*section));
                Owned::Parts(parts.cloned().collect())
            }
        };
        let (overlaps, gaps) = (claims.overlaps.clone(), claims.gaps.clone());
        let places = places.into();
        self.claims = Arc::new(Claims { places, owned, overlaps, gaps, forgotten }).into();
    }

    /// Images of thumbnails go, and those behind them move up.
    #[doc(hidden)]
    pub fn keep_images(&mut self, keeps: &[bool]) {
        let mut claims = Claims::clone(&self.claims());
        let stays = |section: &mut Section| {
            let Section::ThumbnailImage(row) = section else { return true };
            let before = keeps.get(..*row as usize).unwrap_or(keeps);
            let kept = keeps.get(*row as usize).copied().unwrap_or(true);
            *row -= before.iter().filter(|kept| !**kept).count() as u32;
            kept
        };
        claims.retain(stays);
        self.places.retain_mut(|place| stays(&mut place.section));
        let mut keeps = keeps.iter().copied();
        self.tables.images.retain(|_| keeps.next().unwrap_or(true));
        self.claims = Arc::new(claims).into();
    }

    /// An image comes between those that are there; says the offset by which its thumbnail knows it until the
    /// package is saved.
    #[doc(hidden)]
    pub fn insert_image(&mut self, at: usize, image: ThumbnailImage) -> u64 {
        let at = at.min(self.tables.images.len());
        let before = at.checked_sub(1).and_then(|at| self.tables.images.get(at));
        let offset = match (before, self.tables.images.get(at)) {
            // No image is so small that another one starts right behind its start.
            (Some((before, _)), _) => before.saturating_add(1),
            (None, Some((behind, _))) => behind.saturating_sub(1),
            (None, None) => self.source.len() as u64,
        };
        let mut claims = Claims::clone(&self.claims());
        let up = |section: &mut Section| {
            if let Section::ThumbnailImage(row) = section
                && *row as usize >= at
            {
                *row += 1;
            }
            true
        };
        claims.retain(up);
        self.places.retain_mut(|place| up(&mut place.section));
        self.tables.images.insert(at, (offset, image));
        self.claims = Arc::new(claims).into();
        offset
    }

    fn compute_claims(&self) -> Claims {
        let bodies = self.body_ranges().enumerate().filter_map(|(row, (start, size))| {
            let section = Section::Body(row as u32);
            (size > 0).then_some(SectionPlace { section, start, size })
        });
        let mut places = Vec::with_capacity(self.places.len() + self.export_count());
        places.extend(self.places.iter().copied().filter(|place| place.size > 0).chain(bodies));
        let (owned, overlaps) = Owned::of(&places);
        let mut claims = Claims { places: places.into(), owned, overlaps, ..Claims::default() };
        let mut gaps = Vec::new();
        let mut at = 0;
        let end = self.source.len() as u64;
        let last = std::iter::once(end..end);
        for range in claims.owned().map(|(range, _)| range).chain(last) {
            if range.start > at {
                gaps.push(at..range.start);
            }
            at = range.end;
        }
        claims.gaps = gaps;
        claims
    }
}

impl Exports<'_> {
    /// Refuses to write all bodies one by one where they share so many bytes that together they are far
    /// larger than the source. Where none do, they are smaller.
    ///
    /// # Errors
    /// `Invalid` with both sizes.
    pub fn refuse_shared_bodies(self) -> Result<()> {
        let sizes = self.0.body_ranges().map(|(_, size)| size);
        let (bodies, source) = (sizes.fold(0, u64::saturating_add), self.0.source.len() as u64);
        if bodies <= source.saturating_mul(MOST_SHARED) {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "objects share their bytes: {bodies} bytes of them lie in {source}, and written one by one they \
             would be far larger than the package"
        )))
    }
}

/// Gives each place what no earlier one has taken. Each byte is given away once, so the work is bounded
/// by the number of places however they overlap.
fn first_wins(places: &[SectionPlace]) -> (Vec<(Range<u64>, Section)>, Vec<Overlap>) {
    let mut taken: BTreeMap<u64, (u64, Section)> = BTreeMap::new();
    let mut owned = Vec::new();
    let mut overlaps = Vec::new();
    for place in places {
        let (mut at, end) = (place.start, place.end());
        // Neighbouring ranges are merged below, so that this walk stays short.
        let (mut merged_start, mut merged_end) = (at, end);
        let before = taken.range(..=at).next_back().filter(|(_, (last, _))| *last > at);
        let first = before.map_or(at, |(start, _)| *start);
        let inside: Vec<_> = taken.range(first..end).map(|(s, (e, o))| (*s, *e, *o)).collect();
        for (start, last, owner) in inside {
            if start > at {
                owned.push((at..start, place.section));
            }
            overlaps.push(Overlap {
                first: owner,
                second: place.section,
                start: start.max(place.start),
                end: last.min(end),
            });
            at = at.max(last);
            taken.remove(&start);
            merged_start = merged_start.min(start);
            merged_end = merged_end.max(last);
        }
        if at < end {
            owned.push((at..end, place.section));
        }
        taken.insert(merged_start, (merged_end, place.section));
    }
    owned.sort_by_key(|(range, _)| range.start);
    (owned, overlaps)
}

//! Layout: where every section will stand, decided before anything is written.

use std::collections::{BTreeMap, HashMap};

use super::body::Drafts;
use super::save::{Ground, Moved};
use super::{Package, SaveOptions, Section, SectionPlace};
use crate::error::{ErrorKind, Result};
use crate::version::threshold;

/// Which layout a save may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutChoice {
    /// In place when every section still fits exactly; else canonical when every body that would move
    /// may; else keep.
    #[default]
    Auto,
    /// The engine's own order, tightly packed.
    Canonical,
    /// Bodies stay where they are; what has grown goes elsewhere.
    Keep,
}

/// The layout that was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LayoutKind {
    /// Every section has its old size and place.
    InPlace,
    /// The engine's own order, tightly packed.
    Canonical,
    /// Bodies stayed where they were.
    Keep,
}

/// Where everything will stand.
#[derive(Debug)]
pub(super) struct Layout {
    pub kind: LayoutKind,
    pub places: Vec<SectionPlace>,
    pub length: u64,
    /// End of the tables, from file version 249 on; `None` leaves the field as it is.
    pub total_header_size: Option<u64>,
    pub moved: Vec<Moved>,
}

/// The tables in the engine's order from file version 178 on (spec: ue1-3/03 §3.9).
const UE3_TABLES: &[Section] =
    &[Section::Names, Section::Imports, Section::Exports, Section::Depends, Section::Guids];

/// A section on its way to a new place: its new size, and where the source has it.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub section: Section,
    pub size: u64,
    pub old: Option<SectionPlace>,
    /// Gaps that stand right behind it in the source and move with it.
    gaps: Vec<SectionPlace>,
}

impl Piece {
    fn row(&self) -> Option<usize> {
        match self.section {
            Section::Body(row) => Some(row as usize),
            _ => None,
        }
    }
}

impl Package {
    /// Decides the layout; `self` is the working copy whose export rows are brought up to date.
    pub(super) fn lay_out(&mut self, options: &SaveOptions, drafts: &mut Drafts) -> Result<Layout> {
        let pieces = self.pieces(drafts)?;
        let shared = self.sharing_bodies();
        let replaces_shared = self.replaced.keys().any(|row| shared.contains(row));
        if options.layout == LayoutChoice::Auto
            && !replaces_shared
            && pieces.iter().all(|piece| piece.old.is_some_and(|old| old.size == piece.size))
        {
            return Ok(self.in_place());
        }
        let overlaps = &self.claims().overlaps;
        if !overlaps.is_empty() {
            let shown = overlaps.iter().map(|o| format!("{} over {}", o.second, o.first)).collect();
            let reason = "sections share bytes, so none may change its size".to_owned();
            return Err(ErrorKind::Refused { reason, objects: shown }.into());
        }
        if self.is_modern() {
            if options.layout == LayoutChoice::Keep {
                let reason = "header and bodies of UE4 and UE5 lie one behind the other: \
                              bodies can't stay when the header grows"
                    .to_owned();
                return Err(ErrorKind::Refused { reason, objects: Vec::new() }.into());
            }
            return self.canonical(&pieces, options);
        }
        match options.layout {
            LayoutChoice::Canonical => self.canonical(&pieces, options),
            LayoutChoice::Keep => self.keep(&pieces, options),
            LayoutChoice::Auto => match self.canonical(&pieces, options) {
                Ok(layout) => Ok(layout),
                Err(canonical) => self.keep(&pieces, options).map_err(|keep| match keep.kind() {
                    ErrorKind::Refused { .. } => canonical,
                    _ => keep,
                }),
            },
        }
    }

    fn in_place(&self) -> Layout {
        Layout {
            kind: LayoutKind::InPlace,
            places: self.claims().places.clone(),
            length: self.source.len() as u64,
            total_header_size: None,
            moved: Vec::new(),
        }
    }

    /// Every section that has bytes now or had some, in the engine's order, bodies as they lie.
    fn pieces(&mut self, drafts: &mut Drafts) -> Result<Vec<Piece>> {
        let claims = self.claims();
        // By section: a hostile file has as many thumbnails, bodies and gaps as it likes.
        let (mut found, mut bodies) = (HashMap::new(), vec![false; self.export_count()]);
        for place in &claims.places {
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
        for row in self.replaced.keys().chain(self.decoded.keys()).copied().collect::<Vec<_>>() {
            let start = self.body_range(row).0;
            if has_body(row) && !self.replaced.contains_key(&row) {
                continue;
            }
            let size = self.draft_body(row, start, drafts)?;
            self.update_export(row, start, size)?;
            if !has_body(row) && size > 0 {
                fresh.insert(row, size);
            }
        }
        let mut pieces: Vec<Piece> = Vec::new();
        for section in self.header_order() {
            let old = found.get(&section).copied();
            // Tables that were not found in the source and are empty stay away, offset and all.
            let size = self.count_section(section, old.map_or(0, |place| place.start))?;
            if size > 0 || old.is_some() {
                pieces.push(Piece { section, size, old, gaps: Vec::new() });
            }
        }
        let mut bodies: Vec<Piece> = Vec::new();
        for place in claims.places.iter().filter(|place| matches!(place.section, Section::Body(_)))
        {
            let row = place.section.row().unwrap_or_default();
            let size = self.draft_body(row, place.start, drafts)?;
            bodies.push(Piece {
                section: place.section,
                size,
                old: Some(*place),
                gaps: Vec::new(),
            });
        }
        bodies.sort_by_key(|piece| piece.old.map(|place| place.start));
        bodies.extend(fresh.into_iter().map(|(row, size)| Piece {
            section: Section::Body(row as u32),
            size,
            old: None,
            gaps: Vec::new(),
        }));
        // Below version 178 the data stands before imports and exports (spec: ue1-3/03 §3.9).
        let data_at = match self.versions.file {
            ..threshold::COMPACT_INDEX_REMOVED => pieces
                .iter()
                .position(|piece| matches!(piece.section, Section::Imports | Section::Exports)),
            _ => None,
        };
        let data_at = data_at.unwrap_or(pieces.len());
        pieces.splice(data_at..data_at, bodies);
        if self.is_modern() {
            pieces = self.order_modern(pieces);
        }
        let by_end: BTreeMap<_, _> = pieces
            .iter()
            .enumerate()
            .filter_map(|(at, piece)| piece.old.map(|old| (old.end(), at)))
            .collect();
        for (row, gap) in claims.gaps.iter().enumerate() {
            let section = Section::Gap(row as u32);
            let place = SectionPlace { section, start: gap.start, size: gap.end - gap.start };
            // What stood right before it, or, where that is gone, the nearest thing before that.
            let before = by_end.range(..=gap.start).next_back().map_or(0, |(_, &at)| at);
            pieces[before].gaps.push(place);
        }
        Ok(pieces)
    }

    fn header_order(&self) -> Vec<Section> {
        if self.is_modern() {
            return self.modern_sections();
        }
        let mut order = vec![Section::Summary];
        if self.versions.file < threshold::COMPACT_INDEX_REMOVED {
            // A package that is saved for a later version than it was found in has lost it.
            if self.versions.file < threshold::HERITAGE_REMOVED {
                order.push(Section::Heritage);
            }
            order.extend([Section::Names, Section::Imports, Section::Exports]);
            return order;
        }
        order.extend(UE3_TABLES);
        order.extend((0..self.images.len()).map(|row| Section::ThumbnailImage(row as u32)));
        // An empty table has a count, which an absent one has not.
        if self.places.iter().any(|place| place.section == Section::ThumbnailTable)
            || !self.thumbnails.is_empty()
        {
            order.push(Section::ThumbnailTable);
        }
        order
    }

    /// The engine's order, tightly packed; refused when a body would have to move that may not.
    fn canonical(&mut self, pieces: &[Piece], options: &SaveOptions) -> Result<Layout> {
        let mut layout = Layout {
            kind: LayoutKind::Canonical,
            places: Vec::new(),
            length: 0,
            total_header_size: None,
            moved: Vec::new(),
        };
        let mut stuck = Vec::new();
        let mut header_end = None;
        let mut starts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            if piece.row().is_some() && header_end.is_none() {
                header_end = Some(layout.length);
            }
            starts.push(layout.length);
            self.place(piece, &mut layout)?;
        }
        let bulk_moves = self.bulk_data_moves(&layout);
        for (piece, start) in pieces.iter().zip(starts) {
            self.judge(piece, start, bulk_moves, options, &mut layout, &mut stuck);
        }
        if !stuck.is_empty() {
            return Err(self.refused(&stuck));
        }
        layout.total_header_size = Some(header_end.unwrap_or(layout.length));
        Ok(layout)
    }

    /// Places a piece and its gaps at the end of what is placed so far.
    fn place(&mut self, piece: &Piece, layout: &mut Layout) -> Result<()> {
        let start = layout.length;
        let mut size = piece.size;
        if let Some(row) = piece.row() {
            self.update_export(row, start, size)?;
        } else if piece.section == Section::Exports {
            // Below version 178 the offsets just decided have a width.
            size = self.count_section(Section::Exports, start)?;
        }
        layout.places.push(SectionPlace { section: piece.section, start, size });
        layout.length += size;
        for gap in &piece.gaps {
            layout.places.push(SectionPlace { start: layout.length, ..*gap });
            layout.length += gap.size;
        }
        Ok(())
    }

    /// Notes that a body has moved to `to`, or that it is stuck.
    fn judge(
        &self,
        piece: &Piece,
        to: u64,
        bulk_moves: bool,
        options: &SaveOptions,
        layout: &mut Layout,
        stuck: &mut Vec<usize>,
    ) {
        let (Some(row), Some(old)) = (piece.row(), piece.old) else { return };
        // Wherever it stands, what it refers to may count from where bulk data starts.
        if bulk_moves && self.counts_from_bulk_data(row, old, options) {
            stuck.push(row);
            return;
        }
        if to == old.start {
            return;
        }
        match self.may_move(row, old, options) {
            Some(ground) => layout.moved.push(Moved { export: row, from: old.start, to, ground }),
            None => stuck.push(row),
        }
    }

    fn refused(&self, stuck: &[usize]) -> crate::Error {
        let objects = stuck.iter().map(|&row| self.exports().path(row)).collect();
        let reason = "objects would move whose bodies seem to hold file positions; \
                      force it only if you know that they do not"
            .to_owned();
        ErrorKind::Refused { reason, objects }.into()
    }

    /// Bodies stay; what has grown goes to the end of the file, in UE3 the tables stay in front.
    fn keep(&mut self, pieces: &[Piece], options: &SaveOptions) -> Result<Layout> {
        let tables_in_front = self.versions.file >= threshold::COMPACT_INDEX_REMOVED;
        let is_body = |piece: &&Piece| piece.row().is_some();
        let old_end = |piece: &Piece| piece.old.map_or(0, |old| old.end());
        let last_body = pieces.iter().filter(is_body).map(old_end).max().unwrap_or(0);
        let mut layout = Layout {
            kind: LayoutKind::Keep,
            places: Vec::new(),
            length: 0,
            total_header_size: None,
            moved: Vec::new(),
        };
        // What must stand in front: the summary, in UE3 all tables.
        let mut later = Vec::new();
        for piece in pieces {
            if piece.section == Section::Summary || (tables_in_front && piece.row().is_none()) {
                self.place(piece, &mut layout)?;
            } else {
                later.push(piece);
            }
        }
        let front = layout.length;
        let mut stuck = Vec::new();
        let mut move_away = Vec::new();
        let mut first_staying = None;
        for piece in later {
            let gaps: u64 = piece.gaps.iter().map(|gap| gap.size).sum();
            let fits = piece.old.is_some_and(|old| {
                let after_data = piece.row().is_none() && old.start >= last_body;
                // How long the exports become is known only when every body has its place.
                let settled = piece.section != Section::Exports;
                old.start >= front && piece.size <= old.size && !after_data && settled
            });
            match (fits, piece.old) {
                (true, Some(old)) => {
                    first_staying = Some(first_staying.unwrap_or(old.start).min(old.start));
                    layout.places.push(SectionPlace { size: piece.size, ..old });
                    layout.places.extend(&piece.gaps);
                    layout.length = layout.length.max(old.end() + gaps);
                    if let Some(row) = piece.row() {
                        self.update_export(row, old.start, piece.size)?;
                    }
                }
                _ => move_away.push(piece),
            }
        }
        for piece in move_away {
            let start = layout.length;
            self.place(piece, &mut layout)?;
            self.judge(piece, start, false, options, &mut layout, &mut stuck);
        }
        if !stuck.is_empty() {
            return Err(self.refused(&stuck));
        }
        let old_size = u64::try_from(self.summary.total_header_size).unwrap_or(0);
        layout.total_header_size =
            Some(if old_size >= front { old_size } else { first_staying.unwrap_or(front) });
        Ok(layout)
    }

    /// Brings size and offset of an export's row up to date.
    fn update_export(&mut self, row: usize, start: u64, size: u64) -> Result<()> {
        let number = |value: u64, field| {
            i32::try_from(value).map_err(|_| {
                let kind = ErrorKind::OutOfRange { value: value.into(), bits: 31 };
                crate::Error::from(kind).in_field(field).at_index(row).in_field("exports")
            })
        };
        if let Some(modern) = &mut self.modern {
            let row = &mut modern.exports[row];
            let number = |value: u64| {
                i64::try_from(value)
                    .map_err(|_| ErrorKind::OutOfRange { value: value.into(), bits: 63 })
            };
            (row.serial_size, row.serial_offset) = (number(size)?, number(start)?);
            return Ok(());
        }
        let keeps_offset = self.versions.file >= threshold::TOTAL_HEADER_SIZE_ADDED;
        let export = &mut self.exports[row];
        set(&mut export.serial_size, number(size, "serial_size")?);
        if size > 0 || keeps_offset {
            set(&mut export.serial_offset, number(start, "serial_offset")?);
        } else {
            set(&mut export.serial_offset, 0);
        }
        Ok(())
    }

    /// Writes the decided offsets into the summary and the thumbnail table.
    pub(super) fn apply(&mut self, layout: &Layout) -> Result<()> {
        if self.is_modern() {
            return self.apply_modern(layout);
        }
        let offset = |start: u64| {
            i32::try_from(start)
                .map_err(|_| ErrorKind::OutOfRange { value: start.into(), bits: 31 })
        };
        let old_images: Vec<u64> = self.images.iter().map(|(at, _)| *at).collect();
        for place in &layout.places {
            let start = offset(place.start)?;
            let summary = &mut self.summary;
            match place.section {
                Section::Heritage => summary.heritage_offset = start,
                Section::Names => summary.name_offset = start,
                Section::Imports => summary.import_offset = start,
                Section::Exports => summary.export_offset = start,
                Section::Depends => summary.depends_offset = start,
                Section::Guids => summary.import_export_guids_offset = start,
                Section::ThumbnailTable => summary.thumbnail_table_offset = start,
                Section::ThumbnailImage(row) => self.images[row as usize].0 = place.start,
                _ => {}
            }
        }
        for thumbnail in &mut self.thumbnails {
            let old = u64::try_from(thumbnail.file_offset).unwrap_or(u64::MAX);
            if let Ok(at) = old_images.binary_search(&old) {
                thumbnail.file_offset = offset(self.images[at].0)?;
            }
        }
        if layout.kind != LayoutKind::InPlace {
            self.settle_empty_sections(layout, offset)?;
        }
        Ok(())
    }

    /// Images stand elsewhere: the table follows them, and offsets that lead to no image move with what is
    /// there.
    pub(super) fn relocate_images(
        &mut self,
        new: impl Fn(Section) -> Option<u64>,
        other: impl Fn(u64) -> u64,
    ) -> Result<()> {
        let old: Vec<u64> = self.images.iter().map(|(at, _)| *at).collect();
        for (row, image) in self.images.iter_mut().enumerate() {
            image.0 = new(Section::ThumbnailImage(row as u32)).unwrap_or(image.0);
        }
        for thumbnail in &mut self.thumbnails {
            let Ok(at) = u64::try_from(thumbnail.file_offset) else { continue };
            let at = match old.binary_search(&at) {
                Ok(row) => self.images[row].0,
                Err(_) if at > 0 => other(at),
                Err(_) => continue,
            };
            thumbnail.file_offset = i32::try_from(at)
                .map_err(|_| ErrorKind::OutOfRange { value: at.into(), bits: 31 })?;
        }
        Ok(())
    }

    /// Sections without bytes that name a place, and the end of the header, follow the tables.
    fn settle_empty_sections(
        &mut self,
        layout: &Layout,
        offset: impl Fn(u64) -> Result<i32, ErrorKind>,
    ) -> Result<()> {
        if self.versions.file >= threshold::TOTAL_HEADER_SIZE_ADDED
            && let Some(end) = layout.total_header_size
        {
            self.summary.total_header_size = offset(end)?;
        }
        let end_of = |section: Section| {
            layout.places.iter().find(|place| place.section == section).map(SectionPlace::end)
        };
        if self.versions.file < threshold::HERITAGE_GUID_ADDED {
            // Its rows have no bytes (spec: ue1-3/02 §2.2).
            self.summary.heritage_offset = self.summary.name_offset;
        }
        // The GUID section starts where the depends table ends even when it is empty
        // (spec: ue1-3/03 §3.7).
        let summary = &mut self.summary;
        if summary.import_export_guids_offset > 0
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
            if *field > 0 && end_of(section).is_none() {
                let front = layout.places.first().map_or(0, SectionPlace::end);
                *field = offset(end_of(Section::Names).unwrap_or(front))?;
            }
        }
        Ok(())
    }
}

/// Keeps the stored form of a number that does not change.
fn set(index: &mut crate::Index, value: i32) {
    if index.value() != value {
        index.set(value);
    }
}

impl Ground {
    /// A word for reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Decoded => "decoded to its last byte",
            Self::ClassWithoutPositions => "its class holds no file positions",
            Self::NoPositionsSeen => "no file positions seen in it",
            Self::Forced => "forced",
        }
    }
}

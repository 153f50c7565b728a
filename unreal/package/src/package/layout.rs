//! Layout: where every section will stand, decided before anything is written.

mod decided;
mod offset;
mod order;
mod piece;
mod relocation;

pub(super) use decided::FileLayout;
pub use decided::{LayoutChoice, LayoutKind};
pub(super) use piece::Piece;

use super::decode::Decoded;
use super::saving::Saving;
use super::{Moved, Package, Section, SectionPlace};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::version::{UnrealVersions, threshold};

impl Saving<'_> {
    /// Decides the layout, and with it sizes and offsets of export rows.
    pub(super) fn lay_out(&mut self) -> Result<FileLayout> {
        let pieces = self.pieces()?;
        let (package, choice) = (&self.package, self.options.layout);
        let shared = package.sharing_bodies();
        let replaces_shared = package.bodies.replaced.keys().any(|row| shared.contains(row));
        if choice == LayoutChoice::Auto
            && !replaces_shared
            && pieces.iter().all(|piece| piece.old().is_some_and(|old| old.size == piece.size))
        {
            return Ok(package.in_place());
        }
        let overlaps = &package.claims().overlaps;
        if !overlaps.is_empty() {
            let shown = overlaps.iter().map(|o| format!("{} over {}", o.second, o.first)).collect();
            let reason = "sections share bytes, so none may change its size";
            return Err(Error::refused(reason, shown));
        }
        if package.versions.has_tiled_layout() {
            if choice == LayoutChoice::Keep {
                let reason = "header and bodies of UE4 and UE5 lie one behind the other: \
                              bodies can't stay when the header grows";
                return Err(Error::refused(reason, Vec::new()));
            }
            return self.canonical(&pieces);
        }
        match choice {
            LayoutChoice::Canonical => self.canonical(&pieces),
            LayoutChoice::Keep => self.keep(&pieces),
            LayoutChoice::Auto => match self.canonical(&pieces) {
                Ok(layout) => Ok(layout),
                Err(canonical) => self.keep(&pieces).map_err(|keep| match keep.unreal() {
                    Some(UnrealError::Refused { .. }) => canonical,
                    _ => keep,
                }),
            },
        }
    }

    /// The engine's order, tightly packed; refused when a body would have to move that may not.
    fn canonical(&mut self, pieces: &[Piece]) -> Result<FileLayout> {
        let mut layout = FileLayout::empty(LayoutKind::Canonical);
        let mut stuck = Vec::new();
        let mut header_end = None;
        let mut starts = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let behind_header = piece.row().is_some() || piece.section == Section::ClosingTag;
            if behind_header && header_end.is_none() {
                layout.length = layout.length.max(self.options.header_size);
                header_end = Some(layout.length);
            }
            starts.push(layout.length);
            self.place(piece, &mut layout)?;
        }
        let bulk_moves = self.package.bulk_data_moves(&layout);
        for (piece, start) in pieces.iter().zip(starts) {
            self.judge(piece, start, bulk_moves, &mut layout, &mut stuck);
        }
        if !stuck.is_empty() {
            return Err(self.package.refused(&stuck));
        }
        layout.total_header_size = Some(header_end.unwrap_or(layout.length));
        Ok(layout)
    }

    /// Places a piece and its gaps at the end of what is placed so far.
    fn place(&mut self, piece: &Piece, layout: &mut FileLayout) -> Result<()> {
        let start = layout.length;
        let mut size = piece.size;
        if let Some(row) = piece.row() {
            self.update_export(row, start, size)?;
        } else if piece.section == Section::Exports {
            // Below version 178 the offsets just decided have a width.
            size = self.count_section(Section::Exports, start, &self.source_context())?;
        }
        layout.places_mut().push(SectionPlace { section: piece.section, start, size });
        layout.length += size;
        for gap in piece.gaps() {
            let start = layout.length;
            layout.places_mut().push(SectionPlace { start, ..*gap });
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
        layout: &mut FileLayout,
        stuck: &mut Vec<usize>,
    ) {
        let (Some(row), Some(old)) = (piece.row(), piece.old()) else { return };
        // Wherever it stands, what it refers to may count from where bulk data starts. What is typed is counted
        // anew.
        let Self { package, options, drafts, .. } = self;
        let decoded = package.bodies.decoded.get(&row);
        let is_typed = drafts.is_typed(row) || decoded.is_some_and(Decoded::is_complete);
        let counts = match package.bodies.pinned.contains(&row) {
            // What a document does not decode is not in the source.
            true => {
                !options.force && package.bulk_scan().is_some_and(|scan| scan.may_show_biased())
            }
            false => !is_typed && package.counts_from_bulk_data(row, old, options.force),
        };
        if bulk_moves && counts {
            stuck.push(row);
            return;
        }
        if to == old.start {
            return;
        }
        match package.may_move(row, old, options, drafts.is_typed(row)) {
            Some(ground) => layout.moved.push(Moved { export: row, from: old.start, to, ground }),
            None => stuck.push(row),
        }
    }

    /// Bodies stay; what has grown goes to the end of the file, in UE3 the tables stay in front.
    fn keep(&mut self, pieces: &[Piece]) -> Result<FileLayout> {
        let tables_in_front = self.package.versions.file() >= threshold::COMPACT_INDEX_REMOVED;
        let is_body = |piece: &&Piece| piece.row().is_some();
        let old_end = |piece: &Piece| piece.old().map_or(0, |old| old.end());
        let last_body = pieces.iter().filter(is_body).map(old_end).max().unwrap_or(0);
        let mut layout = FileLayout::empty(LayoutKind::Keep);
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
            let gaps: u64 = piece.gaps().iter().map(|gap| gap.size).sum();
            let fits = piece.old().is_some_and(|old| {
                let after_data = piece.row().is_none() && old.start >= last_body;
                // How long the exports become is known only when every body has its place.
                let settled = piece.section != Section::Exports;
                old.start >= front && piece.size <= old.size && !after_data && settled
            });
            match (fits, piece.old()) {
                (true, Some(old)) => {
                    first_staying = Some(first_staying.unwrap_or(old.start).min(old.start));
                    layout.places_mut().push(SectionPlace { size: piece.size, ..old });
                    layout.places_mut().extend(piece.gaps());
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
            self.judge(piece, start, false, &mut layout, &mut stuck);
        }
        if !stuck.is_empty() {
            return Err(self.package.refused(&stuck));
        }
        let old_size = u64::try_from(self.package.tables.summary.total_header_size).unwrap_or(0);
        layout.total_header_size =
            Some(if old_size >= front { old_size } else { first_staying.unwrap_or(front) });
        Ok(layout)
    }
}

impl Package {
    fn in_place(&self) -> FileLayout {
        FileLayout {
            places: self.claims().places.clone(),
            length: self.source.len() as u64,
            ..FileLayout::empty(LayoutKind::InPlace)
        }
    }

    fn refused(&self, stuck: &[usize]) -> crate::Error {
        let objects = stuck.iter().map(|&row| self.exports().path(row)).collect();
        let reason = "objects would move whose bodies seem to hold file positions; \
                      move them only if you know that they do not";
        Error::positions_at_risk(reason, objects)
    }
}

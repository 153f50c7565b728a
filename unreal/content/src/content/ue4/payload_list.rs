//! The payloads of an object, all of them replaced together where the old ones stood: in its body, behind the bodies, or in
//! files beside the package.

use std::ops::Range;

use super::texture_replace::{COMPRESSED, DUPLICATE};
use crate::archive::Span;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{PayloadPlace, payload_place};
use crate::object::ue4::bulk::BulkData;
use crate::package::CompanionKind;
use crate::primitive::LongPosition;
use crate::table::DataResource;

/// The payloads that an object has.
pub(super) struct PayloadList<'a> {
    old: Vec<(&'a BulkData, PayloadPlace)>,
}

/// Where a payload stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PayloadHome {
    Body,
    /// Behind the bodies of the package.
    Behind,
    File(CompanionKind),
}

fn home(place: PayloadPlace) -> PayloadHome {
    match place {
        PayloadPlace::Body => PayloadHome::Body,
        PayloadPlace::Package { .. } => PayloadHome::Behind,
        PayloadPlace::Companion { kind, .. } => PayloadHome::File(kind),
    }
}

impl<'a> PayloadList<'a> {
    /// # Errors
    /// `Unsupported` for payloads that are compressed, stand twice or are mapped into memory.
    pub fn of(edit: &Edit, all: impl Iterator<Item = &'a BulkData>) -> Result<Self> {
        let mut list = Self { old: Vec::new() };
        for bulk in all {
            if bulk.flags & (COMPRESSED | DUPLICATE) != 0 {
                return Err(Error::unsupported(
                    "its bulk data is compressed or stands twice, which is not made here",
                ));
            }
            let place = payload_place(edit, bulk)?;
            if let PayloadPlace::Companion { kind: kind @ CompanionKind::MappedBulk, .. } = place {
                // Whoever maps it into memory counts on where it stands.
                let file = kind.extension();
                return Err(Error::unsupported(format!(
                    "parts of it stand in .{file}, which is not made here"
                )));
            }
            list.old.push((bulk, place));
        }
        Ok(list)
    }

    /// Puts other payloads in their place, each stored like one of them.
    ///
    /// # Errors
    /// `Invalid` where their file or their resource is not here.
    pub fn replace(
        self,
        edit: &mut Edit,
        row: usize,
        new: Vec<(Vec<u8>, &BulkData)>,
    ) -> Result<Vec<BulkData>> {
        let mut files: Vec<(PayloadHome, Vec<u8>)> = Vec::new();
        for (_, place) in &self.old {
            let home = home(*place);
            if files.iter().any(|(known, _)| *known == home) {
                continue;
            }
            files.push((
                home,
                match home {
                    PayloadHome::File(kind) => self.others_in(edit, row, kind)?,
                    PayloadHome::Body | PayloadHome::Behind => Vec::new(),
                },
            ));
        }
        let behind = self.first_behind(edit)?;
        let (mut made, mut rows) = (Vec::with_capacity(new.len()), Vec::new());
        for (at, (bytes, like)) in new.into_iter().enumerate() {
            let count = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            let mut bulk = BulkData {
                element_count: count,
                size_on_disk: count,
                payload: Span::default(),
                ..like.clone()
            };
            let known = self.old.iter().find(|(bulk, _)| std::ptr::eq(*bulk, like));
            let known = known.map_or(PayloadHome::Body, |(_, place)| home(*place));
            let file = files.iter_mut().find(|(home, _)| *home == known);
            let start = match (known, file) {
                (PayloadHome::Body, _) | (_, None) => {
                    bulk.payload = Span::owned(bytes);
                    0
                }
                (home, Some((_, file))) => {
                    let before = if home == PayloadHome::Behind { behind } else { 0 };
                    let start =
                        i64::try_from(file.len()).unwrap_or(i64::MAX).saturating_add(before);
                    bulk.offset = LongPosition::Stale(start);
                    file.extend_from_slice(&bytes);
                    start
                }
            };
            if let Some(resource) = like.resource {
                let known = known_resource(edit, resource)?;
                // What saving finds out by itself stays what the row says that is taken over: the inverse of an edit then
                // leaves nothing of it.
                let own = self.old.get(at).and_then(|(bulk, _)| bulk.resource);
                let own = own.map(|own| known_resource(edit, own)).transpose()?;
                rows.push(DataResource {
                    serial_offset: match own {
                        Some(own) if bulk.is_inline() => own.serial_offset,
                        _ => start,
                    },
                    serial_size: count,
                    raw_size: count,
                    ..known
                });
            }
            made.push(bulk);
        }
        for (home, bytes) in files {
            match home {
                PayloadHome::Body => {}
                PayloadHome::Behind => self.replace_behind(edit, &bytes)?,
                PayloadHome::File(kind) => edit.set_companion(kind, bytes)?,
            }
        }
        if !rows.is_empty() {
            let old: Vec<i32> = self.old.iter().filter_map(|(bulk, _)| bulk.resource).collect();
            let rows = edit.set_data_resources(row, &old, rows)?;
            for (bulk, row) in made.iter_mut().zip(rows) {
                bulk.resource = Some(row);
            }
        }
        Ok(made)
    }

    /// What stays in a file beside the package: nothing, where all of it is of these payloads; else all, since something else
    /// stands in it, or may.
    fn others_in(&self, edit: &Edit, row: usize, kind: CompanionKind) -> Result<Vec<u8>> {
        let known = edit.companions().iter().find(|file| file.kind == kind);
        let known = known.ok_or_else(|| {
            Error::invalid(format!("its file (.{}) is not here", kind.extension()))
        })?;
        let bytes = known.read()?;
        let users = edit.file_users(kind, 0..u64::MAX);
        let is_ours = users.rows.iter().all(|user| *user == row)
            && users.unknown.iter().all(|user| *user == row);
        let parts = self.old.iter().filter_map(|(_, place)| match place {
            PayloadPlace::Companion { kind: own, start, size } if *own == kind => {
                Some(*start..start.saturating_add(*size))
            }
            _ => None,
        });
        match is_ours && covers(parts.collect(), bytes.len() as u64) {
            true => Ok(Vec::new()),
            false => Ok(bytes.to_vec()),
        }
    }

    /// The payloads behind the bodies, from the first on.
    fn behind(&self) -> Vec<Range<u64>> {
        let mut parts: Vec<_> = self
            .old
            .iter()
            .filter_map(|(_, place)| match place {
                PayloadPlace::Package { start, size } => Some(*start..start.saturating_add(*size)),
                _ => None,
            })
            .collect();
        parts.sort_by_key(|part| (part.start, part.end));
        parts
    }

    /// Where the first of those stands, from where all of them begin.
    fn first_behind(&self, edit: &Edit) -> Result<i64> {
        let all = edit.tables().summary.bulk_data_start_offset;
        let Some(first) = self.behind().first().map(|part| part.start) else {
            return Ok(0);
        };
        let first = i64::try_from(first).ok().and_then(|first| first.checked_sub(all));
        first.ok_or_else(|| Error::invalid("its bulk data has no place behind the bodies"))
    }

    /// Puts other bytes where the first payload behind the bodies stands, and takes the others away.
    fn replace_behind(&self, edit: &mut Edit, bytes: &[u8]) -> Result<()> {
        let parts = self.behind();
        if parts.windows(2).any(|pair| pair[0].end > pair[1].start) {
            return Err(Error::invalid("its payloads lie in one another"));
        }
        // From the last on, so that those before it stay where they are.
        for (at, part) in parts.iter().enumerate().rev() {
            let bytes = if at == 0 { bytes } else { &[] };
            edit.replace_bulk_data(part.start, part.end.saturating_sub(part.start), bytes)?;
        }
        Ok(())
    }
}

/// Whether these parts are the whole file, each byte in one of them.
fn covers(mut parts: Vec<Range<u64>>, length: u64) -> bool {
    parts.sort_by_key(|part| (part.start, part.end));
    let end = parts.iter().try_fold(0, |end, part| (part.start == end).then_some(part.end));
    end == Some(length)
}

fn known_resource(edit: &Edit, row: i32) -> Result<DataResource> {
    let table = edit.tables().further.data_resources.as_ref();
    let known = table.zip(usize::try_from(row).ok()).and_then(|(table, row)| table.rows.get(row));
    known.copied().ok_or_else(|| Error::invalid("the bulk data has no resource"))
}

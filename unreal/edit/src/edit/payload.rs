//! Payloads behind the bodies that become longer or shorter: what stands behind them moves, and every object that refers
//! to it follows.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::Edit;
use crate::archive::{
    Archive, Archived, CompactIndex, Context, Direction, Kind, Patch, Reference, Span, Window,
    visit_only,
};
use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::inspect::{PayloadPlace, payload_place};
use crate::object::Body;
use crate::object::ue4::bulk::{self, BulkDataRange, BulkDataVisit};
use crate::package::{CompanionKind, Decoded};
use crate::table::TrailerEntry;
use crate::version::{UnrealVersions, Versions};

/// How the trailer reaches a payload that it holds itself.
const LOCAL: u8 = 0;

/// Shows bulk data to the visit in its context.
struct BulkDataArchive {
    versions: Versions,
    context: Arc<Context>,
}

impl Archive for BulkDataArchive {
    visit_only!();

    fn serialize_bytes(&mut self, _: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn serialize_span(&mut self, _: &mut Span, _: u64, _: Kind) -> Result<()> {
        Ok(())
    }

    fn reference(&mut self, _: Reference<'_>) -> Result<()> {
        Ok(())
    }
}

/// Shows the bulk data of a body to a visit: its places behind the bodies, then its payloads in the trailer.
fn visit(
    body: &mut Body,
    versions: &Versions,
    visit: BulkDataVisit,
) -> (Vec<BulkDataRange>, Vec<[u8; 20]>) {
    let (versions, context) = (versions.of_bodies(), Arc::new(Context::default().with(visit)));
    let mut archive = BulkDataArchive { versions, context: context.clone() };
    // Visiting never fails: it neither reads nor writes.
    let _ = body.serialize(&mut archive as &mut dyn Archive);
    let met = context.get::<BulkDataVisit>();
    met.map(|visit| (visit.take_places(), visit.take_trailer())).unwrap_or_default()
}

/// Objects that have payloads in a part of a file beside the package.
#[derive(Debug, Default)]
pub struct FileUsers {
    /// Those that have.
    pub rows: BTreeSet<usize>,
    /// Those that are not decoded whole, and may.
    pub unknown: BTreeSet<usize>,
}

/// The bulk data of an object.
enum ObjectPayloads<'a> {
    /// Its places behind the bodies, its payloads in the trailer.
    Typed(Vec<BulkDataRange>, Vec<[u8; 20]>),
    /// Bytes that may refer to some.
    Opaque(&'a [u8]),
}

impl Edit {
    /// Shows the bulk data of every object.
    fn each_payload(&self, mut each: impl FnMut(usize, ObjectPayloads<'_>)) {
        let versions = self.versions().clone();
        self.each_undecoded(|row, fresh| {
            let known = fresh.as_deref().or_else(|| self.bodies().decoded.get(&row));
            match known.filter(|decoded| decoded.is_complete()) {
                Some(Decoded { body, .. }) => {
                    let (places, trailer) =
                        visit(&mut body.clone(), &versions, BulkDataVisit::default());
                    each(row, ObjectPayloads::Typed(places, trailer));
                }
                None => {
                    let span = self.body_span(row);
                    let bytes = span.bytes(self.source()).unwrap_or_default();
                    each(row, ObjectPayloads::Opaque(bytes));
                }
            }
        });
    }

    /// The objects that have payloads in these bytes of a file beside the package.
    pub fn file_users(&self, kind: CompanionKind, part: Range<u64>) -> FileUsers {
        let versions = self.versions().clone();
        let mut users = FileUsers::default();
        self.each_undecoded(|row, fresh| {
            let known = fresh.as_deref().or_else(|| self.bodies().decoded.get(&row));
            let Some(decoded) = known.filter(|decoded| decoded.is_complete()) else {
                users.unknown.insert(row);
                return;
            };
            let context = Arc::new(Context::default().with(BulkDataVisit::default()));
            let mut archive =
                BulkDataArchive { versions: versions.of_bodies(), context: context.clone() };
            // Visiting never fails: it neither reads nor writes.
            let _ = decoded.body.clone().serialize(&mut archive as &mut dyn Archive);
            let met = context.get::<BulkDataVisit>().map(BulkDataVisit::take_files);
            let is_there =
                met.unwrap_or_default().iter().any(|bulk| match payload_place(self, bulk) {
                    Ok(PayloadPlace::Companion { kind: own, start, size }) => {
                        own == kind && start < part.end && start.saturating_add(size) > part.start
                    }
                    _ => false,
                });
            if is_there {
                users.rows.insert(row);
            }
        });
        users
    }

    /// Gives a payload behind the bodies other bytes, of any number: `start` and `size` are those of its stored bytes,
    /// from the start of the package. What stands behind it moves, and the objects that refer there follow; what says
    /// how long the payload itself is, the caller changes.
    ///
    /// # Errors
    /// `BadOffset` for bytes that are no bulk data; `Invalid` for a payload of no bytes; `Refused` with the objects that
    /// have the same payload, or that are not decoded whole and may refer to it or to what stands behind it;
    /// `Unsupported` where the table of data resources says where payloads behind the bodies stand.
    pub fn replace_bulk_data(&mut self, start: u64, size: u64, bytes: &[u8]) -> Result<()> {
        if size == 0 {
            // Another one may begin at the same place: which of them grows would be a guess.
            return Err(Error::invalid("a payload of no bytes"));
        }
        let first = u64::try_from(self.tables().summary.bulk_data_start_offset).unwrap_or(0);
        let mut all = self.tables().further.bulk_data.bytes(self.source())?.to_vec();
        let place = start.checked_sub(first).and_then(|at| usize::try_from(at).ok());
        let range =
            place.and_then(|from| Some(from..from.checked_add(usize::try_from(size).ok()?)?));
        let range = range.filter(|range| range.end <= all.len()).ok_or_else(|| {
            let offset = i64::try_from(start).unwrap_or(i64::MAX);
            ErrorKind::BadOffset { offset, length: first.saturating_add(all.len() as u64) }
        })?;
        let number = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        let (from, end) = (number(range.start), number(range.end));
        let by = number(bytes.len()).saturating_sub(end - from);
        let behind = self.users_behind(from, end, by != 0)?;
        all.splice(range, bytes.iter().copied());
        self.transact(|edit| {
            edit.further_mut().bulk_data = Span::owned(all);
            let versions = edit.versions().clone();
            for row in behind {
                edit.change_body(row, |body| {
                    visit(body, &versions, BulkDataVisit::moving(end, by));
                    Ok(())
                })?;
            }
            Ok(())
        })
    }

    /// The objects that refer to something behind a payload, which are to follow it; only one may refer to the payload.
    fn users_behind(&self, from: i64, end: i64, moves: bool) -> Result<BTreeSet<usize>> {
        let resources = self.tables().further.data_resources.iter().flat_map(|table| &table.rows);
        if resources.into_iter().any(|row| bulk::is_behind_bodies(row.legacy_bulk_data_flags)) {
            let reason = "the table of data resources refers to payloads behind the bodies";
            return Err(Error::unsupported(reason));
        }
        let scan = self.bulk_scan();
        let (mut owners, mut behind, mut hidden) = (Vec::new(), BTreeSet::new(), Vec::new());
        self.each_payload(|row, payloads| match payloads {
            ObjectPayloads::Typed(places, _) => {
                for BulkDataRange { start, size } in places {
                    let stop =
                        size.map_or(start.saturating_add(1), |size| start.saturating_add(size));
                    if start < end && stop > from {
                        owners.push(row);
                    }
                    if start >= end && moves {
                        behind.insert(row);
                    }
                }
            }
            ObjectPayloads::Opaque(bytes) => {
                let from = u64::try_from(from).unwrap_or(0);
                if scan.as_ref().is_some_and(|scan| scan.shows_payloads_behind(bytes, from)) {
                    hidden.push(row);
                }
            }
        });
        let paths =
            |rows: Vec<usize>| rows.into_iter().map(|row| self.exports().path(row)).collect();
        if !hidden.is_empty() {
            let reason =
                "bytes that are not decoded may refer to the payload, or to what stands behind it";
            return Err(Error::refused(reason, paths(hidden)));
        }
        match owners.len() {
            0 | 1 => Ok(behind),
            _ => Err(Error::refused("they have one payload", paths(owners))),
        }
    }

    /// Gives a payload in the package's trailer another content: `stored` is how it is stored, `identifier` and
    /// `raw_size` are those of the content. Where something else has the old payload as well, that stays beside it.
    ///
    /// # Errors
    /// `Invalid` where the trailer does not hold the old payload itself; `BadOffset` where it is not in the trailer's
    /// bytes.
    pub fn replace_trailer_payload(
        &mut self,
        old: &[u8; 20],
        identifier: [u8; 20],
        raw_size: u64,
        stored: &[u8],
    ) -> Result<()> {
        let mut users = 0_usize;
        self.each_payload(|_, payloads| {
            users += match payloads {
                ObjectPayloads::Typed(_, trailer) => trailer.iter().filter(|id| *id == old).count(),
                ObjectPayloads::Opaque(bytes) => {
                    bytes.windows(old.len()).filter(|id| id == old).count()
                }
            };
        });
        let Some(mut trailer) = self.tables().further.trailer.clone() else {
            return Err(Error::invalid("the package has no trailer"));
        };
        let row = trailer.entries.iter().position(|entry| entry.identifier == *old);
        let local = row.filter(|&row| {
            trailer.entries.get(row).is_some_and(|entry| entry.access_mode == LOCAL)
        });
        let (Some(row), true) = (local, trailer.access_mode == LOCAL) else {
            return Err(Error::invalid("the package's trailer does not have the payload itself"));
        };
        let mut payloads = trailer.payloads.bytes(self.source())?.to_vec();
        let has_new = trailer.entries.iter().any(|entry| entry.identifier == identifier);
        let known = trailer.entries[row];
        let length = stored.len() as u64;
        let made = TrailerEntry { identifier, raw_size, compressed_size: length, ..known };
        // Payloads may have bytes in common.
        let end = |entry: &TrailerEntry| {
            entry.offset_in_file.saturating_add_unsigned(entry.compressed_size)
        };
        let is_shared = trailer.entries.iter().enumerate().any(|(other, entry)| {
            other != row
                && entry.access_mode == LOCAL
                && entry.offset_in_file < end(&known)
                && end(entry) > known.offset_in_file
        });
        if users <= 1 && !is_shared {
            let from = usize::try_from(known.offset_in_file).ok();
            let size = usize::try_from(known.compressed_size).ok();
            let range = from.zip(size).and_then(|(from, size)| Some(from..from.checked_add(size)?));
            let range = range.filter(|range| range.end <= payloads.len()).ok_or_else(|| {
                let length = payloads.len() as u64;
                ErrorKind::BadOffset { offset: known.offset_in_file, length }
            })?;
            let stored = if has_new { &[] } else { stored };
            let by = stored.len() as i64 - range.len() as i64;
            payloads.splice(range, stored.iter().copied());
            for entry in &mut trailer.entries {
                if entry.access_mode == LOCAL && entry.offset_in_file > known.offset_in_file {
                    entry.offset_in_file += by;
                }
            }
            match has_new {
                true => drop(trailer.entries.remove(row)),
                false => trailer.entries[row] = made,
            }
        } else if !has_new {
            let offset_in_file = i64::try_from(payloads.len()).unwrap_or(i64::MAX);
            payloads.extend_from_slice(stored);
            trailer.entries.push(TrailerEntry { offset_in_file, ..made });
        }
        trailer.payloads = Span::owned(payloads);
        self.further_mut().trailer = Some(trailer);
        Ok(())
    }
}

//! The payloads of an object, all of them replaced together where the old ones stood: in its body or in `.ubulk`.

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
    old: Vec<(&'a BulkData, PayloadHome)>,
    /// Where those outside stand in their file.
    taken: Vec<Range<u64>>,
}

/// Where a payload stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PayloadHome {
    Body,
    File,
}

impl<'a> PayloadList<'a> {
    /// # Errors
    /// `Unsupported` for payloads that stand elsewhere, with this advice, or are compressed.
    pub fn of(edit: &Edit, all: impl Iterator<Item = &'a BulkData>, advice: &str) -> Result<Self> {
        let mut list = Self { old: Vec::new(), taken: Vec::new() };
        for bulk in all {
            if bulk.flags & (COMPRESSED | DUPLICATE) != 0 {
                return Err(Error::unsupported(
                    "its bulk data is compressed or stands twice, which is not made here",
                ));
            }
            let home = match payload_place(edit, bulk)? {
                PayloadPlace::Body => PayloadHome::Body,
                PayloadPlace::Companion { kind: CompanionKind::Bulk, start, size } => {
                    list.taken.push(start..start.saturating_add(size));
                    PayloadHome::File
                }
                PayloadPlace::Companion { kind, .. } => {
                    let file = kind.extension();
                    return Err(Error::unsupported(format!(
                        "parts of it stand in .{file}, which is not made here{advice}"
                    )));
                }
                PayloadPlace::Package { .. } => {
                    return Err(Error::unsupported(format!(
                        "parts of it stand behind the bodies of the package, which is not made here{advice}"
                    )));
                }
            };
            list.old.push((bulk, home));
        }
        Ok(list)
    }

    /// Where each of them stands.
    pub fn homes(&self) -> impl Iterator<Item = PayloadHome> {
        self.old.iter().map(|(_, home)| *home)
    }

    /// The first one that stands there.
    pub fn first(&self, home: PayloadHome) -> Option<&'a BulkData> {
        self.old.iter().find(|(_, own)| *own == home).map(|(bulk, _)| *bulk)
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
        let has_file = self.first(PayloadHome::File).is_some();
        let mut file = Vec::new();
        if has_file {
            let bulk = |it: &&crate::package::Companion| it.kind == CompanionKind::Bulk;
            let known = edit.companions().iter().find(bulk);
            let known = known.ok_or_else(|| Error::invalid("its file (.ubulk) is not here"))?;
            let bytes = known.read()?;
            // What else stands in the file, or may be used by another object, stays where it is.
            let users = edit.file_users(CompanionKind::Bulk, 0..u64::MAX);
            let is_ours = users.rows.iter().all(|user| *user == row)
                && users.unknown.iter().all(|user| *user == row);
            if !is_ours || !covers(self.taken, bytes.len() as u64) {
                file = bytes.to_vec();
            }
        }
        let (mut made, mut rows) = (Vec::with_capacity(new.len()), Vec::new());
        for (bytes, like) in new {
            let count = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            let mut bulk = BulkData {
                element_count: count,
                size_on_disk: count,
                payload: Span::default(),
                ..like.clone()
            };
            let mut start = 0;
            if bulk.is_inline() {
                bulk.payload = Span::owned(bytes);
            } else {
                start = i64::try_from(file.len()).unwrap_or(i64::MAX);
                bulk.offset = LongPosition::Stale(start);
                file.extend_from_slice(&bytes);
            }
            if let Some(resource) = like.resource {
                let known = known_resource(edit, resource)?;
                rows.push(DataResource {
                    serial_offset: start,
                    serial_size: count,
                    raw_size: count,
                    ..known
                });
            }
            made.push(bulk);
        }
        if has_file {
            edit.set_companion(CompanionKind::Bulk, file)?;
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

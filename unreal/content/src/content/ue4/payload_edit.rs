//! Bulk data with another content, of any length, where it stands.

use crate::archive::{Archived, Loader, Span};
use crate::compression::{CompressedBuffer, WideFraming};
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::{PayloadPlace, payload_place};
use crate::object::ue4::bulk::{BulkData, EditorBulkData};

/// Flags of bulk data (spec: ue4-5/03 §17).
const ZLIB: u32 = 0x2;
const OTHER_METHODS: u32 = 0x10;
/// There is a second copy of the payload.
const DUPLICATE: u32 = 0x4000;

/// Flags of what only the editor needs.
const ELSEWHERE: u32 = 0x1 | 0x2;
const LEGACY_FILE: u32 = 0x4;
/// The identifier is no hash of the payload.
const LEGACY_KEY: u32 = 0x20;
const IN_TRAILER: u32 = 0x200;

/// Bytes of a hash that name a payload.
const IDENTIFIER: usize = 20;

/// The name of a payload of the editor: the first bytes of its BLAKE3 (spec: ue4-5/03 §18).
pub(super) fn identifier(content: &[u8]) -> [u8; IDENTIFIER] {
    let hash = blake3::hash(content);
    hash.as_bytes().first_chunk().copied().unwrap_or_default()
}

/// Payloads with another content.
pub(super) trait PayloadEdits {
    /// Gives bulk data another content where it stands, stored as it is; the bulk data as it is then.
    ///
    /// # Errors
    /// `Unsupported` for bulk data that is not made here: compressed by another method than zlib, in two files, before
    /// other data in a file beside the package; as [`Edit::replace_bulk_data`].
    fn set_payload(&mut self, bulk: &BulkData, content: Vec<u8>) -> Result<BulkData>;

    /// The same for what only the editor needs; new payloads are stored uncompressed.
    ///
    /// # Errors
    /// `Unsupported` for payloads in other files; as [`Edit::replace_trailer_payload`].
    fn set_editor_payload(
        &mut self,
        bulk: &EditorBulkData,
        content: &[u8],
    ) -> Result<EditorBulkData>;
}

impl PayloadEdits for Edit {
    fn set_payload(&mut self, bulk: &BulkData, content: Vec<u8>) -> Result<BulkData> {
        if bulk.flags & OTHER_METHODS != 0 {
            return Err(Error::unsupported("its bulk data is compressed with LZO"));
        }
        if bulk.flags & DUPLICATE != 0 {
            return Err(Error::unsupported("its bulk data stands in two files"));
        }
        let place = payload_place(self, bulk)?;
        let length = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let stored = match bulk.flags & ZLIB {
            0 => content,
            _ => {
                let old = match place {
                    PayloadPlace::Body => bulk.payload.bytes(self.source())?,
                    PayloadPlace::Package { start, size } => self.bulk_data_at(start, size)?,
                    PayloadPlace::Companion { .. } => &[],
                };
                let mut form = WideFraming::default();
                if !old.is_empty() {
                    form.serialize(&mut Loader::new(old, Default::default()))?;
                }
                form.compress_like(&content)?
            }
        };
        let size = i64::try_from(stored.len()).unwrap_or(i64::MAX);
        let mut made = BulkData { element_count: length, size_on_disk: size, ..bulk.clone() };
        match place {
            PayloadPlace::Body => made.payload = Span::owned(stored),
            PayloadPlace::Package { start, size } => {
                self.replace_bulk_data(start, size, &stored)?
            }
            PayloadPlace::Companion { kind, start, size } => {
                let file = self.companions().iter().find(|companion| companion.kind == kind);
                let file = file.ok_or_else(|| Error::invalid("its file is not here"))?;
                let mut all = file.read()?.to_vec();
                let from = usize::try_from(start).ok().zip(usize::try_from(size).ok());
                let range = from.and_then(|(from, size)| Some(from..from.checked_add(size)?));
                let range = range.filter(|range| range.end <= all.len());
                let range = range.ok_or_else(|| Error::invalid("its file is too short"))?;
                if self.file_users(kind, start..start.saturating_add(size)).rows.len() > 1 {
                    let file = kind.extension();
                    return Err(Error::unsupported(format!(
                        "several objects have its payload in .{file}"
                    )));
                }
                if range.len() != stored.len() && range.end != all.len() {
                    let file = kind.extension();
                    return Err(Error::unsupported(format!(
                        "other data stands behind it in .{file}, and would have to move"
                    )));
                }
                all.splice(range, stored);
                self.set_companion(kind, all)?;
            }
        }
        if let Some(row) = bulk.resource {
            self.change_data_resource(row, |row| {
                (row.serial_size, row.raw_size) = (size, length);
            })?;
        }
        Ok(made)
    }

    fn set_editor_payload(
        &mut self,
        bulk: &EditorBulkData,
        content: &[u8],
    ) -> Result<EditorBulkData> {
        if bulk.flags & ELSEWHERE != 0 {
            return Err(Error::unsupported("the payload stands in another file than the package"));
        }
        if bulk.flags & LEGACY_FILE != 0 {
            return Err(Error::unsupported("the payload is stored as UE4 has it"));
        }
        let content_id = identifier(content);
        let payload_size = i64::try_from(content.len()).unwrap_or(i64::MAX);
        let buffer = CompressedBuffer::store(content)?;
        if bulk.flags & IN_TRAILER != 0 {
            let size = content.len() as u64;
            self.replace_trailer_payload(&bulk.content_id, content_id, size, &buffer)?;
        } else {
            let start = self.tables().summary.bulk_data_start_offset.saturating_add(bulk.offset);
            let start = u64::try_from(start).unwrap_or(u64::MAX);
            let rest = self.bulk_data_from(start)?;
            let mut old = CompressedBuffer::default();
            old.serialize(&mut Loader::new(rest, Default::default()))?;
            self.replace_bulk_data(start, old.total_size, &buffer)?;
        }
        let flags = bulk.flags & !LEGACY_KEY;
        Ok(EditorBulkData { flags, content_id, payload_size, ..bulk.clone() })
    }
}

/// Bytes behind the bodies, as they are now.
trait BulkDataBytes {
    fn bulk_data_from(&self, start: u64) -> Result<&[u8]>;

    fn bulk_data_at(&self, start: u64, size: u64) -> Result<&[u8]>;
}

impl BulkDataBytes for Edit {
    fn bulk_data_from(&self, start: u64) -> Result<&[u8]> {
        let first = u64::try_from(self.tables().summary.bulk_data_start_offset).unwrap_or(0);
        let all = self.tables().further.bulk_data.bytes(self.source())?;
        let at = start.checked_sub(first).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| all.get(at..))
            .ok_or_else(|| Error::invalid("the payload does not stand behind the bodies"))
    }

    fn bulk_data_at(&self, start: u64, size: u64) -> Result<&[u8]> {
        let rest = self.bulk_data_from(start)?;
        let size = usize::try_from(size).ok();
        size.and_then(|size| rest.get(..size))
            .ok_or_else(|| Error::invalid("the payload does not stand behind the bodies"))
    }
}

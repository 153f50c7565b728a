//! Bulk data of UE4 and UE5 wherever it lies: in the body, behind the bodies, in the trailer, in a
//! companion file.

use std::borrow::Cow;

use super::texels::BulkPlace;
use crate::archive::{Archived, Loader};
use crate::compression::{CompressedBuffer, WideFraming, decompress};
use crate::error::{Error, ErrorKind, Result, UnrealError, noun};
use crate::object::ue4::bulk::{BulkData, EditorBulkData};
use crate::package::{Companion, CompanionKind, Package};
use crate::primitive::LongPosition;

// Flags of bulk data (spec: ue4-5/03 §17).
const COMPRESSED_ZLIB: u32 = 0x2;
const UNUSED: u32 = 0x20;
const IN_SEPARATE_FILE: u32 = 0x100;
const OPTIONAL: u32 = 0x800;
const MEMORY_MAPPED: u32 = 0x1000;
const OTHER_METHODS: u32 = 0x10;

// Flags of editor bulk data.
const VIRTUALIZED: u32 = 0x1;
const HAS_SIDECAR: u32 = 0x2;
const REFERENCES_LEGACY_FILE: u32 = 0x4;
const LEGACY_FILE_IS_COMPRESSED: u32 = 0x8;
const STORED_IN_TRAILER: u32 = 0x200;

/// How the trailer reaches a payload that it holds itself.
const LOCAL: u8 = 0;

/// The content of bulk data of UE4 or UE5, decompressed, and where it was found. Companion files are
/// those beside the package, which must have been opened by its path.
///
/// # Errors
/// `Invalid` when there is none; `NotFound` when its file is not there; `BadOffset`, `Io`;
/// `Compression` when it can't be decompressed.
pub fn payload(package: &Package, bulk: &BulkData) -> Result<(Vec<u8>, BulkPlace)> {
    let stored = match payload_place(package, bulk)? {
        PayloadPlace::Body => bulk.payload.bytes(package.source())?,
        PayloadPlace::Package { start, size } => {
            let stored = source_range(package, start, size)?;
            return Ok((unpack(bulk.flags, stored)?.into_owned(), BulkPlace::Package));
        }
        PayloadPlace::Companion { kind, start, size } => {
            let size = usize::try_from(size)
                .map_err(|_| Error::invalid("the bulk data is larger than memory"))?;
            let file = companion(package, kind)?;
            let stored = file.read_range(start, size)?;
            let place = BulkPlace::Companion(file.path.clone());
            return Ok((unpack(bulk.flags, &stored)?.into_owned(), place));
        }
    };
    Ok((unpack(bulk.flags, stored)?.into_owned(), BulkPlace::Body))
}

/// Where the stored bytes of bulk data stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayloadPlace {
    /// In the object's body, behind the header of the bulk data.
    Body,
    /// Behind the bodies: bytes from the start of the package.
    Package {
        /// From the start of the package.
        start: u64,
        /// As stored.
        size: u64,
    },
    /// In a file beside the package: bytes from its start.
    Companion {
        /// Which file.
        kind: CompanionKind,
        /// From the start of that file.
        start: u64,
        /// As stored.
        size: u64,
    },
}

/// Where the stored bytes of bulk data stand; whether a file beside the package is there is not looked at.
///
/// # Errors
/// `Invalid` when there are none; `BadOffset` for a place that can't be.
pub fn payload_place(package: &Package, bulk: &BulkData) -> Result<PayloadPlace> {
    if bulk.flags & UNUSED != 0 {
        return Err(Error::invalid("the bulk data is unused: the cooker has left it out"));
    }
    if bulk.is_inline() {
        return Ok(PayloadPlace::Body);
    }
    let size = u64::try_from(bulk.size_on_disk)
        .map_err(|_| Error::invalid("the bulk data has no size"))?;
    let start = offset_of(package, bulk)?;
    if bulk.flags & IN_SEPARATE_FILE == 0 {
        return Ok(PayloadPlace::Package { start, size });
    }
    let kind = match () {
        () if bulk.flags & OPTIONAL != 0 => CompanionKind::OptionalBulk,
        () if bulk.flags & MEMORY_MAPPED != 0 => CompanionKind::MappedBulk,
        () => CompanionKind::Bulk,
    };
    Ok(PayloadPlace::Companion { kind, start, size })
}

/// The content of what only the editor needs, decompressed.
///
/// # Errors
/// As [`payload`](crate::inspect::payload); `Invalid` when it is kept outside the project's files.
pub fn editor_payload(package: &Package, bulk: &EditorBulkData) -> Result<(Vec<u8>, BulkPlace)> {
    if bulk.payload_size == 0 {
        return Ok((Vec::new(), BulkPlace::Body));
    }
    if bulk.flags & VIRTUALIZED != 0 {
        return Err(Error::invalid("the payload is virtualized: it is on a server of the project"));
    }
    if bulk.flags & STORED_IN_TRAILER != 0 {
        return Ok((trailer_payload(package, bulk)?, BulkPlace::Package));
    }
    let start = match bulk.flags & HAS_SIDECAR {
        0 => bulk.offset.saturating_add(package.tables().summary.bulk_data_start_offset),
        _ => bulk.offset,
    };
    let start = u64::try_from(start).map_err(|_| ErrorKind::NegativeCount { count: start })?;
    if bulk.flags & HAS_SIDECAR != 0 {
        let file = companion(package, CompanionKind::Payload)?;
        let bytes = file.read()?;
        let length = bytes.len() as u64;
        let from = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
        let from = from.ok_or(ErrorKind::BadOffset { offset: bulk.offset, length })?;
        let content = buffer_content(from, bulk.payload_size)?;
        return Ok((content, BulkPlace::Companion(file.path.clone())));
    }
    if bulk.flags & REFERENCES_LEGACY_FILE != 0 {
        let size = u64::try_from(bulk.payload_size).unwrap_or(0);
        let packed = bulk.flags & LEGACY_FILE_IS_COMPRESSED != 0;
        let stored = match packed {
            true => source_rest(package, start)?,
            false => source_range(package, start, size)?,
        };
        let flags = if packed { COMPRESSED_ZLIB } else { 0 };
        return Ok((unpack(flags, stored)?.into_owned(), BulkPlace::Package));
    }
    let stored = source_rest(package, start)?;
    Ok((buffer_content(stored, bulk.payload_size)?, BulkPlace::Package))
}

fn trailer_payload(package: &Package, bulk: &EditorBulkData) -> Result<Vec<u8>> {
    let trailer = package.tables().further.trailer.as_ref();
    let entry = trailer
        .and_then(|trailer| trailer.entries.iter().find(|e| e.identifier == bulk.content_id));
    let (Some(trailer), Some(entry)) = (trailer, entry) else {
        return Err(Error::invalid("the package's trailer does not have the payload"));
    };
    if entry.access_mode != LOCAL {
        return Err(Error::invalid("the payload is in another place than this package"));
    }
    let bytes = trailer.payloads.bytes(package.source())?;
    let range = usize::try_from(entry.offset_in_file).ok().and_then(|start| {
        let end = start.checked_add(usize::try_from(entry.compressed_size).ok()?)?;
        bytes.get(start..end)
    });
    let length = bytes.len() as u64;
    let range = range.ok_or(ErrorKind::BadOffset { offset: entry.offset_in_file, length })?;
    buffer_content(range, bulk.payload_size)
}

/// Where bulk data stands in its file.
fn offset_of(package: &Package, bulk: &BulkData) -> Result<u64> {
    let start = package.tables().summary.bulk_data_start_offset;
    let offset = match (bulk.resource, bulk.offset) {
        (Some(row), _) => {
            let table = package.tables().further.data_resources.as_ref();
            let row = usize::try_from(row).ok();
            let known = table.zip(row).and_then(|(table, row)| table.rows.get(row));
            let known = known.ok_or_else(|| Error::invalid("the bulk data has no resource"))?;
            Some(known.serial_offset)
        }
        (None, LongPosition::Stale(place)) if bulk.flags & IN_SEPARATE_FILE != 0 => Some(place),
        (None, LongPosition::Stale(place)) => place.checked_add(start),
        (None, _) => None,
    };
    let length = package.source().len() as u64;
    let offset = offset.ok_or(ErrorKind::BadOffset { offset: i64::MAX, length })?;
    u64::try_from(offset).map_err(|_| ErrorKind::BadOffset { offset, length }.into())
}

/// The bulk data behind the bodies from `start` on, as it is now: an edit may have changed it.
fn bulk_data_from(package: &Package, start: u64) -> Option<&[u8]> {
    let first = u64::try_from(package.tables().summary.bulk_data_start_offset).ok()?;
    let bytes = package.tables().further.bulk_data.bytes(package.source()).ok()?;
    bytes.get(usize::try_from(start.checked_sub(first)?).ok()?..)
}

fn source_rest(package: &Package, start: u64) -> Result<&[u8]> {
    match bulk_data_from(package, start) {
        Some(rest) => Ok(rest),
        None => {
            let end = package.source().len() as u64;
            source_range(package, start, end.saturating_sub(start))
        }
    }
}

fn source_range(package: &Package, start: u64, size: u64) -> Result<&[u8]> {
    let bulk_data = bulk_data_from(package, start);
    if let Some(stored) = bulk_data.and_then(|rest| rest.get(..usize::try_from(size).ok()?)) {
        return Ok(stored);
    }
    let range = usize::try_from(start).ok().zip(usize::try_from(size).ok());
    let range =
        range.and_then(|(start, size)| package.source().get(start..start.checked_add(size)?));
    let length = package.source().len() as u64;
    let offset = i64::try_from(start).unwrap_or(i64::MAX);
    Ok(range.ok_or(ErrorKind::BadOffset { offset, length })?)
}

fn companion(package: &Package, kind: CompanionKind) -> Result<&Companion> {
    let extension = kind.extension();
    package.companions().iter().find(|companion| companion.kind == kind).ok_or_else(|| {
        let hint = match package.companions().is_empty() {
            true => ": open the package by its path, with its companions beside it",
            false => " beside the package",
        };
        let (what, name) = (noun::COMPANION_FILE, format!(".{extension}"));
        ErrorKind::NotFound { what, name, hint: hint.to_owned() }.into()
    })
}

/// The content of bulk data with these flags.
fn unpack(flags: u32, stored: &[u8]) -> Result<Cow<'_, [u8]>> {
    if flags & OTHER_METHODS != 0 {
        let reason = "bulk data that is compressed with LZO".to_owned();
        return Err(UnrealError::unsupported(reason).into());
    }
    if flags & COMPRESSED_ZLIB == 0 || stored.is_empty() {
        return Ok(Cow::Borrowed(stored));
    }
    let mut wide = WideFraming::default();
    wide.serialize(&mut Loader::new(stored, Default::default()))?;
    decompress(&wide.framing, stored, wide.method()?).map(Cow::Owned)
}

/// The content of a compressed buffer, whose size is known.
fn buffer_content(stored: &[u8], size: i64) -> Result<Vec<u8>> {
    let mut buffer = CompressedBuffer::default();
    buffer.serialize(&mut Loader::new(stored, Default::default()))?;
    if i64::try_from(buffer.raw_size) != Ok(size) {
        let reason = format!("a payload of {} bytes where {size} are expected", buffer.raw_size);
        return Err(UnrealError::Compression { reason }.into());
    }
    buffer.content(stored)
}

//! Bulk data of UE4 and UE5.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::archive::layout::Layout;
use crate::archive::{Kind, Span, in_field, private};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::primitive::{Guid, LongPosition, Map, Name, script_flags};
use crate::property::PackageContext;
use crate::{Archive, ArchiveExt, Archived, Described};

const PAYLOAD_AT_END_OF_FILE: u32 = 0x1;
const UNUSED: u32 = 0x20;
const NO_OFFSET_FIX_UP: u32 = 0x1_0000;
const PAYLOAD_IN_SEPARATE_FILE: u32 = 0x100;
const SIZE_64_BIT: u32 = 0x2000;
const DUPLICATE: u32 = 0x4000;
const BAD_DATA_VERSION: u32 = 0x8000;

/// Where the bulk data of a package starts, for archives of its bytes: stored offsets count from there or from the
/// start of the file, and change with it while the payload stays. Without it offsets are read and written as the
/// model has them, which depends on no header.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct BulkDataStart {
    offset: i64,
    is_used: AtomicBool,
}

impl BulkDataStart {
    pub fn new(offset: i64) -> Self {
        Self { offset, is_used: AtomicBool::new(false) }
    }

    /// Whether an offset was counted from it.
    pub fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    fn used(&self) -> i64 {
        self.is_used.store(true, Ordering::Relaxed);
        self.offset
    }
}

/// A visit of the payloads behind the bodies: collects where they stand, and moves those from some place on. An archive
/// that visits has it in its context; nothing else does.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct BulkDataVisit {
    /// Offsets from here on grow by a number of bytes.
    shift: Option<(i64, i64)>,
    places: Mutex<Vec<BulkDataRange>>,
    trailer: Mutex<Vec<[u8; 20]>>,
    files: Mutex<Vec<BulkData>>,
}

/// Bytes behind the start of the package's bulk data that an object refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[doc(hidden)]
pub struct BulkDataRange {
    /// Bytes from where bulk data starts.
    pub start: i64,
    /// Bytes as stored; `None` where only the payload itself says it.
    pub size: Option<i64>,
}

impl BulkDataVisit {
    /// Offsets from `from` on grow by `by`.
    pub fn moving(from: i64, by: i64) -> Self {
        Self { shift: Some((from, by)), ..Self::default() }
    }

    /// The payloads that were met, as they stood before they were moved.
    pub fn take_places(&self) -> Vec<BulkDataRange> {
        std::mem::take(&mut *self.places.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The payloads in the package's trailer that were met, by their identifiers.
    pub fn take_trailer(&self) -> Vec<[u8; 20]> {
        std::mem::take(&mut *self.trailer.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The bulk data whose payloads stand in files beside the package that were met.
    pub fn take_files(&self) -> Vec<BulkData> {
        std::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn meet(&self, start: &mut i64, size: Option<i64>) {
        let place = BulkDataRange { start: *start, size };
        self.places.lock().unwrap_or_else(PoisonError::into_inner).push(place);
        if let Some((from, by)) = self.shift
            && *start >= from
        {
            *start = start.saturating_add(by);
        }
    }
}

/// Shows a payload behind the bodies to a visit.
fn meet<A: Archive + ?Sized>(start: &mut i64, size: Option<i64>, ar: &A) {
    if let Some(visit) = ar.context().get::<BulkDataVisit>() {
        visit.meet(start, size);
    }
}

/// Whether the payload of bulk data with these flags stands behind the bodies of the package.
#[doc(hidden)]
pub fn is_behind_bodies(flags: u32) -> bool {
    flags & (PAYLOAD_AT_END_OF_FILE | UNUSED | PAYLOAD_IN_SEPARATE_FILE) == PAYLOAD_AT_END_OF_FILE
}

/// How far the offset in the model lies behind the stored one, by the flags of its payload: in another file the
/// place there is meant, in the package the distance from where bulk data starts.
fn distance<A: Archive + ?Sized>(flags: u32, ar: &A) -> i64 {
    let start = || ar.context().get::<BulkDataStart>().map_or(0, BulkDataStart::used);
    match (flags & PAYLOAD_IN_SEPARATE_FILE != 0, flags & NO_OFFSET_FIX_UP != 0) {
        _ if flags & UNUSED != 0 => 0,
        (true, false) => start(),
        (false, true) => start().wrapping_neg(),
        (true, true) | (false, false) => 0,
    }
}

/// Bulk data: where a payload is, and the payload where it stands here.
///
/// Spec: ue4-5/03 §17. C++: `FBulkData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct BulkData {
    /// Row of the table of data resources, where the package has one; the row says the rest.
    pub resource: Option<i32>,
    /// Where and how the payload is stored.
    pub flags: u32,
    /// Number of elements; this and the size have 64 bits with flag 0x2000.
    pub element_count: i64,
    /// Bytes as stored; of a payload that stands here, its length counts.
    pub size_on_disk: i64,
    /// Where the payload stands: here, in the file beside the package, or behind the start of the package's bulk
    /// data. Stored is what the flags say.
    pub offset: LongPosition,
    /// Unused number, with flag 0x8000.
    pub bad_data_version: u16,
    /// Another place of the payload, with flag 0x4000.
    pub duplicate: Duplicate,
    /// The payload, when it stands here: without the flags 1, 0x20, 0x100.
    pub payload: Span,
}

/// A second place of a payload. Spec: ue4-5/03 §17.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Duplicate {
    /// Where and how it is stored.
    pub flags: u32,
    /// Bytes as stored.
    pub size_on_disk: i64,
    /// Where it stands, as the offset of the payload itself.
    pub offset: i64,
}

/// Whether bulk data with these flags is followed by its payload.
#[doc(hidden)]
pub fn is_inline(flags: u32) -> bool {
    flags & (PAYLOAD_AT_END_OF_FILE | UNUSED | PAYLOAD_IN_SEPARATE_FILE) == 0
}

impl BulkData {
    /// Whether the payload stands here.
    pub fn is_inline(&self) -> bool {
        is_inline(self.flags)
    }

    fn number<A: Archive + ?Sized>(&self, value: &mut i64, ar: &mut A) -> Result<()> {
        if self.flags & SIZE_64_BIT != 0 {
            return ar.serialize_i64(value);
        }
        private::narrow(value, ar, A::serialize_i32)
    }

    /// The row of the table of data resources, which says the rest.
    fn listed<A: Archive + ?Sized>(&mut self, mut row: i32, inline: i64, ar: &mut A) -> Result<()> {
        in_field("resource", ar, |ar| ar.serialize_i32(&mut row))?;
        // Archives that visit may give it another row.
        self.resource = Some(row);
        let context = ar.context().clone();
        let known = usize::try_from(row).ok().and_then(|row| context.data_resources().get(row));
        let (flags, size) = match known {
            Some(known) => (known.legacy_bulk_data_flags, known.serial_size),
            // None at all.
            None if row == -1 => (UNUSED, 0),
            None if ar.is_loading() => {
                let reason = format!("data resource {row}, which the table does not have");
                return Err(ar.error(UnrealError::unsupported(reason)));
            }
            None => return Ok(()),
        };
        if ar.is_loading() {
            (self.flags, self.size_on_disk) = (flags, size);
        } else if ar.is_saving() && self.is_inline() && inline != size {
            let reason = "the table of data resources says another size".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        Ok(())
    }

    fn header<A: Archive + ?Sized>(&mut self, inline: i64, ar: &mut A) -> Result<()> {
        in_field("flags", ar, |ar| script_flags::bulk(&mut self.flags, ar))?;
        let mut count = self.element_count;
        in_field("element_count", ar, |ar| self.number(&mut count, ar))?;
        let mut size = match self.is_inline() && !ar.is_loading() {
            true => inline,
            false => self.size_on_disk,
        };
        in_field("size_on_disk", ar, |ar| self.number(&mut size, ar))?;
        if ar.is_loading() {
            (self.element_count, self.size_on_disk) = (count, size);
        }
        let mut offset = self.offset;
        let announced = in_field("offset", ar, |ar| match self.is_inline() {
            true => offset.announce(ar).map(Some),
            false => offset.elsewhere(distance(self.flags, ar), ar).map(|()| None),
        })?;
        if is_behind_bodies(self.flags)
            && let LongPosition::Stale(start) = &mut offset
        {
            meet(start, Some(self.size_on_disk), ar);
        }
        if self.flags & BAD_DATA_VERSION != 0 {
            in_field("bad_data_version", ar, |ar| ar.serialize_u16(&mut self.bad_data_version))?;
        } else {
            private::absent(&mut self.bad_data_version, ar, "bad_data_version")?;
        }
        if self.flags & DUPLICATE != 0 {
            let mut duplicate = self.duplicate;
            in_field("duplicate.flags", ar, |ar| script_flags::bulk(&mut duplicate.flags, ar))?;
            in_field("duplicate.size_on_disk", ar, |ar| {
                self.number(&mut duplicate.size_on_disk, ar)
            })?;
            in_field("duplicate.offset", ar, |ar| {
                let mut offset = LongPosition::Stale(duplicate.offset);
                offset.elsewhere(distance(duplicate.flags, ar), ar)?;
                if let LongPosition::Stale(place) = offset {
                    duplicate.offset = place;
                }
                if is_behind_bodies(duplicate.flags) {
                    meet(&mut duplicate.offset, Some(duplicate.size_on_disk), ar);
                }
                Ok(())
            })?;
            self.duplicate = duplicate;
        } else {
            private::absent(&mut self.duplicate, ar, "duplicate")?;
        }
        if let Some(announced) = announced {
            let here = ar.position();
            offset.settle(announced, here, ar)?;
        }
        self.offset = offset;
        Ok(())
    }
}

impl BulkData {
    /// A payload that stands here has so many bytes.
    pub(super) fn resize(&mut self, bytes: u64) {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        if self.element_count == self.size_on_disk {
            self.element_count = bytes;
        }
        self.size_on_disk = bytes;
    }

    /// Everything before the payload; says how many bytes of it stand here. What is not being loaded has
    /// `inline` bytes.
    pub(super) fn serialize_header<A: Archive + ?Sized>(
        &mut self,
        inline: u64,
        ar: &mut A,
    ) -> Result<u64> {
        let inline = i64::try_from(inline)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: i128::MAX, bits: 63 }))?;
        if ar.is_loading() {
            let listed = !ar.context().data_resources().is_empty();
            *self = Self { resource: listed.then_some(-1), ..Self::default() };
        }
        match self.resource {
            Some(row) => self.listed(row, inline, ar)?,
            None => self.header(inline, ar)?,
        }
        if self.flags & PAYLOAD_IN_SEPARATE_FILE != 0
            && let Some(visit) = ar.context().get::<BulkDataVisit>()
        {
            let met = Self { payload: Span::default(), ..self.clone() };
            visit.files.lock().unwrap_or_else(PoisonError::into_inner).push(met);
        }
        match self.is_inline() {
            true => u64::try_from(self.size_on_disk)
                .map_err(|_| ar.error(ErrorKind::NegativeCount { count: self.size_on_disk })),
            false => Ok(0),
        }
    }
}

impl Archived for BulkData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let size = self.serialize_header(self.payload.len(), ar)?;
        in_field("payload", ar, |ar| ar.serialize_span(&mut self.payload, size, Kind::Payload))
    }
}

/// Payloads by format: cooked sounds.
pub type FormatContainer = Map<Name, BulkData>;

/// Bulk data that only the editor needs, from UE5 on: the payload stands elsewhere.
///
/// Spec: ue4-5/03 §17. C++: `UE::Serialization::FEditorBulkData`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct EditorBulkData {
    /// Where and how the payload is stored.
    pub flags: u32,
    /// Name of the bulk data.
    pub id: Guid,
    /// Hash of the payload: the key of the package trailer.
    pub content_id: [u8; 20],
    /// Bytes of the payload, unpacked.
    pub payload_size: i64,
    /// Where the payload stands, unless the trailer has it: in a file of its own, or behind the start of the
    /// package's bulk data, where what is stored is its position in the file.
    pub offset: i64,
}

const IS_VIRTUALIZED: u32 = 0x1;
const HAS_SIDECAR: u32 = 0x2;
const STORED_IN_TRAILER: u32 = 0x200;

impl Archived for EditorBulkData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
        in_field("id", ar, |ar| self.id.serialize(ar))?;
        in_field("content_id", ar, |ar| self.content_id.serialize(ar))?;
        in_field("payload_size", ar, |ar| ar.serialize_i64(&mut self.payload_size))?;
        if self.flags & STORED_IN_TRAILER != 0 {
            if let Some(visit) = ar.context().get::<BulkDataVisit>() {
                let trailer = visit.trailer.lock();
                trailer.unwrap_or_else(PoisonError::into_inner).push(self.content_id);
            }
            return private::absent(&mut self.offset, ar, "offset");
        }
        in_field("offset", ar, |ar| {
            let is_here = self.flags & (IS_VIRTUALIZED | HAS_SIDECAR) == 0 && self.payload_size > 0;
            let flags = if is_here { NO_OFFSET_FIX_UP } else { UNUSED };
            let mut offset = LongPosition::Stale(self.offset);
            offset.elsewhere(distance(flags, ar), ar)?;
            if let LongPosition::Stale(place) = offset {
                self.offset = place;
            }
            if is_here {
                meet(&mut self.offset, None, ar);
            }
            Ok(())
        })
    }
}

/// A bulk-serialised array of elements that stay as they are.
///
/// Spec: ue4-5/01 §5. C++: `TArray::BulkSerialize`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct BulkArray {
    /// Bytes of an element.
    pub element_size: u32,
    /// Number of elements.
    pub count: u32,
    /// The elements.
    pub data: Span,
}

impl Archived for BulkArray {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("element_size", ar, |ar| ar.serialize_u32(&mut self.element_size))?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut self.count))?;
        let bytes = u64::from(self.element_size) * u64::from(self.count);
        if !ar.is_loading() && self.data.len() != bytes {
            let value = self.data.len().into();
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }));
        }
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, bytes, Kind::Payload))
    }
}

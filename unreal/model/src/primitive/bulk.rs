//! Bulk data and bulk-serialised arrays of UE3.

use super::script_flags;
use super::{Position, array};
use crate::archive::layout::Layout;
use crate::archive::{Keyed, Kind, Role, Span, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Described};

/// The payload is in another file.
const IN_SEPARATE_FILE: u32 = 0x01;
/// There is no payload.
const UNUSED: u32 = 0x20;
/// The payload is elsewhere in the same file.
const ELSEWHERE: u32 = 0x40;
/// First file version whose bulk-serialised arrays store the size of an element.
const ELEMENT_SIZE_ADDED: u32 = 453;

/// Bulk data, from file version 266.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u32 | flags |
/// | 2 | i32 | elements |
/// | 3 | i32 | size, bytes as stored; -1 when unused |
/// | 4 | i32 | start, bytes from the start of the file (or of the companion file); -1 when unused |
/// | 5 | | payload, unless it is elsewhere |
///
/// Spec: ue1-3/01 §1.8. C++: `FUntypedBulkData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct BulkData {
    /// Where and how the payload is stored.
    pub flags: u32,
    /// Number of elements.
    pub element_count: i32,
    /// Bytes as stored.
    pub size_on_disk: i32,
    /// Where the payload stands.
    pub offset: Position,
    /// The payload, when it stands here.
    pub payload: Span,
}

impl BulkData {
    /// Whether there is no payload anywhere.
    #[inline]
    pub fn is_unused(&self) -> bool {
        self.flags & UNUSED != 0
    }

    /// Whether the payload is in a companion file.
    #[inline]
    pub fn is_in_separate_file(&self) -> bool {
        self.flags & IN_SEPARATE_FILE != 0
    }

    /// Whether the payload follows the header.
    #[inline]
    pub fn is_inline(&self) -> bool {
        self.flags & (IN_SEPARATE_FILE | UNUSED | ELSEWHERE) == 0
    }
}

impl Archived for BulkData {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let length = self.payload.len();
        let is_made = !ar.is_loading() && self.is_inline() && length > 0;
        if is_made {
            self.size_on_disk = i32::try_from(length)
                .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 31 }))?;
        }
        in_field("flags", ar, |ar| script_flags::bulk(&mut self.flags, ar))?;
        in_field("element_count", ar, |ar| ar.serialize_i32(&mut self.element_count))?;
        in_field("size_on_disk", ar, |ar| ar.serialize_i32(&mut self.size_on_disk))?;
        if is_made {
            ar.role(Role::Size);
        }
        if self.is_inline() {
            in_field("offset", ar, |ar| self.offset.serialize(ar))?;
        } else {
            // A place in another file, or none.
            let mut raw = match self.offset {
                Position::Here => 0,
                Position::Stale(raw) => raw,
            };
            in_field("offset", ar, |ar| ar.serialize_u32(&mut raw))?;
            if ar.is_loading() {
                self.offset = Position::Stale(raw);
            }
        }
        if self.flags & ELSEWHERE != 0 && self.size_on_disk > 0 {
            // It would have to follow bytes of another body: then this one stays as it is.
            let form = "bulk data elsewhere in the file";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        let size = match self.is_inline() {
            true => u64::try_from(self.size_on_disk).unwrap_or(0),
            false => 0,
        };
        in_field("payload", ar, |ar| ar.serialize_span(&mut self.payload, size, Kind::Payload))
    }
}

/// A bulk-serialised array of elements that stay as they are: vertices, indices, nodes.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | i32 | size of an element, bytes | from 453 |
/// | 2 | i32 | elements | |
/// | 3 | | elements | |
///
/// Spec: ue1-3/01 §1.6, 11 §11.0.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BulkArray<const N: usize> {
    /// Bytes of an element as stored; `N` below version 453.
    pub element_size: i32,
    /// Number of elements.
    pub count: i32,
    /// The elements.
    pub data: Span,
}

impl<const N: usize> Archived for BulkArray<N> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.serialize_as(N as i32, ar)
    }
}

impl<const N: usize> BulkArray<N> {
    /// The same with elements of another size where that is not stored, below version 453.
    ///
    /// # Errors
    /// As [`Archived::serialize`].
    pub fn serialize_as<A: Archive + ?Sized>(&mut self, size: i32, ar: &mut A) -> Result<()> {
        if ar.versions().file() >= ELEMENT_SIZE_ADDED {
            self.stored_size(ar)?;
        } else if ar.is_loading() {
            self.element_size = size;
        }
        // Where the size is not stored, readers go by the class: elements of another size would be read as others.
        let has_size = ar.versions().file() >= ELEMENT_SIZE_ADDED;
        if !has_size && self.count != 0 && self.element_size != size && !ar.is_loading() {
            return Err(ar.error(ErrorKind::NotInVersion));
        }
        in_field("count", ar, |ar| ar.serialize_i32(&mut self.count))?;
        if !has_size || self.element_size == N as i32 {
            array::mark_empty(usize::try_from(self.count).unwrap_or(usize::MAX), ar);
        }
        let size = u64::try_from(self.element_size).ok().zip(u64::try_from(self.count).ok());
        let Some(bytes) = size.and_then(|(size, count)| size.checked_mul(count)) else {
            return Err(ar.error(ErrorKind::NegativeCount { count: self.count.into() }));
        };
        if !ar.is_loading() && self.data.len() != bytes {
            let value = self.data.len().into();
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 31 }));
        }
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, bytes, Kind::Payload))
    }

    /// The size of an element; archives that have keys leave out the usual one of a list without elements, so that
    /// such a list is nothing but that.
    fn stored_size<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let usual = N as i32;
        if let Some(keys) = ar.keys() {
            let is_usual = match ar.is_loading() {
                true => keys.iter().all(|(key, _)| key != "element_size"),
                false => self.count == 0 && self.element_size == usual,
            };
            if is_usual {
                self.element_size = usual;
                ar.step(Step::Keyed(Keyed::Follows(4)));
                return Ok(());
            }
        }
        in_field("element_size", ar, |ar| ar.serialize_i32(&mut self.element_size))
    }
}

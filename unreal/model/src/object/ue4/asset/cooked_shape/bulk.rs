//! Bulk data with shapes.

use crate::archive::layout::Layout;
use crate::archive::{Extent, Kind, Role, Span, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::BulkData;
use crate::{Archive, ArchiveExt, Archived, Counter, Described};

/// Bulk data whose payload is shapes, or bytes where it is something else: another version of the engine,
/// another byte order, hulls with more than 32 corners.
///
/// Spec: ue4-5/09 §6. C++: `FByteBulkData`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ShapeBulk<T: Archived> {
    /// The bulk data, with its payload where that is not decoded.
    pub bulk: BulkData,
    /// The shapes, where they are decoded.
    pub shapes: Option<Box<T>>,
}

/// Names in documents of a payload that is decoded, and of one that is not.
const WORDS: [&str; 2] = ["shapes", "bytes"];

impl<T: Archived + Default> Archived for ShapeBulk<T> {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let form = ar.form("payload_form", &WORDS, i64::from(self.shapes.is_none()));
        if ar.is_saving()
            && let Some(shapes) = &mut self.shapes
        {
            if !self.bulk.is_inline() {
                let reason = "shapes stand behind their bulk data".to_owned();
                return Err(ar.error(ErrorKind::Invalid { reason }));
            }
            let mut counter = Counter::new(ar.versions().clone());
            shapes.serialize(&mut counter)?;
            self.bulk.resize(counter.length());
        }
        let inline = match self.shapes {
            Some(_) => self.bulk.size_on_disk.unsigned_abs(),
            None => self.bulk.payload.len(),
        };
        let size = self.bulk.serialize_header(inline, ar)?;
        if ar.is_loading() {
            // Bytes say what they are only by being read up to their end.
            let may_be = form.map_or(size > 0, |form| form == 0);
            self.shapes = may_be.then(Box::default);
        }
        if let Some(shapes) = &mut self.shapes {
            let window = ar.open(Extent::Size(size))?;
            let result = in_field("payload", ar, |ar| shapes.serialize(ar));
            match ar.close(window, result) {
                Err(_) if ar.is_loading() && form.is_none() => self.shapes = None,
                result => return result,
            }
        }
        let bytes: &mut Span = &mut self.bulk.payload;
        in_field("payload", ar, |ar| ar.serialize_span(bytes, size, Kind::Opaque))
    }
}

/// A bulk-serialised array of bytes that are shapes, or elements that stay as they are.
///
/// C++: `TArray::BulkSerialize`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ShapeArray<T: Archived> {
    /// Bytes of an element: 1 where they are shapes.
    pub element_size: u32,
    /// The elements, where they are not decoded.
    pub data: Span,
    /// The shapes, where they are decoded.
    pub shapes: Option<Box<T>>,
}

impl<T: Archived + Default> Archived for ShapeArray<T> {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let form = ar.form("payload_form", &WORDS, i64::from(self.shapes.is_none()));
        in_field("element_size", ar, |ar| ar.serialize_u32(&mut self.element_size))?;
        let length = match &mut self.shapes {
            Some(shapes) if ar.is_saving() => {
                let mut counter = Counter::new(ar.versions().clone());
                shapes.serialize(&mut counter)?;
                counter.length()
            }
            _ => self.data.len(),
        };
        let count = length.checked_div(self.element_size.into()).unwrap_or_default();
        let too_long = ErrorKind::OutOfRange { value: length.into(), bits: 32 };
        let mut count = u32::try_from(count).map_err(|_| ar.error(too_long))?;
        in_field("count", ar, |ar| ar.serialize_u32(&mut count))?;
        ar.role(Role::Count);
        if self.element_size == 0 && count != 0 {
            let form = "a number of elements without bytes";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        let size = u64::from(self.element_size) * u64::from(count);
        if ar.is_saving() && size != length {
            let reason = "the bytes are not a number of elements".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        if ar.is_loading() {
            let may_be = form.map_or(size > 0 && self.element_size == 1, |form| form == 0);
            self.shapes = may_be.then(Box::default);
        }
        if let Some(shapes) = &mut self.shapes {
            // What visits has no size to keep to.
            let is_sized = ar.is_loading() && form.is_none();
            let window = ar.open(if is_sized { Extent::Size(size) } else { Extent::Level })?;
            let result = in_field("data", ar, |ar| shapes.serialize(ar));
            match ar.close(window, result) {
                Err(_) if is_sized => self.shapes = None,
                result => return result,
            }
        }
        let bytes: &mut Span = &mut self.data;
        in_field("data", ar, |ar| ar.serialize_span(bytes, size, Kind::Opaque))
    }
}

//! Lazy arrays: arrays that store where they end.

use super::{Name, Position, array};
use crate::archive::layout::{Bound, Field, Layout};
use crate::archive::private::absent;
use crate::archive::{Kind, Span, Step, in_field, in_part};
use crate::error::Result;
use crate::version::{FILE, UnrealVersions};
use crate::{Archive, ArchiveExt, Archived};

/// First file version that stores the end (spec: ue1-3/01 §1.7; 62 itself is inferred).
const END_ADDED: u32 = 62;

/// The header before the count of a lazy array.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | u32 | position behind the data | from 62 |
/// | 2 | i32 | stored size | from 254 |
/// | 3 | u32 | loader flags | from 251 |
/// | 4 | name | package | from 260 |
///
/// Spec: ue1-3/01 §1.7. C++: `FLazyLoader`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LazyHeader {
    /// Position behind the data.
    pub end: Position,
    /// Bytes as stored.
    pub stored_size: i32,
    /// Where and how the data is stored.
    pub loader_flags: u32,
    /// The package that holds the data.
    pub package: Name,
}

const END: Field = Field::of::<Position>("end", "Position", "Position behind the data.")
    .within(&[Bound::since(FILE, END_ADDED as i64)]);
const STORED_SIZE: Field =
    Field::plain("stored_size", "i32", "Bytes as stored.").within(&[Bound::since(FILE, 254)]);
const LOADER_FLAGS: Field = Field::plain("loader_flags", "u32", "Where and how it is stored.")
    .within(&[Bound::since(FILE, 251)]);
const PACKAGE: Field = Field::of::<Name>("package", "Name", "The package that holds the data.")
    .within(&[Bound::since(FILE, 260)]);

impl LazyHeader {
    /// Header, then what `data` serialises, then the end is known.
    fn around<A: Archive + ?Sized>(
        &mut self,
        ar: &mut A,
        data: impl FnOnce(&mut A) -> Result<()>,
    ) -> Result<()> {
        let file = ar.versions().file();
        let announced = if file >= END_ADDED {
            ar.enter(Step::Field("end"));
            let announced = self.end.announce(ar);
            ar.leave();
            Some(announced?)
        } else {
            absent(&mut self.end, ar, "end")?;
            None
        };
        if file >= 254 {
            in_field("stored_size", ar, |ar| ar.serialize_i32(&mut self.stored_size))?;
        } else {
            absent(&mut self.stored_size, ar, "stored_size")?;
        }
        if file >= 251 {
            in_field("loader_flags", ar, |ar| ar.serialize_u32(&mut self.loader_flags))?;
        } else {
            absent(&mut self.loader_flags, ar, "loader_flags")?;
        }
        if file >= 260 {
            in_field("package", ar, |ar| self.package.serialize(ar))?;
        } else {
            absent(&mut self.package, ar, "package")?;
        }
        data(ar)?;
        match announced {
            Some(announced) => self.end.settle(announced, ar),
            None => Ok(()),
        }
    }
}

/// `TLazyArray` of typed elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LazyArray<T> {
    /// The header before it.
    pub header: LazyHeader,
    /// The elements.
    pub items: Vec<T>,
}

impl<T: Archived + Default> Archived for LazyArray<T> {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("An array that the engine may load later.")
        .with_parts(&[
            END,
            STORED_SIZE,
            LOADER_FLAGS,
            PACKAGE,
            Field::plain("items", "Vec<T>", "The elements."),
        ]);

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let items = &mut self.items;
        self.header.around(ar, |ar| in_part("items", ar, |ar| items.serialize(ar)))
    }
}

/// `TLazyArray` of elements of `N` bytes that stay as they are: texels, samples, vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LazyPayload<const N: usize> {
    /// The header before it.
    pub header: LazyHeader,
    /// The elements.
    pub data: Payload<N>,
}

impl<const N: usize> Archived for LazyPayload<N> {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("An array of elements of a fixed size that the engine may load later.")
        .with_parts(&[
            END,
            STORED_SIZE,
            LOADER_FLAGS,
            PACKAGE,
            Field::plain("data", "Payload<N>", "The elements."),
        ]);

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let data = &mut self.data;
        self.header.around(ar, |ar| in_part("data", ar, |ar| data.serialize(ar)))
    }
}

/// `TArray` of elements of `N` bytes that stay as they are: an [`super::Index`] as count, then the bytes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Payload<const N: usize>(pub Span);

impl<const N: usize> Payload<N> {
    /// Number of elements.
    #[inline]
    pub fn count(&self) -> u64 {
        self.0.len() / N as u64
    }
}

impl<const N: usize> Archived for Payload<N> {
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("An array of elements of `N` bytes whose meaning is known.")
        .with_parts(&[
            Field::plain("count", "Index", "Elements."),
            Field::plain("data", "bytes", "The elements."),
        ]);

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let elements = array::serialize_unit_count(self.0.len(), N as u64, ar)?;
        in_part("data", ar, |ar| ar.serialize_span(&mut self.0, elements * N as u64, Kind::Payload))
    }
}

//! Tables by columns, which hold what breaks.

use crate::archive::layout::Layout;
use crate::archive::private::absent;
use crate::archive::{Role, Span, at_index, in_field};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::condition::{fixed, rest};
use crate::object::ue4::geometry::{BoundingBox, Transform};
use crate::primitive::{FString, Name, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Tables by columns: groups are tables, columns have a row for each element of their group.
///
/// C++: `FManagedArrayCollection`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ManagedArrayCollection {
    /// Its version.
    pub version: i32,
    /// The tables.
    pub groups: Vec<ManagedArrayGroup>,
    /// Columns, with those that are not decoded.
    pub column_count: i32,
    /// The columns up to the first one of a type that is not decoded.
    pub columns: Vec<ManagedArray>,
}

/// A table. C++: `FManagedArrayCollection::FGroupInfo`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ManagedArrayGroup {
    /// Its name.
    pub name: Name,
    /// Version of what follows.
    pub version: i32,
    /// Its rows.
    pub size: i32,
}

impl Archived for ManagedArrayCollection {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("version", ar, |ar| ar.serialize_i32(&mut self.version))?;
        in_field("groups", ar, |ar| array::counted_i32(&mut self.groups, ar))?;
        in_field("column_count", ar, |ar| ar.serialize_i32(&mut self.column_count))?;
        let count = usize::try_from(self.column_count)
            .map_err(|_| ar.error(ErrorKind::NegativeCount { count: self.column_count.into() }))?;
        in_field("columns", ar, |ar| self.serialize_columns(count, ar))
    }
}

impl ManagedArrayCollection {
    /// Whether all of its columns are decoded, so that what follows starts behind them.
    pub fn is_whole(&self) -> bool {
        usize::try_from(self.column_count) == Ok(self.columns.len())
    }

    fn serialize_columns<A: Archive + ?Sized>(&mut self, count: usize, ar: &mut A) -> Result<()> {
        if ar.is_saving() && self.columns.len() > count {
            let value = self.columns.len() as i128;
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }));
        }
        if !ar.is_loading() {
            let known = self.columns.len();
            return array::elements(&mut self.columns, known, ar);
        }
        if let Some(known) = ar.elements_ahead() {
            return array::elements(&mut self.columns, known, ar);
        }
        self.columns.clear();
        while self.columns.len() < count && ManagedArray::is_next(ar) {
            ar.claim(1, size_of::<ManagedArray>())?;
            let index = self.columns.len();
            let mut column = ManagedArray::default();
            at_index(index, ar, |ar| column.serialize(ar))?;
            self.columns.push(column);
        }
        Ok(())
    }
}

/// A column. The list of its type has the rows; the others are empty.
///
/// C++: `FManagedArrayCollection::FValueType`, `TManagedArray`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct ManagedArray {
    /// Its name.
    pub name: Name,
    /// Its table.
    pub group: Name,
    /// Version of the column.
    pub version: i32,
    /// Type of its values. C++: `EManagedArrayType`.
    pub array_type: i32,
    /// The table whose rows its values are numbers of.
    pub group_index_dependency: Name,
    /// Whether it is saved.
    pub persistent: bool,
    /// Version of the values.
    pub array_version: i32,
    /// Whole numbers: one of each row, three of points, five of parts of meshes.
    pub integers: Vec<i32>,
    /// Numbers: one of each row, two, three or four of points and colours, ten of transforms.
    pub floats: Vec<f32>,
    /// Bools.
    pub bools: Vec<u8>,
    /// Texts.
    pub strings: Vec<FString>,
    /// Sets of rows.
    pub sets: Vec<Vec<i32>>,
    /// Boxes.
    pub boxes: Vec<BoundingBox>,
    /// Transforms.
    pub transforms: Vec<Transform>,
}

/// The list that has the values of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ManagedValues {
    Integers,
    Floats,
    Bools,
    Strings,
    Sets,
    Boxes,
    Transforms,
}

impl ManagedValues {
    /// The list of a type, how many numbers a row has, and whether the size of a row stands before the rows; `None`
    /// for types that are not decoded.
    fn of(array_type: i32) -> Option<(Self, usize, bool)> {
        Some(match array_type {
            1 => (Self::Floats, 3, true),
            2 => (Self::Integers, 3, true),
            3 => (Self::Floats, 2, true),
            4 => (Self::Floats, 4, false),
            5 => (Self::Integers, 1, true),
            6 => (Self::Bools, 1, true),
            7 => (Self::Transforms, 1, false),
            8 => (Self::Strings, 1, false),
            9 => (Self::Floats, 1, true),
            12 => (Self::Integers, 5, false),
            13 => (Self::Boxes, 1, false),
            14 => (Self::Sets, 1, false),
            44 => (Self::Floats, 10, false),
            _ => return None,
        })
    }
}

/// The versions of a column and of its values that are decoded.
const COLUMN_VERSION: i32 = 4;
const ARRAY_VERSION: i32 = 1;

impl Archived for ManagedArray {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("name", ar, |ar| self.name.serialize(ar))?;
        in_field("group", ar, |ar| self.group.serialize(ar))?;
        in_field("version", ar, |ar| ar.serialize_i32(&mut self.version))?;
        in_field("array_type", ar, |ar| ar.serialize_i32(&mut self.array_type))?;
        in_field("group_index_dependency", ar, |ar| self.group_index_dependency.serialize(ar))?;
        in_field("persistent", ar, |ar| self.persistent.serialize(ar))?;
        in_field("array_version", ar, |ar| ar.serialize_i32(&mut self.array_version))?;
        let is_known = self.version == COLUMN_VERSION && self.array_version == ARRAY_VERSION;
        let Some((list, parts, has_size)) = ManagedValues::of(self.array_type).filter(|_| is_known)
        else {
            let form = "a column of a type that is not decoded";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        };
        self.serialize_rows(list, parts, has_size, ar)
    }
}

impl ManagedArray {
    /// Whether the next bytes are a column of a type that is decoded.
    fn is_next<A: Archive + ?Sized>(ar: &A) -> bool {
        let word = |at| ar.peek_number(at, 4);
        word(16) == Some(COLUMN_VERSION as u64)
            && word(20)
                .is_some_and(|it| i32::try_from(it).is_ok_and(|it| ManagedValues::of(it).is_some()))
            && word(36) == Some(ARRAY_VERSION as u64)
    }

    fn serialize_rows<A: Archive + ?Sized>(
        &mut self,
        list: ManagedValues,
        parts: usize,
        has_size: bool,
        ar: &mut A,
    ) -> Result<()> {
        let numbers = match list {
            ManagedValues::Integers => self.integers.len(),
            ManagedValues::Floats => self.floats.len(),
            ManagedValues::Bools => self.bools.len(),
            ManagedValues::Strings => self.strings.len(),
            ManagedValues::Sets => self.sets.len(),
            ManagedValues::Boxes => self.boxes.len(),
            ManagedValues::Transforms => self.transforms.len(),
        };
        if has_size {
            let width = if list == ManagedValues::Bools { 1 } else { 4 };
            let size = u32::try_from(parts * width).unwrap_or_default();
            let mut stored = size;
            in_field("element_size", ar, |ar| ar.serialize_u32(&mut stored))?;
            if stored != size {
                let form = "rows of another size than their type has";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            }
            ar.role(Role::Size);
        }
        if ar.is_saving() && numbers.checked_rem(parts) != Some(0) {
            return Err(ar.error(ErrorKind::OutOfRange { value: numbers as i128, bits: 32 }));
        }
        let rows = numbers.checked_div(parts).unwrap_or_default();
        let rows = in_field("row_count", ar, |ar| array::serialize_i32_count(rows, ar))?;
        let count = rows.saturating_mul(parts);
        macro_rules! list {
            ($($name:ident $kind:ident)*) => { $(match list == ManagedValues::$kind {
                true => in_field(stringify!($name), ar, |ar| fixed(&mut self.$name, count, ar))?,
                false => absent(&mut self.$name, ar, stringify!($name))?,
            })* };
        }
        list!(integers Integers floats Floats bools Bools strings Strings);
        list!(boxes Boxes transforms Transforms);
        match list == ManagedValues::Sets {
            true => in_field("sets", ar, |ar| array::elements(&mut self.sets, count, ar)),
            false => absent(&mut self.sets, ar, "sets"),
        }
    }
}

/// What breaks into pieces.
///
/// C++: `UGeometryCollection`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct GeometryCollection {
    /// Whether it was cooked.
    pub cooked: bool,
    /// Pieces, their vertices and faces, and how they hang together.
    pub collection: ManagedArrayCollection,
    /// The other columns, and what is drawn.
    #[archive(with = rest)]
    pub undecoded: Span,
}

//! Rows of a struct.

use crate::archive::Step;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::value::StructValue;
use crate::primitive::{Name, array};
use crate::{Archive, ArchiveExt, Archived, Described};

/// Rows of a struct.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | i32 | rows |
/// | 2 | name, struct each | name, values |
///
/// Spec: ue4-5/05 §5. C++: `UDataTable`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct DataTable {
    /// Name of the struct: the property `RowStruct`, known before loading.
    pub row_struct: String,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row. Spec: ue4-5/05 §5.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: Name,
    /// Its values.
    pub value: StructValue,
}

impl Archived for DataTable {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let Self { row_struct, rows } = self;
        array::counted_i32_by(rows, ar, |row, ar| {
            row.name.serialize(ar)?;
            ar.enter(Step::Field("value"));
            let result = row.value.serialize_as(row_struct, ar);
            ar.leave();
            result
        })
    }
}

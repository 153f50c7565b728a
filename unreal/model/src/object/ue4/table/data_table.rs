//! Rows of a struct.

use std::sync::Arc;

use crate::archive::layout::Layout;
use crate::archive::{in_field, in_part};
use crate::error::Result;
use crate::object::Facts;
use crate::object::ue4::value::StructValue;
use crate::primitive::{Name, NameContext, array};
use crate::property::Value;
use crate::table::Pieces;
use crate::{Archive, Archived, Described};

/// Rows of a struct.
///
/// Spec: ue4-5/05 §5. C++: `UDataTable`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct DataTable {
    /// Name of the struct: the property `RowStruct`, known before loading.
    pub row_struct: String,
    /// The rows. Copies share them, and pieces of their list: an edit of thousands of cells keeps a table for each, to
    /// take it back.
    pub rows: Pieces<Arc<Row>>,
}

impl DataTable {
    /// An empty table whose struct a property names.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Self {
        let row_struct = match facts.value("RowStruct") {
            Some(Value::Object(index)) => facts.context.object_name(index).unwrap_or_default(),
            _ => String::new(),
        };
        Self { row_struct, rows: Pieces::default() }
    }
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
        let mut list = std::mem::take(rows).into_vec();
        let done = in_part("rows", ar, |ar| {
            array::counted_i32_by(&mut list, ar, |row, ar| {
                let row = Arc::make_mut(row);
                in_part("name", ar, |ar| row.name.serialize(ar))?;
                in_field("value", ar, |ar| row.value.serialize_as(row_struct, ar))
            })
        });
        *rows = list.into();
        done
    }
}

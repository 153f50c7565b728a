//! PackageRows of one table on their way into batches.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};

use super::{ColumnType, TableKind};

/// Bytes of text that one value may have: what a column of a batch can hold is limited, and nobody searches
/// in values of more. Longer ones end in `…`.
const LONGEST: usize = 1 << 20;
/// Bytes of text, and rows, that a batch has when it is closed.
const FULL_BYTES: usize = 4 << 20;
const FULL_ROWS: usize = 1 << 15;

/// One value.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    Null,
    Text(&'a str),
    Integer(i64),
    Real(f64),
    Boolean(bool),
}

impl<'a> Cell<'a> {
    /// Bytes, flags and counts, which no file has more of than 63 bits hold.
    pub fn count(number: u64) -> Self {
        Self::Integer(number as i64)
    }

    /// An optional text.
    pub fn maybe(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

enum ColumnBuilder {
    Text(StringBuilder),
    Integer(Int64Builder),
    Real(Float64Builder),
    Boolean(BooleanBuilder),
}

impl ColumnBuilder {
    fn new(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Text => Self::Text(StringBuilder::new()),
            ColumnType::Integer => Self::Integer(Int64Builder::new()),
            ColumnType::Real => Self::Real(Float64Builder::new()),
            ColumnType::Boolean => Self::Boolean(BooleanBuilder::new()),
        }
    }

    /// Says how many bytes of text there are more.
    fn push(&mut self, cell: Cell<'_>) -> usize {
        match (self, cell) {
            (Self::Text(builder), Cell::Text(text)) => {
                if text.len() <= LONGEST {
                    builder.append_value(text);
                } else {
                    let end =
                        (0..=LONGEST).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
                    builder.append_value(format!("{}…", &text[..end]));
                }
                return text.len().min(LONGEST);
            }
            (Self::Integer(builder), Cell::Integer(number)) => builder.append_value(number),
            (Self::Real(builder), Cell::Real(number)) => builder.append_value(number),
            (Self::Boolean(builder), Cell::Boolean(is)) => builder.append_value(is),
            (Self::Text(builder), _) => builder.append_null(),
            (Self::Integer(builder), _) => builder.append_null(),
            (Self::Real(builder), _) => builder.append_null(),
            (Self::Boolean(builder), _) => builder.append_null(),
        }
        0
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(builder) => Arc::new(builder.finish()),
            Self::Integer(builder) => Arc::new(builder.finish()),
            Self::Real(builder) => Arc::new(builder.finish()),
            Self::Boolean(builder) => Arc::new(builder.finish()),
        }
    }
}

/// The rows of one table.
pub(super) struct RowBuffer {
    table: TableKind,
    columns: Vec<ColumnBuilder>,
    rows: usize,
    text: usize,
}

impl RowBuffer {
    pub fn new(table: TableKind) -> Self {
        let columns = table.columns().iter().map(|it| ColumnBuilder::new(it.column_type)).collect();
        Self { table, columns, rows: 0, text: 0 }
    }

    /// One more row; its cells are as the table's columns are.
    pub fn push(&mut self, cells: &[Cell<'_>]) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.table);
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            self.text += column.push(*cell);
        }
        self.rows += 1;
    }

    pub fn is_full(&self) -> bool {
        self.rows >= FULL_ROWS || self.text >= FULL_BYTES
    }

    /// Bytes that the rows take, about.
    pub fn bytes(&self) -> usize {
        self.text + self.rows * self.columns.len() * 8
    }

    /// What was pushed, if anything was.
    pub fn take(&mut self) -> Option<RecordBatch> {
        if self.rows == 0 {
            return None;
        }
        (self.rows, self.text) = (0, 0);
        let arrays = self.columns.iter_mut().map(ColumnBuilder::finish).collect();
        // The columns have the schema's types and as many rows as one another.
        RecordBatch::try_new(self.table.schema(), arrays).ok()
    }
}

//! Columns: name, type, meaning.

use arrow_schema::{DataType, Field};

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// UTF-8.
    Text,
    /// 64 bits, signed: the type that every engine has.
    Integer,
    /// 64 bits, floating point.
    Real,
    /// True or false.
    Boolean,
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: &'static str,
    /// What its values are.
    pub column_type: ColumnType,
    /// Whether a row may have no value.
    pub nullable: bool,
    /// What it means, with its unit.
    pub doc: &'static str,
}

impl TableColumn {
    pub(super) const fn new(
        name: &'static str,
        column_type: ColumnType,
        nullable: bool,
        doc: &'static str,
    ) -> Self {
        Self { name, column_type, nullable, doc }
    }

    /// The same for Arrow.
    pub(super) fn field(&self) -> Field {
        Field::new(self.name, self.column_type.arrow(), self.nullable)
    }
}

impl ColumnType {
    /// Arrow's type.
    pub fn arrow(self) -> DataType {
        match self {
            Self::Text => DataType::Utf8,
            Self::Integer => DataType::Int64,
            Self::Real => DataType::Float64,
            Self::Boolean => DataType::Boolean,
        }
    }

    /// The word for documentation, as SQL has it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "VARCHAR",
            Self::Integer => "BIGINT",
            Self::Real => "DOUBLE",
            Self::Boolean => "BOOLEAN",
        }
    }
}

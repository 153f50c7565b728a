//! All rows of a data table at once: kept, changed, added, removed, in another order.

use std::collections::HashSet;
use std::sync::Arc;

use super::Edit;
use super::naming::AsNeeded;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::meaning::ObjectLookup;
use crate::inspect::table_rows::{RowTable, check_name, set_cell};
use crate::object::ue4::table::data_table::Row;
use crate::object::ue4::value::StructValue;
use crate::property::{Naming, PathPart, PropertyList, Surroundings, Type};

/// The row that a row of a table is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOrigin {
    /// One that is there, by its place: what no cell changes stays as it is stored.
    Stored(usize),
    /// A new one of this name.
    New(String),
}

/// A value of a row, as a cell of a table says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowCell {
    /// Its path in the row: `Damage`, `Slots[2]`.
    pub path: String,
    /// Its type, where that is given.
    pub property_type: Option<Type>,
    /// Of strings, names and texts the characters themselves, of others the text that
    /// [`Edit::set_property`] takes; `None` for the struct's default.
    pub text: Option<String>,
}

/// A row of a data table as it is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataRow {
    /// The row that it is made of.
    pub origin: RowOrigin,
    /// The values that change.
    pub cells: Vec<RowCell>,
}

impl Edit {
    /// Gives a data table these rows in this order. Rows that are there and not named go.
    ///
    /// # Errors
    /// `Invalid` for an object that is no data table, and for a stored row named twice; `Exists` for
    /// a new row of a name that is there; as [`Edit::set_property`] for cells, with the row and the path.
    pub fn set_data_rows(&mut self, row: usize, rows: &[DataRow]) -> Result<()> {
        self.edit_body(row, |package, body, context| {
            let Some(RowTable::Data(stored, structure)) = RowTable::of(body) else {
                return Err(Error::invalid("it is no data table"));
            };
            let mut package = AsNeeded(package);
            let mut lookup = ObjectLookup::writing(&mut package, context, row);
            let mut names = HashSet::new();
            let mut taken = HashSet::new();
            for row in rows {
                if let RowOrigin::Stored(at) = row.origin {
                    let name = stored.get(at).ok_or_else(no_row)?.name;
                    if !taken.insert(at) {
                        let name = lookup.name_text(name);
                        return Err(Error::invalid(format!("the row {name} is named twice")));
                    }
                    names.insert(lookup.name_text(name).to_lowercase());
                }
            }
            let mut made = Vec::with_capacity(rows.len());
            for row in rows {
                let (name, mut properties) = match &row.origin {
                    RowOrigin::Stored(at) => {
                        let row = stored.get(*at).ok_or_else(no_row)?;
                        (row.name, row.value.properties.clone())
                    }
                    RowOrigin::New(name) => {
                        check_name("row", name)?;
                        if !names.insert(name.to_lowercase()) {
                            let (what, name) = (noun::ROW, name.clone());
                            return Err(ErrorKind::Exists { what, name }.into());
                        }
                        let list = PropertyList::empty(&structure, &mut lookup)?;
                        (lookup.name(name)?, list)
                    }
                };
                for cell in &row.cells {
                    set(&mut properties, &structure, cell, &mut lookup).map_err(|why| {
                        let (name, path) = (lookup.name_text(name), &cell.path);
                        Error::invalid(format!("row {name}, column {path}: {why}"))
                    })?;
                }
                made.push(Arc::new(Row { name, value: StructValue { properties } }));
            }
            *stored = made.into();
            Ok(())
        })
    }
}

#[cold]
fn no_row() -> Error {
    Error::invalid("the table has no row of this number")
}

fn set(
    list: &mut PropertyList,
    structure: &str,
    cell: &RowCell,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let mut path = PathPart::parse_all(&cell.path)?;
    if let (Some(last), Some(given)) = (path.last_mut(), &cell.property_type) {
        last.given = Some(given.clone());
    }
    set_cell(list, structure, &path, cell.text.as_deref(), around)
}

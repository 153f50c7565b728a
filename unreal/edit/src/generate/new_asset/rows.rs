//! The rows of new data tables.

use std::sync::Arc;

use super::unique_names::UniqueNames;
use crate::edit::{DataRow, Edit, RowCell, RowOrigin};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::ue4::table::data_table::{DataTable, Row};
use crate::object::ue4::value::StructValue;
use crate::primitive::PackageIndex;
use crate::property::{Naming, Property, PropertyList, Type, Value};

/// The property of data tables that says what their rows are.
pub(super) const ROW_STRUCT: &str = "RowStruct";

/// The rows of a new data table: the struct that they are of, its fields, and texts for each.
#[derive(Debug, Clone, Default)]
pub struct NewRows {
    pub(super) row_struct: String,
    columns: Vec<(String, Type)>,
    rows: Vec<(String, Vec<Option<String>>)>,
}

impl NewRows {
    /// No rows yet of this struct: `/Script/MyGame.WeaponRow`, or one that was made in the editor:
    /// `/Game/Structs/S_Weapon.S_Weapon`.
    pub fn of(row_struct: &str) -> Self {
        Self { row_struct: row_struct.to_owned(), ..Self::default() }
    }

    /// A field of the struct; columns stand before rows.
    pub fn column(&mut self, name: &str, property_type: Type) {
        self.columns.push((name.to_owned(), property_type));
    }

    /// A row: its name, and the text of each column's value; columns that are left out keep the struct's
    /// default.
    ///
    /// # Errors
    /// `Invalid` for more texts than there are columns.
    pub fn row<T: Into<String>>(
        &mut self,
        name: &str,
        cells: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        self.partial_row(name, cells.into_iter().map(|cell| Some(cell.into())))
    }

    /// The same with `None` for values that keep the struct's default.
    ///
    /// # Errors
    /// As [`NewRows::row`].
    pub fn partial_row(
        &mut self,
        name: &str,
        cells: impl IntoIterator<Item = Option<String>>,
    ) -> Result<()> {
        let cells: Vec<Option<String>> = cells.into_iter().collect();
        if cells.len() > self.columns.len() {
            let (cells, columns) = (cells.len(), self.columns.len());
            return Err(Error::invalid(format!(
                "row {name} has {cells} values for {columns} columns"
            )));
        }
        self.rows.push((name.to_owned(), cells));
        Ok(())
    }

    /// The import of the struct, and the name of its class.
    pub(super) fn row_struct_import(
        &self,
        package: &mut Edit,
    ) -> Result<(PackageIndex, &'static str)> {
        let path = &self.row_struct;
        if !path.starts_with('/') || !path.contains('.') {
            return Err(Error::invalid(format!(
                "'{path}' is no path of a struct: write /Script/Module.Struct or /Game/Folder/S.S"
            )));
        }
        let class = match path.starts_with("/Script/") {
            true => "/Script/CoreUObject.ScriptStruct",
            false => "/Script/Engine.UserDefinedStruct",
        };
        let short = class.rsplit('.').next().unwrap_or_default();
        Ok((package.add_import(path, class)?, short))
    }

    pub(super) fn row_struct_property(&self, package: &mut Edit) -> Result<Property> {
        let (index, _) = self.row_struct_import(package)?;
        let known = Type::of_class("ObjectProperty")?;
        let mut property = Property::blank(ROW_STRUCT, 0, &known, package)?;
        *property.value_mut() = Value::Object(index);
        Ok(property)
    }

    /// The table before it has its rows.
    pub(super) fn without_rows(&self) -> DataTable {
        let row_struct = self.row_struct.rsplit('.').next().unwrap_or_default().to_owned();
        DataTable { row_struct, rows: Default::default() }
    }

    /// The rows as an edit takes them.
    pub(super) fn data_rows(&self) -> Vec<DataRow> {
        let row = |(name, cells): &(String, Vec<Option<String>>)| {
            let cells = self.columns.iter().zip(cells);
            let cells = cells.filter_map(|((path, known), text)| {
                text.as_ref()?;
                Some(RowCell {
                    path: path.clone(),
                    property_type: Some(known.clone()),
                    text: text.clone(),
                })
            });
            DataRow { origin: RowOrigin::New(name.clone()), cells: cells.collect() }
        };
        self.rows.iter().map(row).collect()
    }

    pub(super) fn table(&self, package: &mut Edit) -> Result<DataTable> {
        let mut table = self.without_rows();
        // With what mappings declare.
        let context = package.decoding_context();
        let (mut columns, mut rows) = (UniqueNames::of(noun::COLUMN), UniqueNames::of(noun::ROW));
        let mut typed = Vec::with_capacity(self.columns.len());
        for (column, known) in &self.columns {
            let element = element(column)?;
            columns.add_element(element)?;
            typed.push((column, element, known));
        }
        for (name, cells) in &self.rows {
            rows.add(name)?;
            if table.rows.len() >= i32::MAX as usize {
                return Err(ErrorKind::OutOfRange { value: i128::MAX, bits: 31 }.into());
            }
            let mut list = PropertyList::new(Vec::new(), package.name("None")?);
            for ((column, element, known), text) in typed.iter().zip(cells) {
                let Some(text) = text else { continue };
                let property = package.property_of(*element, known, text, &context);
                let place =
                    |why: Error| Error::invalid(format!("row {name}, column {column}: {why}"));
                list.properties.push(property.map_err(place)?);
            }
            let value = StructValue { properties: list };
            table.rows.push(Arc::new(Row { name: package.name(name)?, value }));
        }
        Ok(table)
    }
}

/// The property that a name or a column stands for, and which element of a static array it is: `Slots[1]`.
///
/// # Errors
/// `Invalid` for a path to what lies within a property, which would be a property of that name.
pub(super) fn element(name: &str) -> Result<(&str, u32)> {
    if name.contains('.') {
        let property = name.split('.').next().unwrap_or_default();
        return Err(Error::invalid(format!(
            "'{name}' lies within a property: give {property} as a whole, (X=1,Y=2), or set it in the package once made"
        )));
    }
    let parts = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    let numbered = parts.and_then(|(name, index)| Some((name, index.parse().ok()?)));
    Ok(numbered.filter(|(name, _)| !name.is_empty()).unwrap_or((name, 0)))
}

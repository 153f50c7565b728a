//! Other rows for tables of UE4 and UE5.

use super::cell::column_path;
use super::curves::replace_curves;
use super::file::ReadTable;
use super::grid::TableFormat;
use super::plan::{Rules, TableChange, TablePlan};
use super::strings::replace_strings;
use crate::content::PackageContents;
use crate::edit::{DataRow, Edit, RowCell, RowOrigin};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::ue4::table::{
    curve_table::CurveTable, data_table::DataTable, string_table::StringTable,
};
use crate::package::native_as;

/// Tables with the rows of a file.
pub trait TableEdits {
    /// Gives a data table, curve table or string table the rows of a file, as
    /// [`Table::file`](crate::content::Table::file) writes it: rows that are there are found by their names, keep what
    /// no cell changes as it is stored, and may stand in another order; others are added or removed. A file without a
    /// change changes nothing.
    ///
    /// An empty cell of CSV is the struct's default, of a text that is stored the empty text; a column that the file
    /// lacks stays as it is. A row of JSON says all that it stores. A new column of a data table is a field that its
    /// struct or another row declares, or has its type behind a colon: `Damage:float`.
    ///
    /// # Errors
    /// `Invalid` for a damaged file, and for what is no such table; as [`Edit::set_property`] for cells, with their
    /// place. The package is as before then.
    fn replace_table(
        &mut self,
        row: usize,
        file: &[u8],
        format: TableFormat,
    ) -> Result<TableChange>;
}

impl TableEdits for Edit {
    fn replace_table(
        &mut self,
        row: usize,
        file: &[u8],
        format: TableFormat,
    ) -> Result<TableChange> {
        let path = self.exports().path(row);
        let decoded = self.decode(row)?.into_owned();
        let about = |error: Error| Error::invalid(format!("{path}: {error}"));
        let old = self.contents().table(row)?;
        let file = ReadTable::read(file, format, old.key).map_err(about)?;
        let body = &decoded.body;
        let is_data = native_as::<DataTable>(body).is_some();
        let rules = match () {
            () if is_data => Rules { has_types: true, ..Rules::NAMES },
            () if native_as::<CurveTable>(body).is_some() => {
                Rules { column: super::curves::column, ..Rules::NAMES }
            }
            () if native_as::<StringTable>(body).is_some() => Rules::TEXTS,
            () => return Err(about(Error::unsupported("enums come out, and do not go in"))),
        };
        let mut plan = TablePlan::of(&old, &file, &rules).map_err(about)?;
        plan.change.namespace =
            file.namespace.is_some() && old.namespace.is_some() && file.namespace != old.namespace;
        if !plan.change.is_change() {
            return Ok(plan.change);
        }
        if is_data {
            self.set_data_rows(row, &data_rows(&plan))?;
        } else if let Some(table) = native_as::<CurveTable>(body) {
            replace_curves(self, row, table, &plan).map_err(about)?;
        } else if let Some(table) = native_as::<StringTable>(body) {
            replace_strings(self, row, table, &plan, file.namespace.as_deref()).map_err(about)?;
        }
        Ok(plan.change)
    }
}

fn data_rows(plan: &TablePlan) -> Vec<DataRow> {
    let cell = |(at, text): &(usize, Option<String>)| {
        let column = plan.columns.get(*at)?;
        let path = column_path(&column.name);
        Some(RowCell { path, property_type: column.property_type.clone(), text: text.clone() })
    };
    let row = |row: &super::plan::PlannedRow| DataRow {
        origin: match row.from {
            Some(at) => RowOrigin::Stored(at),
            None => RowOrigin::New(row.name.clone()),
        },
        cells: row.cells.iter().filter_map(cell).collect(),
    };
    plan.rows.iter().map(row).collect()
}

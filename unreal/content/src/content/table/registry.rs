//! Registries of assets (`AssetRegistry.bin`) as rows and columns, and back.

use serde_json::Value as Json;

use super::file::ReadTable;
use super::grid::{Table, TableFormat};
use super::plan::{PlannedRow, Rules, TableChange, TablePlan};
use crate::error::{Error, Result};
use crate::related::{AssetRegistry, RegistryRow};

/// The columns but for those of tags.
const OBJECT_PATH: &str = "ObjectPath";
const CLASS: &str = "Class";
const OUTER_PATH: &str = "OuterPath";
const CHUNKS: &str = "ChunkIDs";
const PACKAGE_FLAGS: &str = "PackageFlags";
/// What the columns of tags begin with, and those of what is loaded together, which tables leave out.
const TAG: &str = "tag ";
const BUNDLE: &str = "bundle ";

/// A registry of assets as a table.
pub trait RegistryTable {
    /// The assets as rows: path, class, chunks, flags of the package, and a column for each tag, `tag Parent`. `source` is
    /// what the registry was read from.
    ///
    /// # Errors
    /// As [`AssetRegistry::entries`]; `Invalid` for an asset that has a tag twice.
    fn table(&self, source: &[u8]) -> Result<Table>;

    /// Gives the registry the rows of a table as [`RegistryTable::table`] has them; an empty cell of CSV takes a tag away.
    ///
    /// # Errors
    /// `Invalid` for a damaged table and for columns that are none of these; as [`AssetRegistry::set_rows`].
    fn replace_rows(
        &mut self,
        file: &[u8],
        format: TableFormat,
        source: &[u8],
    ) -> Result<TableChange>;
}

impl RegistryTable for AssetRegistry {
    fn table(&self, source: &[u8]) -> Result<Table> {
        let mut table = Table::new(OBJECT_PATH, OBJECT_PATH);
        table.add_columns(&[CLASS, CHUNKS, PACKAGE_FLAGS]);
        for entry in self.entries(source)?.into_iter().take(self.assets.len()) {
            let fields = entry.fields.into_iter();
            let fields = fields.filter(|(column, _)| !column.starts_with(BUNDLE));
            let cells: Vec<_> = fields.map(|(column, text)| (column, Json::from(text))).collect();
            let count = cells.len();
            table.push(entry.path, cells);
            let (path, kept) = table.rows.last().map_or(("", 0), |row| (&*row.0, row.1.len()));
            if kept < count {
                return Err(Error::invalid(format!("{path} has a tag twice")));
            }
        }
        Ok(table)
    }

    fn replace_rows(
        &mut self,
        file: &[u8],
        format: TableFormat,
        source: &[u8],
    ) -> Result<TableChange> {
        let old = self.table(source)?;
        let file = ReadTable::read(file, format, OBJECT_PATH)?;
        let plan = TablePlan::of(&old, &file, &Rules { ignores_case: true, ..Rules::TEXTS })?;
        if plan.change.is_change() {
            let is_json = file.is_complete;
            let row = |row| registry_row(row, &plan, &old, is_json);
            let rows = plan.rows.iter().map(row).collect::<Result<Vec<_>>>()?;
            self.set_rows(&rows, source)?;
        }
        Ok(plan.change)
    }
}

fn registry_row(
    row: &PlannedRow,
    plan: &TablePlan,
    old: &Table,
    is_json: bool,
) -> Result<RegistryRow> {
    if let Some((stored, _)) = row.from.and_then(|from| old.rows.get(from))
        && *stored != row.name
    {
        let reason = format!("'{}' is called {stored} in the registry: write it so", row.name);
        return Err(Error::invalid(reason));
    }
    let mut made = RegistryRow { from: row.from, path: row.name.clone(), ..Default::default() };
    for (at, text) in &row.cells {
        let Some(column) = plan.columns.get(*at) else { continue };
        let given = text.clone().unwrap_or_default();
        match column.name.as_str() {
            CLASS => made.class = Some(given),
            OUTER_PATH => made.outer_path = Some(given),
            CHUNKS => made.chunks = Some(given),
            PACKAGE_FLAGS => {
                made.package_flags = Some(if given.is_empty() { "0".to_owned() } else { given });
            }
            other => match other.strip_prefix(TAG).filter(|key| !key.is_empty()) {
                Some(key) => {
                    // CSV can't tell a text without characters from none.
                    let value = text.clone().filter(|text| is_json || !text.is_empty());
                    made.tags.push((key.to_owned(), value));
                }
                None if other.starts_with(BUNDLE) => {
                    return Err(Error::invalid(format!(
                        "the column '{other}': what is loaded together with an asset stays as it is"
                    )));
                }
                None => {
                    return Err(Error::invalid(format!(
                        "a table of assets has no column {other}: {CLASS}, {CHUNKS}, {PACKAGE_FLAGS}, {OUTER_PATH}, or '{TAG}' \
                         and the name of a tag"
                    )));
                }
            },
        }
    }
    Ok(made)
}

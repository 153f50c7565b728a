//! Views for SQL.

use super::super::TableKind;
use super::folder::Depot;
use crate::error::{Error, Result};
use crate::file::Replacement;

/// The file with the views.
const FILE: &str = "tables.sql";

impl Depot {
    /// Writes `tables.sql`: a view of each table in DuckDB's SQL, without the rows of former packages.
    pub(super) fn write_views(&self) -> Result<()> {
        let folder = std::path::absolute(&self.folder);
        let folder = folder.map_err(|error| Error::io(&self.folder, error))?;
        let mut text = String::from("-- duckdb -init tables.sql\n");
        for table in self.tables.iter() {
            let files = folder.join(table.name()).join("*.parquet");
            let files = files.display().to_string().replace('\'', "''");
            let only = match table {
                TableKind::Packages => "",
                _ => " SEMI JOIN packages USING (package_id)",
            };
            text.push_str(&format!(
                "CREATE OR REPLACE VIEW {table} AS SELECT * FROM read_parquet('{files}'){only};\n"
            ));
        }
        let path = self.folder.join(FILE);
        if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
            return Ok(());
        }
        Replacement::new(&path, text.as_bytes()).overwrite(true).commit().map(drop)
    }
}

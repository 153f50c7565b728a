//! Views for SQL.

use std::path::Path;

use super::super::TableKind;
use super::folder::Depot;
use crate::error::{Error, Result};
use crate::file::{self, Replacement};

/// The file with the views.
pub(super) const FILE: &str = "tables.sql";

const HEAD: &str = "-- duckdb -init tables.sql\n";
/// What every other line begins with.
const VIEW: &str = "CREATE OR REPLACE VIEW ";

/// Whether a file has nothing in it but what a scan writes.
pub(super) fn is_written_by_a_scan(path: &Path) -> bool {
    let Ok((bytes, _)) = file::read_found(path) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    text.strip_prefix(HEAD).is_some_and(|rest| rest.lines().all(|line| line.starts_with(VIEW)))
}

impl Depot {
    /// Writes `tables.sql`: a view of each table in DuckDB's SQL, without the rows of former packages.
    pub(super) fn write_views(&self) -> Result<()> {
        let folder = std::path::absolute(&self.folder);
        let folder = folder.map_err(|error| Error::io(&self.folder, error))?;
        let mut text = HEAD.to_owned();
        for table in self.tables.iter() {
            let files = folder.join(table.name()).join("*.parquet");
            let files = files.display().to_string().replace('\'', "''");
            let only = match table {
                TableKind::Packages => "",
                _ => " SEMI JOIN packages USING (package_id)",
            };
            text.push_str(&format!(
                "{VIEW}{table} AS SELECT * FROM read_parquet('{files}'){only};\n"
            ));
        }
        let path = self.folder.join(FILE);
        if file::read_found(&path).is_ok_and(|(known, _)| known == text) {
            return Ok(());
        }
        self.manifest.check_own(&path)?;
        let hash = blake3::hash(text.as_bytes());
        self.manifest.note(&[(path.clone(), hash, text.len() as u64)])?;
        Replacement::new(&path, text.as_bytes()).overwrite(true).commit().map(drop)
    }
}

//! Views for SQL.

use std::path::Path;

use super::super::TableKind;
use super::folder::Depot;
use crate::error::Result;
use crate::file::{self, FileOrigin, Replacement};

/// The file with the views.
pub(super) const FILE: &str = "tables.sql";

const HEAD: &str = "-- duckdb -init tables.sql\n";
/// What ends the path of a table's files.
const FILES: &str = "*.parquet";

/// The line of a table before the folder and behind it.
fn line_around(table: TableKind) -> [String; 2] {
    let only = match table {
        TableKind::Packages => "",
        _ => " SEMI JOIN packages USING (package_id)",
    };
    let before = format!("CREATE OR REPLACE VIEW {table} AS SELECT * FROM read_parquet('");
    [before, format!("'){only};")]
}

/// Whether a file has nothing in it but what a scan writes: the lines of tables, for a folder of any place.
pub(super) fn is_written_by_a_scan(path: &Path) -> bool {
    let Ok((bytes, _)) = file::read_found(path) else { return false };
    let Ok(text) = std::str::from_utf8(&bytes) else { return false };
    let is_of = |line: &str, table: TableKind| {
        let [before, behind] = line_around(table);
        let files = line.strip_prefix(&before).and_then(|rest| rest.strip_suffix(&behind));
        files.is_some_and(|files| {
            let mut parts = files.rsplit(['/', '\\']);
            let ends_so = parts.next() == Some(FILES) && parts.next() == Some(table.name());
            // A quote that is not doubled would end the path.
            ends_so && !files.replace("''", "").contains('\'')
        })
    };
    let is_line = |line: &str| TableKind::ALL.into_iter().any(|table| is_of(line, table));
    text.strip_prefix(HEAD).is_some_and(|rest| rest.lines().all(is_line))
}

impl Depot {
    /// Writes `tables.sql`: a view of each table in DuckDB's SQL, without the rows of former packages.
    pub(super) fn write_views(&self) -> Result<()> {
        // As the scan was told it: a workspace that lies elsewhere tomorrow has the same file.
        let folder = &self.folder;
        let mut text = HEAD.to_owned();
        for table in self.tables.iter() {
            let files = folder.join(table.name()).join(FILES);
            let files = files.display().to_string().replace('\'', "''");
            let [before, behind] = line_around(table);
            text.push_str(&format!("{before}{files}{behind}\n"));
        }
        let path = self.folder.join(FILE);
        if file::read_found(&path).is_ok_and(|(known, _)| known == text) {
            return Ok(());
        }
        self.manifest.check_own(&path)?;
        let hash = blake3::hash(text.as_bytes());
        self.manifest.note(&[(path.clone(), hash, text.len() as u64)])?;
        let written = Replacement::new(&path, text.as_bytes()).origin(FileOrigin::Found);
        written.overwrite(true).commit().map(drop)
    }
}

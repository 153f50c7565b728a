//! Texts of a language (`.locres`) as rows and columns, and back.

use serde_json::Value as Json;

use super::file::ReadTable;
use super::grid::{Table, TableFormat};
use super::plan::TableChange;
use super::plan::{PlannedRow, Rules, TablePlan};
use crate::error::{Error, Result};
use crate::related::{LocalizedRow, LocalizedTexts};

/// The columns.
const NAMESPACE: &str = "Namespace";
const KEY: &str = "Key";
const TRANSLATION: &str = "Translation";
const SOURCE_HASH: &str = "SourceHash";
/// In place of the hash: the text that it is of.
const SOURCE_STRING: &str = "SourceString";

/// Texts of a language as a table.
pub trait LocalizedTable {
    /// The texts as rows: namespace, key, translation, and the hash of the source text. `source` is what the file was
    /// read from.
    ///
    /// # Errors
    /// As [`LocalizedTexts::entries`].
    fn table(&self, source: &[u8]) -> Result<Table>;

    /// Gives the file the rows of a table as [`LocalizedTable::table`] has them. New keys say the hash of their source
    /// text, as another language has it, or that text in a column `SourceString`.
    ///
    /// # Errors
    /// `Invalid` for a damaged table; as [`LocalizedTexts::set_rows`].
    fn replace_rows(
        &mut self,
        file: &[u8],
        format: TableFormat,
        source: &[u8],
    ) -> Result<TableChange>;
}

impl LocalizedTable for LocalizedTexts {
    fn table(&self, source: &[u8]) -> Result<Table> {
        let mut table = Table::new(NAMESPACE, NAMESPACE);
        table.add_columns(&[KEY, TRANSLATION, SOURCE_HASH]);
        for namespace in &self.namespaces {
            let name = namespace.name.text.text(source)?.into_owned();
            for entry in &namespace.entries {
                let key = entry.key.text.text(source)?.into_owned();
                let text = self.translation(entry).ok_or_else(|| {
                    Error::invalid(format!("{name}/{key} has no string in the list of strings"))
                })?;
                let text = text.text(source)?.into_owned();
                let hash = format!("{:#010x}", entry.source_hash);
                let cells = [(KEY, key), (TRANSLATION, text), (SOURCE_HASH, hash)];
                let cells = cells.map(|(column, text)| (column.to_owned(), Json::from(text)));
                table.push(name.clone(), cells.to_vec());
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
        let file = ReadTable::read(file, format, NAMESPACE)?;
        let plan = TablePlan::of(&old, &file, &Rules { identity: &[KEY], ..Rules::TEXTS })?;
        if !plan.change.is_change() {
            return Ok(plan.change);
        }
        let rows =
            plan.rows.iter().map(|row| localized_row(row, &plan)).collect::<Result<Vec<_>>>()?;
        self.set_rows(&rows, source)?;
        Ok(plan.change)
    }
}

fn localized_row(row: &PlannedRow, plan: &TablePlan) -> Result<LocalizedRow> {
    let mut made =
        LocalizedRow { from: row.from, namespace: row.name.clone(), ..Default::default() };
    for (at, text) in &row.cells {
        let Some(column) = plan.columns.get(*at) else { continue };
        let text = text.clone().unwrap_or_default();
        match column.name.as_str() {
            KEY => made.key = text,
            TRANSLATION => made.text = Some(text),
            SOURCE_HASH => made.source_hash = Some(hash(&text)?),
            SOURCE_STRING if text.is_empty() => {}
            SOURCE_STRING => made.source_hash = Some(LocalizedTexts::source_hash(&text)),
            other => {
                return Err(Error::invalid(format!(
                    "a table of texts has no column {other}: {NAMESPACE}, {KEY}, {TRANSLATION}, {SOURCE_HASH} or {SOURCE_STRING}"
                )));
            }
        }
    }
    Ok(made)
}

/// A hash as it is written, or as a plain number.
fn hash(text: &str) -> Result<u32> {
    let digits = text.trim();
    let number = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    number.map_err(|_| Error::invalid(format!("the source hash '{text}' is no number")))
}

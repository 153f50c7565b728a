//! The tables of a scan, read back.

#![allow(dead_code, reason = "every test file uses another part")]

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::path::Path;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use unreal_packages::scan::arrow_array::cast::AsArray;
use unreal_packages::scan::arrow_array::types::{Float64Type, Int64Type};
use unreal_packages::scan::arrow_array::{Array, ArrayRef, RecordBatch};
use unreal_packages::scan::{TableKind, TableSet};

/// The rows of a table, each as the texts of its cells.
pub type TextRows = Vec<Vec<Option<String>>>;

/// All batches of a table as its files hold them.
pub fn batches(out: &Path, table: TableKind) -> Vec<RecordBatch> {
    let mut files: Vec<_> = std::fs::read_dir(out.join(table.name()))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'))
        .collect();
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
        let reader = reader.build().unwrap();
        found.extend(reader.map(|batch| batch.unwrap()));
    }
    found
}

fn cell(column: &ArrayRef, row: usize) -> Option<String> {
    if column.is_null(row) {
        return None;
    }
    if let Some(texts) = column.as_string_opt::<i32>() {
        return Some(texts.value(row).to_owned());
    }
    if let Some(numbers) = column.as_primitive_opt::<Int64Type>() {
        return Some(numbers.value(row).to_string());
    }
    if let Some(numbers) = column.as_primitive_opt::<Float64Type>() {
        return Some(numbers.value(row).to_string());
    }
    Some(column.as_boolean().value(row).to_string())
}

/// The rows of a table that belong to a package, sorted.
pub fn rows(out: &Path, table: TableKind) -> TextRows {
    let packages: HashSet<i64> = batches(out, TableKind::Packages)
        .iter()
        .flat_map(|batch| batch.column(0).as_primitive::<Int64Type>().values().to_vec())
        .collect();
    let mut rows = Vec::new();
    for batch in batches(out, table) {
        let ids = batch.column(0).as_primitive::<Int64Type>();
        for row in (0..batch.num_rows()).filter(|&row| packages.contains(&ids.value(row))) {
            rows.push(batch.columns().iter().map(|column| cell(column, row)).collect());
        }
    }
    rows.sort();
    rows
}

/// All tables that a scan makes where none are named: how often each row is there.
pub fn all_rows(out: &Path) -> BTreeMap<&'static str, TextRows> {
    TableSet::USUAL.iter().map(|table| (table.name(), rows(out, table))).collect()
}

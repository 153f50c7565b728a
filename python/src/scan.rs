//! Folders of packages as tables.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use unreal_packages::scan::{FileFault, FileHashes, FileToScan, TableKind, TableSet};

use crate::arguments::{Opening, containers, word};
use crate::error::invalid;
use crate::plan::{Plan, PlanFiles};
use crate::rows::{Rows, Scan};

/// The tables that a scan has.
#[pyfunction]
pub fn tables() -> Vec<&'static str> {
    TableKind::ALL.iter().map(|table| table.name()).collect()
}

/// The tables that a scan makes where none are named.
#[pyfunction]
pub fn usual_tables() -> Vec<&'static str> {
    TableSet::USUAL.iter().map(TableKind::name).collect()
}

/// The columns of a table: name, type as SQL has it, whether a row may have no value, what it means.
#[pyfunction]
pub fn columns(
    py: Python<'_>,
    table: &str,
) -> PyResult<Vec<(&'static str, &'static str, bool, &'static str)>> {
    let table: TableKind = word(py, table)?;
    let one = |column: &unreal_packages::scan::TableColumn| {
        (column.name, column.column_type.word(), column.nullable, column.doc)
    };
    Ok(table.columns().iter().map(one).collect())
}

/// A file to scan as Python hands it over: where it lies, what its rows call it, what other packages call it, whether
/// it was named, what tells its content from any other, why it can't be looked into, and its path below the place.
pub type FileTuple =
    (PathBuf, String, Option<String>, bool, Option<String>, Option<(bool, String)>, String);

/// The file of a tuple.
pub fn file_of(
    (file, path, mount_path, is_named, content_key, fault, relative_path): FileTuple,
) -> FileToScan {
    let fault = fault.map(|(is_unsupported, reason)| FileFault { is_unsupported, reason });
    FileToScan { file, path, relative_path, mount_path, is_named, content_key, fault }
}

/// The rows of these files, or of those in `places`: of one table while they are read, or of several at once, by name.
#[pyfunction]
#[pyo3(signature = (files, tables, columns=None, *, mappings=None, engine=None, game=None, max_image=None,
                    env=None, keys=None, jobs=None, progress=None, places=None))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn scan_files<'py>(
    py: Python<'py>,
    files: Option<Vec<FileTuple>>,
    tables: &Bound<'py, PyAny>,
    columns: Option<Vec<String>>,
    mappings: Option<&Bound<'py, PyAny>>,
    engine: Option<&str>,
    game: Option<&str>,
    max_image: Option<u64>,
    env: Option<Vec<PathBuf>>,
    keys: Option<Vec<String>>,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
    places: Option<Vec<PathBuf>>,
) -> PyResult<Bound<'py, PyAny>> {
    let files = PlanFiles {
        known: files.into_iter().flatten().map(file_of).collect(),
        places: places.unwrap_or_default(),
        containers: Arc::new(containers(py, keys.clone(), None)?),
    };
    // A place that is not there is an error here, and not where rows are read.
    files.check(py)?;
    let opening = Opening::new(py, mappings, engine, game, max_image, env, keys)?;
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let hashes = FileHashes::among(columns.iter().flatten().map(String::as_str));
    let jobs = jobs.unwrap_or_else(cores);
    let plan = Arc::new(Plan { files, opening, hashes, jobs, progress });
    if let Ok(table) = tables.extract::<String>() {
        let table: TableKind = word(py, &table)?;
        let places = self::places(py, table, columns.as_deref())?;
        return Ok(Bound::new(py, Rows::of_files(table, places, plan)?)?.into_any());
    }
    if columns.is_some() {
        return Err(invalid(py, "columns are of one table: say which, as in tables='exports'"));
    }
    let wanted: Vec<TableKind> = tables
        .extract::<Vec<String>>()?
        .iter()
        .map(|name| word(py, name))
        .collect::<PyResult<_>>()?;
    let mut found: BTreeMap<TableKind, Vec<_>> =
        wanted.iter().map(|table| (*table, Vec::new())).collect();
    let run = || -> PyResult<()> {
        let mut scan = Scan::start(plan, TableSet::of(wanted.iter().copied()), true);
        while let Some(next) = scan.next() {
            let (table, batch) = next?;
            if let Some(batches) = found.get_mut(&table) {
                batches.push(batch);
            }
        }
        Ok(())
    };
    py.detach(run)?;
    let dict = PyDict::new(py);
    for (table, batches) in found {
        let places = self::places(py, table, None)?;
        dict.set_item(table.name(), Rows::of_batches(table, places, batches)?)?;
    }
    Ok(dict.into_any())
}

/// The rows of one table that a function makes part by part: each time it is called it gives an iterator of rows.
#[pyfunction]
#[pyo3(signature = (table, make, columns=None))]
pub fn rows_of_parts(
    py: Python<'_>,
    table: &str,
    make: Py<PyAny>,
    columns: Option<Vec<String>>,
) -> PyResult<Rows> {
    let table: TableKind = word(py, table)?;
    Rows::of_parts(table, places(py, table, columns.as_deref())?, make)
}

/// The places of columns in a table; all where none are named.
pub fn places(py: Python<'_>, table: TableKind, names: Option<&[String]>) -> PyResult<Vec<usize>> {
    let known = table.columns();
    let Some(names) = names else { return Ok((0..known.len()).collect()) };
    let place = |name: &String| {
        known.iter().position(|column| column.name == name).ok_or_else(|| {
            let all: Vec<_> = known.iter().map(|column| column.name).collect();
            let (table, all) = (table.name(), all.join(", "));
            invalid(py, format!("the table {table} has no column '{name}': its columns are {all}"))
        })
    };
    names.iter().map(place).collect()
}

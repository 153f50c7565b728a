//! Folders of packages as tables.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use unreal_packages::container::Containers;
use unreal_packages::file::Links;
use unreal_packages::package::CompanionKind;
use unreal_packages::scan::{FileFault, FileToScan, FoundFiles, TableKind, TableSet};

use crate::arguments::{Opening, containers, word};
use crate::error::{OrRaise, invalid};
use crate::lent::Lent;
use crate::rows::{Plan, Rows, Scan};

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

/// A file of a scan: where it lies, what its rows call it, what other packages call it, whether it was named, and
/// its size, that of its bodies with it.
/// Then, for what can't be looked into: whether its kind is not supported, and the reason. Last its path below the
/// place.
type Listed = (PathBuf, String, Option<String>, bool, u64, Option<(bool, String)>, String);

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

/// The files that a scan of these places looks at, in order: packages that are named, and all files in folders and
/// containers but those that are read together with a package.
#[pyfunction]
#[pyo3(signature = (places, *, keys=None))]
pub fn list_files(
    py: Python<'_>,
    places: Vec<PathBuf>,
    keys: Option<Vec<String>>,
) -> PyResult<Vec<Listed>> {
    let containers = containers(py, keys, None)?;
    let search = move || {
        let open = |path: &Path| containers.container(path);
        let found = FoundFiles::search(&places, Links::Inside, &open)?;
        Ok(listed(found, &places, &containers))
    };
    interruptible(py, search)?.or_raise(py)
}

/// The files that a scan of these places looks at, which Python need not see.
fn files_in(
    py: Python<'_>,
    places: Vec<PathBuf>,
    keys: Option<Vec<String>>,
) -> PyResult<Vec<FileToScan>> {
    let containers = containers(py, keys, None)?;
    let search = move || {
        let open = |path: &Path| containers.container(path);
        let found = FoundFiles::search(&places, Links::Inside, &open)?;
        Ok(found.into_scan(&places, &[]))
    };
    interruptible(py, search)?.or_raise(py)
}

/// Long work without pauses in which it could look for signals: it runs on a thread of its own, which nobody waits for
/// any more once there is one.
fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    const PAUSE: Duration = Duration::from_millis(50);
    py.detach(|| {
        let (sender, done) = channel();
        thread::spawn(move || drop(sender.send(work())));
        loop {
            match done.recv_timeout(PAUSE) {
                Ok(found) => return Ok(found),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the listing has failed"));
                }
            }
        }
    })
}

/// The same for files of an object store: `root` is a folder of this disk that stands for the listed one.
#[pyfunction]
#[pyo3(signature = (root, files, lent, *, keys=None))]
pub fn list_listing(
    py: Python<'_>,
    root: PathBuf,
    files: Vec<PathBuf>,
    lent: &Lent,
    keys: Option<Vec<String>>,
) -> PyResult<Vec<Listed>> {
    let containers = containers(py, keys, Some(lent.files.clone()))?;
    interruptible(py, move || {
        let found = FoundFiles::of_listing(&root, files, &|path| containers.container(path));
        listed(found, &[root], &containers)
    })
}

fn listed(found: FoundFiles, places: &[PathBuf], containers: &Containers) -> Vec<Listed> {
    let size = |file: &Path| {
        if let Some((container, inside)) = Containers::split(file) {
            let open = containers.container(&container).ok();
            let entry =
                open.and_then(|open| open.find(&inside).and_then(|row| open.file(row)).ok());
            return entry.map_or(0, |entry| entry.size);
        }
        let size = |file: &Path| std::fs::metadata(file).map_or(0, |facts| facts.len());
        size(file) + size(&CompanionKind::Exports.path_beside(file))
    };
    let one = |it: FileToScan| {
        let size = size(&it.file);
        let fault = it.fault.map(|fault| (fault.is_unsupported, fault.reason));
        (it.file, it.path, it.mount_path, it.is_named, size, fault, it.relative_path)
    };
    // On a share each file is asked for over the network: many at a time.
    let files = found.into_scan(places, &[]);
    let part = files.len().div_ceil(ASKED_AT_ONCE).max(FEWEST);
    let mut parts: Vec<Vec<FileToScan>> = Vec::new();
    let mut files = files.into_iter().peekable();
    while files.peek().is_some() {
        parts.push(files.by_ref().take(part).collect());
    }
    thread::scope(|scope| {
        let run = |part: Vec<FileToScan>| scope.spawn(|| part.into_iter().map(one).collect());
        let threads: Vec<thread::ScopedJoinHandle<'_, Vec<Listed>>> =
            parts.into_iter().map(run).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

/// Threads that ask for sizes of files, and files below which one does.
const ASKED_AT_ONCE: usize = 16;
const FEWEST: usize = 512;

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
    let mut known: Vec<_> = files.into_iter().flatten().map(file_of).collect();
    if let Some(places) = places {
        known.extend(files_in(py, places, keys.clone())?);
    }
    let files = known;
    let opening = Opening::new(py, mappings, engine, game, max_image, env, keys)?;
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let plan = Arc::new(Plan { files, opening, jobs: jobs.unwrap_or_else(cores), progress });
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

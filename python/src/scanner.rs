//! A scan of files that come one after the other: those of an object store.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use unreal_packages::package::may_be_package as may_be;
use unreal_packages::scan::{
    FileHashes, PackageRows, TableKind, TableSet, header_size, rows_of_file, rows_of_header,
};

use crate::arguments::{Opening, word};
use crate::lent::Lent;
use crate::rows::Rows;
use crate::scan::{FileTuple, file_of, places};

/// Makes the rows of one table of files that the caller fetches.
#[pyclass(frozen, module = "farchive._farchive")]
#[derive(Debug)]
pub struct Scanner {
    table: TableKind,
    columns: Vec<usize>,
    rows: Mutex<PackageRows>,
    full: Arc<Mutex<Vec<RecordBatch>>>,
    opening: Opening,
    needs_bodies: bool,
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Scanner {
    /// Environment, mappings and containers are opened once for all files.
    #[new]
    #[pyo3(signature = (table, columns=None, shown=None, *, mappings=None, engine=None, game=None, max_image=None,
                        env=None, keys=None, lent=None))]
    #[allow(clippy::too_many_arguments, reason = "Python's keywords")]
    fn new(
        py: Python<'_>,
        table: &str,
        columns: Option<Vec<String>>,
        shown: Option<(String, String)>,
        mappings: Option<&Bound<'_, PyAny>>,
        engine: Option<&str>,
        game: Option<&str>,
        max_image: Option<u64>,
        env: Option<Vec<PathBuf>>,
        keys: Option<Vec<String>>,
        lent: Option<&Lent>,
    ) -> PyResult<Self> {
        let lent = lent.map(|lent| lent.files.clone());
        let opening = Opening::with_lent(py, mappings, engine, game, max_image, env, keys, lent)?;
        let table: TableKind = word(py, table)?;
        let hashes = FileHashes::among(columns.iter().flatten().map(String::as_str));
        let columns = places(py, table, columns.as_deref())?;
        let full: Arc<Mutex<Vec<RecordBatch>>> = Arc::default();
        let sink = full.clone();
        let mut rows = PackageRows::handing_on(TableSet::of([table]), move |of, batch| {
            if of == table {
                held(&sink).push(batch);
            }
        })
        .hashing(hashes);
        if let Some((from, to)) = shown {
            rows = rows.showing_as(from, to);
        }
        let names: Vec<_> = columns.iter().map(|place| table.columns()[*place].name).collect();
        let needs_bodies = table.needs_bodies(&names);
        if !needs_bodies {
            rows = rows.without_bodies();
        }
        Ok(Self { table, columns, rows: Mutex::new(rows), full, opening, needs_bodies })
    }

    /// Whether the chosen columns are made of bodies: else headers do.
    #[getter]
    fn needs_bodies(&self) -> bool {
        self.needs_bodies
    }

    /// Adds the rows of files that lie on this disk, or in lent containers.
    fn add(&self, py: Python<'_>, files: Vec<FileTuple>) {
        py.detach(|| {
            let options = self.opening.options().clone().threads(1);
            let mut rows = held(&self.rows);
            for file in files.into_iter().map(file_of) {
                rows_of_file(&mut rows, &file, &options, |it| self.opening.prepare(it));
            }
        });
    }

    /// Adds the rows of a package of which the header is there; says whether that did.
    fn add_header(
        &self,
        py: Python<'_>,
        header: PyBackedBytes,
        size: u64,
        file: FileTuple,
    ) -> bool {
        py.detach(|| {
            let options = self.opening.options().clone().threads(1);
            let file = file_of(file);
            rows_of_header(&mut held(&self.rows), &file, &header, size, &options)
        })
    }

    /// The batches that are full; all that is left at the end.
    #[pyo3(signature = (*, all=false))]
    fn take(&self, py: Python<'_>, all: bool) -> PyResult<Option<Rows>> {
        let batches = py.detach(|| {
            let mut batches = std::mem::take(&mut *held(&self.full));
            if all {
                let left = held(&self.rows).finish();
                batches.extend(left.into_iter().filter(|it| it.0 == self.table).map(|it| it.1));
            }
            batches
        });
        if batches.is_empty() {
            return Ok(None);
        }
        Rows::of_batches(self.table, self.columns.clone(), batches).map(Some)
    }
}

/// Whether a file of `size` bytes that starts so may be a package.
#[pyfunction]
pub fn may_be_package(start: PyBackedBytes, size: u64) -> bool {
    may_be(&start, size)
}

/// How many bytes the header of a package of UE4 or UE5 has that starts so; `None` where tables stand elsewhere, or
/// where nothing but the whole package says what it is.
#[pyfunction]
pub fn size_of_header(start: PyBackedBytes) -> Option<u64> {
    header_size(&start)
}

//! Rows of a scan as a stream of Arrow batches.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use unreal_packages::scan::{FileToScan, PackageRows, TableKind, TableSet, rows_of_file};

use crate::arguments::Opening;

/// Batches that wait for each thread which makes them: memory does not grow with the files.
const WAITING: usize = 2;

/// What is scanned, and how.
#[derive(Debug)]
pub struct Plan {
    /// The files, in order.
    pub files: Vec<FileToScan>,
    /// How they are opened.
    pub opening: Opening,
    /// Threads.
    pub jobs: usize,
    /// Called with the files that are done and all.
    pub progress: Option<Py<PyAny>>,
}

/// The rows of one table: what pyarrow, polars and DuckDB take as it is (`__arrow_c_stream__`).
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Rows {
    table: TableKind,
    schema: SchemaRef,
    /// Places of the columns in the table.
    columns: Vec<usize>,
    source: RowSource,
}

#[derive(Debug)]
enum RowSource {
    /// Made while they are read, each time anew.
    Files(Arc<Plan>),
    /// Made already.
    Batches(Arc<[RecordBatch]>),
}

impl Rows {
    /// Rows that are made while they are read.
    pub fn of_files(table: TableKind, columns: Vec<usize>, plan: Arc<Plan>) -> PyResult<Self> {
        Self::new(table, columns, RowSource::Files(plan))
    }

    /// Rows that are there.
    pub fn of_batches(
        table: TableKind,
        columns: Vec<usize>,
        batches: Vec<RecordBatch>,
    ) -> PyResult<Self> {
        Self::new(table, columns, RowSource::Batches(batches.into()))
    }

    fn new(table: TableKind, columns: Vec<usize>, source: RowSource) -> PyResult<Self> {
        let schema = table.schema().project(&columns).map_err(arrow_error)?;
        Ok(Self { table, schema: Arc::new(schema), columns, source })
    }

    fn reader(&self) -> Reader {
        let batches = match &self.source {
            RowSource::Batches(batches) => Batches::There(batches.clone(), 0),
            RowSource::Files(plan) => {
                Batches::Coming(Scan::start(plan.clone(), TableSet::of([self.table])))
            }
        };
        let (table, schema, columns) = (self.table, self.schema.clone(), self.columns.clone());
        Reader { table, schema, columns, batches }
    }
}

fn arrow_error(error: ArrowError) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(error.to_string())
}

#[pymethods]
impl Rows {
    #[getter]
    fn table(&self) -> &'static str {
        self.table.name()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as Arrow's C interface hands them over.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Nothing is cast: who asks for other types does it.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.reader()));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema alone.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(arrow_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __repr__(&self) -> String {
        let (name, count) = (self.table.name(), self.columns.len());
        format!("<farchive.Rows of the table {name}, {count} columns>")
    }
}

/// Where batches come from.
enum Batches {
    There(Arc<[RecordBatch]>, usize),
    Coming(Scan),
}

/// Hands batches out one after the other.
struct Reader {
    table: TableKind,
    schema: SchemaRef,
    columns: Vec<usize>,
    batches: Batches,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match &mut self.batches {
            Batches::There(batches, at) => {
                *at += 1;
                Ok(batches.get(*at - 1)?.clone())
            }
            Batches::Coming(scan) => loop {
                let (table, batch) = match scan.next()? {
                    Ok(found) => found,
                    Err(error) => return Some(Err(error)),
                };
                if table == self.table {
                    break Ok(batch);
                }
            },
        };
        Some(batch.and_then(|batch| batch.project(&self.columns)))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A scan that runs: threads open files and send batches, until there are no more or nobody wants them.
#[derive(Debug)]
pub struct Scan {
    plan: Arc<Plan>,
    batches: Receiver<(TableKind, RecordBatch)>,
    done: Arc<AtomicU64>,
    told: u64,
    stop: Arc<AtomicBool>,
}

impl Scan {
    /// Starts one.
    pub fn start(plan: Arc<Plan>, tables: TableSet) -> Self {
        let jobs = plan.jobs.clamp(1, plan.files.len().max(1));
        let (sender, batches) = sync_channel(jobs * WAITING);
        let (next, done) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        let stop = Arc::new(AtomicBool::new(false));
        for _ in 0..jobs {
            let (plan, sender) = (plan.clone(), sender.clone());
            let (next, done, stop) = (next.clone(), done.clone(), stop.clone());
            thread::spawn(move || scan_files(&plan, tables, &sender, (&next, &done), &stop));
        }
        Self { plan, batches, done, told: 0, stop }
    }

    /// The next batch, of whatever table.
    pub fn next(&mut self) -> Option<Result<(TableKind, RecordBatch), ArrowError>> {
        let found = self.batches.recv().ok();
        let done = self.done.load(Ordering::Relaxed);
        if let Some(hook) = &self.plan.progress
            && (done > self.told || found.is_none())
        {
            self.told = done;
            let all = self.plan.files.len();
            if let Err(error) = Python::attach(|py| hook.call1(py, (done, all)).map(drop)) {
                self.stop.store(true, Ordering::Relaxed);
                return Some(Err(ArrowError::ExternalError(error.to_string().into())));
            }
        }
        found.map(Ok)
    }
}

/// Whoever waits to send ends as the receiver goes.
impl Drop for Scan {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What one thread does.
fn scan_files(
    plan: &Plan,
    tables: TableSet,
    sender: &SyncSender<(TableKind, RecordBatch)>,
    (next, done): (&AtomicUsize, &AtomicU64),
    stop: &Arc<AtomicBool>,
) {
    let (to, over) = (sender.clone(), stop.clone());
    let mut rows = PackageRows::handing_on(tables, move |table, batch| {
        if to.send((table, batch)).is_err() {
            over.store(true, Ordering::Relaxed);
        }
    });
    // Many files keep every core busy; each is decompressed on one.
    let options = plan.opening.options().clone().threads(1);
    while let Some(file) = plan.files.get(next.fetch_add(1, Ordering::Relaxed)) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        rows_of_file(&mut rows, file, &options, |package| plan.opening.prepare(package));
        done.fetch_add(1, Ordering::Relaxed);
    }
    for batch in rows.finish() {
        if sender.send(batch).is_err() {
            return;
        }
    }
}

//! Rows of a scan as a stream of Arrow batches.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyIterator};
use unreal_packages::scan::{PackageRows, TableKind, TableSet, rows_of_file};

use crate::error::OrRaise;
use crate::package::escaped;
use crate::plan::{Plan, Queue};
use crate::progress::Progress;

/// Batches that wait for each thread which makes them: memory does not grow with the files.
const WAITING: usize = 2;
/// How long nobody looks for signals.
const PAUSE: Duration = Duration::from_millis(50);

/// Files that a thread takes at once.
const TAKEN: usize = 4;

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
    /// Made by a function of Python, each time anew, which gives rows of the same table one after the other.
    Parts(Py<PyAny>),
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

    /// Rows that a function of Python makes.
    pub fn of_parts(table: TableKind, columns: Vec<usize>, make: Py<PyAny>) -> PyResult<Self> {
        Self::new(table, columns, RowSource::Parts(make))
    }

    fn new(table: TableKind, columns: Vec<usize>, source: RowSource) -> PyResult<Self> {
        let schema = table.schema().project(&columns).map_err(arrow_error)?;
        Ok(Self { table, schema: Arc::new(schema), columns, source })
    }

    fn reader(&self) -> Reader {
        let batches = match &self.source {
            RowSource::Batches(batches) => Batches::There(batches.clone(), 0),
            RowSource::Parts(make) => {
                let make = Python::attach(|py| make.clone_ref(py));
                Batches::Made(Parts { make, iterator: None, held: VecDeque::new() })
            }
            RowSource::Files(plan) => {
                let known = self.table.columns();
                let names: Vec<_> = self.columns.iter().map(|place| known[*place].name).collect();
                let reads_bodies = self.table.needs_bodies(&names);
                let tables = TableSet::of([self.table]);
                Batches::Coming(Scan::start(plan.clone(), tables, reads_bodies))
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

    /// The rows batch by batch, each as rows by themselves: here exceptions of `progress` stay what they are, which
    /// Arrow's C interface makes a text of.
    fn __iter__(&self) -> RowsIterator {
        RowsIterator { reader: Mutex::new(self.reader()), columns: self.columns.clone() }
    }

    /// The columns, for notebooks: rows are made when they are asked for.
    fn _repr_html_(&self) -> String {
        let mut html = format!("<p>{}</p>", escaped(&self.__repr__()));
        html.push_str("<table><tr><th>column</th><th>type</th><th>what it is</th></tr>");
        for column in self.columns.iter().map(|place| &self.table.columns()[*place]) {
            let (name, word, doc) = (column.name, column.column_type.word(), escaped(column.doc));
            html.push_str(&format!("<tr><td>{name}</td><td>{word}</td><td>{doc}</td></tr>"));
        }
        html + "</table>"
    }

    fn __repr__(&self) -> String {
        let (name, count) = (self.table.name(), self.columns.len());
        format!("<farchive.Rows of the table {name}, {count} columns>")
    }
}

/// The rows of a table, batch by batch.
#[pyclass(frozen, module = "farchive._farchive")]
pub struct RowsIterator {
    reader: Mutex<Reader>,
    columns: Vec<usize>,
}

impl std::fmt::Debug for RowsIterator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowsIterator").finish_non_exhaustive()
    }
}

#[pymethods]
impl RowsIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Rows>> {
        let next = py.detach(|| {
            let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
            (reader.table, reader.batch())
        });
        let (table, Some(batch)) = next else { return Ok(None) };
        Rows::of_batches(table, self.columns.clone(), vec![batch?]).map(Some)
    }
}

/// Where batches come from.
enum Batches {
    There(Arc<[RecordBatch]>, usize),
    Coming(Scan),
    Made(Parts),
}

/// Rows that a function of Python makes part by part.
struct Parts {
    make: Py<PyAny>,
    iterator: Option<Py<PyIterator>>,
    /// Of the last part.
    held: VecDeque<RecordBatch>,
}

impl Parts {
    /// The next batch; whatever Python raises is handed on as it is.
    fn next(&mut self) -> Option<PyResult<RecordBatch>> {
        while self.held.is_empty() {
            match Python::attach(|py| self.part(py)) {
                Ok(Some(batches)) => self.held.extend(batches.iter().cloned()),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        self.held.pop_front().map(Ok)
    }

    fn part(&mut self, py: Python<'_>) -> PyResult<Option<Arc<[RecordBatch]>>> {
        if self.iterator.is_none() {
            self.iterator = Some(self.make.bind(py).call0()?.try_iter()?.unbind());
        }
        let Some(iterator) = &self.iterator else { return Ok(None) };
        let Some(part) = iterator.bind(py).clone().next() else { return Ok(None) };
        let part = part?;
        match &part.cast::<Rows>()?.get().source {
            RowSource::Batches(batches) => Ok(Some(batches.clone())),
            _ => Err(PyTypeError::new_err("a part is rows that are made already")),
        }
    }
}

/// Hands batches out one after the other.
struct Reader {
    table: TableKind,
    schema: SchemaRef,
    columns: Vec<usize>,
    batches: Batches,
}

impl Reader {
    /// The next batch, with all columns of the table.
    fn batch(&mut self) -> Option<PyResult<RecordBatch>> {
        match &mut self.batches {
            Batches::There(batches, at) => {
                *at += 1;
                Some(Ok(batches.get(*at - 1)?.clone()))
            }
            Batches::Made(parts) => parts.next(),
            Batches::Coming(scan) => loop {
                match scan.next()? {
                    Ok((table, batch)) if table == self.table => return Some(Ok(batch)),
                    Ok(_) => {}
                    Err(error) => return Some(Err(error)),
                }
            },
        }
    }
}

/// A text for an exception, which is all that Arrow's C interface hands on. An interrupt is raised anew once Python
/// runs again.
fn told(error: PyErr) -> ArrowError {
    Python::attach(|py| {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            let interrupt = py.import("_thread").and_then(|it| it.call_method0("interrupt_main"));
            drop(interrupt);
        }
        ArrowError::ExternalError(error.to_string().into())
    })
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.batch()?.map_err(told);
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
    queue: Arc<Queue>,
    batches: Receiver<(TableKind, RecordBatch)>,
    done: Arc<AtomicU64>,
    told: u64,
    progress: Progress,
    stop: Arc<AtomicBool>,
}

impl Scan {
    /// Starts one.
    pub fn start(plan: Arc<Plan>, tables: TableSet, reads_bodies: bool) -> Self {
        let jobs = plan.jobs.clamp(1, plan.files.most_jobs());
        let (sender, batches) = sync_channel(jobs * WAITING);
        let (done, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
        let queue = Arc::new(Queue::new(&plan, &stop));
        for _ in 0..jobs {
            let (plan, sender) = (plan.clone(), sender.clone());
            let (queue, done, stop) = (queue.clone(), done.clone(), stop.clone());
            let wanted = (tables, reads_bodies);
            thread::spawn(move || scan_files(&plan, wanted, &sender, (&queue, &done), &stop));
        }
        let progress = Progress::new(
            plan.progress.as_ref().map(|hook| Python::attach(|py| hook.clone_ref(py))),
        );
        Self { queue, batches, done, told: 0, progress, stop }
    }

    /// The next batch, of whatever table. While there is none, signals are looked for and progress is told: files of
    /// which many make one batch keep nobody waiting.
    pub fn next(&mut self) -> Option<PyResult<(TableKind, RecordBatch)>> {
        loop {
            let found = match self.batches.recv_timeout(PAUSE) {
                Ok(found) => Some(Some(found)),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(None),
            };
            let done = self.done.load(Ordering::Relaxed);
            let is_end = matches!(found, Some(None));
            if is_end && let Some(error) = self.queue.failure() {
                return Some(Python::attach(|py| Err(error).or_raise(py)));
            }
            // The count may be behind.
            let all = self.queue.all.load(Ordering::Relaxed).max(done);
            let told = match is_end {
                // Once, also where the caller asks behind the end.
                true if self.told == u64::MAX => Ok(()),
                true => self.progress.end(done),
                false => self.progress.step(done, all),
            };
            self.told = if is_end { u64::MAX } else { done };
            if let Err(error) = told {
                self.stop.store(true, Ordering::Relaxed);
                return Some(Err(error));
            }
            if let Some(found) = found {
                return found.map(Ok);
            }
        }
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
    (tables, reads_bodies): (TableSet, bool),
    sender: &SyncSender<(TableKind, RecordBatch)>,
    (queue, done): (&Queue, &AtomicU64),
    stop: &Arc<AtomicBool>,
) {
    let (to, over) = (sender.clone(), stop.clone());
    let mut rows = PackageRows::handing_on(tables, move |table, batch| {
        if to.send((table, batch)).is_err() {
            over.store(true, Ordering::Relaxed);
        }
    })
    .hashing(plan.hashes);
    if !reads_bodies {
        rows = rows.without_bodies();
    }
    // Many files keep every core busy; each is decompressed on one.
    let options = plan.opening.options().clone().threads(1);
    loop {
        let taken = queue.take(TAKEN);
        if taken.is_empty() {
            break;
        }
        for file in taken {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            rows_of_file(&mut rows, &file, &options, |package| plan.opening.prepare(package));
            done.fetch_add(1, Ordering::Relaxed);
        }
    }
    for batch in rows.finish() {
        if sender.send(batch).is_err() {
            return;
        }
    }
}

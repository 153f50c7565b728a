//! Every byte with its field.

use std::ops::Range;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyType};
use unreal_packages::archive::Record;
use unreal_packages::inspect::Explanation;

use crate::error::exception;
use crate::progress::Progress;

/// An error of the library, or one of Python's while it ran.
enum Failure {
    Library(unreal_packages::Error),
    Python(PyErr),
}

impl From<unreal_packages::Error> for Failure {
    fn from(error: unreal_packages::Error) -> Self {
        Self::Library(error)
    }
}

/// The fields with bytes in a range.
pub fn fields<'py>(
    py: Python<'py>,
    package: &unreal_packages::Package,
    range: Range<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    static FIELD: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let end = range.end.min(package.source().len() as u64);
    let all = end.saturating_sub(range.start);
    let found = py.detach(|| {
        let mut progress = Progress::new(progress);
        let mut found = Vec::new();
        Explanation::each::<Failure>(
            package,
            range.start..end,
            &mut |explanation: Explanation| {
                let Explanation { section, record } = explanation;
                let done = record.end.min(end).saturating_sub(range.start);
                progress.step(done, all).map_err(Failure::Python)?;
                found.push((section.to_string(), record));
                Ok(())
            },
        )?;
        progress.end(all).map_err(Failure::Python)?;
        Ok(found)
    });
    let found = found.map_err(|failure| match failure {
        Failure::Library(error) => exception(py, &error),
        Failure::Python(error) => error,
    })?;
    let class = FIELD.import(py, "farchive._reports", "Field")?;
    let list = PyList::empty(py);
    for (section, record) in found {
        let Record { start, end, path, type_name, value, meaning, .. } = record;
        let value = value.to_string();
        list.append(class.call1((start, end, section, path, type_name, value, meaning))?)?;
    }
    Ok(list.into_any())
}

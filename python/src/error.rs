//! Errors of the library as Python's exceptions.

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::{Error, ErrorKind};

/// The class of `farchive._errors` with this name.
fn class<'py>(
    py: Python<'py>,
    known: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    known.import(py, "farchive._errors", name).cloned()
}

/// The exception for an error: its class by kind, with offset, path, kind and the objects in the way.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if let ErrorKind::Io { path, source } = error.kind()
        && let Some(number) = source.raw_os_error()
    {
        let text = source.to_string();
        // Python chooses FileNotFoundError and the like by the number.
        return PyOSError::new_err((number, text, path.clone()));
    }
    made(py, error).unwrap_or_else(|failed| failed)
}

fn made(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    static ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static NOT_FOUND: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static REFUSED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static INVALID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static NOT_A_PACKAGE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UNSUPPORTED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static CHANGED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let mut objects: &[String] = &[];
    let (class, kind) = match error.unreal() {
        Some(UnrealError::Refused { objects: named, .. }) => {
            objects = named;
            (class(py, &REFUSED, "Refused")?, "refused")
        }
        Some(UnrealError::Doubtful { .. }) => (class(py, &INVALID, "Invalid")?, "doubtful"),
        Some(UnrealError::NotAPackage { .. }) => {
            (class(py, &NOT_A_PACKAGE, "NotAPackage")?, "not-a-package")
        }
        Some(UnrealError::Unsupported { .. }) => {
            (class(py, &UNSUPPORTED, "Unsupported")?, "unsupported")
        }
        Some(UnrealError::Changed { .. }) => (class(py, &CHANGED, "Changed")?, "changed"),
        Some(UnrealError::Unfinished { .. }) => (class(py, &CHANGED, "Changed")?, "unfinished"),
        Some(UnrealError::ForeignState { .. }) => {
            (class(py, &CHANGED, "Changed")?, "foreign-state")
        }
        Some(UnrealError::TooLarge { .. }) => (class(py, &ERROR, "Error")?, "too-large"),
        _ => match error.kind() {
            ErrorKind::NotFound { .. } => (class(py, &NOT_FOUND, "NotFound")?, "not-found"),
            ErrorKind::Invalid { .. } => (class(py, &INVALID, "Invalid")?, "invalid"),
            ErrorKind::BadText { .. } => (class(py, &INVALID, "Invalid")?, "bad-text"),
            ErrorKind::OutOfRange { .. } => (class(py, &INVALID, "Invalid")?, "out-of-range"),
            ErrorKind::Exists { .. } => (class(py, &INVALID, "Invalid")?, "exists"),
            ErrorKind::Io { .. } => (class(py, &ERROR, "Error")?, "io"),
            _ => (class(py, &ERROR, "Error")?, "damaged"),
        },
    };
    let message = error.to_string();
    let objects = PyTuple::new(py, objects)?;
    let arguments = (message, kind, error.offset(), error.path(), objects);
    Ok(PyErr::from_value(class.call1(arguments)?))
}

/// Results of the library in functions of Python.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for unreal_packages::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}

/// What can't be done as it is asked for.
pub fn invalid(py: Python<'_>, reason: impl Into<String>) -> PyErr {
    exception(py, &ErrorKind::Invalid { reason: reason.into() }.into())
}

//! What two packages differ in.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType};
use serde_json::Value as Json;
use unreal_packages::compare::{FoundDifference, each_difference};

use crate::package::Package;
use crate::progress::Progress;

/// What two packages differ in, the first the old one: as `upk diff --json` says it.
#[pyfunction]
#[pyo3(signature = (old, new, *, progress=None))]
pub fn diff<'py>(
    py: Python<'py>,
    old: &Package,
    new: &Package,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    difference(py, old.snapshot(), new.snapshot(), progress)
}

/// The same for packages as they were at a moment.
pub fn difference(
    py: Python<'_>,
    old: Arc<unreal_packages::Package>,
    new: Arc<unreal_packages::Package>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyDict>> {
    const LISTS: [&str; 5] = ["header", "removed", "added", "renamed", "changed"];
    let all = new.exports().len() as u64;
    let found = py.detach(|| -> PyResult<_> {
        let mut lists: [Vec<Json>; 5] = Default::default();
        let mut progress = Progress::new(progress);
        each_difference(&old, &new, |found| -> PyResult<()> {
            let (list, json) = match &found {
                FoundDifference::Header(field) => (0, serde_json::to_value(field)),
                FoundDifference::Removed(title) => (1, serde_json::to_value(title)),
                FoundDifference::Added(title) => (2, serde_json::to_value(title)),
                FoundDifference::Renamed(object) => (3, serde_json::to_value(object)),
                FoundDifference::Changed(object) => {
                    progress.step((object.rows.1 as u64).min(all), all)?;
                    (4, serde_json::to_value(object))
                }
            };
            lists[list].extend(json.ok());
            Ok(())
        })?;
        progress.end(all)?;
        Ok(lists)
    })?;
    let dict = PyDict::new(py);
    let is_same = found.iter().all(Vec::is_empty);
    for (name, list) in LISTS.into_iter().zip(found) {
        dict.set_item(name, value(py, Json::Array(list))?)?;
    }
    dict.set_item("same", is_same)?;
    dict.set_item("same_bytes", old.source() == new.source())?;
    static SHOWN: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let shown = SHOWN.import(py, "farchive._display", "Diff")?.call1((dict,))?;
    Ok(shown.cast_into()?)
}

/// A JSON value as Python's.
pub fn value(py: Python<'_>, json: Json) -> PyResult<Bound<'_, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(flag) => flag.into_pyobject(py)?.to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(whole), _) => whole.into_pyobject(py)?.into_any(),
            (None, Some(whole)) => whole.into_pyobject(py)?.into_any(),
            _ => number.as_f64().unwrap_or_default().into_pyobject(py)?.into_any(),
        },
        Json::String(text) => text.into_pyobject(py)?.into_any(),
        Json::Array(values) => {
            let list = PyList::empty(py);
            for json in values {
                list.append(value(py, json)?)?;
            }
            list.into_any()
        }
        Json::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, json) in fields {
                dict.set_item(name, value(py, json)?)?;
            }
            dict.into_any()
        }
    })
}

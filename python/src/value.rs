//! Values of the library as Python's.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyList, PyString, PyTuple, PyType};
use unreal_packages::property::PlainValue;

use crate::buffer::{Buffer, source_of};
use crate::error::OrRaise;
use crate::object::Reference;
use crate::package::Package;

/// What values refer to.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The package in Python.
    pub owner: &'a Py<Package>,
    /// As it was when the values were taken.
    pub package: &'a Arc<unreal_packages::Package>,
}

/// The class of `farchive._values` with this name.
fn class<'py>(
    py: Python<'py>,
    known: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<Bound<'py, PyType>> {
    known.import(py, "farchive._values", name).cloned()
}

/// A value as the type that a program wants, or why it is none.
pub fn as_type<'py>(
    value: Bound<'py, PyAny>,
    wanted: &Bound<'py, PyAny>,
    path: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static READ: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = value.py();
    let read = READ.import(py, "farchive._typed", "read")?;
    read.call1((value, wanted, path))
}

/// A number of four bytes as the digits say that tell it from its neighbours: 0.1, not 0.10000000149011612.
fn float(number: f32) -> f64 {
    let wide = f64::from(number);
    // Whole numbers and halves, which most are.
    if number.is_nan() || (wide * 64.0).fract() == 0.0 && wide.abs() < 1e6 {
        return wide;
    }
    number.to_string().parse().unwrap_or(wide)
}

impl Surroundings<'_> {
    /// A value.
    pub fn value<'py>(&self, py: Python<'py>, value: PlainValue) -> PyResult<Bound<'py, PyAny>> {
        static TEXT: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        static SOFT_PATH: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        Ok(match value {
            PlainValue::Null => py.None().into_bound(py),
            PlainValue::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
            PlainValue::Int(number) => number.into_pyobject(py)?.into_any(),
            PlainValue::UInt(number) => number.into_pyobject(py)?.into_any(),
            PlainValue::Float(number) => PyFloat::new(py, float(number)).into_any(),
            PlainValue::Double(number) => PyFloat::new(py, number).into_any(),
            PlainValue::Text(text) => PyString::new(py, &text).into_any(),
            PlainValue::Localized { source, written } => {
                class(py, &TEXT, "Text")?.call1((source, written))?
            }
            PlainValue::SoftPath(path) => class(py, &SOFT_PATH, "SoftPath")?.call1((path,))?,
            PlainValue::Object(index) => {
                let owner = self.owner.clone_ref(py);
                let made = Reference { owner, package: self.package.clone(), index };
                Bound::new(py, made)?.into_any()
            }
            PlainValue::Bytes(span) => {
                let source = source_of(self.package);
                let bytes = match span.as_owned() {
                    Some(bytes) => bytes::Bytes::copy_from_slice(bytes),
                    None => source.slice_ref(span.bytes(&source).or_raise(py)?),
                };
                Buffer::new(bytes).view(py)?.into_bound(py)
            }
            PlainValue::List(values) => {
                let list = PyList::empty(py);
                for value in values {
                    list.append(self.value(py, value)?)?;
                }
                list.into_any()
            }
            PlainValue::Struct(fields) => self.fields(py, fields)?.into_any(),
            PlainValue::Map(pairs) => self.map(py, pairs)?,
            // None that this release of the library has.
            other => PyString::new(py, &format!("{other:?}")).into_any(),
        })
    }

    /// Values by name.
    pub fn fields<'py>(
        &self,
        py: Python<'py>,
        fields: Vec<(String, PlainValue)>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, value) in fields {
            // The same few names, over and over.
            dict.set_item(PyString::intern(py, &name), self.value(py, value)?)?;
        }
        Ok(dict)
    }

    /// A dict, or pairs where keys are none for a dict: structs, or the same one twice.
    fn map<'py>(
        &self,
        py: Python<'py>,
        pairs: Vec<(PlainValue, PlainValue)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let dict = PyDict::new(py);
        let list = PyList::empty(py);
        let mut is_dict = true;
        for (key, value) in pairs {
            let (key, value) = (self.value(py, key)?, self.value(py, value)?);
            is_dict = is_dict && key.hash().is_ok() && !dict.contains(&key)?;
            if is_dict {
                dict.set_item(&key, &value)?;
            }
            list.append(PyTuple::new(py, [key, value])?)?;
        }
        Ok(if is_dict { dict.into_any() } else { list.into_any() })
    }
}

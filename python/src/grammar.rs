//! Values of Python in the grammar of `upk set`.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use unreal_packages::package::Package as Model;
use unreal_packages::property::quote;

use crate::object::{Object, Reference};

/// Values nest this deep.
const DEEPEST: usize = 48;

/// The text of a value. A plain `str` is a string, a name or what the grammar says, as on the command line; one
/// that begins with a quote is that string.
pub fn written(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if is_plain_text(value)? {
        let text: String = value.extract()?;
        return Ok(if text.trim_start().starts_with('"') { quote(&text) } else { text });
    }
    nested(value, 0)
}

/// Whether it is a `str` and none of the classes that say more.
fn is_plain_text(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyString>() && special(value)?.is_none())
}

/// The text of `Raw`, `Text` and `SoftPath`.
fn special(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_exact_instance_of::<PyString>() {
        return Ok(None);
    }
    let kind = value.get_type().name()?;
    Ok(match kind.to_str()? {
        "Raw" => Some(value.extract()?),
        "SoftPath" => Some(quote(&value.extract::<String>()?)),
        "Text" => {
            let (source, written): (String, String) =
                (value.extract()?, value.getattr("written")?.extract()?);
            Some(if source == written { quote(&source) } else { written })
        }
        _ => None,
    })
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<String> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("the value nests too deep"));
    }
    let group = |values: Vec<Bound<'_, PyAny>>| -> PyResult<String> {
        let texts = values.iter().map(|value| nested(value, depth + 1));
        Ok(format!("({})", texts.collect::<PyResult<Vec<_>>>()?.join(",")))
    };
    if value.is_none() {
        return Ok("None".to_owned());
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(if flag.is_true() { "True" } else { "False" }.to_owned());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_string());
    }
    if value.is_instance_of::<PyFloat>() {
        return Ok(value.repr()?.to_string());
    }
    if value.is_instance_of::<PyString>() {
        return Ok(match special(value)? {
            Some(text) => text,
            None => quote(&value.extract::<String>()?),
        });
    }
    if let Ok(reference) = value.cast::<Reference>() {
        let reference = reference.get();
        return Ok(reference_text(&reference.package, reference.index));
    }
    if let Ok(object) = value.cast::<Object>() {
        let object = object.get();
        let package = object.package.get().snapshot();
        return Ok(reference_text(&package, unreal_packages::PackageIndex::export(object.row)));
    }
    if let Ok(dict) = value.cast::<PyDict>() {
        let mut texts = Vec::with_capacity(dict.len());
        for (key, value) in dict.iter() {
            let key = match key.is_instance_of::<PyString>() {
                true => key_text(&key.extract::<String>()?),
                false => nested(&key, depth + 1)?,
            };
            texts.push(format!("{key}={}", nested(&value, depth + 1)?));
        }
        return Ok(format!("({})", texts.join(",")));
    }
    if value.is_instance_of::<PyList>()
        || value.is_instance_of::<PyTuple>()
        || value.is_instance_of::<PySet>()
        || value.is_instance_of::<PyFrozenSet>()
    {
        return group(value.try_iter()?.collect::<PyResult<_>>()?);
    }
    if let Ok(buffer) = PyBuffer::<u8>::get(value) {
        let texts = buffer.to_vec(value.py())?;
        let texts: Vec<_> = texts.iter().map(ToString::to_string).collect();
        return Ok(format!("({})", texts.join(",")));
    }
    // Numbers and arrays of other libraries.
    if let Ok(number) = value.extract::<i128>() {
        return Ok(number.to_string());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(format!("{number:?}"));
    }
    if let Ok(values) = value.try_iter() {
        return group(values.collect::<PyResult<_>>()?);
    }
    let kind = value.get_type().name()?;
    Err(PyTypeError::new_err(format!("a value of type {kind} can't be stored: write it as a str")))
}

/// An object with the path of its class, so that it can be imported.
fn reference_text(package: &Model, index: unreal_packages::PackageIndex) -> String {
    let class = match index.value() {
        0 => return "None".to_owned(),
        1.. => package.exports().get(index.value() as usize - 1).map(|export| export.class()),
        _ => {
            let row = usize::try_from(-(i64::from(index.value()) + 1)).unwrap_or(usize::MAX);
            package.imports().get(row).map(|import| import.class())
        }
    };
    format!("{}'{}'", class.unwrap_or_default(), package.path(index))
}

/// A name before an equals sign: in quotes where it would be read as something else.
fn key_text(key: &str) -> String {
    match key.contains([',', '(', ')', '=', '"', '\'']) || key.trim() != key || key.is_empty() {
        true => quote(key),
        false => key.to_owned(),
    }
}

//! Values of Python in the grammar of `upk set`: by what they can be (`__index__`, `__float__`, buffers, sequences,
//! mappings), not by their classes, so that those of numpy, pandas and pyarrow are stored as what they are.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyString, PyType};
use unreal_packages::error::ErrorKind;
use unreal_packages::package::Package as Model;
use unreal_packages::property::{PropertyKind, Type, quote};
use unreal_packages::{Error, Result};

use crate::object::{Object, Reference};

/// Values nest this deep.
const DEEPEST: usize = 48;

/// A value as text, and what it was.
#[derive(Debug, Clone)]
pub struct Written {
    /// The text.
    pub text: String,
    form: Form,
}

/// What a value was in Python, as far as it matters: a list must not become the text of a string.
#[derive(Debug, Clone)]
enum Form {
    Text,
    /// Of this class.
    Other(String),
    Elements(Vec<Form>),
    Pairs(Vec<(Option<String>, Form, Form)>),
}

impl Form {
    fn class(&self) -> &str {
        match self {
            Self::Text => "str",
            Self::Other(class) => class,
            Self::Elements(_) => "list",
            Self::Pairs(_) => "dict",
        }
    }

    /// Refuses what is no text where the type is one.
    fn check(&self, known: &Type) -> Result<(), String> {
        use PropertyKind as Kind;
        match (known.kind(), self) {
            (_, Self::Text) => Ok(()),
            (
                Kind::Str
                | Kind::Name
                | Kind::FixedStr
                | Kind::Utf8Str
                | Kind::AnsiStr
                | Kind::Text
                | Kind::SoftObject
                | Kind::AssetObject,
                other,
            ) => match (known.kind(), other.class()) {
                // An empty one.
                (Kind::SoftObject | Kind::AssetObject, "NoneType") => Ok(()),
                _ => Err(format!(
                    "a value of type {} is no {known}: write it as a str",
                    other.class()
                )),
            },
            (Kind::Array | Kind::Set | Kind::Optional, Self::Elements(elements)) => {
                let Some(element) = known.inner().first() else { return Ok(()) };
                elements.iter().try_for_each(|form| form.check(element))
            }
            (Kind::Map, Self::Pairs(pairs)) => {
                let [key, value] = known.inner() else { return Ok(()) };
                pairs.iter().try_for_each(|(_, first, second)| {
                    first.check(key).and_then(|()| second.check(value))
                })
            }
            _ => Ok(()),
        }
    }
}

impl Written {
    /// Refuses what is no text where a text is wanted.
    ///
    /// # Errors
    /// `Invalid`, with the class of the value.
    pub fn check(&self, place: &str, known: &Type) -> Result<()> {
        let refused =
            |reason| Error::from(ErrorKind::Invalid { reason: format!("{place}: {reason}") });
        self.form.check(known).map_err(refused)
    }

    /// The same for a property that is stored at a path, and for the fields of a struct or row.
    ///
    /// # Errors
    /// As [`Written::check`].
    pub fn check_stored(&self, place: &str, type_of: &dyn Fn(&str) -> Option<Type>) -> Result<()> {
        check_below(&self.form, place, "", type_of, 0)
    }
}

fn check_below(
    form: &Form,
    place: &str,
    below: &str,
    type_of: &dyn Fn(&str) -> Option<Type>,
    depth: usize,
) -> Result<()> {
    if matches!(form, Form::Text) || depth > DEEPEST {
        return Ok(());
    }
    let known = type_of(below);
    if let Some(known) = &known {
        let refused = |reason| {
            Error::from(ErrorKind::Invalid { reason: format!("{place}{below}: {reason}") })
        };
        form.check(known).map_err(refused)?;
    }
    let has_fields = known
        .is_none_or(|known| matches!(known.kind(), PropertyKind::Struct | PropertyKind::Unknown));
    if let (Form::Pairs(pairs), true) = (form, has_fields) {
        for (name, _, value) in pairs {
            let Some(name) = name else { continue };
            check_below(value, place, &format!("{below}.{name}"), type_of, depth + 1)?;
        }
    }
    Ok(())
}

/// The text of a value. A plain `str` is a string, a name or what the grammar says, as on the command line; one
/// that begins with a quote is that string.
pub fn written(value: &Bound<'_, PyAny>) -> PyResult<Written> {
    if is_plain_text(value)? {
        let text: String = value.extract()?;
        let text = if text.trim_start().starts_with('"') { quote(&text) } else { text };
        return Ok(Written { text, form: Form::Text });
    }
    nested(value, 0)
}

/// Whether it is a `str` and none of the classes that say more.
fn is_plain_text(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(value.is_instance_of::<PyString>() && special(value)?.is_none())
}

/// The text of `Raw`, `Text` and `SoftPath`.
fn special(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    static CLASSES: [PyOnceLock<Py<PyType>>; 3] = [const { PyOnceLock::new() }; 3];
    if value.is_exact_instance_of::<PyString>() {
        return Ok(None);
    }
    let py = value.py();
    let is = |at: usize, name| -> PyResult<bool> {
        value.is_instance(CLASSES[at].import(py, "farchive._values", name)?)
    };
    if is(0, "Raw")? {
        return Ok(Some(value.extract()?));
    }
    if is(1, "SoftPath")? {
        return Ok(Some(quote(&value.extract::<String>()?)));
    }
    if is(2, "Text")? {
        let (source, written): (String, String) =
            (value.extract()?, value.getattr("written")?.extract()?);
        return Ok(Some(if source == written { quote(&source) } else { written }));
    }
    Ok(None)
}

/// A class of the standard library.
fn is_one(
    value: &Bound<'_, PyAny>,
    known: &'static PyOnceLock<Py<PyType>>,
    module: &str,
    name: &str,
) -> PyResult<bool> {
    value.is_instance(known.import(value.py(), module, name)?)
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Written> {
    static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static PATH: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static MAPPING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static SEQUENCE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static ITERATOR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static VIEW: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("the value nests too deep"));
    }
    let py = value.py();
    let class =
        || value.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string());
    let refused = || {
        PyTypeError::new_err(format!(
            "a value of type {} can't be stored: write it as a str",
            class()
        ))
    };
    let other = |text: String| Written { text, form: Form::Other(class()) };
    let text_of = |text: String| Written { text: quote(&text), form: Form::Text };
    if value.is_none() {
        return Ok(other("None".to_owned()));
    }
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(other(if flag.is_true() { "True" } else { "False" }.to_owned()));
    }
    if value.is_instance_of::<PyString>() {
        return Ok(match special(value)? {
            Some(text) => Written { text, form: Form::Text },
            None => text_of(value.extract()?),
        });
    }
    // By the class itself: enums and numpy print other texts.
    if value.is_instance_of::<PyInt>() {
        let text = py.get_type::<PyInt>().call_method1("__repr__", (value,))?;
        return Ok(other(text.extract()?));
    }
    if value.is_instance_of::<PyFloat>() {
        let text = py.get_type::<PyFloat>().call_method1("__repr__", (value,))?;
        return Ok(other(text.extract()?));
    }
    if is_one(value, &ENUM, "enum", "Enum")? {
        return nested(&value.getattr("value")?, depth + 1);
    }
    if is_one(value, &PATH, "pathlib", "PurePath")? {
        return Ok(text_of(value.str()?.to_string()));
    }
    if is_one(value, &DECIMAL, "decimal", "Decimal")? {
        let is_finite: bool = value.call_method0("is_finite")?.extract()?;
        let text = match is_finite {
            true => value.call_method1("__format__", ("f",))?,
            false => value.call_method0("__float__")?.repr()?.into_any(),
        };
        return Ok(other(text.extract()?));
    }
    if let Ok(reference) = value.cast::<Reference>() {
        let reference = reference.get();
        return Ok(other(reference_text(&reference.package, reference.index)));
    }
    if let Ok(object) = value.cast::<Object>() {
        let object = object.get();
        let package = object.package.get().snapshot();
        let index = unreal_packages::PackageIndex::export(object.row);
        return Ok(other(reference_text(&package, index)));
    }
    if value.hasattr("column_names")? {
        return Err(refused());
    }
    // Scalars and arrays of numpy, pandas and pyarrow know what they are in Python.
    let is_array = value.hasattr("dtype")? && value.hasattr("tolist")?;
    if is_array
        && value.getattr("dtype")?.hasattr("names")?
        && !value.getattr("dtype")?.getattr("names")?.is_none()
    {
        return Err(refused());
    }
    for (name, wanted) in [("tolist", is_array), ("as_py", true), ("to_pylist", true)] {
        if wanted && value.hasattr(name)? && !value.is_instance_of::<PyType>() {
            let plain = value.call_method0(name)?;
            return match plain.is_exact_instance(&value.get_type()) {
                true => Err(refused()),
                // Times and the like are named as what they were.
                false => nested(&plain, depth + 1).map_err(|error| {
                    match error.is_instance_of::<PyTypeError>(py) {
                        true => refused(),
                        false => error,
                    }
                }),
            };
        }
    }
    if is_one(value, &MAPPING, "collections.abc", "Mapping")? {
        let dict = PyDict::new(py);
        dict.call_method1("update", (value,))?;
        let (mut texts, mut pairs) = (Vec::with_capacity(dict.len()), Vec::new());
        for (key, value) in dict.iter() {
            let name: Option<String> = match key.is_instance_of::<PyString>() {
                true => Some(key.extract()?),
                false => None,
            };
            let first = nested(&key, depth + 1)?;
            let second = nested(&value, depth + 1)?;
            let key = name.as_deref().map_or_else(|| first.text.clone(), key_text);
            texts.push(format!("{key}={}", second.text));
            pairs.push((name, first.form, second.form));
        }
        return Ok(Written { text: format!("({})", texts.join(",")), form: Form::Pairs(pairs) });
    }
    if !value.is_instance_of::<PyType>()
        && let Ok(buffer) = PyBuffer::<u8>::get(value)
    {
        let bytes = buffer.to_vec(py)?;
        let texts: Vec<_> = bytes.iter().map(ToString::to_string).collect();
        return Ok(other(format!("({})", texts.join(","))));
    }
    let is_several = is_one(value, &SEQUENCE, "collections.abc", "Sequence")?
        || is_one(value, &SET, "collections.abc", "Set")?
        || is_one(value, &ITERATOR, "collections.abc", "Iterator")?
        || is_one(value, &VIEW, "collections.abc", "MappingView")?
        || class() == "deque"
        || class() == "array";
    if is_several {
        let (mut texts, mut forms) = (Vec::new(), Vec::new());
        for element in value.try_iter()? {
            let Written { text, form } = nested(&element?, depth + 1)?;
            texts.push(text);
            forms.push(form);
        }
        return Ok(Written { text: format!("({})", texts.join(",")), form: Form::Elements(forms) });
    }
    if value.hasattr("__index__")? && !value.is_instance_of::<PyType>() {
        let number = py.import("operator")?.call_method1("index", (value,))?;
        return Ok(other(number.repr()?.to_string()));
    }
    if value.hasattr("__float__")?
        && !value.is_instance_of::<PyType>()
        && !value.is_instance_of::<PyComplex>()
        && !value.hasattr("__len__")?
    {
        let number: f64 = value.call_method0("__float__")?.extract()?;
        return Ok(other(PyFloat::new(py, number).repr()?.to_string()));
    }
    Err(refused())
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

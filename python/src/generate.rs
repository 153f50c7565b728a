//! New packages.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use unreal_packages::EngineRelease;
use unreal_packages::generate::{NewAsset, NewRows, Profile, create};
use unreal_packages::package::OpenOptions;
use unreal_packages::property::Type;
use unreal_packages::version::UnrealVersions;

use crate::arguments::{Opening, release, word};
use crate::error::OrRaise;
use crate::grammar::written;
use crate::package::Package;

/// The games that `new` makes packages for.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    Profile::ALL.iter().map(|profile| profile.slug).collect()
}

/// The releases of UE4 and UE5 whose versions are known.
#[pyfunction]
pub fn engines() -> Vec<String> {
    EngineRelease::all().map(|release| release.to_string()).collect()
}

/// An empty package of UE1 to UE3 for a game.
#[pyfunction]
#[pyo3(signature = (game="ut99"))]
pub fn new(py: Python<'_>, game: &str) -> PyResult<Package> {
    let profile: Profile = word(py, game)?;
    let made = || {
        let bytes = create(&profile)?.to_bytes()?;
        // As it is read from its file.
        OpenOptions::new().game(profile.versions().game()).open_bytes(bytes)
    };
    let package = py.detach(made).or_raise(py)?;
    Ok(Package::new(package, None, Opening::default()))
}

/// Names with their types, and the text of each value.
fn typed(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Vec<(String, Type, String)>> {
    let mut all = Vec::with_capacity(given.len());
    for (name, value) in given.iter() {
        let (name, known) = column(py, &name.extract::<String>()?)?;
        let value = written(&value)?;
        value.check(&name, &known).or_raise(py)?;
        all.push((name, known, value.text));
    }
    Ok(all)
}

/// `Damage:float`.
fn column(py: Python<'_>, text: &str) -> PyResult<(String, Type)> {
    match text.split_once(':') {
        Some((name, known)) => Ok((name.to_owned(), word(py, known)?)),
        None => {
            let reason = format!("'{text}' has no type: write {text}:float, as in Damage:float");
            Err(crate::error::invalid(py, reason))
        }
    }
}

fn build(py: Python<'_>, asset: &NewAsset, engine: &str) -> PyResult<Package> {
    let release = release(py, engine)?;
    let package = py.detach(|| asset.build(release)).or_raise(py)?;
    Ok(Package::new(package, None, Opening::default()))
}

/// A package of UE4 or UE5 with one object.
#[pyfunction]
#[pyo3(signature = (path, class_path, properties=None, *, engine="5.4"))]
pub fn new_asset(
    py: Python<'_>,
    path: &str,
    class_path: &str,
    properties: Option<&Bound<'_, PyDict>>,
    engine: &str,
) -> PyResult<Package> {
    let mut asset = NewAsset::object(path, class_path);
    if let Some(given) = properties {
        for (name, known, text) in typed(py, given)? {
            asset = asset.property(&name, known, &text);
        }
    }
    build(py, &asset, engine)
}

/// A package of UE4 or UE5 with a data table.
#[pyfunction]
#[pyo3(signature = (path, row_struct, columns, rows, *, engine="5.4"))]
pub fn new_data_table(
    py: Python<'_>,
    path: &str,
    row_struct: &str,
    columns: Vec<String>,
    rows: &Bound<'_, PyDict>,
    engine: &str,
) -> PyResult<Package> {
    let mut made = NewRows::of(row_struct);
    let columns: Vec<_> = columns.iter().map(|text| column(py, text)).collect::<PyResult<_>>()?;
    for (name, known) in &columns {
        made.column(name, known.clone());
    }
    for (name, row) in rows.iter() {
        let (name, row): (String, Bound<'_, PyDict>) = (name.extract()?, row.cast_into()?);
        if let Some(wrong) = row.keys().iter().find(|key| {
            let key: Option<String> = key.extract().ok();
            !columns.iter().any(|(name, _)| Some(name) == key.as_ref())
        }) {
            let reason = format!("row {name}: {wrong} is no column");
            return Err(crate::error::invalid(py, reason));
        }
        let cell = |(name, known): &(String, Type)| -> PyResult<Option<String>> {
            let Some(value) = row.get_item(name)? else { return Ok(None) };
            let value = written(&value)?;
            value.check(name, known).or_raise(py)?;
            Ok(Some(value.text))
        };
        let cells = columns.iter().map(cell).collect::<PyResult<Vec<_>>>()?;
        made.partial_row(&name, cells).or_raise(py)?;
    }
    build(py, &NewAsset::data_table(path, made), engine)
}

/// A package of UE4 or UE5 with a string table.
#[pyfunction]
#[pyo3(signature = (path, entries, *, namespace=None, engine="5.4"))]
pub fn new_string_table(
    py: Python<'_>,
    path: &str,
    entries: &Bound<'_, PyDict>,
    namespace: Option<&str>,
    engine: &str,
) -> PyResult<Package> {
    let mut texts: Vec<(String, String)> = Vec::with_capacity(entries.len());
    for (key, text) in entries.iter() {
        texts.push((key.extract()?, text.extract()?));
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    build(py, &NewAsset::string_table(path, namespace.unwrap_or(name), texts), engine)
}

//! Objects, imports and references.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use unreal_packages::PackageIndex;
use unreal_packages::content::PackageContents;
use unreal_packages::edit::PropertyChange;
use unreal_packages::inspect::PackageValues;
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;

use crate::buffer::{Buffer, source_of};
use crate::error::{OrRaise, invalid};
use crate::grammar::written;
use crate::image::Image;
use crate::package::{Package, escaped};
use crate::value::Surroundings;

/// An object of a package: a row of its export table.
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Object {
    /// The package.
    pub package: Py<Package>,
    /// The row.
    pub row: usize,
    /// How often the rows of the package had changed when it was taken.
    pub(crate) age: u64,
}

impl Object {
    /// The package, unless its rows have changed since.
    fn model(&self, py: Python<'_>) -> PyResult<Arc<unreal_packages::Package>> {
        let package = self.package.get();
        match package.age() == self.age {
            true => Ok(package.snapshot()),
            false => {
                let reason =
                    "the rows of the package have changed since: take the object from it anew";
                Err(invalid(py, reason))
            }
        }
    }

    fn path_of(&self, property: &str) -> String {
        let dot = if property.starts_with('[') { "" } else { "." };
        format!("#{}{dot}{property}", self.row)
    }

    fn export<'a>(
        &self,
        py: Python<'_>,
        package: &'a unreal_packages::Package,
    ) -> PyResult<unreal_packages::package::ExportView<'a>> {
        package.exports().get(self.row).ok_or_else(|| invalid(py, "the object is gone"))
    }
}

#[pymethods]
impl Object {
    #[getter]
    fn package(&self, py: Python<'_>) -> Py<Package> {
        self.package.clone_ref(py)
    }

    #[getter]
    fn row(&self) -> usize {
        self.row
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.name())
    }

    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.path())
    }

    #[getter]
    fn class_path(&self, py: Python<'_>) -> PyResult<String> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.class())
    }

    #[getter]
    fn flags(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.flags().names(package.versions().engine()))
    }

    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<u64> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.size())
    }

    #[getter]
    fn offset(&self, py: Python<'_>) -> PyResult<u64> {
        let package = self.model(py)?;
        Ok(self.export(py, &package)?.offset())
    }

    #[getter]
    fn outer(&self, py: Python<'_>) -> PyResult<Option<Reference>> {
        let package = self.model(py)?;
        let index = package.outer(PackageIndex::export(self.row));
        Ok(Reference::new(py, &self.package, &package, index))
    }

    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Reference>> {
        let package = self.model(py)?;
        let index = self.export(py, &package)?.entry().super_index;
        Ok(Reference::new(py, &self.package, &package, index))
    }

    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let package = self.model(py)?;
        let children = package.exports().children(PackageIndex::export(self.row));
        let rows = children.filter_map(|index| match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        });
        let one = |row| Self { package: self.package.clone_ref(py), row, age: self.age };
        Ok(rows.map(one).collect())
    }

    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let package = self.model(py)?;
        let (body, source) = (package.body(self.row).or_raise(py)?, source_of(&package));
        let is_of_source = source.as_ptr_range().contains(&body.as_ptr());
        let bytes = match is_of_source && !body.is_empty() {
            true => source.slice_ref(body),
            false => bytes::Bytes::copy_from_slice(body),
        };
        Buffer::new(bytes).view(py)
    }

    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let package = self.model(py)?;
        let found = py.detach(|| package.values().plain_properties(self.row)).or_raise(py)?;
        Surroundings { owner: &self.package, package: &package }.fields(py, found)
    }

    #[getter]
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let package = self.model(py)?;
        let found = py.detach(|| package.values().plain_rows(self.row)).or_raise(py)?;
        Surroundings { owner: &self.package, package: &package }.fields(py, found)
    }

    fn __getitem__<'py>(&self, py: Python<'py>, property: &str) -> PyResult<Bound<'py, PyAny>> {
        self.model(py)?;
        Package::value_at(&self.package, py, &self.path_of(property))
    }

    /// A value as a type that the caller names.
    fn read<'py>(
        &self,
        py: Python<'py>,
        property: &str,
        as_type: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::value::as_type(self.__getitem__(py, property)?, as_type, property)
    }

    fn __setitem__(
        &self,
        py: Python<'_>,
        property: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.model(py)?;
        let changes = vec![(self.path_of(property), Some(written(value)?))];
        self.package.get().assign(py, changes).map(drop)
    }

    fn __delitem__(&self, py: Python<'_>, property: &str) -> PyResult<()> {
        self.model(py)?;
        self.package.get().assign(py, vec![(self.path_of(property), None)]).map(drop)
    }

    fn __contains__(&self, py: Python<'_>, property: &str) -> PyResult<bool> {
        self.model(py)?;
        Ok(Package::value_at(&self.package, py, &self.path_of(property)).is_ok())
    }

    /// A value, or what to take where it is not stored.
    #[pyo3(signature = (property, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        property: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.model(py)?;
        match Package::value_at(&self.package, py, &self.path_of(property)) {
            Ok(value) => Ok(value),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyKeyError>(py) => {
                Ok(default.unwrap_or_else(|| py.None().into_bound(py)))
            }
            Err(error) => Err(error),
        }
    }

    /// Gives it properties, those of which the type is not known as `Name:type`.
    fn update(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        self.model(py)?;
        let mut changes = Vec::with_capacity(values.len());
        for (property, value) in values.iter() {
            let property: String = property.extract()?;
            changes.push((self.path_of(&property), Some(written(&value)?)));
        }
        let done = self.package.get().assign(py, changes)?;
        Ok(done.iter().map(PropertyChange::path).collect())
    }

    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let package = self.model(py)?;
        let kind = py.detach(|| package.contents().content_kind(self.row)).or_raise(py)?;
        Ok(kind.map(|kind| kind.to_string()))
    }

    /// The picture of a texture.
    fn image(&self, py: Python<'_>) -> PyResult<Image> {
        let package = self.model(py)?;
        let folder = self.package.get().folder();
        let folders: Vec<_> = folder.iter().map(std::path::PathBuf::as_path).collect();
        let read = || package.contents().texture_image_beside(self.row, &folders);
        Ok(Image::new(py.detach(read).or_raise(py)?))
    }

    /// The object as a file: its extension and its bytes.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<(String, Bound<'py, PyBytes>)> {
        let package = self.model(py)?;
        let folder = self.package.get().folder();
        let folders: Vec<_> = folder.iter().map(std::path::PathBuf::as_path).collect();
        let read = || package.contents().content_file_beside(self.row, &folders);
        let file = py.detach(read).or_raise(py)?;
        Ok((file.extension, PyBytes::new(py, &file.bytes)))
    }

    /// The names of its properties.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.properties(py)?.keys())
    }

    /// Its properties by name.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.properties(py)?.items())
    }

    /// The values of its properties.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.properties(py)?.values())
    }

    /// The picture of a texture, for notebooks; nothing for other objects.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        if self.package.get().age() != self.age || self.kind(py)?.as_deref() != Some("texture") {
            return Ok(None);
        }
        let (extension, bytes) = self.content(py)?;
        Ok((extension == "png").then_some(bytes))
    }

    /// A table of the properties, for notebooks; of a texture its picture says more.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        const SHOWN: usize = 60;
        if self.package.get().age() != self.age || self.kind(py)?.as_deref() == Some("texture") {
            return Ok(None);
        }
        let package = self.model(py)?;
        let path = self.export(py, &package)?.path();
        // What is not decoded has its title alone.
        let found = py.detach(|| package.values().properties(&path)).unwrap_or_default();
        let mut html = format!("<p>{}</p>", escaped(&self.__repr__(py)?));
        html.push_str("<table><tr><th>property</th><th>type</th><th>value</th></tr>");
        for known in found.iter().take(SHOWN) {
            let text: String = known.text.chars().take(200).collect();
            let (path, text) = (escaped(&known.path), escaped(&text));
            let known = escaped(&known.property_type.to_string());
            html.push_str(&format!("<tr><td>{path}</td><td>{known}</td><td>{text}</td></tr>"));
        }
        html.push_str("</table>");
        if found.len() > SHOWN {
            html.push_str(&format!("<p>and {} more</p>", found.len() - SHOWN));
        }
        Ok(Some(html))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        // Debuggers show all that there is, and must not stumble over what is gone.
        if self.package.get().age() != self.age {
            return Ok(format!("<farchive.Object #{}, taken before rows changed>", self.row));
        }
        let package = self.model(py)?;
        let export = self.export(py, &package)?;
        Ok(format!("<farchive.Object {} ({})>", export.path(), export.class()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.row == other.row && self.age == other.age && self.package.is(&other.package)
        })
    }

    fn __hash__(&self) -> u64 {
        (self.package.as_ptr() as u64).rotate_left(16) ^ self.row as u64
    }
}

/// An object that a package refers to and that lies in another one.
#[pyclass(frozen, module = "farchive", get_all)]
#[derive(Debug)]
pub struct Import {
    /// Its row of the import table.
    pub row: usize,
    /// Its path, the package first.
    pub path: String,
    /// The path of its class.
    pub class_path: String,
}

#[pymethods]
impl Import {
    fn __repr__(&self) -> String {
        format!("<farchive.Import {} ({})>", self.path, self.class_path)
    }
}

/// A value that refers to an object of the package or of another one.
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Reference {
    /// The package in Python.
    pub owner: Py<Package>,
    /// As it was when the reference was taken.
    pub package: Arc<unreal_packages::Package>,
    /// What it refers to.
    pub index: PackageIndex,
}

impl Reference {
    /// `None` for null.
    pub fn new(
        py: Python<'_>,
        owner: &Py<Package>,
        package: &Arc<unreal_packages::Package>,
        index: PackageIndex,
    ) -> Option<Self> {
        let made = || Self { owner: owner.clone_ref(py), package: package.clone(), index };
        (!index.is_null()).then(made)
    }
}

#[pymethods]
impl Reference {
    #[getter]
    fn path(&self) -> String {
        self.package.path(self.index)
    }

    #[getter]
    fn name(&self) -> String {
        self.package.object_name(self.index)
    }

    #[getter]
    fn class_path(&self) -> String {
        match self.index.target() {
            ObjectRef::Null => String::new(),
            ObjectRef::Export(row) => {
                self.package.exports().get(row).map(|export| export.class()).unwrap_or_default()
            }
            ObjectRef::Import(row) => {
                self.package.imports().get(row).map(|import| import.class()).unwrap_or_default()
            }
        }
    }

    #[getter]
    fn is_import(&self) -> bool {
        matches!(self.index.target(), ObjectRef::Import(_))
    }

    #[getter]
    fn object(&self, py: Python<'_>) -> PyResult<Option<Object>> {
        let ObjectRef::Export(row) = self.index.target() else { return Ok(None) };
        let owner = self.owner.get();
        // Where rows have changed since, its path is what it is known by.
        let now = owner.snapshot();
        let row = match Arc::ptr_eq(&now, &self.package) {
            true => row,
            false => now.find_export(&self.package.path(self.index)).or_raise(py)?,
        };
        Ok(Some(Object { package: self.owner.clone_ref(py), row, age: owner.age() }))
    }

    fn __str__(&self) -> String {
        let class = self.class_path();
        let class = class.rsplit('.').next().unwrap_or_default();
        format!("{class}'{}'", self.path())
    }

    fn __repr__(&self) -> String {
        format!("<farchive.Reference {}>", self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let same = Arc::ptr_eq(&self.package, &other.package) && self.index == other.index;
            same || self.path() == other.path() && self.class_path() == other.class_path()
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.path().hash(&mut hasher);
        hasher.finish()
    }
}

/// Reads all properties of all objects as values and counts them: what a loop in Python is measured by.
#[pyfunction]
pub fn _count_properties(py: Python<'_>, package: &Package) -> PyResult<usize> {
    let package = package.snapshot();
    let count = || -> unreal_packages::Result<usize> {
        let rows = 0..package.exports().len();
        rows.map(|row| package.values().plain_properties(row).map(|found| found.len())).sum()
    };
    py.detach(count).or_raise(py)
}

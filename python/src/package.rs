//! Packages.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use unreal_packages::content::{ContentEdits, NewTextures, SoundEdits, TextEdits};
use unreal_packages::edit::{Edit, PackageEdit, PropertyChange, RemoveOptions};
use unreal_packages::error::{ErrorKind, UnrealError, noun};
use unreal_packages::file::recover;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{CompanionKind, SaveOptions, Saved};
use unreal_packages::property::PlainValue;
use unreal_packages::version::UnrealVersions;

use crate::arguments::{Opening, Source};
use crate::error::{OrRaise, invalid};
use crate::grammar::{Written, written};
use crate::object::{Import, Object};
use crate::value::Surroundings;

/// A package.
///
/// What is looked at is the package as it is at that moment: threads that read see it whole, before an edit or
/// after it.
#[pyclass(frozen, weakref, module = "farchive")]
#[derive(Debug)]
pub struct Package {
    state: RwLock<Arc<unreal_packages::Package>>,
    /// Edits come one after the other.
    editing: Mutex<()>,
    /// How often rows have got other numbers.
    age: AtomicU64,
    path: Mutex<Option<PathBuf>>,
    opening: Opening,
}

/// Sets a value, unless it is no text where a text is wanted.
fn set(
    edit: &mut Edit,
    object: &str,
    property: &str,
    value: &Written,
) -> unreal_packages::Result<PropertyChange> {
    // Its type may only be known once it is stored; what fails takes all back.
    let change = edit.set_property(object, property, &value.text)?;
    let stored = &change.property;
    value.check_stored(&change.path(), &|below| {
        let values = edit.values();
        values.property(object, &format!("{stored}{below}")).ok().map(|found| found.property_type)
    })?;
    Ok(change)
}

/// Text within HTML.
/// A text within HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Package {
    /// A package with the file that it is from.
    pub fn new(package: unreal_packages::Package, path: Option<PathBuf>, opening: Opening) -> Self {
        let (editing, age) = (Mutex::new(()), AtomicU64::new(0));
        Self {
            state: RwLock::new(Arc::new(package)),
            editing,
            age,
            path: Mutex::new(path),
            opening,
        }
    }

    /// The package as it is now. Nobody who holds the lock waits for anything.
    pub fn snapshot(&self) -> Arc<unreal_packages::Package> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, package: unreal_packages::Package) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(package);
    }

    /// How often rows have got other numbers.
    pub fn age(&self) -> u64 {
        self.age.load(Ordering::Acquire)
    }

    /// The folder that the package lies in.
    pub fn folder(&self) -> Option<PathBuf> {
        let path = held(&self.path);
        let folder = path.as_ref()?.parent()?;
        Some(if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder.to_owned() })
    }

    /// Changes the package: all of it, or nothing.
    pub fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Edit) -> unreal_packages::Result<T> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let _alone = held(&self.editing);
            let mut package = unreal_packages::Package::clone(&self.snapshot());
            let done = package.edit(work)?;
            self.replace(package);
            Ok(done)
        });
        done.or_raise(py)
    }

    /// The same where rows get other numbers.
    fn change_rows<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Edit) -> unreal_packages::Result<T> + Send,
    ) -> PyResult<T> {
        let done = self.change(py, work)?;
        self.age.fetch_add(1, Ordering::AcqRel);
        Ok(done)
    }

    /// Sets values at paths to texts, or removes them.
    pub fn assign(
        &self,
        py: Python<'_>,
        changes: Vec<(String, Option<Written>)>,
    ) -> PyResult<Vec<PropertyChange>> {
        self.change(py, move |edit| {
            let one = |(path, value): &(String, Option<Written>)| {
                let (object, property) = edit.values().split_value_path(path)?;
                match value {
                    Some(value) => set(edit, &object, &property, value),
                    None => edit.remove_property(&object, &property),
                }
            };
            changes.iter().map(one).collect()
        })
    }

    /// The value at a path.
    pub fn value_at<'py>(
        slf: &Py<Self>,
        py: Python<'py>,
        path: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let package = slf.get().snapshot();
        let read = || -> unreal_packages::Result<PlainValue> {
            let values = package.values();
            // What leads to no value is not there, whatever is wrong with it.
            let (object, property) =
                values.split_value_path(path).map_err(|error| match error.kind() {
                    ErrorKind::Invalid { .. } => {
                        let (name, hint) = (path.to_owned(), format!(": {error}"));
                        ErrorKind::NotFound { what: noun::PROPERTY, name, hint }.into()
                    }
                    _ => error,
                })?;
            values.plain_property(&object, &property)
        };
        let found = py.detach(read).or_raise(py)?;
        Surroundings { owner: slf, package: &package }.value(py, found)
    }

    fn saved(&self) -> unreal_packages::Result<Saved> {
        self.snapshot().save(&SaveOptions::new())
    }

    /// Writes the package, and goes on from the file that it is now.
    fn write(
        &self,
        path: &Path,
        overwrite: bool,
        backup: bool,
    ) -> unreal_packages::Result<Vec<PathBuf>> {
        let _alone = held(&self.editing);
        let saved = self.saved()?;
        // A file that stays what it is needs no backup.
        let backup = backup && !saved.is_in_files(path).unwrap_or(false);
        let done = saved.replacement(path).overwrite(overwrite).backup(backup).commit()?;
        if !saved.is_in_files(path)? {
            let (path, what) = (path.display().to_string(), "another program has written to it");
            return Err(UnrealError::Changed { path, what }.into());
        }
        Ok(done.backups)
    }

    /// The rows of the objects that a path means.
    fn object(slf: &Bound<'_, Self>, row: usize) -> Object {
        Object { package: slf.clone().unbind(), row, age: slf.get().age() }
    }
}

#[pymethods]
impl Package {
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        held(&self.path).clone()
    }

    #[getter]
    fn engine(&self) -> String {
        let package = self.snapshot();
        let versions = package.versions();
        match versions.release() {
            Some(release) => release.to_string(),
            None if versions.ue4() > 0 => {
                unreal_packages::EngineRelease::of_versions(versions.ue4(), versions.ue5())
                    .to_string()
            }
            None => versions.engine().to_string(),
        }
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.snapshot().versions().game().slug()
    }

    #[getter]
    fn file_version(&self) -> (u32, u32) {
        let package = self.snapshot();
        (package.versions().file(), package.versions().licensee())
    }

    #[getter]
    fn object_version(&self) -> (u32, u32) {
        let package = self.snapshot();
        (package.versions().ue4(), package.versions().ue5())
    }

    #[getter]
    fn guid(&self) -> String {
        self.snapshot().guid().to_string()
    }

    #[getter]
    fn size(&self) -> usize {
        self.snapshot().file().len()
    }

    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        crate::buffer::Buffer::new(crate::buffer::source_of(&self.snapshot())).view(py)
    }

    #[getter]
    fn names(&self, py: Python<'_>) -> Vec<String> {
        let package = self.snapshot();
        py.detach(|| package.names().iter().map(std::borrow::Cow::into_owned).collect())
    }

    #[getter]
    fn imports(&self, py: Python<'_>) -> Vec<Import> {
        let package = self.snapshot();
        let one = |import: unreal_packages::package::ImportView<'_>| Import {
            row: import.row(),
            path: import.path(),
            class_path: import.class(),
        };
        py.detach(|| package.imports().iter().map(one).collect())
    }

    #[getter]
    fn objects(slf: &Bound<'_, Self>) -> Vec<Object> {
        let count = slf.get().snapshot().exports().len();
        (0..count).map(|row| Self::object(slf, row)).collect()
    }

    fn __len__(&self) -> usize {
        self.snapshot().exports().len()
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let list = Self::objects(slf).into_pyobject(py)?;
        list.call_method0("__iter__")
    }

    /// An object by its path.
    fn find(slf: &Bound<'_, Self>, path: &str) -> PyResult<Object> {
        let package = slf.get().snapshot();
        let row = slf.py().detach(|| package.find_export(path)).or_raise(slf.py())?;
        Ok(Self::object(slf, row))
    }

    fn __getitem__<'py>(slf: &Bound<'py, Self>, path: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let package = slf.get().snapshot();
        if let Ok(row) = package.find_export(path) {
            return Ok(Bound::new(py, Self::object(slf, row))?.into_any());
        }
        Self::value_at(slf.as_unbound(), py, path)
    }

    fn __setitem__(&self, py: Python<'_>, path: String, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.assign(py, vec![(path, Some(written(value)?))]).map(drop)
    }

    fn __delitem__(&self, py: Python<'_>, path: String) -> PyResult<()> {
        let is_object = self.snapshot().find_export(&path).is_ok();
        match is_object {
            true => self.remove(py, path, false).map(drop),
            false => self.assign(py, vec![(path, None)]).map(drop),
        }
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Nothing is held open: a file that was opened is read.
    fn __exit__(
        &self,
        _class: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
    }

    /// A table of the objects, for notebooks.
    fn _repr_html_(&self) -> String {
        const SHOWN: usize = 60;
        let package = self.snapshot();
        let count = package.exports().len();
        let mut html = format!("<p>{}</p>", escaped(&self.__repr__()));
        html.push_str("<table><tr><th>object</th><th>class</th><th>bytes</th></tr>");
        for export in package.exports().iter().take(SHOWN) {
            let (path, class) = (escaped(&export.path()), escaped(&export.class()));
            let size = export.size();
            html.push_str(&format!("<tr><td>{path}</td><td>{class}</td><td>{size}</td></tr>"));
        }
        html.push_str("</table>");
        if count > SHOWN {
            html.push_str(&format!("<p>and {} more</p>", count - SHOWN));
        }
        html
    }

    fn __contains__(slf: &Bound<'_, Self>, path: &str) -> bool {
        Self::__getitem__(slf, path).is_ok()
    }

    /// A value as a type that the caller names.
    fn read<'py>(
        slf: &Bound<'py, Self>,
        path: &str,
        as_type: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::value::as_type(Self::__getitem__(slf, path)?, as_type, path)
    }

    /// A value or an object, or what to take where there is none.
    #[pyo3(signature = (path, default=None))]
    fn get<'py>(
        slf: &Bound<'py, Self>,
        path: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match Self::__getitem__(slf, path) {
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyKeyError>(slf.py()) => {
                Ok(default.unwrap_or_else(|| slf.py().None().into_bound(slf.py())))
            }
            found => found,
        }
    }

    /// The text of a value, as `upk get` prints it.
    fn text(&self, py: Python<'_>, path: &str) -> PyResult<String> {
        let package = self.snapshot();
        let read = || {
            let values = package.values();
            let (object, property) = values.split_value_path(path)?;
            values.property(&object, &property).map(|found| found.text)
        };
        py.detach(read).or_raise(py)
    }

    /// Many values at once: all of them, or none.
    fn update(&self, py: Python<'_>, values: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        let mut changes = Vec::with_capacity(values.len());
        for (path, value) in values.iter() {
            changes.push((path.extract()?, Some(written(&value)?)));
        }
        let done = self.assign(py, changes)?;
        Ok(done.iter().map(PropertyChange::path).collect())
    }

    /// Adds an object without properties, or with these.
    #[pyo3(signature = (path, class_path, properties=None))]
    fn add(
        slf: &Bound<'_, Self>,
        path: String,
        class_path: String,
        properties: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Object> {
        let mut texts: Vec<(String, Written)> = Vec::new();
        for (property, value) in properties.iter().flat_map(|given| given.iter()) {
            texts.push((property.extract()?, written(&value)?));
        }
        let row = slf.get().change(slf.py(), move |edit| {
            let row = edit.add_blank_object(&path, &class_path)?;
            for (property, value) in &texts {
                set(edit, &format!("#{row}"), property, value)?;
            }
            Ok(row)
        })?;
        Ok(Self::object(slf, row))
    }

    /// Adds many objects at once: all of them, or none.
    fn add_all(slf: &Bound<'_, Self>, objects: &Bound<'_, PyDict>) -> PyResult<Vec<Object>> {
        type New = (String, String, Vec<(String, Written)>);
        let mut new: Vec<New> = Vec::with_capacity(objects.len());
        for (path, given) in objects.iter() {
            let (class_path, properties): (String, Bound<'_, PyDict>) = given.extract()?;
            let one = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                Ok((name.extract()?, written(&value)?))
            };
            let properties = properties.iter().map(one).collect::<PyResult<_>>()?;
            new.push((path.extract()?, class_path, properties));
        }
        let rows = slf.get().change(slf.py(), move |edit| {
            let one = |(path, class_path, properties): &New| {
                let row = edit.add_blank_object(path, class_path)?;
                for (property, value) in properties {
                    set(edit, &format!("#{row}"), property, value)?;
                }
                Ok(row)
            };
            new.iter().map(one).collect::<unreal_packages::Result<Vec<_>>>()
        })?;
        Ok(rows.into_iter().map(|row| Self::object(slf, row)).collect())
    }

    /// Adds a texture that shows a picture.
    #[pyo3(signature = (path, image, *, format=None, masked=None, mips=true))]
    fn add_texture(
        slf: &Bound<'_, Self>,
        path: String,
        image: &crate::image::Image,
        format: Option<&str>,
        masked: Option<bool>,
        mips: bool,
    ) -> PyResult<Object> {
        let (py, picture) = (slf.py(), image.picture.clone());
        let format = format.map(|format| crate::arguments::word(py, format)).transpose()?;
        let new = unreal_packages::content::NewTexture { format, masked, without_mips: !mips };
        let row = slf.get().change(py, move |edit| edit.add_texture(&path, &picture, &new))?;
        Ok(Self::object(slf, row))
    }

    /// Adds a text buffer.
    fn add_text(slf: &Bound<'_, Self>, path: String, text: String) -> PyResult<Object> {
        let row = slf.get().change(slf.py(), move |edit| edit.add_text(&path, &text))?;
        Ok(Self::object(slf, row))
    }

    /// Adds a sound from a WAV file.
    fn add_sound(slf: &Bound<'_, Self>, path: String, wave: &Bound<'_, PyAny>) -> PyResult<Object> {
        let bytes = Source::of(wave)?.read(slf.py())?;
        let row = slf.get().change(slf.py(), move |edit| edit.add_sound(&path, &bytes))?;
        Ok(Self::object(slf, row))
    }

    /// Gives an object the content of a file; false where it has that already.
    fn replace_content(
        &self,
        py: Python<'_>,
        path: String,
        content: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        let bytes = Source::of(content)?.read(py)?;
        let options = unreal_packages::content::ReplaceTexture::default();
        self.change(py, move |edit| {
            let row = edit.find_export(&path)?;
            edit.replace_content(row, &bytes, &options)
        })
    }

    /// Removes an object and what lies in it; says what is gone.
    #[pyo3(signature = (path, *, null_references=false))]
    fn remove(&self, py: Python<'_>, path: String, null_references: bool) -> PyResult<Vec<String>> {
        let options = match null_references {
            true => RemoveOptions::NullReferences,
            false => RemoveOptions::Refuse,
        };
        self.change_rows(py, move |edit| Ok(edit.remove_object(&path, options)?.objects))
    }

    /// Gives an object another name.
    fn rename(&self, py: Python<'_>, path: String, name: String) -> PyResult<()> {
        self.change(py, move |edit| edit.rename_object(&path, &name).map(drop))
    }

    /// Moves an object into another one, or to the top.
    #[pyo3(signature = (path, into=None))]
    fn r#move(&self, py: Python<'_>, path: String, into: Option<String>) -> PyResult<()> {
        self.change(py, move |edit| edit.move_object(&path, into.as_deref()))
    }

    /// Duplicates an object with what lies in it.
    fn duplicate(slf: &Bound<'_, Self>, path: String, name: String) -> PyResult<Object> {
        let row = slf.get().change(slf.py(), move |edit| edit.duplicate_object(&path, &name))?;
        Ok(Self::object(slf, row))
    }

    /// Renames a row of a table.
    fn rename_row(&self, py: Python<'_>, table: String, row: String, name: String) -> PyResult<()> {
        self.change(py, move |edit| edit.rename_table_row(&table, &row, &name).map(drop))
    }

    /// Adds an import.
    fn add_import(&self, py: Python<'_>, path: String, class_path: String) -> PyResult<()> {
        self.change(py, move |edit| edit.add_import(&path, &class_path).map(drop))
    }

    /// Takes out names and imports that nothing uses: how many of each.
    fn prune(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.change_rows(py, |edit| {
            let done = edit.prune()?;
            Ok((done.names.len(), done.imports.len()))
        })
    }

    /// Makes it a package of its own: the new GUID.
    fn renew_guid(&self, py: Python<'_>) -> PyResult<String> {
        self.change(py, |edit| Ok(edit.renew_identity()?.to_string()))
    }

    /// Conforms it to an older package, so that both may meet on the net.
    fn conform_to<'py>(&self, py: Python<'py>, old: &Self) -> PyResult<Bound<'py, PyDict>> {
        let old = old.snapshot();
        let done = self.change_rows(py, |edit| {
            let done = edit.conform_to(&old)?;
            match unreal_packages::edit::mismatches(edit, &old).first() {
                None => Ok(done),
                Some(mismatch) => {
                    let reason = format!("the result does not conform: {mismatch}");
                    Err(unreal_packages::ErrorKind::Invalid { reason }.into())
                }
            }
        })?;
        let dict = PyDict::new(py);
        dict.set_item("generations", done.generations)?;
        dict.set_item("guid", done.guid.to_string())?;
        dict.set_item("names_kept", done.names_kept)?;
        dict.set_item("names_added", done.names_added)?;
        dict.set_item("names_gone", done.names_nulled)?;
        dict.set_item("exports_kept", done.exports_kept)?;
        dict.set_item("exports_added", done.exports_added)?;
        dict.set_item("exports_gone", done.exports_nulled)?;
        Ok(dict)
    }

    /// Why the package does not conform to an older one; empty where it does.
    fn mismatches(&self, py: Python<'_>, old: &Self) -> Vec<String> {
        let (new, old) = (self.snapshot(), old.snapshot());
        let found = py.detach(|| unreal_packages::edit::mismatches(&new, &old));
        found.iter().map(ToString::to_string).collect()
    }

    /// What differs from an older package.
    #[pyo3(signature = (old, *, progress=None))]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        old: &Self,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        crate::compare::difference(py, old.snapshot(), self.snapshot(), progress)
    }

    /// Every byte with its field.
    #[pyo3(signature = (start=0, end=None, *, progress=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        start: u64,
        end: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::explain::fields(py, &self.snapshot(), start..end.unwrap_or(u64::MAX), progress)
    }

    /// Rebuilds the package from its model and compares.
    #[pyo3(signature = (*, progress=None))]
    fn verify<'py>(
        &self,
        py: Python<'py>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::verify::report(py, &self.snapshot(), progress)
    }

    /// The package as bytes; header and bodies together for one that is two files.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = py.detach(|| self.saved()).or_raise(py)?;
        Ok(PyBytes::new(py, &saved.bytes))
    }

    /// The package as its header and, for one that is two files, its bodies.
    fn to_files<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<Bound<'py, PyBytes>>)> {
        let saved = py.detach(|| self.saved()).or_raise(py)?;
        let split = saved.split.and_then(|at| usize::try_from(at).ok());
        Ok(match split.and_then(|at| saved.bytes.split_at_checked(at)) {
            Some((header, bodies)) => (PyBytes::new(py, header), Some(PyBytes::new(py, bodies))),
            None => (PyBytes::new(py, &saved.bytes), None),
        })
    }

    /// Replaces the file that the package was opened from; the old one stays beside it as `.bak`.
    #[pyo3(signature = (*, backup=true))]
    fn save(&self, py: Python<'_>, backup: bool) -> PyResult<Option<PathBuf>> {
        let Some(path) = self.path() else {
            return Err(invalid(py, "the package is from no file: save_as(path) gives it one"));
        };
        let done = py.detach(|| -> unreal_packages::Result<_> {
            recover(&path)?;
            let backups = self.write(&path, true, backup)?;
            self.go_on_from(&path)?;
            Ok(backups)
        });
        Ok(done.or_raise(py)?.into_iter().next())
    }

    /// Writes a copy; one that is there stays unless `overwrite`. A package that is from no file is from
    /// this one afterwards.
    #[pyo3(signature = (path, *, overwrite=false))]
    fn save_as(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let own = self.path();
        // Written over by itself, it goes on from what is there now.
        let is_same = |own: &PathBuf| own.canonicalize().ok() == path.canonicalize().ok();
        let is_own = own.as_ref().is_none_or(is_same);
        let done = py.detach(|| {
            self.write(&path, overwrite, false)?;
            if is_own { self.go_on_from(&path) } else { Ok(()) }
        });
        done.or_raise(py)?;
        if own.is_none() {
            *held(&self.path) = Some(path);
        }
        Ok(())
    }

    /// Further files that belong to the package: bulk data beside it.
    #[getter]
    fn companions(&self) -> Vec<PathBuf> {
        let package = self.snapshot();
        let apart = package.companions().iter().filter(|file| file.kind != CompanionKind::Exports);
        apart.map(|file| file.path.clone()).collect()
    }

    fn __repr__(&self) -> String {
        let package = self.snapshot();
        let shown = self.path().map_or("in memory".to_owned(), |path| path.display().to_string());
        let count = package.exports().len();
        format!("<farchive.Package {shown}, {}, {count} objects>", self.engine())
    }
}

impl Package {
    /// The package as it stands in its file now.
    fn go_on_from(&self, path: &Path) -> unreal_packages::Result<()> {
        let _alone = held(&self.editing);
        let package = self.opening.open(&Source::Path(path.to_owned()))?;
        self.replace(package);
        Ok(())
    }
}

//! What calls are given: files or bytes, mappings, releases, folders of other packages.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use unreal_packages::container::{ContainerOptions, Containers, Keys};
use unreal_packages::environment::{Environment, Settings};
use unreal_packages::package::OpenOptions;
use unreal_packages::{EngineRelease, Game};

use crate::error::OrRaise;
use crate::lent::{LentContainers, LentFiles};
use crate::package::Package;

/// A file, or what would stand in one.
#[derive(Debug)]
pub enum Source {
    /// A path.
    Path(PathBuf),
    /// Bytes.
    Bytes(Bytes),
}

impl Source {
    /// `bytes` are used where they lie; any other buffer is copied.
    pub fn of(given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = given.extract::<PyBackedBytes>() {
            return Ok(Self::Bytes(Bytes::from_owner(bytes)));
        }
        if let Ok(buffer) = PyBuffer::<u8>::get(given) {
            return Ok(Self::Bytes(buffer.to_vec(given.py())?.into()));
        }
        if let Ok(path) = given.extract::<PathBuf>() {
            return Ok(Self::Path(path));
        }
        // Files that are open, and what reads like one.
        if given.hasattr("read")? {
            let read = given.call_method0("read")?;
            if let Ok(bytes) = read.extract::<PyBackedBytes>() {
                return Ok(Self::Bytes(Bytes::from_owner(bytes)));
            }
            return Err(PyTypeError::new_err(
                "the file must be opened for bytes: open(path, 'rb')",
            ));
        }
        let kind = given.get_type().name()?;
        Err(PyTypeError::new_err(format!("a path, bytes or an open file are wanted, not {kind}")))
    }

    /// The bytes, read where it is a path.
    pub fn read(self, py: Python<'_>) -> PyResult<Bytes> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Path(path) => {
                let (bytes, _) = py.detach(|| unreal_packages::file::read(&path)).or_raise(py)?;
                Ok(bytes)
            }
        }
    }
}

/// Names and types of properties (`.usmap`), for cooked packages that leave them out. Read once, used often.
#[pyclass(frozen, module = "farchive")]
#[derive(Debug)]
pub struct Mappings {
    /// The library's.
    pub known: Arc<unreal_packages::property::Mappings>,
    /// What they were read from: how they are pickled.
    bytes: Bytes,
}

#[pymethods]
impl Mappings {
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Source::of(source)?.read(py)?;
        let known =
            py.detach(|| unreal_packages::property::Mappings::from_bytes(&bytes)).or_raise(py)?;
        Ok(Self { known: Arc::new(known), bytes })
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>,) {
        (PyBytes::new(py, &self.bytes),)
    }

    fn __repr__(&self) -> String {
        format!("<farchive.Mappings of {} bytes>", self.bytes.len())
    }
}

/// A word that the library reads: a game, a release, a type.
pub fn word<T: FromStr<Err = unreal_packages::Error>>(py: Python<'_>, text: &str) -> PyResult<T> {
    text.parse::<T>().or_raise(py)
}

/// A release of UE4 or UE5 whose versions are known.
pub fn release(py: Python<'_>, text: &str) -> PyResult<EngineRelease> {
    let release: EngineRelease = word(py, text)?;
    if EngineRelease::all().any(|known| known == release) {
        return Ok(release);
    }
    let [first, last] = [EngineRelease::all().next(), EngineRelease::all().last()]
        .map(|it| it.map(|it| it.to_string()).unwrap_or_default());
    let reason = format!("the release {text} is not known: those from {first} to {last} are");
    Err(crate::error::invalid(py, reason))
}

/// Containers that these keys open: 0x and 64 digits, Base64, or GUID:KEY.
pub fn containers(
    py: Python<'_>,
    keys: Option<Vec<String>>,
    lent: Option<Arc<LentFiles>>,
) -> PyResult<Containers> {
    let mut keys = keys.unwrap_or_default().into_iter();
    let known = keys.try_fold(Keys::new(), |known, key| known.with_text(&key)).or_raise(py)?;
    let containers = Containers::new(ContainerOptions::new().keys(known));
    Ok(match lent {
        Some(lent) => containers.opened_by(Arc::new(LentContainers(lent))),
        None => containers,
    })
}

/// How a package is opened, and opened again once it was saved.
#[derive(Debug, Clone, Default)]
pub struct Opening {
    options: OpenOptions,
    around: Option<Arc<Environment>>,
}

impl Opening {
    /// From the arguments of `farchive.open`.
    pub fn new(
        py: Python<'_>,
        mappings: Option<&Bound<'_, PyAny>>,
        engine: Option<&str>,
        game: Option<&str>,
        max_image: Option<u64>,
        env: Option<Vec<PathBuf>>,
        keys: Option<Vec<String>>,
    ) -> PyResult<Self> {
        Self::with_lent(py, mappings, engine, game, max_image, env, keys, None)
    }

    /// The same with containers of an object store.
    #[allow(clippy::too_many_arguments, reason = "Python's keywords")]
    pub fn with_lent(
        py: Python<'_>,
        mappings: Option<&Bound<'_, PyAny>>,
        engine: Option<&str>,
        game: Option<&str>,
        max_image: Option<u64>,
        env: Option<Vec<PathBuf>>,
        keys: Option<Vec<String>>,
        lent: Option<Arc<LentFiles>>,
    ) -> PyResult<Self> {
        let mut options = OpenOptions::new().containers(Arc::new(containers(py, keys, lent)?));
        if let Some(game) = game {
            options = options.game(word::<Game>(py, game)?);
        }
        if let Some(engine) = engine {
            options = options.engine(release(py, engine)?);
        }
        if let Some(bytes) = max_image {
            options = options.max_image(bytes);
        }
        if let Some(given) = mappings {
            let known = match given.cast::<Mappings>() {
                Ok(known) => known.get().known.clone(),
                Err(_) => Mappings::new(py, given)?.known,
            };
            options = options.mappings(known);
        }
        let around = env.filter(|places| !places.is_empty()).map(|places| {
            py.detach(|| {
                let mut all = Settings::from_folders::<PathBuf>([]);
                for place in &places {
                    all.extend(Settings::detect(place)?);
                }
                Environment::new(all, options.clone()).map(Arc::new)
            })
        });
        Ok(Self { options, around: around.transpose().or_raise(py)? })
    }

    /// The library's options.
    pub fn options(&self) -> &OpenOptions {
        &self.options
    }

    /// Opens a package.
    pub fn open(&self, source: &Source) -> unreal_packages::Result<unreal_packages::Package> {
        let mut package = match source {
            Source::Path(path) => self.options.open(path)?,
            Source::Bytes(bytes) => self.options.open_bytes(bytes.clone())?,
        };
        self.prepare(&mut package);
        Ok(package)
    }

    /// Gives a package what others declare.
    pub fn prepare(&self, package: &mut unreal_packages::Package) {
        if let Some(around) = &self.around {
            around.add_class_layouts(package);
        }
    }
}

/// Opens a package: a path, or bytes, with the bodies of a split one beside them.
#[pyfunction]
#[pyo3(signature = (source, *, mappings=None, engine=None, game=None, max_image=None, env=None, keys=None,
                    bodies=None))]
#[allow(clippy::too_many_arguments, reason = "Python's keywords")]
pub fn open(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    mappings: Option<&Bound<'_, PyAny>>,
    engine: Option<&str>,
    game: Option<&str>,
    max_image: Option<u64>,
    env: Option<Vec<PathBuf>>,
    keys: Option<Vec<String>>,
    bodies: Option<&Bound<'_, PyAny>>,
) -> PyResult<Package> {
    let opening = Opening::new(py, mappings, engine, game, max_image, env, keys)?;
    let source = Source::of(source)?;
    if let Some(bodies) = bodies {
        let (header, bodies) = (source.read(py)?, Source::of(bodies)?.read(py)?);
        let package = py.detach(|| opening.options.open_split(&header, &bodies)).or_raise(py)?;
        return Ok(Package::new(package, None, opening));
    }
    let package = py.detach(|| opening.open(&source)).or_raise(py)?;
    let path = match source {
        Source::Path(path) => Some(path),
        Source::Bytes(_) => None,
    };
    Ok(Package::new(package, path, opening))
}

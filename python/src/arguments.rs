//! What calls are given: files or bytes, mappings, releases, folders of other packages.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use bytes::Bytes;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
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
        match given.extract::<PathBuf>() {
            Ok(path) => Ok(Self::Path(path)),
            Err(_) => Err(PyTypeError::new_err("a path or bytes are wanted")),
        }
    }

    /// The bytes, read where it is a path.
    pub fn read(self, py: Python<'_>) -> PyResult<Bytes> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::Path(path) => {
                let read = || {
                    std::fs::read(&path).map_err(|error| unreal_packages::Error::io(&path, error))
                };
                Ok(py.detach(read).or_raise(py)?.into())
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
}

#[pymethods]
impl Mappings {
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let bytes = Source::of(source)?.read(py)?;
        let known =
            py.detach(|| unreal_packages::property::Mappings::from_bytes(&bytes)).or_raise(py)?;
        Ok(Self { known: Arc::new(known) })
    }
}

/// A word that the library reads: a game, a release, a type.
pub fn word<T: FromStr<Err = unreal_packages::Error>>(py: Python<'_>, text: &str) -> PyResult<T> {
    text.parse::<T>().or_raise(py)
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
            options = options.engine(word::<EngineRelease>(py, engine)?);
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

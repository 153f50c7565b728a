//! Containers that are open, and paths that lead into them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use super::paths::join;
use super::{ContainerNames, ContainerOptions, GameContainer};
use crate::error::Result;
use crate::version::Versions;

/// Opens containers that are no files of this disk, such as those of an object store.
pub trait OpenContainer: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The container that stands for the file at `path`; `None` for a file that is one itself.
    ///
    /// # Errors
    /// As [`GameContainer::open`].
    fn open_container(
        &self,
        path: &Path,
        options: &ContainerOptions,
    ) -> Option<Result<GameContainer>>;
}

/// Containers by their path: each is opened once, and stays open.
#[derive(Debug, Default)]
pub struct Containers {
    options: ContainerOptions,
    opener: Option<Arc<dyn OpenContainer>>,
    open: Mutex<HashMap<PathBuf, Arc<GameContainer>>>,
    /// Names of imported objects, by the folder of their containers.
    names: Mutex<HashMap<PathBuf, Arc<ContainerNames>>>,
}

impl Containers {
    /// None is open yet.
    pub fn new(options: ContainerOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// Opens those containers with `opener` that it has; a file must stand at the path of each all the same, which
    /// may be empty.
    #[must_use]
    pub fn opened_by(mut self, opener: Arc<dyn OpenContainer>) -> Self {
        self.opener = Some(opener);
        self
    }

    /// The container that a path leads into, and the path in it: `Game.pak/Content/Town.umap`. `None` for a path
    /// that does not.
    pub fn split(path: &Path) -> Option<(PathBuf, String)> {
        let mut above = path.ancestors().skip(1);
        let container = above.find(|it| GameContainer::is_named_so(it) && it.is_file())?;
        let inside = path.strip_prefix(container).ok()?;
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        Some((container.to_owned(), parts.join("/")))
    }

    /// The path of a file in a container, the reverse of [`Containers::split`]: it leads nowhere but into the
    /// container, whatever its table of contents calls the file.
    pub fn join(container: &Path, inside: &str) -> PathBuf {
        join(container, inside)
    }

    /// The container at this path.
    ///
    /// # Errors
    /// As [`GameContainer::open`].
    pub fn container(&self, path: &Path) -> Result<Arc<GameContainer>> {
        let lock = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = lock().get(path) {
            return Ok(open.clone());
        }
        // Not under the lock: others open other containers meanwhile.
        let lent = self.opener.as_ref().and_then(|it| it.open_container(path, &self.options));
        let opened = lent.unwrap_or_else(|| GameContainer::open(path, &self.options))?;
        let opened = Arc::new(opened);
        Ok(lock().entry(path.to_owned()).or_insert(opened).clone())
    }

    /// Names of objects that packages in a folder's containers import; `written` is the release of those that do not
    /// say it, of the first who asks.
    pub fn names(
        self: &Arc<Self>,
        folder: &Path,
        written: Option<Versions>,
    ) -> Arc<ContainerNames> {
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(ContainerNames::new(folder, self, written));
        names.entry(folder.to_owned()).or_insert_with(new).clone()
    }

    /// The content of the file that a path means which leads into a container; `None` for other paths.
    pub fn read(&self, path: &Path) -> Option<Result<Bytes>> {
        let (container, inside) = Self::split(path)?;
        Some(self.container(&container).and_then(|container| container.read_path(&inside)))
    }
}

/// The order in which an engine looks into containers, greatest first: patches (`_P`, with a number before it)
/// before others, then by name, the last one first.
pub fn mount_order(path: &Path) -> (u32, String) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let Some(rest) = stem.strip_suffix("_p") else { return (0, stem) };
    let number = rest.rsplit_once('_').and_then(|(_, number)| number.parse::<u32>().ok());
    let priority = number.unwrap_or(1).saturating_add(1).saturating_mul(100);
    (priority, stem)
}

/// The package name of a file in a container: `Game/Content/Maps/Town.umap` is `/Game/Maps/Town`.
pub fn package_name(path: &str) -> String {
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let content = parts.iter().position(|part| part.eq_ignore_ascii_case("Content"));
    match content {
        // The project and the engine have their content in their own folder, plugins in one of their name.
        Some(1) if parts[0].eq_ignore_ascii_case("Engine") => {
            format!("/Engine/{}", parts[2..].join("/"))
        }
        Some(1) => format!("/Game/{}", parts[2..].join("/")),
        Some(at) if at > 1 => format!("/{}/{}", parts[at - 1], parts[at + 1..].join("/")),
        _ => format!("/{}", parts.join("/")),
    }
}

/// Whether a file in a container is a package.
pub fn is_package(path: &str) -> bool {
    let end = path.rsplit_once('.').map(|(_, end)| end).unwrap_or_default();
    ["uasset", "umap"].iter().any(|known| known.eq_ignore_ascii_case(end))
}

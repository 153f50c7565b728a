//! Names of imported objects by their hashes, from the containers that lie beside one another.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::iostore::{ChunkId, ChunkKind, IoStore};
use super::zen::{
    ImportNames, ImportedObject, KnownObjects, PackageId, ScriptPaths, ZenHeader, hash,
};
use super::{Containers, GameContainer, mount_order};
use crate::file::Links;
use crate::version::Versions;

/// The names of imports of packages in the IoStore containers of a folder: compiled code from `global.utoc`, objects
/// of other packages from their headers, each read when it is asked for first.
#[derive(Debug)]
pub struct ContainerNames {
    folder: PathBuf,
    containers: Weak<Containers>,
    written: Option<Versions>,
    stores: OnceLock<Vec<Arc<GameContainer>>>,
    scripts: OnceLock<ScriptPaths>,
    packages: Mutex<HashMap<u64, Option<Arc<KnownObjects>>>>,
}

impl ContainerNames {
    /// The names in the containers of a folder; `written` is the release of packages that do not say it.
    pub fn new(folder: &Path, containers: &Arc<Containers>, written: Option<Versions>) -> Self {
        Self {
            folder: folder.to_owned(),
            containers: Arc::downgrade(containers),
            written,
            stores: OnceLock::new(),
            scripts: OnceLock::new(),
            packages: Mutex::default(),
        }
    }

    /// The containers in the order in which the engine looks into them; those that no key opens are passed over.
    fn stores(&self) -> impl Iterator<Item = &IoStore> {
        let stores = self.stores.get_or_init(|| {
            let (Some(containers), Ok(entries)) =
                (self.containers.upgrade(), std::fs::read_dir(&self.folder))
            else {
                return Vec::new();
            };
            let paths = entries.flatten().map(|entry| entry.path());
            let is_store = |path: &PathBuf| {
                path.extension().is_some_and(|end| end.eq_ignore_ascii_case("utoc"))
            };
            let inside = |path: &PathBuf| Links::Inside.allow(path, &[&self.folder]);
            let mut paths: Vec<_> = paths.filter(is_store).filter(inside).collect();
            paths.sort_by_cached_key(|path| std::cmp::Reverse(mount_order(path)));
            paths.iter().filter_map(|path| containers.container(path).ok()).collect()
        });
        stores.iter().filter_map(|container| container.as_store())
    }

    fn scripts(&self) -> &ScriptPaths {
        self.scripts.get_or_init(|| {
            // Every game has them there; then its other containers need not be opened.
            let usual = self.containers.upgrade().and_then(|containers| {
                let path = self.folder.join("global.utoc");
                let is_own = Links::Inside.allow(&path, &[&self.folder]);
                let global = is_own.then(|| containers.container(&path).ok()).flatten()?;
                global.as_store()?.script_objects()
            });
            let elsewhere = || self.stores().find_map(IoStore::script_objects);
            usual.or_else(elsewhere).unwrap_or_default()
        })
    }

    /// The objects of a package, from its header.
    fn known(&self, id: u64) -> Option<Arc<KnownObjects>> {
        let lock = || self.packages.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&id) {
            return known.clone();
        }
        let known = self.stores().find_map(|store| {
            let kind = ChunkKind::ExportBundleData.number(store.toc_header().version.into())?;
            let chunk = store.chunk(ChunkId { id, index: 0, pad: 0, kind })?;
            let bytes = store.read_chunk(chunk).ok()?;
            let (header, _) = ZenHeader::load(&bytes, self.written.as_ref()).ok()?;
            let mut known = KnownObjects::default();
            known.add_header(&header).ok()?;
            Some(Arc::new(known))
        });
        lock().insert(id, known.clone());
        known
    }

    fn known_as(&self, package: PackageId<'_>) -> Option<Arc<KnownObjects>> {
        self.known(package.id.or_else(|| package.name.map(hash::of_package))?)
    }
}

impl ImportNames for ContainerNames {
    fn script(&self, hash: u64) -> Option<ImportedObject> {
        self.scripts().find(hash)
    }

    fn package(&self, id: u64) -> Option<String> {
        self.known(id)?.package(id)
    }

    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject> {
        self.known_as(package)?.export(package, hash)
    }

    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject> {
        self.known_as(package).map(|known| known.exports(package)).unwrap_or_default()
    }
}

impl GameContainer {
    /// The IoStore container, if it is one.
    pub fn as_store(&self) -> Option<&IoStore> {
        match self {
            Self::IoStore(store) => Some(store),
            Self::Pak(_) => None,
        }
    }
}

impl IoStore {
    /// The objects of compiled code, where the container has them: `global.utoc`.
    pub fn script_objects(&self) -> Option<ScriptPaths> {
        let read = |kind| self.read_chunk(self.chunk_of_kind(kind)?).ok();
        if let Some(objects) = read(ChunkKind::ScriptObjects) {
            return ScriptPaths::from_bytes(&objects).ok();
        }
        let names = read(ChunkKind::LoaderGlobalNames)?;
        ScriptPaths::from_ue4(&names, &read(ChunkKind::LoaderInitialLoadMeta)?).ok()
    }
}

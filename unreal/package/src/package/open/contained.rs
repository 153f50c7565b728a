//! Packages in containers.

use std::path::Path;
use std::sync::Arc;

use crate::container::{Containers, GameContainer};
use crate::error::{Result, UnrealError, UnrealErrors};
use crate::package::companion::CompanionSource;
use crate::package::{Companion, CompanionKind, OpenOptions, OtherFile, Package};

impl OpenOptions {
    /// Opens containers that paths lead into with these: they have the keys.
    #[must_use]
    pub fn containers(mut self, containers: Arc<Containers>) -> Self {
        self.containers = containers;
        self
    }

    /// The containers that paths lead into.
    pub fn open_containers(&self) -> &Arc<Containers> {
        &self.containers
    }

    /// A container is no package, and may be too large to be read as one.
    ///
    /// # Errors
    /// `NotAPackage` for a container; what it is damaged by.
    pub(super) fn refuse_container(&self, path: &Path) -> Result<()> {
        if !GameContainer::is_named_so(path) || !path.is_file() {
            return Ok(());
        }
        let kind = match self.containers.container(path).as_deref() {
            Ok(GameContainer::Pak(_)) => OtherFile::Pak,
            Ok(GameContainer::IoStore(_)) => OtherFile::IoStore,
            Err(error) => match error.unreal() {
                Some(UnrealError::NeedsKey { .. }) => OtherFile::LockedPak,
                // What only has the name of one.
                Some(UnrealError::NotAPackage { .. }) => return Ok(()),
                _ => return self.containers.container(path).map(drop),
            },
        };
        Err(UnrealError::from(kind).into())
    }

    pub(super) fn open_contained(&self, container_path: &Path, inside: &str) -> Result<Package> {
        let container = self.containers.container(container_path)?;
        let row = container.find(inside)?;
        let path = container.files().get(row).cloned().unwrap_or_default();
        let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
        let beside = |kind: CompanionKind| container.exact(&format!("{stem}.{}", kind.extension()));
        let header = container.read(row)?;
        let bodies = beside(CompanionKind::Exports).map(|row| container.read(row)).transpose()?;
        let shown = Containers::join(container_path, &path);
        let options = self.for_container(container_path, &container, row);
        let mut package = options.open_parts(&shown, header, bodies)?;
        for kind in CompanionKind::ALL {
            let Some(row) = beside(kind) else { continue };
            let size = container.file(row)?.size;
            let path = shown.with_extension(kind.extension());
            package.companions.push(Companion::contained(kind, path, size, &container, row));
        }
        Ok(package)
    }

    /// The same with what the container says beside a package: what it imports, and the names of that where the
    /// caller has not given any.
    fn for_container(&self, path: &Path, container: &GameContainer, row: usize) -> Self {
        let mut options = self.clone();
        let Some(store) = container.as_store() else { return options };
        let entry = store.chunk_of(row).and_then(|(_, id)| store.header()?.store_entry(id.id));
        if let Some(entry) = entry {
            options = options.imported_packages(entry.imported_packages.clone());
        }
        if options.zen.import_names.is_none() {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            options.zen.import_names = Some(self.containers.names(folder, self.written.clone()));
        }
        options
    }
}

impl Companion {
    fn contained(
        kind: CompanionKind,
        path: std::path::PathBuf,
        size: u64,
        container: &Arc<GameContainer>,
        row: usize,
    ) -> Self {
        let source = Some(CompanionSource::Contained(container.clone(), row));
        Self { source, ..Self::new(kind, path, size) }
    }
}

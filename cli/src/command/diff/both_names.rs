//! Names of what packages in containers import, of both sides: what the table of one says counts for the other, which
//! may have come without it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use unreal_packages::container::ContainerNames;
use unreal_packages::container::zen::{ImportNames, ImportedObject, PackageId};
use unreal_packages::package::OpenOptions;

use crate::containers;
use crate::failure::Failure;

/// The names of several folders of containers.
#[derive(Debug)]
struct BothNames(Vec<Arc<ContainerNames>>);

impl ImportNames for BothNames {
    fn script(&self, hash: u64) -> Option<ImportedObject> {
        self.0.iter().find_map(|names| names.script(hash))
    }

    fn package(&self, id: u64) -> Option<String> {
        self.0.iter().find_map(|names| names.package(id))
    }

    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject> {
        self.0.iter().find_map(|names| names.export(package, hash))
    }

    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject> {
        let mut all = self.0.iter().map(|names| names.exports(package));
        all.find(|objects| !objects.is_empty()).unwrap_or_default()
    }
}

/// These options with the names of the folders in which both sides have their containers.
pub(super) fn with_names(
    options: OpenOptions,
    folders: &BTreeSet<PathBuf>,
) -> Result<OpenOptions, Failure> {
    let Some(first) = folders.first() else { return Ok(options) };
    let open = containers::open(first, None)?;
    let names = folders.iter().map(|folder| open.names(folder, None)).collect();
    Ok(options.import_names(Arc::new(BothNames(names))))
}

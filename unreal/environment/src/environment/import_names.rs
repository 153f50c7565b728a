//! Names of objects that packages of containers import, from the packages around them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{Digest, Environment, FileId};
use crate::container::zen::{ImportNames, ImportedObject, PackageId, ScriptPaths, hash};
use crate::primitive::PackageIndex;

/// Names of imported objects ([`crate::package::OpenOptions::import_names`]): those of compiled code from the
/// table of a game, others from the packages of an environment, which are opened when they are asked for.
#[derive(Debug)]
pub struct EnvironmentNames {
    environment: Arc<Environment>,
    scripts: Arc<ScriptPaths>,
    /// Files by the numbers of their packages.
    ids: OnceLock<HashMap<u64, FileId>>,
    /// Exports by their hashes, of packages that were asked for.
    exports: Mutex<HashMap<FileId, Arc<ExportsByHash>>>,
}

type ExportsByHash = HashMap<u64, ImportedObject>;

impl EnvironmentNames {
    /// From these packages and objects of compiled code.
    pub fn new(environment: Arc<Environment>, scripts: Arc<ScriptPaths>) -> Self {
        Self { environment, scripts, ids: OnceLock::new(), exports: Mutex::default() }
    }

    fn file(&self, id: u64) -> Option<FileId> {
        let ids = self.ids.get_or_init(|| {
            let mut ids = HashMap::new();
            for (file, found) in self.environment.files() {
                ids.entry(hash::of_package(&found.name)).or_insert(file);
            }
            ids
        });
        ids.get(&id).copied()
    }

    fn exports_of(&self, package: PackageId<'_>) -> Option<Arc<ExportsByHash>> {
        let by_name = package.name.and_then(|name| self.environment.find(name));
        let file = by_name.or_else(|| self.file(package.id?))?;
        let lock = || self.exports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&file) {
            return Some(known.clone());
        }
        // Without the lock: opening it may ask for others.
        let digest = self.environment.digest(file).ok()?;
        let made = Arc::new(exports(&digest, &self.environment.file(file).name));
        Some(lock().entry(file).or_insert(made).clone())
    }
}

fn exports(digest: &Digest, package: &str) -> ExportsByHash {
    let object = |row: usize| {
        let inner = digest.path(PackageIndex::export(row));
        let class = digest.exports[row].class;
        let class = match class.target() {
            crate::primitive::ObjectRef::Null => "/Script/CoreUObject.Class".to_owned(),
            crate::primitive::ObjectRef::Import(_) => digest.path(class),
            crate::primitive::ObjectRef::Export(_) => format!("{package}.{}", digest.path(class)),
        };
        let class = class.starts_with('/').then_some(class);
        (
            hash::of_public_export(&inner),
            ImportedObject { path: format!("{package}.{inner}"), class },
        )
    };
    (0..digest.exports.len()).map(object).collect()
}

impl ImportNames for EnvironmentNames {
    fn script(&self, hash: u64) -> Option<ImportedObject> {
        self.scripts.find(hash)
    }

    fn package(&self, id: u64) -> Option<String> {
        Some(self.environment.file(self.file(id)?).name.to_string())
    }

    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject> {
        self.exports_of(package)?.get(&hash).cloned()
    }

    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject> {
        let all = self.exports_of(package);
        all.map(|all| all.values().cloned().collect()).unwrap_or_default()
    }
}

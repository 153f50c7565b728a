//! Defaults of the classes that a package imports, from the packages around it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{Environment, FileId};
use crate::inspect::{Defaults, Inherited, PackageValues};
use crate::package::Package;
use crate::primitive::PackageIndex;

/// The defaults of imported classes and archetypes; packages are opened when they are asked for, once each.
#[derive(Debug)]
pub struct EnvironmentDefaults {
    environment: Arc<Environment>,
    opened: Mutex<HashMap<FileId, Option<Arc<Package>>>>,
    found: Mutex<HashMap<(String, String), Inherited>>,
    /// How many packages led to the one that is asked.
    depth: Mutex<usize>,
}

/// Packages lead to each other this deep.
const DEEPEST: usize = 64;

impl EnvironmentDefaults {
    /// From the packages of an environment.
    pub fn new(environment: Arc<Environment>) -> Self {
        Self {
            environment,
            opened: Mutex::default(),
            found: Mutex::default(),
            depth: Mutex::default(),
        }
    }

    fn package(&self, name: &str) -> Option<Arc<Package>> {
        let id = self.environment.find(name)?;
        let lock = || self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&id) {
            return known.clone();
        }
        let opened = self.environment.open_file(id).ok().map(Arc::new);
        lock().insert(id, opened.clone());
        opened
    }

    fn look_up(&self, path: &str, property: &str) -> Inherited {
        let Some((package, object)) = path.split_once('.') else { return Inherited::Unknown };
        let Some(package) = self.package(package) else { return Inherited::Unknown };
        match package.find_export(object) {
            Ok(row) => {
                let values = package.values().with_defaults(Some(self));
                values.effective().value_of_parent(row, property)
            }
            Err(_) => Inherited::Unknown,
        }
    }
}

impl Defaults for EnvironmentDefaults {
    fn default_of(&self, package: &Package, import: PackageIndex, property: &str) -> Inherited {
        let path = package.path(import);
        let key = (path.to_ascii_lowercase(), property.to_ascii_lowercase());
        let lock = || self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let depth = || self.depth.lock().unwrap_or_else(PoisonError::into_inner);
        if *depth() >= DEEPEST {
            return Inherited::Unknown;
        }
        *depth() += 1;
        let found = self.look_up(&path, property);
        *depth() -= 1;
        lock().insert(key, found.clone());
        found
    }
}

//! Objects of other packages that meshes ask for, through `--env`.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use unreal_packages::environment::{Environment, Outcome, Resolution};
use unreal_packages::inspect::package_path;
use unreal_packages::mesh::MeshObjects;
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectRef, PackageIndex};

/// The packages around the one that is extracted.
#[derive(Debug)]
pub struct Around {
    environment: Arc<Environment>,
    /// Packages by name; they stay, so that the place of their bytes tells them apart.
    opened: Mutex<HashMap<String, Option<Package>>>,
    /// What the imports of a package mean, by the place of its bytes.
    resolved: Mutex<HashMap<usize, Arc<Vec<Resolution>>>>,
}

/// What is remembered, also where a thread has ended badly: it is whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Around {
    /// The environment of a package.
    pub fn new(environment: Arc<Environment>) -> Self {
        Self { environment, opened: Mutex::default(), resolved: Mutex::default() }
    }

    /// What the imports of the package of this file mean.
    pub fn add(&self, package: &Package, file: &Path) {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        self.resolve(package, &name);
    }

    fn resolve(&self, package: &Package, name: &str) -> Arc<Vec<Resolution>> {
        let place = package.source().as_ptr() as usize;
        let known = lock(&self.resolved).get(&place).cloned();
        known.unwrap_or_else(|| {
            let made = Arc::new(self.environment.resolve(package, name));
            lock(&self.resolved).insert(place, made.clone());
            made
        })
    }

    fn open(&self, name: &str) -> Option<Package> {
        let known = lock(&self.opened).get(name).cloned();
        known.unwrap_or_else(|| {
            let made = self.environment.open_package(name).ok();
            lock(&self.opened).insert(name.to_owned(), made.clone());
            made
        })
    }
}

impl MeshObjects for Around {
    fn find(&self, package: &Package, import: PackageIndex) -> Option<(Package, usize)> {
        let ObjectRef::Import(row) = import.target() else { return None };
        let all = self.resolve(package, "");
        let found = all.iter().find(|it| {
            it.import == row && it.kind == unreal_packages::environment::Dependency::Hard
        })?;
        let (name, row) = match &found.outcome {
            // What stands there leads on: who asks follows it.
            Outcome::Found { row: Some(row) } | Outcome::Redirected { row, .. } => {
                (&found.package, *row)
            }
            Outcome::Carried { by, row: Some(row) } => (by, *row),
            _ => return None,
        };
        Some((self.open(name)?, row))
    }

    fn find_path(&self, path: &str) -> Option<(Package, usize)> {
        let (name, inner) = path.split_once('.')?;
        let package = self.open(name)?;
        let row = package.find_export(inner).ok()?;
        Some((package, row))
    }

    fn each_actor_package(&self, level: &Package, each: &mut dyn FnMut(&Package)) {
        let Some(name) = package_path(level) else { return };
        for file in self.environment.actor_packages(&name) {
            // Those of the level are closed behind this, since there may be thousands: what is known of one by the place of
            // its bytes must not be taken for the next one's.
            if let Ok(package) = self.environment.open_file(file) {
                each(&package);
                lock(&self.resolved).remove(&(package.source().as_ptr() as usize));
            }
        }
    }
}

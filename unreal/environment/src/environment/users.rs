//! Who needs an object.

use super::resolve::class_of;
use super::{Dependency, Environment, is_passed_over};
use crate::primitive::PackageIndex;

/// An import of another package that refers to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct User {
    /// The package that imports.
    pub package: String,
    /// Its file.
    pub file: std::path::PathBuf,
    /// Whether it imports it or refers to it softly.
    pub kind: Dependency,
    /// Row of its import table; of a soft reference its number among them.
    pub import: usize,
    /// Path of what is imported: the object itself or something within it.
    pub path: String,
    /// The class that is asked for; empty for soft references.
    pub class: String,
}

impl Environment {
    /// Packages that can't be opened, and why: whom they refer to is not known. What is called like a package and is
    /// none is one that is broken.
    pub fn unopened_packages(&self) -> Vec<(std::path::PathBuf, crate::Error)> {
        let all = self.files().filter_map(|(id, file)| Some((file, self.digest(id).err()?)));
        let broken = all.filter(|(file, error)| !is_passed_over(&file.path, error));
        broken.map(|(file, error)| (file.path.clone(), error)).collect()
    }

    /// The imports and soft references of all packages that mean an object of `package` or something within it: what breaks
    /// when it goes or gets another name. An empty path asks for the package itself. Packages that can't
    /// be opened are passed over; [`Environment::unopened_packages`] lists them.
    pub fn users_of(&self, package: &str, object: &str) -> Vec<User> {
        let mut users = Vec::new();
        let whole = match object {
            "" => package.to_owned(),
            object => format!("{package}.{object}"),
        };
        let within = |path: &str| {
            path.get(..whole.len()).is_some_and(|head| head.eq_ignore_ascii_case(&whole))
                && matches!(path.as_bytes().get(whole.len()), None | Some(b'.' | b':'))
        };
        let last = whole.rsplit('.').next().unwrap_or_default();
        for (id, file) in self.files() {
            let Ok(digest) = self.digest(id) else { continue };
            // Most packages do not even have the name.
            let possible = digest.id(last).is_some() || !digest.soft.is_empty();
            if !possible || file.name.eq_ignore_ascii_case(package) {
                continue;
            }
            let imports = (0..digest.imports.len())
                .map(|row| (Dependency::Hard, row, digest.path(PackageIndex::import(row))));
            let soft =
                (0..digest.soft.len()).map(|row| (Dependency::Soft, row, digest.soft_path(row)));
            for (kind, import, path) in imports.chain(soft).filter(|(.., path)| within(path)) {
                let class = match kind {
                    Dependency::Hard => class_of(&digest, import),
                    Dependency::Soft => String::new(),
                };
                let (package, file) = (file.name.to_string(), file.path.clone());
                users.push(User { package, file, kind, import, path, class });
            }
        }
        users
    }
}

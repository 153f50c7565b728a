//! Who needs an object.

use super::resolve::class_of;
use super::{Dependency, Environment};
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
    /// The imports and soft references of all packages that mean an object of `package` or something within it: what breaks
    /// when it goes or gets another name. An empty path asks for the package itself. Packages that can't
    /// be opened are passed over; [`Environment::doctor`] lists them.
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
            for row in 0..digest.imports.len() {
                let path = digest.path(PackageIndex::import(row));
                if within(&path) {
                    users.push(User {
                        package: file.name.to_string(),
                        file: file.path.clone(),
                        kind: Dependency::Hard,
                        import: row,
                        path,
                        class: class_of(&digest, row),
                    });
                }
            }
            for row in 0..digest.soft.len() {
                let (of, object) = digest.soft_reference(row);
                let path = if object.is_empty() { of.to_owned() } else { format!("{of}.{object}") };
                if within(&path) {
                    users.push(User {
                        package: file.name.to_string(),
                        file: file.path.clone(),
                        kind: Dependency::Soft,
                        import: row,
                        path,
                        class: String::new(),
                    });
                }
            }
        }
        users
    }
}

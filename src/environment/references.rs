//! Which packages of UE4 and UE5 refer to one, by import or softly.

use std::path::PathBuf;

use super::Environment;
use crate::package::Package;

/// A package that refers to another one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PackageUser {
    /// Its file.
    pub file: PathBuf,
    /// The path that it says: of the package or of an object in it.
    pub path: String,
    /// Whether it need not load it: a soft path, a tag, another name.
    pub soft: bool,
}

impl Environment {
    /// What other packages of UE4 and UE5 say of the package with this path, `/Game/Folder/Name`: imports, soft
    /// package references, and names, which soft paths are made of. Packages that can't be opened are passed
    /// over; [`Environment::doctor`] lists them.
    pub fn references_to_package(&self, path: &str) -> Vec<PackageUser> {
        let mut users = Vec::new();
        for (id, file) in self.files() {
            let Ok(package) = self.open_file(id) else { continue };
            let is_own =
                || package.package_path().is_some_and(|own| own.eq_ignore_ascii_case(path));
            let said = said_of(&package, path);
            if said.is_empty() || is_own() {
                continue;
            }
            let file = &file.path;
            users.extend(said.into_iter().map(|(path, soft)| {
                let file = file.clone();
                PackageUser { file, path, soft }
            }));
        }
        users
    }
}

/// Paths of a package and of objects in it that another one says, and whether softly.
fn said_of(package: &Package, path: &str) -> Vec<(String, bool)> {
    let within = |text: &str| {
        text.get(..path.len()).is_some_and(|head| head.eq_ignore_ascii_case(path))
            && matches!(text.as_bytes().get(path.len()), None | Some(b'.' | b':'))
    };
    let Some(modern) = package.modern() else { return Vec::new() };
    let mut said: Vec<(String, bool)> = Vec::new();
    let imports = package.imports().iter().map(|import| (import.path(), false));
    let strings = modern.soft_package_references.iter();
    let strings = strings.filter_map(|row| row.path.text(package.source()).ok());
    let names = package.names().iter().chain(strings).map(|name| (name.into_owned(), true));
    for (text, soft) in imports.chain(names) {
        if within(&text) && !said.iter().any(|(known, _)| known.eq_ignore_ascii_case(&text)) {
            said.push((text, soft));
        }
    }
    said
}

//! Packages with a folder each in a folder of results: `upk extract` writes there, and `upk import` reads there.

use std::path::{Path, PathBuf};

use unreal_packages::container::Containers;

use crate::taken::{Refused, TakenNames};

/// The folders of the packages of one folder or container.
pub struct PackageFolders<'a> {
    /// The folder or container of packages.
    packages: &'a Path,
    results: &'a Path,
    names: TakenNames,
}

impl<'a> PackageFolders<'a> {
    /// None is taken yet.
    pub fn new(packages: &'a Path, results: &'a Path) -> Self {
        Self { packages, results, names: TakenNames::default() }
    }

    /// The folder of the next package, in the order of their paths: called like its file, where that stands in the folder
    /// or container of packages.
    pub fn take(&mut self, file: &Path) -> Result<PathBuf, Refused> {
        let inside = path_inside(self.packages, file);
        self.names.take(&inside).map(|taken| self.results.join(taken))
    }
}

/// The folder of a package that is named itself, where everything around it was extracted: called like its file, or by its
/// path in its container.
pub fn of_one(file: &Path, results: &Path) -> Option<PathBuf> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let inside = Containers::split(file).map(|(_, inside)| inside);
    [name, inside].into_iter().flatten().find_map(|path| {
        let folder = results.join(TakenNames::default().take(&path).ok()?);
        folder.is_dir().then_some(folder)
    })
}

/// The path of a package from the folder or container of packages. A folder in a container may be named without those that it
/// stands in: from the container then.
fn path_inside(packages: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(packages).map(|path| path.to_string_lossy().into_owned());
    let inside = inside.unwrap_or_else(|_| match Containers::split(file) {
        Some((_, inside)) => inside,
        None => file.to_string_lossy().into_owned(),
    });
    inside.replace('\\', "/")
}

/// Whether files lie in a folder of results: packages are not looked for there.
pub fn within(results: &Path) -> impl Fn(&Path) -> bool + use<> {
    let results = dunce::canonicalize(results).ok();
    move |path| {
        let own = dunce::canonicalize(path).ok();
        results.as_ref().zip(own).is_some_and(|(results, own)| own.starts_with(results))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_called_from_their_folder() {
        let inside = |packages: &str, file: &str| path_inside(Path::new(packages), Path::new(file));
        assert_eq!(inside("Mods", "Mods/Textures/Stone.utx"), "Textures/Stone.utx");
        assert_eq!(inside("Mods/Game.pak", "Mods/Game.pak/Content/T.uasset"), "Content/T.uasset");
    }
}

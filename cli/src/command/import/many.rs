//! The files of a folder for many packages, each of which has a folder of its own there.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use unreal_packages::container::{Containers, is_package};
use unreal_packages::file;
use unreal_packages::scan::FileOrigin;
use unreal_packages::table::{KILLING_FLOOR_TAG, PACKAGE_TAG};

use super::{Import, WithoutFiles};
use crate::command::edit::{EachPackage, Edited, ManyPackages};
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;
use crate::package_folders::{self, PackageFolders, within};

/// The packages with the folders of their files.
struct Imports<'a> {
    command: &'a Import,
    folders: HashMap<PathBuf, PathBuf>,
}

impl Import {
    /// Gives every package that has a folder there the files in it.
    pub(super) fn import_many(
        &self,
        packages: &[PathBuf],
        from: &Path,
        out: &mut Output,
    ) -> CommandResult {
        let save = &self.edit.save;
        save.require_many()?;
        let shown = from.display();
        if !from.is_dir() {
            let next = "name the folder that `upk extract FOLDER -o OUT` has written";
            return Err(Failure::usage(format!("'{shown}' is no folder\n  next: {next}")));
        }
        for path in packages {
            if let Some((path, open, _)) = containers::folder(path)? {
                containers::refuse_empty(&path, &open, "import")?;
            }
        }
        let mut many = ManyPackages::collect(save, packages, out)?;
        let is_result = within(from);
        let found = many.found.keys().map(PathBuf::as_path);
        let found = found.filter(|path| !containers::is_many(path) && !is_result(path));
        let folders = folders(&found.collect::<Vec<_>>(), packages, from);
        let has_files = |path: &Path| folders.get(path).is_some_and(|folder| folder.is_dir());
        let (files, others): (Vec<_>, Vec<_>) =
            many.files.into_iter().partition(|(path, _)| has_files(path));
        many.files = files;
        if many.files.is_empty() {
            let next =
                "`upk extract FOLDER -o OUT` writes a folder for each package, which is looked for";
            return Err(Failure::failed(format!(
                "'{shown}' has no folder for any of the packages\n  next: {next}"
            )));
        }
        let is_counted = |(path, origin): &&(PathBuf, FileOrigin)| {
            !is_result(path) && (*origin == FileOrigin::Named || begins_as_package(path))
        };
        many.leave_alone(others.iter().filter(is_counted).count() as u64);
        let run = save.start_run(&many.paths(), self.run.as_deref(), "import")?;
        many.edit(run, &Imports { command: self, folders }, out)
    }
}

/// The folder for each of the packages that were found; packages that are named themselves come first.
fn folders(found: &[&Path], packages: &[PathBuf], from: &Path) -> HashMap<PathBuf, PathBuf> {
    let mut folders = HashMap::new();
    let is_one = |path: &&PathBuf| !path.is_dir() && !containers::is_many(path);
    for file in packages.iter().filter(is_one) {
        // The files of a single one may lie in the folder itself.
        let itself = || (packages.len() == 1).then(|| from.to_owned());
        if let Some(folder) = package_folders::of_one(file, from).or_else(itself) {
            folders.insert(file.clone(), folder);
        }
    }
    for place in packages.iter().filter(|path| !is_one(path)) {
        let container = Containers::split(place).map(|(container, _)| container);
        let is_inside = |path: &Path| {
            // A folder in a container may be named without those that it stands in.
            path.starts_with(place)
                || container.is_some() && Containers::split(path).map(|it| it.0) == container
        };
        let mut own = PackageFolders::new(place, from);
        for path in found.iter().filter(|path| is_inside(path)) {
            if let Ok(folder) = own.take(path) {
                folders.entry(path.to_path_buf()).or_insert(folder);
            }
        }
    }
    folders
}

/// Whether a file is a package as far as its first bytes or its name say.
fn begins_as_package(path: &Path) -> bool {
    if is_package(&path.to_string_lossy()) {
        return true;
    }
    let mut head = [0; 4];
    let file = file::open(path, FileOrigin::Found);
    let is_read = file.is_ok_and(|(mut file, _)| file.read_exact(&mut head).is_ok());
    let tags = [PACKAGE_TAG.to_le_bytes(), PACKAGE_TAG.to_be_bytes()];
    is_read && (tags.contains(&head) || head == KILLING_FLOOR_TAG.to_le_bytes())
}

impl EachPackage for Imports<'_> {
    fn edit(&self, path: &Path, out: &mut Output) -> Result<(Edited, usize), Failure> {
        let folder = self.folders.get(path).map_or(Path::new("."), PathBuf::as_path);
        let save = &self.command.edit.save;
        let edited = save
            .apply_replacing(path, out, |edit| self.command.import_all(edit, path, folder, None))?;
        Ok((edited, 0))
    }

    fn leaves_alone(&self, _: &Path, failure: &Failure, _: &mut Output) -> Result<bool, Failure> {
        Ok(WithoutFiles::is(failure))
    }

    fn left_alone(&self) -> (&'static str, Outcome) {
        ("without files", Outcome::Fine)
    }

    fn lists_same(&self) -> bool {
        false
    }
}

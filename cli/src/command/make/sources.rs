//! What a package is made from: its classes, the files that they import, the packages around.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use unreal_packages::compile::Macros;
use unreal_packages::environment::{Definition, Environment, find_ignoring_case};
use unreal_packages::file::{self, Links, leads_into};
use unreal_packages::make::{GameCompiler, Maker, source_text};
use unreal_packages::{Error, Result};

use crate::failure::Failure;
use crate::input;

/// A package to be made.
pub struct Job {
    pub name: String,
    pub folder: PathBuf,
    pub files: Vec<PathBuf>,
    pub output: Option<PathBuf>,
}

impl Job {
    /// The package of a folder of classes that nobody names: that of the folder around them.
    pub fn of_folder(folder: &Path, files: Vec<PathBuf>, output: Option<PathBuf>) -> Self {
        let is_classes = stem(folder).eq_ignore_ascii_case("Classes");
        let around = folder.parent().filter(|_| is_classes);
        let name = stem(around.unwrap_or(folder));
        Self { name, folder: folder.to_owned(), files, output }
    }

    /// Adds its classes: texts of files, under the names that messages have for them.
    pub fn add_sources(
        &self,
        maker: &mut Maker,
        is_debug: bool,
        read: impl Fn(&Path) -> Result<(String, String)>,
    ) -> Result<()> {
        maker.macros(macros(&around_classes(&self.folder), is_debug));
        for path in &self.files {
            let (shown, text) = read(path)?;
            maker.source(&shown, &text);
        }
        Ok(())
    }

    /// Adds its classes as their files have them.
    pub fn add_files(&self, maker: &mut Maker, is_debug: bool) -> Result<()> {
        self.add_sources(maker, is_debug, |path| {
            let (bytes, _) = file::read_found(path)?;
            let shown = path.file_name().map(|name| name.to_string_lossy().into_owned());
            Ok((shown.unwrap_or_default(), source_text(&bytes)))
        })
    }

    /// Imports what lines of the classes name, and takes the flags of the package from the file beside them. What was
    /// imported, by path.
    pub fn add_content(&self, maker: &mut Maker, compiler: &GameCompiler) -> Result<Vec<String>> {
        let base = around_classes(&self.folder);
        let imported = maker.import(|file| content_file(&base, file))?;
        if let Some(flags) = find_ignoring_case(&self.folder, &format!("{}.upkg", self.name)) {
            maker.flags(Definition::open(&flags)?.apply(compiler.profile.flags));
        }
        Ok(imported)
    }
}

/// Adds the packages of an environment that have code, those that others build on first.
pub fn add_environment(
    maker: &mut Maker,
    environment: &Environment,
    own: &str,
) -> Result<(), Failure> {
    let mut names: Vec<String> = ["Core", "Engine"].map(str::to_owned).into();
    names.extend(environment.settings().edit_packages.iter().cloned());
    let is_code = |path: &Path| {
        path.extension()
            .is_some_and(|it| ["u", "upk"].iter().any(|end| it.eq_ignore_ascii_case(end)))
    };
    let paths = environment.files().map(|(_, file)| file.path.clone());
    names.extend(paths.filter(|path| is_code(path)).map(|path| stem(&path)));
    let mut seen: Vec<String> = vec![own.to_lowercase()];
    for name in names {
        if seen.contains(&name.to_lowercase()) {
            continue;
        }
        seen.push(name.to_lowercase());
        if let Ok(package) = environment.open_package(&name) {
            maker.environment(&name, &package)?;
        }
    }
    Ok(())
}

/// The class files of a folder, or of its folder Classes, by name.
pub fn class_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let inner = find_ignoring_case(folder, "Classes").filter(|path| path.is_dir());
    let folder = inner.as_deref().unwrap_or(folder);
    let failed = |error| Failure::from(Error::io(folder, error));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_class = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("uc"));
        if is_class && input::links().allow(&path, &[folder]) && path.is_file() {
            files.push(path);
        }
    }
    files.sort_by_key(|path| stem(path).to_lowercase());
    Ok(files)
}

/// The folder that lines of classes write their paths from: the one around the folder Classes.
fn around_classes(folder: &Path) -> PathBuf {
    let is_classes = stem(folder).eq_ignore_ascii_case("Classes");
    let around = folder.parent().filter(|it| is_classes && !it.as_os_str().is_empty());
    around.map_or_else(|| folder.to_owned(), Path::to_owned)
}

/// The macros of a package of UE3: what `Globals.uci` of Core and its own define, where they are there, and files that its
/// classes include, from the folder of all sources on.
fn macros(base: &Path, is_debug: bool) -> Macros {
    let base = dunce::canonicalize(base).unwrap_or_else(|_| base.to_owned());
    let sources = base.parent().unwrap_or(&base).to_owned();
    let read = move |written: &str| {
        let written = written.replace('\\', "/");
        let is_outside = written.starts_with('/') || written.contains(':');
        if is_outside || written.split('/').any(|part| part == "..") {
            return None;
        }
        Some(source_text(&file_within(&sources, &written)?))
    };
    let own = base.file_name().map(|name| name.to_string_lossy().into_owned());
    let files = ["Core".to_owned(), own.unwrap_or_default()]
        .map(|folder| read(&format!("{folder}/Globals.uci")));
    let mut macros = Macros::default().with_files(read);
    files.iter().flatten().for_each(|text| macros.add(text));
    if is_debug {
        macros.define("debug", "");
    }
    macros
}

/// A file that a line of a class imports: in the folder of the package, or beside it.
fn content_file(base: &Path, written: &str) -> Option<Vec<u8>> {
    let written = written.replace('\\', "/");
    let parts: Vec<&str> = written.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // One level up is the game's folder; further up, and paths from the root, lead out of it.
    let up = parts.iter().filter(|part| **part == "..").count();
    if written.starts_with('/') || written.contains(':') || up > 1 || up == 1 && parts[0] != ".." {
        return None;
    }
    let (folder, inner) = match up {
        1 => (dunce::canonicalize(base).ok()?.parent()?.to_owned(), parts[1..].join("/")),
        _ => (base.to_owned(), parts.join("/")),
    };
    file_within(&folder, &inner)
}

/// A file in a folder, in any case; none that a link leads out of it to, unless links are followed.
fn file_within(folder: &Path, inner: &str) -> Option<Vec<u8>> {
    let path = find_ignoring_case(folder, inner)?;
    let is_allowed = input::links() == Links::Followed || leads_into(&path, &[folder]);
    is_allowed.then(|| file::read_found(&path).ok()).flatten().map(|(bytes, _)| bytes.to_vec())
}

/// The name of a package: that of its file.
pub fn stem(path: &Path) -> String {
    let path = if path.file_stem().is_some() {
        path.to_owned()
    } else {
        dunce::canonicalize(path).unwrap_or_default()
    };
    path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a package is newer than all of its classes.
pub fn is_newer(package: &Path, files: &[PathBuf]) -> bool {
    let time = |path: &Path| path.metadata().and_then(|it| it.modified()).ok();
    let Some(made) = time(package) else { return false };
    files.iter().all(|file| time(file).unwrap_or(SystemTime::UNIX_EPOCH) <= made)
}

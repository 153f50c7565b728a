//! The packages of an installation.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::actor_files::ActorFiles;
use super::roots::Roots;
use super::search::files_of;
use super::{Cache, Digest, SearchPath, Settings, knowledge, store};
use crate::container::zen::ScriptPaths;
#[cfg(feature = "container")]
use crate::container::{self, Containers, is_package};
use crate::error::{ErrorKind, Result, noun};
use crate::file::{FileOrigin, LeftOut};
use crate::package::{OpenOptions, Package};
use crate::primitive::Guid;

/// A file of an environment: its place in the order of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(super) u32);

/// A package file that an environment has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// The name that imports use: the file's name without its extension; in UE4 and UE5 the path under
    /// its mount, `/Game/Maps/Entry`.
    pub name: Box<str>,
    /// The file.
    pub path: PathBuf,
}

/// The packages of an installation, found the way an engine finds them.
///
/// Making one lists folders and opens nothing. A package is opened when something about it is asked for
/// first, and only once: its tables are kept, beyond a few of them in a temporary file, so that memory
/// does not grow with the number of packages.
///
/// ```no_run
/// use unreal_packages::Package;
/// use unreal_packages::environment::Environment;
///
/// # fn main() -> unreal_packages::Result<()> {
/// let environment = Environment::open("UnrealTournament")?;
/// let package = Package::open("UnrealTournament/Maps/DM-Deck16][.unr")?;
/// for import in environment.resolve(&package, "DM-Deck16][") {
///     println!("{}: {}", import.path, import.outcome);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Environment {
    pub(super) settings: Settings,
    pub(super) options: OpenOptions,
    /// Those of the paths, then those that the index of the cache alone names.
    pub(super) files: Vec<PackageFile>,
    /// How many of them are those of the paths.
    own: usize,
    /// By name in lower case, in the order of search: the first one is found, the others are shadowed.
    pub(super) by_name: HashMap<Box<str>, Vec<FileId>>,
    pub(super) cache: Option<Cache>,
    pub(super) store: store::Store,
    /// Declarations of packages, by file, as far as they were asked for.
    pub(super) layouts: knowledge::KnownLayouts,
    /// Copies of other packages in cooked ones, by name in lower case; made when first asked for.
    pub(super) carried: std::sync::OnceLock<HashMap<Box<str>, Vec<FileId>>>,
    /// Packages of one actor each, by the map in lower case; made when first asked for: each of a level's references
    /// may ask.
    pub(super) actor_files: std::sync::OnceLock<ActorFiles>,
    /// Containers that could not be opened, and why.
    unopened: Vec<(PathBuf, String)>,
    /// Entries of the folders that were passed over.
    left_out: Vec<LeftOut>,
    /// The objects of compiled code that a container lists.
    scripts: Option<ScriptPaths>,
    /// The roots of paths that are at hand.
    roots: Roots,
}

impl Environment {
    /// The environment at `path`, as [`Settings::detect`] finds it.
    ///
    /// # Errors
    /// `Io`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::new(Settings::detect(path)?, OpenOptions::new())
    }

    /// The environment that these settings describe; packages are opened with `options`.
    ///
    /// # Errors
    /// `Io` when the index of the cache can't be read.
    pub fn new(settings: Settings, options: OpenOptions) -> Result<Self> {
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        // Nobody has named a file of it: a pipe in a folder must not be waited for.
        let options = options.origin(FileOrigin::Found).links(settings.links);
        let mut seen = std::collections::HashSet::new();
        let mut by_name: HashMap<Box<str>, Vec<FileId>> = HashMap::new();
        let cache = match &settings.cache {
            Some(folder) => Some(Cache::open(folder, &settings.cache_extension)?),
            None => None,
        };
        #[cfg_attr(not(feature = "container"), expect(unused_mut))]
        let (mut unopened, mut scripts): (_, Option<ScriptPaths>) = (Vec::new(), None);
        let mut add = |name: String, path: PathBuf| {
            // Paths may overlap.
            if seen.insert(path.clone()) {
                let id = FileId(files.len() as u32);
                by_name.entry(lower(&name)).or_default().push(id);
                files.push(PackageFile { name: name.into(), path });
            }
        };
        let found = files_of(&settings.paths, settings.links, &mut left_out);
        for (path, found) in settings.paths.iter().zip(found) {
            for file in found.files {
                // Files of the cache are found by their GUID alone.
                let cached = cache.as_ref().is_some_and(|cache| cache.holds(&file));
                if let Some(name) = package_name(path, &file).filter(|_| !cached) {
                    add(name, file);
                }
            }
            #[cfg(feature = "container")]
            for container in found.containers {
                match options.open_containers().container(&container) {
                    Ok(open) => {
                        for inside in open.files().iter().filter(|inside| is_package(inside)) {
                            let file = Containers::join(&container, inside);
                            add(container::package_name(inside), file);
                        }
                        let has_scripts = open.as_store().and_then(|it| it.script_objects());
                        scripts = scripts.or(has_scripts);
                    }
                    Err(error) => unopened.push((container, error.to_string())),
                }
            }
        }
        let own = files.len();
        for (name, path) in cache.iter().flat_map(named_by_index) {
            // Those of the paths come first, wherever they are.
            if let Entry::Vacant(place) = by_name.entry(lower(&name)) {
                place.insert(vec![FileId(files.len() as u32)]);
                files.push(PackageFile { name: name.into(), path });
            }
        }
        let store = store::Store::new(files.len());
        let (layouts, carried, actor_files) = Default::default();
        let roots = Roots::of(&settings.roots);
        Ok(Self {
            roots,
            settings,
            options,
            files,
            own,
            by_name,
            cache,
            store,
            layouts,
            carried,
            actor_files,
            unopened,
            left_out,
            scripts,
        })
    }

    /// The root of a package of UE4 or UE5 whose content is not at hand: of an engine that was not given, or of its
    /// plugins.
    pub fn elsewhere<'a>(&self, package: &'a str) -> Option<&'a str> {
        self.roots.elsewhere(package)
    }

    /// The settings that the environment was made from.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Containers that could not be opened, and why: a key may be missing.
    pub fn unopened_containers(&self) -> &[(PathBuf, String)] {
        &self.unopened
    }

    /// Entries of the folders that were passed over: links that lead out of them, pipes, devices.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// The objects of compiled code, where a container lists them: `global.utoc`.
    pub fn script_objects(&self) -> Option<&ScriptPaths> {
        self.scripts.as_ref()
    }

    /// The cache, if there is one.
    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    /// Every file of the paths, in the order of search; files of the cache are found by name and GUID alone.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &PackageFile)> {
        self.files[..self.own].iter().enumerate().map(|(at, file)| (FileId(at as u32), file))
    }

    /// Number of files of the paths.
    pub fn len(&self) -> usize {
        self.own
    }

    /// Whether there are no files in the paths.
    pub fn is_empty(&self) -> bool {
        self.own == 0
    }

    /// Whether a file lies in the cache, where only its index says what it is called.
    pub fn is_cached(&self, id: FileId) -> bool {
        id.0 as usize >= self.own
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &PackageFile {
        &self.files[id.0 as usize]
    }

    /// The file that is found for a package: the first of this name in the order of search. Cooked
    /// packages are also found under their name with `_SF`.
    pub fn find(&self, package: &str) -> Option<FileId> {
        let name = lower(package);
        self.by_name
            .get(&name)
            .or_else(|| self.by_name.get(format!("{name}_sf").as_str()))
            .and_then(|files| files.first().copied())
    }

    /// The files of this name that are never found by it, since another one comes before them.
    pub fn shadowed(&self, package: &str) -> &[FileId] {
        self.by_name.get(&lower(package)).and_then(|files| files.get(1..)).unwrap_or_default()
    }

    /// Whether a file is the one that its name finds.
    pub fn is_found(&self, id: FileId) -> bool {
        self.by_name.get(&lower(&self.file(id).name)).is_some_and(|files| files[0] == id)
    }

    /// The file of a package that must have this GUID: the cache comes first, then the paths.
    pub fn find_required(&self, package: &str, guid: Guid) -> Option<PathBuf> {
        let cached = self.cache.as_ref().and_then(|cache| cache.find(guid));
        if let Some(entry) = cached.filter(|entry| entry.exists) {
            return Some(entry.path.clone());
        }
        let files = self.by_name.get(&lower(package))?;
        let has = |id: &&FileId| self.digest(**id).is_ok_and(|digest| digest.guid == guid);
        files.iter().find(has).map(|id| self.file(*id).path.clone())
    }

    /// The tables of a package, which is opened if that has not been done.
    ///
    /// # Errors
    /// Why it can't be opened.
    pub fn digest(&self, id: FileId) -> Result<Arc<Digest>> {
        self.store.get(id, || Ok(Digest::of(&self.open_file(id)?)))
    }

    /// Opens a package; what is known about it is not used.
    ///
    /// # Errors
    /// As [`OpenOptions::open`].
    pub fn open_file(&self, id: FileId) -> Result<Package> {
        self.options.open(&self.file(id).path)
    }

    /// Opens the package of this name.
    ///
    /// # Errors
    /// `NotFound`, or as [`OpenOptions::open`].
    pub fn open_package(&self, package: &str) -> Result<Package> {
        let not_found = || ErrorKind::NotFound {
            what: noun::PACKAGE,
            name: package.to_owned(),
            hint: format!("; {} files were searched", self.len()),
        };
        self.open_file(self.find(package).ok_or_else(not_found)?)
    }

    /// How often a package was opened for its tables.
    pub fn opened(&self) -> u64 {
        self.store.opened()
    }

    /// The cooked packages that carry copies of objects of the package of this name.
    pub(super) fn carriers(&self, package: &str) -> &[FileId] {
        let carried = self.carried.get_or_init(|| {
            let mut carried: HashMap<Box<str>, Vec<FileId>> = HashMap::new();
            for (id, _) in self.files() {
                let Ok(digest) = self.digest(id) else { continue };
                for name in digest.forced_packages() {
                    carried.entry(lower(name)).or_default().push(id);
                }
            }
            carried
        });
        carried.get(&lower(package)).map_or(&[], Vec::as_slice)
    }
}

impl Settings {
    /// The path by which other packages import the one in this file, where a project of UE4 or UE5 says it:
    /// `/Game/Maps/Entry`.
    pub fn mount_path(&self, file: &Path) -> Option<String> {
        let mut mounted = self.paths.iter().filter(|path| path.mount.is_some());
        mounted.find_map(|path| package_name(path, file))
    }
}

pub(super) fn lower(text: &str) -> Box<str> {
    text.to_ascii_lowercase().into()
}

/// Packages of the cache by the names of its index. One of which the cache has several is none of them: only a GUID
/// tells them apart.
fn named_by_index(cache: &Cache) -> Vec<(String, PathBuf)> {
    let mut found: HashMap<Box<str>, Option<(String, PathBuf)>> = HashMap::new();
    for entry in cache.entries().filter(|entry| entry.exists) {
        let original = entry.original.as_deref().map(Path::new);
        let Some(name) = original.and_then(Path::file_stem).and_then(|it| it.to_str()) else {
            continue;
        };
        let named = Some((name.to_owned(), entry.path.clone()));
        found.entry(lower(name)).and_modify(|one| *one = None).or_insert(named);
    }
    let mut found: Vec<_> = found.into_values().flatten().collect();
    found.sort();
    found
}

/// The name by which imports call the package in this file.
fn package_name(path: &SearchPath, file: &Path) -> Option<String> {
    let Some(mount) = &path.mount else {
        return Some(file.file_stem()?.to_str()?.to_owned());
    };
    let mut folders = path.folders.iter();
    let inner = folders.find_map(|folder| file.strip_prefix(folder).ok())?.with_extension("");
    let parts: Option<Vec<&str>> = inner.iter().map(|part| part.to_str()).collect();
    Some(format!("{mount}{}", parts?.join("/")))
}

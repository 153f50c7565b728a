//! Where an engine looks for packages and in which order: from ini files, or from folders.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Ini;
use super::search::{FolderNames, SearchPath, find_ignoring_case};
use crate::error::{Error, Result};
use crate::file::{Links, leads_into};

/// The settings of an installation about its packages.
///
/// | ini section | keys | engines |
/// |---|---|---|
/// | `Core.System` | `Paths`, `CachePath`, `CacheExt` | UE1, UE2, UE3 |
/// | `Core.System` | `ScriptPaths`, `FRScriptPaths`, `SeekFreePCPaths` | UE3 |
/// | `Editor.EditorEngine`, `UnrealEd.EditorEngine` | `EditPackages`, `ModEditPackages` | all |
/// | `Engine.GameEngine` | `ServerPackages`, `ServerActors` | UE1, UE2 |
/// | `EditPackages` | every key | early UE1 |
/// | `Engine.Engine`, `DefaultGame`, `DefaultPlayer` | classes by their values | UE1, UE2 |
///
/// Spec: ue1-3/08 §8.1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Where to look, in order.
    pub paths: Vec<SearchPath>,
    /// Paths of an ini file beyond the first 1,024, as they are written: not searched.
    pub surplus_paths: Vec<String>,
    /// The roots whose content is at hand, of a project of UE4 or UE5 or a plugin: `Game`, `Engine`, plugins.
    pub roots: Vec<String>,
    /// The folder of downloaded packages.
    pub cache: Option<PathBuf>,
    /// The same as the ini file writes it, also where there is no such folder, or where it lies outside of the game.
    pub cache_path: Option<String>,
    /// The extension of files in the cache, with its dot: `.uxx`.
    pub cache_extension: String,
    /// Code packages in the order in which they are built.
    pub edit_packages: Vec<String>,
    /// Packages that a server sends beside those of the level.
    pub server_packages: Vec<String>,
    /// Packages of the classes that are named for servers' actors, the game and the player, each with the key that
    /// names it.
    pub named_packages: Vec<NamedPackage>,
    /// The ini file that the settings come from; none for plain folders.
    pub ini: Option<PathBuf>,
    /// Which links are followed in the folders.
    pub links: Links,
    /// Folders outside of the one that was given, which its ini file or a link in it leads to: not searched.
    pub outside: Vec<PathBuf>,
}

/// A package of which an ini file names a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPackage {
    /// The key or, in early files, the section: `ServerActors`, `DefaultGame`.
    pub key: String,
    /// The package.
    pub package: String,
}

/// The extension of cache files where none is configured.
const CACHE_EXTENSION: &str = ".uxx";
/// Paths of an ini file that are searched; games have some ten. Each file of a folder is compared with each of them.
const MOST_PATHS: usize = 1024;

impl Settings {
    /// The settings of what stands at `path`: an ini file, a container, a game's folder or its `System` folder, a
    /// project of UE4 or UE5, or else a plain folder of packages.
    ///
    /// # Errors
    /// `Io`, also when there is nothing at `path`.
    pub fn detect(path: impl AsRef<Path>) -> Result<Self> {
        Self::detect_with(path, Links::Inside)
    }

    /// As [`Settings::detect`]. Where links are followed, ini files may lead out of the folder as well.
    ///
    /// # Errors
    /// As [`Settings::detect`].
    pub fn detect_with(path: impl AsRef<Path>, links: Links) -> Result<Self> {
        let path = path.as_ref();
        let mut settings = Self::detect_at(path, links)?;
        settings.links = links;
        Ok(settings)
    }

    fn detect_at(path: &Path, links: Links) -> Result<Self> {
        let metadata = std::fs::metadata(path).map_err(|error| Error::io(path, error))?;
        #[cfg(feature = "container")]
        if metadata.is_file() && crate::container::GameContainer::is_named_so(path) {
            return Ok(Self::from_folders([path]));
        }
        if metadata.is_file() {
            // The user has named it: its game is the folder around its own.
            return Self::from_ini_file(path).map(|it| it.within(&game_of(path), links));
        }
        // A folder that is there but can't be read is an error, not an empty environment.
        std::fs::read_dir(path).map_err(|error| Error::io(path, error))?;
        if let Some(ini) = classic_ini(path, links) {
            let settings = Self::from_ini_file(&ini)?;
            let is_system = |folder: &Path| {
                let name = dunce::canonicalize(folder).ok();
                let name = name.as_deref().and_then(Path::file_name).and_then(|it| it.to_str());
                name.and_then(|it| it.get(..6)).is_some_and(|it| it.eq_ignore_ascii_case("system"))
            };
            // Other folders than a game's `System` may have an ini file with any paths in it.
            let is_in_game = ini.parent() == Some(path) && is_system(path);
            let root = if is_in_game { game_of(&ini) } else { path.to_owned() };
            return Ok(settings.within(&root, links));
        }
        if let Some(settings) = Self::of_ue3(path, links)? {
            return Ok(settings.within(path, links));
        }
        Ok(Self::of_project(path, links).unwrap_or_else(|| Self::from_folders([path])))
    }

    /// The same without the folders that do not lie in `root`, unless links are followed: an ini file may name any
    /// folder, and the whole disk.
    fn within(mut self, root: &Path, links: Links) -> Self {
        if links == Links::Followed {
            return self;
        }
        let outside = &mut self.outside;
        for path in &mut self.paths {
            let folders = std::mem::take(&mut path.folders);
            let (own, others): (Vec<_>, _) =
                folders.into_iter().partition(|folder| leads_into(folder, &[root]));
            path.folders = own;
            outside.extend(others);
        }
        outside.extend(self.cache.take_if(|folder| !leads_into(folder, &[root])));
        self
    }

    /// Plain folders with all folders in them.
    pub fn from_folders<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Self {
        let paths = folders.into_iter().map(SearchPath::folder).collect();
        Self { paths, cache_extension: CACHE_EXTENSION.to_owned(), ..Self::default() }
    }

    /// The settings of an ini file; its paths start at its own folder.
    ///
    /// # Errors
    /// `Io`.
    pub fn from_ini_file(path: &Path) -> Result<Self> {
        let base = path.parent().filter(|base| !base.as_os_str().is_empty());
        let settings = Self::from_ini(&Ini::open(path)?, base.unwrap_or(Path::new(".")));
        Ok(Self { ini: Some(path.to_owned()), ..settings })
    }

    /// The settings of an ini file; its paths start at `base`.
    pub fn from_ini(ini: &Ini, base: &Path) -> Self {
        let system = "Core.System";
        let (mut paths, mut surplus_paths) = (Vec::new(), Vec::new());
        let (mut seen, mut names) = (HashSet::new(), FolderNames::default());
        for key in ["ScriptPaths", "FRScriptPaths", "Paths", "SeekFreePCPaths"] {
            for text in ini.values(system, key).into_iter().filter(|text| seen.insert(*text)) {
                match paths.len() < MOST_PATHS {
                    true => paths.push(SearchPath::written_with(base, text, &mut names)),
                    false => surplus_paths.push(text.to_owned()),
                }
            }
        }
        let owned = |values: Vec<&str>| values.into_iter().map(str::to_owned).collect::<Vec<_>>();
        let mut edit_packages = Vec::new();
        for section in ["Editor.EditorEngine", "UnrealEd.EditorEngine", "UnrealEdEngine"] {
            for key in ["EditPackages", "ModEditPackages"] {
                edit_packages.extend(owned(ini.values(section, key)));
            }
        }
        // Early files have a section of this name, whose keys only number the packages.
        if edit_packages.is_empty() {
            let listed = ini.entries("EditPackages").map(|(_, value)| value);
            edit_packages.extend(listed.filter(|it| !it.is_empty()).map(str::to_owned));
        }
        // One with folders in it would lead out of the cache.
        let extension = ini.get(system, "CacheExt").filter(|end| !end.contains(['/', '\\', ':']));
        let extension = extension.unwrap_or(CACHE_EXTENSION);
        Self {
            paths,
            surplus_paths,
            cache_path: ini.get(system, "CachePath").map(str::to_owned),
            cache: ini.get(system, "CachePath").and_then(|path| find_ignoring_case(base, path)),
            cache_extension: extension.to_owned(),
            edit_packages,
            server_packages: owned(ini.values("Engine.GameEngine", "ServerPackages")),
            named_packages: named_packages(ini),
            ..Self::default()
        }
    }

    /// Everything of `other` behind what is here.
    pub fn extend(&mut self, other: Self) {
        self.paths.extend(other.paths);
        self.roots.extend(other.roots);
        self.edit_packages.extend(other.edit_packages);
        self.server_packages.extend(other.server_packages);
        self.named_packages.extend(other.named_packages);
        self.ini = self.ini.take().or(other.ini);
        self.outside.extend(other.outside);
        self.surplus_paths.extend(other.surplus_paths);
        if other.links == Links::Followed {
            self.links = other.links;
        }
        if self.cache.is_none() {
            (self.cache, self.cache_extension) = (other.cache, other.cache_extension);
            self.cache_path = other.cache_path;
        }
    }

    /// A game of UE3: `Engine/Config/BaseEngine.ini` and the game's own files over it.
    fn of_ue3(root: &Path, links: Links) -> Result<Option<Self>> {
        let Some(games) = folders(root) else { return Ok(None) };
        let is_own = |path: &PathBuf| path.is_file() && links.allow(path, &[root]);
        let config = |game: &Path, file: &str| {
            find_ignoring_case(game, &format!("Config/{file}")).filter(is_own)
        };
        let base_file = find_ignoring_case(root, "Engine/Config/BaseEngine.ini").filter(is_own);
        let game = games.iter().find(|game| config(game, "DefaultEngine.ini").is_some());
        if base_file.is_none() && game.is_none() {
            return Ok(None);
        }
        let mut ini = base_file.map(Ini::open).transpose()?.unwrap_or_default();
        if let Some(game) = game {
            let default = config(game, "DefaultEngine.ini").map(Ini::open).transpose()?;
            ini.overlay(&default.unwrap_or_default());
            // What the engine has written itself is complete.
            let inis = inis(&game.join("Config"), links);
            let written = inis.into_iter().find(|path| {
                let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
                let lower = name.to_ascii_lowercase();
                lower.ends_with("engine") && !lower.starts_with("default")
            });
            if let Some(path) = written {
                let written = Ini::open(path)?;
                if !written.values("Core.System", "Paths").is_empty() {
                    ini = written;
                }
            }
        }
        if ini.values("Core.System", "Paths").is_empty() {
            return Ok(None);
        }
        // Paths start at the program's folder, which was Binaries first and Binaries/Win32 later.
        let count = |base: &Path| {
            let settings = Self::from_ini(&ini, base);
            (settings.paths.iter().filter(|path| !path.folders.is_empty()).count(), settings)
        };
        let (late, early) =
            (count(&root.join("Binaries").join("Win32")), count(&root.join("Binaries")));
        Ok(Some(if late.0 >= early.0 { late.1 } else { early.1 }))
    }
}

/// The packages of the classes that an ini file names, each once for a key.
fn named_packages(ini: &Ini) -> Vec<NamedPackage> {
    let mut named: Vec<NamedPackage> = Vec::new();
    let mut add = |key: &str, value: &str| {
        // Options may follow the class of a server's actor.
        let class = value.split([' ', '\t', '?']).next().unwrap_or_default();
        let Some((package, _)) = class.split_once('.') else { return };
        let is_name = |text: &str| {
            !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-".contains(c))
        };
        let found = NamedPackage { key: key.to_owned(), package: package.to_owned() };
        if is_name(package) && !named.contains(&found) {
            named.push(found);
        }
    };
    for value in ini.values("Engine.GameEngine", "ServerActors") {
        add("ServerActors", value);
    }
    for key in ["DefaultGame", "DefaultServerGame"] {
        ini.values("Engine.Engine", key).into_iter().for_each(|value| add(key, value));
    }
    // Early files have sections of these names; the later `DefaultPlayer` has a class beside the player's name.
    for (section, key) in [("DefaultGame", None), ("DefaultPlayer", Some("Class"))] {
        let wanted = |known: &str| key.is_none_or(|key| known.eq_ignore_ascii_case(key));
        let values = ini.entries(section).filter(|(known, _)| wanted(known));
        values.for_each(|(_, value)| add(section, value));
    }
    named
}

/// The folder of the game whose ini file this is: the one around its `System`.
fn game_of(ini: &Path) -> PathBuf {
    let base = ini.parent().filter(|base| !base.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let base = dunce::canonicalize(base).unwrap_or_else(|_| base.to_owned());
    base.parent().unwrap_or(&base).to_owned()
}

/// The folders in a folder, by name.
pub(super) fn folders(root: &Path) -> Option<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root).ok()?.flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    Some(folders)
}

/// The ini files in a folder, by name.
fn inis(folder: &Path, links: Links) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_ini =
        |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"));
    let is_own = |path: &PathBuf| path.is_file() && links.allow(path, &[folder]);
    let found = entries.flatten().map(|entry| entry.path()).filter(is_ini).filter(is_own);
    let mut found: Vec<_> = found.collect();
    found.sort();
    found
}

/// The ini file of a game of UE1 or UE2, in the folder or in its `System`: the game's own before the
/// defaults it is made from.
fn classic_ini(folder: &Path, links: Links) -> Option<PathBuf> {
    let system = find_ignoring_case(folder, "System").filter(|system| system.is_dir());
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in system.iter().map(PathBuf::as_path).chain([folder]) {
        found.extend(inis(folder, links).into_iter().filter(|path| {
            Ini::open(path).is_ok_and(|ini| !ini.values("Core.System", "Paths").is_empty())
        }));
    }
    let is_default = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("default"))
            || name.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("def"))
    };
    let own = found.iter().position(|path| !is_default(path));
    (!found.is_empty()).then(|| found.swap_remove(own.unwrap_or(0)))
}

//! Where an engine looks for packages and in which order: from ini files, or from folders.

use std::path::{Path, PathBuf};

use super::Ini;
use super::search::{SearchPath, find_ignoring_case};
use crate::error::{Error, Result};

/// What an installation says about its packages.
///
/// | ini section | keys | engines |
/// |---|---|---|
/// | `Core.System` | `Paths`, `CachePath`, `CacheExt` | UE1, UE2, UE3 |
/// | `Core.System` | `ScriptPaths`, `FRScriptPaths`, `SeekFreePCPaths` | UE3 |
/// | `Editor.EditorEngine`, `UnrealEd.EditorEngine` | `EditPackages`, `ModEditPackages` | all |
/// | `Engine.GameEngine` | `ServerPackages` | UE1, UE2 |
///
/// Spec: ue1-3/08 §8.1.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// Where to look, in order.
    pub paths: Vec<SearchPath>,
    /// The folder of downloaded packages.
    pub cache: Option<PathBuf>,
    /// What files in the cache end in, with its dot: `.uxx`.
    pub cache_extension: String,
    /// Code packages in the order in which they are built.
    pub edit_packages: Vec<String>,
    /// Packages that a server sends beside those of the level.
    pub server_packages: Vec<String>,
}

/// The extension of cache files where none is configured.
const CACHE_EXTENSION: &str = ".uxx";

impl Settings {
    /// What is found at `path`: an ini file, a container, a game's folder or its `System` folder, a project of UE4 or
    /// UE5, or else a plain folder of packages.
    ///
    /// # Errors
    /// `Io`, also when there is nothing at `path`.
    pub fn detect(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let metadata = std::fs::metadata(path).map_err(|error| Error::io(path, error))?;
        #[cfg(feature = "container")]
        if metadata.is_file() && crate::container::GameContainer::is_named_so(path) {
            return Ok(Self::from_folders([path]));
        }
        if metadata.is_file() {
            return Self::from_ini_file(path);
        }
        // A folder that is there but can't be read is an error, not an empty environment.
        std::fs::read_dir(path).map_err(|error| Error::io(path, error))?;
        if let Some(ini) = classic_ini(path) {
            return Self::from_ini_file(&ini);
        }
        if let Some(settings) = Self::of_ue3(path)? {
            return Ok(settings);
        }
        Ok(Self::of_project(path).unwrap_or_else(|| Self::from_folders([path])))
    }

    /// Plain folders with all folders in them.
    pub fn from_folders<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Self {
        let paths = folders.into_iter().map(SearchPath::folder).collect();
        Self { paths, cache_extension: CACHE_EXTENSION.to_owned(), ..Self::default() }
    }

    /// What an ini file says; its paths start at its own folder.
    ///
    /// # Errors
    /// `Io`.
    pub fn from_ini_file(path: &Path) -> Result<Self> {
        let base = path.parent().filter(|base| !base.as_os_str().is_empty());
        Ok(Self::from_ini(&Ini::open(path)?, base.unwrap_or(Path::new("."))))
    }

    /// What an ini file says; its paths start at `base`.
    pub fn from_ini(ini: &Ini, base: &Path) -> Self {
        let system = "Core.System";
        let mut paths = Vec::new();
        for key in ["ScriptPaths", "FRScriptPaths", "Paths", "SeekFreePCPaths"] {
            for text in ini.values(system, key) {
                let path = SearchPath::written(base, text);
                if !paths.contains(&path) {
                    paths.push(path);
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
        let extension = ini.get(system, "CacheExt").unwrap_or(CACHE_EXTENSION);
        Self {
            paths,
            cache: ini.get(system, "CachePath").and_then(|path| find_ignoring_case(base, path)),
            cache_extension: extension.to_owned(),
            edit_packages,
            server_packages: owned(ini.values("Engine.GameEngine", "ServerPackages")),
        }
    }

    /// Everything of `other` behind what is here.
    pub fn extend(&mut self, other: Self) {
        self.paths.extend(other.paths);
        self.edit_packages.extend(other.edit_packages);
        self.server_packages.extend(other.server_packages);
        if self.cache.is_none() {
            (self.cache, self.cache_extension) = (other.cache, other.cache_extension);
        }
    }

    /// A game of UE3: `Engine/Config/BaseEngine.ini` and the game's own files over it.
    fn of_ue3(root: &Path) -> Result<Option<Self>> {
        let Some(games) = folders(root) else { return Ok(None) };
        let config = |game: &Path, file: &str| {
            find_ignoring_case(game, &format!("Config/{file}")).filter(|path| path.is_file())
        };
        let base_file = find_ignoring_case(root, "Engine/Config/BaseEngine.ini");
        let game = games.iter().find(|game| config(game, "DefaultEngine.ini").is_some());
        if base_file.is_none() && game.is_none() {
            return Ok(None);
        }
        let mut ini = base_file.map(Ini::open).transpose()?.unwrap_or_default();
        if let Some(game) = game {
            let default = config(game, "DefaultEngine.ini").map(Ini::open).transpose()?;
            ini.overlay(&default.unwrap_or_default());
            // What the engine has written itself is complete.
            let written = inis(&game.join("Config")).into_iter().find(|path| {
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

    /// A project of UE4 or UE5: its content, its plugins' and the engine's, each under its mount.
    fn of_project(root: &Path) -> Option<Self> {
        let is_project = |path: &PathBuf| path.extension().is_some_and(|end| end == "uproject");
        let content = root.join("Content");
        let engine = root.join("Engine").join("Content");
        let entries = || std::fs::read_dir(root).ok().map(|all| all.flatten().map(|e| e.path()));
        let is_project = entries()?.any(|path| is_project(&path));
        if !is_project && !engine.is_dir() {
            return None;
        }
        let mut settings = Self::from_folders::<PathBuf>([]);
        let mut mount = |folder: PathBuf, name: &str| {
            if folder.is_dir() {
                let mut path = SearchPath::folder(folder);
                path.mount = Some(format!("/{name}/"));
                settings.paths.push(path);
            }
        };
        mount(content, "Game");
        mount(engine, "Engine");
        for (name, folder) in plugins(&root.join("Plugins"), 0) {
            mount(folder.join("Content"), &name);
        }
        (!settings.paths.is_empty()).then_some(settings)
    }
}

/// Folders with a `.uplugin` file, and its name.
fn plugins(folder: &Path, depth: usize) -> Vec<(String, PathBuf)> {
    const DEEPEST: usize = 8;
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < DEEPEST {
            found.extend(plugins(&path, depth + 1));
        } else if path.extension().is_some_and(|end| end == "uplugin")
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            found.push((name.to_owned(), folder.to_owned()));
        }
    }
    found
}

fn folders(root: &Path) -> Option<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root).ok()?.flatten().map(|entry| entry.path());
    let mut folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    Some(folders)
}

/// The ini files in a folder, by name.
fn inis(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let is_ini =
        |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"));
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(is_ini).collect();
    found.sort();
    found
}

/// The ini file of a game of UE1 or UE2, in the folder or in its `System`: the game's own before the
/// defaults it is made from.
fn classic_ini(folder: &Path) -> Option<PathBuf> {
    let system = find_ignoring_case(folder, "System").filter(|system| system.is_dir());
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in system.iter().map(PathBuf::as_path).chain([folder]) {
        found.extend(inis(folder).into_iter().filter(|path| {
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

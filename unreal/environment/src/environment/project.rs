//! Projects, plugins and unpacked games of UE4 and UE5: folders of content, each under its mount.

use std::path::{Path, PathBuf};

use super::Settings;
use super::search::SearchPath;
use super::settings::folders;
use crate::file::{Links, leads_into};

/// Files that are looked at for one of UE4 or UE5.
const MOST_FILES: usize = 4096;
/// Folders in folders that are looked into.
const DEEPEST: usize = 8;

/// Content that lies under `/Game/`, and where plugins of the same project are.
struct GameContent {
    content: PathBuf,
    project: Option<PathBuf>,
}

impl Settings {
    /// A project or a plugin, or what was unpacked of a game: its content, its plugins' and the engine's.
    pub(super) fn of_project(root: &Path, links: Links) -> Option<Self> {
        let is_project = |path: &PathBuf| path.extension().is_some_and(|end| end == "uproject");
        let entries = std::fs::read_dir(root).ok()?.flatten().map(|entry| entry.path());
        let is_project = entries.into_iter().any(|path| is_project(&path));
        let own = plugin_in(root).filter(|_| !is_project);
        let engine = root.join("Engine").join("Content");
        let is_known = is_project || own.is_some() || engine.is_dir();
        let GameContent { content, project } = match is_project || own.is_some() {
            true => GameContent { content: root.join("Content"), project: Some(root.to_owned()) },
            false => match unpacked(root, links) {
                None if is_known => {
                    GameContent { content: root.join("Content"), project: Some(root.to_owned()) }
                }
                found => found?,
            },
        };
        let mut settings = Self::from_folders::<PathBuf>([]);
        let mut mount = |folder: PathBuf, name: &str| {
            // Also without content: then nothing of it is there, and nothing of it is elsewhere.
            settings.roots.push(name.to_owned());
            if folder.is_dir() && !(links == Links::Followed || leads_into(&folder, &[root])) {
                settings.outside.push(folder);
            } else if folder.is_dir() {
                let mut path = SearchPath::folder(folder);
                path.mount = Some(format!("/{name}/"));
                settings.paths.push(path);
            }
        };
        mount(content, own.as_deref().unwrap_or("Game"));
        if engine.is_dir() {
            mount(engine, "Engine");
        }
        let of_game = project.iter().map(|project| project.join("Plugins"));
        for plugins_of in of_game.chain([root.join("Engine").join("Plugins")]) {
            for (name, folder) in plugins(&plugins_of, links, 0) {
                mount(folder.join("Content"), &name);
            }
        }
        (!settings.paths.is_empty()).then_some(settings)
    }
}

/// The content of a game that was unpacked, which has no project file: the folder is the content, or holds it, or holds the
/// one folder beside `Engine` that does.
fn unpacked(root: &Path, links: Links) -> Option<GameContent> {
    let is_content = |folder: &Path| {
        let mut left = MOST_FILES;
        has_packages(folder, links, &mut left, 0)
    };
    let name = dunce::canonicalize(root).ok()?;
    let name = name.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if name.eq_ignore_ascii_case("Content") && is_content(root) {
        return Some(GameContent { content: root.to_owned(), project: None });
    }
    // Packages beside would not be found any more.
    let entries = std::fs::read_dir(root).ok()?.flatten();
    if entries.into_iter().any(|entry| is_package(&entry.path())) {
        return None;
    }
    let content = root.join("Content");
    if is_content(&content) {
        return Some(GameContent { content, project: Some(root.to_owned()) });
    }
    let is_engine = |folder: &PathBuf| folder.file_name().is_some_and(|name| name == "Engine");
    let games = folders(root)?.into_iter().filter(|folder| !is_engine(folder));
    let mut games = games.filter(|folder| is_content(&folder.join("Content")));
    match (games.next(), games.next()) {
        (Some(game), None) => {
            Some(GameContent { content: game.join("Content"), project: Some(game) })
        }
        _ => None,
    }
}

fn is_package(path: &Path) -> bool {
    matches!(path.extension().and_then(|end| end.to_str()), Some("uasset" | "umap"))
}

/// Whether one of the first files in a folder is a package of UE4 or UE5 by its name: games of UE3 call their folder so too.
fn has_packages(folder: &Path, links: Links, left: &mut usize, depth: usize) -> bool {
    let is_link = folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link && links != Links::Followed || depth > DEEPEST {
        return false;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    let mut inner = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        if is_package(&path) {
            return true;
        }
        if path.is_dir() {
            inner.push(path);
        }
    }
    inner.iter().any(|folder| has_packages(folder, links, left, depth + 1))
}

/// The name of the plugin in a folder.
fn plugin_in(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "uplugin")).collect();
    files.sort();
    files.first()?.file_stem()?.to_str().map(str::to_owned)
}

/// Folders with a `.uplugin` file, and its name.
fn plugins(folder: &Path, links: Links, depth: usize) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    // A link within the folder leads to what is visited anyway.
    let is_link = folder.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink());
    if is_link && links != Links::Followed {
        return found;
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < DEEPEST {
            found.extend(plugins(&path, links, depth + 1));
        } else if path.extension().is_some_and(|end| end == "uplugin")
            && let Some(name) = path.file_stem().and_then(|name| name.to_str())
        {
            found.push((name.to_owned(), folder.to_owned()));
        }
    }
    found
}

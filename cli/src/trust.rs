//! Whose files count: what a folder says about itself is heeded only where the user has made it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use unreal_packages::file::VERSION_CONTROL;

use crate::output::warn_early;

/// The variable that names folders whose configuration may lead anywhere; `1` stands for all.
const VARIABLE: &str = "UPK_TRUST_CONFIG";
/// Which configurations may name paths outside of their folder.
#[derive(Debug, Default)]
struct Trust {
    all: bool,
    folders: Vec<PathBuf>,
}

static TRUST: OnceLock<Trust> = OnceLock::new();

/// Trusts all configurations, if `all`, or those that the environment names.
pub fn set_up(all: bool) {
    let value = std::env::var_os(VARIABLE).filter(|value| !value.is_empty());
    let value = value.unwrap_or_default();
    let folders = std::env::split_paths(&value).filter_map(|path| dunce::canonicalize(path).ok());
    let all = all || value == "1";
    let folders = if all { Vec::new() } else { folders.collect() };
    // Set once, before anything is opened.
    let _ = TRUST.set(Trust { all, folders });
}

/// The folders whose configurations may lead anywhere; `None` for all folders.
pub fn trusted_folders() -> Option<Vec<PathBuf>> {
    TRUST.get().map_or(Some(Vec::new()), |trust| (!trust.all).then(|| trust.folders.clone()))
}

/// Whether the user trusts what lies in this folder.
pub fn is_trusted(folder: &Path) -> bool {
    let Some(trust) = TRUST.get() else { return false };
    trust.all || trust.folders.iter().any(|trusted| folder.starts_with(trusted))
}

/// Whether a path stays in a folder: what its links lead to too, where it is there.
pub fn is_within(path: &Path, folder: &Path) -> bool {
    if let (Ok(path), Ok(folder)) = (path.canonicalize(), folder.canonicalize()) {
        return path.starts_with(folder);
    }
    let steps_up = || path.components().any(|part| part == std::path::Component::ParentDir);
    path.starts_with(folder) && !steps_up()
}

/// What a folder says of a file that describes it.
#[derive(Debug, PartialEq, Eq)]
pub enum Look<'a> {
    /// The file.
    Found(PathBuf),
    /// There is none; it may lie above.
    Above(&'a Path),
    /// There is none, and none above counts.
    Nothing,
}

/// A folder in the search for such a file.
#[derive(Debug)]
pub struct Searched<'a> {
    /// The file, where something of its name is there.
    pub file: Option<PathBuf>,
    /// Why it is not used.
    pub refused: Option<&'static str>,
    /// Where the search goes on, or why it ends here.
    pub above: Result<&'a Path, &'static str>,
}

/// Looks for a file that describes a folder, whose path has no links. The search ends with the folder that holds
/// a project (`.git`, a `.uproject` file), with the user's home, at another file system, and where another user could
/// have put the file.
pub fn look<'a>(folder: &'a Path, name: &str) -> Look<'a> {
    let Searched { file, refused, above } = search(folder, name);
    match (file, refused) {
        (Some(file), Some(reason)) => pass_over(&file, reason),
        (Some(file), None) => return Look::Found(file),
        (None, _) => {}
    }
    above.map_or(Look::Nothing, Look::Above)
}

/// The same, with the reasons and without a warning.
pub fn search<'a>(folder: &'a Path, name: &str) -> Searched<'a> {
    let file = folder.join(name);
    let mut searched = Searched { file: None, refused: None, above: above(folder) };
    if let Ok(metadata) = file.symlink_metadata() {
        if !metadata.is_file() {
            searched.refused = Some("it is no file, or a link");
        } else if let Some(reason) = distrust(folder, &file) {
            searched.refused = Some(reason);
            searched.above = Err("a file that is not trusted ends the search");
        } else {
            searched.above = Err("the nearest file counts");
        }
        searched.file = Some(file);
    }
    searched
}

/// The folder above, or why nothing above says anything about this one.
fn above(folder: &Path) -> Result<&Path, &'static str> {
    let outer = folder.parent().ok_or("there is no folder above")?;
    root_reason(folder, outer).map_or(Ok(outer), Err)
}

fn pass_over(file: &Path, reason: &str) {
    warn_early(&format!("{} is not used: {reason}", file.display()));
}

/// Why nobody may rely on the file.
#[cfg(unix)]
fn distrust(folder: &Path, file: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt;
    /// Whoever is in the group, or anybody, may write.
    const ANYBODY: u32 = 0o002;
    const STICKY: u32 = 0o1000;
    if is_trusted(folder) {
        return None;
    }
    let unknown = "its owner is not known";
    let (Ok(folder), Ok(file)) = (folder.metadata(), file.symlink_metadata()) else {
        return Some(unknown);
    };
    match () {
        () if !is_own(file.uid()) => {
            Some("it belongs to another user (--trust-config, or UPK_TRUST_CONFIG, uses it)")
        }
        () if file.mode() & ANYBODY != 0 => Some("anybody may write to it (chmod o-w)"),
        () if folder.mode() & ANYBODY != 0 && folder.mode() & STICKY == 0 => {
            Some("anybody may write to its folder (chmod o-w)")
        }
        () => None,
    }
}

#[cfg(not(unix))]
fn distrust(_: &Path, _: &Path) -> Option<&'static str> {
    None
}

/// Whether a user's files are as good as one's own: those of the administrator are, and of the user for whom the
/// administrator works.
#[cfg(unix)]
fn is_own(user: u32) -> bool {
    let own = rustix::process::geteuid();
    let behind_sudo = || {
        let user = std::env::var("SUDO_UID").ok()?;
        user.parse::<u32>().ok()
    };
    user == own.as_raw() || user == 0 || own.is_root() && behind_sudo() == Some(user)
}

/// Why nothing above a folder says anything about it.
fn root_reason(folder: &Path, outer: &Path) -> Option<&'static str> {
    let home = ["HOME", "USERPROFILE"].into_iter().filter_map(std::env::var_os);
    let mut home = home.filter_map(|home| dunce::canonicalize(PathBuf::from(home)).ok());
    // Only the outermost folder of a project holds one of these.
    let is_marked = |marker: &&str| folder.join(marker).symlink_metadata().is_ok();
    match () {
        () if VERSION_CONTROL.iter().any(is_marked) => Some("the folder is under version control"),
        () if home.any(|home| home == folder) => Some("it is the user's home"),
        () if is_border(folder, outer) => Some("the folder above belongs to another disk or user"),
        () if has_project(folder) => Some("the folder holds a .uproject file"),
        () => None,
    }
}

#[cfg(unix)]
fn is_border(folder: &Path, outer: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (folder.metadata(), outer.metadata()) {
        // Another user's folder ends the search, too: what lies above is that user's.
        (Ok(folder), Ok(outer)) => folder.dev() != outer.dev() || !is_own(folder.uid()),
        _ => true,
    }
}

#[cfg(not(unix))]
fn is_border(_: &Path, _: &Path) -> bool {
    false
}

fn has_project(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| PathBuf::from(entry.file_name()));
    names.any(|name| name.extension().is_some_and(|end| end.eq_ignore_ascii_case("uproject")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_ends_with_a_project() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        let inner = root.join("Game/Content");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(look(&inner, "upk.toml"), Look::Above(&root.join("Game")));
        assert_eq!(look(&root.join("Game"), "upk.toml"), Look::Above(&root));
        std::fs::write(root.join("Game/My.uproject"), "{}").unwrap();
        assert_eq!(look(&root.join("Game"), "upk.toml"), Look::Nothing);
        std::fs::write(root.join("Game/upk.toml"), "").unwrap();
        assert_eq!(look(&root.join("Game"), "upk.toml"), Look::Found(root.join("Game/upk.toml")));
        std::fs::create_dir(inner.join(".git")).unwrap();
        assert_eq!(look(&inner, "upk.toml"), Look::Nothing);
    }

    #[test]
    fn paths_that_lead_out_of_a_folder_are_not_within() {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
        for (path, is_inside) in [
            ("Game.usmap", true),
            ("gone/Game.usmap", true),
            (".", true),
            ("..", false),
            ("gone/../../x", false),
            ("/dev/zero", false),
            ("/nowhere/at/all", false),
        ] {
            assert_eq!(is_within(&root.join(path), &root), is_inside, "{path}");
        }
    }
}

//! Paths as ini files write them, found on any system.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::error::{Error, UnrealError, UnrealErrors};
use crate::file::{LeftOut, Links, Walk, Walked};

/// Spellings of one path that are followed.
const MOST_SPELLINGS: usize = 16;
/// Folders are followed this deep.
const DEEPEST: usize = 32;

/// A place where an engine looks for packages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchPath {
    /// As it was written: `..\Maps\*.unr`.
    pub written: String,
    /// The folders of this name: several where their case differs on a system that tells them apart, none
    /// where there is no such folder.
    pub folders: Vec<PathBuf>,
    /// Which files count: `*.unr`; empty for all that packages usually end in.
    pub pattern: String,
    /// Whether folders in it count as well.
    pub recursive: bool,
    /// UE4 and UE5: what packages in it are called in front of their path, `/Game/`.
    pub mount: Option<String>,
}

/// Extensions of packages' files (spec: ue1-3/08 §8.6).
const EXTENSIONS: &[&str] = &[
    "u", "utx", "uax", "umx", "unr", "dx", "run", "rom", "sfr", "rsm", "ngf", "aao", "dnf", "ut2",
    "un2", "usx", "ukx", "upx", "uvx", "est", "md5", "s4m", "upk", "ut3", "udk", "umap", "uasset",
    "pcc", "xxx", "sfm", "me1", "gear", "olscript", "kfm",
];

/// The extensions that other files have as well.
const AMBIGUOUS: [&str; 5] = ["run", "rom", "est", "md5", "me1"];

/// Whether a file is called as packages alone are: then one that can't be opened is a package that is broken.
pub fn is_named_as_package(file: &Path) -> bool {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is = |known: &&str| known.eq_ignore_ascii_case(end);
    EXTENSIONS.iter().any(is) && !AMBIGUOUS.iter().any(is)
}

/// Whether a file of a folder is passed over, by why it can't be opened: it is no package, and is not called like one.
/// A file with the name of one is a broken package, and a walk through a folder reports it.
pub fn is_passed_over(file: &Path, error: &Error) -> bool {
    matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })) && !is_named_as_package(file)
}

impl SearchPath {
    /// A folder of packages and all folders in it.
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self {
            written: folder.display().to_string(),
            folders: vec![folder],
            pattern: String::new(),
            recursive: true,
            mount: None,
        }
    }

    /// A path as an ini file writes it, relative to `base`: `..\Maps\*.unr`, or a folder.
    pub fn written(base: &Path, text: &str) -> Self {
        Self::written_with(base, text, &mut FolderNames::default())
    }

    /// As [`SearchPath::written`], with the folders that were listed for other paths.
    pub(super) fn written_with(base: &Path, text: &str, names: &mut FolderNames) -> Self {
        let (folder, pattern) = match text.rsplit_once(['\\', '/']) {
            Some((folder, last)) if last.contains(['*', '?']) => (folder, last),
            None if text.contains(['*', '?']) => ("", text),
            _ => (text, ""),
        };
        Self {
            written: text.to_owned(),
            folders: all_ignoring_case(base, folder, &mut |at, part| names.named(at, part))
                .into_iter()
                .filter(|found| found.is_dir())
                .collect(),
            pattern: pattern.to_owned(),
            recursive: pattern.is_empty(),
            mount: None,
        }
    }

    /// How deep folders in its folders are searched.
    fn depth(&self) -> usize {
        if self.recursive { DEEPEST } else { 1 }
    }
}

/// The files that one path has found.
#[derive(Debug, Default)]
pub(super) struct PathFiles {
    /// The files that no path before it has found, by name; a folder that can't be read has none.
    pub files: Vec<PathBuf>,
    /// The containers, in the order in which an engine looks into them; a place that is one by itself counts.
    #[cfg(feature = "container")]
    pub containers: Vec<PathBuf>,
}

/// The kind of a folder's file for a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundKind {
    File,
    #[cfg(feature = "container")]
    Container,
}

/// A path that searches a folder.
struct Searcher {
    path: usize,
    /// Which of its folders it is.
    folder: usize,
    pattern: Pattern,
}

/// The files that these paths find, each for itself; entries that are passed over go to `left_out`.
///
/// Each folder is listed once, however many paths lead there: a line of an ini file costs its author nothing.
pub(super) fn files_of(
    paths: &[SearchPath],
    links: Links,
    left_out: &mut Vec<LeftOut>,
) -> Vec<PathFiles> {
    let mut places: Vec<(&Path, usize)> = Vec::new();
    let mut searchers: HashMap<(&Path, usize), Vec<Searcher>> = HashMap::new();
    let mut seen = HashSet::new();
    for (row, path) in paths.iter().enumerate() {
        for (at, folder) in path.folders.iter().enumerate() {
            let place = (folder.as_path(), path.depth());
            let is_new = seen.insert((place, path.pattern.to_lowercase()));
            if !is_new || !folder.is_dir() {
                continue;
            }
            let here = searchers.entry(place).or_default();
            if here.is_empty() {
                places.push(place);
            }
            let pattern = Pattern::new(&path.pattern);
            here.push(Searcher { path: row, folder: at, pattern });
        }
    }
    let mut found: Vec<(usize, usize, FoundKind, PathBuf)> = Vec::new();
    for place in places {
        let here = searchers.remove(&place).unwrap_or_default();
        let (folder, depth) = place;
        let walk = Walk::new(folder, links).depth(depth).files_first();
        let Walked { files, left_out: mut others, unfinished, .. } = walk.run();
        // Whoever opens a file that is half replaced is told so.
        for file in files.into_iter().chain(unfinished) {
            #[cfg(feature = "container")]
            if crate::container::GameContainer::is_named_so(&file)
                && let Some(all) = here.iter().find(|it| it.pattern == Pattern::Packages)
            {
                found.push((all.path, all.folder, FoundKind::Container, file.clone()));
            }
            if let Some(first) = first_that_counts(&here, &file) {
                found.push((first.path, first.folder, FoundKind::File, file));
            }
        }
        others.retain(|it| first_that_counts(&here, &it.path).is_some() || depth > 1 && it.is_link);
        left_out.extend(others);
    }
    found.sort_by_key(|(path, folder, ..)| (*path, *folder));
    let mut of_paths: Vec<PathFiles> = Vec::new();
    of_paths.resize_with(paths.len(), PathFiles::default);
    for (path, _, kind, file) in found {
        match kind {
            FoundKind::File => of_paths[path].files.push(file),
            #[cfg(feature = "container")]
            FoundKind::Container => of_paths[path].containers.push(file),
        }
    }
    #[cfg(feature = "container")]
    for (path, found) in paths.iter().zip(&mut of_paths).filter(|(path, _)| path.pattern.is_empty())
    {
        let themselves = path.folders.iter().filter(|path| path.is_file());
        found.containers.extend(themselves.cloned());
        let order = |path: &PathBuf| std::cmp::Reverse(crate::container::mount_order(path));
        found.containers.sort_by_cached_key(order);
    }
    of_paths
}

/// The first of these for which a file counts.
fn first_that_counts<'a>(searchers: &'a [Searcher], file: &Path) -> Option<&'a Searcher> {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let has_patterns = searchers.iter().any(|it| it.pattern != Pattern::Packages);
    let lower = if has_patterns { lower(name) } else { Vec::new() };
    searchers.iter().find(|searcher| match &searcher.pattern {
        Pattern::Names(pattern) => matches(pattern, &lower),
        Pattern::Packages => {
            let extension = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
            EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
        }
    })
}

/// Which files of a folder count.
#[derive(Debug, PartialEq, Eq)]
enum Pattern {
    /// All that packages usually end in.
    Packages,
    /// Files whose names fit, in lower case.
    Names(Vec<char>),
}

impl Pattern {
    fn new(text: &str) -> Self {
        if text.is_empty() { Self::Packages } else { Self::Names(lower(text)) }
    }
}

/// Names in folders, each of which is listed once.
#[derive(Debug, Default)]
pub(super) struct FolderNames {
    /// By folder: what has a name, by that in lower case.
    known: HashMap<PathBuf, HashMap<String, Vec<PathBuf>>>,
}

impl FolderNames {
    /// All that has this name in a folder, in any case.
    fn named(&mut self, folder: &Path, name: &str) -> Vec<PathBuf> {
        if !self.known.contains_key(folder) {
            let mut names: HashMap<String, Vec<PathBuf>> = HashMap::new();
            for (name, path) in names_in(folder) {
                names.entry(name.to_ascii_lowercase()).or_default().push(path);
            }
            self.known.insert(folder.to_owned(), names);
        }
        let names = self.known.get(folder);
        names.and_then(|names| names.get(&name.to_ascii_lowercase())).cloned().unwrap_or_default()
    }
}

/// The entries of a folder.
fn names_in(folder: &Path) -> impl Iterator<Item = (String, PathBuf)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), entry.path())))
}

/// Follows a path that an ini file has written from `base`: either slash, `..`, names in any case.
/// `None` when there is no such file or folder, and for paths with a drive of another system.
pub fn find_ignoring_case(base: &Path, written: &str) -> Option<PathBuf> {
    let named = |at: &Path, part: &str| -> Vec<PathBuf> {
        let same = names_in(at).filter(|(name, _)| name.eq_ignore_ascii_case(part));
        same.map(|(_, path)| path).collect()
    };
    all_ignoring_case(base, written, &mut { named }).into_iter().next()
}

/// Everything that a path may mean, the exact names first; `named` says what has a name in a folder, in any case.
fn all_ignoring_case(
    base: &Path,
    written: &str,
    named: &mut dyn FnMut(&Path, &str) -> Vec<PathBuf>,
) -> Vec<PathBuf> {
    let whole = Path::new(written);
    if written.contains(':') || written.starts_with("\\\\") || whole.has_root() && whole.exists() {
        return if whole.exists() { vec![whole.to_path_buf()] } else { Vec::new() };
    }
    let mut found = vec![base.to_path_buf()];
    for part in written.split(['\\', '/']).filter(|part| !matches!(*part, "" | ".")) {
        found = found.iter().flat_map(|at| step(at, part, named)).take(MOST_SPELLINGS).collect();
    }
    found
}

/// The places that one name leads to.
fn step(at: &Path, part: &str, named: &mut dyn FnMut(&Path, &str) -> Vec<PathBuf>) -> Vec<PathBuf> {
    if part == ".." {
        // Of the names, not the file system: the folder itself may not be there.
        let outer = at.parent().filter(|_| at.file_name().is_some()).map(Path::to_path_buf);
        return outer.or_else(|| dunce::canonicalize(at.join("..")).ok()).into_iter().collect();
    }
    let exact = at.join(part);
    let mut found: Vec<PathBuf> = exact.exists().then(|| exact.clone()).into_iter().collect();
    let mut others = named(at, part);
    others.retain(|path| *path != exact);
    // A system that does not tell cases apart has found it already.
    if !found.is_empty()
        && others
            .iter()
            .any(|path| dunce::canonicalize(path).ok() == dunce::canonicalize(&exact).ok())
    {
        others.clear();
    }
    others.sort();
    found.extend(others);
    found
}

fn lower(text: &str) -> Vec<char> {
    text.to_lowercase().chars().collect()
}

/// Whether a name fits a pattern with `*` and `?`, both in lower case.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where to go on when the part after the last star does not fit.
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*' {
            (p, n) = (p + 1, n + 1);
        } else if p < pattern.len() && pattern[p] == '*' {
            retry = Some((p, n));
            p += 1;
        } else if let Some((star, at)) = retry {
            retry = Some((star, at + 1));
            (p, n) = (star + 1, at + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

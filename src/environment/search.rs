//! Paths as ini files write them, found on any system.

use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::file::{LeftOut, Links, Walk};

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

/// What files of packages end in (spec: ue1-3/08 §8.6).
const EXTENSIONS: &[&str] = &[
    "u", "utx", "uax", "umx", "unr", "dx", "run", "rom", "sfr", "rsm", "ngf", "aao", "dnf", "ut2",
    "un2", "usx", "ukx", "upx", "uvx", "est", "md5", "s4m", "upk", "ut3", "udk", "umap", "uasset",
    "pcc", "xxx", "sfm", "me1", "gear", "olscript",
];

/// Those of them that other files have as well.
const AMBIGUOUS: [&str; 5] = ["run", "rom", "est", "md5", "me1"];

/// Whether a file is called as packages alone are: then one that can't be opened is a package that is broken.
pub fn is_named_as_package(file: &Path) -> bool {
    let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is = |known: &&str| known.eq_ignore_ascii_case(end);
    EXTENSIONS.iter().any(is) && !AMBIGUOUS.iter().any(is)
}

/// Whether a file of a folder is passed over, by why it can't be opened: it is no package, and is not called like one.
/// What is called like one is a package that is broken, and whoever goes through a folder says so.
pub fn is_passed_over(file: &Path, error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NotAPackage { .. }) && !is_named_as_package(file)
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
        let (folder, pattern) = match text.rsplit_once(['\\', '/']) {
            Some((folder, last)) if last.contains(['*', '?']) => (folder, last),
            None if text.contains(['*', '?']) => ("", text),
            _ => (text, ""),
        };
        Self {
            written: text.to_owned(),
            folders: all_ignoring_case(base, folder)
                .into_iter()
                .filter(|found| found.is_dir())
                .collect(),
            pattern: pattern.to_owned(),
            recursive: pattern.is_empty(),
            mount: None,
        }
    }

    /// The files, by name; a folder that can't be read has none. What is passed over goes to `left_out`.
    pub(super) fn files(&self, links: Links, left_out: &mut Vec<LeftOut>) -> Vec<PathBuf> {
        self.found(links, left_out, &|path| self.counts(path))
    }

    /// The containers, in the order in which an engine looks into them; a place that is one by itself counts.
    #[cfg(feature = "container")]
    pub(super) fn containers(&self, links: Links) -> Vec<PathBuf> {
        use crate::container::{GameContainer, mount_order};
        if !self.pattern.is_empty() {
            return Vec::new();
        }
        // What is passed over is known from the files.
        let is_named_so = |path: &Path| GameContainer::is_named_so(path);
        let mut found = self.found(links, &mut Vec::new(), &is_named_so);
        let themselves = self.folders.iter().filter(|path| path.is_file());
        found.extend(themselves.cloned());
        found.sort_by_cached_key(|path| std::cmp::Reverse(mount_order(path)));
        found
    }

    fn found(
        &self,
        links: Links,
        left_out: &mut Vec<LeftOut>,
        wanted: &dyn Fn(&Path) -> bool,
    ) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for folder in self.folders.iter().filter(|folder| folder.is_dir()) {
            let depth = if self.recursive { DEEPEST } else { 1 };
            let walked = Walk::new(folder, links).depth(depth).files_first().run();
            found.extend(walked.files.into_iter().filter(|path| wanted(path)));
            let mut others = walked.left_out;
            others.retain(|it| wanted(&it.path) || self.recursive && it.is_link);
            left_out.extend(others);
        }
        found
    }

    fn counts(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !self.pattern.is_empty() {
            return matches(&self.pattern, name);
        }
        let extension = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
    }
}

/// Follows a path that an ini file has written from `base`: either slash, `..`, names in any case.
/// `None` when there is no such file or folder, and for paths with a drive of another system.
pub fn find_ignoring_case(base: &Path, written: &str) -> Option<PathBuf> {
    all_ignoring_case(base, written).into_iter().next()
}

/// Everything that a path may mean, the exact names first.
fn all_ignoring_case(base: &Path, written: &str) -> Vec<PathBuf> {
    let whole = Path::new(written);
    if written.contains(':') || written.starts_with("\\\\") || whole.has_root() && whole.exists() {
        return if whole.exists() { vec![whole.to_path_buf()] } else { Vec::new() };
    }
    let mut found = vec![base.to_path_buf()];
    for part in written.split(['\\', '/']).filter(|part| !matches!(*part, "" | ".")) {
        found = found.iter().flat_map(|at| step(at, part)).take(MOST_SPELLINGS).collect();
    }
    found
}

/// The places that one name leads to.
fn step(at: &Path, part: &str) -> Vec<PathBuf> {
    if part == ".." {
        // Of the names, not the file system: the folder itself may not be there.
        let outer = at.parent().filter(|_| at.file_name().is_some()).map(Path::to_path_buf);
        return outer.or_else(|| at.join("..").canonicalize().ok()).into_iter().collect();
    }
    let exact = at.join(part);
    let mut found: Vec<PathBuf> = exact.exists().then(|| exact.clone()).into_iter().collect();
    let entries = std::fs::read_dir(at).into_iter().flatten().flatten();
    let mut others: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_str().is_some_and(|n| n.eq_ignore_ascii_case(part)))
        .map(|entry| entry.path())
        .filter(|path| *path != exact)
        .collect();
    // A system that does not tell cases apart has found it already.
    if !found.is_empty()
        && others.iter().any(|path| path.canonicalize().ok() == exact.canonicalize().ok())
    {
        others.clear();
    }
    others.sort();
    found.extend(others);
    found
}

/// Whether a name fits a pattern with `*` and `?`, in any case.
pub(super) fn matches(pattern: &str, name: &str) -> bool {
    let lower = |text: &str| text.to_lowercase().chars().collect::<Vec<_>>();
    let (pattern, name) = (lower(pattern), lower(name));
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

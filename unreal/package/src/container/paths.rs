//! The paths of the files in a container, and how one is meant.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::near::{did_you_mean, nearest};
use crate::error::{ErrorKind, Noun, Result};

/// The paths of a container's files, found whatever their case.
#[derive(Debug, Default)]
pub(super) struct Paths {
    paths: Vec<String>,
    /// Paths by row of files that are found by another path than the stored one: [`inner`].
    inner: HashMap<u32, String>,
    /// Rows in the order of the paths without case.
    order: Vec<u32>,
}

/// The path in a container that a stored path means: names alone. What stands there is anybody's text, and an
/// absolute path, a drive or `..` would lead to a file outside of the container.
pub(super) fn inner(path: &str) -> Cow<'_, str> {
    let is_name = |part: &str| !matches!(part, "" | "." | "..");
    if !path.contains(['\\', ':']) && path.split('/').all(is_name) {
        return Cow::Borrowed(path);
    }
    let names: Vec<_> = path.split(['/', '\\']).filter(|part| is_name(part)).collect();
    let names = names.join("/");
    let mut rest = names.as_str();
    // Windows would take each of them for a drive, also the second one of `C:D:a`.
    while let [drive, b':', ..] = rest.as_bytes()
        && drive.is_ascii_alphabetic()
    {
        rest = rest[2..].trim_start_matches('/');
    }
    Cow::Owned(rest.to_owned())
}

/// The path of a file in a container, as files are opened by: it always leads into that container.
pub(crate) fn join(container: &Path, path: &str) -> PathBuf {
    container.join(&*inner(path))
}

fn lower(path: &str) -> impl Iterator<Item = u8> {
    path.bytes().map(|byte| if byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() })
}

fn compare(a: &str, b: &str) -> Ordering {
    lower(a).cmp(lower(b))
}

impl Paths {
    /// The paths of these rows.
    pub fn new(paths: Vec<String>) -> Self {
        let others = (0..).zip(&paths).filter_map(|(row, path)| match inner(path) {
            Cow::Owned(inner) => Some((row, inner)),
            Cow::Borrowed(_) => None,
        });
        let inner = others.collect();
        let order = (0..paths.len() as u32).collect();
        let mut found = Self { paths, inner, order };
        let mut order = std::mem::take(&mut found.order);
        order.sort_by(|a, b| compare(found.key(*a as usize), found.key(*b as usize)));
        Self { order, ..found }
    }

    /// The path that a file is found by.
    fn key(&self, row: usize) -> &str {
        self.inner.get(&(row as u32)).unwrap_or(&self.paths[row])
    }

    /// All of them by row.
    pub fn all(&self) -> &[String] {
        &self.paths
    }

    /// Rows in the order of their paths.
    pub fn sorted(&self) -> impl Iterator<Item = usize> {
        self.order.iter().map(|row| *row as usize)
    }

    /// The file of exactly this path; of several the last one.
    pub fn exact(&self, path: &str) -> Option<usize> {
        let path = &*inner(path);
        let at = |row: &u32| compare(self.key(*row as usize), path);
        let end = self.order.partition_point(|row| at(row) != Ordering::Greater);
        let row = *self.order.get(end.checked_sub(1)?)?;
        (at(&row) == Ordering::Equal).then_some(row as usize)
    }

    /// The file that a path means: all of its path, from the mount point, or the end of one.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` where several end so.
    pub fn find(&self, path: &str, mount: &str) -> Result<usize> {
        let path = &*inner(path);
        if let Some(row) = self.exact(path).or_else(|| self.exact(&format!("{mount}{path}"))) {
            return Ok(row);
        }
        let wanted: Vec<u8> = lower(path).collect();
        let ends = |known: &str| {
            let start = known.len().checked_sub(wanted.len() + 1)?;
            let (_, tail) = known.as_bytes().split_at_checked(start)?;
            (tail[0] == b'/' && tail[1..].eq_ignore_ascii_case(&wanted)).then_some(())
        };
        let mut found = (0..self.paths.len()).filter(|row| ends(self.key(*row)).is_some());
        match (found.next(), found.next()) {
            (Some(row), None) => Ok(row),
            (Some(first), Some(second)) => {
                let (first, second) = (&self.paths[first], &self.paths[second]);
                let reason =
                    format!("several files end so: {first}, {second}; say more of the path");
                Err(ErrorKind::Invalid { reason }.into())
            }
            (None, _) => {
                let hint = did_you_mean(&nearest(
                    &file_name(path),
                    self.paths.iter().map(|path| file_name(path)),
                ));
                Err(ErrorKind::NotFound { what: Noun::File, name: path.to_owned(), hint }.into())
            }
        }
    }

    /// The files in a folder, at every depth, in the order of their paths; the folder is meant as files are.
    pub fn within(&self, folder: &str, mount: &str) -> Vec<usize> {
        let folder = &*inner(folder);
        if folder.is_empty() {
            return self.sorted().collect();
        }
        let below = |folder: &str| -> Vec<usize> {
            let wanted: Vec<u8> = lower(&inner(folder)).chain([b'/']).collect();
            let is = |row: &usize| {
                let head = self.key(*row).as_bytes().get(..wanted.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(&wanted))
            };
            self.sorted().filter(is).collect()
        };
        let found = below(folder);
        if !found.is_empty() {
            return found;
        }
        let found = below(&format!("{mount}{folder}"));
        if !found.is_empty() {
            return found;
        }
        let inner: Vec<u8> = [b'/'].into_iter().chain(lower(folder)).chain([b'/']).collect();
        let has = |row: &usize| {
            let path: Vec<u8> = lower(self.key(*row)).collect();
            memchr::memmem::find(&path, &inner).is_some()
        };
        self.sorted().filter(has).collect()
    }
}

fn file_name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// Where a mount point puts its files: what stands behind `../../..`, without slashes at the start.
pub(super) fn mounted(mount: &str) -> String {
    let rest = mount.trim_start_matches("../").trim_start_matches('/');
    match rest.is_empty() || rest.ends_with('/') {
        true => rest.to_owned(),
        false => format!("{rest}/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_leads_into_its_container() {
        for (path, found) in [
            ("Game/Content/A.uasset", "Game/Content/A.uasset"),
            ("/tmp/A.uasset", "tmp/A.uasset"),
            ("//server/share/A.uasset", "server/share/A.uasset"),
            ("\\\\?\\C:\\A.uasset", "?/C:/A.uasset"),
            ("C:/Windows/A.uasset", "Windows/A.uasset"),
            ("C:D:A.uasset", "A.uasset"),
            ("/./C:/D:/A.uasset", "A.uasset"),
            ("a/../../../A.uasset", "a/A.uasset"),
            ("./a//A.uasset/", "a/A.uasset"),
            ("..\\..\\A.uasset", "A.uasset"),
        ] {
            assert_eq!(inner(path), found, "{path}");
            assert_eq!(join(Path::new("P.pak"), path), Path::new("P.pak").join(found));
            let paths = Paths::new(vec!["B.uasset".to_owned(), path.to_owned()]);
            for name in [path, found] {
                assert_eq!((paths.exact(name), paths.find(name, "").ok()), (Some(1), Some(1)));
            }
            assert_eq!(paths.all()[1], path, "what is stored is what is said");
        }
    }
}

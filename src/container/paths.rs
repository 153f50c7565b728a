//! The paths of the files in a container, and how one is meant.

use std::cmp::Ordering;

use crate::error::near::{did_you_mean, nearest};
use crate::error::{ErrorKind, Noun, Result};

/// The paths of a container's files, found whatever their case.
#[derive(Debug, Default)]
pub(super) struct Paths {
    paths: Vec<String>,
    /// Rows in the order of the paths without case.
    order: Vec<u32>,
}

fn lower(path: &str) -> impl Iterator<Item = u8> {
    path.bytes().map(|byte| if byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() })
}

fn compare(a: &str, b: &str) -> Ordering {
    lower(a).cmp(lower(b))
}

impl Paths {
    /// Those of these rows.
    pub fn new(paths: Vec<String>) -> Self {
        let mut order: Vec<u32> = (0..paths.len() as u32).collect();
        order.sort_by(|a, b| compare(&paths[*a as usize], &paths[*b as usize]));
        Self { paths, order }
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
        let at = |row: &u32| compare(&self.paths[*row as usize], path);
        let end = self.order.partition_point(|row| at(row) != Ordering::Greater);
        let row = *self.order.get(end.checked_sub(1)?)?;
        (at(&row) == Ordering::Equal).then_some(row as usize)
    }

    /// The file that a path means: all of its path, from the mount point, or the end of one.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` where several end so.
    pub fn find(&self, path: &str, mount: &str) -> Result<usize> {
        let path = path.trim_matches(['/', '\\']);
        if let Some(row) = self.exact(path).or_else(|| self.exact(&format!("{mount}{path}"))) {
            return Ok(row);
        }
        let wanted: Vec<u8> = lower(path).collect();
        let ends = |known: &String| {
            let start = known.len().checked_sub(wanted.len() + 1)?;
            let (_, tail) = known.as_bytes().split_at_checked(start)?;
            (tail[0] == b'/' && tail[1..].eq_ignore_ascii_case(&wanted)).then_some(())
        };
        let mut found = (0..self.paths.len()).filter(|row| ends(&self.paths[*row]).is_some());
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
        let folder = folder.trim_matches(['/', '\\']);
        if folder.is_empty() {
            return self.sorted().collect();
        }
        let below = |folder: &str| -> Vec<usize> {
            let wanted: Vec<u8> = lower(folder).chain([b'/']).collect();
            let is = |row: &usize| {
                let head = self.paths[*row].as_bytes().get(..wanted.len());
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
            let path: Vec<u8> = lower(&self.paths[*row]).collect();
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

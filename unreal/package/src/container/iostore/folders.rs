//! Paths of the chunks.

use super::super::pak::rest;
use crate::Archived;
use crate::archive::Span;
use crate::error::{Result, UnrealError};
use crate::primitive::FString;

/// Stands for no row.
pub(super) const NONE: u32 = u32::MAX;
/// Bytes of paths for each byte of the index.
const PATHS_PER_BYTE: usize = 64;

/// The index by path: folders and files as lists that are linked.
///
/// Spec: ue4-5/11 §6. C++: `FIoDirectoryIndexResource`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct IoDirectoryIndex {
    /// The folder that all paths start at.
    pub mount_point: FString,
    /// The folders; the first one is the mount point.
    pub directories: Vec<IoDirectory>,
    /// The files.
    pub files: Vec<IoFile>,
    /// Their names.
    pub strings: Vec<FString>,
    /// Padding of the last block of the cipher.
    #[archive(with = rest)]
    pub padding: Span,
}

/// A folder; rows of 0xFFFFFFFF stand for none.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IoDirectory {
    /// Row of its name.
    pub name: u32,
    /// The first folder in it.
    pub first_child: u32,
    /// The next folder beside it.
    pub next_sibling: u32,
    /// The first file in it.
    pub first_file: u32,
}

/// A file.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IoFile {
    /// Row of its name.
    pub name: u32,
    /// The next file in its folder.
    pub next_file: u32,
    /// Row of its chunk.
    pub chunk: u32,
}

impl IoDirectoryIndex {
    /// All files with their path from the mount point and the row of their chunk; `source` is what the index was
    /// loaded from.
    pub(super) fn paths(&self, source: &[u8]) -> Result<Vec<(String, u32)>> {
        let damaged = || {
            let reason = "the index by path does not fit together".to_owned();
            crate::Error::from(UnrealError::DamagedContainer { reason })
        };
        let name = |row: u32| {
            let string = self.strings.get(row as usize).ok_or_else(damaged)?;
            Ok::<_, crate::Error>(string.text(source)?.into_owned())
        };
        let mut room = source.len().saturating_mul(PATHS_PER_BYTE);
        let mut spend = |path: &String| {
            room = room.checked_sub(path.len()).ok_or_else(damaged)?;
            Ok::<_, crate::Error>(())
        };
        let (mut files, mut steps) = (Vec::new(), 0);
        // Each folder and file is reached once: more steps go in a circle.
        let most = self.directories.len() + self.files.len();
        let mut waiting = vec![(0_u32, String::new())];
        while let Some((row, above)) = waiting.pop() {
            let Some(folder) = self.directories.get(row as usize) else {
                match row == 0 {
                    true => continue,
                    false => return Err(damaged()),
                }
            };
            steps += 1;
            let path = match folder.name {
                NONE => above.clone(),
                row => format!("{above}{}/", name(row)?),
            };
            spend(&path)?;
            if folder.next_sibling != NONE {
                waiting.push((folder.next_sibling, above));
            }
            let mut next = folder.first_file;
            while let Some(file) = self.files.get(next as usize) {
                steps += 1;
                if steps > most {
                    return Err(damaged());
                }
                let path = format!("{path}{}", name(file.name)?);
                spend(&path)?;
                files.push((path, file.chunk));
                next = file.next_file;
            }
            if next != NONE || steps > most {
                return Err(damaged());
            }
            if folder.first_child != NONE {
                waiting.push((folder.first_child, path));
            }
        }
        Ok(files)
    }

    /// The index of these files by row of their chunk.
    pub(super) fn new<'a>(mount_point: &str, files: impl Iterator<Item = (&'a str, u32)>) -> Self {
        let root =
            IoDirectory { name: NONE, first_child: NONE, next_sibling: NONE, first_file: NONE };
        let mut index = Self {
            mount_point: FString::new(mount_point),
            directories: vec![root],
            ..Self::default()
        };
        let mut strings = std::collections::HashMap::new();
        let mut folders = std::collections::HashMap::new();
        for (path, chunk) in files {
            let mut string = |text: &str| {
                *strings.entry(text.to_owned()).or_insert_with(|| {
                    index.strings.push(FString::new(text));
                    index.strings.len() as u32 - 1
                })
            };
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
            let mut row = 0;
            for (at, _) in folder.match_indices('/').chain([(folder.len(), "")]) {
                let path = &folder[..at];
                if path.is_empty() {
                    continue;
                }
                row = match folders.get(path) {
                    Some(row) => *row,
                    None => {
                        let name = string(path.rsplit('/').next().unwrap_or(path));
                        let new = index.directories.len() as u32;
                        let above = &mut index.directories[row as usize];
                        let next_sibling = std::mem::replace(&mut above.first_child, new);
                        let (first_child, first_file) = (NONE, NONE);
                        let folder = IoDirectory { name, first_child, next_sibling, first_file };
                        index.directories.push(folder);
                        folders.insert(path.to_owned(), new);
                        new
                    }
                };
            }
            let name = string(file);
            let new = index.files.len() as u32;
            let next_file = std::mem::replace(&mut index.directories[row as usize].first_file, new);
            index.files.push(IoFile { name, next_file, chunk });
        }
        index
    }
}

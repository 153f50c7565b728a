//! What lies in a folder: every entry with what can be said of it without following it.

use std::collections::BTreeMap;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Files larger than this are known by their size: sparse ones have no content to look at.
const LARGEST: u64 = 1 << 20;

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    Folder,
    File(Vec<u8>),
    Large(u64),
    Link(PathBuf),
    Other,
}

/// All entries below a folder, by their paths in it.
pub fn snapshot(folder: &Path) -> BTreeMap<PathBuf, Entry> {
    let mut entries = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).follow_links(false).min_depth(1) {
        let entry = entry.unwrap();
        let (path, kind) = (entry.path(), entry.file_type());
        let content = match () {
            () if kind.is_dir() => Entry::Folder,
            () if kind.is_symlink() => Entry::Link(std::fs::read_link(path).unwrap()),
            () if kind.is_fifo() => Entry::Other,
            () => match entry.metadata().unwrap().len() {
                size if size > LARGEST => Entry::Large(size),
                _ => Entry::File(std::fs::read(path).unwrap()),
            },
        };
        entries.insert(path.strip_prefix(folder).unwrap().to_owned(), content);
    }
    entries
}

//! Files by path and by the hash of their path, up to version 12.

use super::index::rest;
use super::version::UTF8_NAMES;
use crate::Archived;
use crate::archive::Span;
use crate::primitive::{FString, Utf8String};

/// Files by path.
///
/// Spec: ue4-5/10 §6.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectoryIndex {
    /// The folders, every one above a folder among them.
    pub directories: Vec<PakDirectory>,
    /// Padding of the last block of the cipher.
    #[archive(with = rest)]
    pub padding: Span,
}

/// A folder.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakDirectory {
    /// Its path: `/` for the mount point itself, else `a/b/`.
    pub path: FString,
    /// The files in it.
    pub files: Vec<PakFileName>,
}

/// A file.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakFileName {
    /// Its name.
    #[until(UTF8_NAMES)]
    pub name: FString,
    /// Its name, from version 12.
    #[since(UTF8_NAMES)]
    pub utf8_name: Utf8String,
    /// Where its record is: a place in the encoded entries, or -1 and below for plain entries.
    pub location: i32,
}

/// Files by the hash of their path.
///
/// Spec: ue4-5/10 §5.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PathHashIndex {
    /// The files.
    pub hashes: Vec<PathHash>,
    /// The files that the game looks for by name pattern, by path, with the folders above them.
    pub pruned: Vec<PakDirectory>,
    /// Padding of the last block of the cipher.
    #[archive(with = rest)]
    pub padding: Span,
}

/// A file by the hash of its path.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathHash {
    /// The hash.
    pub hash: u64,
    /// Where its record is.
    pub location: i32,
}

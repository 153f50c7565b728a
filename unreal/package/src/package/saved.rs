//! The result of a save.

use std::sync::Arc;

use super::{CompanionKind, LayoutKind};
use bytes::Bytes;

use crate::file::FileState;

/// On which ground a body was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ground {
    /// Its bytes are the caller's.
    Replaced,
    /// It is decoded to its last byte: file positions in it are written anew.
    Decoded,
    /// Its class is known to hold no file positions.
    ClassWithoutPositions,
    /// Its bytes show none of the shapes that file positions take.
    NoPositionsSeen,
    /// The caller asked for it.
    Forced,
}

impl Ground {
    /// A word for reports.
    pub fn label(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Decoded => "decoded to its last byte",
            Self::ClassWithoutPositions => "its class holds no file positions",
            Self::NoPositionsSeen => "no file positions seen in it",
            Self::Forced => "forced",
        }
    }
}

/// A body that stands elsewhere now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moved {
    /// Row of the export table.
    pub export: usize,
    /// Old start, from the start of the file.
    pub from: u64,
    /// New start, from the start of the file.
    pub to: u64,
    /// Why that is safe.
    pub ground: Ground,
}

/// The report of a save: its layout, and the bodies that it moved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SaveReport {
    /// The layout that was used.
    pub layout: LayoutKind,
    /// Bodies that stand elsewhere now.
    pub moved: Vec<Moved>,
}

/// A saved package.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The file; header and bodies together for packages whose bodies have a file of their own.
    pub bytes: Bytes,
    /// Bytes of the header's file, if bodies have a file of their own.
    pub split: Option<u64>,
    /// The package as it lies in memory, where the file is compressed or encrypted.
    pub image: Option<Bytes>,
    /// Files of bulk data that an edit has changed; those that it has not stay where they are.
    pub companions: Vec<(CompanionKind, Bytes)>,
    /// The report: layout and moved bodies.
    pub report: SaveReport,
    /// The files that the package was opened from: the one that is replaced must not have changed since.
    pub(super) read_from: Arc<[FileState]>,
    /// Whether they are the bytes that were asked about.
    pub(super) is_same: bool,
}

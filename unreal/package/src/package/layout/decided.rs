//! The decisions of layout.

use std::sync::Arc;

use crate::package::{Moved, SectionPlace};

/// Which layout a save may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LayoutChoice {
    /// In place when every section still fits exactly; else canonical when every body that would move
    /// may; else keep.
    #[default]
    Auto,
    /// The engine's own order, tightly packed.
    Canonical,
    /// Bodies stay where they are; what has grown goes elsewhere.
    Keep,
}

/// The layout that was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum LayoutKind {
    /// Every section has its old size and place.
    InPlace,
    /// The engine's own order, tightly packed.
    Canonical,
    /// Bodies stayed where they were.
    Keep,
}

/// Where everything will stand.
#[derive(Debug)]
pub(in crate::package) struct FileLayout {
    pub kind: LayoutKind,
    /// Shared with the claims where nothing moves.
    pub places: Arc<Vec<SectionPlace>>,
    pub length: u64,
    /// End of the tables, from file version 249 on; `None` leaves the field as it is.
    pub total_header_size: Option<u64>,
    pub moved: Vec<Moved>,
}

impl FileLayout {
    /// Nothing stands anywhere yet.
    pub fn empty(kind: LayoutKind) -> Self {
        let (places, moved) = Default::default();
        Self { kind, places, length: 0, total_header_size: None, moved }
    }

    /// The places, for what is put there.
    pub fn places_mut(&mut self) -> &mut Vec<SectionPlace> {
        Arc::make_mut(&mut self.places)
    }
}

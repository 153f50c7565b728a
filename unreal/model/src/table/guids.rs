//! The import and export GUID tables.

use crate::Archived;
use crate::primitive::{FString, Guid, array};

/// The GUIDs that a package uses of one other level, from file version 623.
///
/// Spec: ue1-3/03 §3.7; the layout is inferred, no file with a row is known.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportGuids {
    /// Name of the level.
    pub level: FString,
    /// The objects there.
    #[archive(with = array::counted_i32)]
    pub guids: Vec<Guid>,
}

/// An object of this package that others refer to by GUID, from file version 623.
///
/// Spec: ue1-3/03 §3.7. Whether the object counts from 0 or 1 is not known, so it stays a number.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportGuid {
    /// The GUID.
    pub guid: Guid,
    /// The object.
    pub object: i32,
}

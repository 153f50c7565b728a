//! Verse cells.

use crate::Archived;
use crate::primitive::{Name, PackageIndex, Utf8String};

/// A Verse value of another package, from UE5 object version 1015.
///
/// Spec: ue4-5/03 §15; no file with a row is known. C++: `FCellImport`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct CellImport {
    /// The package.
    pub package: PackageIndex,
    /// Path within it.
    pub verse_path: Utf8String,
}

/// A Verse value of this package, from UE5 object version 1015.
///
/// Spec: ue4-5/03 §15; no file with a row is known. C++: `FCellExport`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct CellExport {
    /// C++: `CppClassInfo`.
    pub cpp_class_info: Name,
    /// Path of the value.
    pub verse_path: Utf8String,
    /// Start of the body.
    pub serial_offset: i64,
    /// Size of the layout.
    pub serial_layout_size: i64,
    /// Size of the body.
    pub serial_size: i64,
    /// First row of its preload dependencies, -1 for none.
    pub first_export_dependency: i32,
    /// How many must be serialised before it is.
    pub serialization_before_serialization: i32,
    /// How many must be created before it is serialised.
    pub create_before_serialization: i32,
}

//! Rows of the tables of a zen package.

use super::ZenReference;
use crate::Archived;

/// A name: a row of the package's names, and its number. The two highest bits of the row are zero for those.
///
/// Spec: ue4-5/12 §1. C++: `FMappedName`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ZenName {
    /// Row of the names.
    pub row: u32,
    /// 0 for none; n stands for the suffix `_(n - 1)`.
    pub number: u32,
}

/// Where a payload stands, 32 bytes.
///
/// Spec: ue4-5/12 §6. C++: `FBulkDataMapEntry`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenBulkData {
    /// Start in its file.
    pub serial_offset: i64,
    /// -1 for none.
    pub duplicate_serial_offset: i64,
    /// Bytes.
    pub serial_size: i64,
    /// Flags of the bulk data.
    pub flags: u32,
    /// Which of several files.
    pub cooked_index: u8,
    /// Zero.
    pub pad: [u8; 3],
}

/// An object of the package, 72 bytes.
///
/// Spec: ue4-5/12 §7. C++: `FExportMapEntry`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenExport {
    /// Start of the body, from the end of the header.
    pub cooked_serial_offset: u64,
    /// Bytes of the body.
    pub cooked_serial_size: u64,
    /// Name of the object.
    pub object_name: ZenName,
    /// The object around it.
    pub outer: ZenReference,
    /// Its class; nothing for classes themselves.
    pub class: ZenReference,
    /// The struct or class that it derives from.
    pub super_struct: ZenReference,
    /// The object that its defaults come from.
    pub template: ZenReference,
    /// The hash by which other packages refer to it ([`super::hash::of_public_export`]), 0 where they can't.
    pub public_hash: u64,
    /// Flags of the object.
    pub object_flags: u32,
    /// Who does not load it.
    pub filter: ZenFilter,
}

/// Who does not load an object: a number and three zeros.
///
/// Spec: ue4-5/12 §7. C++: `EExportFilterFlags`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenFilter {
    /// 0 none, 1 clients, 2 servers.
    pub flags: u8,
    /// Zero.
    pub pad: [u8; 3],
}

/// A Verse cell of the package, 40 bytes.
///
/// Spec: ue4-5/12 §7. C++: `FCellExportMapEntry`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenCellExport {
    /// Start of the body, from the end of the header.
    pub cooked_serial_offset: u64,
    /// Bytes of its layout.
    pub layout_size: u64,
    /// Bytes of the body.
    pub serial_size: u64,
    /// Its class.
    pub class: ZenName,
    /// Of its path in Verse; 0 for none.
    pub public_hash: u64,
}

/// A step of loading: an object is made, or its body read.
///
/// Spec: ue4-5/12 §8. C++: `FExportBundleEntry`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenCommand {
    /// Row of the export table.
    pub export: u32,
    /// 0 it is made, 1 its body is read.
    pub command: u32,
}

/// How many entries an object has among those that say what must be there before it.
///
/// Spec: ue4-5/12 §8. C++: `FDependencyBundleHeader`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenDependencies {
    /// First entry, -1 where the package had none.
    pub first: i32,
    /// Made before it is made.
    pub create_before_create: u32,
    /// Read before it is made.
    pub serialize_before_create: u32,
    /// Made before it is read.
    pub create_before_serialize: u32,
    /// Read before it is read.
    pub serialize_before_serialize: u32,
}

//! Exports.

use crate::Archived;
use crate::primitive::{
    ExportFlags, Guid, Index, Name, ObjectFlags, PackageFlags, PackageIndex, array,
};
use crate::version::threshold;

/// An object of this package.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | idx | class; null means that the object is a class | |
/// | 2 | idx | super | |
/// | 3 | i32 | outer | from 50 |
/// | 4 | name | object name | |
/// | 5 | i32 | archetype | from 220 |
/// | 6 | u32, u64 from 195 | object flags | |
/// | 7 | idx | serial size, bytes | |
/// | 8 | idx | serial offset, bytes from the start of the file | below 249 only if the size is not 0 |
/// | 9 | i32 n, n × (name, i32) | component map | 178 to 542 |
/// | 10 | u32 | export flags | from 247 |
/// | 11 | i32 n, n × i32 | net object counts of a forced package | from 322 |
/// | 12 | GUID | GUID of a forced package | from 322 |
/// | 13 | u32 | flags of a forced package | from 475 |
///
/// Spec: ue1-3/03 §3.3. C++: `FObjectExport`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The object's class; null for classes themselves. C++: `ClassIndex`.
    pub class_index: PackageIndex,
    /// What a struct, class, state or function derives from. C++: `SuperIndex`.
    pub super_index: PackageIndex,
    /// The object around it; null at the top of the package. C++: `OuterIndex`.
    #[since(threshold::OUTER_INDEX_ADDED)]
    #[archive(with = PackageIndex::fixed)]
    pub outer_index: PackageIndex,
    /// Name of the object. C++: `ObjectName`.
    pub object_name: Name,
    /// The object that its defaults come from. C++: `ArchetypeIndex`.
    #[since(threshold::ARCHETYPE_ADDED)]
    #[archive(with = PackageIndex::fixed)]
    pub archetype_index: PackageIndex,
    /// Flags. C++: `ObjectFlags`.
    pub object_flags: ObjectFlags,
    /// Bytes of the body. C++: `SerialSize`.
    pub serial_size: Index,
    /// Start of the body, from the start of the file. C++: `SerialOffset`.
    #[archive(when = ar.versions().file >= threshold::TOTAL_HEADER_SIZE_ADDED || self.serial_size.value() != 0)]
    pub serial_offset: Index,
    /// The object's components by name. C++: `ComponentMap`.
    #[since(threshold::COMPONENT_MAP_ADDED)]
    #[until(threshold::COMPONENT_MAP_REMOVED)]
    #[archive(with = array::counted_i32)]
    pub component_map: Vec<ComponentEntry>,
    /// Flags of the export. C++: `ExportFlags`.
    #[since(threshold::EXPORT_FLAGS_ADDED)]
    pub export_flags: ExportFlags,
    /// Net objects of each generation of a forced package. C++: `GenerationNetObjectCount`.
    #[since(threshold::NET_OBJECT_COUNT_ADDED)]
    #[archive(with = array::counted_i32)]
    pub generation_net_object_count: Vec<i32>,
    /// GUID of a forced package. C++: `PackageGuid`.
    #[since(threshold::NET_OBJECT_COUNT_ADDED)]
    pub package_guid: Guid,
    /// Flags of a forced package. C++: `PackageFlags`.
    #[since(threshold::EXPORT_PACKAGE_FLAGS_ADDED)]
    pub package_flags: PackageFlags,
}

/// One component of an export, 178 to 542: name, then i32 reference to the export.
///
/// Spec: ue1-3/02 §2.3.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComponentEntry {
    /// Name of the component.
    pub name: Name,
    /// The export.
    #[archive(with = PackageIndex::fixed)]
    pub export: PackageIndex,
}

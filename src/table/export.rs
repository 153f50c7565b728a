//! Exports.

use crate::archive::private;
use crate::primitive::{
    Bool32, ExportFlags, Guid, Index, Name, ObjectFlags, PackageFlags, PackageIndex, array,
};
use crate::version::threshold::{self, ue4, ue5};
use crate::{Archive, Archived, Result};

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

/// An object of a UE4 or UE5 package.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | i32 | class; null means that the object is a class | |
/// | 2 | i32 | super | |
/// | 3 | i32 | template | from 508 |
/// | 4 | i32 | outer | |
/// | 5 | name | object name | |
/// | 6 | u32 | object flags | |
/// | 7 | i32, i64 from 511 | serial size, bytes | |
/// | 8 | i32, i64 from 511 | serial offset, bytes from the start of header and bodies | |
/// | 9 | bool ×3 | forced export, not for client, not for server | |
/// | 10 | GUID | package GUID | below UE5 1005 |
/// | 11 | bool | inherited instance | from UE5 1006 |
/// | 12 | u32 | package flags | |
/// | 13 | bool | not always loaded for the game in the editor | from 365 |
/// | 14 | bool | is an asset | from 485 |
/// | 15 | bool | generate public hash | from UE5 1003 |
/// | 16 | i32 ×5 | preload dependencies: first row, four counts | from 507 |
/// | 17 | i64 ×2 | tagged properties: start, end, bytes from the start of the body | from UE5 1010, unless properties have no tags |
///
/// Spec: ue4-5/03 §5. C++: `FObjectExport`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ModernExport {
    /// The object's class; null for classes themselves. C++: `ClassIndex`.
    pub class_index: PackageIndex,
    /// What a struct, class or function derives from. C++: `SuperIndex`.
    pub super_index: PackageIndex,
    /// The object that its defaults come from. C++: `TemplateIndex`.
    #[since(ue4 = ue4::TEMPLATEINDEX_IN_COOKED_EXPORTS)]
    pub template_index: PackageIndex,
    /// The object around it; null at the top of the package. C++: `OuterIndex`.
    pub outer_index: PackageIndex,
    /// Name of the object. C++: `ObjectName`.
    pub object_name: Name,
    /// Flags. C++: `ObjectFlags`.
    pub object_flags: ObjectFlags,
    /// Bytes of the body. C++: `SerialSize`.
    #[archive(with = long)]
    pub serial_size: i64,
    /// Start of the body. C++: `SerialOffset`.
    #[archive(with = long)]
    pub serial_offset: i64,
    /// C++: `bForcedExport`.
    pub forced_export: Bool32,
    /// C++: `bNotForClient`.
    pub not_for_client: Bool32,
    /// C++: `bNotForServer`.
    pub not_for_server: Bool32,
    /// C++: `PackageGuid`.
    #[until(ue5 = ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID)]
    pub package_guid: Guid,
    /// C++: `bIsInheritedInstance`.
    #[since(ue5 = ue5::TRACK_OBJECT_EXPORT_IS_INHERITED)]
    pub is_inherited_instance: Bool32,
    /// C++: `PackageFlags`.
    pub package_flags: PackageFlags,
    /// C++: `bNotAlwaysLoadedForEditorGame`.
    #[since(ue4 = ue4::LOAD_FOR_EDITOR_GAME)]
    pub not_always_loaded_for_editor_game: Bool32,
    /// C++: `bIsAsset`.
    #[since(ue4 = ue4::COOKED_ASSETS_IN_EDITOR_SUPPORT)]
    pub is_asset: Bool32,
    /// C++: `bGeneratePublicHash`.
    #[since(ue5 = ue5::OPTIONAL_RESOURCES)]
    pub generate_public_hash: Bool32,
    /// What must be loaded first.
    #[since(ue4 = ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS)]
    pub preload: ExportPreload,
    /// Start of the tagged properties within the body. C++: `ScriptSerializationStartOffset`.
    #[since(ue5 = ue5::SCRIPT_SERIALIZATION_OFFSET)]
    #[archive(when = !ar.versions().unversioned_properties)]
    pub script_serialization_start_offset: i64,
    /// End of the tagged properties within the body. C++: `ScriptSerializationEndOffset`.
    #[since(ue5 = ue5::SCRIPT_SERIALIZATION_OFFSET)]
    #[archive(when = !ar.versions().unversioned_properties)]
    pub script_serialization_end_offset: i64,
}

/// 4 bytes below UE4 object version 511, 8 from there on.
#[inline]
fn long<A: Archive + ?Sized>(value: &mut i64, ar: &mut A) -> Result<()> {
    if ar.versions().ue4 >= ue4::EXPORT_MAP_SERIAL_SIZES_64_BIT {
        ar.serialize_i64(value)
    } else {
        private::narrow(value, ar, A::serialize_i32)
    }
}

/// Where an export's rows of the preload dependencies stand, and how many of each kind: five i32.
///
/// Spec: ue4-5/03 §5, §14.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExportPreload {
    /// First row, -1 for none. C++: `FirstExportDependency`.
    pub first: i32,
    /// C++: `SerializationBeforeSerializationDependencies`.
    pub serialization_before_serialization: i32,
    /// C++: `CreateBeforeSerializationDependencies`.
    pub create_before_serialization: i32,
    /// C++: `SerializationBeforeCreateDependencies`.
    pub serialization_before_create: i32,
    /// C++: `CreateBeforeCreateDependencies`.
    pub create_before_create: i32,
}

impl ExportPreload {
    /// What a package without preload dependencies states.
    pub const NONE: Self = Self {
        first: -1,
        serialization_before_serialization: 0,
        create_before_serialization: 0,
        serialization_before_create: 0,
        create_before_create: 0,
    };
}

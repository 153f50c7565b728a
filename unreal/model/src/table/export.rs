//! Exports.

use crate::Archived;
use crate::primitive::{
    Bool32, ExportFlags, Group, Guid, Name, ObjectFlags, PackageFlags, PackageIndex, Rare,
    WideIndex, array,
};
use crate::version::threshold::{self, ue4, ue5};
use crate::version::{UE4, UE5, UnrealVersions};

/// An object of this package.
///
/// Spec: ue1-3/03 §3.3, ue4-5/03 §5. C++: `FObjectExport`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Export {
    /// The object's class; null for classes themselves. C++: `ClassIndex`.
    pub class_index: PackageIndex,
    /// The parent of a struct, class, state or function. C++: `SuperIndex`.
    pub super_index: PackageIndex,
    /// The object that its defaults come from. C++: `TemplateIndex`.
    #[since(ue4 = ue4::TEMPLATEINDEX_IN_COOKED_EXPORTS)]
    #[archive(with = PackageIndex::fixed)]
    pub template_index: PackageIndex,
    /// The object around it; null at the top of the package. C++: `OuterIndex`.
    #[since(threshold::OUTER_INDEX_ADDED)]
    #[archive(with = PackageIndex::fixed)]
    pub outer_index: PackageIndex,
    /// Name of the object. C++: `ObjectName`.
    pub object_name: Name,
    /// The object that its defaults come from, in UE3. C++: `ArchetypeIndex`.
    #[since(threshold::ARCHETYPE_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(with = PackageIndex::fixed)]
    pub archetype_index: PackageIndex,
    /// Flags. C++: `ObjectFlags`.
    pub object_flags: ObjectFlags,
    /// Bytes of the body. C++: `SerialSize`.
    pub serial_size: WideIndex,
    /// Start of the body, from the start of the file (of header and bodies together from UE4).
    /// C++: `SerialOffset`.
    #[archive(when = ar.versions().file() >= threshold::TOTAL_HEADER_SIZE_ADDED || self.serial_size.value() != 0)]
    pub serial_offset: WideIndex,
    /// C++: `bForcedExport`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub forced_export: Bool32,
    /// C++: `bNotForClient`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub not_for_client: Bool32,
    /// C++: `bNotForServer`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub not_for_server: Bool32,
    /// Fields that few exports have.
    #[since(threshold::COMPONENT_MAP_ADDED)]
    #[until(ue5 = ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID)]
    pub details: Rare<ExportDetails>,
    /// C++: `bIsInheritedInstance`.
    #[since(ue5 = ue5::TRACK_OBJECT_EXPORT_IS_INHERITED)]
    pub is_inherited_instance: Bool32,
    /// Flags of a forced package. C++: `PackageFlags`.
    #[since(threshold::EXPORT_PACKAGE_FLAGS_ADDED)]
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
    /// The objects that must be loaded first.
    #[since(ue4 = ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS)]
    pub preload: ExportPreload,
    /// Start of the tagged properties within the body. C++: `ScriptSerializationStartOffset`.
    #[since(ue5 = ue5::SCRIPT_SERIALIZATION_OFFSET)]
    #[archive(when = !ar.versions().unversioned_properties())]
    pub script_serialization_start_offset: i64,
    /// End of the tagged properties within the body. C++: `ScriptSerializationEndOffset`.
    #[since(ue5 = ue5::SCRIPT_SERIALIZATION_OFFSET)]
    #[archive(when = !ar.versions().unversioned_properties())]
    pub script_serialization_end_offset: i64,
}

impl Export {
    /// Bytes of the body; 0 where the row has a number below zero.
    #[inline]
    pub fn size(&self) -> u64 {
        u64::try_from(self.serial_size.value()).unwrap_or(0)
    }

    /// Start of the body, bytes from the start of the file (of header and bodies together from UE4); 0 where
    /// the row has a number below zero.
    #[inline]
    pub fn offset(&self) -> u64 {
        u64::try_from(self.serial_offset.value()).unwrap_or(0)
    }

    /// Start and end of the tagged properties within the body.
    #[doc(hidden)]
    #[inline]
    pub fn script_range(&self) -> (i64, i64) {
        (self.script_serialization_start_offset, self.script_serialization_end_offset)
    }

    /// The object that its defaults come from: the archetype of UE3, the template from UE4.
    #[inline]
    pub fn archetype(&self) -> PackageIndex {
        match self.archetype_index.is_null() {
            true => self.template_index,
            false => self.archetype_index,
        }
    }
}

/// Components by name, and the data of a package that was forced into this one: few exports have them.
///
/// Spec: ue1-3/03 §3.3, ue4-5/03 §5.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ExportDetails {
    /// The object's components by name. C++: `ComponentMap`.
    #[since(threshold::COMPONENT_MAP_ADDED)]
    #[until(threshold::COMPONENT_MAP_REMOVED)]
    #[archive(with = array::counted_i32)]
    pub component_map: Vec<ComponentEntry>,
    /// Flags of the export. C++: `ExportFlags`.
    #[since(threshold::EXPORT_FLAGS_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub export_flags: ExportFlags,
    /// Net objects of each generation of a forced package. C++: `GenerationNetObjectCount`.
    #[since(threshold::NET_OBJECT_COUNT_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(with = array::counted_i32)]
    pub generation_net_object_count: Vec<i32>,
    /// GUID of a forced package. C++: `PackageGuid`.
    #[since(threshold::NET_OBJECT_COUNT_ADDED)]
    #[until(ue5 = ue5::REMOVE_OBJECT_EXPORT_PACKAGE_GUID)]
    pub package_guid: Guid,
}

impl Group for ExportDetails {
    const ABSENT: &'static Self = &Self {
        component_map: Vec::new(),
        export_flags: ExportFlags(0),
        generation_net_object_count: Vec::new(),
        package_guid: Guid::new(0, 0, 0, 0),
    };
}

/// One component of an export, 178 to 542: name, then i32 row of the export, counted from 0.
///
/// Spec: ue1-3/02 §2.3; in real packages the row counted from 0 is always an object of the one that has the map.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ComponentEntry {
    /// Name of the component.
    pub name: Name,
    /// The export.
    #[archive(with = PackageIndex::from_zero)]
    pub export: PackageIndex,
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
    /// The value in a package without preload dependencies.
    pub const NONE: Self = Self {
        first: -1,
        serialization_before_serialization: 0,
        create_before_serialization: 0,
        serialization_before_create: 0,
        create_before_create: 0,
    };

    fn counts(&mut self) -> [&mut i32; 4] {
        [
            &mut self.serialization_before_serialization,
            &mut self.create_before_serialization,
            &mut self.serialization_before_create,
            &mut self.create_before_create,
        ]
    }

    /// Rows of all four kinds.
    #[doc(hidden)]
    #[inline]
    pub fn counts_sum(mut self) -> usize {
        let counts = self.counts().map(|count| usize::try_from(*count).unwrap_or(0));
        counts.into_iter().fold(0, usize::saturating_add)
    }

    /// Follows a list from which rows went: `at` says where each place is now.
    #[doc(hidden)]
    pub fn follow(&mut self, at: impl Fn(i32) -> i32) {
        if self.first < 0 {
            return;
        }
        let mut start = self.first;
        self.first = at(start);
        for count in self.counts() {
            if *count > 0 {
                let end = start.saturating_add(*count);
                (*count, start) = (at(end) - at(start), end);
            }
        }
    }
}

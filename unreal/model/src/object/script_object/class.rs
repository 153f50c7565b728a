//! Classes.

use super::State;
use crate::object::game::{is_mass_effect_3, is_third_game};
use crate::primitive::{FString, Guid, Map, Name, PackageIndex, StoredName, script_flags};
use crate::property::PropertyList;
use crate::version::{UnrealVersions, threshold};
use crate::{Archived, Game};

/// A class.
///
/// Spec: ue1-3/06 §6.1, §6.4, 10 §10.6, 11 §11.16. C++: `UClass`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Class {
    /// The part that all states have.
    pub base: State,
    /// Size of an old record.
    #[until(62)]
    pub old_record_size: i32,
    /// Flags. C++: `ClassFlags`.
    #[archive(with = script_flags::class)]
    pub class_flags: u32,
    /// Usually zero.
    #[until(276)]
    pub class_guid: Guid,
    /// Platforms.
    #[since(276)]
    #[until(547)]
    pub platform_flags: u8,
    /// Classes that this one was compiled against.
    #[until(186)]
    pub dependencies: Vec<ClassDependency>,
    /// Packages that this one needs.
    #[until(208)]
    pub package_imports: Vec<Name>,
    /// The class that objects must lie in.
    #[since(62)]
    pub within: PackageIndex,
    /// Name of the ini file.
    #[since(62)]
    pub config_name: StoredName,
    /// Categories that the editor hides.
    #[since(99)]
    #[until(540)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub hide_categories_old: Vec<Name>,
    /// Fields that only SWAT 4 has.
    #[archive(when = ar.versions().game() == Game::Swat4)]
    pub vengeance: Vengeance,
    /// Which component class stands for which name.
    #[since(threshold::COMPACT_INDEX_REMOVED)]
    #[until(248)]
    pub component_class_bridge: Map<PackageIndex, Name>,
    /// Templates of components.
    #[since(210)]
    #[until(267)]
    pub component_templates: Vec<PackageIndex>,
    /// Default components by name.
    #[since(threshold::COMPACT_INDEX_REMOVED)]
    pub component_default_objects: Map<Name, PackageIndex>,
    /// Interfaces, in their old place.
    #[since(222)]
    #[until(288)]
    pub interface_classes: Vec<PackageIndex>,
    /// Interfaces.
    #[since(288)]
    pub interfaces: Vec<ImplementedInterface>,
    /// Categories that the editor does not sort.
    #[since(603)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub dont_sort_categories: Vec<Name>,
    /// Categories that the editor hides.
    #[since(540)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub hide_categories: Vec<Name>,
    /// Categories that the editor opens.
    #[since(185)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub auto_expand_categories: Vec<Name>,
    /// Categories that the editor closes.
    #[since(671)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub auto_collapse_categories: Vec<Name>,
    /// Whether the order of the script is kept.
    #[since(749)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub force_script_order: i32,
    /// Groups of the class in the editor.
    #[since(789)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub class_groups: Vec<Name>,
    /// Name of the class in C++.
    #[since(813)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub native_class_name: FString,
    /// Of unknown meaning.
    #[since(576)]
    #[until(673)]
    #[archive(when = !is_mass_effect_3(ar))]
    pub unknown: i32,
    /// Name of the DLL whose functions it binds.
    #[since(655)]
    pub dll_bind_name: StoredName,
    /// Of unknown meaning; Mass Effect 2 on PlayStation 3 and in the Legendary Edition.
    #[archive(when = ar.versions().mass_effect_port() == Some(2))]
    pub mass_effect_2: i32,
    /// Of unknown meaning, 0; Mass Effect 3.
    #[archive(when = is_mass_effect_3(ar))]
    pub unknown_stripped: i32,
    /// Default values of the properties.
    #[until(219)]
    pub defaults: PropertyList,
    /// The object that holds the default values.
    #[since(219)]
    pub class_default_object: PackageIndex,
    /// The table of virtual functions; Mass Effect 3.
    #[archive(when = is_third_game(ar))]
    pub virtual_functions: Vec<PackageIndex>,
}

/// A class that another one was compiled against, below version 186.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ClassDependency {
    /// The class.
    pub class: PackageIndex,
    /// Whether a change of its body counts as well.
    pub deep: u32,
    /// CRC of its source text.
    pub script_text_crc: u32,
}

/// An interface of a class, from version 288.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ImplementedInterface {
    /// The interface.
    pub class: PackageIndex,
    /// The property that holds it.
    pub property: PackageIndex,
}

/// The fields of SWAT 4's classes behind their hidden categories. Spec: ue1-3/10 §10.6.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Vengeance {
    /// Of unknown meaning.
    pub unknown_1: u64,
    /// Of unknown meaning.
    pub unknown_2: u64,
    /// The text of the default properties.
    pub default_properties: FString,
    /// Path of the source file.
    pub source_path: FString,
    /// Of unknown meaning.
    pub names: Vec<Name>,
    /// Interfaces.
    pub implements: Vec<PackageIndex>,
    /// Of unknown meaning.
    pub objects: Vec<PackageIndex>,
}

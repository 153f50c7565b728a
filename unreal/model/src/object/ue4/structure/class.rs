//! Classes.

use super::Struct;
use crate::archive::private;
use crate::error::Result;
use crate::object::optional::last;
use crate::object::ue4::condition::{custom as custom_version, is_cooked};
use crate::primitive::{FString, Map, Name, PackageIndex, script_flags};
use crate::version::{UE4, custom};
use crate::{Archive, Archived};

/// First UE4 version whose classes have their interfaces behind what generated them.
const INTERFACES_MOVED: u32 = 361;

/// A class.
///
/// Spec: ue4-5/05 §1. C++: `UClass`,
/// `UBlueprintGeneratedClass`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Class {
    /// The part that all structs have: fields and code.
    pub base: Struct,
    /// Its functions by name.
    pub functions: Map<Name, PackageIndex>,
    /// Flags. C++: `ClassFlags`.
    #[archive(with = script_flags::class)]
    pub class_flags: u32,
    /// The class that objects must lie in.
    pub within: PackageIndex,
    /// Name of the ini file.
    pub config_name: Name,
    /// Interfaces, in their old place.
    #[until(ue4 = INTERFACES_MOVED)]
    pub interfaces_old: Vec<ImplementedInterface>,
    /// The blueprint it was made from.
    pub generated_by: PackageIndex,
    /// Interfaces.
    #[since(ue4 = INTERFACES_MOVED)]
    pub interfaces: Vec<ImplementedInterface>,
    /// Whether the order of the script is kept.
    pub force_script_order: bool,
    /// `None`.
    pub dummy: Name,
    /// Whether it was cooked.
    #[since(ue4 = 241)]
    pub cooked: bool,
    /// The object that holds the default values.
    pub class_default_object: PackageIndex,
    /// Tags of a cooked blueprint class for the editor: present where bytes are left.
    #[archive(with = editor_tags)]
    pub editor_tags: Option<Map<Name, FString>>,
}

/// An interface of a class. Spec: ue4-5/05 §1. C++: `FImplementedInterface`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ImplementedInterface {
    /// The interface.
    pub class: PackageIndex,
    /// Where objects hold it, bytes.
    pub pointer_offset: i32,
    /// Whether a blueprint implements it.
    pub implemented_by_k2: bool,
}

fn editor_tags<A: Archive + ?Sized>(
    tags: &mut Option<Map<Name, FString>>,
    ar: &mut A,
) -> Result<()> {
    let main = custom_version(ar, custom::FORTNITE_MAIN);
    if main < custom::fortnite_main::BPGC_COOKED_EDITOR_TAGS || !is_cooked(ar) {
        return private::absent(tags, ar, "editor_tags");
    }
    last(tags, &["", "editor_tags"], ar)
}

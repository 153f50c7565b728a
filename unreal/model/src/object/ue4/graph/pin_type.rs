//! Types of pins.

use crate::error::Result;
use crate::object::optional::present;
use crate::object::ue4::component::MemberReference;
use crate::object::ue4::condition::has_editor_data;
use crate::primitive::{FString, PackageIndex, StoredName};
use crate::version::{UE4, custom};
use crate::{Archive, ArchiveExt, Archived};

/// A name; a string below the framework version 31.
///
/// Spec: ue4-5/05 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PinName {
    /// As a string.
    #[until(custom = custom::FRAMEWORK, custom::framework::PINS_STORE_FNAME)]
    pub text: FString,
    /// As a name.
    #[since(custom = custom::FRAMEWORK, custom::framework::PINS_STORE_FNAME)]
    pub name: StoredName,
}

/// The type of values that flow through a pin.
///
/// Spec: ue4-5/05 §4. C++: `FEdGraphPinType`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PinType {
    /// `exec`, `bool`, `object`...
    pub category: PinName,
    /// More about it.
    pub sub_category: PinName,
    /// Its class, struct or enum.
    pub sub_category_object: PackageIndex,
    /// 0 none, 1 array, 2 set, 3 map.
    #[since(custom = custom::FRAMEWORK, custom::framework::ED_GRAPH_PIN_CONTAINER_TYPE)]
    pub container: u8,
    /// Whether it is a map.
    #[since(custom = custom::BLUEPRINTS, custom::blueprints::ADVANCED_CONTAINER_SUPPORT)]
    #[until(custom = custom::FRAMEWORK, custom::framework::ED_GRAPH_PIN_CONTAINER_TYPE)]
    pub is_map: bool,
    /// The values of a map.
    #[archive(when = self.is_map || self.container == MAP, with = terminal)]
    pub value_type: Option<TerminalType>,
    /// Whether it is a set.
    #[since(custom = custom::BLUEPRINTS, custom::blueprints::ADVANCED_CONTAINER_SUPPORT)]
    #[until(custom = custom::FRAMEWORK, custom::framework::ED_GRAPH_PIN_CONTAINER_TYPE)]
    pub is_set: bool,
    /// Whether it is an array.
    #[until(custom = custom::FRAMEWORK, custom::framework::ED_GRAPH_PIN_CONTAINER_TYPE)]
    pub is_array: bool,
    /// Whether it is a reference.
    pub is_reference: bool,
    /// Whether it does not keep its object.
    pub is_weak_pointer: bool,
    /// The member that it stands for.
    #[since(ue4 = 355)]
    pub member: MemberReference,
    /// Whether it cannot be changed.
    #[since(ue4 = 456)]
    pub is_const: bool,
    /// Whether it is wrapped.
    #[since(custom = custom::RELEASE, custom::release::PIN_TYPE_INCLUDES_UOBJECT_WRAPPER_FLAG)]
    pub is_object_wrapper: bool,
    /// Whether numbers are stored as f32.
    #[since(custom = custom::UE5_RELEASE, custom::ue5_release::SERIALIZE_FLOAT_PIN_DEFAULT_VALUES_AS_SINGLE_PRECISION)]
    #[archive(when = has_editor_data(ar))]
    pub as_single_precision: bool,
}

/// The container of a map.
const MAP: u8 = 3;

fn terminal<A: Archive + ?Sized>(value: &mut Option<TerminalType>, ar: &mut A) -> Result<()> {
    if ar.is_loading() {
        *value = Some(TerminalType::default());
    }
    present(value, ar)
}

/// The values of a map. Spec: ue4-5/05 §4. C++: `FEdGraphTerminalType`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct TerminalType {
    /// `bool`, `object`...
    pub category: PinName,
    /// More about it.
    pub sub_category: PinName,
    /// Its class, struct or enum.
    pub sub_category_object: PackageIndex,
    /// Whether it cannot be changed.
    pub is_const: bool,
    /// Whether it does not keep its object.
    pub is_weak_pointer: bool,
    /// Whether it is wrapped.
    #[since(custom = custom::RELEASE, custom::release::PIN_TYPE_INCLUDES_UOBJECT_WRAPPER_FLAG)]
    pub is_object_wrapper: bool,
}

//! Types of pins.

use crate::archive::in_field;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::object::ue4::component::MemberReference;
use crate::object::ue4::condition::{custom as custom_version, has_editor_data, ue4, when};
use crate::primitive::{FString, Name, PackageIndex};
use crate::version::custom;
use crate::{Archive, ArchiveExt, Archived, Described};

/// A name; a string below the framework version 31.
///
/// Spec: ue4-5/05 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct PinName {
    /// As a string.
    #[until(custom = custom::FRAMEWORK, 31)]
    pub text: FString,
    /// As a name.
    #[since(custom = custom::FRAMEWORK, 31)]
    pub name: Name,
}

/// What flows through a pin.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | pin name ×2, idx | category, sub category, its object | |
/// | 2 | u8 | container: 1 array, 2 set, 3 map with the type of its values | framework from 26 |
/// | 3 | bool | array | framework below 26 |
/// | 4 | bool, bool | reference, weak pointer | |
/// | 5 | idx, name, guid | member of a class | UE4 from 355 |
/// | 6 | bool | const | UE4 from 456 |
/// | 7 | bool | object wrapper | release from 32 |
/// | 8 | bool | single precision | UE5 release from 36, editor data |
///
/// Spec: ue4-5/05 §4. C++: `FEdGraphPinType`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PinType {
    /// `exec`, `bool`, `object`...
    pub category: PinName,
    /// More about it.
    pub sub_category: PinName,
    /// Its class, struct or enum.
    pub sub_category_object: PackageIndex,
    /// 0 none, 1 array, 2 set, 3 map.
    pub container: u8,
    /// Whether it is a map; blueprints 6 up to the framework version 26.
    pub is_map: bool,
    /// Whether it is a set; blueprints 6 up to the framework version 26.
    pub is_set: bool,
    /// Whether it is an array; framework below 26.
    pub is_array: bool,
    /// The values of a map.
    pub value_type: Option<TerminalType>,
    /// Whether it is a reference.
    pub is_reference: bool,
    /// Whether it does not keep its object.
    pub is_weak_pointer: bool,
    /// The member that it stands for.
    pub member: MemberReference,
    /// Whether it cannot be changed.
    pub is_const: bool,
    /// Whether it is wrapped.
    pub is_object_wrapper: bool,
    /// Whether numbers are stored as f32.
    pub as_single_precision: bool,
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
    #[since(custom = custom::RELEASE, 32)]
    pub is_object_wrapper: bool,
}

const MAP: u8 = 3;

impl PinType {
    fn containers<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let single = custom_version(ar, custom::FRAMEWORK) >= 26;
        let sets = !single && custom_version(ar, custom::BLUEPRINTS) >= 6;
        when(single, &mut self.container, "container", ar)?;
        when(sets, &mut self.is_map, "is_map", ar)?;
        if ar.is_loading() {
            let map = self.is_map || self.container == MAP;
            self.value_type = map.then(TerminalType::default);
        }
        if let Some(value) = &mut self.value_type {
            in_field("value_type", ar, |ar| value.serialize(ar))?;
        }
        when(sets, &mut self.is_set, "is_set", ar)?;
        when(!single, &mut self.is_array, "is_array", ar)
    }
}

impl Archived for PinType {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("category", ar, |ar| self.category.serialize(ar))?;
        in_field("sub_category", ar, |ar| self.sub_category.serialize(ar))?;
        in_field("sub_category_object", ar, |ar| self.sub_category_object.serialize(ar))?;
        self.containers(ar)?;
        in_field("is_reference", ar, |ar| self.is_reference.serialize(ar))?;
        in_field("is_weak_pointer", ar, |ar| self.is_weak_pointer.serialize(ar))?;
        when(ue4(ar) >= 355, &mut self.member, "member", ar)?;
        when(ue4(ar) >= 456, &mut self.is_const, "is_const", ar)?;
        let wrapped = custom_version(ar, custom::RELEASE) >= 32;
        when(wrapped, &mut self.is_object_wrapper, "is_object_wrapper", ar)?;
        let single = has_editor_data(ar) && custom_version(ar, custom::UE5_RELEASE) >= 36;
        when(single, &mut self.as_single_precision, "as_single_precision", ar)
    }
}

//! The fields of `EdGraphPinType` as the value of a property: which are stored, under which names, in which letters.
//!
//! Spec: ue4-5/05 §4.

use crate::Versions;
use crate::version::UnrealVersions;
use crate::version::custom::{
    BLUEPRINTS, FRAMEWORK, RELEASE, UE5_RELEASE, blueprints, framework, release, ue5_release,
};

/// A map, as the container of a pin.
const MAP: u32 = 3;

/// What decides which fields a pin's type has.
#[derive(Debug, Clone, Copy)]
pub(super) struct PinTypeForm {
    /// Names are names, and not strings.
    has_names: bool,
    /// A byte says what holds the values, and not flags.
    has_container: bool,
    has_flags_of_maps: bool,
    has_member: bool,
    has_const: bool,
    has_wrapper: bool,
    has_precision: bool,
    /// The container says that it is a map.
    is_map: bool,
}

impl PinTypeForm {
    pub fn of(versions: &Versions) -> Self {
        let framework = versions.custom(&FRAMEWORK);
        let has_container = framework >= framework::ED_GRAPH_PIN_CONTAINER_TYPE;
        let precision = ue5_release::SERIALIZE_FLOAT_PIN_DEFAULT_VALUES_AS_SINGLE_PRECISION;
        Self {
            has_names: framework >= framework::PINS_STORE_FNAME,
            has_container,
            has_flags_of_maps: !has_container
                && versions.custom(&BLUEPRINTS) >= blueprints::ADVANCED_CONTAINER_SUPPORT,
            has_member: versions.ue4() >= 355,
            has_const: versions.ue4() >= 456,
            has_wrapper: versions.custom(&RELEASE)
                >= release::PIN_TYPE_INCLUDES_UOBJECT_WRAPPER_FLAG,
            has_precision: versions.custom(&UE5_RELEASE) >= precision
                && versions.has_editor_only_data(),
            is_map: false,
        }
    }

    /// Learns from the value of a field what follows.
    pub fn note(&mut self, field: &PinTypeField, number: u32) {
        match field.name {
            "ContainerType" => self.is_map = number == MAP,
            "bIsMap" => self.is_map = number != 0,
            _ => {}
        }
    }

    /// The letter of a field's type; `None` where it is not stored.
    pub fn letter(&self, field: &PinTypeField) -> Option<char> {
        let letter = match (field.letter, self.has_names) {
            ('t', true) => 'n',
            ('t', false) => 's',
            (letter, _) => letter,
        };
        (field.stored)(self).then_some(letter)
    }
}

/// A field of a pin's type.
pub(super) struct PinTypeField {
    /// As the engine calls it; behind a dot that of a struct within.
    pub name: &'static str,
    /// As in the tables of structs; `t` for what is a name or, before, a string.
    letter: char,
    stored: fn(&PinTypeForm) -> bool,
}

const fn field(letter: char, name: &'static str, stored: fn(&PinTypeForm) -> bool) -> PinTypeField {
    PinTypeField { name, letter, stored }
}

/// The fields in stored order.
pub(super) const FIELDS: &[PinTypeField] = &[
    field('t', "PinCategory", |_| true),
    field('t', "PinSubCategory", |_| true),
    field('o', "PinSubCategoryObject", |_| true),
    field('b', "ContainerType", |form| form.has_container),
    field('u', "bIsMap", |form| form.has_flags_of_maps),
    field('t', "PinValueType.TerminalCategory", |form| form.is_map),
    field('t', "PinValueType.TerminalSubCategory", |form| form.is_map),
    field('o', "PinValueType.TerminalSubCategoryObject", |form| form.is_map),
    field('u', "PinValueType.bTerminalIsConst", |form| form.is_map),
    field('u', "PinValueType.bTerminalIsWeakPointer", |form| form.is_map),
    field('u', "PinValueType.bTerminalIsUObjectWrapper", |form| form.is_map && form.has_wrapper),
    field('u', "bIsSet", |form| form.has_flags_of_maps),
    field('u', "bIsArray", |form| !form.has_container),
    field('u', "bIsReference", |_| true),
    field('u', "bIsWeakPointer", |_| true),
    field('o', "PinSubCategoryMemberReference.MemberParent", |form| form.has_member),
    field('n', "PinSubCategoryMemberReference.MemberName", |form| form.has_member),
    field('g', "PinSubCategoryMemberReference.MemberGuid", |form| form.has_member),
    field('u', "bIsConst", |form| form.has_const),
    field('u', "bIsUObjectWrapper", |form| form.has_wrapper),
    field('u', "bSerializeAsSinglePrecisionFloat", |form| form.has_precision),
];

//! Properties that are objects of their own.

use super::Field;
use crate::Archived;
use crate::object::script_object::PropertyClass;
use crate::object::{Facts, Native};
use crate::primitive::{Name, script_flags};
use crate::version::custom;

/// A property below UE4.25.
///
/// Spec: ue4-5/05 §2. C++: `UProperty`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct UProperty {
    /// The part that all fields have.
    pub field: Field,
    /// Elements of a static array.
    pub array_dim: i32,
    /// Flags. C++: `PropertyFlags`.
    #[archive(with = script_flags::property)]
    pub property_flags: u64,
    /// The function that is called when it was replicated.
    pub rep_notify: Name,
    /// When it is replicated. C++: `BlueprintReplicationCondition`.
    #[since(custom = custom::RELEASE, custom::release::PROPERTIES_SERIALIZE_REP_CONDITION)]
    pub replication_condition: u8,
    /// The part of the property's class.
    pub kind: PropertyClass,
}

impl UProperty {
    /// An empty property of this class; nothing where no such class is known.
    pub(in crate::object) fn prepared(facts: &Facts<'_>) -> Native {
        match PropertyClass::of_ue4(facts.class) {
            Some(kind) => Self { kind, ..Self::default() }.into(),
            None => Native::None,
        }
    }
}

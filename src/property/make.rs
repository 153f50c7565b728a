//! New properties.

use super::tag::Tag;
use super::{Property, Value};
use crate::primitive::Name;
use crate::version::Versions;

impl Property {
    /// A property of this name and type: `kind` is the number that UE1 and UE2 store and the name that
    /// UE3 stores. A struct has a `structure`; a byte of UE3 an `enumeration`, none where it is `None`.
    pub(crate) fn made(
        versions: &Versions,
        name: Name,
        (number, type_name): (u8, Name),
        structure: Option<Name>,
        enumeration: Option<Name>,
        value: Value,
    ) -> Self {
        let boolean = match value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        };
        let enum_name = enumeration.filter(|_| versions.file >= super::tag::ENUM_NAME_ADDED);
        let mut tag = Tag::default();
        (tag.number, tag.type_name) = (number, type_name);
        (tag.struct_name, tag.enum_name, tag.boolean) = (structure, enum_name, boolean);
        Self { name, tag, value, size: 0 }
    }
}

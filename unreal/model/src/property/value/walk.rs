//! Going through values, however deep they lie.

use super::{Elements, Value};
use crate::primitive::PackageIndex;

impl Value {
    /// Calls `each` for this value and every value within it.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Value)) {
        each(self);
        match self {
            Self::Fields(fields) => fields.iter().for_each(|field| field.walk(each)),
            Self::List(list) => list.walk(each),
            Self::Instanced(instanced) => instanced.value.walk(each),
            Self::Optional(value) => value.iter().for_each(|value| value.walk(each)),
            Self::Array(elements) => elements.walk(each),
            Self::StructArray(structs) => structs.elements.walk(each),
            Self::Set(set) => {
                set.removed.walk(each);
                set.elements.walk(each);
            }
            Self::Map(map) => {
                map.removed.walk(each);
                for (key, value) in &map.pairs {
                    key.walk(each);
                    value.walk(each);
                }
            }
            _ => {}
        }
    }
}

impl Value {
    /// The objects that it refers to, itself or by its elements; what structs hold is their own.
    #[doc(hidden)]
    pub fn objects(&self) -> Vec<PackageIndex> {
        let mut found = match self {
            Self::Object(object) => vec![*object],
            Self::Array(elements) => elements.objects(),
            Self::Set(set) => set.elements.objects(),
            Self::Optional(held) => held.iter().flat_map(Self::objects).collect(),
            _ => Vec::new(),
        };
        found.retain(|object| !object.is_null());
        found
    }
}

impl Elements {
    fn objects(&self) -> Vec<PackageIndex> {
        match self {
            Self::Object(objects) => objects.clone(),
            Self::Values(values) => values.iter().flat_map(Value::objects).collect(),
            _ => Vec::new(),
        }
    }

    fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Value)) {
        if let Self::Values(values) = self {
            values.iter().for_each(|value| value.walk(each));
        }
    }
}

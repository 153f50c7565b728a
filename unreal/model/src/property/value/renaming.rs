//! Other names for what lists say of their properties.

use super::{Elements, Value};
use crate::primitive::Name;
use crate::property::codec::Detail;
use crate::property::item::Label;
use crate::property::{Delegate, Property, PropertyKind, PropertyList, Type};

/// Whose properties a list stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum ListOwner<'a> {
    /// An object's.
    Object,
    /// The fields of a struct of this name.
    Struct(&'a str),
    /// The fields of a struct that nothing names.
    Unknown,
}

impl PropertyList {
    /// Calls `each` for every property, with whose it is, those within structs, arrays, sets and maps as well;
    /// `type_of` says the type of one.
    #[doc(hidden)]
    pub fn each_property_mut(
        &mut self,
        owner: ListOwner<'_>,
        type_of: &dyn Fn(&Self, &Property) -> Type,
        each: &mut dyn FnMut(ListOwner<'_>, &mut Property),
    ) {
        for at in 0..self.properties.len() {
            let known = type_of(self, &self.properties[at]);
            each(owner, &mut self.properties[at]);
            let mut names = Vec::new();
            structs_of(&known, &mut names);
            let within = match names[..] {
                [name] if !name.is_empty() => ListOwner::Struct(name),
                _ => ListOwner::Unknown,
            };
            self.properties[at].value.each_list_mut(&mut |list| {
                list.each_property_mut(within, type_of, each);
            });
        }
    }
}

/// The names of the structs that values of a type hold.
fn structs_of<'a>(known: &'a Type, names: &mut Vec<&'a str>) {
    if known.kind() == PropertyKind::Struct && !names.contains(&known.type_name()) {
        names.push(known.type_name());
    }
    known.inner().iter().for_each(|inner| structs_of(inner, names));
}

impl Value {
    /// Calls `each` for the lists that it is or holds, but not for what these hold.
    fn each_list_mut(&mut self, each: &mut dyn FnMut(&mut PropertyList)) {
        match self {
            Self::List(list) => each(list),
            Self::Fields(fields) => fields.iter_mut().for_each(|field| field.each_list_mut(each)),
            Self::Instanced(instanced) => instanced.value.each_list_mut(each),
            Self::Optional(value) => {
                value.iter_mut().for_each(|value| value.each_list_mut(each));
            }
            Self::Array(elements) => elements.each_list_mut(each),
            Self::StructArray(structs) => structs.elements.each_list_mut(each),
            Self::Set(set) => {
                set.removed.each_list_mut(each);
                set.elements.each_list_mut(each);
            }
            Self::Map(map) => {
                map.removed.each_list_mut(each);
                for (key, value) in &mut map.pairs {
                    key.each_list_mut(each);
                    value.each_list_mut(each);
                }
            }
            _ => {}
        }
    }

    /// Calls `each` for the delegates that it is or holds.
    #[doc(hidden)]
    pub fn each_delegate_mut(&mut self, each: &mut dyn FnMut(&mut Delegate)) {
        match self {
            Self::Delegate(delegate) => each(delegate),
            Self::MulticastDelegate(delegates) => delegates.iter_mut().for_each(each),
            Self::Array(Elements::Values(values)) => {
                values.iter_mut().for_each(|value| value.each_delegate_mut(each));
            }
            _ => {}
        }
    }
}

impl Elements {
    fn each_list_mut(&mut self, each: &mut dyn FnMut(&mut PropertyList)) {
        if let Self::Values(values) = self {
            values.iter_mut().for_each(|value| value.each_list_mut(each));
        }
    }
}

impl Property {
    /// Gives it another name, where it has the old one.
    #[doc(hidden)]
    pub fn rename(&mut self, old: Name, new: Name) -> bool {
        match &mut self.label {
            Label::Tag(name, _) if *name == old => {
                *name = new;
                true
            }
            _ => false,
        }
    }

    /// Gives the struct or enum that its tag names another name, where it has the old one.
    #[doc(hidden)]
    pub fn rename_type(&mut self, old: Name, new: Name) -> bool {
        let Label::Tag(_, tag) = &mut self.label else { return false };
        let mut done = false;
        let mut change = |name: &mut Name| {
            if *name == old {
                *name = new;
                done = true;
            }
        };
        match &mut tag.detail {
            Detail::Struct(name, _) | Detail::Enum(name) => change(name),
            Detail::Tree(nodes) => nodes.iter_mut().for_each(|node| change(&mut node.name)),
            _ => {}
        }
        done
    }
}

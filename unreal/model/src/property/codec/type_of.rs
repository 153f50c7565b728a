//! The type of a value that is being loaded, as far as it is known.

use super::tag::Detail;
use super::type_name::{self, TypeNode};
use crate::archive::Context;
use crate::property::mappings::{Mappings, SchemaType};
use crate::property::structure::Structure;
use crate::property::{PackageContext, PropertyKind};

/// The type of a value as a tag, a complete type name or a schema says it.
#[derive(Debug, Clone, Copy)]
#[allow(private_interfaces)] // only this room makes one from a tag
pub(in crate::property) enum TypeOf<'a> {
    /// A property's own tag.
    Tag { kind: PropertyKind, detail: &'a Detail, native: Option<bool> },
    /// An inner type of which only the class is known, and perhaps the struct.
    Class { kind: PropertyKind, structure: Option<Structure> },
    /// A part of a complete type name.
    Tree { nodes: &'a [TypeNode], native: bool },
    /// A type in the mappings; enums are numbers unless they are elements.
    Schema { schema: &'a SchemaType, mappings: &'a Mappings, element: bool },
}

impl<'a> TypeOf<'a> {
    pub fn kind(self, context: &Context) -> PropertyKind {
        match self {
            Self::Tag { kind, .. } | Self::Class { kind, .. } => kind,
            Self::Tree { nodes, .. } => nodes.first().map_or(PropertyKind::Unknown, |node| {
                context.roles().kind(node.name.index.value())
            }),
            Self::Schema { schema, .. } => schema.kind(),
        }
    }

    /// The struct, `None` where nothing names it.
    pub fn structure(self, context: &Context) -> Option<Structure> {
        let of_row = |row: crate::Name| match row.number {
            0 => context.roles().structure(row.index.value()),
            _ => Structure::OTHER,
        };
        match self {
            Self::Tag { detail: Detail::Struct(name, _), .. } => Some(of_row(*name)),
            Self::Tag { detail: Detail::Tree(nodes), native: Some(native), .. } => {
                Self::Tree { nodes, native }.structure(context)
            }
            Self::Tag { .. } => None,
            Self::Class { structure, .. } => structure,
            Self::Tree { nodes, .. } => nodes.get(1).map(|node| of_row(node.name)),
            Self::Schema { schema, mappings, .. } => schema.structure(mappings),
        }
    }

    /// The schema of a struct and where it is from, in unversioned lists.
    pub fn schema(self) -> Option<(&'a SchemaType, &'a Mappings)> {
        match self {
            Self::Schema { schema, mappings, .. } => Some((schema, mappings)),
            _ => None,
        }
    }

    /// The kind of number that stands for an enum's value, where no name does; unknown where it is none.
    pub fn number(self) -> Option<PropertyKind> {
        match self {
            Self::Schema { schema: SchemaType::Enum(number, _), element: false, .. } => {
                let kind = number.kind();
                Some(if kind.width().is_some() { kind } else { PropertyKind::Unknown })
            }
            _ => None,
        }
    }

    /// Whether the complete tag says that structs are stored in a form of their own.
    pub fn native(self) -> Option<bool> {
        match self {
            Self::Tag { native, .. } => native,
            Self::Tree { native, .. } => Some(native),
            Self::Class { .. } | Self::Schema { .. } => None,
        }
    }

    /// Whether bytes are the names of an enum's values; `None` where nothing says.
    pub fn is_enum(self) -> Option<bool> {
        match self {
            Self::Tree { nodes, .. } => Some(nodes.len() > 1),
            Self::Schema { .. } => Some(false),
            Self::Tag { .. } | Self::Class { .. } => None,
        }
    }

    /// The type of elements or keys (0) or of values (1).
    pub fn inner(self, wanted: usize, context: &Context) -> Option<TypeOf<'a>> {
        let class = |row: &crate::Name| TypeOf::Class {
            kind: context.roles().kind(row.index.value()),
            structure: None,
        };
        match self {
            Self::Tag { detail: Detail::Inner(name), .. } if wanted == 0 => Some(class(name)),
            Self::Tag { detail: Detail::Pair(key, value), .. } => {
                Some(class(if wanted == 0 { key } else { value }))
            }
            Self::Tag { detail: Detail::Tree(nodes), native, .. } => {
                let nodes = type_name::inner(nodes, wanted)?;
                Some(Self::Tree { nodes, native: native.unwrap_or(false) })
            }
            Self::Tag { .. } | Self::Class { .. } => None,
            Self::Tree { nodes, native } => {
                let nodes = type_name::inner(nodes, wanted)?;
                Some(Self::Tree { nodes, native })
            }
            Self::Schema { schema, mappings, .. } => {
                Some(Self::Schema { schema: schema.inner(wanted)?, mappings, element: true })
            }
        }
    }
}

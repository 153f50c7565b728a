//! New values: what a type says of them before they have contents.

use std::sync::Arc;

use bytes::Bytes;

use super::build::Naming;
use super::codec::{
    ENUM_VALUE_NAMED, PropertyTag, StructForm, TypeOf, is_early, load_native, struct_form,
};
use super::item::Label;
use super::structure::{StructStorage, Structure};
use super::value::{INNER_TAG_ADDED, INNER_TAG_REMOVED, StructArray};
use super::{
    Elements, MapValue, Mappings, Property, PropertyKind, PropertyList, Set, StructLayout, Type,
    Value, is_native,
};
use crate::Versions;
use crate::archive::{Context, Loader};
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;
use crate::property::PackageContext;
use crate::table::NameEntry;
use crate::version::UnrealVersions;

/// Bytes that the longest struct of zeros takes.
const ZEROS: usize = 1 << 10;
/// Fields that a new struct of UE1 to UE3 may have, with all that are within it.
const MOST_FIELDS: usize = 1 << 12;
/// Structs without tags that may lie within one another.
const DEEPEST: usize = 32;

/// The room that is left for a new value: declarations may lead in circles.
struct Budget {
    fields: usize,
    depth: usize,
}

/// Where a value stands, which decides its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A property: behind its tag, or in an unversioned list.
    Property,
    /// In an array, a set, a map or an optional value.
    Element,
}

impl Value {
    /// The value of this type that stands for nothing: zero, empty, null.
    ///
    /// # Errors
    /// `Invalid` for a type that is not known.
    pub fn blank(known: &Type, place: Place, naming: &mut dyn Naming) -> Result<Self> {
        let mut budget = Budget { fields: MOST_FIELDS, depth: DEEPEST };
        Self::blank_within(known, place, naming, &mut budget)
    }

    /// A blank within a budget, from which its fields are taken.
    fn blank_within(
        known: &Type,
        place: Place,
        naming: &mut dyn Naming,
        budget: &mut Budget,
    ) -> Result<Self> {
        let versions = naming.versions();
        let early = is_early(versions);
        let unversioned = versions.unversioned_properties();
        let inner_tag = versions.ue4() >= INNER_TAG_ADDED && versions.ue5() < INNER_TAG_REMOVED;
        let mut value = match known.kind() {
            PropertyKind::Bool if place == Place::Property && !unversioned => Self::Bool(false),
            // Below, values of enums are numbers.
            PropertyKind::Byte if early && versions.file() < ENUM_VALUE_NAMED => Self::Byte(0),
            PropertyKind::Byte if known.name().is_some() && !unversioned => {
                Self::Name(Name::default())
            }
            PropertyKind::Enum if unversioned && place == Place::Property => {
                match known.inner().first() {
                    Some(number) if number.kind() != PropertyKind::Enum => {
                        Self::blank(number, Place::Element, naming)?
                    }
                    _ => return Err(known.incomplete()),
                }
            }
            PropertyKind::SoftObject => Self::SoftObject(Box::default()),
            PropertyKind::Optional => Self::Optional(Box::new(None)),
            PropertyKind::Struct if early => return Self::blank_early(known, naming, budget),
            PropertyKind::Struct => Self::blank_struct(known, naming)?,
            PropertyKind::Array if place == Place::Property && !unversioned && inner_tag => {
                match known.inner().first() {
                    Some(inner) if inner.kind() == PropertyKind::Struct => {
                        let tag = PropertyTag::of_type(inner, 0, naming)?.unwrap_or_default();
                        let structs = StructArray { tag, ..StructArray::default() };
                        Self::StructArray(Box::new(structs))
                    }
                    _ => Self::Array(Elements::default()),
                }
            }
            PropertyKind::Array => Self::Array(Elements::default()),
            PropertyKind::Set => Self::Set(Box::<Set>::default()),
            PropertyKind::Map => Self::Map(Box::<MapValue>::default()),
            kind => Self::zero(kind).ok_or_else(|| known.incomplete())?,
        };
        value.settle_blank(naming)?;
        Ok(value)
    }

    /// The value of a struct that is zero and not stored, in a list without tags: all its fields are zero,
    /// which is not the same as none of them being stored. `None` where the type is no such struct, as in
    /// versions that store it in a form of its own.
    pub(super) fn zero_struct(
        known: &Type,
        mappings: Option<&Mappings>,
        versions: &Versions,
    ) -> Option<Self> {
        let name = known.type_name();
        if known.kind() != PropertyKind::Struct || is_native(name, versions) {
            return None;
        }
        let schema = mappings?.schema(name)?;
        let mut list = PropertyList::unversioned(name);
        let labels = Label::of_slots(&schema);
        list.properties = labels.map(|label| Property { label, value: Self::Zero }).collect();
        Some(Self::List(list))
    }

    fn blank_struct(known: &Type, naming: &dyn Naming) -> Result<Self> {
        let structure = Structure::of_name(known.type_name());
        let versions = naming.versions();
        if matches!(structure.layout(versions), StructStorage::Tagged) {
            return Ok(Self::List(PropertyList::blank(known.type_name(), versions)));
        }
        let of_type = TypeOf::Class { kind: PropertyKind::Struct, structure: Some(structure) };
        zeros(versions, |loader| Self::load_typed(of_type, loader))
    }

    /// A struct of UE1 to UE3.
    fn blank_early(known: &Type, naming: &mut dyn Naming, budget: &mut Budget) -> Result<Self> {
        let name = known.type_name();
        let mut value = match struct_form(name, false, naming.layouts(), naming.versions()) {
            StructForm::Tagged => Self::List(PropertyList::default()),
            StructForm::Native(layout) => {
                zeros(naming.versions(), |loader| load_native(layout, false, loader))?
            }
            StructForm::Declared(layout) => return Self::blank_fields(&layout, naming, budget),
            StructForm::Unknown => {
                let reason = format!("the fields of struct '{name}' are not known");
                return Err(ErrorKind::Invalid { reason }.into());
            }
        };
        value.settle_blank(naming)?;
        Ok(value)
    }

    /// The fields of a struct that is stored without tags.
    fn blank_fields(
        layout: &StructLayout,
        naming: &mut dyn Naming,
        budget: &mut Budget,
    ) -> Result<Self> {
        let too_large = || {
            let reason = "its struct holds more than a new value can".to_owned();
            ErrorKind::Invalid { reason }
        };
        budget.depth = budget.depth.checked_sub(1).ok_or_else(too_large)?;
        let mut fields = Vec::new();
        for field in &layout.fields {
            for _ in 0..field.dimension {
                budget.fields = budget.fields.checked_sub(1).ok_or_else(too_large)?;
                fields.push(Self::blank_within(&field.property, Place::Element, naming, budget)?);
            }
        }
        budget.depth += 1;
        Ok(Self::Fields(fields))
    }

    /// Names and soft paths of zeros become those of the package.
    fn settle_blank(&mut self, naming: &mut dyn Naming) -> Result<()> {
        match self {
            Self::Name(name) => *name = naming.name("None")?,
            Self::Delegate(delegate) => delegate.function = naming.name("None")?,
            Self::List(list) => {
                if let Some(terminator) = list.terminator_mut() {
                    *terminator = naming.name("None")?;
                }
            }
            Self::SoftObject(_) => *self = naming.soft_path("")?,
            Self::Keys(span) => **span = crate::Span::default(),
            Self::Fields(fields) => {
                for field in fields {
                    field.settle_blank(naming)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// A value that is read from zeros, as its layout says; row 0 is "none" there.
fn zeros(
    versions: &Versions,
    load: impl FnOnce(&mut Loader<'_>) -> Result<Value>,
) -> Result<Value> {
    let none = NameEntry { text: "None".into(), ..NameEntry::default() };
    let zeros = Bytes::from(vec![0; ZEROS]);
    let context = Arc::new(Context::new(zeros.clone(), vec![none]));
    let mut loader = Loader::new(&zeros, versions.clone()).with_context(context);
    load(&mut loader)
}

//! New properties: the tags of their types.

use std::sync::LazyLock;

use super::blank::Place;
use super::codec::PropertyTag;
use super::item::Label;
use super::{Layouts, Property, PropertyList, Surroundings, Type, Value};
use crate::Versions;
use crate::error::{ErrorKind, Result};
use crate::primitive::Name;

/// The package that a value is made for.
pub trait Naming {
    /// The versions of its bodies.
    fn versions(&self) -> &Versions;
    /// The name of this text, added where it is not there.
    ///
    /// # Errors
    /// `BadText` when the version can't hold it.
    fn name(&mut self, text: &str) -> Result<Name>;
    /// The declarations of structs.
    fn layouts(&self) -> &Layouts {
        static NOTHING: LazyLock<Layouts> = LazyLock::new(Layouts::default);
        &NOTHING
    }
    /// A soft path as bodies store it: `/Game/Folder/Asset.Asset:Sub`; empty for none.
    ///
    /// # Errors
    /// `BadText`; `Invalid` where the package can't have another path.
    fn soft_path(&mut self, text: &str) -> Result<Value>;
}

impl Property {
    /// A new property of this type for a tagged list of the package, with the value that stands for
    /// nothing: zero, empty, null. Names that its tag needs are added.
    ///
    /// # Errors
    /// `Unsupported` for a type that the package's versions do not have; `Invalid` where the type leaves
    /// out what the tag needs, and for an element that it has no room for; as [`Naming`].
    pub fn blank(
        name: &str,
        array_index: u32,
        property_type: &Type,
        naming: &mut dyn Naming,
    ) -> Result<Self> {
        let value = Value::blank(property_type, Place::Property, naming)?;
        Self::with_value(name, array_index, property_type, value, naming)
    }

    /// A new property of this type with this value, which must be of the type; as [`Property::blank`].
    ///
    /// # Errors
    /// As [`Property::blank`].
    pub fn with_value(
        name: &str,
        array_index: u32,
        property_type: &Type,
        mut value: Value,
        naming: &mut dyn Naming,
    ) -> Result<Self> {
        let index = i32::try_from(array_index)
            .map_err(|_| ErrorKind::OutOfRange { value: array_index.into(), bits: 31 })?;
        let row = naming.name(name)?;
        let tag = PropertyTag::of_type(property_type, index, naming)?.ok_or_else(|| {
            let reason =
                format!("'{name}' of type {property_type} can't be stored as element {index}");
            ErrorKind::Invalid { reason }
        })?;
        if let Value::StructArray(structs) = &mut value {
            structs.name = row;
        }
        Ok(Self::tagged(row, tag, value))
    }
}

impl PropertyList {
    /// A new property of this type for the list, with the value that stands for nothing; `None` where the
    /// schema has no such element.
    pub(super) fn new_property(
        &self,
        name: &str,
        array_index: u32,
        known: &Type,
        around: &mut dyn Surroundings,
    ) -> Result<Option<Property>> {
        let Some(class) = self.class() else {
            return Property::blank(name, array_index, known, around).map(Some);
        };
        let schema = around.mappings().and_then(|mappings| mappings.schema(class));
        let found = schema.and_then(|schema| Label::of_element(&schema, name, array_index));
        let Some(label) = found else { return Ok(None) };
        Ok(Some(Property { label, value: Value::blank(known, Place::Property, around)? }))
    }
}

impl Type {
    #[cold]
    pub(super) fn incomplete(&self) -> crate::Error {
        let reason = format!("the type '{self}' leaves out what its tag needs");
        ErrorKind::Invalid { reason }.into()
    }
}

//! Lists of properties, however they are stored.

use super::codec::tagged;
use super::codec::unversioned::SchemaOrder;
use super::{Mappings, Naming, Property, Surroundings, Type, Value};
use crate::archive::Context;
use crate::error::Result;
use crate::primitive::{Name, NameContext};
use crate::version::UnrealVersions;
use crate::{Archive, Archived, Versions};

/// The properties of an object or of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyList {
    /// The properties in stored order.
    pub properties: Vec<Property>,
    storage: ListStorage,
}

/// How a list is stored.
#[derive(Debug, Clone, PartialEq)]
enum ListStorage {
    /// With tags, up to this name that means "none"; it is kept, since its index is the package's own.
    Tagged(Name),
    /// In the order of the schema of a class.
    Unversioned(Box<SchemaOrder>),
}

impl Default for PropertyList {
    fn default() -> Self {
        Self::new(Vec::new(), Name::default())
    }
}

impl Archived for PropertyList {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match &mut self.storage {
            ListStorage::Tagged(terminator) => {
                tagged::serialize(&mut self.properties, terminator, ar)
            }
            ListStorage::Unversioned(order) => order.serialize(&mut self.properties, ar),
        }
    }
}

impl PropertyList {
    /// A list with tags, which this name ends.
    pub fn new(properties: Vec<Property>, terminator: Name) -> Self {
        Self { properties, storage: ListStorage::Tagged(terminator) }
    }

    /// An empty list of this class as these versions store it, to be loaded.
    pub fn blank(class: &str, versions: &Versions) -> Self {
        match versions.unversioned_properties() {
            true => Self::unversioned(class),
            false => Self::default(),
        }
    }

    /// An empty list of this class without tags.
    pub fn unversioned(class: &str) -> Self {
        Self::in_order(SchemaOrder::of_class(class.into()), Vec::new())
    }

    /// Loading keeps what stands before a gap in the mappings; what stands behind is left to the caller.
    #[doc(hidden)]
    pub fn stop_at_gap(&mut self) {
        if let ListStorage::Unversioned(order) = &mut self.storage {
            order.stop_at_gap();
        }
    }

    /// Whether it holds only what stands before a gap in the mappings.
    #[doc(hidden)]
    pub fn is_partial(&self) -> bool {
        matches!(&self.storage, ListStorage::Unversioned(order) if order.is_partial())
    }

    pub(super) fn in_order(order: SchemaOrder, properties: Vec<Property>) -> Self {
        Self { properties, storage: ListStorage::Unversioned(Box::new(order)) }
    }

    /// An empty list of this class for a package.
    ///
    /// # Errors
    /// As [`Naming`].
    #[doc(hidden)]
    pub fn empty(class: &str, naming: &mut dyn Naming) -> Result<Self> {
        let mut list = Self::blank(class, naming.versions());
        if let Some(terminator) = list.terminator_mut() {
            *terminator = naming.name("None")?;
        }
        Ok(list)
    }

    /// An empty list that is stored as this one.
    #[doc(hidden)]
    pub fn emptied(&self) -> Self {
        match &self.storage {
            ListStorage::Tagged(terminator) => Self::new(Vec::new(), *terminator),
            ListStorage::Unversioned(order) => Self::unversioned(order.class()),
        }
    }

    /// The class or struct whose schema says what the properties are; `None` where tags do.
    pub fn class(&self) -> Option<&str> {
        match &self.storage {
            ListStorage::Tagged(_) => None,
            ListStorage::Unversioned(order) => Some(order.class()),
        }
    }

    /// The name that ends a list with tags.
    pub fn terminator(&self) -> Option<Name> {
        match self.storage {
            ListStorage::Tagged(terminator) => Some(terminator),
            ListStorage::Unversioned(_) => None,
        }
    }

    /// The name that ends a list with tags, to be changed.
    pub fn terminator_mut(&mut self) -> Option<&mut Name> {
        match &mut self.storage {
            ListStorage::Tagged(terminator) => Some(terminator),
            ListStorage::Unversioned(_) => None,
        }
    }

    /// The first property of this name, in any case.
    pub fn get(&self, name: &str, context: &Context) -> Option<&Property> {
        let text = |known: Name| context.name_text(&known).unwrap_or_default();
        self.properties.iter().find(|it| it.name_text(text).eq_ignore_ascii_case(name))
    }

    /// The value of the first property of this name; `None` for a zero that is not stored, too.
    pub fn value(&self, name: &str, context: &Context) -> Option<&Value> {
        self.get(name, context).map(Property::value).filter(|value| !matches!(value, Value::Zero))
    }

    /// The type of one of the list's properties.
    #[doc(hidden)]
    pub fn type_of(&self, property: &Property, around: &dyn Surroundings) -> Type {
        match self.class() {
            Some(_) => self.schema_type(property, around.mappings()),
            None => around.type_of(property),
        }
        .unwrap_or_else(|| Type::unknown("unknown"))
    }

    /// The type that the schema says, in a list without tags.
    #[doc(hidden)]
    pub fn schema_type(&self, property: &Property, mappings: Option<&Mappings>) -> Option<Type> {
        let name = property.name_text(|_| String::new());
        Some(mappings?.property_type(self.class()?, &name)?.0)
    }

    /// Calls `each` for every value, also those within structs, arrays, sets and maps.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Value)) {
        self.properties.iter().for_each(|property| property.value.walk(each));
    }
}

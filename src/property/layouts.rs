//! What is known about the properties of classes and the fields of structs.

use std::collections::HashMap;
use std::sync::Arc;

use super::PropertyType;

/// One declared field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldLayout {
    /// Its name.
    pub name: Arc<str>,
    /// Its type.
    pub property: PropertyType,
    /// Elements of a static array, 1 for a single value.
    pub dimension: u32,
}

/// The fields of a struct in their order, those of the structs it derives from first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructLayout {
    /// The fields.
    pub fields: Vec<FieldLayout>,
    /// UE3: the values are stored without tags.
    pub immutable: bool,
}

/// Declarations by name: properties of classes, fields of structs. Names are in lower case.
///
/// Properties of one name that several classes declare with different types are left out: then only
/// the tag speaks.
#[derive(Debug, Clone, Default)]
pub struct Layouts {
    /// By property name, whatever the class.
    properties: HashMap<Box<str>, Option<PropertyType>>,
    structs: HashMap<Box<str>, Arc<StructLayout>>,
}

impl Layouts {
    /// Notes the declaration of a property.
    pub fn declare(&mut self, name: &str, property: PropertyType) {
        self.properties
            .entry(name.to_ascii_lowercase().into())
            .and_modify(|known| {
                if known.as_ref().is_some_and(|known| *known != property) {
                    *known = None;
                }
            })
            .or_insert(Some(property));
    }

    /// Notes the declaration of a struct; the first one of a name stays.
    pub fn declare_struct(&mut self, name: &str, layout: StructLayout) {
        self.structs.entry(name.to_ascii_lowercase().into()).or_insert_with(|| Arc::new(layout));
    }

    /// The declared type of a property, if all declarations agree.
    pub fn property(&self, name: &str) -> Option<&PropertyType> {
        self.properties.get(name.to_ascii_lowercase().as_str())?.as_ref()
    }

    /// The layout of a struct.
    pub fn structure(&self, name: &str) -> Option<&Arc<StructLayout>> {
        self.structs.get(name.to_ascii_lowercase().as_str())
    }
}

//! What is known about the properties of classes and the fields of structs.

use std::collections::HashMap;
use std::sync::Arc;

use super::PropertyType;
use crate::Versions;

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
    classes: HashMap<Box<str>, Arc<ClassLayout>>,
}

/// A property as its class declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: Arc<str>,
    /// The class of the declaration: `IntProperty`, …
    pub class: Arc<str>,
    /// The type of its values.
    pub property: PropertyType,
    /// Elements of a static array, 1 for a single value.
    pub dimension: u32,
    /// The enum and its values, for bytes that have one and where it is known.
    pub enumeration: Option<Arc<Enumeration>>,
}

/// An enum that a byte is declared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enumeration {
    /// Its name.
    pub name: Arc<str>,
    /// The names of its values, from 0.
    pub values: Vec<Arc<str>>,
}

impl Declared {
    /// A declaration of which only the type is known.
    pub fn of_type(name: &str, property: PropertyType) -> Self {
        let class = property.class_name().into();
        Self { name: name.into(), class, property, dimension: 1, enumeration: None }
    }
}

/// The properties that a class itself declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassLayout {
    /// The name of the class that it derives from; empty for the first of all.
    pub parent: Arc<str>,
    /// The properties.
    pub properties: Vec<Declared>,
}

impl ClassLayout {
    /// The property of this name, in any case.
    pub fn property(&self, name: &str) -> Option<&Declared> {
        self.properties.iter().find(|declared| declared.name.eq_ignore_ascii_case(name))
    }
}

/// Makes one of two declarations; `None` where they contradict each other.
fn join(known: &mut Option<PropertyType>, property: &PropertyType) {
    match known {
        // A container whose elements are not known learns them from another declaration.
        Some(PropertyType::Array(inner @ None)) => {
            if let PropertyType::Array(found) = property {
                inner.clone_from(found);
            }
        }
        Some(one) if agree(one, property) => {}
        _ => *known = None,
    }
}

/// Containers apart from single values: classes use one name for both.
fn key(name: &str, property: &PropertyType) -> Box<str> {
    let container = matches!(property, PropertyType::Array(_) | PropertyType::Map(_));
    let mut key = name.to_ascii_lowercase();
    if container {
        key.push_str("[]");
    }
    key.into()
}

/// Whether two declarations lead to the same layout: objects and classes do.
fn agree(one: &PropertyType, other: &PropertyType) -> bool {
    use PropertyType::{Array, Class, Object};
    match (one, other) {
        (Object | Class, Object | Class) => true,
        (Array(Some(one)), Array(Some(other))) => agree(one, other),
        (Array(_), Array(_)) => true,
        _ => one == other,
    }
}

impl Layouts {
    /// What the engine of these versions declares itself.
    pub fn of_engine(versions: &Versions) -> Self {
        let mut layouts = Self::default();
        super::engine::declare(&mut layouts, versions);
        layouts
    }

    /// Notes the declaration of a property.
    pub fn declare(&mut self, name: &str, property: PropertyType) {
        let entry = self.properties.entry(key(name, &property));
        join(entry.or_insert_with(|| Some(property.clone())), &property);
    }

    /// Notes everything that `other` knows.
    pub fn merge(&mut self, other: &Self) {
        for (key, property) in &other.properties {
            match (self.properties.get_mut(key), property) {
                (None, property) => {
                    self.properties.insert(key.clone(), property.clone());
                }
                (Some(known), Some(property)) => join(known, property),
                (Some(known), None) => *known = None,
            }
        }
        for (name, layout) in &other.classes {
            self.classes.entry(name.clone()).or_insert_with(|| layout.clone());
        }
        for (name, layout) in &other.structs {
            self.structs.entry(name.clone()).or_insert_with(|| layout.clone());
        }
    }

    /// Notes the declaration of a struct; the first one of a name stays.
    pub fn declare_struct(&mut self, name: &str, layout: StructLayout) {
        self.structs.entry(name.to_ascii_lowercase().into()).or_insert_with(|| Arc::new(layout));
    }

    /// What declarations say about a property that its tag calls a `told`, if they agree.
    pub fn property(&self, name: &str, told: &PropertyType) -> Option<&PropertyType> {
        self.properties.get(&key(name, told))?.as_ref()
    }

    /// The layout of a struct.
    pub fn structure(&self, name: &str) -> Option<&Arc<StructLayout>> {
        self.structs.get(name.to_ascii_lowercase().as_str())
    }

    /// Notes the properties of a class; the first one of a name stays.
    pub fn declare_class(&mut self, name: &str, layout: ClassLayout) {
        self.classes.entry(name.to_ascii_lowercase().into()).or_insert_with(|| Arc::new(layout));
    }

    /// The properties of a class.
    pub fn class(&self, name: &str) -> Option<&Arc<ClassLayout>> {
        self.classes.get(name.to_ascii_lowercase().as_str())
    }
}

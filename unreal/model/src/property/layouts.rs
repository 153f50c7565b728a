//! Layouts: the properties of classes and the fields of structs, as far as they are known.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{PropertyKind, Type};
use crate::Versions;

/// The fields of a struct in their order, those of the structs it derives from first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StructLayout {
    /// The fields.
    pub fields: Vec<Declared>,
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
    properties: HashMap<Box<str>, Option<Type>>,
    structs: HashMap<Box<str>, Arc<StructLayout>>,
    classes: HashMap<Box<str>, Arc<ClassLayout>>,
    /// Structs that derive from one that is not known yet, with its name.
    incomplete: HashMap<Box<str>, (Box<str>, StructLayout)>,
    /// Classes and structs with the containers that they declare themselves.
    scopes: HashMap<Box<str>, Arc<ScopeLayout>>,
}

/// The declarations of one class or struct itself.
#[derive(Debug, Clone, Default, PartialEq)]
struct ScopeLayout {
    /// In lower case.
    parent: Option<Box<str>>,
    /// As it is written.
    parent_name: Option<Arc<str>>,
    properties: HashMap<Box<str>, Type>,
    /// Functions and states, in lower case.
    members: HashSet<(MemberKind, Box<str>)>,
}

/// The kind of what a class declares beside properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum MemberKind {
    Function,
    State,
}

impl MemberKind {
    /// That of the objects of a class; `None` for classes that declare no member.
    pub fn of_class(class: &str) -> Option<Self> {
        match () {
            () if class.ends_with("Function") => Some(Self::Function),
            () if class.eq_ignore_ascii_case("State") => Some(Self::State),
            () => None,
        }
    }
}

/// Parents are followed this far.
const DEEPEST: usize = 64;

/// A property as its class declares it, or a field as its struct does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub name: Arc<str>,
    /// The type of its values.
    pub property: Type,
    /// Elements of a static array, 1 for a single value.
    pub dimension: u32,
    /// The enum and its values, for bytes that have one and where it is known.
    pub enumeration: Option<Arc<Enumeration>>,
    /// The class of the objects that it refers to, or whose elements or values do; of a property of classes the
    /// one that they derive from. `None` where it is not known.
    pub object_class: Option<Arc<str>>,
    /// The same of the keys of a map.
    pub key_class: Option<Arc<str>>,
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
    pub fn of_type(name: &str, property: Type) -> Self {
        let (enumeration, object_class, key_class) = (None, None, None);
        Self { name: name.into(), property, dimension: 1, enumeration, object_class, key_class }
    }
}

/// The properties that a class itself declares.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassLayout {
    /// Its name.
    pub name: Arc<str>,
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
fn join(known: &mut Option<Type>, property: &Type) {
    match known {
        // A container whose elements are not known learns them from another declaration.
        Some(one) if one.kind() == PropertyKind::Array && one.inner().is_empty() => {
            if property.kind() == PropertyKind::Array {
                one.clone_from(property);
            }
        }
        Some(one) if agree(one, property) => {}
        _ => *known = None,
    }
}

/// Containers apart from single values: classes use one name for both.
fn key(name: &str, kind: PropertyKind) -> Box<str> {
    let mut key = name.to_ascii_lowercase();
    if kind.is_container() {
        key.push_str("[]");
    }
    key.into()
}

/// Whether two declarations lead to the same layout: objects and classes do.
fn agree(one: &Type, other: &Type) -> bool {
    let known = |one: &Type| one.kind() != PropertyKind::Array || !one.inner().is_empty();
    let inner = one.inner().len() == other.inner().len()
        && one.inner().iter().zip(other.inner()).all(|(one, other)| agree(one, other));
    one.kind() == other.kind()
        && one.type_name() == other.type_name()
        && (inner || !known(one) || !known(other))
}

impl Layouts {
    /// The layouts that the engine of these versions declares itself.
    pub fn of_engine(versions: &Versions) -> Self {
        let mut layouts = Self::default();
        super::engine::declare(&mut layouts, versions);
        layouts
    }

    /// Notes the declaration of a property.
    pub fn declare(&mut self, name: &str, property: Type) {
        let entry = self.properties.entry(key(name, property.kind()));
        join(entry.or_insert_with(|| Some(property.clone())), &property);
    }

    /// Notes that a class or struct derives from another one.
    pub fn declare_scope(&mut self, scope: &str, parent: Option<&str>) {
        let scope = self.scopes.entry(scope.to_ascii_lowercase().into()).or_default();
        let scope = Arc::make_mut(scope);
        scope.parent = parent.map(|parent| parent.to_ascii_lowercase().into());
        scope.parent_name = parent.map(Into::into);
    }

    /// The name of the class or struct that one derives from.
    #[doc(hidden)]
    pub fn parent_of(&self, scope: &str) -> Option<&str> {
        self.scopes.get(scope.to_ascii_lowercase().as_str())?.parent_name.as_deref()
    }

    /// Notes the declaration of a property of a class or struct.
    pub fn declare_in(&mut self, scope: &str, name: &str, property: Type) {
        let scope = self.scopes.entry(scope.to_ascii_lowercase().into()).or_default();
        Arc::make_mut(scope).properties.entry(key(name, property.kind())).or_insert(property);
    }

    /// Notes that a class declares a function or state.
    #[doc(hidden)]
    pub fn declare_member(&mut self, scope: &str, member: MemberKind, name: &str) {
        let scope = self.scopes.entry(scope.to_ascii_lowercase().into()).or_default();
        Arc::make_mut(scope).members.insert((member, name.to_ascii_lowercase().into()));
    }

    /// Whether a class is known to declare a function or state itself.
    #[doc(hidden)]
    pub fn has_member(&self, scope: &str, member: MemberKind, name: &str) -> bool {
        let known = self.scopes.get(scope.to_ascii_lowercase().as_str());
        known.is_some_and(|it| it.members.contains(&(member, name.to_ascii_lowercase().into())))
    }

    /// Notes the fields that a struct adds to those of another one, which other packages declare.
    pub fn declare_derived(&mut self, name: &str, parent: &str, layout: StructLayout) {
        let parent = parent.to_ascii_lowercase().into();
        self.incomplete.insert(name.to_ascii_lowercase().into(), (parent, layout));
    }

    /// Completes structs whose parents have become known.
    pub fn complete(&mut self) {
        for _ in 0..DEEPEST {
            let ready: Vec<Box<str>> = self
                .incomplete
                .iter()
                .filter(|(_, (parent, _))| self.structs.contains_key(parent))
                .map(|(name, _)| name.clone())
                .collect();
            if ready.is_empty() {
                return;
            }
            for name in ready {
                let Some((parent, own)) = self.incomplete.remove(&name) else { continue };
                let Some(parent) = self.structs.get(&parent) else { continue };
                // As they are stored: those of its own come first.
                let fields = own.fields.iter().chain(&parent.fields).cloned().collect();
                let layout = StructLayout { fields, immutable: own.immutable };
                self.structs.entry(name).or_insert_with(|| Arc::new(layout));
            }
        }
    }

    /// Notes everything that `other` knows; of classes and structs of one name the first stays.
    pub fn merge(&mut self, other: &Self) {
        for (name, scope) in &other.scopes {
            self.scopes.entry(name.clone()).or_insert_with(|| scope.clone());
        }
        for (name, derived) in &other.incomplete {
            self.incomplete.entry(name.clone()).or_insert_with(|| derived.clone());
        }
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

    /// Notes what `other` knows where nothing is known yet.
    pub fn fill_from(&mut self, other: &Self) {
        for (key, property) in &other.properties {
            match (self.properties.get_mut(key), property) {
                (None, property) => {
                    self.properties.insert(key.clone(), property.clone());
                }
                (Some(Some(known)), Some(found))
                    if known.kind() == PropertyKind::Array
                        && known.inner().is_empty()
                        && found.kind() == PropertyKind::Array =>
                {
                    known.clone_from(found);
                }
                _ => {}
            }
        }
        for (name, layout) in &other.structs {
            self.structs.entry(name.clone()).or_insert_with(|| layout.clone());
        }
        for (name, scope) in &other.scopes {
            let Some(known) = self.scopes.get_mut(name) else {
                self.scopes.insert(name.clone(), scope.clone());
                continue;
            };
            // Scopes are shared: one that lacks nothing is not copied.
            for (key, property) in &scope.properties {
                if !known.properties.contains_key(key) {
                    Arc::make_mut(known).properties.insert(key.clone(), property.clone());
                }
            }
        }
    }

    /// Notes the declaration of a struct; the first one of a name stays.
    pub fn declare_struct(&mut self, name: &str, layout: StructLayout) {
        self.structs.entry(name.to_ascii_lowercase().into()).or_insert_with(|| Arc::new(layout));
    }

    /// The declared type of a property whose tag says this kind, if the declarations agree.
    pub fn property(&self, name: &str, kind: PropertyKind) -> Option<&Type> {
        self.properties.get(&key(name, kind))?.as_ref()
    }

    /// The type that the class or struct `scope` and its parents declare for a property, or else the one that all
    /// declarations agree on.
    pub fn property_in(
        &self,
        scope: Option<&str>,
        name: &str,
        kind: PropertyKind,
    ) -> Option<&Type> {
        self.declared_in(scope, name, kind).or_else(|| self.property(name, kind))
    }

    /// The type that the class or struct `scope` and its parents declare for a property.
    pub(crate) fn declared_in(
        &self,
        scope: Option<&str>,
        name: &str,
        kind: PropertyKind,
    ) -> Option<&Type> {
        let key = key(name, kind);
        let mut scope =
            scope.and_then(|scope| self.scopes.get(scope.to_ascii_lowercase().as_str()));
        for _ in 0..DEEPEST {
            let Some(known) = scope else { break };
            if let Some(found) = known.properties.get(&key) {
                return Some(found);
            }
            scope = known.parent.as_ref().and_then(|parent| self.scopes.get(parent));
        }
        None
    }

    /// The layout of a struct.
    pub fn structure(&self, name: &str) -> Option<&Arc<StructLayout>> {
        self.structs.get(name.to_ascii_lowercase().as_str())
    }

    /// Notes the properties of a class or, in UE4 and UE5, of a struct; the first one of a name stays.
    pub fn declare_class(&mut self, layout: ClassLayout) {
        let name = layout.name.to_ascii_lowercase().into();
        self.classes.entry(name).or_insert_with(|| Arc::new(layout));
    }

    /// The classes whose properties are known.
    #[doc(hidden)]
    pub fn classes(&self) -> impl Iterator<Item = &ClassLayout> {
        self.classes.values().map(AsRef::as_ref)
    }

    /// The enum of this name that bytes of the known classes have; `None` where two of the name have other values.
    pub fn enumeration(&self, name: &str) -> Option<&Arc<Enumeration>> {
        let properties = self.classes.values().flat_map(|class| &class.properties);
        let mut enums = properties
            .filter_map(|property| property.enumeration.as_ref())
            .filter(|known| known.name.eq_ignore_ascii_case(name));
        let first = enums.next()?;
        enums.all(|other| other.values == first.values).then_some(first)
    }

    /// The properties of a class.
    pub fn class(&self, name: &str) -> Option<&Arc<ClassLayout>> {
        self.classes.get(name.to_ascii_lowercase().as_str())
    }
}

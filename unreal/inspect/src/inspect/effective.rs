//! Values as an object has them: stored by it, by its archetype, or by its class and those that it derives from.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::PropertyValue;
use super::formula::{Answer, FormulaNumber, Subject};
use super::meaning::{ObjectLookup, ReferenceTexts};
use super::query::is_of_class;
use super::values::Values;
use crate::archive::Context;
use crate::error::Result;
use crate::object::Body;
use crate::package::{Decoded, Decoder, Package};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{PathPart, PropertyKind, Surroundings, Type, Value};
use crate::version::EngineFacts;

/// Classes and archetypes are followed this far.
const DEEPEST: usize = 64;

/// Vectors by the paths of their properties.
type NumbersByPath = Vec<(String, [f64; 3])>;

/// What nobody around an object stores has.
#[derive(Debug, Clone, PartialEq)]
pub enum Inherited {
    /// The value that one of them stores.
    Value(Box<PropertyValue>),
    /// None of them stores it: it is zero.
    Zero,
    /// One of them is not there to be asked.
    Unknown,
}

/// The defaults of what a package imports.
pub trait Defaults: std::fmt::Debug + Send + Sync {
    /// The value of a property of an imported class, or of the imported archetype of an object.
    fn default_of(&self, package: &Package, import: PackageIndex, property: &str) -> Inherited;
}

/// Values of the objects of one package, stored or not.
#[derive(Debug)]
pub struct EffectiveValues<'a> {
    values: Values<'a>,
    context: Arc<Context>,
    /// What classes and archetypes said: many objects have the same.
    inherited: RefCell<HashMap<PackageIndex, Vec<(String, Inherited)>>>,
    /// The same of vectors, number by number.
    numbers: RefCell<HashMap<PackageIndex, NumbersByPath>>,
    /// Whether a class is of another: a condition asks it of each object, and many have one class.
    classes: RefCell<HashMap<PackageIndex, Vec<(String, bool)>>>,
    /// Paths of properties that conditions ask for, parsed.
    paths: RefCell<Vec<(String, Arc<[PathPart]>)>>,
    /// Made for the first object: what its class says of a body counts for others of the class.
    decoder: RefCell<Option<Decoder>>,
}

impl<'a> EffectiveValues<'a> {
    /// Of the package of these values, with the defaults that they know of.
    pub fn new(values: Values<'a>) -> Self {
        let context = values.package.decoding_context();
        let (inherited, numbers, classes, paths, decoder) = Default::default();
        Self { values, context, inherited, numbers, classes, paths, decoder }
    }

    /// The value of a property of an object, stored by it or not.
    ///
    /// # Errors
    /// `Invalid` for a path that is none, and for an object that is not decoded.
    pub fn value(&self, row: usize, property: &str) -> Result<Inherited> {
        let path = PathPart::parse_all(property)?;
        let mut decoded = self.decoded(row)?;
        Ok(self.value_in(row, &mut Arc::make_mut(&mut decoded).body, property, &path))
    }

    /// The body of an object, as [`Values::editable`] says which can be read.
    fn decoded(&self, row: usize) -> Result<Arc<Decoded>> {
        let package = self.values.package;
        let mut decoder = self.decoder.borrow_mut();
        let decoder = decoder.get_or_insert_with(|| package.decoder());
        match decoder.decode(package, row, |_| true) {
            Some(decoded) => {
                self.values.check_decoded(row, &decoded)?;
                Ok(decoded)
            }
            None => self.values.editable(row, &self.context).map(Arc::new),
        }
    }

    /// The same for an export that others inherit from: of a class the defaults.
    pub fn value_of_parent(&self, row: usize, property: &str) -> Inherited {
        self.value_from(PackageIndex::export(row), property, 0)
    }

    fn value_in(
        &self,
        row: usize,
        body: &mut Body,
        property: &str,
        path: &[PathPart],
    ) -> Inherited {
        match self.stored(row, body, property, path) {
            Some(value) => Inherited::Value(Box::new(value)),
            // It may be stored behind a gap in the mappings.
            None if body.is_partial() => Inherited::Unknown,
            None => self.declared(row, path, self.inherited(row, property, 0)),
        }
    }

    fn stored(
        &self,
        row: usize,
        body: &mut Body,
        property: &str,
        path: &[PathPart],
    ) -> Option<PropertyValue> {
        // Most objects do not store what is asked for, and an error about each of them would cost more than the
        // question.
        if !self.may_store(row, body, path) {
            return None;
        }
        self.values.read_in(row, body, property, path, self.context.clone()).ok()
    }

    /// Whether a property of this name is stored; of rows of tables and of lists without tags reading says it.
    fn may_store(&self, row: usize, body: &mut Body, path: &[PathPart]) -> bool {
        let Some(first) = path.first().filter(|first| !first.name.is_empty()) else { return true };
        let Ok(list) = self.values.list_of(row, body) else { return false };
        if list.class().is_some() {
            return true;
        }
        let package = self.values.package;
        list.properties.iter().any(|property| {
            let mut is = None;
            let text = property.name_text(|name| {
                is = Some(package.is_name(name, &first.name));
                String::new()
            });
            is.unwrap_or_else(|| text.eq_ignore_ascii_case(&first.name))
        })
    }

    /// What an object has that does not store a property itself.
    fn inherited(&self, row: usize, property: &str, depth: usize) -> Inherited {
        match self.parent(row) {
            None => Inherited::Unknown,
            Some(parent) if parent.is_null() => Inherited::Zero,
            Some(parent) => self.value_from(parent, property, depth + 1),
        }
    }

    /// The class or archetype that an object has its values from; null for none, `None` for no object.
    fn parent(&self, row: usize) -> Option<PackageIndex> {
        let package = self.values.package;
        let export = package.tables().exports.get(row)?;
        let is_class = export.class_index.is_null() || self.is_class(row);
        let apart = package.versions().has_default_objects();
        Some(match (apart, is_class) {
            // Before UE3 a class has its defaults itself.
            (false, true) => export.super_index,
            (false, false) => export.class_index,
            (true, _) if !export.archetype().is_null() => export.archetype(),
            (true, _) if self.is_default(row) => match self.super_of(export.class_index) {
                Some(parent) => parent,
                None => export.class_index,
            },
            (true, _) => export.class_index,
        })
    }

    fn numbers_of(&self, parent: PackageIndex, path: &str) -> Option<[f64; 3]> {
        let numbers = self.numbers.borrow();
        numbers.get(&parent)?.iter().find(|(known, _)| known == path).map(|(_, numbers)| *numbers)
    }

    /// What a class or archetype says.
    fn value_from(&self, parent: PackageIndex, property: &str, depth: usize) -> Inherited {
        if depth > DEEPEST {
            return Inherited::Unknown;
        }
        if let Some(known) = self.inherited_before(parent, property) {
            return known;
        }
        let found = match parent.target() {
            ObjectRef::Null => Inherited::Zero,
            ObjectRef::Import(_) => match self.values.defaults {
                Some(defaults) => defaults.default_of(self.values.package, parent, property),
                None => Inherited::Unknown,
            },
            ObjectRef::Export(row) => self.value_of_export(row, property, depth),
        };
        let mut inherited = self.inherited.borrow_mut();
        inherited.entry(parent).or_default().push((property.to_owned(), found.clone()));
        found
    }

    fn inherited_before(&self, parent: PackageIndex, property: &str) -> Option<Inherited> {
        let inherited = self.inherited.borrow();
        let mut known = inherited.get(&parent)?.iter();
        let (_, found) = known.find(|(name, _)| name.eq_ignore_ascii_case(property))?;
        Some(found.clone())
    }

    fn value_of_export(&self, row: usize, property: &str, depth: usize) -> Inherited {
        let package = self.values.package;
        let row = match package.versions().has_default_objects() && self.is_class(row) {
            true => match self.default_of_class(row) {
                Some(default) => default,
                None => return Inherited::Unknown,
            },
            false => row,
        };
        let (Ok(path), Ok(mut decoded)) = (PathPart::parse_all(property), self.decoded(row)) else {
            return Inherited::Unknown;
        };
        let body = &mut Arc::make_mut(&mut decoded).body;
        match self.stored(row, body, property, &path) {
            Some(value) => Inherited::Value(Box::new(value)),
            None if body.is_partial() => Inherited::Unknown,
            None => self.inherited(row, property, depth),
        }
    }

    /// Zero only where something declares the property: an object has no other.
    fn declared(&self, row: usize, path: &[PathPart], found: Inherited) -> Inherited {
        match found {
            Inherited::Zero if self.declaration(row, path).is_none() => Inherited::Unknown,
            found => found,
        }
    }

    fn declaration(&self, row: usize, path: &[PathPart]) -> Option<Type> {
        let first = path.first().filter(|first| !first.name.is_empty())?;
        let lookup = ObjectLookup::reading(self.values.package, self.context.clone(), row);
        let found = lookup.declaration(None, &first.name, first.given.as_ref()).ok()?;
        Some(found.declared.property)
    }

    fn is_class(&self, row: usize) -> bool {
        let package = self.values.package;
        let class = package.tables().exports.get(row).map(|export| export.class_index);
        class.is_some_and(|class| class.is_null() || package.object_name(class).ends_with("Class"))
    }

    fn is_default(&self, row: usize) -> bool {
        let package = self.values.package;
        let flags = package.tables().exports.get(row).map(|export| export.object_flags);
        flags.is_some_and(|flags| flags.is_class_default(package.versions()))
    }

    fn super_of(&self, class: PackageIndex) -> Option<PackageIndex> {
        let ObjectRef::Export(row) = class.target() else { return None };
        let parent = self.values.package.tables().exports.get(row)?.super_index;
        (!parent.is_null()).then_some(parent)
    }

    fn default_of_class(&self, row: usize) -> Option<usize> {
        let package = self.values.package;
        let class = PackageIndex::export(row);
        let name = format!("Default__{}", package.object_name(class));
        let objects = package.object_index();
        let found = objects.named(&name).iter().find_map(|index| match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        });
        found.filter(|&row| {
            package.tables().exports.get(row).map(|it| it.class_index) == Some(class)
        })
    }

    /// The type of a property that an object does not store, where something declares it.
    pub fn type_of(&self, row: usize, property: &str) -> Option<Type> {
        let path = PathPart::parse_all(property).ok()?;
        self.declaration(row, &path).filter(|_| path.len() == 1)
    }

    /// Whether an object is of a class, or of one that derives from it as far as that is known.
    fn is_of_class(&self, row: usize, text: &str) -> bool {
        let package = self.values.package;
        let class = package.tables().exports.get(row).map(|export| export.class_index);
        let Some(class) = class.filter(|class| !class.is_null()) else {
            return is_of_class(package, row, text);
        };
        let mut classes = self.classes.borrow_mut();
        let known = classes.entry(class).or_default();
        if let Some((_, is)) = known.iter().find(|(other, _)| other == text) {
            return *is;
        }
        let is = is_of_class(package, row, text);
        known.push((text.to_owned(), is));
        is
    }

    /// The parts of a path; `None` for one that is none.
    fn parts(&self, path: &str) -> Option<Arc<[PathPart]>> {
        let mut paths = self.paths.borrow_mut();
        if let Some((_, parts)) = paths.iter().find(|(known, _)| known == path) {
            return Some(parts.clone());
        }
        let parts: Arc<[PathPart]> = PathPart::parse_all(path).ok()?.into();
        paths.push((path.to_owned(), parts.clone()));
        Some(parts)
    }

    /// An object as an expression sees it.
    pub fn subject(&self, row: usize) -> ObjectSubject<'_, 'a> {
        ObjectSubject { values: self, row, body: None, is_unknown: false }
    }
}

/// One object: its words are its properties, and `class`, `name`, `path`, `outer`, `row`.
#[derive(Debug)]
pub struct ObjectSubject<'v, 'a> {
    values: &'v EffectiveValues<'a>,
    row: usize,
    /// Decoded when a value is asked for first; `None` within for an object that can't be.
    body: Option<Option<Arc<Decoded>>>,
    /// Whether a value was asked for that nothing says.
    is_unknown: bool,
}

impl ObjectSubject<'_, '_> {
    /// Whether its values can be read: what can't be decoded is not at zero.
    pub(super) fn is_decoded(&mut self) -> bool {
        self.body().is_some()
    }

    /// Whether a value was asked for that neither the object nor what it derives from says.
    pub fn lacks_value(&self) -> bool {
        self.is_unknown
    }

    /// Its row in the table of exports.
    pub(super) fn row(&self) -> usize {
        self.row
    }

    /// The row of the export that a property names which the object stores itself.
    pub(super) fn stored_export(&mut self, path: &str) -> Option<usize> {
        let (values, row) = (self.values, self.row);
        let parts = values.parts(path)?;
        let stored = values.stored(row, self.body()?, path, &parts)?;
        stored.value.as_ref().and_then(Value::export)
    }

    /// The three numbers of a vector or rotator in stored order, by the names of its fields; where nothing says one it is
    /// `default`. Those that a class or archetype has are asked once.
    pub fn numbers(&mut self, path: &str, names: [&str; 3], default: f64) -> [f64; 3] {
        if let Some(stored) = self.stored_numbers(path) {
            return stored;
        }
        let values = self.values;
        let parent = values.parent(self.row).filter(|_| !self.may_store(path));
        if let Some(known) = parent.and_then(|parent| values.numbers_of(parent, path)) {
            return known;
        }
        let found = names.map(|name| match self.value(&format!("{path}.{name}")) {
            Answer::Number(number) => number.real(),
            _ => default,
        });
        if let Some(parent) = parent {
            let mut numbers = values.numbers.borrow_mut();
            numbers.entry(parent).or_default().push((path.to_owned(), found));
        }
        found
    }

    /// Those that the object stores itself as one value; `None` where it stores another one, numbers without an end, or
    /// none.
    fn stored_numbers(&mut self, name: &str) -> Option<[f64; 3]> {
        let (values, row) = (self.values, self.row);
        let list = values.values.list_of(row, self.body()?).ok()?;
        let numbers = list.value(name, &values.context)?.three_numbers()?;
        numbers.iter().all(|number| number.is_finite()).then_some(numbers)
    }

    fn may_store(&mut self, path: &str) -> bool {
        let (values, row) = (self.values, self.row);
        let Some(parts) = values.parts(path) else { return true };
        self.body().is_none_or(|body| values.may_store(row, body, &parts))
    }

    fn body(&mut self) -> Option<&mut Body> {
        let (values, row) = (self.values, self.row);
        let decoded = self.body.get_or_insert_with(|| values.decoded(row).ok());
        decoded.as_mut().map(|decoded| &mut Arc::make_mut(decoded).body)
    }

    fn property(&mut self, path: &str) -> Answer {
        let (values, row) = (self.values, self.row);
        let Some(parts) = values.parts(path) else { return Answer::Unknown };
        let Some(body) = self.body() else { return Answer::Unknown };
        match values.value_in(row, body, path, &parts) {
            Inherited::Value(value) => answer(&value),
            Inherited::Zero => match parts.len() {
                1 => values.declaration(row, &parts).map_or(Answer::Unknown, |known| zero(&known)),
                // Fields of a struct are numbers mostly.
                _ => Answer::Number(FormulaNumber::Whole(0)),
            },
            Inherited::Unknown => Answer::Unknown,
        }
    }
}

impl Subject for ObjectSubject<'_, '_> {
    fn value(&mut self, path: &str) -> Answer {
        let package = self.values.values.package;
        let index = PackageIndex::export(self.row);
        let fact = match path.to_ascii_lowercase().as_str() {
            "class" => {
                let class = package.class_path(self.row);
                class.rsplit('.').next().unwrap_or_default().to_owned()
            }
            "name" => package.object_name(index),
            "path" => package.path(index),
            "outer" => package.path(package.outer(index)),
            "row" => return Answer::Number(FormulaNumber::Whole(self.row as i128)),
            _ => {
                let found = self.property(path);
                self.is_unknown |= found == Answer::Unknown;
                return found;
            }
        };
        Answer::Text(fact)
    }

    fn stores(&mut self, path: &str) -> bool {
        let (values, row) = (self.values, self.row);
        let Some(parts) = values.parts(path) else { return false };
        self.body().is_some_and(|body| values.stored(row, body, path, &parts).is_some())
    }

    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        let is_class = path.eq_ignore_ascii_case("class");
        is_class.then(|| self.values.is_of_class(self.row, text))
    }
}

/// The value of a property for sums and comparisons.
pub(super) fn answer(value: &PropertyValue) -> Answer {
    match (&value.value, Answer::of_text(&value.text)) {
        // The value of an enum is its name, and a number as well.
        (Some(Value::Byte(number)), Answer::Text(text)) => {
            Answer::Choice(i128::from(*number), text)
        }
        (_, answer) => answer,
    }
}

/// Zero of a type.
fn zero(known: &Type) -> Answer {
    match known.kind() {
        PropertyKind::Bool => Answer::Truth(false),
        PropertyKind::Object | PropertyKind::Name | PropertyKind::SoftObject => {
            Answer::Text("None".to_owned())
        }
        PropertyKind::Str | PropertyKind::Text => Answer::Text(String::new()),
        PropertyKind::Struct | PropertyKind::Array => Answer::Unknown,
        _ => Answer::Number(FormulaNumber::Whole(0)),
    }
}

//! Values that objects and structs of one type store elsewhere: they show types of properties that no package
//! declares.

use std::collections::HashSet;

use crate::object::Body;
use crate::object::ue4::table::curve_table::CurveTable;
use crate::object::ue4::table::data_table::DataTable;
use crate::package::Package;
use crate::package::decode::native_as;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Property, PropertyList, Value};

/// The part of a path that stands for the rows of a table.
pub(crate) const ROWS: &str = "[]";
/// Objects of one class that are looked at.
const MOST_OBJECTS: usize = 256;

/// A search for a property of this name.
pub(super) struct Search<'a> {
    package: &'a Package,
    name: &'a str,
    /// The first that was found, unless a later one shows more.
    pub found: Option<Property>,
    /// The objects that all of them refer to, where these are what is looked for.
    pub objects: Option<HashSet<PackageIndex>>,
}

impl<'a> Search<'a> {
    pub fn new(package: &'a Package, name: &'a str) -> Self {
        Self { package, name, found: None, objects: None }
    }

    /// A search for the objects that properties of this name refer to.
    pub fn of_objects(package: &'a Package, name: &'a str) -> Self {
        Self { objects: Some(HashSet::new()), ..Self::new(package, name) }
    }

    /// Whether nothing better can be found.
    fn is_done(&self) -> bool {
        self.found.as_ref().is_some_and(|found| shows_elements(found.value()))
    }

    fn look_at(&mut self, list: &PropertyList) {
        if let Some(mut objects) = self.objects.take() {
            for property in list.properties.iter().filter(|known| self.is_called(known, self.name))
            {
                objects.extend(property.value().objects());
            }
            self.objects = Some(objects);
            return;
        }
        // The schema of a list without tags declares everything.
        if list.class().is_some() || self.is_done() {
            return;
        }
        for property in &list.properties {
            if !self.is_called(property, self.name) {
                continue;
            }
            if self.found.is_none() || shows_elements(property.value()) {
                self.found = Some(property.clone());
            }
        }
    }

    fn is_called(&self, property: &Property, name: &str) -> bool {
        // Some hundred objects are looked at for one property: no text is made for a name that is compared.
        match property.name() {
            Some(stored) => self.package.is_name(stored, name),
            None => property.name_text(|_| String::new()).eq_ignore_ascii_case(name),
        }
    }

    /// Looks in a body at the place that these names lead to.
    pub fn in_body(&mut self, body: &Body, path: &[String]) {
        match path.split_first() {
            Some((first, rest)) if first == ROWS => {
                if let Some(table) = native_as::<DataTable>(body) {
                    table.rows.iter().for_each(|row| self.in_list(&row.value.properties, rest));
                } else if let Some(table) = native_as::<CurveTable>(body) {
                    table.curves.iter().for_each(|(_, row)| self.in_list(&row.properties, rest));
                }
            }
            _ => body.lists().for_each(|list| self.in_list(list, path)),
        }
    }

    fn in_list(&mut self, list: &PropertyList, path: &[String]) {
        let Some((first, rest)) = path.split_first() else { return self.look_at(list) };
        if self.is_done() {
            return;
        }
        for property in list.properties.iter() {
            if self.is_called(property, first) {
                self.in_value(property.value(), rest);
            }
        }
    }

    /// Looks in the structs that a value is or holds, but not in those within them.
    fn in_value(&mut self, value: &Value, path: &[String]) {
        let source = self.package.source();
        let elements = match value {
            Value::List(list) => return self.in_list(list, path),
            Value::Instanced(instanced) => return self.in_value(&instanced.value, path),
            Value::Optional(held) => return held.iter().for_each(|held| self.in_value(held, path)),
            Value::Map(map) => {
                return map.pairs.iter().for_each(|(key, value)| {
                    self.in_value(key, path);
                    self.in_value(value, path);
                });
            }
            Value::Array(elements) => elements.to_values(source),
            Value::StructArray(structs) => structs.elements.to_values(source),
            Value::Set(set) => set.elements.to_values(source),
            _ => return,
        };
        elements.iter().flatten().for_each(|element| self.in_value(element, path));
    }

    /// Looks in the other objects of the class of this one.
    pub fn in_class(&mut self, row: usize, path: &[String]) {
        let package = self.package;
        let class = package.tables().exports.get(row).map(|export| export.class_index);
        let Some(class) = class.filter(|class| !class.is_null()) else { return };
        let objects = package.object_index();
        let same = objects.of_class(class).iter().filter_map(|index| match index.target() {
            ObjectRef::Export(at) => Some(at),
            _ => None,
        });
        let rows = same.filter(|&at| at != row);
        for row in rows.take(MOST_OBJECTS) {
            if self.is_done() {
                return;
            }
            if let Ok(decoded) = package.decode(row) {
                self.in_body(&decoded.body, path);
            }
        }
    }

    /// Looks in every struct of this name that a decoded body holds behind a tag that says so.
    pub fn in_structs(&mut self, structure: &str) {
        for row in 0..self.package.export_count() {
            let Some(decoded) = self.package.decoded(row) else { continue };
            for list in decoded.body.lists() {
                self.in_named(list, structure, 0);
            }
            if self.is_done() {
                return;
            }
        }
    }

    fn in_named(&mut self, list: &PropertyList, structure: &str, depth: usize) {
        const DEEPEST: usize = 32;
        if depth > DEEPEST {
            return;
        }
        for property in &list.properties {
            let Value::List(inner) = property.value() else { continue };
            let name = property.struct_name().map(|name| self.package.name_text(name));
            if name.is_some_and(|name| name.eq_ignore_ascii_case(structure)) {
                self.look_at(inner);
            }
            self.in_named(inner, structure, depth + 1);
        }
    }
}

/// Whether a value shows the form of what it holds.
fn shows_elements(value: &Value) -> bool {
    match value {
        Value::Array(elements) => !elements.is_empty(),
        Value::StructArray(structs) => !structs.elements.is_empty(),
        Value::Set(set) => !set.elements.is_empty(),
        Value::Map(map) => !map.pairs.is_empty(),
        Value::Optional(held) => held.is_some(),
        _ => true,
    }
}

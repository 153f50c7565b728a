//! The order of exports in UE3, which follows from the package alone: a walk from class to class.

use std::collections::HashMap;

use crate::object::Native;
use crate::object::script_object::{PropertyClass, ScriptObject};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};

use super::super::depends::references;

/// Objects and lists nest this deep before the walk goes no further: what is left comes behind.
const DEEPEST: usize = 4096;

/// What rows of UE3 are sorted by: class and path in small letters, with the colon that the engine puts between the
/// object of a package and what lies in it.
pub fn sort_key(package: &Package, index: PackageIndex) -> String {
    let mut parts = vec![index];
    while let Some(outer) = parts.last().map(|at| package.outer(*at)) {
        if outer.is_null() || parts.len() > DEEPEST {
            break;
        }
        parts.push(outer);
    }
    // The package itself is the root of imports, and around all exports.
    let is_package = |at: PackageIndex| at.is_null() || class_name(package, at) == "Package";
    let mut key = class_name(package, index);
    key.push(' ');
    for (at, part) in parts.iter().enumerate().rev() {
        let outer = parts.get(at + 1).copied();
        let around = outer.map(|outer| package.outer(outer));
        if let (Some(outer), Some(around)) = (outer, around) {
            key.push(if !is_package(outer) && is_package(around) { ':' } else { '.' });
        }
        key.push_str(&package.object_name(*part));
    }
    key.to_lowercase()
}

/// The name of an object's class.
pub(in crate::make) fn class_name(package: &Package, index: PackageIndex) -> String {
    match index.target() {
        ObjectRef::Null => String::new(),
        ObjectRef::Import(row) => match package.tables().imports.get(row) {
            Some(import) => package.name_text(import.class_name),
            None => String::new(),
        },
        ObjectRef::Export(row) => match package.tables().exports.get(row) {
            Some(export) if export.class_index.is_null() => "Class".to_owned(),
            Some(export) => package.object_name(export.class_index),
            None => String::new(),
        },
    }
}

/// The exports of a package of UE3 in the engine's order: at each place the row that stands there now.
///
/// Spec: ue1-3/16 §16.7.
pub fn export_order(package: &Package) -> Vec<usize> {
    let mut package = package.clone();
    package.decode_all();
    let count = package.exports().len();
    let mut inner: HashMap<PackageIndex, Vec<usize>> = HashMap::new();
    for (row, export) in package.tables().exports.iter().enumerate() {
        inner.entry(export.outer_index).or_default().push(row);
    }
    let mut walk = ExportWalk {
        package: &package,
        inner,
        seen: vec![false; count],
        entered: vec![false; count],
        order: Vec::with_capacity(count),
        depth: 0,
    };
    let by_key = |rows: &mut Vec<usize>| {
        rows.sort_by_cached_key(|&row| sort_key(&package, PackageIndex::export(row)));
    };
    let is_class = |row: &usize| package.tables().exports[*row].class_index.is_null();
    let mut classes: Vec<usize> = (0..count).filter(is_class).collect();
    by_key(&mut classes);
    classes.into_iter().for_each(|row| walk.class(row));
    let mut rest: Vec<usize> = (0..count).filter(|&row| !walk.seen[row]).collect();
    by_key(&mut rest);
    rest.into_iter().for_each(|row| walk.remainder(row));
    walk.order
}

struct ExportWalk<'a> {
    package: &'a Package,
    /// The objects directly within each object.
    inner: HashMap<PackageIndex, Vec<usize>>,
    seen: Vec<bool>,
    /// Structs whose members were looked at.
    entered: Vec<bool>,
    order: Vec<usize>,
    depth: usize,
}

fn row(index: PackageIndex) -> Option<usize> {
    match index.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    }
}

impl<'a> ExportWalk<'a> {
    fn object(&self, row: usize) -> Option<&'a ScriptObject> {
        match &self.package.decoded(row)?.body.native {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    /// Marks an object; whether it is new.
    fn take(&mut self, row: usize) -> bool {
        self.seen.get_mut(row).is_some_and(|seen| !std::mem::replace(seen, true))
    }

    fn emit(&mut self, row: usize) {
        if self.take(row) {
            self.order.push(row);
        }
    }

    /// Goes a level deeper, where that is still allowed.
    fn deeper(&mut self, go: impl FnOnce(&mut Self)) {
        if self.depth < DEEPEST {
            self.depth += 1;
            go(self);
            self.depth -= 1;
        }
    }

    fn next(&self, row: usize) -> Option<usize> {
        self::row(self.object(row)?.field().next)
    }

    fn children(&self, row: usize) -> Option<usize> {
        self::row(self.object(row)?.structure()?.children)
    }

    /// The fields of a struct in stored order.
    fn fields(&self, of: usize) -> Vec<usize> {
        let (mut fields, mut at) = (Vec::new(), self.children(of));
        while let Some(field) = at.filter(|_| fields.len() < self.seen.len()) {
            fields.push(field);
            at = self.next(field);
        }
        fields
    }

    fn is_property(&self, row: usize) -> bool {
        matches!(self.object(row), Some(ScriptObject::Property(_)))
    }

    /// The objects that a property refers to: its enum, struct, inner property.
    fn referred(&self, row: usize) -> (String, Vec<usize>) {
        let class = class_name(self.package, PackageIndex::export(row));
        let referred = match self.object(row) {
            Some(ScriptObject::Property(property)) => match property.class {
                PropertyClass::One(one) | PropertyClass::FixedArray(one, _) => vec![one],
                PropertyClass::Two(one, two) => vec![one, two],
                PropertyClass::Delegate(one, _, two) => vec![one, two],
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        (class, referred.into_iter().filter_map(self::row).collect())
    }

    /// The class that an object is declared in.
    fn owner(&self, mut row: usize) -> Option<usize> {
        for _ in 0..DEEPEST {
            let export = self.package.tables().exports.get(row)?;
            if export.class_index.is_null() {
                return Some(row);
            }
            row = self::row(export.outer_index)?;
        }
        None
    }

    /// A class with all that it declares, behind those that it builds on.
    fn class(&mut self, row: usize) {
        if !self.take(row) {
            return;
        }
        let export = &self.package.tables().exports[row];
        if let Some(above) = self::row(export.super_index) {
            self.deeper(|walk| walk.class(above));
        }
        let defaults = match self.object(row) {
            Some(ScriptObject::Class(class)) => self::row(class.class_default_object),
            _ => None,
        };
        for object in self.components(row, defaults) {
            let (archetype, class) = {
                let export = &self.package.tables().exports[object];
                (self::row(export.archetype_index), self::row(export.class_index))
            };
            if let Some(archetype) = archetype {
                self.archetype(archetype);
            }
            if let Some(class) = class {
                self.deeper(|walk| walk.class(class));
            }
        }
        for field in self.fields(row) {
            let is_structure = self.object(field).is_some_and(|it| it.structure().is_some());
            let is_function = matches!(self.object(field), Some(ScriptObject::Function(_)));
            if self.is_property(field) {
                let (class, referred) = self.referred(field);
                if class == "ArrayProperty" {
                    referred.into_iter().for_each(|inner| self.look(inner));
                }
            } else if is_structure && !is_function {
                // Looked at when it is walked to.
            }
        }
        if let Some(first) = self.children(row) {
            self.walk(first);
        }
        self.order.push(row);
        if let Some(defaults) = defaults {
            self.emit(defaults);
        }
    }

    /// The objects within the defaults of a class: its components by the class's map, then the others.
    fn components(&self, class: usize, defaults: Option<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        if let Some(ScriptObject::Class(class)) = self.object(class) {
            found.extend(
                class
                    .component_default_objects
                    .0
                    .iter()
                    .filter_map(|(_, object)| self::row(*object)),
            );
        }
        let within = defaults.and_then(|row| self.inner.get(&PackageIndex::export(row)));
        let mut others: Vec<usize> =
            within.into_iter().flatten().copied().filter(|row| !found.contains(row)).collect();
        // In the order in which the defaults name them.
        let named = defaults.map(|row| references(self.package, row)).unwrap_or_default();
        others.sort_by_cached_key(|&row| {
            let index = PackageIndex::export(row);
            let place = named.iter().position(|it| *it == index).unwrap_or(usize::MAX);
            (place, sort_key(self.package, index))
        });
        found.extend(others);
        found
    }

    /// Lists the archetypes of an object, the outermost origin first.
    fn archetype(&mut self, row: usize) {
        if !self.take(row) {
            return;
        }
        if let Some(above) = self::row(self.package.tables().exports[row].archetype_index) {
            self.deeper(|walk| walk.archetype(above));
        }
        self.order.push(row);
    }

    /// A list of fields, last one first, each behind what it holds.
    fn walk(&mut self, first: usize) {
        // Along the list without a level for each of its fields.
        let (mut list, mut at) = (Vec::new(), Some(first));
        while let Some(row) = at {
            if !self.take(row) {
                break;
            }
            if self.is_property(row) {
                for inner in self.inner_properties(row) {
                    self.emit(inner);
                }
                self.look(row);
            } else if self.object(row).is_some_and(|object| object.structure().is_some()) {
                self.enter(row);
            }
            list.push(row);
            at = self.next(row);
        }
        for row in list.into_iter().rev() {
            if let Some(first) = self.children(row) {
                self.deeper(|walk| walk.walk(first));
            }
            self.order.push(row);
        }
    }

    /// The properties within an array or a map.
    fn inner_properties(&self, row: usize) -> Vec<usize> {
        let exports = &self.package.tables().exports;
        let own = PackageIndex::export(row);
        let is_inner = |inner: &usize| exports.get(*inner).is_some_and(|it| it.outer_index == own);
        self.referred(row).1.into_iter().filter(is_inner).collect()
    }

    /// Looks once at the members of a struct.
    fn enter(&mut self, row: usize) {
        if self.entered.get_mut(row).is_none_or(|entered| std::mem::replace(entered, true)) {
            return;
        }
        if matches!(self.object(row), Some(ScriptObject::Struct(_)))
            && let Some(above) = self::row(self.package.tables().exports[row].super_index)
        {
            self.deeper(|walk| walk.walk(above));
        }
        for field in self.fields(row) {
            if self.is_property(field) {
                self.look(field);
            }
        }
    }

    /// Looks at what a property is of.
    fn look(&mut self, property: usize) {
        let (class, referred) = self.referred(property);
        let Some(&of) = referred.first() else { return };
        match class.as_str() {
            "ByteProperty" => self.emit(of),
            "ArrayProperty" => self.deeper(|walk| walk.look(of)),
            "StructProperty" => {
                let is_own = self.owner(of) == self.owner(property);
                match is_own {
                    true => self.deeper(|walk| walk.enter(of)),
                    false => self.deeper(|walk| walk.structure(of)),
                }
            }
            _ => {}
        }
    }

    /// A struct of another class with its members, apart from the list that it stands in.
    fn structure(&mut self, row: usize) {
        if !self.take(row) {
            return;
        }
        self.enter(row);
        if let Some(first) = self.children(row) {
            self.deeper(|walk| walk.walk(first));
        }
        self.order.push(row);
    }

    /// Lists the rows that no class has led to.
    fn remainder(&mut self, row: usize) {
        if self.seen[row] {
            return;
        }
        let class = class_name(self.package, PackageIndex::export(row));
        if self.is_property(row) {
            self.take(row);
            for inner in self.inner_properties(row) {
                self.deeper(|walk| walk.remainder(inner));
            }
            self.order.push(row);
        } else if class == "Enum" || class == "ScriptStruct" {
            self.walk(row);
        } else {
            self.take(row);
            self.order.push(row);
        }
    }
}

//! Facts of an older package about the classes around it, which the environment lacks or has otherwise.

use std::collections::{HashMap, HashSet};

use crate::object::Native;
use crate::object::script_object::{Class, PropertyClass, ScriptObject};
use crate::object::text::{MetaData, TextBuffer};
use crate::package::{Package, native_as};
use crate::primitive::{Encoding, ObjectFlags, ObjectRef, PackageIndex};
use crate::property::Value;

use super::facts::{ClassFacts, KnownFacts};

/// A class that another one was compiled against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FormerDependency {
    /// The path, with the package where it is of another one.
    pub path: String,
    pub is_own: bool,
    pub deep: u32,
    pub crc: u32,
}

/// An older package of the same classes.
#[derive(Debug, Clone, Default)]
pub(super) struct FormerPackage {
    pub facts: KnownFacts,
    dependencies: HashMap<String, Vec<FormerDependency>>,
    package_imports: HashMap<String, Vec<String>>,
    /// The number of the first variable of each class, by its name in small letters (UE3).
    first_orders: HashMap<String, u32>,
    /// What the package holds, by path in small letters.
    objects: HashSet<String>,
    /// What the defaults of classes hold: class, variable, element.
    stored: HashMap<String, usize>,
    /// The functions of other packages that functions override, by path in small letters.
    above: HashMap<String, String>,
    /// The flags of objects that are no declarations, by path in small letters.
    inner_flags: HashMap<String, ObjectFlags>,
    /// C++ for headers, by the path of its class in small letters.
    cpp_texts: HashMap<String, String>,
    /// Classes whose texts have one byte a character, in small letters.
    pub narrow_texts: HashSet<String>,
    /// Bytes of the code of functions in memory, by path in small letters.
    pub code_sizes: HashMap<String, u64>,
    /// Whether every element of a class's own variables is stored, zero too.
    pub stores_zeros: bool,
}

impl FormerPackage {
    pub fn of(package: &Package) -> Self {
        let mut package = package.clone();
        package.decode_where(|class| {
            ScriptObject::blank(class).is_some() || class.eq_ignore_ascii_case("TextBuffer")
        });
        let mut former = Self::default();
        former.facts.add(&package);
        former.first_orders = first_orders(&package);
        let mut counts = (0, 0);
        for row in 0..package.exports().len() {
            let index = PackageIndex::export(row);
            former.objects.insert(package.path(index).to_lowercase());
            if let Some(export) = package.tables().exports.get(row) {
                if matches!(export.super_index.target(), ObjectRef::Import(_)) {
                    let path = package.path(index).to_lowercase();
                    former.above.insert(path, package.path(export.super_index));
                }
                former.inner_flags.insert(package.path(index).to_lowercase(), export.object_flags);
            }
            let code = package.decoded(row).and_then(|it| it.body.native.code());
            if let Some(code) = code {
                let size = code.memory_size(package.versions());
                former.code_sizes.insert(package.path(index).to_lowercase(), size);
            }
            let Some(class) = class_in(&package, row) else { continue };
            let name = package.object_name(index).to_lowercase();
            if let ObjectRef::Export(row) = class.base.base.script_text.target() {
                let text = package.decoded(row).and_then(|it| native_as::<TextBuffer>(&it.body));
                if text.is_some_and(|it| it.text.encoding() == Encoding::Ansi) {
                    former.narrow_texts.insert(name.clone());
                }
            }
            if let ObjectRef::Export(row) = class.base.base.cpp_text.target() {
                let text = package.decoded(row).and_then(|it| native_as::<TextBuffer>(&it.body));
                let text = text.and_then(|it| it.text.text(package.source()).ok());
                former.cpp_texts.extend(text.map(|text| (name.clone(), text.into_owned())));
            }
            let holder = match class.class_default_object.target() {
                ObjectRef::Export(row) => package.decode(row).ok(),
                _ => None,
            };
            let of_holder = holder.iter().flat_map(|it| it.body.properties.iter());
            let lists = of_holder.chain([&class.defaults]);
            for property in lists.flat_map(|list| &list.properties) {
                let text = property.name_text(|name| package.name_text(name)).to_lowercase();
                let place = former.stored.len();
                let key = format!("{name}.{text}.{}", property.array_index());
                former.stored.insert(key, place);
            }
            let rows = class.dependencies.iter().map(|row| FormerDependency {
                path: package.path(row.class),
                is_own: matches!(row.class.target(), ObjectRef::Export(_)),
                deep: row.deep,
                crc: row.script_text_crc,
            });
            former.dependencies.insert(name.clone(), rows.collect());
            let packages = class.package_imports.iter().map(|name| package.name_text(*name));
            former.package_imports.insert(name, packages.collect());
            let (zeros, missing) = stored_zeros(&package, class);
            counts = (counts.0 + zeros, counts.1 + missing);
        }
        former.stores_zeros = counts.0 > counts.1;
        former
    }

    /// The classes that a class was compiled against.
    pub fn dependencies(&self, class: &str) -> &[FormerDependency] {
        self.dependencies.get(&class.to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// The number of the first variable of a class (UE3).
    pub fn first_order(&self, class: &str) -> Option<u32> {
        self.first_orders.get(&class.to_lowercase()).copied()
    }

    /// Whether it holds an object of this path.
    pub fn has_object(&self, path: &str) -> bool {
        self.objects.contains(&path.to_lowercase())
    }

    /// Whether the defaults of a class hold a value, whatever it is.
    pub fn stores(&self, class: &str, name: &str, element: u32) -> bool {
        let key = format!("{}.{}.{element}", class.to_lowercase(), name.to_lowercase());
        self.stored.contains_key(&key)
    }

    /// The place of a value in the defaults of a class.
    pub fn place_of(&self, class: &str, name: &str, element: u32) -> Option<usize> {
        let key = format!("{}.{}.{element}", class.to_lowercase(), name.to_lowercase());
        self.stored.get(&key).copied()
    }

    /// What of another package an object builds on: its path.
    pub fn above_of(&self, path: &str) -> Option<&str> {
        self.above.get(&path.to_lowercase()).map(String::as_str)
    }

    /// The flags of an object.
    pub fn inner_flags(&self, path: &str) -> Option<ObjectFlags> {
        self.inner_flags.get(&path.to_lowercase()).copied()
    }

    /// The names of the components of a class in their order.
    pub fn components(&self, class: &str) -> &[String] {
        self.facts.class(class).map_or(&[], |it| &it.components)
    }

    /// The C++ for the header of a class.
    pub fn cpp_text(&self, class: &str) -> Option<String> {
        self.cpp_texts.get(&class.to_lowercase()).cloned()
    }

    /// The packages that a class needs.
    pub fn package_imports(&self, class: &str) -> &[String] {
        self.package_imports.get(&class.to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// Facts that the class above handed down, as far as the class itself shows them.
    pub fn above(&self, class: &str) -> Option<ClassFacts> {
        let mut facts = self.facts.class(class)?.clone();
        facts.text_crc = self.dependencies(class).get(1).map_or(0, |row| row.crc);
        Some(facts)
    }
}

/// The numbers of the first variables of classes, as the texts for the editor say them.
fn first_orders(package: &Package) -> HashMap<String, u32> {
    let mut first = HashMap::new();
    let Some(decoded) =
        package.find_export("MetaData").ok().and_then(|row| package.decode(row).ok())
    else {
        return first;
    };
    let said = native_as::<MetaData>(&decoded.body).map_or(&[][..], |it| &it.by_object.0);
    for (object, texts) in said {
        let is_order = |key: crate::Name| package.name_text(key) == "OrderIndex";
        let order = texts.0.iter().find(|(key, _)| is_order(*key));
        let order = order.and_then(|(_, text)| text.text(package.source()).ok());
        let path = package.path(*object).to_lowercase();
        let class = path.split('.').next().unwrap_or_default().to_owned();
        if let Some(order) = order.and_then(|text| text.parse::<u32>().ok()) {
            first.entry(class).or_insert(order & 0xffff_0000);
        }
    }
    first
}

fn class_in(package: &Package, row: usize) -> Option<&Class> {
    let Native::Script(object) = &package.decoded(row)?.body.native else { return None };
    match &**object {
        ScriptObject::Class(class) => Some(class),
        _ => None,
    }
}

/// The class's own variables that are stored as zero, and those that are not stored.
fn stored_zeros(package: &Package, class: &Class) -> (usize, usize) {
    let mut own = Vec::new();
    let mut at = class.base.base.children;
    while let ObjectRef::Export(row) = at.target() {
        let Some(decoded) = package.decoded(row).filter(|_| own.len() < 4096) else { break };
        let Native::Script(object) = &decoded.body.native else { break };
        if let ScriptObject::Property(property) = &**object {
            let is_simple = matches!(property.class, PropertyClass::Plain | PropertyClass::One(_));
            if is_simple && property.property_flags & 0x3000 == 0 {
                own.push(package.object_name(at).to_lowercase());
            }
        }
        at = object.field().next;
    }
    let name_of = |property: &crate::property::Property| {
        property.name_text(|name| package.name_text(name)).to_lowercase()
    };
    let stored: HashSet<String> = class.defaults.properties.iter().map(name_of).collect();
    let missing = own.iter().filter(|name| !stored.contains(*name)).count();
    let own: HashSet<String> = own.into_iter().collect();
    let zeros = class.defaults.properties.iter().filter(|property| {
        let is_zero = match property.value() {
            Value::Int(value) => *value == 0,
            Value::Float(value) => *value == 0.0,
            Value::Byte(value) => *value == 0,
            Value::Bool(value) => !value,
            Value::Object(index) => index.is_null(),
            _ => false,
        };
        is_zero && property.array_index() == 0 && own.contains(&name_of(property))
    });
    (zeros.count(), missing)
}

//! Declarations of a package's own classes and structs: found before bodies are decoded.

use std::collections::HashMap;
use std::sync::Arc;

use super::Package;
use super::by_class::ByClass;
use crate::archive::Context;
use crate::object::script_object::{PropertyClass, ScriptObject, UProperty};
use crate::object::{Body, Native};
use crate::primitive::{ObjectRef, PackageFlags, PackageIndex};
use crate::property::{
    ClassLayout, Declared, Enumeration, Layouts, MemberKind, PropertyKind, StructLayout, Type,
};
use crate::table::Export;
use crate::version::UnrealVersions;

/// Declarations refer to one another this far.
const DEEPEST: usize = 64;
/// Types that a container may name, with all within them.
const MOST_INNER: usize = 16;
/// UE3: values of the struct are stored without tags; whether the parents' flag counts changed at 279.
const IMMUTABLE: u32 = 0x20;
/// The same in cooked packages.
const IMMUTABLE_WHEN_COOKED: u32 = 0x80;

/// A decoded declaration and the name of its class.
type Declaration = Arc<(String, ScriptObject)>;

/// Declarations are decoded when one asks for them: most properties say all in the name of their class.
struct Declarations<'a> {
    package: &'a Package,
    context: &'a Arc<Context>,
    found: HashMap<usize, Option<Declaration>>,
    /// Types by row; `None` while one is being found, which ends circles.
    types: HashMap<usize, Option<Type>>,
    /// Fields that structs may still have together: each may name the same chain of fields.
    fields_left: usize,
}

impl Package {
    /// Whether an export declares a struct or a property.
    pub(super) fn is_declaration(&self, row: usize) -> bool {
        let Some(export) = self.tables.exports.get(row) else { return false };
        let class = self.object_name(export.class_index);
        let is_struct = ["Struct", "ScriptStruct"].iter().any(|s| class.eq_ignore_ascii_case(s));
        is_struct || PropertyClass::blank(&class).is_some()
    }

    /// The containers and structs that the package declares itself.
    pub(super) fn own_layouts(&self, context: &Arc<Context>) -> Layouts {
        let mut declarations = Declarations::new(self, context);
        let shared = self.sharing_bodies();
        let mut layouts = Layouts::default();
        // By class: a script package has thousands of properties of a dozen classes.
        let mut classes = ByClass::new(self);
        for (row, export) in self.tables.exports.iter().enumerate() {
            let (is_struct, is_container) = *classes.get_or_insert_with(export.class_index, || {
                let class = self.object_name(export.class_index);
                let any = |names: &[&str]| names.iter().any(|n| class.eq_ignore_ascii_case(n));
                (any(&["Struct", "ScriptStruct"]), any(&["ArrayProperty", "MapProperty"]))
            });
            if shared.contains(&row) {
                continue;
            }
            let name = || self.object_name(PackageIndex::export(row));
            let is_class = export.class_index.is_null();
            if is_class || is_struct {
                let parent =
                    (!export.super_index.is_null()).then(|| self.object_name(export.super_index));
                layouts.declare_scope(&name(), parent.as_deref());
            }
            if is_container && let Some(declared) = declarations.declared_type(row, 0) {
                if let Some(scope) = self.declaring_scope(export.outer_index) {
                    layouts.declare_in(&scope, &name(), declared.clone());
                }
                layouts.declare(&name(), declared);
            } else if is_struct {
                let mut layout = StructLayout::default();
                if declarations.collect_fields(row, &mut layout, 0) {
                    layouts.declare_struct(&name(), layout);
                } else if matches!(export.super_index.target(), ObjectRef::Import(_)) {
                    let mut own = StructLayout::default();
                    if declarations.collect_own(row, &mut own) {
                        let parent = self.object_name(export.super_index);
                        layouts.declare_derived(&name(), &parent, own);
                    }
                }
            }
        }
        layouts
    }

    /// The name of a class or struct that declares properties; not of functions, whose parameters are no
    /// properties of objects.
    fn declaring_scope(&self, outer: PackageIndex) -> Option<String> {
        let ObjectRef::Export(row) = outer.target() else { return None };
        let class = self.tables.exports.get(row)?.class_index;
        let is_struct = || {
            let class = self.object_name(class);
            ["Struct", "ScriptStruct"].iter().any(|known| class.eq_ignore_ascii_case(known))
        };
        (class.is_null() || is_struct()).then(|| self.object_name(outer))
    }
}

impl Package {
    /// Adds the declarations of the package's own classes, each without what it inherits.
    pub(super) fn declare_classes(&self, layouts: &mut Layouts, context: &Arc<Context>) {
        let mut declarations = Declarations::new(self, context);
        for (row, export) in self.tables.exports.iter().enumerate() {
            if export.class_index.is_null()
                && let Some(layout) = declarations.class_layout(row)
            {
                layouts.declare_class(layout);
            }
        }
    }

    /// Adds the functions and states of the package's own classes.
    pub(super) fn declare_members(&self, layouts: &mut Layouts) {
        let exports = &self.tables.exports;
        let mut classes = ByClass::new(self);
        for (row, export) in exports.iter().enumerate() {
            let member = *classes.get_or_insert_with(export.class_index, || {
                MemberKind::of_class(&self.object_name(export.class_index))
            });
            let (Some(member), ObjectRef::Export(outer)) = (member, export.outer_index.target())
            else {
                continue;
            };
            let is_class = exports.get(outer).is_some_and(|class| {
                let class = class.class_index;
                class.is_null() || self.object_name(class).ends_with("GeneratedClass")
            });
            if is_class {
                let name = self.object_name(PackageIndex::export(row));
                layouts.declare_member(&self.object_name(export.outer_index), member, &name);
            }
        }
    }

    /// The enum of this name, of the package's own or of classes that are known; `None` where two of the name have
    /// other values: nothing tells which of them is meant.
    #[doc(hidden)]
    pub fn enumeration(&self, name: &str, context: &Arc<Context>) -> Option<Arc<Enumeration>> {
        let mut own = Declarations::new(self, context).enumerations_called(name).into_iter();
        let Some(first) = own.next() else { return self.known.enumeration(name).cloned() };
        own.all(|other| other.values == first.values).then_some(first)
    }

    /// The enum of a byte that the class in this row declares itself.
    #[doc(hidden)]
    pub fn declared_enum(
        &self,
        class: usize,
        name: &str,
        context: &Arc<Context>,
    ) -> Option<String> {
        let outer = PackageIndex::export(class);
        let declares = |(row, export): &(usize, &Export)| {
            export.outer_index == outer
                && self.object_name(PackageIndex::export(*row)).eq_ignore_ascii_case(name)
                && self.object_name(export.class_index).eq_ignore_ascii_case("ByteProperty")
        };
        let (row, _) = self.tables.exports.iter().enumerate().find(declares)?;
        let declaration = Declarations::new(self, context).get(row)?;
        match &declaration.1 {
            ScriptObject::Property(UProperty { class: PropertyClass::One(index), .. })
                if !index.is_null() =>
            {
                Some(self.object_name(*index))
            }
            _ => None,
        }
    }

    /// The declarations of the class in this row alone.
    #[doc(hidden)]
    pub fn class_layout(&self, row: usize, context: &Arc<Context>) -> Option<ClassLayout> {
        Declarations::new(self, context).class_layout(row)
    }
}

impl<'a> Declarations<'a> {
    fn new(package: &'a Package, context: &'a Arc<Context>) -> Self {
        Self {
            package,
            context,
            found: HashMap::new(),
            types: HashMap::new(),
            fields_left: 1024 + 16 * package.tables.exports.len(),
        }
    }

    fn class_layout(&mut self, row: usize) -> Option<ClassLayout> {
        let package = self.package;
        let export = package.tables.exports.get(row)?;
        let class = self.script(row, "Class")?;
        let mut layout = ClassLayout {
            name: package.object_name(PackageIndex::export(row)).into(),
            parent: package.object_name(export.super_index).into(),
            properties: Vec::new(),
        };
        self.each_field(class.structure()?.children, |declarations, row, property| {
            let Some(known) = declarations.declared_type(row, 0) else { return true };
            let enumeration = match (known.kind(), &property.class) {
                (PropertyKind::Byte, PropertyClass::One(index)) => declarations.enumeration(*index),
                _ => None,
            };
            let known = match &enumeration {
                Some(enumeration) => known.of_name(&enumeration.name),
                None => known,
            };
            let declared = declarations.declared(row, property, known);
            layout.properties.push(Declared { enumeration, ..declared });
            true
        });
        Some(layout)
    }

    /// Calls `each` for the properties in a chain of fields; false where one is not known.
    fn each_field(
        &mut self,
        first: PackageIndex,
        mut each: impl FnMut(&mut Self, usize, &UProperty) -> bool,
    ) -> bool {
        let package = self.package;
        let mut next = first;
        for _ in 0..package.tables.exports.len() {
            let ObjectRef::Export(row) = next.target() else { break };
            // Each of many classes may name the same long chain.
            let Some(left) = self.fields_left.checked_sub(1) else { return false };
            self.fields_left = left;
            if !self.package.is_declaration(row) {
                // Functions, enums and others have their place in the chain too.
                let Some(after) = self.next_field(row) else { break };
                next = after;
                continue;
            }
            let Some(declaration) = self.get(row) else { break };
            next = declaration.1.field().next;
            if let ScriptObject::Property(property) = &declaration.1
                && !each(self, row, property)
            {
                return false;
            }
        }
        true
    }

    fn declared(&mut self, row: usize, property: &UProperty, known: Type) -> Declared {
        let name = self.package.object_name(PackageIndex::export(row));
        let dimension = (property.array_dim & 0xffff).max(1);
        let key_class = match property.class {
            PropertyClass::Two(key, _) if known.kind() == PropertyKind::Map => {
                self.class_of(key, 0)
            }
            _ => None,
        };
        let object_class = self.object_class(row, 0);
        Declared { dimension, object_class, key_class, ..Declared::of_type(&name, known) }
    }

    /// The class of the objects to which an inner property refers.
    fn class_of(&mut self, inner: PackageIndex, depth: usize) -> Option<Arc<str>> {
        match inner.target() {
            ObjectRef::Export(inner) => self.object_class(inner, depth),
            _ => None,
        }
    }

    /// The class of the objects that the property in this row, or an element or value of it, refers to.
    fn object_class(&mut self, row: usize, depth: usize) -> Option<Arc<str>> {
        let declaration = self.get(row).filter(|_| depth < DEEPEST)?;
        let ScriptObject::Property(property) = &declaration.1 else { return None };
        let is = |name: &str| declaration.0.eq_ignore_ascii_case(name);
        match property.class {
            PropertyClass::One(class) if is("ObjectProperty") || is("ComponentProperty") => {
                self.class_called(class)
            }
            PropertyClass::Two(_, class) if is("ClassProperty") => self.class_called(class),
            PropertyClass::One(inner) | PropertyClass::FixedArray(inner, _)
                if is("ArrayProperty") || is("FixedArrayProperty") =>
            {
                self.class_of(inner, depth + 1)
            }
            PropertyClass::Two(_, value) if is("MapProperty") => self.class_of(value, depth + 1),
            _ => None,
        }
    }

    fn class_called(&self, class: PackageIndex) -> Option<Arc<str>> {
        (!class.is_null()).then(|| self.package.object_name(class).into())
    }

    /// The field behind one that is no property.
    fn next_field(&self, row: usize) -> Option<PackageIndex> {
        let class = self.package.object_name(self.package.tables.exports.get(row)?.class_index);
        Some(self.script(row, &class)?.field().next)
    }

    /// The script object in a row, as one of this class.
    fn script(&self, row: usize, class: &str) -> Option<ScriptObject> {
        let shape = self.package.shape(row, &[class.to_owned()]);
        match self.package.try_decode(row, Body::blank(shape), self.context).ok()?.body.native {
            Native::Script(object) => Some(*object),
            _ => None,
        }
    }

    fn enumeration(&self, index: PackageIndex) -> Option<Arc<Enumeration>> {
        let ObjectRef::Export(row) = index.target() else { return None };
        let ScriptObject::Enum(values) = self.script(row, "Enum")? else { return None };
        let name = self.package.object_name(index).into();
        let texts = values.names.iter().map(|value| self.package.name_text(*value).into());
        Some(Arc::new(Enumeration { name, values: texts.collect() }))
    }

    /// The enums of this name among the package's own.
    fn enumerations_called(&self, name: &str) -> Vec<Arc<Enumeration>> {
        // An edit asks for each value that it sets: this must not go through all rows.
        let objects = self.package.object_index();
        let class_name = |index: PackageIndex| match index.target() {
            ObjectRef::Export(row) => {
                let export = self.package.tables.exports.get(row)?;
                Some(self.package.object_name(export.class_index))
            }
            _ => None,
        };
        let is_enum = |index: &PackageIndex| {
            class_name(*index).is_some_and(|class| class.eq_ignore_ascii_case("Enum"))
                && self.package.object_name(*index).eq_ignore_ascii_case(name)
        };
        let enums = objects.named(name).iter().copied().filter(is_enum);
        enums.filter_map(|index| self.enumeration(index)).collect()
    }

    fn get(&mut self, row: usize) -> Option<Declaration> {
        if let Some(found) = self.found.get(&row) {
            return found.clone();
        }
        let found = self.decode(row);
        self.found.insert(row, found.clone());
        found
    }

    fn decode(&self, row: usize) -> Option<Declaration> {
        if !self.package.is_declaration(row) {
            return None;
        }
        let class = self.package.object_name(self.package.tables.exports[row].class_index);
        let decoded = self.package.bodies.decoded.get(&row).map(|decoded| &decoded.body.native);
        let mut object = match decoded {
            Some(Native::Script(object)) => (**object).clone(),
            Some(_) => return None,
            None => self.script(row, &class)?,
        };
        if let ScriptObject::Struct(structure) = &mut object {
            structure.base.script.items = Vec::new();
        }
        Some(Arc::new((class, object)))
    }

    fn declared_type(&mut self, row: usize, depth: usize) -> Option<Type> {
        if let Some(found) = self.types.get(&row) {
            return found.clone();
        }
        if depth > DEEPEST {
            return None;
        }
        self.types.insert(row, None);
        let found = self.find_type(row, depth);
        self.types.insert(row, found.clone());
        found
    }

    fn find_type(&mut self, row: usize, depth: usize) -> Option<Type> {
        let declaration = self.get(row)?;
        let (class, ScriptObject::Property(property)) = &*declaration else { return None };
        // Containers of containers could name the same types again and again.
        let mut inner = |index: PackageIndex| match index.target() {
            ObjectRef::Export(row) => {
                self.declared_type(row, depth + 1).filter(|inner| inner.count() <= MOST_INNER)
            }
            _ => None,
        };
        let known = Type::of_known_class(class)?;
        Some(match (known.kind(), &property.class) {
            (PropertyKind::Struct, PropertyClass::One(structure)) => {
                known.of_name(&self.package.object_name(*structure))
            }
            (PropertyKind::Array, PropertyClass::One(element)) => {
                known.of_inner(inner(*element).into_iter().collect())
            }
            (PropertyKind::Map, PropertyClass::Two(key, value)) => {
                let pair = inner(*key).zip(inner(*value));
                known.of_inner(pair.into_iter().flat_map(|(key, value)| [key, value]).collect())
            }
            _ => known,
        })
    }

    /// The fields of a struct as they are stored: its own, then those of its parents, as properties of objects are too
    /// (spec: ue1-3/16 §16.8); false when one is not known.
    fn collect_fields(&mut self, row: usize, layout: &mut StructLayout, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let Some(export) = self.package.tables.exports.get(row) else { return false };
        let mut inherited = StructLayout::default();
        match export.super_index.target() {
            ObjectRef::Null => {}
            ObjectRef::Import(_) => return false,
            ObjectRef::Export(parent) => {
                if !self.collect_fields(parent, &mut inherited, depth + 1) {
                    return false;
                }
            }
        }
        let Some(left) = self.fields_left.checked_sub(inherited.fields.len()) else { return false };
        self.fields_left = left;
        layout.immutable = inherited.immutable;
        let is_known = self.collect_own(row, layout);
        layout.fields.append(&mut inherited.fields);
        is_known
    }

    /// The fields that a struct declares itself.
    fn collect_own(&mut self, row: usize, layout: &mut StructLayout) -> bool {
        let Some(declaration) = self.get(row) else { return false };
        let ScriptObject::Struct(structure) = &declaration.1 else { return false };
        let flags = structure.struct_flags;
        let cooked = self.package.tables.summary.package_flags.contains(PackageFlags::COOKED);
        let own = flags & IMMUTABLE != 0 || cooked && flags & IMMUTABLE_WHEN_COOKED != 0;
        layout.immutable = own || self.package.versions.file() == 278 && layout.immutable;
        self.each_field(structure.base.children, |declarations, row, property| {
            let Some(known) = declarations.declared_type(row, 0) else { return false };
            layout.fields.push(declarations.declared(row, property, known));
            true
        })
    }
}

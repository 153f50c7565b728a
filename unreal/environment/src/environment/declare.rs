//! From the script objects of a package to what they declare.

use super::classes::DEEPEST;
use super::declare_struct::{StructReader, declares_fields};
use super::declarer::Declarer;
use super::{ClassInfo, Classes, EnumInfo, FieldInfo, FieldType, FunctionInfo, StructInfo};
use crate::object::Native;
use crate::object::script_object::{Function, PropertyClass, ScriptObject, UProperty};
use crate::object::text::TextBuffer;
use crate::package::{Package, native_as};
use crate::primitive::{ObjectFlags, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Fields and their inner types that are taken down for each export.
const FIELDS_PER_EXPORT: usize = 16;
/// The same beside these: an export may hold many fields.
const FIELDS: usize = 1 << 16;

/// The flag of classes with native code.
const NATIVE_CLASS: u32 = 0x80;

impl Classes {
    /// Notes what a package declares; `name` is what other packages call it. Of classes and structs of one
    /// path the first stays.
    pub fn add(&mut self, package: &Package, name: &str) {
        let mut decoded = package.clone();
        decoded
            .decode_where(|class| ScriptObject::blank(class).is_some() || declares_fields(class));
        self.engine.get_or_insert(package.versions().engine());
        let most = FIELDS + FIELDS_PER_EXPORT * decoded.exports().len();
        let of = Declarer::new(&decoded, name, most);
        let (reader, structs) = (ScriptReader { of: &of }, StructReader { of: &of });
        for row in 0..decoded.exports().len() {
            structs.declare(row, self);
            match reader.object(PackageIndex::export(row)) {
                Some(ScriptObject::Class(_)) => {
                    if let Some(class) = reader.class(row) {
                        self.insert(class);
                    }
                }
                Some(ScriptObject::Struct(_)) => {
                    if let Some(structure) = reader.structure(row) {
                        self.insert_struct(structure);
                    }
                }
                Some(ScriptObject::Enum(object)) => {
                    let values = object.names.iter().map(|name| decoded.name_text(*name)).collect();
                    let path = reader.of.path(PackageIndex::export(row));
                    self.insert_enum(EnumInfo { path, values, numbers: Vec::new() });
                }
                _ => {}
            }
        }
    }
}

struct ScriptReader<'r, 'a> {
    of: &'r Declarer<'a>,
}

impl<'a> ScriptReader<'_, 'a> {
    fn object(&self, index: PackageIndex) -> Option<&'a ScriptObject> {
        match self.of.native(index)? {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    /// The fields of a class, struct or function, in their order.
    fn children(&self, first: PackageIndex) -> Vec<PackageIndex> {
        self.of.chain(first, |index| self.object(index).map(|object| object.field().next))
    }

    fn class(&self, row: usize) -> Option<ClassInfo> {
        let index = PackageIndex::export(row);
        let Some(ScriptObject::Class(object)) = self.object(index) else { return None };
        let name = self.of.package.object_name(index);
        if name.eq_ignore_ascii_case("None") {
            return None;
        }
        let export = self.of.package.exports().get(row)?.entry();
        let native = export.object_flags.legacy(self.of.package.versions()) & ObjectFlags::NATIVE.0
            != 0
            || object.class_flags & NATIVE_CLASS != 0;
        let mut class = ClassInfo {
            package: self.of.name.to_owned(),
            name,
            parent: self.of.some_path(export.super_index),
            flags: object.class_flags,
            native,
            within: self.of.some_path(object.within),
            config: self.of.stored_name(object.config_name),
            cpp_text: self.cpp_text(object.base.base.cpp_text),
            ..ClassInfo::default()
        };
        for child in self.children(object.base.base.children) {
            let child_name = || self.of.package.object_name(child);
            match self.object(child) {
                Some(ScriptObject::Property(property)) => {
                    class.fields.push(self.field(child, property));
                }
                Some(ScriptObject::Struct(_)) => class.structs.push(self.of.path(child)),
                Some(ScriptObject::Enum(_)) => class.enums.push(self.of.path(child)),
                Some(ScriptObject::Const(constant)) => {
                    let value = constant.value.text(self.of.package.source()).unwrap_or_default();
                    class.constants.push((child_name(), value.into_owned()));
                }
                Some(ScriptObject::Function(function)) => class.functions.push(FunctionInfo {
                    name: child_name(),
                    flags: function.function_flags,
                    native_index: function.native,
                    overrides: self.overrides(child, function),
                    parameters: self.parameters(function.base.children),
                }),
                _ => {}
            }
        }
        Some(class)
    }

    /// The text of a buffer that stands beside a class.
    fn cpp_text(&self, index: PackageIndex) -> Option<String> {
        let ObjectRef::Export(row) = index.target() else { return None };
        let package = self.of.package;
        let decoded = package.decode(row).ok()?;
        let text = &native_as::<TextBuffer>(&decoded.body)?.text;
        let text = text.text(package.source()).ok()?;
        (!text.trim().is_empty()).then(|| text.into_owned())
    }

    /// The export's row or the body says what a function overrides.
    fn overrides(&self, index: PackageIndex, function: &Function) -> bool {
        let super_index = match index.target() {
            ObjectRef::Export(row) => {
                self.of.package.exports().get(row).map(|export| export.entry().super_index)
            }
            _ => None,
        };
        let base = &function.base;
        let all = [super_index.unwrap_or_default(), base.field.super_field, base.super_field];
        all.iter().any(|it| *it != PackageIndex::NULL)
    }

    fn parameters(&self, first: PackageIndex) -> Vec<FieldInfo> {
        let mut fields = self.fields(first);
        fields.retain(|field| field.flags & FieldInfo::PARAMETER != 0);
        fields
    }

    fn fields(&self, first: PackageIndex) -> Vec<FieldInfo> {
        let children = self.children(first).into_iter();
        children
            .filter_map(|child| match self.object(child) {
                Some(ScriptObject::Property(property)) => Some(self.field(child, property)),
                _ => None,
            })
            .collect()
    }

    fn structure(&self, row: usize) -> Option<StructInfo> {
        let index = PackageIndex::export(row);
        let Some(ScriptObject::Struct(object)) = self.object(index) else { return None };
        let export = self.of.package.exports().get(row)?.entry();
        Some(StructInfo {
            package: self.of.name.to_owned(),
            path: self.of.package.path(index),
            parent: self.of.some_path(export.super_index),
            flags: object.struct_flags | object.base.struct_flags,
            fields: self.fields(object.base.children),
        })
    }

    fn field(&self, index: PackageIndex, property: &UProperty) -> FieldInfo {
        FieldInfo {
            name: self.of.package.object_name(index),
            field_type: self.field_type(index, property, 0),
            dimension: (property.array_dim & 0xffff).max(1),
            flags: property.property_flags,
            category: self.of.stored_name(property.category).unwrap_or_default(),
        }
    }

    fn field_type(&self, index: PackageIndex, property: &UProperty, depth: usize) -> FieldType {
        let class = match index.target() {
            ObjectRef::Export(row) => {
                self.of.package.exports().get(row).map(|export| export.class())
            }
            _ => None,
        };
        let class = class.unwrap_or_default();
        let class = class.rsplit('.').next().unwrap_or_default();
        let is = |name: &str| class.eq_ignore_ascii_case(name);
        let inner = |index: PackageIndex| match self.object(index) {
            Some(ScriptObject::Property(property)) if depth < DEEPEST && self.of.spend(1) => {
                Box::new(self.field_type(index, property, depth + 1))
            }
            _ => Box::new(FieldType::Other(self.of.package.object_name(index))),
        };
        let path = |index: PackageIndex| {
            let path = self.of.path(index);
            // Long paths cost more: real ones are short.
            self.of.spend(path.len() / 64);
            path
        };
        match &property.class {
            PropertyClass::One(one) => match () {
                () if is("ByteProperty") => FieldType::Byte(self.of.some_path(*one)),
                () if is("InterfaceProperty") => FieldType::Interface(path(*one)),
                () if is("StructProperty") => FieldType::Struct(path(*one)),
                () if is("ArrayProperty") => FieldType::Array(inner(*one)),
                () => FieldType::Object(path(*one)),
            },
            PropertyClass::Two(key, value) if is("MapProperty") => {
                FieldType::Map(inner(*key), inner(*value))
            }
            PropertyClass::Two(_, meta) => FieldType::Class(path(*meta)),
            PropertyClass::Delegate(..) => FieldType::Delegate,
            PropertyClass::FixedArray(one, count) => {
                FieldType::FixedArray(inner(*one), count.value())
            }
            PropertyClass::FixedString(size) => FieldType::FixedString(*size),
            PropertyClass::Plain | PropertyClass::Bool(_) => match () {
                () if is("IntProperty") || is("StringRefProperty") => FieldType::Int,
                () if is("BoolProperty") => FieldType::Bool,
                () if is("FloatProperty") => FieldType::Float,
                () if is("NameProperty") => FieldType::Name,
                () if is("StrProperty") => FieldType::Str,
                () if is("PointerProperty") => FieldType::Pointer,
                () if is("BioMask4Property") => FieldType::Byte(None),
                () => FieldType::Other(class.to_owned()),
            },
        }
    }
}

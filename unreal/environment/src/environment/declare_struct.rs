//! From the classes, structs and enums of packages of UE4 and UE5 to what they declare.

use super::classes::DEEPEST;
use super::declarer::Declarer;
use super::digest::is_declaration;
use super::{ClassInfo, Classes, EnumInfo, FieldInfo, FieldType, FunctionInfo, StructInfo};
use crate::archive::Object;
use crate::object::Native;
use crate::object::script_object::PropertyClass;
use crate::object::ue4::field::{Declaration, Field, FieldData};
use crate::object::ue4::structure::class::Class;
use crate::object::ue4::structure::enumeration::Enum;
use crate::object::ue4::structure::function::Function;
use crate::object::ue4::structure::script_struct::ScriptStruct;
use crate::object::ue4::structure::uproperty::UProperty;
use crate::object::ue4::structure::user_struct::UserDefinedStruct;
use crate::object::ue4::structure::{self, Struct};
use crate::primitive::{Name, ObjectRef, PackageIndex};

/// Whether objects of this class declare something, or are fields of those that do.
pub(super) fn declares_fields(class: &str) -> bool {
    is_declaration(class) || class.ends_with("Property") || class.ends_with("Function")
}

/// Reads what stands in bodies of UE4 and UE5: fields are part of the struct, or objects of their own.
pub(super) struct StructReader<'r, 'a> {
    pub of: &'r Declarer<'a>,
}

impl<'a> StructReader<'_, 'a> {
    /// Notes what the object in this row declares.
    pub fn declare(&self, row: usize, classes: &mut Classes) {
        let index = PackageIndex::export(row);
        if let Some(class) = self.native::<Class>(index) {
            classes.insert(self.class(index, class));
        } else if let Some(made) = self.native::<UserDefinedStruct>(index) {
            let flags = made.struct_flags.unwrap_or(0);
            classes.insert_struct(self.structure(index, &made.base, flags));
        } else if let Some(plain) = self.native::<ScriptStruct>(index) {
            classes.insert_struct(self.structure(index, &plain.base, plain.struct_flags));
        } else if let Some(all) = self.native::<Enum>(index) {
            let names = all.enumerators.iter();
            let values = names.map(|it| self.of.package.name_text(it.name)).collect();
            let counted = all.enumerators.iter().all(|it| it.value == 0);
            let numbers = match counted {
                true => Vec::new(),
                false => all.enumerators.iter().map(|it| it.value).collect(),
            };
            classes.insert_enum(EnumInfo { path: self.of.path(index), values, numbers });
        }
    }

    fn native<T: Object>(&self, index: PackageIndex) -> Option<&'a T> {
        let Native::Object(object) = self.of.native(index)? else { return None };
        object.downcast_ref()
    }

    fn class(&self, index: PackageIndex, class: &Class) -> ClassInfo {
        ClassInfo {
            package: self.of.name.to_owned(),
            name: self.of.package.path(index),
            parent: self.of.some_path(class.base.super_struct),
            flags: class.class_flags,
            within: self.of.some_path(class.within),
            config: self.of.some_name(class.config_name),
            fields: self.fields(&class.base),
            functions: self.functions(&class.base),
            ..ClassInfo::default()
        }
    }

    fn structure(&self, index: PackageIndex, structure: &Struct, flags: u32) -> StructInfo {
        StructInfo {
            package: self.of.name.to_owned(),
            path: self.of.package.path(index),
            parent: self.of.some_path(structure.super_struct),
            flags,
            fields: self.fields(structure),
        }
    }

    fn functions(&self, of: &Struct) -> Vec<FunctionInfo> {
        let children = self.children(of).into_iter();
        let function = |index: PackageIndex| {
            let function = self.native::<Function>(index)?;
            let mut parameters = self.fields(&function.base);
            parameters.retain(|field| field.flags & FieldInfo::PARAMETER != 0);
            Some(FunctionInfo {
                name: self.of.package.object_name(index),
                flags: function.function_flags,
                native_index: 0,
                overrides: false,
                parameters,
            })
        };
        children.filter_map(function).collect()
    }

    /// The fields that are objects of their own, in their order.
    fn children(&self, of: &Struct) -> Vec<PackageIndex> {
        if !of.children.is_empty() {
            return of.children.iter().copied().take_while(|_| self.of.spend(1)).collect();
        }
        self.of.chain(of.first_child, |index| self.next(index))
    }

    fn next(&self, index: PackageIndex) -> Option<PackageIndex> {
        let native = self.of.native(index)?;
        if let Some(base) = structure::of(native) {
            return Some(base.field.next);
        }
        let Native::Object(object) = native else { return None };
        let property = object.downcast_ref::<UProperty>().map(|property| property.field.next);
        property.or_else(|| object.downcast_ref::<Enum>().map(|all| all.field.next))
    }

    /// Fields that a class, struct or function declares: the properties that it holds, or those that are objects.
    fn fields(&self, of: &Struct) -> Vec<FieldInfo> {
        let held = of.properties.iter().filter_map(|field| {
            let declaration = field.declaration.as_deref().filter(|_| self.of.spend(1))?;
            Some(FieldInfo {
                name: self.of.package.name_text(declaration.name),
                field_type: self.held_type(field, 0),
                dimension: u32::try_from(declaration.array_dim).unwrap_or(1).max(1),
                flags: declaration.property_flags,
                category: self.category(declaration),
            })
        });
        let objects = self.children(of).into_iter().filter_map(|index| {
            let property = self.native::<UProperty>(index)?;
            Some(FieldInfo {
                name: self.of.package.object_name(index),
                field_type: self.object_type(index, 0),
                dimension: u32::try_from(property.array_dim).unwrap_or(1).max(1),
                flags: property.property_flags,
                category: String::new(),
            })
        });
        held.chain(objects).collect()
    }

    fn category(&self, declaration: &Declaration) -> String {
        let pairs = declaration.meta_data.as_deref().unwrap_or_default();
        let is = |name: &Name| self.of.package.name_text(*name).eq_ignore_ascii_case("Category");
        let found = pairs.iter().find(|(key, _)| is(key));
        let text = found.and_then(|(_, text)| text.text(self.of.package.source()).ok());
        text.map(|text| text.into_owned()).unwrap_or_default()
    }

    /// The type of a property that its class holds, from 4.25 on.
    fn held_type(&self, field: &Field, depth: usize) -> FieldType {
        let class = self.of.package.name_text(field.type_name);
        let Some(declaration) = field.declaration.as_deref() else {
            return FieldType::Other(class);
        };
        if depth > DEEPEST || !self.of.spend(1) {
            return FieldType::Other(class);
        }
        let inner = |field: &Field| self.held_type(field, depth + 1);
        let null = PackageIndex::NULL;
        match &declaration.data {
            FieldData::Inner(element) => self.type_of(&class, [null; 2], vec![inner(element)]),
            FieldData::Map(key, value) => {
                self.type_of(&class, [null; 2], vec![inner(key), inner(value)])
            }
            FieldData::One(one) | FieldData::Enum(one, _) => {
                self.type_of(&class, [*one, null], Vec::new())
            }
            FieldData::Two(one, two) => self.type_of(&class, [*one, *two], Vec::new()),
            _ => self.type_of(&class, [null; 2], Vec::new()),
        }
    }

    /// The type of a property that is an object of its own, below 4.25.
    fn object_type(&self, index: PackageIndex, depth: usize) -> FieldType {
        let row = match index.target() {
            ObjectRef::Export(row) => self.of.package.exports().get(row),
            _ => None,
        };
        let class = row.map(|row| self.of.package.object_name(row.entry().class_index));
        let class = class.unwrap_or_default();
        let Some(property) = self.native::<UProperty>(index).filter(|_| depth <= DEEPEST) else {
            return FieldType::Other(class);
        };
        if !self.of.spend(1) {
            return FieldType::Other(class);
        }
        let inner = |index: PackageIndex| self.object_type(index, depth + 1);
        let null = PackageIndex::NULL;
        match (&property.kind, class.as_str()) {
            (PropertyClass::One(one), "ArrayProperty" | "SetProperty") => {
                self.type_of(&class, [null; 2], vec![inner(*one)])
            }
            (PropertyClass::Two(key, value), "MapProperty") => {
                self.type_of(&class, [null; 2], vec![inner(*key), inner(*value)])
            }
            (PropertyClass::One(one), _) => self.type_of(&class, [*one, null], Vec::new()),
            (PropertyClass::Two(one, two), _) => self.type_of(&class, [*one, *two], Vec::new()),
            _ => self.type_of(&class, [null; 2], Vec::new()),
        }
    }

    /// The type of a property of this class, with what it refers to and its inner types.
    fn type_of(
        &self,
        class: &str,
        [one, two]: [PackageIndex; 2],
        inner: Vec<FieldType>,
    ) -> FieldType {
        let mut inner = inner.into_iter().map(Box::new);
        let kind = class.strip_suffix("Property").unwrap_or(class);
        let path = |index| self.of.path(index);
        match (kind, inner.next(), inner.next()) {
            ("Array", Some(element), _) => FieldType::Array(element),
            ("Set", Some(element), _) => FieldType::Set(element),
            ("Optional", Some(element), _) => FieldType::Optional(element),
            ("Map", Some(key), Some(value)) => FieldType::Map(key, value),
            ("Byte", ..) => FieldType::Byte(self.of.some_path(one)),
            ("Enum", ..) => FieldType::Enum(path(one)),
            ("Int", ..) => FieldType::Int,
            ("Bool", ..) => FieldType::Bool,
            ("Float", ..) => FieldType::Float,
            ("Name", ..) => FieldType::Name,
            ("Str", ..) => FieldType::Str,
            ("Delegate", ..) => FieldType::Delegate,
            ("Object" | "ObjectPtr", ..) => FieldType::Object(path(one)),
            ("Class" | "ClassPtr", ..) => FieldType::Class(path(two)),
            ("Interface", ..) => FieldType::Interface(path(one)),
            ("Struct", ..) => FieldType::Struct(path(one)),
            ("SoftObject" | "AssetObject", ..) => reference("soft", path(one)),
            ("SoftClass" | "AssetClass", ..) => reference("soft class", path(two)),
            ("WeakObject", ..) => reference("weak", path(one)),
            ("LazyObject", ..) => reference("lazy", path(one)),
            (kind, ..) if kind.starts_with("Multicast") => {
                FieldType::Plain("multicast delegate".to_owned())
            }
            (kind, ..) if kind.len() < class.len() => FieldType::Plain(kind.to_ascii_lowercase()),
            _ => FieldType::Other(class.to_owned()),
        }
    }
}

fn reference(kind: &str, class: String) -> FieldType {
    FieldType::Reference(kind.to_owned(), class)
}

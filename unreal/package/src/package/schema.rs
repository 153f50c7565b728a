//! Declarations of the classes and structs of a package of UE4 and UE5.

use std::sync::Arc;

use crate::archive::Context;
use crate::object::registry::object;
use crate::object::ue4::field::{Field, FieldData};
use crate::object::ue4::structure::{self, Struct};
use crate::object::{Body, Prologue};
use crate::package::by_class::ByClass;
use crate::package::{Package, native_as};
use crate::primitive::{NameContext, PackageIndex};
use crate::property::{ClassLayout, Declared, Layouts, PropertyKind, Type};

/// Classes whose objects declare properties.
const DECLARING: &[&str] = &["BlueprintGeneratedClass", "UserDefinedStruct", "ScriptStruct"];

/// A container of structs, whose names tags leave out below UE5 1012; other elements say themselves what they
/// are.
fn container(known: &Type) -> Option<Type> {
    let is_struct = |inner: &Type| inner.kind() == PropertyKind::Struct;
    let side = |inner: &Type| match is_struct(inner) {
        true => inner.clone(),
        false => Type::new(PropertyKind::Array),
    };
    let kind = match known.kind() {
        PropertyKind::Set => PropertyKind::Array,
        PropertyKind::Map => PropertyKind::Map,
        _ => return None,
    };
    let any = known.inner().iter().any(is_struct);
    any.then(|| Type::new(kind).of_inner(known.inner().iter().map(side).collect()))
}

impl Package {
    /// Whether an object declares properties of others.
    #[doc(hidden)]
    pub fn declares(&self, row: usize) -> bool {
        let Some(export) = self.tables.exports.get(row) else { return false };
        if !Prologue::is_in(&self.versions) {
            return false;
        }
        let class = self.object_name(export.class_index);
        DECLARING.iter().any(|end| class.ends_with(end))
    }

    /// The exports that declare properties of others.
    #[doc(hidden)]
    pub fn declaring(&self) -> Arc<Vec<usize>> {
        let mut classes = ByClass::new(self);
        let mut declares = |row: &usize| {
            let class = self.tables.exports[*row].class_index;
            *classes.get_or_insert_with(class, || self.declares(*row))
        };
        let make = || Arc::new((0..self.export_count()).filter(|row| declares(row)).collect());
        self.caches.declaring.get_or(|_| true, make)
    }

    /// The declarations of the classes and structs in these rows.
    #[doc(hidden)]
    pub fn schemas_of(&self, declaring: &[usize], context: &Arc<Context>) -> Vec<ClassLayout> {
        let shared = self.sharing_bodies();
        let layout = |row: &usize| {
            if let Some(decoded) = self.bodies.decoded.get(row)
                && let Some(known) = structure::of(&decoded.body.native)
            {
                return self.schema_of(*row, known, context);
            }
            let mut shape = self.shape(*row, &self.class_chain(*row));
            // Only what it declares: its default values need these mappings.
            shape.maker = Some(object::<structure::Declared>);
            let decoded = self.try_decode(*row, Body::blank(shape), context).ok()?;
            let declared = native_as::<structure::Declared>(&decoded.body)?;
            self.schema_of(*row, &declared.base, context)
        };
        declaring.iter().filter(|row| !shared.contains(row)).filter_map(layout).collect()
    }

    /// Adds what the classes and structs of this package declare, for packages that use them.
    pub(in crate::package) fn declare_schemas(
        &self,
        layouts: &mut Layouts,
        context: &Arc<Context>,
    ) {
        for known in self.schemas_of(&self.declaring(), context) {
            let parent = Some(&*known.parent).filter(|parent| !parent.is_empty());
            layouts.declare_scope(&known.name, parent);
            for property in &known.properties {
                if let Some(container) = container(&property.property) {
                    layouts.declare(&property.name, container);
                }
            }
            layouts.declare_class(known);
        }
    }

    /// `None` where a property is not known: then no property behind it can be counted.
    fn schema_of(&self, row: usize, structure: &Struct, context: &Context) -> Option<ClassLayout> {
        let property = |field: &Field| {
            let declaration = field.declaration.as_deref()?;
            let name = context.name_text(&declaration.name).unwrap_or_default();
            let dimension = u32::try_from(declaration.array_dim.max(1)).ok()?;
            let known = self.field_type(field, context)?;
            let object_class = self.object_class(field, context);
            let key_class = match &declaration.data {
                FieldData::Map(key, _) => self.object_class(key, context),
                _ => None,
            };
            let declared = Declared::of_type(&name, known);
            Some(Declared { dimension, object_class, key_class, ..declared })
        };
        let parent = match structure.super_struct {
            index if index.is_null() => String::new(),
            index => self.object_name(index),
        };
        Some(ClassLayout {
            name: self.object_name(PackageIndex::export(row)).into(),
            parent: parent.into(),
            properties: structure.properties.iter().map(property).collect::<Option<_>>()?,
        })
    }

    /// The class of the objects that a property, or an element or value of it, refers to.
    fn object_class(&self, field: &Field, context: &Context) -> Option<Arc<str>> {
        const OBJECTS: &[&str] = &["ObjectProperty", "ObjectPtrProperty", "WeakObjectProperty"];
        const CLASSES: &[&str] = &["ClassProperty", "ClassPtrProperty"];
        let type_name = context.name_text(&field.type_name)?;
        match &field.declaration.as_deref()?.data {
            FieldData::Inner(element) | FieldData::Map(_, element) => {
                self.object_class(element, context)
            }
            FieldData::One(class) if OBJECTS.contains(&&*type_name) => self.class_called(*class),
            FieldData::Two(_, class) if CLASSES.contains(&&*type_name) => self.class_called(*class),
            _ => None,
        }
    }

    fn class_called(&self, class: PackageIndex) -> Option<Arc<str>> {
        (!class.is_null()).then(|| self.object_name(class).into())
    }

    fn field_type(&self, field: &Field, context: &Context) -> Option<Type> {
        let declaration = field.declaration.as_deref()?;
        let known = Type::of_known_class(&context.name_text(&field.type_name)?)?;
        let inner = |fields: &[&Field]| {
            fields.iter().map(|field| self.field_type(field, context)).collect::<Option<Vec<_>>>()
        };
        let kind = known.kind();
        Some(match &declaration.data {
            FieldData::Inner(element) => known.of_inner(inner(&[element])?),
            FieldData::Map(key, value) => known.of_inner(inner(&[key, value])?),
            FieldData::One(structure) if kind == PropertyKind::Struct => {
                known.of_name(&self.object_name(*structure))
            }
            FieldData::Enum(object, underlying) => {
                known.of_name(&self.object_name(*object)).of_inner(inner(&[underlying])?)
            }
            _ => known,
        })
    }
}

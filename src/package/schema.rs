//! What the classes and structs of a package of UE4 and UE5 declare themselves.

use std::collections::HashMap;
use std::sync::Arc;

use crate::archive::Context;
use crate::object::registry::object;
use crate::object::ue4::field::{Declaration, Field, FieldData};
use crate::object::ue4::structure::{self, Declared, Struct};
use crate::object::{Body, Prologue};
use crate::package::{Package, native_as};
use crate::primitive::{Name, PackageIndex};
use crate::property::mappings::{
    MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
};
use crate::property::{Layouts, PropertyKind, Type};

/// Classes whose objects declare properties.
const DECLARING: &[&str] = &["BlueprintGeneratedClass", "UserDefinedStruct", "ScriptStruct"];

/// Declarations that are being taken down.
struct SchemaBuilder<'a> {
    package: &'a Package,
    context: &'a Context,
    names: MappingNames,
}

/// The name table of mappings that are being made.
#[derive(Default)]
pub(super) struct MappingNames {
    pub data: MappingData,
    rows: HashMap<Arc<str>, u32>,
}

impl MappingNames {
    /// Those of mappings that are there.
    pub fn of(data: MappingData) -> Self {
        let rows = data.names.iter().map(|name| name.0.clone()).zip(0..).collect();
        Self { data, rows }
    }

    /// The row of a name, which is added if it is not there.
    fn row(&mut self, text: &str) -> u32 {
        if let Some(row) = self.rows.get(text) {
            return *row;
        }
        let text: Arc<str> = text.into();
        let row = self.data.names.len() as u32;
        self.data.names.push(MappingName(text.clone()));
        self.rows.insert(text, row);
        row
    }

    /// The structs of other mappings, with rows of this table.
    pub fn adopt(&mut self, other: &MappingData) -> Vec<MappingStruct> {
        let rows: Vec<u32> = other.names.iter().map(|name| self.row(&name.0)).collect();
        let row = |old: u32| rows.get(old as usize).copied().unwrap_or(u32::MAX);
        let mut structs = other.structs.clone();
        for known in &mut structs {
            (known.name, known.super_struct) = (row(known.name), row(known.super_struct));
            for property in &mut known.properties {
                property.name = row(property.name);
                renumber(&mut property.schema, &row);
            }
        }
        structs
    }
}

/// A container of structs, whose names tags leave out below UE5 1012; other elements say themselves what they
/// are.
fn container(schema: &SchemaType, data: &MappingData) -> Option<Type> {
    let side = |schema: &SchemaType| match schema {
        SchemaType::Struct(name) => data.name(*name).map(|name| Type::structure(name)),
        _ => None,
    };
    let other = Type::new(PropertyKind::Array);
    match schema {
        SchemaType::Set(element) => side(element).map(Type::array),
        SchemaType::Map(key, value) => {
            let (key, value) = (side(key), side(value));
            (key.is_some() || value.is_some())
                .then(|| Type::map(key.unwrap_or(other.clone()), value.unwrap_or(other.clone())))
        }
        _ => None,
    }
}

/// Gives the names in a type other rows.
fn renumber(schema: &mut SchemaType, row: &dyn Fn(u32) -> u32) {
    match schema {
        SchemaType::Struct(name) => *name = row(*name),
        SchemaType::Enum(inner, name) => {
            *name = row(*name);
            renumber(inner, row);
        }
        SchemaType::Array(inner) | SchemaType::Set(inner) | SchemaType::Optional(inner) => {
            renumber(inner, row);
        }
        SchemaType::Map(key, value) => {
            renumber(key, row);
            renumber(value, row);
        }
        _ => {}
    }
}

impl Package {
    /// Whether an object declares properties of others.
    pub(in crate::package) fn declares(&self, row: usize) -> bool {
        let Some(export) = self.tables.exports.get(row) else { return false };
        if !Prologue::is_in(&self.versions) {
            return false;
        }
        let class = self.object_name(export.class_index);
        DECLARING.iter().any(|end| class.ends_with(end))
    }

    /// The exports that declare properties of others.
    pub(super) fn declaring(&self) -> Vec<usize> {
        (0..self.export_count()).filter(|row| self.declares(*row)).collect()
    }

    /// What the classes and structs in these rows declare, as mappings have it; `None` when there is
    /// nothing.
    pub(super) fn schemas_of(
        &self,
        declaring: &[usize],
        context: &Arc<Context>,
    ) -> Option<MappingData> {
        let shared = self.sharing_bodies();
        let data = MappingNames::default();
        let mut additions = SchemaBuilder { package: self, context, names: data };
        for row in declaring.iter().copied().filter(|row| !shared.contains(row)) {
            let name = self.object_name(PackageIndex::export(row));
            let known = self.bodies.decoded.get(&row).and_then(|it| structure::of(&it.body.native));
            if let Some(known) = known {
                let made = additions.structure(&name, known);
                additions.names.data.structs.extend(made);
                continue;
            }
            let mut shape = self.shape(row, &self.class_chain(row));
            // Only what it declares: its default values need these mappings.
            shape.maker = Some(object::<Declared>);
            let Ok(decoded) = self.try_decode(row, Body::blank(shape), context) else { continue };
            if let Some(structure) = native_as::<Declared>(&decoded.body) {
                let made = additions.structure(&name, &structure.base);
                additions.names.data.structs.extend(made);
            }
        }
        (!additions.names.data.structs.is_empty()).then_some(additions.names.data)
    }

    /// Adds what the classes and structs of this package declare, for packages that use them.
    pub(in crate::package) fn declare_schemas(
        &self,
        layouts: &mut Layouts,
        context: &Arc<Context>,
    ) {
        let Some(schemas) = self.schemas_of(&self.declaring(), context) else { return };
        for known in &schemas.structs {
            let Some(name) = schemas.name(known.name) else { continue };
            layouts.declare_scope(name, schemas.name(known.super_struct).map(AsRef::as_ref));
            for property in &known.properties {
                if let (Some(name), Some(container)) =
                    (schemas.name(property.name), container(&property.schema, &schemas))
                {
                    layouts.declare(name, container);
                }
            }
        }
        layouts.declare_schemas(Arc::new(schemas));
    }
}

impl SchemaBuilder<'_> {
    fn name(&mut self, text: &str) -> u32 {
        self.names.row(text)
    }

    fn text(&mut self, name: &Name) -> u32 {
        let text = self.context.name_text(name).unwrap_or_default();
        self.name(&text)
    }

    /// `None` where a property is not known: then no property behind it can be counted.
    fn structure(&mut self, name: &str, structure: &Struct) -> Option<MappingStruct> {
        let super_struct = match structure.super_struct {
            index if index.is_null() => u32::MAX,
            index => {
                let text = self.package.object_name(index);
                self.name(&text)
            }
        };
        let mut properties = Vec::new();
        let mut next = 0_u16;
        for field in &structure.properties {
            let declaration = field.declaration.as_deref()?;
            let array_dim = u8::try_from(declaration.array_dim.max(1)).ok()?;
            let schema = self.schema(field, declaration)?;
            let name = self.text(&declaration.name);
            properties.push(MappingProperty { schema_index: next, array_dim, name, schema });
            next = next.checked_add(array_dim.into())?;
        }
        Some(MappingStruct {
            name: self.name(name),
            super_struct,
            property_count: next,
            properties,
        })
    }

    fn inner(&mut self, field: &Field) -> Option<Box<SchemaType>> {
        let declaration = field.declaration.as_deref()?;
        self.schema(field, declaration).map(Box::new)
    }

    fn schema(&mut self, field: &Field, declaration: &Declaration) -> Option<SchemaType> {
        let class = self.context.name_text(&field.type_name)?;
        Some(match (class.as_str(), &declaration.data) {
            ("ArrayProperty", FieldData::Inner(inner)) => SchemaType::Array(self.inner(inner)?),
            ("SetProperty", FieldData::Inner(inner)) => SchemaType::Set(self.inner(inner)?),
            ("OptionalProperty", FieldData::Inner(inner)) => {
                SchemaType::Optional(self.inner(inner)?)
            }
            (_, FieldData::Map(key, value)) => {
                SchemaType::Map(self.inner(key)?, self.inner(value)?)
            }
            ("StructProperty", FieldData::One(structure)) => {
                let text = self.package.object_name(*structure);
                SchemaType::Struct(self.name(&text))
            }
            (_, FieldData::Enum(object, underlying)) => {
                let text = self.package.object_name(*object);
                SchemaType::Enum(self.inner(underlying)?, self.name(&text))
            }
            (class, _) => SchemaType::of_class(class)?,
        })
    }
}

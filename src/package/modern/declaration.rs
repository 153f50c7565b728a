//! What the classes and structs of an unversioned package declare themselves.

use std::collections::HashMap;
use std::sync::Arc;

use crate::archive::Context;
use crate::object::Body;
use crate::object::modern::field::{Declaration, Field, FieldData};
use crate::object::modern::structure::{self, Declared, Struct};
use crate::object::registry::object;
use crate::package::{Package, native_as};
use crate::primitive::{Name, PackageIndex};
use crate::property::mappings::{
    MappingData, MappingName, MappingProperty, MappingStruct, Mappings, SchemaType,
};

/// Classes whose objects declare properties.
const DECLARING: &[&str] = &["BlueprintGeneratedClass", "UserDefinedStruct", "ScriptStruct"];

/// Mappings that are being added to.
struct Additions<'a> {
    package: &'a Package,
    context: &'a Context,
    data: MappingData,
    rows: HashMap<Arc<str>, u32>,
}

impl Package {
    /// Whether an object declares properties of others.
    pub(in crate::package) fn declares(&self, row: usize) -> bool {
        let Some(export) = self.modern_exports().get(row) else { return false };
        let class = self.object_name(export.class_index);
        DECLARING.iter().any(|end| class.ends_with(end))
    }

    /// `mappings` with the classes and structs of this package; `None` when it has none.
    pub(in crate::package) fn own_mappings(
        &self,
        mappings: &Mappings,
        context: &Arc<Context>,
    ) -> Option<Mappings> {
        let shared = self.sharing_bodies();
        let mut found = Vec::new();
        for row in 0..self.export_count() {
            if shared.contains(&row) || !self.declares(row) {
                continue;
            }
            let name = self.object_name(PackageIndex::export(row));
            if let Some(known) =
                self.decoded.get(&row).and_then(|it| structure::of(&it.body.native))
            {
                found.push((name, known.clone()));
                continue;
            }
            let mut shape = self.shape(row, &self.class_chain(row));
            // Only what it declares: its default values need these mappings.
            shape.maker = Some(object::<Declared>);
            let Ok(decoded) = self.try_decode(row, Body::blank(shape), context) else { continue };
            if let Some(structure) = native_as::<Declared>(&decoded.body) {
                found.push((name, structure.base.clone()));
            }
        }
        if found.is_empty() {
            return None;
        }
        let data = mappings.data().clone();
        let rows = data.names.iter().map(|name| name.0.clone()).zip(0..).collect();
        let mut additions = Additions { package: self, context, data, rows };
        let own: Vec<_> = found
            .iter()
            .filter_map(|(name, structure)| additions.structure(name, structure))
            .collect();
        // Before the others: the first one of a name counts.
        additions.data.structs.splice(0..0, own);
        Some(Mappings::new(additions.data))
    }
}

impl Additions<'_> {
    /// The row of a name, which is added if it is not there.
    fn name(&mut self, text: &str) -> u32 {
        if let Some(row) = self.rows.get(text) {
            return *row;
        }
        let text: Arc<str> = text.into();
        let row = self.data.names.len() as u32;
        self.data.names.push(MappingName(text.clone()));
        self.rows.insert(text, row);
        row
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

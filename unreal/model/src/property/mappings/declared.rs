//! Mappings of what packages declare.

use std::collections::HashMap;
use std::sync::Arc;

use super::{MappingData, MappingName, MappingProperty, MappingStruct, SchemaType};
use crate::property::{ClassLayout, PropertyKind, Type};

impl MappingData {
    /// Adds classes and structs before those that are there: the first one of a name counts.
    #[doc(hidden)]
    pub fn declare<'a>(&mut self, layouts: impl Iterator<Item = &'a ClassLayout>) {
        let rows = self.names.iter().map(|name| name.0.clone()).zip(0..).collect();
        let mut names = MappingNames { names: std::mem::take(&mut self.names), rows };
        let structs: Vec<_> = layouts.filter_map(|layout| names.structure(layout)).collect();
        self.names = names.names;
        self.structs.splice(0..0, structs);
    }
}

/// The name table of mappings that are being made.
#[derive(Default)]
pub(super) struct MappingNames {
    names: Vec<MappingName>,
    rows: HashMap<Arc<str>, u32>,
}

impl MappingNames {
    /// The table.
    #[cfg(feature = "json")]
    pub(super) fn into_names(self) -> Vec<MappingName> {
        self.names
    }

    /// The row of a name, which is added if it is not there.
    pub(super) fn row(&mut self, text: &str) -> u32 {
        if let Some(row) = self.rows.get(text) {
            return *row;
        }
        let (text, row) = (Arc::<str>::from(text), self.names.len() as u32);
        self.names.push(MappingName(text.clone()));
        self.rows.insert(text, row);
        row
    }

    /// `None` where mappings have no such type, and no room for so many.
    fn structure(&mut self, layout: &ClassLayout) -> Option<MappingStruct> {
        let mut properties = Vec::new();
        let mut property_count = 0_u16;
        for known in &layout.properties {
            let schema = self.schema(&known.property)?;
            let (name, schema_index) = (self.row(&known.name), property_count);
            let array_dim = u8::try_from(known.dimension).ok()?;
            properties.push(MappingProperty { schema_index, array_dim, name, schema });
            property_count = property_count.checked_add(array_dim.into())?;
        }
        let super_struct = match &*layout.parent {
            "" => u32::MAX,
            parent => self.row(parent),
        };
        let name = self.row(&layout.name);
        Some(MappingStruct { name, super_struct, property_count, properties })
    }

    fn schema(&mut self, known: &Type) -> Option<SchemaType> {
        let mut inner = |at: usize| Some(Box::new(self.schema(known.inner().get(at)?)?));
        Some(match known.kind() {
            PropertyKind::Array => SchemaType::Array(inner(0)?),
            PropertyKind::Set => SchemaType::Set(inner(0)?),
            PropertyKind::Optional => SchemaType::Optional(inner(0)?),
            PropertyKind::Map => SchemaType::Map(inner(0)?, inner(1)?),
            PropertyKind::Struct => SchemaType::Struct(self.row(&known.name()?.name)),
            PropertyKind::Enum => SchemaType::Enum(inner(0)?, self.row(&known.name()?.name)),
            _ => SchemaType::of_class(known.class())?,
        })
    }
}

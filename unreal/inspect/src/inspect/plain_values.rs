//! The values of objects as programs take them.

use std::sync::Arc;

use super::meaning::ObjectLookup;
use super::table_rows::{RowTable, no_table, row_path};
use super::values::Values;
use crate::archive::Context;
use crate::error::Result;
use crate::object::Body;
use crate::object::ue4::table::string_table::StringTable;
use crate::package::decode::native_as;
use crate::property::{
    PathPart, PlainValue, Property, PropertyKind, PropertyList, Value, outside, plain, plain_list,
    plain_property,
};

impl Values<'_> {
    /// Every property that an object stores, in stored order, by the paths of
    /// [`Values::properties`](crate::inspect::Values::properties); of a class the defaults.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object that is not decoded.
    pub fn plain_properties(&self, row: usize) -> Result<Vec<(String, PlainValue)>> {
        self.package.body(row)?;
        let context = self.package.decoding_context();
        let mut body = self.editable(row, &context)?.body;
        let list = self.list_of(row, &mut body).map_err(|error| self.about(row, error))?;
        Ok(self.plain_listed(row, list, &context))
    }

    /// The properties of a list as values.
    #[doc(hidden)]
    pub fn plain_listed(
        &self,
        row: usize,
        list: &PropertyList,
        context: &Arc<Context>,
    ) -> Vec<(String, PlainValue)> {
        let lookup = ObjectLookup::reading(self.package, context.clone(), row);
        let one = |property: &Property| {
            let is_zero_struct = matches!(property.value(), Value::Zero)
                && list.type_of(property, &lookup).kind() == PropertyKind::Struct;
            let (path, value) = plain_property(list, None, property, &lookup);
            let fields = is_zero_struct.then(|| {
                let found = self.zero_fields(row, list, property, &path, context)?;
                let (text, stored) = (found.old_text.unwrap_or_default(), found.old);
                let of_stored = |(value, known)| plain(&value, Some(&known), &lookup);
                Some(stored.map_or(PlainValue::Text(text), of_stored))
            });
            (path, fields.flatten().unwrap_or(value))
        };
        list.properties.iter().map(one).collect()
    }

    /// The value of a property, an element or a field, by the paths of
    /// [`Values::property`](crate::inspect::Values::property).
    ///
    /// # Errors
    /// As [`Values::property`](crate::inspect::Values::property).
    pub fn plain_property(&self, object: &str, property: &str) -> Result<PlainValue> {
        let row = self.package.find_export(object)?;
        self.stored_plain(row, property).map_err(|error| self.with_near(row, error))
    }

    fn stored_plain(&self, row: usize, property: &str) -> Result<PlainValue> {
        let found = self.stored_property(row, property)?;
        let context = self.package.decoding_context();
        let lookup = ObjectLookup::reading(self.package, context, row);
        let Some(value) = &found.value else { return Ok(PlainValue::Text(found.text)) };
        let made = plain(value, Some(&found.property_type), &lookup);
        // The name that an enum gives the number, where only the declaration says that it is one.
        let is_named = found.text.starts_with(|first: char| first.is_alphabetic());
        Ok(match made {
            PlainValue::Int(_) if is_named => PlainValue::Text(found.text),
            made => made,
        })
    }

    /// The rows of a data table or curve table, and the texts of a string table, by name, in stored order.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object that is no table or is not decoded.
    pub fn plain_rows(&self, row: usize) -> Result<Vec<(String, PlainValue)>> {
        self.package.body(row)?;
        let context = self.package.decoding_context();
        let mut body = self.editable(row, &context)?.body;
        self.plain_rows_of(row, &mut body, &context)
    }

    /// The rows of a body that is decoded, as values.
    #[doc(hidden)]
    pub fn plain_rows_of(
        &self,
        row: usize,
        body: &mut Body,
        context: &Arc<Context>,
    ) -> Result<Vec<(String, PlainValue)>> {
        if let Some(table) = native_as::<StringTable>(body) {
            let source = self.package.source();
            let text = |text: &crate::FString| text.text(source).unwrap_or_default().into_owned();
            let entries = table.entries.0.iter();
            return Ok(entries
                .map(|(key, held)| (text(key), PlainValue::Text(text(held))))
                .collect());
        }
        let lookup = ObjectLookup::reading(self.package, context.clone(), row);
        let mut table = RowTable::of(body).ok_or_else(|| self.about(row, no_table()))?;
        let structure = table.structure().to_owned();
        let names = table.names();
        let one = |(at, name): (usize, &crate::Name)| {
            let list = table.value(at).map(|value| &value.properties);
            let fields = list.map(|list| plain_list(list, Some(&structure), &lookup));
            (self.package.name_text(*name), fields.unwrap_or(PlainValue::Null))
        };
        Ok(names.iter().enumerate().map(one).collect())
    }

    /// The object and the path within it that a path means, as
    /// [`Values::split_property_path`](crate::inspect::Values::split_property_path) says. A row of a table may be
    /// called as a property of it, `DT.Sword.Damage` for `DT[Sword].Damage`, unless it stores a property of that
    /// name.
    ///
    /// # Errors
    /// As [`Values::split_property_path`](crate::inspect::Values::split_property_path).
    pub fn split_value_path(&self, path: &str) -> Result<(String, String)> {
        let (object, property) = self.split_property_path(path)?;
        let found = (object.to_owned(), property.to_owned());
        let row = self.package.find_export(object)?;
        if property.starts_with('[') || !self.is_table(row) {
            return Ok(found);
        }
        let parts = PathPart::parse_all(property)?;
        let first = parts.first().map(|part| part.name.clone()).unwrap_or_default();
        let context = self.package.decoding_context();
        if self.stored_property(row, &first).is_ok() || !self.has_row(row, &first, &context) {
            return Ok(found);
        }
        let behind = outside(property).find(|(_, found)| matches!(found, '.' | '['));
        let rest = behind.and_then(|(at, _)| property.get(at..)).unwrap_or_default();
        Ok((found.0, format!("{}{rest}", row_path(&first))))
    }

    /// Whether a table has a row of this name.
    fn has_row(&self, row: usize, name: &str, context: &Arc<Context>) -> bool {
        let Ok(mut decoded) = self.editable(row, context) else { return false };
        if let Some(table) = native_as::<StringTable>(&decoded.body) {
            let source = self.package.source();
            let is = |key: &crate::FString| key.text(source).is_ok_and(|key| key == name);
            return table.entries.0.iter().any(|(key, _)| is(key));
        }
        let names = RowTable::of(&mut decoded.body).map(|table| table.names()).unwrap_or_default();
        names.iter().any(|known| self.package.is_name(*known, name))
    }
}

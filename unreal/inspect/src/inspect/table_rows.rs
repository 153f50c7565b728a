//! Rows of tables: of data tables, curve tables and string tables.

use std::borrow::Cow;
use std::sync::Arc;

use super::meaning::ObjectLookup;
use super::siblings::ROWS;
use super::values::{PropertyValue, Values};
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::ue4::table::curve_table::CurveTable;
use crate::object::ue4::table::data_table::{DataTable, Row};
use crate::object::ue4::table::string_table::StringTable;
use crate::object::ue4::value::StructValue;
use crate::object::{Body, Native};
use crate::package::decode::{native_as, native_as_mut};
use crate::primitive::{FString, Name};
use crate::property::{
    BEFORE, Change, Elements, Found, PathPart, Presence, Property, PropertyKind, PropertyList,
    Surroundings, Type, Value, ValueText, apply as apply_property, apply_value, display, fields_of,
    quote, quoted,
};
use crate::table::Pieces;
use crate::version::UnrealVersions;

/// Simple curves.
const SIMPLE: u8 = 1;

impl Values<'_> {
    /// The rows of a data table or curve table, and the texts of a string table, in stored order. Their paths
    /// are `[Row]`; [`Values::property`] takes `[Row].Field`, `Edit::set_property` adds a row that is not there,
    /// `Edit::remove_property` removes one.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object that is no table or is not decoded.
    pub fn table_rows(&self, object: &str) -> Result<Vec<PropertyValue>> {
        let row = self.package.find_export(object)?;
        let context = self.package.decoding_context();
        let body = self.editable(row, &context)?.body;
        self.rows_of(row, &body, &context)
    }

    /// The rows of a body.
    #[doc(hidden)]
    pub fn rows_of(
        &self,
        row: usize,
        body: &Body,
        context: &Arc<Context>,
    ) -> Result<Vec<PropertyValue>> {
        let lookup = ObjectLookup::reading(self.package, context.clone(), row);
        let about = |error| self.about(row, error);
        let one = |name: &Name, value: &StructValue, structure: &str| {
            let (known, value) =
                (Type::structure(structure), Value::List(value.properties.clone()));
            let text = display(&value, Some(&known), &lookup);
            let (property_type, value) = (known, Some(value));
            PropertyValue {
                path: row_path(&self.package.name_text(*name)),
                property_type,
                value,
                text,
            }
        };
        if let Some(table) = native_as::<DataTable>(body) {
            let rows = table.rows.iter();
            return Ok(rows.map(|row| one(&row.name, &row.value, &table.row_struct)).collect());
        }
        if let Some(table) = native_as::<CurveTable>(body) {
            let structure = curve_struct(table);
            return Ok(table
                .curves
                .iter()
                .map(|(name, curve)| one(name, curve, structure))
                .collect());
        }
        let table = native_as::<StringTable>(body).ok_or_else(|| about(no_table()))?;
        let entry = |(key, text): &(FString, FString)| {
            let value = Value::Str(Box::new(text.clone()));
            let shown = display(&value, None, &lookup);
            let path = row_path(&key.text(self.package.source()).unwrap_or_default());
            let property_type = text_type();
            PropertyValue { path, property_type, value: Some(value), text: shown }
        };
        Ok(table.entries.0.iter().map(entry).collect())
    }
}

#[doc(hidden)]
pub fn no_table() -> Error {
    Error::invalid("it is no data table, curve table or string table, and so has no rows")
}

/// Makes sure that a row or property can be found by its name: to the engine `None` is no name.
///
/// # Errors
/// `Invalid`.
#[doc(hidden)]
pub fn check_name(what: &str, name: &str) -> Result<()> {
    match name.is_empty() || name.eq_ignore_ascii_case("None") {
        true => {
            Err(Error::invalid(format!("a {what} can't be called '{name}', which means no name")))
        }
        false => Ok(()),
    }
}

fn text_type() -> Type {
    Type::new(PropertyKind::Str)
}

fn curve_struct(table: &CurveTable) -> &'static str {
    if table.mode == SIMPLE { "SimpleCurve" } else { "RichCurve" }
}

/// The path of a row: in quotes where brackets or quotes would be misread.
#[doc(hidden)]
pub fn row_path(name: &str) -> String {
    match name.contains(['[', ']', '"', '\\']) || name.trim() != name || name.is_empty() {
        true => format!("[{}]", quoted(name)),
        false => format!("[{name}]"),
    }
}

#[doc(hidden)]
pub fn missing(name: &str, names: Vec<String>) -> Error {
    const SHOWN: usize = 12;
    let hint = match names.is_empty() {
        true => String::new(),
        false => {
            let more = if names.len() > SHOWN { ", …" } else { "" };
            format!("; rows are {}{more}", names[..names.len().min(SHOWN)].join(", "))
        }
    };
    ErrorKind::NotFound { what: noun::ROW, name: name.to_owned(), hint }.into()
}

/// Takes the rows out of a body.
#[doc(hidden)]
pub fn clear_rows(body: &mut Body) {
    match RowTable::of(body) {
        Some(RowTable::Data(rows, _)) => *rows = Pieces::default(),
        Some(RowTable::Curves(rows, _)) => rows.clear(),
        None => {
            if let Some(table) = native_as_mut::<StringTable>(body) {
                table.entries.0.clear();
            }
        }
    }
}

/// Rows that are structs.
#[doc(hidden)]
#[allow(missing_debug_implementations)]
pub enum RowTable<'a> {
    Data(&'a mut Pieces<Arc<Row>>, String),
    Curves(&'a mut Vec<(Name, StructValue)>, &'static str),
}

impl<'a> RowTable<'a> {
    pub fn of(body: &'a mut Body) -> Option<Self> {
        let Native::Object(object) = &mut body.native else { return None };
        if object.downcast_ref::<DataTable>().is_some() {
            let table = object.downcast_mut::<DataTable>()?;
            return Some(Self::Data(&mut table.rows, table.row_struct.clone()));
        }
        let table = object.downcast_mut::<CurveTable>()?;
        let structure = curve_struct(table);
        Some(Self::Curves(&mut table.curves, structure))
    }

    pub fn structure(&self) -> &str {
        match self {
            Self::Data(_, structure) => structure,
            Self::Curves(_, structure) => structure,
        }
    }

    pub fn names(&self) -> Vec<Name> {
        match self {
            Self::Data(rows, _) => rows.iter().map(|row| row.name).collect(),
            Self::Curves(rows, _) => rows.iter().map(|row| row.0).collect(),
        }
    }

    fn name(&self, at: usize) -> Option<Name> {
        match self {
            Self::Data(rows, _) => rows.get(at).map(|row| row.name),
            Self::Curves(rows, _) => rows.get(at).map(|row| row.0),
        }
    }

    pub fn value(&mut self, at: usize) -> Option<&mut StructValue> {
        match self {
            Self::Data(rows, _) => rows.get_mut(at).map(|row| &mut Arc::make_mut(row).value),
            Self::Curves(rows, _) => rows.get_mut(at).map(|row| &mut row.1),
        }
    }

    pub fn rename(&mut self, at: usize, name: Name) {
        match self {
            Self::Data(rows, _) => Arc::make_mut(&mut rows[at]).name = name,
            Self::Curves(rows, _) => rows[at].0 = name,
        }
    }

    fn remove(&mut self, at: usize) {
        match self {
            Self::Data(rows, _) => drop(rows.remove(at)),
            Self::Curves(rows, _) => drop(rows.remove(at)),
        }
    }

    fn push(&mut self, name: Name, value: StructValue) -> Result<()> {
        match self {
            Self::Data(rows, _) => rows.push(Arc::new(Row { name, value })),
            Self::Curves(rows, _) if rows.is_empty() => {
                return Err(Error::invalid(
                    "an empty curve table does not say what its curves are",
                ));
            }
            Self::Curves(rows, _) => rows.push((name, value)),
        }
        Ok(())
    }
}

/// Does something with the list of a row as with the value of a struct.
fn as_value<T>(list: &mut PropertyList, work: impl FnOnce(&mut Value) -> Result<T>) -> Result<T> {
    let mut value = Value::List(list.clone());
    let done = work(&mut value)?;
    if let Value::List(changed) = value {
        *list = changed;
    }
    Ok(done)
}

/// Does `change` to a row, or to a value in it.
#[doc(hidden)]
pub fn apply(
    body: &mut Body,
    path: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((PathPart { keys, .. }, rest)) = path.split_first() else { return Err(no_table()) };
    let Some((wanted, keys)) = keys.split_first() else { return Err(no_table()) };
    if wanted == "+" || wanted.ends_with(BEFORE) {
        return Err(Error::invalid("rows have names: write TABLE[NAME]=VALUE"));
    }
    let whole = keys.is_empty() && rest.is_empty();
    if let Some(table) = native_as_mut::<StringTable>(body) {
        if !whole {
            return Err(Error::invalid("a row of a string table is one text"));
        }
        return apply_text(table, wanted, change, around);
    }
    let mut table = RowTable::of(body).ok_or_else(no_table)?;
    let known = Type::structure(table.structure());
    let Some(at) = around.row_called(wanted, &|at| table.name(at)) else {
        if !matches!(change, Change::Set(_) | Change::SetText(_)) || !whole {
            let names = table.names();
            return Err(missing(wanted, names.iter().map(|n| around.name_text(*n)).collect()));
        }
        check_name("row", wanted)?;
        let mut properties = PropertyList::empty(known.type_name(), around)?;
        around.within(Some(ROWS));
        let done = as_value(&mut properties, |value| {
            apply_value(value, &known, (keys, rest), change, Presence::Added(None), around)
        });
        around.within(None);
        let mut found = done?;
        (found.old, found.old_text) = (None, None);
        let name = around.name(wanted)?;
        table.push(name, StructValue { properties })?;
        return Ok(found);
    };
    let held = table.value(at).ok_or_else(no_table)?;
    if whole && matches!(change, Change::Remove) {
        let old = Value::List(held.properties.clone());
        let old_text = Some(display(&old, Some(&known), &*around));
        table.remove(at);
        return Ok(Found { old: Some((old, known)), old_text, ..Found::default() });
    }
    around.within(Some(ROWS));
    let done = as_value(&mut held.properties, |value| {
        apply_value(value, &known, (keys, rest), change, Presence::Stored, around)
    });
    around.within(None);
    done
}

/// Gives the value at a path in a row what a cell of a table says: of strings, names and texts the characters
/// themselves, of others the text that [`apply`] takes. Without a text the value goes, and so does one that an empty
/// cell can't say: it has its struct's default again.
#[doc(hidden)]
pub fn set_cell(
    list: &mut PropertyList,
    structure: &str,
    path: &[PathPart],
    cell: Option<&str>,
    around: &mut dyn Surroundings,
) -> Result<()> {
    around.within(Some(ROWS));
    let done = set_cell_within(list, structure, path, cell, around);
    around.within(None);
    done
}

fn set_cell_within(
    list: &mut PropertyList,
    structure: &str,
    path: &[PathPart],
    cell: Option<&str>,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let text = match cell {
        Some(cell) => cell_value(&cell_type(list, structure, path, &*around)?, cell),
        None => None,
    };
    match text {
        Some(text) => {
            empty_whole(list, path, &text, &*around)?;
            apply_property(list, Some(structure), path, &Change::Set(&text), around).map(drop)
        }
        None if property_at(list, path, &*around).is_some() => {
            apply_property(list, Some(structure), path, &Change::Remove, around).map(drop)
        }
        None => Ok(()),
    }
}

/// Empties the value at a path that means a whole property. A cell says all of a value: what it leaves out of a struct,
/// or of the elements of an array, is not to stay as it was. The tag stays, and with it the type and the place.
fn empty_whole(
    list: &mut PropertyList,
    path: &[PathPart],
    text: &str,
    around: &dyn Surroundings,
) -> Result<()> {
    let [part] = path else { return Ok(()) };
    let Some(at) = place_of(list, path, around) else { return Ok(()) };
    let Some(property) = list.properties.get(at) else { return Ok(()) };
    let known = list.type_of(property, around);
    let has_elements = matches!(
        known.kind(),
        PropertyKind::Array | PropertyKind::Set | PropertyKind::Map | PropertyKind::Optional
    );
    let is_whole = match part.keys.len() {
        0 => true,
        // An element of a static array, and not one of what the property holds.
        1 => !has_elements || property.array_index() > 0,
        _ => false,
    };
    // What is said already stays, even where no text could make it.
    if !is_whole || display(property.value(), Some(&known), around) == text {
        return Ok(());
    }
    check_fields(property.value(), text)?;
    let value = emptied(property.value(), around.source())?;
    if let (Some(value), Some(property)) = (value, list.properties.get_mut(at)) {
        *property.value_mut() = value;
    }
    Ok(())
}

/// Refuses a text that leaves out fields of a struct without tags, which has no defaults for them.
fn check_fields(value: &Value, text: &str) -> Result<()> {
    let (Some(fields), Ok(ValueText::Group(items))) = (fields_of(value), ValueText::parse(text))
    else {
        return Ok(());
    };
    // Several fields may stand in a group of their own.
    let has_groups = items.iter().any(|item| matches!(item.value, ValueText::Group(_)));
    match items.len() < fields.len() && !has_groups {
        true => Err(Error::invalid(format!(
            "the struct has {} fields, and {text} says {} of them",
            fields.len(),
            items.len()
        ))),
        false => Ok(()),
    }
}

/// A value of the same form that holds nothing which another one could inherit; `None` where only the value itself has
/// that form. Of elements the first one stays, emptied: old tags do not name the structs and enums of elements.
fn emptied(value: &Value, source: &[u8]) -> Result<Option<Value>> {
    Ok(Some(match value {
        Value::List(list) => Value::List(list.emptied()),
        Value::Array(elements) => Value::Array(form_of(elements, source)?),
        Value::StructArray(structs) => {
            let mut structs = structs.clone();
            structs.elements = form_of(&structs.elements, source)?;
            Value::StructArray(structs)
        }
        Value::Set(set) => {
            let mut set = set.clone();
            set.elements = form_of(&set.elements, source)?;
            Value::Set(set)
        }
        Value::Map(map) => {
            let mut map = map.clone();
            let first = std::mem::take(&mut map.pairs).into_iter().next();
            if let Some((key, value)) = first
                && let Some(value) = emptied(&value, source)?
            {
                map.pairs.push((key, value));
            }
            Value::Map(map)
        }
        Value::Optional(held) => Value::Optional(Box::new(match held.as_ref() {
            Some(held) => emptied(held, source)?,
            None => None,
        })),
        Value::Instanced(instanced) => {
            let Some(value) = emptied(&instanced.value, source)? else { return Ok(None) };
            let mut instanced = instanced.clone();
            instanced.value = value;
            Value::Instanced(instanced)
        }
        // Texts keep their keys.
        Value::Text(_) | Value::Opaque(_) => return Ok(None),
        other if fields_of(other).is_some() => return Ok(None),
        other => other.clone(),
    }))
}

fn form_of(elements: &Elements, source: &[u8]) -> Result<Elements> {
    let form = match elements.to_values(source)?.first() {
        Some(first) => emptied(first, source)?,
        None => None,
    };
    Ok(Elements::of_values(form.into_iter().collect()))
}

/// The text of a value that a cell of this type says; `None` for the default of the struct.
#[doc(hidden)]
pub fn cell_value<'t>(known: &Type, cell: &'t str) -> Option<Cow<'t, str>> {
    /// Texts with what they are known by.
    const CALLS: &[&str] = &["NSLOCTEXT", "LOCTABLE", "INVTEXT"];
    let is_call = |word: &str| CALLS.iter().any(|call| word.eq_ignore_ascii_case(call));
    match known.kind() {
        PropertyKind::Str
        | PropertyKind::AnsiStr
        | PropertyKind::Utf8Str
        | PropertyKind::FixedStr => Some(Cow::Owned(quote(cell))),
        PropertyKind::Name if !cell.is_empty() => Some(Cow::Owned(quote(cell))),
        PropertyKind::Text => Some(match ValueText::parse(cell) {
            Ok(ValueText::Quoted(_)) => Cow::Borrowed(cell),
            Ok(ValueText::Call(word, _)) if is_call(&word) => Cow::Borrowed(cell),
            _ => Cow::Owned(quote(cell)),
        }),
        _ => (!cell.is_empty()).then_some(Cow::Borrowed(cell)),
    }
}

/// The property that a path begins with, where a row stores it.
fn property_at<'a>(
    list: &'a PropertyList,
    path: &[PathPart],
    around: &dyn Surroundings,
) -> Option<&'a Property> {
    list.properties.get(place_of(list, path, around)?)
}

/// The place of that property.
fn place_of(list: &PropertyList, path: &[PathPart], around: &dyn Surroundings) -> Option<usize> {
    let first = path.first()?;
    let index = first.keys.first().and_then(|key| key.parse().ok()).unwrap_or(0_u32);
    list.properties.iter().position(|property| {
        property.array_index() as u32 == index
            && property.name_text(|name| around.name_text(name)).eq_ignore_ascii_case(&first.name)
    })
}

/// The type of the value at a path in a row: as it is stored, given, or declared.
fn cell_type(
    list: &PropertyList,
    structure: &str,
    path: &[PathPart],
    around: &dyn Surroundings,
) -> Result<Type> {
    if let Some(property) = property_at(list, path, around) {
        return Ok(list.type_of(property, around));
    }
    let Some(first) = path.first() else { return Err(no_table()) };
    let schema = list.class().zip(around.mappings());
    if let Some((known, _)) = schema.and_then(|(class, all)| all.property_type(class, &first.name))
    {
        return Ok(known);
    }
    let known = around.declaration(Some(structure), &first.name, first.given.as_ref())?;
    Ok(known.declared.property)
}

/// A text by its key; what is said about it stays.
fn apply_text(
    table: &mut StringTable,
    wanted: &str,
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let known = text_type();
    let is = |key: &FString| key.text(around.source()).is_ok_and(|key| key == wanted);
    let at = table.entries.0.iter().position(|(key, _)| is(key));
    let texts = |key: &FString| key.text(around.source()).unwrap_or_default().into_owned();
    match at {
        Some(at) if matches!(change, Change::Remove) => {
            table.meta_data.0.retain(|(key, _)| !is(key));
            let old = Value::Str(Box::new(table.entries.0.remove(at).1));
            let old_text = Some(display(&old, None, &*around));
            Ok(Found { old: Some((old, known)), old_text, ..Found::default() })
        }
        None if !matches!(change, Change::Set(_) | Change::SetText(_)) => {
            Err(missing(wanted, table.entries.0.iter().map(|(key, _)| texts(key)).collect()))
        }
        at => {
            let old = at.and_then(|at| table.entries.0.get(at)).map(|(_, text)| text.clone());
            let mut value = Value::Str(Box::new(old.unwrap_or_default()));
            let origin = if at.is_some() { Presence::Stored } else { Presence::Added(None) };
            let mut found = apply_value(&mut value, &known, (&[], &[]), change, origin, around)?;
            let Value::Str(text) = value else { return Err(no_table()) };
            match at.and_then(|at| table.entries.0.get_mut(at)) {
                Some(entry) => entry.1 = *text,
                None => {
                    let versions = around.versions();
                    let key = FString::new_in(wanted, versions.byte_order, versions.game());
                    table.entries.0.push((key, *text));
                    (found.old, found.old_text) = (None, None);
                }
            }
            Ok(found)
        }
    }
}

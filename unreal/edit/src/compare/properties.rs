//! The properties of an object, and the defaults of a class.

use std::collections::HashMap;

use super::body::same_versions;
use super::records::{compare, records_of};
use super::{Difference, FieldDifference, Side, elements};
use crate::inspect::table_rows::clear_rows;
use crate::inspect::{PackageValues, PropertyValue};
use crate::object::Body;
use crate::property::{Property, PropertyList, Value};

/// One property of an object.
pub(super) struct ComparedProperty {
    pub known: PropertyValue,
    /// The part of a tag beside the type: the property's own GUID and how it overrides.
    pub tag: String,
}

/// The properties of a body, which are taken out, so that only the rest is left to be compared.
pub(super) fn items(side: &Side<'_>, row: usize, body: &mut Body) -> Vec<ComparedProperty> {
    let mut found = Vec::new();
    // The name that ends a list is a row of its own package.
    let empty = || PropertyList::new(Vec::new(), side.package.none_name());
    for list in body.lists_mut().map(|list| std::mem::replace(list, empty())) {
        let values = side.package.values().listed(row, &list, &side.context);
        let tags = list.properties.iter().map(tag);
        let both = values.into_iter().zip(tags);
        found.extend(both.map(|(known, tag)| ComparedProperty { known, tag }));
    }
    // Rows are called as values within them are set: `[Sword].Damage`.
    if let Ok(rows) = side.package.values().rows_of(row, body, &side.context) {
        found.extend(rows.into_iter().map(|known| ComparedProperty { known, tag: String::new() }));
        clear_rows(body);
    }
    found
}

fn tag(property: &Property) -> String {
    let guid = property.guid().map(|guid| guid.to_string());
    let extensions = property.extensions().map(|extensions| format!("{extensions:?}"));
    guid.into_iter().chain(extensions).collect::<Vec<_>>().join(" ")
}

/// Properties that differ; both bodies are left without them.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    [before, after]: [(usize, &mut Body); 2],
) -> Vec<Difference> {
    let (before, after) = (items(old, before.0, before.1), items(new, after.0, after.1));
    let order = |items: &[ComparedProperty]| -> Vec<_> {
        items.iter().map(|item| item.known.path.to_ascii_lowercase()).collect()
    };
    let (old_order, new_order) = (order(&before), order(&after));
    let mut left: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, key) in new_order.iter().enumerate().rev() {
        left.entry(key).or_default().push(at);
    }
    let mut after: Vec<_> = after.into_iter().map(Some).collect();
    let mut found = Vec::new();
    for (item, key) in before.into_iter().zip(&old_order) {
        let other = left.get_mut(&**key).and_then(Vec::pop);
        match other.and_then(|at| after.get_mut(at)?.take()) {
            Some(other) => compare_items((old, item), (new, other), &mut found),
            None => found.push(Difference::Property {
                property: item.known.path,
                old: Some(item.known.text),
                new: None,
            }),
        }
    }
    found.extend(after.into_iter().flatten().map(|item| Difference::Property {
        property: item.known.path,
        old: None,
        new: Some(item.known.text),
    }));
    if found.is_empty() && old_order != new_order {
        found.push(Difference::Order);
    }
    found
}

/// Whether the text of a value says all of it: that of texts leaves their flags out, that of sets and maps what
/// they remove.
pub(super) fn says_all(value: &Option<Value>) -> bool {
    let mut all = true;
    let mut look = |value: &Value| {
        all &= match value {
            Value::Text(_) => false,
            Value::Set(set) => set.removed.is_empty(),
            Value::Map(map) => map.removed.is_empty(),
            _ => true,
        };
    };
    if let Some(value) = value {
        value.walk(&mut look);
    }
    all
}

/// Whether the parts of a value are compared one by one.
pub(super) fn has_parts(value: &Option<Value>) -> bool {
    use Value::{Array, Instanced, List, Map, Set, StructArray};
    matches!(value, Some(Array(_) | Instanced(_) | List(_) | Map(_) | Set(_) | StructArray(_)))
}

/// Whether two values say the same, whatever the objects are called that they refer to.
fn means_same(
    (old_side, old): (&Side<'_>, &Option<Value>),
    (new_side, new): (&Side<'_>, &Option<Value>),
) -> bool {
    match (old, new) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            old_side.object(old.value()) == new_side.object(new.value())
        }
        // Of these alone: others, as a bool, may say what they say in the tag.
        (Some(old), Some(new))
            if refers(old) && refers(new) && same_versions(old_side, new_side) =>
        {
            let old = elements::form_of(old_side, old);
            old.is_some() && old == elements::form_of(new_side, new)
        }
        _ => false,
    }
}

/// Whether a value is a reference that its bytes say wholly.
fn refers(value: &Value) -> bool {
    use Value::{Delegate, FieldPath, MulticastDelegate, SoftObject, SoftObjectIndex};
    matches!(
        value,
        Delegate(_) | MulticastDelegate(_) | FieldPath(_) | SoftObject(_) | SoftObjectIndex(_)
    )
}

fn compare_items(
    (old_side, old): (&Side<'_>, ComparedProperty),
    (new_side, new): (&Side<'_>, ComparedProperty),
    found: &mut Vec<Difference>,
) {
    let (old_tag, new_tag, old, new) = (old.tag, new.tag, old.known, new.known);
    let property = new.path;
    if !old.property_type.agrees_with(&new.property_type) || old_tag != new_tag {
        let text = |known: &dyn std::fmt::Display, text: &str, tag: &str| {
            Some(format!("{text} ({})", format!("{known} {tag}").trim_end()))
        };
        let old = text(&old.property_type, &old.text, &old_tag);
        let new = text(&new.property_type, &new.text, &new_tag);
        found.push(Difference::Property { property, old, new });
        return;
    }
    let same = old.text == new.text;
    let types = [&old.property_type, &new.property_type].map(ToString::to_string);
    if same && types[0] != types[1] && same_versions(old_side, new_side) {
        // One of them leaves out what the other says: the enum of a byte.
        let [before, after] = types;
        let [old, new] = [(old.text, before), (new.text, after)]
            .map(|(text, known)| Some(format!("{text} ({known})")));
        found.push(Difference::Property { property, old, new });
        return;
    }
    let parts = has_parts(&old.value) && has_parts(&new.value);
    let whole = !(same || parts);
    // References to an object that has another name now, and soft paths to it.
    if whole && means_same((old_side, &old.value), (new_side, &new.value)) {
        return;
    }
    // Another version may have another form for the same value, if its text says all of it.
    let is_shown = says_all(&old.value) && says_all(&new.value);
    if whole || same && is_shown && !same_versions(old_side, new_side) {
        if !same {
            let (old, new) = (Some(old.text), Some(new.text));
            found.push(Difference::Property { property, old, new });
        }
        return;
    }
    if let (Some(before), Some(after)) = (&old.value, &new.value)
        && elements::differences((old_side, before), (new_side, after), &property, found)
    {
        return;
    }
    let records = |side: &Side<'_>, value: Option<Value>| {
        value.map(|mut value| records_of(side, &mut value)).unwrap_or_default()
    };
    let (old, new) = (records(old_side, old.value), records(new_side, new.value));
    let (fields, data) = compare(&old, &new, |_| false);
    placed(&property, fields, data, found);
}

/// Differences within a value as those of what it belongs to.
pub(super) fn placed(
    property: &str,
    fields: Vec<FieldDifference>,
    data: Vec<Difference>,
    found: &mut Vec<Difference>,
) {
    let place = |path: &str| match path {
        "" => property.to_owned(),
        path if path.starts_with('[') => format!("{property}{path}"),
        path => format!("{property}.{path}"),
    };
    found.extend(fields.into_iter().map(|field| Difference::Property {
        property: place(&field.field),
        old: field.old,
        new: field.new,
    }));
    found.extend(data.into_iter().map(|data| match data {
        Difference::Data { field, offset, old_size, new_size, differing } => {
            Difference::Data { field: place(&field), offset, old_size, new_size, differing }
        }
        other => other,
    }));
}

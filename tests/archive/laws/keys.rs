//! The law of JSON, for every type: a value comes back from its keys in any order, and a key that is
//! misspelt, missing or doubled is refused.

use std::sync::Arc;

use serde_json::{Map, Value};
use unreal_packages::archive::layout::{Layout, Shape};
use unreal_packages::archive::{Context, JsonLoader, JsonSaver};
use unreal_packages::{Archive, Loader, Saver, Versions};

use crate::common::agreement::Make;

/// Forms that no byte says: absent they are the usual ones.
const FORMS: [&str; 12] = [
    "form",
    "position",
    "beside",
    "without",
    "early",
    "is_wide",
    "marked",
    "other_byte_order",
    "extended",
    "rest_length",
    "maximum",
    "register_count",
];

type Known = (Versions, Arc<Context>);

/// The law for what these bytes begin with.
pub fn law(
    (make, layout): (Make, &Layout),
    bytes: &[u8],
    (versions, context): Known,
) -> Result<(), String> {
    let mut value = make();
    let mut loader = Loader::new(bytes, versions).with_context(context.clone());
    value.serialize_dyn(&mut loader).map_err(|error| error.to_string())?;
    // A header says its versions itself.
    let known = (loader.versions().clone(), context);
    let bytes = &bytes[..bytes.len() - loader.remaining() as usize];
    let (versions, context) = known.clone();
    let mut saver = JsonSaver::new(versions, context, &(), 0);
    value.serialize_dyn(&mut saver).map_err(|error| format!("writing JSON: {error}"))?;
    let document = saver.into_value();
    let seed = bytes.iter().fold(bytes.len(), |seed, byte| seed * 31 % 8191 + usize::from(*byte));
    let fails = |what: &str, error: String| Err(format!("{what}: {error} in {document}"));

    let parsed = JsonLoader::parse(document.to_string().as_bytes()).unwrap();
    match read(make, &parsed, &known) {
        Ok(again) if again == bytes => {}
        Ok(again) => return fails("from JSON", format!("{again:x?}, not {bytes:x?}")),
        Err(error) => return fails("from JSON", error),
    }
    match read(make, &shuffled(document.clone()), &known) {
        Ok(again) if again == bytes => {}
        Ok(again) => return fails("from other order", format!("{again:x?}, not {bytes:x?}")),
        Err(error) => return fails("from other order", error),
    }
    emptied(&document, (make, layout), &known).or_else(|error| fails("emptied", error))?;
    let keys = count(&document);
    if keys == 0 {
        return Ok(());
    }
    let mut misspelt = document.clone();
    at_key(&mut misspelt, &mut (seed % keys), &mut |map, key| {
        let value = map.remove(key).unwrap();
        map.insert(format!("{key}z"), value);
    });
    if read(make, &misspelt, &known).is_ok() {
        return fails("misspelt", format!("{misspelt} is taken"));
    }
    let mut lacking = document.clone();
    let mut is_form = false;
    at_key(&mut lacking, &mut (seed % keys), &mut |map, key| {
        // Bytes that nobody decodes, or that fill up, may be none.
        let is_nothing = |value: &Value| value.as_object().is_some_and(Map::is_empty);
        let nothing = map[key].as_array().is_some_and(|all| all.iter().all(is_nothing));
        let text = map[key].to_string();
        let may_be_none = ["$opaque", "$gap"].iter().any(|kind| text.contains(kind));
        // Left out, it is the usual one; elements of another size do not fit their bytes then.
        let is_usual_size = key == "element_size";
        is_form = FORMS.contains(&key) || nothing || may_be_none || is_usual_size;
        map.remove(key);
    });
    if !is_form && read(make, &lacking, &known).is_ok() {
        return fails("missing", format!("{lacking} is taken"));
    }
    let text = document.to_string();
    if let Some((key, value)) = document.as_object().and_then(|map| map.iter().next()) {
        let doubled = format!("{{{}:{value},{}", Value::from(key.as_str()), &text[1..]);
        if JsonLoader::parse(doubled.as_bytes()).is_ok() {
            return fails("doubled", format!("{doubled} is taken"));
        }
    }
    Ok(())
}

/// Types with lists whose numbers stand in other fields: emptied alone they are refused by the list's name.
const COUNTED_BY_OTHERS: [&str; 3] = ["MemoryImage", "PhysxShapes", "PhysxTree"];

/// A list is emptied with `[]`, and an empty one is written so.
fn emptied(
    document: &Value,
    (make, layout): (Make, &Layout),
    (versions, context): &Known,
) -> Result<(), String> {
    let Shape::Struct { fields } = layout.shape else { return Ok(()) };
    if COUNTED_BY_OTHERS.contains(&&*layout.name()) {
        return Ok(());
    }
    for field in fields {
        // What stands before its elements says how many there are.
        let counts_itself = match field.with {
            None => field.ty.starts_with("Vec<") || field.ty.starts_with("Map<"),
            Some(with) => with.starts_with("array::counted_") && with != "array::counted_elsewhere",
        };
        let Some(value) = document.get(field.name).filter(|_| counts_itself) else { continue };
        match value {
            Value::Number(_) => return Err(format!("'{}' is a number", field.name)),
            Value::Array(list) if list.is_empty() => continue,
            _ => {}
        }
        let mut edited = document.clone();
        edited[field.name] = Value::Array(Vec::new());
        let known = (versions.clone(), context.clone());
        let mut loader = JsonLoader::new(&edited, known.clone(), &(), 0, 1 << 20);
        let mut value = make();
        let result = value.serialize_dyn(&mut loader);
        match loader.finish(result) {
            Ok(()) => {
                let mut saver = JsonSaver::new(known.0, known.1, &(), 0);
                value.serialize_dyn(&mut saver).map_err(|error| error.to_string())?;
                let again = saver.into_value();
                if again[field.name] != edited[field.name] {
                    return Err(format!("'{}' comes back as {}", field.name, again[field.name]));
                }
            }
            Err(error) => return Err(format!("'{}': {error}", field.name)),
        }
    }
    Ok(())
}

/// The bytes of the value that a document holds.
fn read(make: Make, document: &Value, (versions, context): &Known) -> Result<Vec<u8>, String> {
    let known = (versions.clone(), context.clone());
    let mut loader = JsonLoader::new(document, known, &(), 0, 1 << 20);
    let mut value = make();
    let result = value.serialize_dyn(&mut loader);
    let versions = loader.versions().clone();
    loader.finish(result).map_err(|error| error.to_string())?;
    let mut saver = Saver::new(versions).with_context(context.clone());
    value.serialize_dyn(&mut saver).map_err(|error| error.to_string())?;
    Ok(saver.into_bytes())
}

/// The keys of every object the other way round.
fn shuffled(value: Value) -> Value {
    match value {
        Value::Array(values) => values.into_iter().map(shuffled).collect(),
        Value::Object(map) => {
            let mut all: Vec<_> = map.into_iter().map(|(key, it)| (key, shuffled(it))).collect();
            all.reverse();
            Value::Object(Map::from_iter(all))
        }
        value => value,
    }
}

fn is_field(key: &str) -> bool {
    !key.starts_with('$')
}

/// How many fields a document has.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(count).sum(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| usize::from(is_field(key)) + count(value)).sum()
        }
        _ => 0,
    }
}

/// Changes the object that holds the field of this number.
fn at_key(
    value: &mut Value,
    number: &mut usize,
    change: &mut dyn FnMut(&mut Map<String, Value>, &str),
) -> bool {
    match value {
        Value::Array(values) => values.iter_mut().any(|value| at_key(value, number, change)),
        Value::Object(map) => {
            let keys: Vec<String> = map.keys().cloned().collect();
            for key in keys {
                if is_field(&key) {
                    if *number == 0 {
                        change(map, &key);
                        return true;
                    }
                    *number -= 1;
                }
                if map.get_mut(&key).is_some_and(|value| at_key(value, number, change)) {
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

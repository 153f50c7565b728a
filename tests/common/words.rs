//! Values as plain JSON, in the words of the independent reader.

use serde_json::{Value as Json, json};
use unreal_packages::Package;
use unreal_packages::property::Value;

/// A value in the reader's words; null for what it only counts.
pub fn value(package: &Package, value: &Value) -> Json {
    match value {
        Value::Byte(number) => json!(number),
        Value::Int(number) => json!(number),
        Value::Bool(flag) => json!(flag),
        Value::Float(number) => json!(number.to_bits()),
        Value::Object(index) => json!(package.path(*index)),
        Value::Name(name) => json!(package.name_text(*name)),
        Value::Str(text) => json!(text.text(package.source()).unwrap()),
        Value::Color(bytes) => json!(bytes),
        Value::Fields(fields) if fields.len() == 4 => {
            let plain = |value: &Value| matches!(value, Value::Byte(_) | Value::Int(_));
            match fields.iter().all(plain) {
                true => fields.iter().map(|field| self::value(package, field)).collect(),
                false => Json::Null,
            }
        }
        _ => Json::Null,
    }
}

//! Values of formats of one's own as JSON and back, in one call.

use serde_json::Value;

use super::{JsonLoader, JsonSaver};
use crate::archive::{Archived, Context};
use crate::error::Result;
use crate::version::Versions;

/// The value as JSON that people read and edit: texts as texts, variants by their names, options as null or the
/// value, lists as lists. Nothing is lost: [`from_value`] gives the same value again.
///
/// ```
/// use farchive::archive::json;
/// use farchive::{Archived, Versions};
///
/// #[derive(Archived, Debug, Clone, Default, PartialEq)]
/// struct Hero {
///     name: String,
///     #[archive(rename = "class")]
///     kind: Kind,
///     pet: Option<String>,
///     coins: Vec<u16>,
/// }
///
/// #[derive(Archived, Debug, Clone, Default, PartialEq)]
/// #[repr(u8)]
/// enum Kind {
///     #[default]
///     Thief,
///     Mage { mana: u32 },
/// }
///
/// let hero =
///     Hero { name: "Åsa".into(), kind: Kind::Mage { mana: 9 }, pet: None, coins: vec![1, 50] };
/// let text = json::to_string(&hero, Versions::own(1))?;
/// assert_eq!(text, r#"{"name":"Åsa","class":{"Mage":{"mana":9}},"pet":null,"coins":[1,50]}"#);
/// assert_eq!(json::from_str::<Hero>(&text, Versions::own(1))?, hero);
///
/// let error = json::from_str::<Hero>(&text.replace("pet", "cat"), Versions::own(1)).unwrap_err();
/// assert_eq!(error.to_string(), "pet (version 1): missing; not read yet: 'cat', 'coins'");
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Errors
/// What saving the value as bytes would report.
pub fn to_value<T: Archived + Clone>(value: &T, versions: Versions) -> Result<Value> {
    let mut saver = JsonSaver::new(versions, Context::nothing(), &(), 0).readable();
    value.clone().serialize(&mut saver)?;
    Ok(saver.into_value())
}

/// The same as a text on one line.
///
/// # Errors
/// As [`to_value`].
pub fn to_string<T: Archived + Clone>(value: &T, versions: Versions) -> Result<String> {
    Ok(to_value(value, versions)?.to_string())
}

/// The same as a text of many lines.
///
/// # Errors
/// As [`to_value`].
pub fn to_pretty<T: Archived + Clone>(value: &T, versions: Versions) -> Result<String> {
    Ok(format!("{:#}", to_value(value, versions)?))
}

/// The value of a document that [`to_value`] has made, edited or not.
///
/// # Errors
/// With the path in the document: what is missing, unknown, or has another form.
pub fn from_value<T: Archived + Default>(document: &Value, versions: Versions) -> Result<T> {
    let length = document.to_string().len() as u64;
    load(document, versions, length)
}

/// The same of a text.
///
/// # Errors
/// As [`from_value`]; also for what is no JSON, or has a key twice.
pub fn from_str<T: Archived + Default>(text: &str, versions: Versions) -> Result<T> {
    load(&JsonLoader::parse(text.as_bytes())?, versions, text.len() as u64)
}

fn load<T: Archived + Default>(document: &Value, versions: Versions, length: u64) -> Result<T> {
    let known = (versions, Context::nothing());
    let mut loader = JsonLoader::new(document, known, &(), 0, length).readable();
    let mut value = T::default();
    let result = value.serialize(&mut loader);
    loader.finish(result)?;
    Ok(value)
}

//! Values of formats of one's own as JSON that people edit, and back.

use serde_json::Value;

use crate::archive::{Archived, Context, JsonLoader, JsonSaver, Lend};
use crate::error::Result;
use crate::version::Versions;

/// A value as JSON text that people read and edit: texts as texts, variants by their names, options as null or the
/// value, lists as lists. Nothing is lost: [`from_json`] gives the same value again.
///
/// ```
/// use farchive::{Archived, Versions, from_json, to_json};
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
/// let hero = Hero { name: "Åsa".into(), kind: Kind::Mage { mana: 9 }, pet: None, coins: vec![50] };
/// let text = to_json(&hero, &Versions::own(1))?;
/// assert_eq!(
///     text,
///     r#"{
///   "name": "Åsa",
///   "class": {
///     "Mage": {
///       "mana": 9
///     }
///   },
///   "pet": null,
///   "coins": [
///     50
///   ]
/// }"#
/// );
/// assert_eq!(from_json::<Hero>(&text, &Versions::own(1))?, hero);
///
/// let error = from_json::<Hero>(&text.replace("pet", "cat"), &Versions::own(1)).unwrap_err();
/// assert_eq!(error.to_string(), "pet (version 1): missing; not read yet: 'cat', 'coins'");
/// # Ok::<(), farchive::Error>(())
/// ```
///
/// # Errors
/// As [`to_bytes`](crate::to_bytes).
pub fn to_json(value: impl Lend, versions: &Versions) -> Result<String> {
    Ok(format!("{:#}", to_json_value(value, versions)?))
}

/// The value that [`to_json`] wrote, edited or not. The keys may stand in any order.
///
/// # Errors
/// The value's own, with its place in the document; `Invalid` where keys are missing, doubled or left over, and for
/// what is no JSON.
pub fn from_json<T: Archived + Default>(text: &str, versions: &Versions) -> Result<T> {
    load(&JsonLoader::parse(text.as_bytes())?, versions, text.len() as u64)
}

/// The document of [`to_json`] as a tree of `serde_json`: to place it in a document of one's own.
///
/// # Errors
/// As [`to_json`].
pub fn to_json_value(value: impl Lend, versions: &Versions) -> Result<Value> {
    let mut saver = JsonSaver::new(versions.clone(), Context::nothing(), &(), 0).readable();
    value.lend(|value| value.serialize(&mut saver))?;
    Ok(saver.into_value())
}

/// As [`from_json`], from a tree of `serde_json`.
///
/// # Errors
/// As [`from_json`].
pub fn from_json_value<T: Archived + Default>(document: &Value, versions: &Versions) -> Result<T> {
    let length = document.to_string().len() as u64;
    load(document, versions, length)
}

fn load<T: Archived + Default>(document: &Value, versions: &Versions, length: u64) -> Result<T> {
    let known = (versions.clone(), Context::nothing());
    let mut loader = JsonLoader::new(document, known, &(), 0, length).readable();
    let mut value = T::default();
    let result = value.serialize(&mut loader);
    loader.finish(result)?;
    Ok(value)
}

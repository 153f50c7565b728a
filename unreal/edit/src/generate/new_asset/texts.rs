//! The texts of new string tables.

use std::collections::HashSet;

use crate::edit::Edit;
use crate::error::{ErrorKind, Result, noun};
use crate::object::Native;
use crate::object::ue4::table::string_table::StringTable;
use crate::primitive::Map;

/// A table with these texts.
pub(super) fn string_table(
    package: &Edit,
    namespace: &str,
    entries: &[(String, String)],
) -> Result<Native> {
    let text = |text: &str| package.string(text);
    let mut keys = HashSet::new();
    if let Some((key, _)) = entries.iter().find(|(key, _)| !keys.insert(key)) {
        return Err(ErrorKind::Exists { what: noun::KEY, name: key.clone() }.into());
    }
    let entries = entries.iter().map(|(key, value)| (text(key), text(value)));
    Ok(Native::Object(Box::new(StringTable {
        namespace: text(namespace),
        entries: Map(entries.collect()),
        meta_data: Map::default(),
    })))
}

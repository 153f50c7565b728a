//! Names as pseudo-code writes them.

/// Digits of the number that the editor puts behind the names of members of structs made in it.
const GUID_DIGITS: usize = 32;

/// A name as it is written: members of structs that were made in the editor without their numbers, what is no
/// identifier in quotes.
pub(super) fn shown_name(name: &str) -> String {
    let name = short_name(name);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '.');
    match !name.is_empty() && name.chars().all(is_plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.escape_debug()),
    }
}

/// `Health` of `Health_4_0B6B4A1D4C1F4E0B9C5E4B8B2B3C0C11`.
pub(super) fn short_name(name: &str) -> &str {
    let is_guid =
        |text: &str| text.len() == GUID_DIGITS && text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let parts = name.rsplit_once('_').filter(|(_, guid)| is_guid(guid));
    let parts = parts.and_then(|(rest, _)| rest.rsplit_once('_'));
    match parts {
        Some((short, number)) if is_number(number) && !short.is_empty() => short,
        _ => name,
    }
}

/// Whether the compiler has made up the name of a variable.
pub(super) fn is_temporary(name: &str) -> bool {
    ["CallFunc_", "K2Node_", "Temp_"].iter().any(|start| name.starts_with(start))
}

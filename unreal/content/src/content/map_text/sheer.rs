//! The axis along which a scale shears: a name in the text, a number in packages, where no class is at hand that declares
//! the names.

use std::borrow::Cow;

/// The values of the engine's `ESheerAxis`, from 0.
const NAMES: [&str; 7] =
    ["SHEER_None", "SHEER_XY", "SHEER_XZ", "SHEER_YX", "SHEER_YZ", "SHEER_ZX", "SHEER_ZY"];
const FIELD: &str = "SheerAxis=";

/// The text of a scale with the axis by its name.
pub(super) fn with_name(text: &str) -> Cow<'_, str> {
    with(text, |number| NAMES.get(number.parse::<usize>().ok()?).map(|name| (*name).to_owned()))
}

/// The text of a scale with the axis as a number.
pub(super) fn with_number(text: &str) -> Cow<'_, str> {
    with(text, |name| {
        NAMES.iter().position(|known| known.eq_ignore_ascii_case(name)).map(|at| at.to_string())
    })
}

fn with(text: &str, other: impl Fn(&str) -> Option<String>) -> Cow<'_, str> {
    let Some((before, behind)) = text.split_once(FIELD) else { return Cow::Borrowed(text) };
    let end = behind.find([',', ')']).unwrap_or(behind.len());
    let (value, rest) = behind.split_at(end);
    match other(value.trim()) {
        Some(value) => Cow::Owned(format!("{before}{FIELD}{value}{rest}")),
        None => Cow::Borrowed(text),
    }
}

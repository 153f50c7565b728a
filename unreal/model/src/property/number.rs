//! Numbers and bools in the written form of values.

use std::str::FromStr;

pub(super) fn boolean(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

/// The digits behind `0x`.
fn hexadecimal(word: &str) -> Option<&str> {
    word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))
}

pub(super) fn integer(word: &str) -> Option<i128> {
    match hexadecimal(word) {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(i128::from),
        None => word.parse().ok(),
    }
}

/// Four bytes, signed; hexadecimal digits are their bits.
pub(super) fn int(word: &str) -> Option<i32> {
    match hexadecimal(word) {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(|bits| bits as i32),
        None => word.parse().ok(),
    }
}

/// A floating point number. One that is too large must not become infinite in silence.
pub(super) fn real<T: FromStr + Copy>(word: &str, is_finite: fn(T) -> bool) -> Option<T> {
    let has_digits = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    let plain = match word.strip_suffix(['f', 'F']) {
        Some(rest) if has_digits(rest) => rest,
        _ => word,
    };
    plain.parse().ok().filter(|number| is_finite(*number) || !has_digits(plain))
}

/// The number that a text is.
#[doc(hidden)]
pub fn number_of(text: &str) -> Option<f64> {
    integer(text.trim()).map(|number| number as f64).or_else(|| real(text.trim(), f64::is_finite))
}

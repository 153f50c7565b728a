//! Bytes as hexadecimal digits.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// Bytes as digits, in lower case.
pub fn hex(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// Digits of either case as bytes; `None` where something else stands between them, or half a byte.
pub fn unhex(digits: &str) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(digits.as_bytes()).ok()
}

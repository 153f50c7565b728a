//! The form of documents, and what it says of the mappings that it needs.

use crate::error::Result;
use crate::property::mappings::Mappings;

/// The version of the form: from 6 on every empty list is written as `[]`.
pub(super) const FORM: u64 = 6;
/// The oldest that is read: it has 0 or `{"count": 0}` for lists, which still is what they say.
pub(super) const OLDEST_FORM: u64 = 5;

/// The version in which mappings are compared.
const NEWEST_MAPPINGS: u8 = 4;

/// What tells mappings from others.
pub(super) fn fingerprint(mappings: &Mappings) -> Result<String> {
    let hash = blake3::hash(&mappings.to_bytes(NEWEST_MAPPINGS)?);
    Ok(hash.to_hex()[..32].to_owned())
}

//! The form of documents, and what it says of the mappings that it needs.

use crate::error::Result;
use crate::property::mappings::Mappings;

/// The version of the form. In 5 the `offset` of bulk data counted from the start of the file, and until 6 components of
/// exports were other objects and texture allocations counted from 0: read as one of 7 such a document would be another
/// package, so that no older form is read.
pub(super) const FORM: u64 = 7;

/// The version in which mappings are compared.
const NEWEST_MAPPINGS: u8 = 4;

/// The hash that tells mappings from others.
pub(super) fn fingerprint(mappings: &Mappings) -> Result<String> {
    let hash = blake3::hash(&mappings.to_bytes(NEWEST_MAPPINGS)?);
    Ok(hash.to_hex()[..32].to_owned())
}

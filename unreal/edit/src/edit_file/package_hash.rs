//! The package that a file of edits was made for.

use std::fmt;

use super::LineError;
use crate::package::Package;

/// The hash of a package's own bytes, without what compresses or encrypts them: BLAKE3, of UE4 and UE5 of header and
/// bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageHash(String);

impl PackageHash {
    /// The hash of a package.
    pub fn of(package: &Package) -> Self {
        Self(blake3::hash(package.source()).to_hex().to_string())
    }

    /// `base HASH`.
    pub(super) fn parse(words: &[String]) -> Result<Self, LineError> {
        let is_hash =
            |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match words {
            [hash] if is_hash(hash) => Ok(Self(hash.to_ascii_lowercase())),
            _ => {
                let next = "write base HASH, the 64 digits that `upk diff --as-edits` writes";
                Err(LineError::new("the package is not named by its hash").with_next(next))
            }
        }
    }
}

impl fmt::Display for PackageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

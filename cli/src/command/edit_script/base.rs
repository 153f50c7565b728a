//! The package that a file of edits was made for.

use std::fmt;

use unreal_packages::package::Package;

/// The hash of a package's own bytes, without what compresses or encrypts them: BLAKE3, of UE4 and UE5 of header and
/// bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageHash(String);

impl PackageHash {
    /// That of a package.
    pub fn of(package: &Package) -> Self {
        Self(unreal_packages::scan::content_hash(package.source()))
    }

    /// `base HASH`.
    pub fn parse(words: &[String]) -> Result<Self, String> {
        let is_hash =
            |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        match words {
            [hash] if is_hash(hash) => Ok(Self(hash.to_ascii_lowercase())),
            _ => {
                let next = "write base HASH, the 64 digits that `upk diff --as-edits` writes";
                Err(format!("the package is not named by its hash\n  next: {next}"))
            }
        }
    }
}

impl fmt::Display for PackageHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

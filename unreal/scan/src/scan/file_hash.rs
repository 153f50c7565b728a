//! Hashes by which other programs know files.

use sha1::Digest;

use crate::archive::hex;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::package::Package;

/// Which hashes of files a scan makes beside BLAKE3: they cost as much as reading them twice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct FileHashes {
    /// SHA-1.
    pub sha1: bool,
    /// MD5.
    pub md5: bool,
}

impl FileHashes {
    /// Those of these names: `sha1`, `md5`.
    ///
    /// # Errors
    /// `NotFound` for another name.
    pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut hashes = Self::default();
        for name in names {
            match name.to_ascii_lowercase().as_str() {
                "sha1" | "sha-1" => hashes.sha1 = true,
                "md5" => hashes.md5 = true,
                _ => {
                    let hint = ": sha1 and md5 are known".to_owned();
                    let (what, name) = (noun::COLUMN, name.to_owned());
                    return Err(Error::from(ErrorKind::NotFound { what, name, hint }));
                }
            }
        }
        Ok(hashes)
    }

    /// Those that these columns of the table of packages hold.
    pub fn among<'a>(columns: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hashes = Self::default();
        for column in columns {
            hashes.sha1 |= column == "sha1";
            hashes.md5 |= column == "md5";
        }
        hashes
    }

    /// SHA-1 and MD5 of a package's file, where they are wanted: of one in two files those of the header's.
    pub(super) fn of(self, package: &Package) -> [Option<String>; 2] {
        let file = package.own_file();
        let sha1 = || hex(&sha1::Sha1::digest(file));
        let md5 = || hex(&md5::Md5::digest(file));
        [self.sha1.then(sha1), self.md5.then(md5)]
    }
}

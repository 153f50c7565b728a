//! Versions of `.pak` files, with the change of each.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result, UnrealErrors};
use crate::version::{LICENSEE, Versions};

/// Entries say no time.
pub(super) const TIMESTAMPS_REMOVED: u32 = 2;
/// Entries have blocks and flags.
pub(super) const COMPRESSION_BLOCKS: u32 = 3;
/// The trailer says whether the index is encrypted.
pub(super) const INDEX_ENCRYPTION: u32 = 4;
/// Places of blocks count from their entry.
pub(super) const RELATIVE_OFFSETS: u32 = 5;
/// The trailer says the number of the key.
pub(super) const KEY_GUID: u32 = 7;
/// The trailer says the names of methods.
pub(super) const METHOD_NAMES: u32 = 8;
/// The only version whose index may be an image of memory.
pub(super) const FROZEN_INDEX: u32 = 9;
/// The index has parts, and entries a short form.
pub(super) const PATH_HASH_INDEX: u32 = 10;
/// Names of files are UTF-8.
pub(super) const UTF8_NAMES: u32 = 12;
/// The index by path is one sorted table.
pub(super) const SORTED_DIRECTORY: u32 = 13;
/// The trailer says the number of the chunk.
pub(super) const CHUNK_NUMBER: u32 = 14;
/// The trailer says how it is encrypted.
pub(super) const ENCRYPTION_METHOD: u32 = 15;
/// The newest.
pub(super) const NEWEST: u32 = ENCRYPTION_METHOD;

/// The licensee version of layouts: version 8 as 4.22 wrote it, with four names of methods.
pub(super) const FOUR_METHODS: u32 = 1;
/// The same: version 15 whose encryption is a stream.
pub(super) const STREAM: u32 = 2;

/// The version of a `.pak` file: 1 to 15, and 8 in two forms, of which `8a` is that of 4.22.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PakVersion {
    number: u32,
    four_methods: bool,
}

impl PakVersion {
    /// Version 8 as 4.22 wrote it.
    pub const V8A: Self = Self { number: METHOD_NAMES, four_methods: true };
    /// That of 4.26 to 5.7.
    pub const V11: Self = Self { number: 11, four_methods: false };

    /// The version of this number.
    ///
    /// # Errors
    /// `Unsupported` for one that is not known.
    pub fn new(number: u32) -> Result<Self> {
        match number {
            1..=NEWEST => Ok(Self { number, four_methods: false }),
            _ => Err(Error::unsupported(format!("version {number} of .pak files"))),
        }
    }

    /// All versions in order, both forms of 8 among them.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=NEWEST).flat_map(|number| {
            let of = |four_methods| Self { number, four_methods };
            let first = (number == METHOD_NAMES).then_some(of(true));
            first.into_iter().chain([of(false)])
        })
    }

    /// Its number.
    pub fn number(self) -> u32 {
        self.number
    }

    /// Versions for the layouts; the licensee version is 1 for `8a` and 2 where a stream encrypts.
    pub fn versions(self, is_stream: bool) -> Versions {
        let licensee = match (self.four_methods, is_stream) {
            (true, _) => FOUR_METHODS,
            (false, true) => STREAM,
            (false, false) => 0,
        };
        Versions::own(self.number).with(LICENSEE, licensee)
    }

    /// Bytes of the trailer.
    pub(super) fn trailer_size(self) -> u64 {
        match self.number {
            0..INDEX_ENCRYPTION => 44,
            INDEX_ENCRYPTION..KEY_GUID => 45,
            KEY_GUID => 61,
            METHOD_NAMES if self.four_methods => 189,
            FROZEN_INDEX => 222,
            METHOD_NAMES..CHUNK_NUMBER => 221,
            CHUNK_NUMBER => 225,
            _ => 262,
        }
    }
}

impl fmt::Display for PakVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let form = if self.four_methods { "a" } else { "" };
        write!(f, "{}{form}", self.number)
    }
}

impl FromStr for PakVersion {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse() {
            Ok(number) => Self::new(number),
            Err(_) if text == "8a" => Ok(Self::V8A),
            Err(_) => {
                let reason = format!("'{text}' is no version of .pak files: 1 to {NEWEST}, or 8a");
                Err(ErrorKind::Invalid { reason }.into())
            }
        }
    }
}

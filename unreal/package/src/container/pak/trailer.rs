//! The trailer: what ends the file.

use super::PakVersion;
use super::version::{
    CHUNK_NUMBER, ENCRYPTION_METHOD, FOUR_METHODS, FROZEN_INDEX, INDEX_ENCRYPTION, KEY_GUID,
    METHOD_NAMES, PATH_HASH_INDEX, STREAM,
};
use crate::Archived;
use crate::archive::{Archive, Loader};
use crate::container::crypt::Iv;
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{BlockMethod, MethodName};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::primitive::array;
use crate::version::{Guid, UnrealVersions, Versions};

/// The magic before the version.
const MAGIC: u32 = 0x5a6f_12e1;
/// In [`PakTrailer::encryption_method`]: a stream.
const CTR: u8 = 2;

/// The last bytes of a `.pak` file.
///
/// Spec: ue4-5/10 §2. C++: `FPakInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakTrailer {
    /// The number of the key; zero for the game's usual one.
    #[since(KEY_GUID)]
    pub key_guid: Guid,
    /// Whether the index is encrypted: 0 or 1.
    #[since(INDEX_ENCRYPTION)]
    pub encrypted_index: u8,
    /// 0x5A6F12E1.
    pub magic: u32,
    /// Version of the file.
    pub version: u32,
    /// Where the index stands.
    pub index_offset: i64,
    /// Its size as it is stored, bytes.
    pub index_size: i64,
    /// SHA-1 of the index, decrypted, with its padding.
    pub index_hash: [u8; 20],
    /// Whether the index is an image of memory: 0 or 1.
    #[since(FROZEN_INDEX)]
    #[until(PATH_HASH_INDEX)]
    pub frozen: u8,
    /// Names of the methods that entries count from 1: 4 in the first form of version 8, else 5.
    #[since(METHOD_NAMES)]
    #[archive(with = methods)]
    pub methods: Vec<MethodName>,
    /// Number of the chunk, -1 where the name of the file says it.
    #[since(CHUNK_NUMBER)]
    pub chunk_number: i32,
    /// How what is encrypted is: 1 block by block, 2 as a stream.
    #[since(ENCRYPTION_METHOD)]
    pub encryption_method: u8,
    /// The initialization vectors of the three indexes: primary, by hash, by path.
    #[since(ENCRYPTION_METHOD)]
    pub ivs: [Iv; 3],
}

/// As many as the version has.
fn methods<A: Archive + ?Sized>(names: &mut Vec<MethodName>, ar: &mut A) -> Result<()> {
    let count = if ar.versions().licensee() == FOUR_METHODS { 4 } else { 5 };
    array::counted_elsewhere(names, count, ar)
}

impl PakTrailer {
    /// An empty trailer of a version.
    pub(super) fn new(version: PakVersion) -> Self {
        let versions = version.versions(false);
        let count = match version.number() {
            0..METHOD_NAMES => 0,
            _ if versions.licensee() == FOUR_METHODS => 4,
            _ => 5,
        };
        Self {
            magic: MAGIC,
            version: version.number(),
            methods: vec![MethodName::default(); count],
            chunk_number: if version.number() < CHUNK_NUMBER { 0 } else { -1 },
            ..Self::default()
        }
    }

    /// The trailer of a file, and the version that it is of.
    ///
    /// # Errors
    /// `NotAPackage` where there is none; `Io`.
    pub(super) fn find(source: &dyn ReadAt) -> Result<(Self, PakVersion)> {
        let mut sizes: Vec<_> = PakVersion::all().collect();
        sizes.sort_by_key(|version| std::cmp::Reverse(version.trailer_size()));
        let length = source.length();
        let most = sizes.first().map_or(0, |version| version.trailer_size()).min(length);
        let end = read_range(source, length - most, most)?;
        for version in sizes {
            let Some(start) = end.len().checked_sub(version.trailer_size() as usize) else {
                continue;
            };
            let bytes = end.get(start..).unwrap_or_default();
            if let Some(trailer) = Self::load(bytes, version) {
                return Ok((trailer, version));
            }
        }
        let reason = "it does not end as a .pak file".to_owned();
        Err(UnrealError::NotAPackage { is: None, reason }.into())
    }

    fn load(bytes: &[u8], version: PakVersion) -> Option<Self> {
        let mut trailer = Self::default();
        let mut loader = Loader::new(bytes, version.versions(false));
        trailer.serialize(&mut loader).ok()?;
        let fits = trailer.magic == MAGIC
            && trailer.version == version.number()
            && loader.remaining() == 0
            && trailer.encrypted_index <= 1;
        fits.then_some(trailer)
    }

    /// Whether the index is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.encrypted_index != 0
    }

    /// Whether a stream encrypts what is encrypted.
    pub fn is_stream(&self) -> bool {
        self.version >= ENCRYPTION_METHOD && self.encryption_method == CTR
    }

    /// Makes a stream encrypt what is encrypted, where the version has that.
    pub(super) fn set_encryption(&mut self) {
        if self.version >= ENCRYPTION_METHOD {
            self.encryption_method = CTR;
        }
    }

    /// Says the number of the key, where the version does.
    pub(super) fn set_key(&mut self, guid: Guid) {
        if self.version >= KEY_GUID {
            self.key_guid = guid;
        }
    }

    /// The method of this number in entries; `None` for 0.
    ///
    /// # Errors
    /// `Unsupported` for one that is not known.
    pub fn method(&self, number: u32) -> Result<Option<BlockMethod>> {
        let unknown =
            |name: String| Error::unsupported(format!("files that are compressed with {name}"));
        if number == 0 {
            return Ok(None);
        }
        if self.version < METHOD_NAMES {
            return match number {
                1 => Ok(Some(BlockMethod::Zlib)),
                2 => Ok(Some(BlockMethod::Gzip)),
                // Which one depends on the game; the compressors of all others are older.
                4 => Ok(Some(BlockMethod::Oodle)),
                _ => Err(unknown(format!("method {number}"))),
            };
        }
        let name = self.methods.get(number as usize - 1).map(MethodName::text).unwrap_or_default();
        match BlockMethod::named(&name) {
            Some(method) => Ok(Some(method)),
            None if name.is_empty() => Err(unknown(format!("method {number}, which has no name"))),
            None => Err(unknown(name)),
        }
    }

    /// The number that stands for a method; it gets a name where the version has names.
    ///
    /// # Errors
    /// `Unsupported` where the version has no such method.
    pub(super) fn number_of(&mut self, method: BlockMethod) -> Result<u32> {
        if self.version < METHOD_NAMES {
            return match method {
                BlockMethod::Zlib => Ok(1),
                BlockMethod::Gzip => Ok(2),
                _ => {
                    let version = self.version;
                    Err(Error::unsupported(format!("{method} in version {version} of .pak files")))
                }
            };
        }
        let name = MethodName::new(method);
        let is_free = |row: &MethodName| *row == name || row.text().is_empty();
        let place = self.methods.iter().position(is_free).unwrap_or(0);
        if let Some(row) = self.methods.get_mut(place) {
            *row = name;
        }
        Ok(place as u32 + 1)
    }

    /// The versions of the layouts.
    pub(super) fn versions(&self, version: PakVersion) -> Versions {
        let versions = version.versions(self.is_stream());
        debug_assert!(!self.is_stream() || versions.licensee() == STREAM);
        versions
    }
}

//! The `.usmap` file.

use super::{Compression, MappingData, codec};
use crate::archive::{Archive, ArchiveExt, Kind, Span, in_field};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::primitive::{Guid, array};
use crate::version::{FILE, UE4, UnrealVersions};
use crate::{Archived, Loader, Saver, Versions};

/// The magic of every file.
const MAGIC: u16 = 0x30C4;
/// First version that tells versions.
const VERSIONS_ADDED: u8 = 1;
/// The newest version that is known.
const NEWEST: u8 = 4;

/// A `.usmap` file: versions and a block of mappings, which may be compressed.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | u16 | 0x30C4 | |
/// | 2 | u8 | version | |
/// | 3 | u32 | whether versions follow | from 1 |
/// | 4 | | versions | if so |
/// | 5 | u8 | compression: 0 none, 1 Oodle, 2 Brotli, 3 Zstandard | |
/// | 6 | u32 | compressed size, bytes | |
/// | 7 | u32 | size, bytes | |
/// | 8 | | block | |
///
/// Spec: ue4-5/04 §7.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usmap {
    /// 0 to 4.
    pub version: u8,
    /// The versions that the game saves its packages in.
    pub versions: Option<MappingVersions>,
    /// How the block is compressed.
    pub compression: Compression,
    /// Bytes of the block when it is not compressed.
    pub decompressed_size: u32,
    /// Bytes that the header says the block has beyond those that are there, in some files whose block is not
    /// compressed ([`Usmap::from_bytes`]).
    pub overstated: u32,
    /// The block as stored.
    pub block: Span,
}

/// The versions that a game saves its packages in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Archived)]
pub struct MappingVersions {
    /// UE4 object version.
    pub ue4: i32,
    /// UE5 object version.
    pub ue5: i32,
    /// Custom versions.
    #[archive(with = array::counted_i32)]
    pub custom: Vec<(Guid, i32)>,
    /// Version of the game's network protocol.
    pub net_changelist: u32,
}

impl Usmap {
    /// Reads the file; the block stays where it is.
    ///
    /// # Errors
    /// `NotAPackage` when it does not begin as mappings do, and whatever its bytes lack.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        // UE4's strings and names are never met here; any version does.
        let mut loader = Loader::new(bytes, Versions::unreal().with(UE4, 1));
        let mut file = Self::default();
        let mut stored = file.serialize_head(&mut loader)?;
        if file.compression == Compression::None {
            // Some say more than there is; what the block holds must end where it does all the same.
            let there = u32::try_from(loader.remaining()).unwrap_or(u32::MAX);
            file.overstated = stored.saturating_sub(there);
            stored -= file.overstated;
        }
        file.serialize_block(stored, &mut loader)?;
        match loader.remaining() {
            0 => Ok(file),
            left => Err(loader.error(ErrorKind::LeftOver { left, size: bytes.len() as u64 })),
        }
    }

    /// A file of mappings that are not compressed.
    pub fn uncompressed(version: u8, versions: Option<MappingVersions>, block: Vec<u8>) -> Self {
        let decompressed_size = u32::try_from(block.len()).unwrap_or(u32::MAX);
        let block = Span::owned(block);
        let (compression, overstated) = (Compression::None, 0);
        Self { version, versions, compression, decompressed_size, overstated, block }
    }

    /// The file's bytes, as long as the block is the file's own.
    ///
    /// # Errors
    /// `OutsideSource` when the block is a range of a source; `OutOfRange` when it is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut saver = Saver::new(Versions::unreal().with(UE4, 1));
        self.clone().serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }

    /// The content of the block; `source` has the bytes that the file was loaded from.
    ///
    /// # Errors
    /// `Unsupported` when the compression needs another feature, and whatever the bytes lack.
    pub fn data(&self, source: &[u8]) -> Result<MappingData> {
        let stored = self.block.bytes(source)?;
        let block = codec::decompress(self.compression, stored, self.decompressed_size as usize)?;
        let versions = Versions::unreal().with(FILE, self.version.into());
        let mut loader = Loader::new(&block, versions);
        let mut value = MappingData::default();
        value.serialize(&mut loader)?;
        match loader.remaining() {
            0 => Ok(value),
            left => Err(ErrorKind::LeftOver { left, size: block.len() as u64 }.into()),
        }
    }
}

impl Archived for Usmap {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let stored = self.serialize_head(ar)?;
        if ar.is_loading() {
            self.overstated = 0;
        }
        self.serialize_block(stored, ar)
    }
}

impl Usmap {
    /// All that stands before the block; says how many bytes that has.
    fn serialize_head<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<u32> {
        let mut magic = MAGIC;
        in_field("magic", ar, |ar| ar.serialize_u16(&mut magic))?;
        in_field("version", ar, |ar| ar.serialize_u8(&mut self.version))?;
        if ar.is_loading() && (magic != MAGIC || self.version > NEWEST) {
            let reason = match magic {
                MAGIC => {
                    format!("mappings of version {}, the newest known is {NEWEST}", self.version)
                }
                _ => "mappings begin with C4 30".to_owned(),
            };
            return Err(ar.error(UnrealError::NotAPackage { is: None, reason }));
        }
        if self.version >= VERSIONS_ADDED {
            let mut present = self.versions.is_some();
            in_field("has_versions", ar, |ar| present.serialize(ar))?;
            if ar.is_loading() {
                self.versions = present.then(MappingVersions::default);
            }
            if let Some(versions) = &mut self.versions {
                in_field("versions", ar, |ar| versions.serialize(ar))?;
            }
        } else {
            crate::archive::private::absent(&mut self.versions, ar, "versions")?;
        }
        in_field("compression", ar, |ar| self.compression.serialize(ar))?;
        let length = self.block.len().saturating_add(self.overstated.into());
        let mut stored = u32::try_from(length)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 32 }))?;
        in_field("compressed_size", ar, |ar| ar.serialize_u32(&mut stored))?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut self.decompressed_size))?;
        Ok(stored)
    }

    fn serialize_block<A: Archive + ?Sized>(&mut self, stored: u32, ar: &mut A) -> Result<()> {
        in_field("block", ar, |ar| ar.serialize_span(&mut self.block, stored.into(), Kind::Payload))
    }
}

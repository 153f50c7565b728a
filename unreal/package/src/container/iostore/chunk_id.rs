//! Identifiers of chunks.

use std::fmt;

use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, Archived};
use crate::error::Result;

/// The version of the table of contents from which kinds have the numbers of UE5.
const UE5_KINDS: u32 = 5;

/// The number of a chunk, 12 bytes.
///
/// Spec: ue4-5/11 §3. C++: `FIoChunkId`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkId {
    /// Number of the package or container.
    pub id: u64,
    /// 0; 1 for the optional part of a package. Its first byte is the highest.
    pub index: u16,
    /// 0.
    pub pad: u8,
    /// The number of its kind: [`ChunkKind::of`].
    pub kind: u8,
}

impl Archived for ChunkId {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        ar.serialize_u64(&mut self.id)?;
        let mut index = self.index.swap_bytes();
        ar.serialize_u16(&mut index)?;
        self.index = index.swap_bytes();
        ar.serialize_u8(&mut self.pad)?;
        ar.serialize_u8(&mut self.kind)
    }
}

/// The kind of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChunkKind {
    /// The zen form of a package.
    ExportBundleData,
    /// Its bulk data.
    BulkData,
    /// Optional bulk data.
    OptionalBulkData,
    /// Bulk data that is mapped into memory.
    MemoryMappedBulkData,
    /// All objects of compiled code.
    ScriptObjects,
    /// The container header: dependencies of the container's packages.
    ContainerHeader,
    /// The names of the objects of compiled code, UE4.
    LoaderGlobalNames,
    /// Hashes of these names, UE4.
    LoaderGlobalNameHashes,
    /// The objects of compiled code, UE4.
    LoaderInitialLoadMeta,
    /// A library of shaders.
    ShaderCodeLibrary,
    /// A shader.
    ShaderCode,
    /// Something else, by its number.
    Other(u8),
}

/// The kinds by number up to version 4 of the table of contents.
const UE4: [ChunkKind; 13] = [
    ChunkKind::Other(0),
    ChunkKind::Other(1),
    ChunkKind::ExportBundleData,
    ChunkKind::BulkData,
    ChunkKind::OptionalBulkData,
    ChunkKind::MemoryMappedBulkData,
    ChunkKind::Other(6),
    ChunkKind::LoaderInitialLoadMeta,
    ChunkKind::LoaderGlobalNames,
    ChunkKind::LoaderGlobalNameHashes,
    ChunkKind::ContainerHeader,
    ChunkKind::ShaderCodeLibrary,
    ChunkKind::ShaderCode,
];

/// The same from version 5.
const UE5: [ChunkKind; 10] = [
    ChunkKind::Other(0),
    ChunkKind::ExportBundleData,
    ChunkKind::BulkData,
    ChunkKind::OptionalBulkData,
    ChunkKind::MemoryMappedBulkData,
    ChunkKind::ScriptObjects,
    ChunkKind::ContainerHeader,
    ChunkKind::Other(7),
    ChunkKind::ShaderCodeLibrary,
    ChunkKind::ShaderCode,
];

impl ChunkKind {
    fn table(version: u32) -> &'static [Self] {
        if version < UE5_KINDS { &UE4 } else { &UE5 }
    }

    /// The kind that a number means in this version of the table of contents.
    pub fn of(kind: u8, version: u32) -> Self {
        Self::table(version).get(usize::from(kind)).copied().unwrap_or(Self::Other(kind))
    }

    /// The number of a kind, `None` where the version has none.
    pub fn number(self, version: u32) -> Option<u8> {
        match self {
            Self::Other(number) => Some(number),
            kind => Self::table(version).iter().position(|known| *known == kind).map(|at| at as u8),
        }
    }

    /// The kind that a file of this name holds; packages for every other one.
    pub fn of_path(path: &str) -> Self {
        let path = path.to_ascii_lowercase();
        let kinds = [
            (".m.ubulk", Self::MemoryMappedBulkData),
            (".ubulk", Self::BulkData),
            (".uptnl", Self::OptionalBulkData),
            (".ushaderbytecode", Self::ShaderCodeLibrary),
        ];
        let kind = kinds.iter().find(|(end, _)| path.ends_with(end));
        kind.map_or(Self::ExportBundleData, |(_, kind)| *kind)
    }
}

impl fmt::Display for ChunkKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Other(number) => write!(f, "Chunk{number}"),
            kind => write!(f, "{kind:?}"),
        }
    }
}

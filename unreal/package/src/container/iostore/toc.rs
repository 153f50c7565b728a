//! The table of contents.

use super::toc_header::{BLOCK_ROW, METHOD_NAME, NEWEST, ON_DEMAND_HASHES, SIZE};
use super::{ChunkId, ChunkMeta, ChunkRange, StoredBlock, TocHeader};
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Span, in_field};
use crate::container::MethodName;
use crate::container::crypt::Iv;
use crate::error::{Result, UnrealError};
use crate::primitive::array;
use crate::version::Versions;

/// A table of contents: its tables stand one right behind the other, their counts in the header.
///
/// Spec: ue4-5/11 §2. C++: `FIoStoreTocResource`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct Toc {
    /// The header.
    pub header: TocHeader,
    /// Numbers of the chunks.
    pub chunk_ids: Vec<ChunkId>,
    /// Where they stand in the address space of all.
    pub chunk_ranges: Vec<ChunkRange>,
    /// By which chunks are found: seeds of a hash.
    pub seeds: Vec<i32>,
    /// Rows of chunks that are not found so.
    pub unhashed: Vec<i32>,
    /// The blocks in the order of the address space.
    pub blocks: Vec<StoredBlock>,
    /// The initialization vectors of the encrypted blocks, and of the index by path at last.
    pub ivs: Vec<Iv>,
    /// Names of the methods, counted from 1.
    pub methods: Vec<MethodName>,
    /// Signatures, where it has them.
    pub signatures: Option<TocSignatures>,
    /// The index by path as it is stored: encrypted where blocks are.
    pub directory_index: Span,
    /// Hashes of the chunks.
    pub metas: Vec<ChunkMeta>,
    /// Further hashes of chunks that are fetched on demand, version 6.
    pub on_demand_chunks: Vec<[u8; 20]>,
    /// The same of blocks.
    pub on_demand_blocks: Vec<[u8; 20]>,
    /// Bytes behind it; none in every file seen.
    pub rest: Span,
}

/// Signatures of a table of contents.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct TocSignatures {
    /// Of the table, by the owner of the game.
    pub toc: Vec<u8>,
    /// Of the hashes of all blocks.
    pub blocks: Vec<u8>,
    /// SHA-1 of each block.
    pub block_hashes: Vec<[u8; 20]>,
}

impl Archived for TocSignatures {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    /// The hashes of blocks go on to the end where nothing else follows: the caller knows their number and loads them.
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let count = self.block_hashes.len();
        self.serialize_for(count, ar)
    }
}

impl TocSignatures {
    fn serialize_for<A: Archive + ?Sized>(&mut self, blocks: usize, ar: &mut A) -> Result<()> {
        let mut size = array::u32_count(self.toc.len(), ar)?;
        ar.serialize_u32(&mut size)?;
        let size = size as usize;
        in_field("toc", ar, |ar| array::elements(&mut self.toc, size, ar))?;
        in_field("blocks", ar, |ar| array::elements(&mut self.blocks, size, ar))?;
        in_field("block_hashes", ar, |ar| array::elements(&mut self.block_hashes, blocks, ar))
    }
}

impl Toc {
    /// The versions of the layouts of a version.
    pub fn versions(version: u8) -> Versions {
        Versions::own(version.into())
    }

    fn check_header<A: Archive + ?Sized>(&self, ar: &A) -> Result<()> {
        let header = &self.header;
        if !(1..=NEWEST).contains(&header.version) {
            let reason = format!("version {} of IoStore containers", header.version);
            return Err(ar.error(UnrealError::unsupported(reason)));
        }
        let fits = header.header_size == SIZE
            && header.block_row_size == BLOCK_ROW
            && (header.method_name_length == METHOD_NAME || header.method_count == 0)
            && header.block_size > 0;
        if !fits || header.source_hash_count > 0 {
            let reason = "an IoStore container with rows of other sizes".to_owned();
            return Err(ar.error(UnrealError::unsupported(reason)));
        }
        Ok(())
    }
}

impl Archived for Toc {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("header", ar, |ar| self.header.serialize(ar))?;
        self.check_header(ar)?;
        let header = self.header.clone();
        ar.set_versions(Self::versions(header.version));
        macro_rules! rows {
            ($field:ident, $count:expr) => {
                in_field(stringify!($field), ar, |ar| {
                    array::counted_elsewhere(&mut self.$field, $count, ar)
                })?
            };
        }
        rows!(chunk_ids, header.chunk_count);
        rows!(chunk_ranges, header.chunk_count);
        rows!(seeds, header.seed_count);
        rows!(unhashed, header.unhashed_count);
        rows!(blocks, header.block_count);
        rows!(ivs, header.iv_count);
        rows!(methods, header.method_count);
        if ar.is_loading() {
            self.signatures = header.is_signed().then(TocSignatures::default);
        }
        if let Some(signatures) = &mut self.signatures {
            let count = header.block_count as usize;
            in_field("signatures", ar, |ar| signatures.serialize_for(count, ar))?;
        }
        in_field("directory_index", ar, |ar| {
            let size = if header.is_indexed() { header.directory_index_size } else { 0 };
            ar.serialize_span(&mut self.directory_index, size.into(), Kind::Text)
        })?;
        rows!(metas, header.chunk_count);
        let has_further = header.version == ON_DEMAND_HASHES && header.is_on_demand();
        let further = |count: u32| if has_further { count } else { 0 };
        rows!(on_demand_chunks, further(header.chunk_count));
        rows!(on_demand_blocks, further(header.block_count));
        in_field("rest", ar, |ar| {
            let length = match ar.is_loading() {
                true => ar.peek(usize::MAX).len() as u64,
                false => self.rest.len(),
            };
            ar.serialize_span(&mut self.rest, length, Kind::Gap)
        })
    }
}

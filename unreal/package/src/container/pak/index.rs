//! The indexes: all files of a `.pak`.

use super::entry::{PakEntry, count};
use super::version::STREAM;
use crate::Archived;
use crate::archive::{Archive, ArchiveExt, Kind, Span, in_field};
use crate::container::crypt::Iv;
use crate::error::Result;
use crate::primitive::{Bool32, FString, array};
use crate::version::UnrealVersions;

/// The index of versions below 10.
///
/// Spec: ue4-5/10 §4.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakIndex {
    /// The folder that all paths start at.
    pub mount_point: FString,
    /// The files.
    pub records: Vec<PakRecord>,
    /// Padding of the last block of the cipher.
    #[archive(with = rest)]
    pub padding: Span,
}

/// A file in the index of versions below 10.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakRecord {
    /// Its path from the mount point.
    pub path: FString,
    /// Its record.
    pub entry: PakEntry,
}

/// The index from version 10, in which files have no names.
///
/// Spec: ue4-5/10 §5.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PrimaryIndex {
    /// The folder that all paths start at.
    pub mount_point: FString,
    /// How many files there are.
    pub count: u32,
    /// The seed of the hashes of paths.
    pub path_hash_seed: u64,
    /// Whether there is an index by the hash of the path.
    pub has_path_hash_index: Bool32,
    /// Where it stands.
    #[archive(when = self.has_path_hash_index.is_true())]
    pub path_hash_index: IndexPlace,
    /// Whether there is an index by path.
    pub has_directory_index: Bool32,
    /// Where it stands.
    #[archive(when = self.has_directory_index.is_true())]
    pub directory_index: IndexPlace,
    /// The files' records in their short form, which the other indexes point into.
    #[archive(with = bytes)]
    pub encoded_entries: Span,
    /// Records of files that have no short form.
    pub plain_entries: Vec<PakEntry>,
    /// The initialization vectors of their streams.
    #[archive(with = plain_ivs)]
    #[archive(when = ar.versions().licensee() == STREAM)]
    pub plain_ivs: Vec<Iv>,
    /// Padding of the last block of the cipher.
    #[archive(with = rest)]
    pub padding: Span,
}

/// Where a further index stands.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexPlace {
    /// Its first byte.
    pub offset: i64,
    /// Its size as it is stored, bytes.
    pub size: i64,
    /// SHA-1 of it, decrypted, with its padding.
    pub hash: [u8; 20],
}

/// All that is left.
pub(in crate::container) fn rest<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    let length = count(span.len(), ar);
    ar.serialize_span(span, length, Kind::Gap)
}

/// A number of bytes, then the bytes.
fn bytes<A: Archive + ?Sized>(span: &mut Span, ar: &mut A) -> Result<()> {
    let length = usize::try_from(span.len()).unwrap_or(usize::MAX);
    let mut length = array::u32_count(length, ar)?;
    in_field("length", ar, |ar| ar.serialize_u32(&mut length))?;
    // Each is typed where it is taken out.
    ar.serialize_span(span, length.into(), Kind::Text)
}

/// One for each plain entry: they go on to the end.
fn plain_ivs<A: Archive + ?Sized>(ivs: &mut Vec<Iv>, ar: &mut A) -> Result<()> {
    let count = match ar.is_loading() {
        true => ar.peek(usize::MAX).len() / size_of::<Iv>(),
        false => ivs.len(),
    };
    array::elements(ivs, count, ar)
}

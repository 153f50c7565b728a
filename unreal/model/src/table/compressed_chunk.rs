//! Compressed chunks of packages.

use crate::Archived;

/// One compressed chunk of a package, from file version 334; four i32.
///
/// Spec: ue1-3/04 §4.2. C++: `FCompressedChunk`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompressedChunk {
    /// Start in the uncompressed image, bytes.
    pub uncompressed_offset: i32,
    /// Size in the uncompressed image, bytes.
    pub uncompressed_size: i32,
    /// Start in the file, bytes.
    pub compressed_offset: i32,
    /// Size in the file, bytes.
    pub compressed_size: i32,
}

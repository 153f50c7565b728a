//! How blocks are cut.

/// Bytes of an uncompressed block, unless a file says otherwise (spec: ue1-3/04 §4.1).
pub const BLOCK_SIZE: u32 = 0x2_0000;

//! Changes of bytes that were written already.

/// What becomes of bytes that were written already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patch<'a> {
    /// They are overwritten with these.
    Bytes(&'a [u8]),
    /// What was written from this position on moves before them.
    MoveFrom(u64),
}

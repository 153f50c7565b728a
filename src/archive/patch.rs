//! Changes of bytes that were written already.

/// Changes of bytes that were written already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patch<'a> {
    /// They are overwritten with these.
    Bytes(&'a [u8]),
    /// The bytes that were written from this position on move before them.
    MoveFrom(u64),
}

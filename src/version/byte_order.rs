//! The order of bytes.

/// The order in which the bytes of a number are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ByteOrder {
    /// Least significant byte first.
    #[default]
    Little,
    /// Most significant byte first.
    Big,
}

impl ByteOrder {
    /// Whether the most significant byte comes first.
    #[inline]
    pub fn is_big(self) -> bool {
        self == Self::Big
    }
}

//! How many bytes each object has, and how far they are understood.

use crate::package::Package;

/// The bytes of an object's body by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectBytes {
    /// The row of the export.
    pub row: usize,
    /// Bytes of named fields.
    pub typed: u64,
    /// Bytes of pictures, sounds and other bulk data.
    pub payload: u64,
    /// Bytes that are not decoded.
    pub opaque: u64,
}

impl ObjectBytes {
    /// All bytes of the body.
    pub fn total(&self) -> u64 {
        self.typed.saturating_add(self.payload).saturating_add(self.opaque)
    }
}

/// The bytes of every object with a body, in table order; bodies as far as they can be decoded: they are decoded one
/// after the other and not kept. Bodies that share bytes count theirs each.
pub fn object_bytes(package: &Package) -> Vec<ObjectBytes> {
    let opaque =
        |row: usize| ObjectBytes { row, opaque: package.body_range(row).1, ..Default::default() };
    let mut all: Vec<_> = (0..package.exports().len()).map(opaque).collect();
    package.each_body(|row, decoded| {
        let Some(bytes) = all.get_mut(row) else { return };
        let size = bytes.opaque;
        bytes.opaque = decoded.opaque.min(size);
        bytes.payload = decoded.payload.min(size - bytes.opaque);
        bytes.typed = size - bytes.opaque - bytes.payload;
    });
    all.retain(|bytes| bytes.total() > 0);
    all
}

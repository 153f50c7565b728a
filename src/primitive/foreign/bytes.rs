//! Shared bytes.

use bytes::{Bytes, BytesMut};

use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;

macro_rules! buffers {
    ($($type:ty),*) => { $(
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                // An archive writes into what it loads, and these may be shared.
                let mut bytes = if ar.is_loading() { Vec::new() } else { self.to_vec() };
                bytes.serialize(ar)?;
                if ar.is_loading() {
                    *self = Self::from_iter(bytes);
                }
                Ok(())
            }
        }
    )* };
}
buffers!(Bytes, BytesMut);

//! UUIDs.

use uuid::Uuid;

use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;
use crate::primitive::string::as_text;

macro_rules! uuids {
    ($type:ident) => {
        impl Archived for $type {
            const NESTS: bool = false;

            fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
                if as_text(self, ar, |text| Self::try_parse(&text).ok(), |_| 16)? {
                    return Ok(());
                }
                let mut bytes = *self.as_bytes();
                ar.serialize_bytes(&mut bytes)?;
                if ar.is_loading() {
                    *self = Self::from_bytes(bytes);
                }
                ar.note(self);
                Ok(())
            }
        }
    };
}
uuids!(Uuid);

//! The package tag.

use crate::archive::layout::Layout;
use crate::error::UnrealError;
use crate::version::ByteOrder;
use crate::{Archive, ArchiveExt, Archived, Described, Result};

/// The first number of every package, in the byte order of the file (spec: ue1-3/01 §1.9).
pub const PACKAGE_TAG: u32 = 0x9e2a_83c1;

/// The package tag: loading it tells the archive the byte order of the file. C++: `Tag`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tag;

impl Archived for Tag {
    const LAYOUT: &'static Layout = &Self::DESCRIBED.with_size(|_| Some(4));

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut tag = PACKAGE_TAG;
        ar.serialize_u32(&mut tag)?;
        if tag == PACKAGE_TAG {
            return Ok(());
        }
        if tag != PACKAGE_TAG.swap_bytes() {
            let reason = format!("the file starts with {tag:#010x} instead of {PACKAGE_TAG:#010x}");
            return Err(ar.error(UnrealError::NotAPackage { is: None, reason }));
        }
        let mut versions = ar.versions().clone();
        versions.byte_order = match versions.byte_order {
            ByteOrder::Little => ByteOrder::Big,
            ByteOrder::Big => ByteOrder::Little,
        };
        ar.set_versions(versions);
        Ok(())
    }
}

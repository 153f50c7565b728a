//! The first eight bytes: tag and versions.

use std::fmt;

use crate::archive::layout::Layout;
use crate::error::ErrorKind;
use crate::version::{ByteOrder, Game};
use crate::{Archive, Archived, Described, Result};

/// The first number of every package, in the byte order of the file (spec: ue1-3/01 §1.9).
pub const PACKAGE_TAG: u32 = 0x9e2a_83c1;

/// The package tag: loading it tells the archive the byte order of the file. C++: `Tag`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tag;

impl Archived for Tag {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut tag = PACKAGE_TAG;
        ar.serialize_u32(&mut tag)?;
        if tag == PACKAGE_TAG {
            return Ok(());
        }
        if tag != PACKAGE_TAG.swap_bytes() {
            let reason = format!("the file starts with {tag:#010x} instead of {PACKAGE_TAG:#010x}");
            return Err(ar.error(ErrorKind::NotAPackage { reason }));
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

/// File version in the low 16 bits, licensee version in the high ones; loading it tells the archive the
/// versions, and the game unless the caller has set one (spec: ue1-3/02 §2.1).
#[derive(Described, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VersionWord {
    /// File version.
    pub file: u16,
    /// Licensee version.
    pub licensee: u16,
}

impl Archived for VersionWord {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut word = u32::from(self.file) | u32::from(self.licensee) << 16;
        ar.serialize_u32(&mut word)?;
        if ar.is_loading() {
            (self.file, self.licensee) = (word as u16, (word >> 16) as u16);
            let (file, licensee) = (u32::from(self.file), u32::from(self.licensee));
            let mut versions = ar.versions().clone();
            (versions.file, versions.licensee) = (file, licensee);
            if versions.game == Game::Detect {
                versions.game = Game::detect(file, licensee);
            }
            ar.set_versions(versions);
        }
        ar.note(self);
        Ok(())
    }
}

impl fmt::Display for VersionWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.file, self.licensee)
    }
}

impl fmt::Debug for VersionWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VersionWord({self})")
    }
}

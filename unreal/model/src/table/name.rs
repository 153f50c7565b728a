//! The name table.

use crate::archive::in_field;
use crate::primitive::{FString, NameFlags};
use crate::version::threshold::{self, ue4};
use crate::version::{UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Result};

/// A name of the package.
///
/// Spec: ue1-3/03 §3.1, ue4-5/03 §1. C++: `FNameEntry`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct NameEntry {
    /// The characters, which below 64 end at a zero byte and have no length; a range of the source until
    /// edited.
    #[archive(with = text)]
    pub text: FString,
    /// The flags that the saver had in memory, not in Mass Effect 3; from UE4 504 the hashes, two `u16`
    /// ([`NameEntry::hashes`]). One field
    /// for both, since rows of this table are many and no version has both.
    #[archive(when = has_tail(ar.versions()), with = tail)]
    pub flags: NameFlags,
}

impl NameEntry {
    /// The stored hashes, from UE4 504.
    #[inline]
    pub fn hashes(&self) -> NameHashes {
        NameHashes {
            case_folded: self.flags.0 as u16,
            case_preserving: (self.flags.0 >> 16) as u16,
        }
    }

    /// Replaces the hashes.
    #[inline]
    pub fn set_hashes(&mut self, hashes: NameHashes) {
        let (folded, preserving) = (hashes.case_folded, hashes.case_preserving);
        self.flags = NameFlags(u64::from(folded) | u64::from(preserving) << 16);
    }
}

#[inline]
fn has_tail(versions: &Versions) -> bool {
    versions.has_name_flags() || versions.ue4() >= ue4::NAME_HASHES_SERIALIZED
}

#[inline]
fn tail<A: Archive + ?Sized>(flags: &mut NameFlags, ar: &mut A) -> Result<()> {
    if ar.versions().has_name_flags() {
        return flags.serialize(ar);
    }
    let mut halves = [flags.0 as u16, (flags.0 >> 16) as u16];
    if ar.is_saving() && flags.0 > u64::from(u32::MAX) {
        let kind = crate::ErrorKind::OutOfRange { value: flags.0.into(), bits: 32 };
        return Err(ar.error(kind));
    }
    in_field("case_folded_hash", ar, |ar| ar.serialize_u16(&mut halves[0]))?;
    in_field("case_preserving_hash", ar, |ar| ar.serialize_u16(&mut halves[1]))?;
    if ar.is_loading() {
        *flags = NameFlags(u64::from(halves[0]) | u64::from(halves[1]) << 16);
    }
    Ok(())
}

/// The two hashes of a name: loaders pass over them, but every file of the engine has them.
///
/// Spec: ue4-5/03 §1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NameHashes {
    /// The same for all cases of letters. C++: `NonCasePreservingHash`.
    pub case_folded: u16,
    /// C++: `CasePreservingHash`.
    pub case_preserving: u16,
}

impl NameHashes {
    /// The hashes that the engine stores for a name.
    pub fn of(text: &str) -> Self {
        let wide = !text.is_ascii();
        let (mut folded, mut preserving) = (0u32, u32::MAX);
        for unit in text.encode_utf16() {
            let upper = match unit {
                0x61..=0x7a => unit - 0x20,
                _ => unit,
            };
            let [low, high] = upper.to_le_bytes();
            folded = folded >> 8 ^ CRC_MSB[usize::from(folded as u8 ^ low)];
            if wide {
                folded = folded >> 8 ^ CRC_MSB[usize::from(folded as u8 ^ high)];
            }
            let [low, high] = unit.to_le_bytes();
            for byte in [low, high, 0, 0] {
                preserving = preserving >> 8 ^ CRC_LSB[usize::from(preserving as u8 ^ byte)];
            }
        }
        Self { case_folded: folded as u16, case_preserving: !preserving as u16 }
    }
}

/// CRC-32 table, most significant bit first, polynomial 04C11DB7.
#[doc(hidden)]
pub const CRC_MSB: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = (at as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc >> 31 != 0 { crc << 1 ^ 0x04c1_1db7 } else { crc << 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

/// CRC-32 table, least significant bit first: zlib's.
#[doc(hidden)]
pub const CRC_LSB: [u32; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = at as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 != 0 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

#[inline]
fn text<A: Archive + ?Sized>(text: &mut FString, ar: &mut A) -> Result<()> {
    if ar.versions().file() < threshold::NAME_LENGTH_ADDED {
        FString::terminated(text, ar)
    } else {
        text.serialize(ar)
    }
}

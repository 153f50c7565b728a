//! Checksums in the headers of UE4 and UE5.

use super::Package;
use crate::table::{CRC_MSB, SAVED_HASH, Summary};
use crate::version::UnrealVersions;

/// The number that stands for a package's file name without path and extension: a CRC-32 of its upper-cased
/// UTF-16 text (spec: ue4-5/02 §8). C++: `PackageSource`.
///
/// ```
/// assert_eq!(unreal_packages::package::checksum::package_source("SimpleRefsRoot"), 0x2a39_51b7);
/// ```
pub fn package_source(base_name: &str) -> u32 {
    let upper = base_name.chars().flat_map(char::to_uppercase).collect::<String>();
    let mut crc = u32::MAX;
    for byte in upper.encode_utf16().flat_map(u16::to_le_bytes) {
        crc = crc << 8 ^ CRC_MSB[usize::from((crc >> 24) as u8 ^ byte)];
    }
    !crc
}

/// The hash of an uncooked package from UE5.6: the first bytes of BLAKE3 over everything before the
/// trailer, the hash itself being zero (spec: ue4-5/02 §8). `at` is where it stands. C++: `SavedHash`.
pub fn saved_hash(bytes: &[u8], at: usize) -> Option<[u8; SAVED_HASH]> {
    let (before, rest) = bytes.split_at_checked(at)?;
    let rest = rest.get(SAVED_HASH..)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(before).update(&[0; SAVED_HASH]).update(rest);
    hasher.finalize().as_bytes().first_chunk().copied()
}

/// Whether the stored hash is that of the source. `None` when the package has none, or is cooked or
/// without a trailer: what the hash covers then is not known.
pub fn saved_hash_is_right(package: &Package) -> Option<bool> {
    package.saved_hash_is_right_in(&package.source)
}

impl Package {
    /// Whether the stored hash is that of these bytes.
    pub(super) fn saved_hash_is_right_in(&self, source: &[u8]) -> Option<bool> {
        if let Some(stored) = self.hash_was_right {
            return Some(stored);
        }
        let (at, end) = self.hashed_range(&self.tables.summary, source)?;
        let stored = self.tables.summary.saved_hash;
        Some(saved_hash(source.get(..end)?, at)? == stored)
    }

    /// Whether the package has a hash that a save brings up to date.
    pub(super) fn has_saved_hash(&self) -> bool {
        self.hash_was_right.is_some()
            || self.hashed_range(&self.tables.summary, &self.source).is_some()
    }

    /// Where the hash stands and where what it covers ends, by a header of these bytes.
    fn hashed_range(&self, summary: &Summary, bytes: &[u8]) -> Option<(usize, usize)> {
        let known = self.versions.ue5() >= crate::version::threshold::ue5::PACKAGE_SAVED_HASH
            && !self.versions.cooked();
        // Tag, then the five versions of a header that has a hash.
        let at = 4 + 5 * 4;
        let end = usize::try_from(summary.payload_toc_offset).ok()?;
        (known && end >= at + SAVED_HASH && end <= bytes.len()).then_some((at, end))
    }

    /// Brings the hash in `out` up to date, unless the stored one follows another rule.
    pub(super) fn seal(&self, summary: &Summary, out: &mut [u8], follows_rule: bool) {
        if follows_rule
            && let Some((at, end)) = self.hashed_range(summary, out)
            && let Some(hash) = out.get(..end).and_then(|covered| saved_hash(covered, at))
            && let Some(place) = out.get_mut(at..at + SAVED_HASH)
        {
            place.copy_from_slice(&hash);
        }
    }
}

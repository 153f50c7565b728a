//! Files that are no packages, known by their content.

use crate::compression::redirect::Redirect;
use crate::error::OtherFile;

/// The kind of a file; `None` where its bytes fit none.
pub fn recognise_file(file: &[u8]) -> Option<OtherFile> {
    recognise_parts(file, file, file.len() as u64)
}

/// The same for a file of this length, of which only the start and the end are at hand.
pub(super) fn recognise_parts(file: &[u8], end: &[u8], length: u64) -> Option<OtherFile> {
    const STARTS: [(&[u8], OtherFile); 13] = [
        (b"GVAS", OtherFile::SaveGame),
        (b"CMTAGVAS", OtherFile::PackedSaveGame),
        // GUIDs that these begin with (spec: ue4-5/14 §2, §3).
        (
            b"\x0e\x14\x74\x75\x67\x4a\x03\xfc\x4a\x15\x90\x9d\xc3\x37\x7f\x1b",
            OtherFile::LocalizedTexts,
        ),
        (
            b"\xe7\x9e\x7f\x71\x3a\x49\xb0\xe9\x32\x91\xb3\x88\x07\x81\x38\x1b",
            OtherFile::AssetRegistry,
        ),
        (
            b"\x4f\xee\x4c\xa1\x68\x48\x55\x83\x6c\x4c\x46\xbd\x70\xda\x50\x7c",
            OtherFile::LocalizationMeta,
        ),
        (b"\xc4\x30", OtherFile::Mappings),
        (b"-==--==--==--==-", OtherFile::IoStore),
        (b"PK\x03\x04", OtherFile::Archive),
        (b"7z\xbc\xaf\x27\x1c", OtherFile::Archive),
        (b"Rar!\x1a\x07", OtherFile::Archive),
        (b"\x1f\x8b\x08", OtherFile::Archive),
        (b"MZ", OtherFile::Program),
        (b"version https://git-lfs", OtherFile::GitPointer),
    ];
    if let Some((_, kind)) = STARTS.iter().find(|(start, _)| file.starts_with(start)) {
        return Some(*kind);
    }
    if [b"PlZ", b"PlM", b"CNK"].iter().any(|magic| file.get(8..11) == Some(magic.as_slice())) {
        return Some(OtherFile::PackedSaveGame);
    }
    if let Some(kind) = pak(end) {
        return Some(kind);
    }
    if is_umod(end, length) {
        return Some(OtherFile::Umod);
    }
    if is_zen(file, length) {
        return Some(OtherFile::ZenPackage);
    }
    Redirect::recognise(file).map(|_| OtherFile::Redirect)
}

/// The words that stand this far before the end of a file.
fn word_before_end(file: &[u8], distance: usize) -> Option<u32> {
    let start = file.len().checked_sub(distance)?;
    Some(u32::from_le_bytes(*file.get(start..)?.first_chunk()?))
}

/// The tag stands at one of these places before the end, by the version behind it, and right behind a byte that says
/// whether the index is encrypted (spec: ue4-5/10 §2).
fn pak(file: &[u8]) -> Option<OtherFile> {
    const TAG: u32 = 0x5A6F_12E1;
    const PLACES: [usize; 6] = [44, 172, 204, 205, 208, 245];
    /// Below it nothing is encrypted.
    const INDEX_ENCRYPTION: u32 = 4;
    PLACES.iter().find_map(|&place| {
        let version = word_before_end(file, place - 4).filter(|version| (1..64).contains(version));
        let version = version.filter(|_| word_before_end(file, place) == Some(TAG))?;
        let flag = file.len().checked_sub(place + 1).and_then(|at| file.get(at));
        let is_locked = version >= INDEX_ENCRYPTION && flag == Some(&1);
        Some(if is_locked { OtherFile::LockedPak } else { OtherFile::Pak })
    })
}

/// The last 20 bytes begin with the tag, and say the size of the file.
fn is_umod(file: &[u8], length: u64) -> bool {
    const TAG: u32 = 0x9FE3_C5A3;
    word_before_end(file, 20) == Some(TAG)
        && word_before_end(file, 12).map(u64::from) == Some(length)
}

/// Whether a summary of UE5's form stands at the start: a flag, the size of the header, offsets that ascend within
/// it (spec: ue4-5/12 §5).
fn is_zen(file: &[u8], length: u64) -> bool {
    let word = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
    let offsets = (24..44).step_by(4).map(word).collect::<Option<Vec<_>>>();
    let (Some(0 | 1), Some(header), Some(offsets)) = (word(0), word(4), offsets) else {
        return false;
    };
    u64::from(header) <= length
        && offsets[0] >= 44
        && offsets.windows(2).all(|pair| pair[0] <= pair[1])
        && offsets.last().is_some_and(|last| *last <= header)
}

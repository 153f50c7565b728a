//! The hash by which files are found.

/// FNV-1a with 64 bits.
const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x100_0000_01b3;

/// The hash of a path from the mount point, whose case does not count; from version 11.
///
/// Spec: ue4-5/10 §5.
pub fn path_hash(path: &str, seed: u64) -> u64 {
    let units = path.chars().flat_map(char::to_lowercase);
    let mut hash = START.wrapping_add(seed);
    for char in units {
        for unit in char.encode_utf16(&mut [0; 2]) {
            for byte in unit.to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
            }
        }
    }
    hash
}

//! Contents of files.

/// Bytes that compress somewhat and differ by seed.
pub fn content(size: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(size);
    while bytes.len() < size {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let run = (state >> 60) as usize + 1;
        bytes.extend(std::iter::repeat_n((state >> 32) as u8, run));
    }
    bytes.truncate(size);
    bytes
}

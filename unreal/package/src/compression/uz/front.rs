//! The third stage: each byte as its place in a list of all bytes, where it then moves to the front.

/// The list at the start.
fn places() -> [u8; 256] {
    std::array::from_fn(|at| at as u8)
}

/// Bytes to places.
pub(super) fn pack(bytes: &mut [u8]) {
    let mut list = places();
    for byte in bytes {
        let at = list.iter().position(|listed| listed == byte).unwrap_or_default();
        list[..=at].rotate_right(1);
        *byte = at as u8;
    }
}

/// Places to bytes.
pub(super) fn unpack(bytes: &mut [u8]) {
    let mut list = places();
    for byte in bytes {
        let at = usize::from(*byte);
        *byte = list[at];
        list[..=at].rotate_right(1);
    }
}

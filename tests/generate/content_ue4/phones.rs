//! Textures of phones, beside what another decoder (the Python package `texture2ddecoder` 1.0.5) makes of the same bytes.

use super::pixels;

/// Bytes that look like none: all modes of blocks are among them.
fn any(count: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..count).map(next).collect()
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

fn decoded(format: &str, bytes: usize) -> Vec<[u8; 4]> {
    pixels(format, (64, 64), &any(bytes)).to_rgba()
}

#[test]
fn colours_are_those_of_another_decoder() {
    assert_eq!(hash(decoded("PF_ETC2_RGB", 2048).as_flattened()), 0xc2e0_fc7c_e151_5344);
    assert_eq!(hash(decoded("PF_ETC2_RGBA", 4096).as_flattened()), 0xc66a_ab4e_3d2b_c231);
}

#[test]
fn channels_of_eleven_bits_are_those_of_another_decoder() {
    let reds = |texels: Vec<[u8; 4]>| [0, 1, 2, 3].map(|at: usize| texels[at][0]);
    let near = |one: [u8; 4]| {
        one.iter().zip([140_u8, 68, 116, 164]).all(|(one, other)| one.abs_diff(other) <= 1)
    };
    let gray = decoded("PF_ETC2_R11_EAC", 2048);
    assert!(gray.iter().all(|[r, g, b, a]| r == g && g == b && *a == 255));
    assert!(near(reds(gray.clone())), "{:?}", reds(gray));
    let two = decoded("PF_ETC2_RG11_EAC", 4096);
    assert!(near(reds(two.clone())), "{:?}", reds(two));
    let greens = [0, 1, 2, 3].map(|at: usize| two[at][1]);
    assert!(greens.iter().zip([226_u8, 217, 190, 250]).all(|(it, other)| it.abs_diff(other) <= 1));
}

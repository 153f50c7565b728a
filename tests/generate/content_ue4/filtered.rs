//! Sources of textures whose rows are stored as differences.

use unreal_packages::content::source_delta::{decode, encode};

/// Bytes without a pattern.
fn noise(length: usize) -> Vec<u8> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(7), next)
        .map(|state: u32| (state >> 24) as u8)
        .take(length)
        .collect()
}

#[test]
fn sources_that_are_filtered_come_back() {
    let sides =
        [(1, 1), (16, 16), (21, 1), (100, 100), (256, 256), (300, 200), (2048, 64), (5000, 33)];
    for ((width, height), texel) in sides.into_iter().flat_map(|it| [1, 2, 4, 8].map(|n| (it, n))) {
        let picture = noise(width as usize * height as usize * texel);
        let mut bytes = picture.clone();
        encode(&mut bytes, width, height, texel).unwrap();
        assert_eq!(bytes == picture, height == 1, "{width} by {height}, {texel}");
        decode(&mut bytes, width, height, texel).unwrap();
        assert!(bytes == picture, "{width} by {height}, {texel}");
    }
}

/// Each part begins with a row as it is: a strip has as many rows a part as 32,768 texels have, evenly parted.
#[test]
fn parts_of_filtered_sources_begin_with_a_row_as_it_is() {
    for (width, height, texel, rows) in [
        (128_u32, 128_u32, 4_usize, 128_usize),
        // Up to 136 by 136 texels it is one part, then up to twice 32,768.
        (136, 136, 4, 136),
        (300, 200, 4, 200),
        (256, 256, 4, 128),
        (512, 128, 4, 64),
        (1024, 64, 4, 32),
        (4096, 64, 4, 32),
        (2048, 128, 1, 16),
        // Three parts of 100 rows.
        (1000, 100, 1, 34),
    ] {
        let row = width as usize * texel;
        let mut bytes = vec![9; row * height as usize];
        encode(&mut bytes, width, height, texel).unwrap();
        for (index, row) in bytes.chunks(row).enumerate() {
            let expected = if index % rows == 0 { 9 } else { 0 };
            assert!(row.iter().all(|byte| *byte == expected), "{width}: row {index}");
        }
    }
}

/// Rows of more than 4,096 bytes are parted into strips, the last of which is narrower and so has longer parts.
#[test]
fn strips_of_filtered_sources_have_parts_of_their_own() {
    let (width, height, texel) = (1100, 118, 4);
    let mut bytes = vec![9; width * height * texel];
    encode(&mut bytes, width as u32, height as u32, texel).unwrap();
    // Two strips: of 560 texels (2,240 bytes) and of 540.
    let rows = |column: usize| {
        let texels = bytes.chunks(width * texel).map(|row| row[column]);
        texels.enumerate().filter(|(_, byte)| *byte == 9).map(|(row, _)| row).collect::<Vec<_>>()
    };
    assert_eq!(rows(0), [0, 59]);
    assert_eq!(rows(2239), [0, 59]);
    assert_eq!(rows(2240), [0]);
    assert_eq!(rows(4399), [0]);
}

#[test]
fn filtered_sources_without_texels_are_left() {
    for (width, height) in [(300, 200), (8192, 8192), (0, 4), (u32::MAX, u32::MAX)] {
        assert!(decode(&mut [0; 16], width, height, 4).is_none(), "{width} by {height}");
    }
    assert!(decode(&mut [0; 15], 2, 2, 4).is_none());
}

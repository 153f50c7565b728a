//! Texels in blocks of ETC1, ETC2 and EAC, as the graphics cards of phones decode them.
//!
//! No crate does it that is kept: the one that there is brings another one along that is given up. The layouts are those of
//! Khronos' data format specification.

/// How blocks are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EtcFormat {
    /// Red, green and blue in 8 bytes.
    Rgb,
    /// Alpha in 8 bytes, then the same.
    Rgba,
    /// One channel of 11 bits in 8 bytes.
    R11,
    /// Two of them.
    Rg11,
}

/// Texels along a side.
const SIDE: usize = 4;
type EtcBlock = [[u8; 4]; SIDE * SIDE];

/// How the two brightnesses of a half differ from its colour.
const MODIFIERS: [[i32; 2]; 8] =
    [[2, 8], [5, 17], [9, 29], [13, 42], [18, 60], [24, 80], [33, 106], [47, 183]];
/// How far colours of the modes T and H lie from each other.
const DISTANCES: [i32; 8] = [3, 6, 11, 16, 23, 32, 41, 64];
/// Steps of one channel.
const STEPS: [[i32; 8]; 16] = [
    [-3, -6, -9, -15, 2, 5, 8, 14],
    [-3, -7, -10, -13, 2, 6, 9, 12],
    [-2, -5, -8, -13, 1, 4, 7, 12],
    [-2, -4, -6, -13, 1, 3, 5, 12],
    [-3, -6, -8, -12, 2, 5, 7, 11],
    [-3, -7, -9, -11, 2, 6, 8, 10],
    [-4, -7, -8, -11, 3, 6, 7, 10],
    [-3, -5, -8, -11, 2, 4, 7, 10],
    [-2, -6, -8, -10, 1, 5, 7, 9],
    [-2, -5, -8, -10, 1, 4, 7, 9],
    [-2, -4, -8, -10, 1, 3, 7, 9],
    [-2, -5, -7, -10, 1, 4, 6, 9],
    [-3, -4, -7, -10, 2, 3, 6, 9],
    [-1, -2, -3, -10, 0, 1, 2, 9],
    [-4, -6, -8, -9, 3, 5, 7, 8],
    [-3, -5, -7, -9, 2, 4, 6, 8],
];

impl EtcFormat {
    fn block_size(self) -> usize {
        match self {
            Self::Rgb | Self::R11 => 8,
            Self::Rgba | Self::Rg11 => 16,
        }
    }

    /// Bytes of a picture of this size.
    pub fn data_size(self, (width, height): (u32, u32)) -> u64 {
        let side = SIDE as u32;
        let blocks = u64::from(width.div_ceil(side)) * u64::from(height.div_ceil(side));
        blocks * self.block_size() as u64
    }

    /// The texels of a picture, row by row, from as many bytes as it has: red, green, blue, alpha.
    pub fn decode(self, (width, height): (u32, u32), bytes: &[u8]) -> Vec<[u8; 4]> {
        let (width, height) = (width as usize, height as usize);
        let mut texels = vec![[0; 4]; width * height];
        let across = width.div_ceil(SIDE).max(1);
        for (at, stored) in bytes.chunks_exact(self.block_size()).enumerate() {
            let (left, top) = (at % across * SIDE, at / across * SIDE);
            let block = self.block(stored);
            for (y, row) in
                block.as_chunks::<SIDE>().0.iter().enumerate().take(height.saturating_sub(top))
            {
                let start = (top + y) * width + left;
                let count = SIDE.min(width - left);
                if let Some(place) = texels.get_mut(start..start + count) {
                    place.copy_from_slice(&row[..count]);
                }
            }
        }
        texels
    }

    fn block(self, stored: &[u8]) -> EtcBlock {
        let part = |at: usize| -> [u8; 8] {
            stored.get(at..).and_then(|it| it.first_chunk()).copied().unwrap_or_default()
        };
        let mut block = [[0, 0, 0, 255]; SIDE * SIDE];
        match self {
            Self::Rgb => colors(part(0), &mut block),
            Self::Rgba => {
                colors(part(8), &mut block);
                let [base, rest, ..] = part(0);
                let base = i32::from(base);
                let factor = i32::from(rest >> 4);
                let alpha = |step: i32| clamped(base + step * factor);
                steps(part(0), |texel, step| block[texel][3] = alpha(step));
            }
            Self::R11 => {
                channel(part(0), |texel, level| block[texel] = [level, level, level, 255]);
            }
            Self::Rg11 => {
                channel(part(0), |texel, level| block[texel][0] = level);
                channel(part(8), |texel, level| block[texel][1] = level);
            }
        }
        block
    }
}

fn clamped(level: i32) -> u8 {
    level.clamp(0, 255) as u8
}

/// The place of a texel in its block by rows; blocks count by columns.
fn place(number: usize) -> usize {
    number % SIDE * SIDE + number / SIDE
}

/// The step of each texel.
fn steps(stored: [u8; 8], mut each: impl FnMut(usize, i32)) {
    let table = STEPS[usize::from(stored[1] & 15)];
    let bits = u64::from_be_bytes(stored);
    for number in 0..SIDE * SIDE {
        let step = bits >> (45 - 3 * number) & 7;
        each(place(number), table[step as usize]);
    }
}

/// A channel of 11 bits, as 8.
fn channel(stored: [u8; 8], mut each: impl FnMut(usize, u8)) {
    let (base, factor) = (i32::from(stored[0]) * 8 + 4, i32::from(stored[1] >> 4) * 8);
    // Without a factor steps are those of 11 bits.
    let factor = factor.max(1);
    steps(stored, |texel, step| {
        let level = (base + step * factor).clamp(0, 2047);
        each(texel, ((level * 255 + 1023) / 2047) as u8);
    });
}

/// Red, green and blue, alpha as it is.
fn colors(stored: [u8; 8], block: &mut EtcBlock) {
    let [r, g, b, flags, ..] = stored.map(i32::from);
    let is_differential = flags & 2 != 0;
    if !is_differential {
        let pair = |byte: i32| [byte >> 4, byte & 15].map(|it| it * 17);
        return halves(stored, [pair(r), pair(g), pair(b)], block);
    }
    // The second colour as far from the first one as three bits say; where that is no colour, another mode begins.
    let pair = |byte: i32| {
        let first = byte >> 3;
        let second = first + ((byte & 7) ^ 4) - 4;
        [first, second]
    };
    let pairs = [pair(r), pair(g), pair(b)];
    let is_color = |pair: [i32; 2]| (0..32).contains(&pair[1]);
    match pairs.map(is_color) {
        [false, ..] => mode_t(stored, block),
        [_, false, _] => mode_h(stored, block),
        [_, _, false] => planar(stored, block),
        _ => halves(stored, pairs.map(|pair| pair.map(|it| it << 3 | it >> 2)), block),
    }
}

/// The number of each texel's paint, of two bits.
fn numbers(stored: [u8; 8]) -> impl Iterator<Item = (usize, usize)> {
    let bits = u64::from_be_bytes(stored);
    (0..SIDE * SIDE).map(move |number| {
        let (low, high) = (bits >> number & 1, bits >> (16 + number) & 1);
        (place(number), (high << 1 | low) as usize)
    })
}

fn put(texel: &mut [u8; 4], color: [i32; 3]) {
    for (place, level) in texel.iter_mut().zip(color) {
        *place = clamped(level);
    }
}

/// Two colours, each for a half of the block, and how bright a texel is.
fn halves(stored: [u8; 8], pairs: [[i32; 2]; 3], block: &mut EtcBlock) {
    let flags = stored[3];
    let tables = [flags >> 5 & 7, flags >> 2 & 7].map(|table| MODIFIERS[usize::from(table)]);
    let is_flipped = flags & 1 != 0;
    for (texel, number) in numbers(stored) {
        let (x, y) = (texel % SIDE, texel / SIDE);
        let half = usize::from(if is_flipped { y >= 2 } else { x >= 2 });
        let [small, large] = tables[half];
        let by = [small, large, -small, -large][number];
        put(&mut block[texel], pairs.map(|pair| pair[half] + by));
    }
}

fn paint(stored: [u8; 8], paints: [[i32; 3]; 4], block: &mut EtcBlock) {
    for (texel, number) in numbers(stored) {
        put(&mut block[texel], paints[number]);
    }
}

/// A colour, and three on a line.
fn mode_t(stored: [u8; 8], block: &mut EtcBlock) {
    let [a, b, c, d, ..] = stored.map(i32::from);
    let first = [(a >> 3 & 3) << 2 | a & 3, b >> 4, b & 15].map(|it| it * 17);
    let second = [c >> 4, c & 15, d >> 4].map(|it| it * 17);
    let by = DISTANCES[((d >> 2 & 3) << 1 | d & 1) as usize];
    let lighter = second.map(|it| it + by);
    let darker = second.map(|it| it - by);
    paint(stored, [first, lighter, second, darker], block);
}

/// Two colours on each of two lines.
fn mode_h(stored: [u8; 8], block: &mut EtcBlock) {
    let [a, b, c, d, ..] = stored.map(i32::from);
    let first = [a >> 3 & 15, (a & 7) << 1 | b >> 4 & 1, b & 8 | (b & 3) << 1 | c >> 7];
    let second = [c >> 3 & 15, (c & 7) << 1 | d >> 7, d >> 3 & 15];
    // Which of them is larger says the last bit of the distance.
    let by = DISTANCES[(d & 4 | (d & 1) << 1 | i32::from(first >= second)) as usize];
    let (first, second) = (first.map(|it| it * 17), second.map(|it| it * 17));
    let moved = |color: [i32; 3], by: i32| color.map(|it| it + by);
    paint(
        stored,
        [moved(first, by), moved(first, -by), moved(second, by), moved(second, -by)],
        block,
    );
}

/// Three colours at corners, between which all others lie.
fn planar(stored: [u8; 8], block: &mut EtcBlock) {
    let [a, b, c, d, e, f, g, h] = stored.map(i32::from);
    let six = |it: i32| it << 2 | it >> 4;
    let seven = |it: i32| it << 1 | it >> 6;
    let origin = [
        six(a >> 1 & 63),
        seven((a & 1) << 6 | b >> 1 & 63),
        six((b & 1) << 5 | c & 0x18 | (c & 3) << 1 | d >> 7),
    ];
    let right = [six((d >> 2 & 31) << 1 | d & 1), seven(e >> 1), six((e & 1) << 5 | f >> 3)];
    let below = [six((f & 7) << 3 | g >> 5), seven((g & 31) << 2 | h >> 6), six(h & 63)];
    for (texel, place) in block.iter_mut().enumerate() {
        let (x, y) = ((texel % SIDE) as i32, (texel / SIDE) as i32);
        put(
            place,
            [0, 1, 2].map(|at| {
                (x * (right[at] - origin[at]) + y * (below[at] - origin[at]) + 4 * origin[at] + 2)
                    >> 2
            }),
        );
    }
}

//! Pictures of many colours to 256.

use std::collections::HashMap;

use super::{Image, Pixels};

/// Below this alpha a texel of a masked texture is transparent.
pub(super) const TRANSPARENT_BELOW: u8 = 128;
/// Entries of a palette.
pub(super) const PALETTE_SIZE: usize = 256;
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// A picture as indices into a palette of 256 opaque colours; in a masked one, index 0 is transparent.
pub(super) fn quantized(image: &Image, masked: bool) -> (Vec<u8>, Vec<[u8; 4]>) {
    if let Pixels::Indexed { indices, palette } = image.pixels()
        && let Some(found) = as_it_is(indices, palette, masked)
    {
        return found;
    }
    let pixels = image.to_rgba();
    let first = usize::from(masked);
    let palette = palette_of(&pixels, masked);
    let mut nearest = Nearest::new(&palette, first);
    let index = |color: &[u8; 4]| match masked && color[3] < TRANSPARENT_BELOW {
        true => 0,
        false => nearest.find([color[0], color[1], color[2]]),
    };
    (pixels.iter().map(index).collect(), palette)
}

/// A palette of the picture's own stays, but that its transparent colour goes to index 0. `None` when
/// several are transparent or some half so.
fn as_it_is(indices: &[u8], palette: &[[u8; 4]], masked: bool) -> Option<(Vec<u8>, Vec<[u8; 4]>)> {
    let mut colors: Vec<_> = palette.iter().map(|color| opaque(*color)).collect();
    colors.resize(PALETTE_SIZE, BLACK);
    let mut clear = palette.iter().enumerate().filter(|(_, color)| color[3] < TRANSPARENT_BELOW);
    match (masked, clear.next(), clear.next()) {
        (false, ..) | (true, None | Some((0, _)), None) => Some((indices.to_vec(), colors)),
        (true, Some((at, _)), None) => {
            colors.swap(0, at);
            let at = at as u8;
            let swap = |&index: &u8| match index {
                0 => at,
                index if index == at => 0,
                index => index,
            };
            Some((indices.iter().map(swap).collect(), colors))
        }
        _ => None,
    }
}

fn opaque(color: [u8; 4]) -> [u8; 4] {
    [color[0], color[1], color[2], 255]
}

/// Exact where the picture has few enough colours, in the order in which they appear.
fn palette_of(pixels: &[[u8; 4]], masked: bool) -> Vec<[u8; 4]> {
    let visible = pixels.iter().filter(|color| !masked || color[3] >= TRANSPARENT_BELOW);
    let first = usize::from(masked);
    let mut palette = vec![BLACK; first];
    let mut seen = HashMap::new();
    for color in visible.clone() {
        seen.entry([color[0], color[1], color[2]]).or_insert_with(|| {
            palette.push(opaque(*color));
        });
        if seen.len() + first > PALETTE_SIZE {
            break;
        }
    }
    if palette.len() > PALETTE_SIZE {
        palette.truncate(first);
        let bytes: Vec<u8> = visible.flat_map(|color| opaque(*color)).collect();
        // Every pixel counts in small pictures; large ones are sampled.
        let sample = if bytes.len() > 1 << 20 { 10 } else { 1 };
        let quantizer = color_quant::NeuQuant::new(sample, PALETTE_SIZE - first, &bytes);
        let colors = quantizer.color_map_rgba();
        palette.extend(colors.as_chunks::<4>().0.iter().map(|color| opaque(*color)));
    }
    palette.resize(PALETTE_SIZE, BLACK);
    palette
}

/// Finds the nearest colour of a palette, remembering what it found.
#[derive(Debug)]
pub(super) struct Nearest<'a> {
    palette: &'a [[u8; 4]],
    /// Entries before this one are not used.
    first: usize,
    found: HashMap<[u8; 3], u8>,
}

impl<'a> Nearest<'a> {
    pub fn new(palette: &'a [[u8; 4]], first: usize) -> Self {
        Self { palette, first, found: HashMap::new() }
    }

    /// The first of the nearest entries.
    pub fn find(&mut self, color: [u8; 3]) -> u8 {
        if let Some(&index) = self.found.get(&color) {
            return index;
        }
        let distance = |entry: &[u8; 4]| -> u32 {
            let parts = entry.iter().zip(color).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2));
            parts.sum()
        };
        let entries = self.palette.iter().enumerate().skip(self.first).take(PALETTE_SIZE);
        let nearest = entries.min_by_key(|(_, entry)| distance(entry));
        let index = nearest.map_or(0, |(at, _)| at as u8);
        self.found.insert(color, index);
        index
    }

    /// The first entry of exactly this colour.
    pub fn exactly(&mut self, color: [u8; 3]) -> Option<u8> {
        let index = self.find(color);
        let entry = self.palette.get(usize::from(index))?;
        (entry[..3] == color).then_some(index)
    }
}

//! Pictures of many colours to 256.

use std::collections::{BTreeMap, HashMap};

use super::mips::{half, sources};
use super::{Image, Pixels};

/// Below this alpha a texel of a masked texture is transparent.
pub(super) const TRANSPARENT_BELOW: u8 = 128;
/// Entries of a palette.
pub(super) const PALETTE_SIZE: usize = 256;
const BLACK: [u8; 4] = [0, 0, 0, 255];

/// A picture as indices into a palette of 256 opaque colours; in a masked one, index 0 is transparent.
pub(super) fn quantized(image: &Image, masked: bool) -> (Vec<u8>, Vec<[u8; 4]>) {
    let pixels = image.to_rgba();
    let sides = (image.width(), image.height());
    if let Pixels::Indexed { indices, palette } = image.pixels()
        && let Some((indices, mut colors)) = as_it_is(indices, palette, masked)
    {
        fill_with_means(&mut colors, pixels, sides, masked);
        return (indices, colors);
    }
    let first = usize::from(masked);
    let mut palette = palette_of(&pixels, masked);
    fill_with_means(&mut palette, pixels.clone(), sides, masked);
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
    let colors: Vec<_> = palette.iter().map(|color| opaque(*color)).collect();
    let mut clear = palette.iter().enumerate().filter(|(_, color)| color[3] < TRANSPARENT_BELOW);
    match (masked, clear.next(), clear.next()) {
        (false, ..) | (true, None | Some((0, _)), None) => Some((indices.to_vec(), colors)),
        (true, Some((at, _)), None) => {
            let mut colors = colors;
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
    palette
}

/// Colours that are nearly the same count as one: 32 levels of a channel.
const LEVEL_BITS: u32 = 3;

/// Fills a palette to its end with colours of the smaller sizes: without them those of a picture with few colours could
/// only show these. The farthest from all that is there comes first.
fn fill_with_means(
    palette: &mut Vec<[u8; 4]>,
    pixels: Vec<[u8; 4]>,
    sides: (u32, u32),
    masked: bool,
) {
    palette.truncate(PALETTE_SIZE);
    let first = usize::from(masked);
    let distance = |one: [u8; 3], other: [u8; 3]| -> u32 {
        one.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let mut means: Vec<([u8; 3], u32)> = Vec::new();
    if palette.len() < PALETTE_SIZE {
        let to_palette = |color: [u8; 3]| {
            let known = palette.iter().skip(first).map(|it| distance([it[0], it[1], it[2]], color));
            known.min().unwrap_or(u32::MAX)
        };
        means = means_of(pixels, sides, masked)
            .into_iter()
            .map(|color| (color, to_palette(color)))
            .collect();
    }
    while palette.len() < PALETTE_SIZE {
        let farthest = means.iter().max_by_key(|(_, distance)| *distance);
        let Some(&(color, 1..)) = farthest else { break };
        palette.push([color[0], color[1], color[2], 255]);
        for (other, nearest) in &mut means {
            *nearest = (*nearest).min(distance(*other, color));
        }
    }
    palette.resize(PALETTE_SIZE, BLACK);
}

/// The colours of all smaller sizes, similar ones once.
fn means_of(mut pixels: Vec<[u8; 4]>, sides: (u32, u32), masked: bool) -> Vec<[u8; 3]> {
    let (mut width, mut height) = sides;
    let mut found: BTreeMap<[u8; 3], [u8; 3]> = BTreeMap::new();
    while width > 1 || height > 1 {
        let (wide, high) = half(width, height);
        let mut lower = Vec::with_capacity(wide as usize * high as usize);
        for y in 0..high {
            for x in 0..wide {
                let places = sources(x, y, width, height);
                let texel = |(x, y): (u32, u32)| {
                    pixels.get(y as usize * width as usize + x as usize).copied()
                };
                let four: Vec<_> = places.filter_map(texel).collect();
                let is_clear = |texel: &&[u8; 4]| masked && texel[3] < TRANSPARENT_BELOW;
                let clear = four.iter().filter(is_clear).count();
                if clear > 0 && clear * 2 >= four.len() {
                    lower.push([0; 4]);
                    continue;
                }
                let seen = four.iter().filter(|texel| !is_clear(texel));
                let count = (four.len() - clear).max(1) as u32;
                let mean = |channel: usize| {
                    let sum: u32 = seen.clone().map(|texel| u32::from(texel[channel])).sum();
                    ((sum + count / 2) / count) as u8
                };
                let color = [mean(0), mean(1), mean(2)];
                found.entry(color.map(|level| level >> LEVEL_BITS)).or_insert(color);
                lower.push([color[0], color[1], color[2], 255]);
            }
        }
        (pixels, width, height) = (lower, wide, high);
    }
    found.into_values().collect()
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

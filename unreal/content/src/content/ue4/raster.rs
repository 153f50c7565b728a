//! Pixels to work with: whatever a picture has, four channels of one kind.

use std::io::Cursor;

use super::picture::Picture;
use crate::content::mips::{Changes, half, sources};
use crate::content::{Image, Pixels};
use crate::error::{Error, Result};

/// Pixels that a file may ask for.
const LARGEST_AREA: u64 = 1 << 26;

/// A picture, row by row from the top.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::content) struct Raster {
    pub width: u32,
    pub height: u32,
    pub texels: RasterTexels,
}

/// The pixels of a [`Raster`]: red, green, blue, alpha.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::content) enum RasterTexels {
    Bytes(Vec<[u8; 4]>),
    Wide(Vec<[u16; 4]>),
    /// Linear, without bounds.
    Float(Vec<[f32; 4]>),
}

impl RasterTexels {
    fn bytes(&self) -> Option<&[[u8; 4]]> {
        if let Self::Bytes(texels) = self { Some(texels) } else { None }
    }

    fn wide(&self) -> Option<&[[u16; 4]]> {
        if let Self::Wide(texels) = self { Some(texels) } else { None }
    }

    fn float(&self) -> Option<&[[f32; 4]]> {
        if let Self::Float(texels) = self { Some(texels) } else { None }
    }
}

/// How the pixels of a larger size become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content) enum MipFilter {
    /// Colours for the eye: light is added, not numbers.
    Srgb,
    /// Numbers.
    Linear,
    /// Directions of length one.
    Normal,
}

impl Raster {
    /// The pixels of a picture.
    pub fn of(picture: Picture) -> Self {
        let sides = |width: u32, count: usize| {
            let height = (count as u32).checked_div(width).unwrap_or(0);
            (width, height)
        };
        let ((width, height), texels) = match picture {
            Picture::Image(image) => {
                let sides = (image.width(), image.height());
                let texels = match image.pixels() {
                    Pixels::Gray16(levels) => RasterTexels::Wide(
                        levels.iter().map(|&level| [level, level, level, u16::MAX]).collect(),
                    ),
                    _ => RasterTexels::Bytes(image.to_rgba()),
                };
                (sides, texels)
            }
            Picture::Wide(width, texels) => {
                (sides(width, texels.len()), RasterTexels::Wide(texels))
            }
            Picture::Float(width, texels) => {
                (sides(width, texels.len()), RasterTexels::Float(texels))
            }
        };
        Self { width, height, texels }
    }

    /// Reads a picture file: PNG with 8 or 16 bits a channel, Radiance HDR, BMP, PCX, TGA, JPEG.
    ///
    /// # Errors
    /// `Invalid` when it is none of these, damaged, or too large.
    pub fn read(file: &[u8]) -> Result<Self> {
        match file {
            [0x89, b'P', b'N', b'G', ..] if file.get(24) == Some(&16) => read_wide(file),
            [b'#', b'?', ..] => read_hdr(file),
            _ => Image::read(file).map(|image| Self::of(Picture::Image(image))),
        }
    }

    /// The same picture in pixels of the kind that `like` has. Eight bits are colours for the eye where colours
    /// without bounds are asked for.
    ///
    /// # Errors
    /// `Invalid` for colours without bounds where these have bounds.
    pub fn into_kind_of(self, like: &RasterTexels) -> Result<Self> {
        let (width, height) = (self.width, self.height);
        let texels = match (self.texels, like) {
            (RasterTexels::Bytes(from), RasterTexels::Wide(_)) => RasterTexels::Wide(
                from.iter().map(|texel| texel.map(|level| u16::from(level) * 257)).collect(),
            ),
            (RasterTexels::Bytes(from), RasterTexels::Float(_)) => {
                let color = |&[r, g, b, a]: &[u8; 4]| {
                    let light = |level: u8| to_light(f32::from(level) / 255.0);
                    [light(r), light(g), light(b), f32::from(a) / 255.0]
                };
                RasterTexels::Float(from.iter().map(color).collect())
            }
            (RasterTexels::Wide(from), RasterTexels::Bytes(_)) => RasterTexels::Bytes(
                from.iter().map(|texel| texel.map(|level| (level >> 8) as u8)).collect(),
            ),
            (RasterTexels::Wide(from), RasterTexels::Float(_)) => RasterTexels::Float(
                from.iter().map(|texel| texel.map(|level| f32::from(level) / 65_535.0)).collect(),
            ),
            (RasterTexels::Float(_), RasterTexels::Bytes(_) | RasterTexels::Wide(_)) => {
                return Err(Error::invalid(
                    "the picture has colours without bounds (HDR), the texture has not: save it as PNG",
                ));
            }
            (texels, _) => texels,
        };
        Ok(Self { width, height, texels })
    }

    /// Which pixels differ from those of a picture of the same size and kind.
    pub fn changes(&self, other: &Self) -> Changes {
        fn differ<T: PartialEq>(one: &[T], other: &[T]) -> Vec<bool> {
            one.iter().zip(other).map(|(one, other)| one != other).collect()
        }
        let at = match (&self.texels, &other.texels) {
            (RasterTexels::Bytes(one), RasterTexels::Bytes(other)) => differ(one, other),
            (RasterTexels::Wide(one), RasterTexels::Wide(other)) => differ(one, other),
            (RasterTexels::Float(one), RasterTexels::Float(other)) => differ(one, other),
            _ => return Changes::all(self.width, self.height),
        };
        Changes::of(self.width, self.height, at)
    }

    /// Takes the alpha of a picture of the same size and kind, where its own is not to count.
    pub fn take_alpha(&mut self, of: &Self) {
        if let (RasterTexels::Float(to), RasterTexels::Float(from)) = (&mut self.texels, &of.texels)
        {
            for (to, from) in to.iter_mut().zip(from) {
                to[3] = from[3];
            }
        }
    }

    /// This picture, with the changed pixels of another one of the same size and kind.
    pub fn with_changes(mut self, other: &Self, changes: &Changes) -> Self {
        let width = self.width;
        let place = |at: usize| (at as u32 % width, at as u32 / width);
        let has = |at: usize| {
            let (x, y) = place(at);
            changes.has(x, y)
        };
        match (&mut self.texels, &other.texels) {
            (RasterTexels::Bytes(to), RasterTexels::Bytes(from)) => copy(to, from, has),
            (RasterTexels::Wide(to), RasterTexels::Wide(from)) => copy(to, from, has),
            (RasterTexels::Float(to), RasterTexels::Float(from)) => copy(to, from, has),
            _ => {}
        }
        self
    }

    /// A picture of this size whose pixels are those at other places of this one.
    pub fn gathered(
        &self,
        width: u32,
        height: u32,
        place: impl Fn(u32, u32) -> (u32, u32),
    ) -> Self {
        let own = self.width as usize;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let rows = places.map(|(x, y)| place(x, y)).map(|(x, y)| y as usize * own + x as usize);
        fn pick<T: Copy + Default>(from: &[T], rows: impl Iterator<Item = usize>) -> Vec<T> {
            rows.map(|at| from.get(at).copied().unwrap_or_default()).collect()
        }
        let texels = match &self.texels {
            RasterTexels::Bytes(texels) => RasterTexels::Bytes(pick(texels, rows)),
            RasterTexels::Wide(texels) => RasterTexels::Wide(pick(texels, rows)),
            RasterTexels::Float(texels) => RasterTexels::Float(pick(texels, rows)),
        };
        Self { width, height, texels }
    }

    /// A picture of this size that this one fills again and again.
    pub fn repeated(&self, (width, height): (u32, u32)) -> Self {
        self.gathered(width, height, |x, y| (x % self.width.max(1), y % self.height.max(1)))
    }

    /// An empty picture of this size with pixels of the same kind.
    pub fn blank_like(&self, width: u32, height: u32) -> Self {
        let area = width as usize * height as usize;
        let texels = match &self.texels {
            RasterTexels::Bytes(_) => RasterTexels::Bytes(vec![[0; 4]; area]),
            RasterTexels::Wide(_) => RasterTexels::Wide(vec![[0; 4]; area]),
            RasterTexels::Float(_) => RasterTexels::Float(vec![[0.0; 4]; area]),
        };
        Self { width, height, texels }
    }

    /// Takes a square of a picture of the same kind to a place; what lies beyond an edge is left out.
    pub fn put(&mut self, to: (u32, u32), from: &Self, first: (u32, u32), side: u32) {
        let sides = ((self.width, self.height), (from.width, from.height));
        match (&mut self.texels, &from.texels) {
            (RasterTexels::Bytes(own), RasterTexels::Bytes(texels)) => {
                put_square(own, to, texels, first, side, sides);
            }
            (RasterTexels::Wide(own), RasterTexels::Wide(texels)) => {
                put_square(own, to, texels, first, side, sides);
            }
            (RasterTexels::Float(own), RasterTexels::Float(texels)) => {
                put_square(own, to, texels, first, side, sides);
            }
            _ => {}
        }
    }

    /// The same as textures hold it.
    pub fn into_picture(self) -> Result<Picture> {
        Ok(match self.texels {
            RasterTexels::Bytes(texels) => {
                Picture::Image(Image::from_rgba(self.width, self.height, texels)?)
            }
            RasterTexels::Wide(texels) => Picture::Wide(self.width, texels),
            RasterTexels::Float(texels) => Picture::Float(self.width, texels),
        })
    }

    /// Some rows of it.
    pub fn rows(&self, first: u32, count: u32) -> Self {
        let start = first as usize * self.width as usize;
        let end = start + count as usize * self.width as usize;
        fn part<T: Copy>(texels: &[T], start: usize, end: usize) -> Vec<T> {
            texels.get(start..end).unwrap_or_default().to_vec()
        }
        let texels = match &self.texels {
            RasterTexels::Bytes(texels) => RasterTexels::Bytes(part(texels, start, end)),
            RasterTexels::Wide(texels) => RasterTexels::Wide(part(texels, start, end)),
            RasterTexels::Float(texels) => RasterTexels::Float(part(texels, start, end)),
        };
        Self { width: self.width, height: count, texels }
    }

    /// The next smaller size, which is made of all pixels.
    pub fn halved(&self, filter: MipFilter) -> Self {
        let (width, height) = half(self.width, self.height);
        let mut lower = self.blank_like(width, height);
        self.shrink(&mut lower, &Changes::all(width, height), filter);
        lower
    }

    /// The light of the first pixel: of colours for the eye linear, of others their numbers.
    pub fn light(&self, filter: MipFilter) -> Option<[f32; 4]> {
        match &self.texels {
            RasterTexels::Bytes(texels) => texels.first().map(|texel| {
                let [r, g, b, a] = texel.map(|level| f32::from(level) / 255.0);
                let light =
                    |level: f32| if filter == MipFilter::Srgb { to_light(level) } else { level };
                [light(r), light(g), light(b), a]
            }),
            RasterTexels::Wide(texels) => {
                texels.first().map(|texel| texel.map(|level| f32::from(level) / 65_535.0))
            }
            RasterTexels::Float(texels) => texels.first().copied(),
        }
    }

    /// Fills the changed pixels of the next smaller size.
    pub fn shrink(&self, lower: &mut Self, changes: &Changes, filter: MipFilter) {
        Self::shrink_all(&[self], lower, changes, filter);
    }

    /// Fills the changed pixels of the next smaller size of several pictures of one size and kind: slices of a volume
    /// become one.
    pub fn shrink_all(uppers: &[&Self], lower: &mut Self, changes: &Changes, filter: MipFilter) {
        let Some(upper) = uppers.first().map(|upper| (upper.width, upper.height)) else { return };
        let size = (lower.width, lower.height);
        match &mut lower.texels {
            RasterTexels::Bytes(to) => {
                let from = of_kind(uppers, RasterTexels::bytes);
                let light: [f32; 256] = std::array::from_fn(|level| match filter {
                    MipFilter::Srgb => to_light(level as f32 / 255.0),
                    _ => level as f32 / 255.0,
                });
                fill(&from, to, upper, size, changes, |four| {
                    let four = four.iter().map(|&[r, g, b, a]| {
                        let color = [r, g, b].map(|level| light[usize::from(level)]);
                        [color[0], color[1], color[2], f32::from(a) / 255.0]
                    });
                    let [r, g, b, a] = mean(four, filter);
                    let level = |part: f32| match filter {
                        MipFilter::Srgb => byte(from_light(part)),
                        _ => byte(part),
                    };
                    [level(r), level(g), level(b), byte(a)]
                });
            }
            RasterTexels::Wide(to) => {
                let from = of_kind(uppers, RasterTexels::wide);
                fill(&from, to, upper, size, changes, |four| {
                    let four = four.iter().map(|t| t.map(|level| f32::from(level) / 65_535.0));
                    mean(four, MipFilter::Linear).map(|part| (part * 65_535.0).round() as u16)
                });
            }
            RasterTexels::Float(to) => {
                let from = of_kind(uppers, RasterTexels::float);
                fill(&from, to, upper, size, changes, |four| {
                    let count = four.len().max(1) as f32;
                    std::array::from_fn(|channel| {
                        four.iter().map(|texel| texel[channel]).sum::<f32>() / count
                    })
                });
            }
        }
    }
}

/// The pixels of the pictures that have them in this kind.
fn of_kind<'a, T>(
    pictures: &[&'a Raster],
    kind: fn(&RasterTexels) -> Option<&[T]>,
) -> Vec<&'a [T]> {
    pictures.iter().filter_map(|picture| kind(&picture.texels)).collect()
}

fn put_square<T: Copy>(
    own: &mut [T],
    (left, top): (u32, u32),
    from: &[T],
    (x, y): (u32, u32),
    side: u32,
    ((width, height), (wide, high)): ((u32, u32), (u32, u32)),
) {
    let columns = side.min(width.saturating_sub(left)).min(wide.saturating_sub(x)) as usize;
    let rows = side.min(height.saturating_sub(top)).min(high.saturating_sub(y));
    let at = |x: u32, y: u32, width: u32| y as usize * width as usize + x as usize;
    for row in 0..rows {
        let from = from.get(at(x, y + row, wide)..).and_then(|rest| rest.get(..columns));
        let own = own.get_mut(at(left, top + row, width)..);
        if let Some((own, from)) = own.and_then(|rest| rest.get_mut(..columns)).zip(from) {
            own.copy_from_slice(from);
        }
    }
}

fn copy<T: Copy>(to: &mut [T], from: &[T], has: impl Fn(usize) -> bool) {
    for (at, (to, from)) in to.iter_mut().zip(from).enumerate() {
        if has(at) {
            *to = *from;
        }
    }
}

fn fill<T: Copy>(
    from: &[&[T]],
    to: &mut [T],
    (width, height): (u32, u32),
    (lower_width, lower_height): (u32, u32),
    changes: &Changes,
    mut mean: impl FnMut(&[T]) -> T,
) {
    let mut four = Vec::with_capacity(4 * from.len());
    for y in 0..lower_height {
        for x in 0..lower_width {
            if !changes.has(x, y) {
                continue;
            }
            four.clear();
            for (x, y) in sources(x, y, width, height) {
                let at = y as usize * width as usize + x as usize;
                four.extend(from.iter().filter_map(|from| from.get(at).copied()));
            }
            if let Some(texel) = to.get_mut(y as usize * lower_width as usize + x as usize) {
                *texel = mean(&four);
            }
        }
    }
}

/// The mean; colours count as much as they are visible.
fn mean(four: impl Iterator<Item = [f32; 4]> + Clone, filter: MipFilter) -> [f32; 4] {
    let count = four.clone().count().max(1) as f32;
    let alpha: f32 = four.clone().map(|texel| texel[3]).sum();
    let weight = |texel: &[f32; 4]| if alpha > 0.0 { texel[3] / alpha } else { 1.0 / count };
    let channel = |at: usize| four.clone().map(|texel| texel[at] * weight(&texel)).sum::<f32>();
    let mut color = [channel(0), channel(1), channel(2)];
    if filter == MipFilter::Normal {
        let direction = color.map(|part| part * 2.0 - 1.0);
        let length = direction.iter().map(|part| part * part).sum::<f32>().sqrt();
        // Directions that take each other away have no mean.
        if length > 1e-3 {
            color = direction.map(|part| part / length * 0.5 + 0.5);
        }
    }
    [color[0], color[1], color[2], alpha / count]
}

fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// The light of a level. Spec: IEC 61966-2-1.
fn to_light(level: f32) -> f32 {
    if level <= 0.040_45 { level / 12.92 } else { ((level + 0.055) / 1.055).powf(2.4) }
}

pub(super) fn from_light(light: f32) -> f32 {
    if light <= 0.003_130_8 { light * 12.92 } else { light.powf(1.0 / 2.4) * 1.055 - 0.055 }
}

/// A PNG with sixteen bits a channel.
fn read_wide(file: &[u8]) -> Result<Raster> {
    let fail = |why: png::DecodingError| Error::invalid(why.to_string());
    // Checks sides and length.
    let image = Image::read(file)?;
    let (width, height) = (image.width(), image.height());
    if let Pixels::Gray16(_) = image.pixels() {
        return Ok(Raster::of(Picture::Image(image)));
    }
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(fail)?;
    let size = reader.output_buffer_size().ok_or_else(|| Error::invalid("it is too large"))?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(fail)?;
    bytes.truncate(frame.buffer_size());
    let level = |pair: &[u8]| u16::from_be_bytes([pair[0], pair[1]]);
    let texels = match frame.color_type {
        png::ColorType::Rgba => {
            let texel = |t: &[u8]| std::array::from_fn(|at| level(&t[at * 2..at * 2 + 2]));
            bytes.chunks_exact(8).map(texel).collect()
        }
        png::ColorType::Rgb => {
            let texel = |t: &[u8]| [level(&t[..2]), level(&t[2..4]), level(&t[4..6]), u16::MAX];
            bytes.chunks_exact(6).map(texel).collect()
        }
        png::ColorType::GrayscaleAlpha => {
            let texel = |t: &[u8]| {
                let gray = level(&t[..2]);
                [gray, gray, gray, level(&t[2..4])]
            };
            bytes.chunks_exact(4).map(texel).collect()
        }
        _ => return Ok(Raster::of(Picture::Image(image))),
    };
    Ok(Raster { width, height, texels: RasterTexels::Wide(texels) })
}

/// Whether a file is an OpenEXR.
pub(super) fn is_exr(file: &[u8]) -> bool {
    file.starts_with(&[0x76, 0x2f, 0x31, 0x01])
}

/// An OpenEXR, and whether it says alpha.
#[cfg(feature = "exr")]
pub(super) fn read_exr(file: &[u8]) -> Result<(Raster, bool)> {
    let gave_up = || Err(Error::invalid("no OpenEXR picture: its decoder gave up"));
    crate::guard::guarded(|| decode_exr(file)).unwrap_or_else(gave_up)
}

#[cfg(feature = "exr")]
fn decode_exr(file: &[u8]) -> Result<(Raster, bool)> {
    use image::ImageDecoder;
    let fail = |why: image::ImageError| Error::invalid(format!("no OpenEXR picture: {why}"));
    let decoder = image::codecs::openexr::OpenExrDecoder::new(Cursor::new(file)).map_err(fail)?;
    let (width, height) = decoder.dimensions();
    let area = u64::from(width) * u64::from(height);
    // A byte of deflated data becomes at most 1,032, and a pixel has three numbers of two bytes at least.
    if area == 0 || area > LARGEST_AREA || area / 172 > file.len() as u64 {
        let length = file.len();
        let reason = format!("{length} bytes can't hold {width} by {height} pixels");
        return Err(Error::invalid(reason));
    }
    let has_alpha = decoder.color_type().has_alpha();
    let channels = if has_alpha { 4 } else { 3 };
    let mut bytes = vec![0; area as usize * channels * 4];
    decoder.read_image(&mut bytes).map_err(fail)?;
    let part = |texel: &[u8], at: usize| {
        f32::from_ne_bytes(std::array::from_fn(|byte| texel[at * 4 + byte]))
    };
    let texel =
        |t: &[u8]| [part(t, 0), part(t, 1), part(t, 2), if has_alpha { part(t, 3) } else { 1.0 }];
    let texels = RasterTexels::Float(bytes.chunks_exact(channels * 4).map(texel).collect());
    Ok((Raster { width, height, texels }, has_alpha))
}

#[cfg(not(feature = "exr"))]
pub(super) fn read_exr(_: &[u8]) -> Result<(Raster, bool)> {
    Err(Error::invalid("OpenEXR is not read here: save it as Radiance HDR (.hdr)"))
}

/// A Radiance HDR.
fn read_hdr(file: &[u8]) -> Result<Raster> {
    use image::ImageDecoder;
    let fail = |why: image::ImageError| Error::invalid(format!("no HDR picture: {why}"));
    let decoder = image::codecs::hdr::HdrDecoder::new(Cursor::new(file)).map_err(fail)?;
    let (width, height) = decoder.dimensions();
    let area = u64::from(width) * u64::from(height);
    // A run of 127 equal channels takes two bytes.
    if area == 0 || area > LARGEST_AREA || area / 64 > file.len() as u64 {
        let length = file.len();
        let reason = format!("{length} bytes can't hold {width} by {height} pixels");
        return Err(Error::invalid(reason));
    }
    let mut bytes = vec![0; area as usize * 12];
    decoder.read_image(&mut bytes).map_err(fail)?;
    let part = |texel: &[u8], at: usize| {
        f32::from_ne_bytes(std::array::from_fn(|byte| texel[at * 4 + byte]))
    };
    let texel = |t: &[u8]| [part(t, 0), part(t, 1), part(t, 2), 1.0];
    let texels = RasterTexels::Float(bytes.chunks_exact(12).map(texel).collect());
    Ok(Raster { width, height, texels })
}

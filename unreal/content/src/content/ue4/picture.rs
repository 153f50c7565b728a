//! Pictures of any depth, as files.

use half::f16;

use super::raster::from_light;

use crate::content::{Image, Pixels};
use crate::error::{Error, Result};

/// A picture as textures hold it.
#[derive(Debug, Clone)]
pub(in crate::content) enum Picture {
    /// Eight bits a channel, or sixteen of brightness.
    Image(Image),
    /// Sixteen bits a channel: width, pixels.
    Wide(u32, Vec<[u16; 4]>),
    /// Linear colours without bounds: width, pixels.
    Float(u32, Vec<[f32; 4]>),
}

/// The texels of one picture in a plain layout; their number is a multiple of the width.
pub(in crate::content) fn plain(layout: Plain, width: u32, bytes: &[u8]) -> Result<Picture> {
    let size = layout.size();
    let area = bytes.len() / size;
    let height = u32::try_from(area).ok().and_then(|area| area.checked_div(width)).unwrap_or(0);
    let image = |pixels| Image::new(width, height, pixels).map(Picture::Image);
    let two = || bytes.as_chunks::<2>().0.iter();
    let four = || bytes.as_chunks::<4>().0.iter();
    let float = |pixels| Ok(Picture::Float(width, pixels));
    let halves = |four: &[u8; 8]| {
        std::array::from_fn(|at| f16::from_le_bytes([four[at * 2], four[at * 2 + 1]]).to_f32())
    };
    match layout {
        Plain::Gray8 => image(Pixels::Gray(bytes.to_vec())),
        Plain::Gray16 => {
            image(Pixels::Gray16(two().map(|&pair| u16::from_le_bytes(pair)).collect()))
        }
        Plain::Bgra8 => image(Pixels::Rgba(four().map(|&[b, g, r, a]| [r, g, b, a]).collect())),
        Plain::Rgba8 => image(Pixels::Rgba(four().copied().collect())),
        Plain::Rg8 => image(Pixels::Rgba(two().map(|&[r, g]| [r, g, 0, 255]).collect())),
        Plain::SignedRg8 => {
            image(Pixels::Rgba(two().map(|&[x, y]| [x ^ 0x80, y ^ 0x80, 255, 255]).collect()))
        }
        Plain::Rgba16 => {
            let wide = |eight: &[u8; 8]| {
                std::array::from_fn(|at| u16::from_le_bytes([eight[at * 2], eight[at * 2 + 1]]))
            };
            Ok(Picture::Wide(width, bytes.as_chunks::<8>().0.iter().map(wide).collect()))
        }
        Plain::Bgre8 => float(
            four()
                .map(|&[b, g, r, e]| {
                    // A shared exponent; zero is black.
                    let scale = if e == 0 { 0.0 } else { (f32::from(e) - 136.0).exp2() };
                    [f32::from(r) * scale, f32::from(g) * scale, f32::from(b) * scale, 1.0]
                })
                .collect(),
        ),
        Plain::RgbaHalf => float(bytes.as_chunks::<8>().0.iter().map(halves).collect()),
        Plain::RedHalf => float(
            two()
                .map(|&pair| f16::from_le_bytes(pair).to_f32())
                .map(|red| [red, red, red, 1.0])
                .collect(),
        ),
        Plain::RedFloat => float(
            four().map(|&four| f32::from_le_bytes(four)).map(|red| [red, red, red, 1.0]).collect(),
        ),
        Plain::RgbaFloat => {
            let (pixels, _) = bytes.as_chunks::<16>();
            let channel = |pixel: &[u8; 16], at: usize| {
                f32::from_le_bytes(std::array::from_fn(|byte| pixel[at * 4 + byte]))
            };
            float(pixels.iter().map(|pixel| std::array::from_fn(|at| channel(pixel, at))).collect())
        }
    }
}

/// Texels without blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content) enum Plain {
    Gray8,
    Gray16,
    Bgra8,
    Rgba8,
    Rg8,
    SignedRg8,
    Rgba16,
    /// Colours with a shared exponent.
    Bgre8,
    RgbaHalf,
    RedHalf,
    RedFloat,
    RgbaFloat,
}

impl Plain {
    /// Bytes of a texel.
    pub fn size(self) -> usize {
        match self {
            Self::Gray8 => 1,
            Self::Gray16 | Self::Rg8 | Self::SignedRg8 | Self::RedHalf => 2,
            Self::Bgra8 | Self::Rgba8 | Self::Bgre8 | Self::RedFloat => 4,
            Self::Rgba16 | Self::RgbaHalf => 8,
            Self::RgbaFloat => 16,
        }
    }
}

impl Picture {
    /// The picture with eight bits a channel, or sixteen of brightness.
    ///
    /// # Errors
    /// `Invalid` when it has more than that.
    pub fn into_image(self) -> Result<Image> {
        match self {
            Self::Image(image) => Ok(image),
            Self::Wide(..) => {
                Err(Error::invalid("the picture has 16 bits a channel: take its file"))
            }
            Self::Float(..) => {
                Err(Error::invalid("the picture has colours without bounds: take its file"))
            }
        }
    }

    /// The picture as a screen shows it: of sixteen bits a channel the upper eight, of colours without bounds those up
    /// to white, in sRGB.
    ///
    /// # Errors
    /// `Invalid` for a picture without pixels.
    pub fn shown(self) -> Result<Image> {
        let (width, pixels) = match self {
            Self::Image(image) => return Ok(image),
            Self::Wide(width, pixels) => {
                let upper = |pixel: [u16; 4]| pixel.map(|level| (level >> 8) as u8);
                (width, pixels.into_iter().map(upper).collect::<Vec<_>>())
            }
            Self::Float(width, pixels) => {
                let shown = |[r, g, b, a]: [f32; 4]| {
                    let [r, g, b] = [r, g, b].map(srgb);
                    [r, g, b, (a.clamp(0.0, 1.0) * 255.0).round() as u8]
                };
                (width, pixels.into_iter().map(shown).collect())
            }
        };
        Image::from_rgba(width, height(width, pixels.len())?, pixels)
    }

    /// The picture as a file, with its extension: PNG, or Radiance HDR (without alpha) for colours without
    /// bounds.
    pub fn file(&self) -> Result<(&'static str, Vec<u8>)> {
        match self {
            Self::Image(image) => Ok(("png", image.to_png()?)),
            Self::Wide(width, pixels) => {
                let bytes: Vec<u8> =
                    pixels.iter().flatten().flat_map(|level| level.to_be_bytes()).collect();
                Ok(("png", wide_png(*width, height(*width, pixels.len())?, &bytes)?))
            }
            Self::Float(width, pixels) => {
                use image::{Rgb, codecs::hdr::HdrEncoder};
                let rgb: Vec<_> = pixels.iter().map(|&[r, g, b, _]| Rgb([r, g, b])).collect();
                let (columns, rows) = (*width as usize, height(*width, pixels.len())? as usize);
                let mut bytes = Vec::new();
                HdrEncoder::new(&mut bytes)
                    .encode(&rgb, columns, rows)
                    .map_err(|why| Error::invalid(format!("no HDR picture: {why}")))?;
                Ok(("hdr", bytes))
            }
        }
    }
}

/// A part of light as a byte (IEC 61966-2-1); what is no number is black.
pub(in crate::content) fn srgb(light: f32) -> u8 {
    (from_light(light.clamp(0.0, 1.0)) * 255.0).round() as u8
}

fn height(width: u32, area: usize) -> Result<u32> {
    let height = u32::try_from(area).ok().and_then(|area| area.checked_div(width));
    height.filter(|&height| height > 0).ok_or_else(|| Error::invalid("a picture without pixels"))
}

fn wide_png(width: u32, height: u32, bytes: &[u8]) -> Result<Vec<u8>> {
    let fail = |why: png::EncodingError| Error::invalid(format!("no PNG: {why}"));
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().map_err(fail)?;
    writer.write_image_data(bytes).map_err(fail)?;
    writer.finish().map_err(fail)?;
    Ok(file)
}

//! DDS files: texels as they are stored, with all sizes.

use ::dds::header::{Header, ParseOptions};
use ::dds::{DataLayout, DataRegion, Format};

use super::{Image, Pixels, blocks};
use crate::content::ue4::picture::{Picture, Plain, plain};
use crate::error::{Error, Result};

/// Magic number and what follows it at the least.
const SMALLEST: usize = 128;
/// No texture of these engines is larger.
const LARGEST_SIDE: u32 = 16_384;

/// Formats of DDS files by the names of the engine's. C++: `EPixelFormat`.
const FORMATS: &[(&str, Format)] = &[
    ("PF_DXT1", Format::BC1_UNORM),
    ("PF_DXT3", Format::BC2_UNORM),
    ("PF_DXT5", Format::BC3_UNORM),
    ("PF_BC4", Format::BC4_UNORM),
    ("PF_BC5", Format::BC5_UNORM),
    ("PF_BC6H", Format::BC6H_UF16),
    ("PF_BC7", Format::BC7_UNORM),
    ("PF_ASTC_4x4", Format::ASTC_4X4_UNORM),
    ("PF_ASTC_6x6", Format::ASTC_6X6_UNORM),
    ("PF_ASTC_8x8", Format::ASTC_8X8_UNORM),
    ("PF_ASTC_10x10", Format::ASTC_10X10_UNORM),
    ("PF_ASTC_12x12", Format::ASTC_12X12_UNORM),
    ("PF_B8G8R8A8", Format::B8G8R8A8_UNORM),
    ("PF_R8G8B8A8", Format::R8G8B8A8_UNORM),
    ("PF_G8", Format::R8_UNORM),
    ("PF_R8", Format::R8_UNORM),
    ("PF_A8", Format::A8_UNORM),
    ("PF_G16", Format::R16_UNORM),
    ("PF_R8G8", Format::R8G8_UNORM),
    ("PF_A16B16G16R16", Format::R16G16B16A16_UNORM),
    ("PF_R16G16B16A16_UNORM", Format::R16G16B16A16_UNORM),
    ("PF_FloatRGBA", Format::R16G16B16A16_FLOAT),
    ("PF_R16F", Format::R16_FLOAT),
    ("PF_R32_FLOAT", Format::R32_FLOAT),
    ("PF_A32B32G32R32F", Format::R32G32B32A32_FLOAT),
];

/// The format that texels of this name have in DDS files.
fn format_of(name: &str) -> Option<Format> {
    let known = FORMATS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    known.map(|(_, format)| *format)
}

/// A DDS file of one flat picture.
#[derive(Debug, Clone)]
pub(super) struct DdsFile {
    format: Format,
    /// Width, height, and where the texels stand, by size.
    sizes: Vec<((u32, u32), std::ops::Range<usize>)>,
    bytes: Vec<u8>,
}

impl DdsFile {
    /// Whether a file is one.
    pub fn is(file: &[u8]) -> bool {
        file.starts_with(b"DDS ")
    }

    /// Reads one.
    ///
    /// # Errors
    /// `Invalid` when it is damaged, too large, or holds a cube, an array or a volume.
    pub fn read(file: &[u8]) -> Result<Self> {
        let fail = |why: &dyn std::fmt::Display| Error::invalid(format!("no DDS picture: {why}"));
        let options = ParseOptions::new_permissive(Some(file.len() as u64));
        let mut rest = file;
        let header = Header::read(&mut rest, &options).map_err(|why| fail(&why))?;
        let format = Format::from_header(&header).map_err(|why| fail(&why))?;
        let layout = DataLayout::from_header(&header).map_err(|why| fail(&why))?;
        let texture = layout.texture();
        let texture = texture.ok_or_else(|| fail(&"it holds a cube, an array or a volume"))?;
        let start = file.len() - rest.len();
        let mut sizes = Vec::new();
        for mip in texture.iter_mips() {
            let size = (mip.width(), mip.height());
            let begin =
                usize::try_from(mip.data_offset()).ok().and_then(|at| start.checked_add(at));
            let length = usize::try_from(mip.data_len()).ok();
            let range = begin.zip(length).and_then(|(at, size)| Some(at..at.checked_add(size)?));
            let range = range.filter(|range| range.end <= file.len());
            let range = range.ok_or_else(|| fail(&"its texels are cut off"))?;
            if size.0 > LARGEST_SIDE || size.1 > LARGEST_SIDE {
                return Err(fail(&"it is too large"));
            }
            sizes.push((size, range));
        }
        Ok(Self { format, sizes, bytes: file.to_vec() })
    }

    /// Width and height of the largest size.
    pub fn size(&self) -> (u32, u32) {
        self.sizes.first().map_or((0, 0), |(size, _)| *size)
    }

    /// Whether its texels are stored as the engine's of this format.
    pub fn is_format(&self, name: &str) -> bool {
        format_of(name) == Some(self.format)
    }

    /// The texels of a size, if the file has it.
    pub fn texels(&self, level: usize) -> Result<Option<&[u8]>> {
        let Some((_, range)) = self.sizes.get(level) else { return Ok(None) };
        let texels = self.bytes.get(range.clone());
        texels.map(Some).ok_or_else(|| Error::invalid("the texels are cut off"))
    }

    /// The picture that it shows.
    ///
    /// # Errors
    /// `Invalid` for texels that are not decoded here.
    pub fn picture(&self) -> Result<Picture> {
        let (width, height) = self.size();
        let bytes = self.texels(0)?.unwrap_or_default();
        let layout = match self.format {
            Format::B8G8R8A8_UNORM => Plain::Bgra8,
            Format::R8G8B8A8_UNORM => Plain::Rgba8,
            Format::R8_UNORM | Format::A8_UNORM => Plain::Gray8,
            Format::R16_UNORM => Plain::Gray16,
            Format::R16G16B16A16_UNORM => Plain::Rgba16,
            Format::R16G16B16A16_FLOAT => Plain::RgbaHalf,
            Format::R32G32B32A32_FLOAT => Plain::RgbaFloat,
            Format::BC6H_UF16 => {
                let texels = blocks::decode_float(self.format, (width, height), bytes)?;
                return Ok(Picture::Float(width, texels));
            }
            kind => {
                let texels = blocks::decode(kind, (width, height), bytes)?;
                let image = Image::new(width, height, Pixels::Rgba(texels))?;
                return Ok(Picture::Image(image));
            }
        };
        plain(layout, width, bytes)
    }
}

/// A DDS file of texels of a format of the engine's, with all their sizes, the largest first, as they are.
///
/// # Errors
/// `Invalid` for a format that such files do not have.
pub(super) fn file(name: &str, (width, height): (u32, u32), sizes: &[Vec<u8>]) -> Result<Vec<u8>> {
    let format = format_of(name);
    let format = format
        .ok_or_else(|| Error::invalid(format!("DDS files have no texels of the format {name}")))?;
    let count = u32::try_from(sizes.len().max(1)).unwrap_or(1);
    let header = Header::new_image(width, height, format).with_mipmap_count(count);
    let mut file = Vec::with_capacity(SMALLEST + sizes.iter().map(Vec::len).sum::<usize>());
    header.write(&mut file).map_err(|why| Error::invalid(format!("no DDS picture: {why}")))?;
    sizes.iter().for_each(|texels| file.extend_from_slice(texels));
    Ok(file)
}

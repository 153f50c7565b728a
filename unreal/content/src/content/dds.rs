//! DDS files: texels as they are stored, with all sizes.

use std::borrow::Cow;

use ::dds::header::{Caps, Header, ParseOptions};
use ::dds::{DataLayout, DataRegion, Format, TextureArrayKind};

use super::texture_shape::TextureShape;
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

/// Where the texels of a DDS file stand behind its header.
///
/// Flat pictures, arrays and cubes: each picture with all of its sizes. Volumes: each size with all of its slices.
#[derive(Debug, Clone)]
struct DdsLayout {
    shape: TextureShape,
    /// From the largest on.
    levels: Vec<DdsLevel>,
    /// All bytes.
    length: usize,
}

/// The places of one size.
#[derive(Debug, Clone, Copy)]
struct DdsLevel {
    /// Width and height of a slice.
    size: (u32, u32),
    /// The first slice.
    start: usize,
    /// From one slice to the next.
    step: usize,
    /// Bytes of a slice.
    length: usize,
    slices: usize,
}

impl DdsLevel {
    /// The places of its slices.
    fn ranges(self) -> impl Iterator<Item = std::ops::Range<usize>> {
        (0..self.slices)
            .map(move |slice| self.start + slice * self.step)
            .map(move |start| start..start + self.length)
    }
}

impl DdsLayout {
    /// The layout that a header says.
    fn of(header: &Header) -> Result<Self> {
        let layout = DataLayout::from_header(header).map_err(|why| no_picture(&why))?;
        let many = || no_picture(&"it is too large");
        let number = |number: u64| usize::try_from(number).map_err(|_| many());
        let slices = |count: usize| u32::try_from(count).map_err(|_| many());
        let length = number(layout.data_len())?;
        let (shape, picture) = match layout {
            DataLayout::Volume(volume) => {
                let mut levels = Vec::new();
                for mip in volume.iter_mips() {
                    let slices = mip.depth() as usize;
                    let length = number(mip.data_len())? / slices.max(1);
                    let (size, start) = ((mip.width(), mip.height()), number(mip.data_offset())?);
                    levels.push(DdsLevel { size, start, step: length, length, slices });
                }
                let shape = TextureShape::Volume(volume.main().depth());
                return Ok(Self { shape, levels, length });
            }
            DataLayout::Texture(picture) => (TextureShape::Flat, Some(picture)),
            DataLayout::TextureArray(array) => {
                let shape = match array.kind() {
                    TextureArrayKind::Textures => TextureShape::array(slices(array.len())?),
                    TextureArrayKind::CubeMaps => TextureShape::Cubes(slices(array.len())? / 6),
                    TextureArrayKind::PartialCubeMap(faces) => {
                        let faces = faces.count();
                        return Err(no_picture(&format!(
                            "it has {faces} of the 6 faces of a cube"
                        )));
                    }
                };
                (shape, array.get(0))
            }
        };
        let picture = picture.ok_or_else(|| no_picture(&"it is empty"))?;
        let mut levels = Vec::new();
        let (step, slices) = (number(picture.data_len())?, shape.slices() as usize);
        for mip in picture.iter_mips() {
            let (size, length) = ((mip.width(), mip.height()), number(mip.data_len())?);
            levels.push(DdsLevel { size, start: number(mip.data_offset())?, step, length, slices });
        }
        Ok(Self { shape, levels, length })
    }
}

fn no_picture(why: &dyn std::fmt::Display) -> Error {
    Error::invalid(format!("no DDS picture: {why}"))
}

/// A DDS file: one flat picture, an array, cubes or a volume.
#[derive(Debug, Clone)]
pub(super) struct DdsFile {
    format: Format,
    layout: DdsLayout,
    /// The texels, behind the header.
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
    /// `Invalid` when it is damaged, too large, or holds some faces of a cube alone.
    pub fn read(file: &[u8]) -> Result<Self> {
        let options = ParseOptions::new_permissive(Some(file.len() as u64));
        let mut rest = file;
        let header = Header::read(&mut rest, &options).map_err(|why| no_picture(&why))?;
        let format = Format::from_header(&header).map_err(|why| no_picture(&why))?;
        let layout = DdsLayout::of(&header)?;
        let bytes = rest.get(..layout.length);
        let bytes = bytes.ok_or_else(|| no_picture(&"its texels are cut off"))?.to_vec();
        match layout.levels.first().map(|level| level.size) {
            Some((width, height)) if width.max(height) <= LARGEST_SIDE => {
                Ok(Self { format, layout, bytes })
            }
            _ => Err(no_picture(&"it is too large")),
        }
    }

    /// Its pictures.
    pub fn shape(&self) -> TextureShape {
        self.layout.shape
    }

    /// Refuses a file whose pictures do not belong together as those of a texture do.
    pub fn check_shape(&self, wanted: TextureShape) -> Result<()> {
        match self.shape() {
            shape if shape == wanted => Ok(()),
            shape => Err(Error::invalid(format!(
                "the DDS file holds {shape}, the texture {wanted}: take a file of such, or a picture (PNG, HDR) of all below \
                 each other"
            ))),
        }
    }

    /// Width and height of the largest size, all of its pictures below each other.
    pub fn size(&self) -> (u32, u32) {
        let (width, height) = self.layout.levels.first().map_or((0, 0), |level| level.size);
        (width, height.saturating_mul(self.shape().slices()))
    }

    /// Whether its texels are stored as the engine's of this format.
    pub fn is_format(&self, name: &str) -> bool {
        format_of(name) == Some(self.format)
    }

    /// How many sizes it has.
    pub fn levels(&self) -> usize {
        self.layout.levels.len()
    }

    /// The texels of a size, if the file has it: those of all pictures, one after the other.
    pub fn texels(&self, level: usize) -> Result<Option<Cow<'_, [u8]>>> {
        let Some(level) = self.layout.levels.get(level) else { return Ok(None) };
        let cut = || no_picture(&"its texels are cut off");
        if level.slices == 1 {
            let range = level.start..level.start + level.length;
            return self.bytes.get(range).map(|it| Some(Cow::Borrowed(it))).ok_or_else(cut);
        }
        let mut texels = Vec::with_capacity(level.slices * level.length);
        for range in level.ranges() {
            texels.extend_from_slice(self.bytes.get(range).ok_or_else(cut)?);
        }
        Ok(Some(Cow::Owned(texels)))
    }

    /// The picture that it shows, several below each other.
    ///
    /// # Errors
    /// `Invalid` for texels that are not decoded here.
    pub fn picture(&self) -> Result<Picture> {
        let level = self.layout.levels.first().ok_or_else(|| no_picture(&"it is empty"))?;
        let ((width, height), bytes) = (level.size, self.texels(0)?.unwrap_or_default());
        let slices = bytes.chunks_exact(level.length.max(1));
        let layout = match self.format {
            Format::B8G8R8A8_UNORM => Plain::Bgra8,
            Format::R8G8B8A8_UNORM => Plain::Rgba8,
            Format::R8_UNORM | Format::A8_UNORM => Plain::Gray8,
            Format::R16_UNORM => Plain::Gray16,
            Format::R16G16B16A16_UNORM => Plain::Rgba16,
            Format::R16G16B16A16_FLOAT => Plain::RgbaHalf,
            Format::R32G32B32A32_FLOAT => Plain::RgbaFloat,
            Format::BC6H_UF16 => {
                let mut texels = Vec::new();
                for slice in slices {
                    texels.extend(blocks::decode_float(self.format, (width, height), slice)?);
                }
                return Ok(Picture::Float(width, texels));
            }
            kind => {
                let mut texels = Vec::new();
                for slice in slices {
                    texels.extend(blocks::decode(kind, (width, height), slice)?);
                }
                let image = Image::new(width, self.size().1, Pixels::Rgba(texels))?;
                return Ok(Picture::Image(image));
            }
        };
        plain(layout, width, &bytes)
    }
}

/// The header of a DDS file of pictures of this size. Cubes and volumes have that of Direct3D 9, which every reader knows,
/// where it says the format; flat pictures and arrays that of Direct3D 10.
fn header(
    format: Format,
    shape: TextureShape,
    (width, height): (u32, u32),
    sizes: u32,
) -> Result<Header> {
    let header = match shape {
        TextureShape::Flat | TextureShape::Array(_) => Header::new_image(width, height, format),
        TextureShape::Cubes(_) => Header::new_cube_map(width, height, format),
        TextureShape::Volume(slices) => Header::new_volume(width, height, slices, format),
    };
    let header = header.with_mipmap_count(sizes);
    let count = match shape {
        TextureShape::Flat => return Ok(header),
        TextureShape::Array(count) | TextureShape::Cubes(count @ 2..) => count,
        TextureShape::Cubes(_) | TextureShape::Volume(_) => {
            let older = header.to_dx9().map(Header::Dx9);
            let says = |older: &Header| Format::from_header(older).is_ok_and(|it| it == format);
            return Ok(older.filter(says).unwrap_or(header));
        }
    };
    match header {
        Header::Dx10(header) => Ok(Header::Dx10(header.with_array_size(count))),
        Header::Dx9(_) => Err(Error::invalid(format!("DDS files have no {shape} in this format"))),
    }
}

/// A DDS file of texels of a format of the engine's, with all their sizes, the largest first, as they are: of each size
/// those of all pictures.
///
/// # Errors
/// `Invalid` for a format that such files do not have, and for sizes that are not halves of each other.
pub(super) fn file(
    name: &str,
    shape: TextureShape,
    size: (u32, u32),
    sizes: &[Vec<u8>],
) -> Result<Vec<u8>> {
    let format = format_of(name);
    let format = format
        .ok_or_else(|| Error::invalid(format!("DDS files have no texels of the format {name}")))?;
    let count = u32::try_from(sizes.len()).ok().filter(|count| *count > 0);
    let count = count.ok_or_else(|| Error::invalid("has no texels"))?;
    let header = header(format, shape, size, count)?;
    let layout = DdsLayout::of(&header)?;
    for (at, (level, texels)) in layout.levels.iter().zip(sizes).enumerate() {
        let (stored, wanted) = (texels.len(), level.slices * level.length);
        if stored != wanted {
            let (width, height) = level.size;
            return Err(Error::invalid(format!(
                "size {at} has {stored} bytes of texels, in DDS files {wanted} for {width} by {height} in {shape}"
            )));
        }
    }
    let mut file = Vec::with_capacity(SMALLEST + layout.length);
    let mut raw = header.to_raw();
    if shape != TextureShape::Flat {
        // The format asks for it where there are several pictures; the crate sets it for several sizes alone.
        raw.caps |= Caps::COMPLEX;
    }
    file.extend_from_slice(&Header::MAGIC);
    raw.write(&mut file).map_err(|why| no_picture(&why))?;
    let start = file.len();
    file.resize(start + layout.length, 0);
    for (level, texels) in layout.levels.iter().zip(sizes) {
        for (range, slice) in level.ranges().zip(texels.chunks_exact(level.length.max(1))) {
            file[start..][range].copy_from_slice(slice);
        }
    }
    Ok(file)
}

//! The picture that a texture was imported from.

use super::picture::{Picture, Plain, plain};
use super::pixel_format::{TexelLayout, layout_of};
use super::source_blocks::SourceBlocks;
use super::source_delta;
use crate::content::{Image, Pixels};
use crate::error::{Error, Result};
use crate::package::Package;
use crate::property::{PropertyList, Value};

/// The compression of sources from 5.5 on.
const DELTA: &str = "TSCF_UEDELTA";

/// Facts about the picture. C++: `FTextureSource`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SourceFacts {
    pub width: u32,
    pub height: u32,
    pub slices: u32,
    /// Its sizes, each half of the one before.
    pub mips: u32,
    /// C++: `ETextureSourceFormat`.
    pub format: String,
    /// C++: `ETextureSourceCompressionFormat`; empty for none.
    pub compression: String,
    /// Pictures that it is put together of; the reason where that is in a way that is not known.
    pub blocks: std::result::Result<Option<SourceBlocks>, String>,
}

impl SourceFacts {
    /// The facts of a texture's property `Source`.
    pub fn read(package: &Package, list: &PropertyList) -> Self {
        let get = |name| crate::content::values::value(package, list, name);
        let number = |name, default| match get(name) {
            Some(Value::Int(number)) => u32::try_from(*number).unwrap_or(0),
            _ => default,
        };
        let text = |name| match get(name) {
            Some(Value::Name(name)) => package.name_text(*name).to_string(),
            _ => String::new(),
        };
        let compression = match (get("bPNGCompressed"), text("CompressionFormat")) {
            (Some(Value::Bool(true)), text) if text.is_empty() => "TSCF_PNG".to_owned(),
            (_, text) if text == "TSCF_None" => String::new(),
            (_, text) => text,
        };
        let size = (number("SizeX", 0), number("SizeY", 0));
        let (slices, mips) = (number("NumSlices", 1), number("NumMips", 1));
        let blocks = SourceBlocks::read(package, list, size, slices <= 1 && mips <= 1);
        Self {
            width: size.0,
            height: size.1,
            slices,
            mips,
            format: text("Format"),
            compression,
            blocks: blocks.map_err(|error| error.to_string()),
        }
    }

    /// The name of the format, as [`layout_of`] has it.
    pub fn format_name(&self) -> String {
        format!("TSF_{}", self.format.strip_prefix("TSF_").unwrap_or(&self.format))
    }

    pub fn layout(&self) -> Option<Plain> {
        match layout_of(&self.format_name()) {
            Ok(TexelLayout::Plain(layout)) => Some(layout),
            _ => None,
        }
    }

    /// The stored file, where the payload is one.
    pub fn stored_file(payload: &[u8]) -> Option<&'static str> {
        match payload {
            [0x89, b'P', b'N', b'G', ..] => Some("png"),
            [0xff, 0xd8, 0xff, ..] => Some("jpg"),
            _ => None,
        }
    }

    /// Whether the rows of the texels stand less the rows above them.
    pub fn is_delta(&self) -> bool {
        self.compression == DELTA
    }

    /// Whether the stored file has red and blue in each other's place: the engine stores texels of blue, green, red
    /// as if they were red, green, blue.
    ///
    /// Sources of 5.5 and later, that are no files, and cooked texels of the same textures show it.
    pub fn is_swapped(&self) -> bool {
        matches!(self.layout(), Some(Plain::Bgra8)) && self.compression == "TSCF_PNG"
    }

    /// The texels of the largest size, all slices below each other.
    fn picture(&self, payload: &[u8]) -> Result<Picture> {
        if !self.compression.is_empty() && !self.is_delta() {
            let how = &self.compression;
            return Err(Error::invalid(format!(
                "its source is compressed as {how}, which is not known"
            )));
        }
        let blocks = self.blocks.as_ref().map_err(|why| Error::invalid(why.clone()))?;
        let format = &self.format;
        let layout = self
            .layout()
            .ok_or_else(|| Error::invalid(format!("its source has the format '{format}'")))?;
        let count = self.picture_count();
        let rows = u64::from(self.height) * u64::from(count);
        let size = u64::from(self.width) * rows * layout.size() as u64;
        let first = usize::try_from(size).ok().filter(|&size| size > 0);
        let first = first.and_then(|size| payload.get(..size)).ok_or_else(|| {
            let (width, height) = (self.width, self.height);
            let length = payload.len();
            Error::invalid(format!(
                "{length} bytes of source where {count} of {width} by {height} texels of {format} \
                 take {size}"
            ))
        })?;
        if !self.is_delta() && blocks.is_none() {
            return plain(layout, self.width, first);
        }
        let mut texels = first.to_vec();
        if self.is_delta() {
            self.undo_delta(layout, (self.width, self.height), &mut texels)?;
        }
        if let Some(blocks) = blocks {
            texels = blocks.joined(self.width as usize * layout.size(), self.height, &texels);
        }
        plain(layout, self.whole().0, &texels)
    }

    /// Width and height of all blocks together.
    pub fn whole(&self) -> (u32, u32) {
        let size = (self.width, self.height);
        match &self.blocks {
            Ok(Some(blocks)) => blocks.whole(size),
            _ => size,
        }
    }

    /// Pictures below each other, or blocks.
    fn picture_count(&self) -> u32 {
        match &self.blocks {
            Ok(Some(blocks)) => u32::try_from(blocks.count()).unwrap_or(u32::MAX),
            _ => self.slices.max(1),
        }
    }

    /// Takes the filter from the texels of a size, each slice by itself.
    pub fn undo_delta(&self, layout: Plain, size: (u32, u32), texels: &mut [u8]) -> Result<()> {
        self.each_slice(layout, size, texels, source_delta::decode)
    }

    /// Filters the texels of a size.
    pub fn filter(&self, layout: Plain, size: (u32, u32), texels: &mut [u8]) -> Result<()> {
        self.each_slice(layout, size, texels, source_delta::encode)
    }

    fn each_slice(
        &self,
        layout: Plain,
        (width, height): (u32, u32),
        texels: &mut [u8],
        work: impl Fn(&mut [u8], u32, u32, usize) -> Option<()>,
    ) -> Result<()> {
        let slices = self.picture_count();
        if matches!(layout, Plain::RgbaHalf | Plain::RedHalf | Plain::RedFloat | Plain::RgbaFloat) {
            let format = &self.format;
            let why = format!("its source is filtered as {DELTA}, which is not known for {format}");
            return Err(Error::invalid(why));
        }
        let length = texels.len();
        let parts = texels.chunks_exact_mut((length / slices as usize).max(1));
        for (index, slice) in parts.enumerate() {
            let held = slice.len();
            work(slice, width, height, layout.size()).ok_or_else(|| {
                Error::invalid(format!(
                    "slice {index} of its source has {held} bytes, too few for {width} by {height} texels that are \
                     filtered as {DELTA}"
                ))
            })?;
        }
        Ok(())
    }

    /// The picture as a file with its extension: as it is stored, where that is a file.
    pub fn file(&self, payload: Vec<u8>) -> Result<(&'static str, Vec<u8>)> {
        match Self::stored_file(&payload).filter(|_| !self.compression.is_empty()) {
            Some("png") if self.is_swapped() => Ok(("png", self.image(&payload)?.to_png()?)),
            Some(extension) => Ok((extension, payload)),
            None => self.picture(&payload)?.file(),
        }
    }

    /// The picture.
    pub fn image(&self, payload: &[u8]) -> Result<Image> {
        match Self::stored_file(payload).filter(|_| !self.compression.is_empty()) {
            Some("png") => {
                let image = Image::read(payload)?;
                let is_swapped = matches!(image.pixels(), Pixels::Rgba(_)) && self.is_swapped();
                if is_swapped { image.exchanged() } else { Ok(image) }
            }
            Some(_) => Err(Error::invalid("its source is a JPEG: take its file")),
            None => self.picture(payload)?.into_image(),
        }
    }

    /// The picture as a screen shows it.
    pub fn shown(&self, payload: &[u8]) -> Result<Image> {
        match Self::stored_file(payload).filter(|_| !self.compression.is_empty()) {
            Some("png") => self.image(payload),
            Some(_) => Image::read(payload),
            None => self.picture(payload)?.shown(),
        }
    }
}

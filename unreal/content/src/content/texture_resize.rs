//! Textures with pictures of another size.

use super::texels::as_stored;
use super::texture_mips::{compressed_mips, set_mips, ue1_mips, ue1_mut, ue3_mut, ue3_ref};
use super::texture_new::{MipChains, MipLevel, source_art};
use super::texture_replace::TextureParts;
use super::values::set_value;
use super::{Image, TextureFacts};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::inspect::PackageValues;
use crate::object::{Body, TextureFormat};
use crate::property::{PropertyList, Value};
use crate::version::EngineFacts;

/// Sizes, and what says them.
pub(super) trait TextureSizes {
    /// Another size: all mips are new.
    fn resize(&mut self, row: usize, new: &Image, facts: &TextureFacts, body: &Body) -> Result<()>;

    /// The second set of mips of another size, in their own format.
    fn resized_second(&self, new: &Image, single: bool, body: &Body) -> Result<Vec<MipLevel>>;

    /// A texture whose sizes stand in the package names no cache, and is not streamed from one.
    fn leave_cache(&mut self, row: usize) -> Result<()>;

    fn resize_properties(&self, list: &mut PropertyList, width: u32, height: u32);
}

impl TextureSizes for Edit {
    fn resize(&mut self, row: usize, new: &Image, facts: &TextureFacts, body: &Body) -> Result<()> {
        let path = self.exports().path(row);
        let (width, height) = (new.width(), new.height());
        let ue3 = self.versions().has_bulk_content();
        let powers = width.is_power_of_two() && height.is_power_of_two();
        if !ue3 && !powers {
            let reason = "the sides of a texture must be powers of two in this engine";
            return Err(Error::invalid(format!(
                "{path} can't be {width} by {height} texels; {reason}"
            )));
        }
        let second = compressed_mips(&body.native).filter(|mips| !mips.is_empty());
        let second = second.map(|mips| self.resized_second(new, mips.len() == 1, body));
        let second = second.transpose().map_err(|why| Error::invalid(format!("{path}: {why}")))?;
        let single = facts.mips == 1 || !powers;
        let levels: Vec<MipLevel> = self.chain(new, facts.format, facts.masked, single)?;
        let mips = levels.into_iter().map(|level| level.mip).collect();
        let art = match ue3_ref(&body.native) {
            Some(texture) if !texture.base.source_art.payload.is_empty() => Some(source_art(new)?),
            _ => None,
        };
        let mut list = body.properties.clone();
        if let Some(list) = &mut list {
            self.resize_properties(list, width, height);
        }
        self.change_body(row, |body| {
            set_mips(&mut body.native, mips);
            if let (Some(levels), Some(texture)) = (second, ue1_mut(&mut body.native)) {
                let levels = levels.into_iter().map(|level| level.mip).collect();
                texture.compressed = Some(ue1_mips(levels));
            }
            if let (Some(art), Some(texture)) = (art, ue3_mut(&mut body.native)) {
                texture.base.source_art = super::texture_mips::bulk(art);
            }
            body.properties = list;
            Ok(())
        })
    }

    fn resized_second(&self, new: &Image, single: bool, body: &Body) -> Result<Vec<MipLevel>> {
        let format = self.second_format(body).ok_or_else(|| {
            Error::invalid(
                "it has compressed mips of an unknown format, which would keep their size",
            )
        })?;
        let stored = match format {
            TextureFormat::P8 => new.clone(),
            format => as_stored(format, new)?,
        };
        self.chain(&stored, format, false, single)
    }

    fn leave_cache(&mut self, row: usize) -> Result<()> {
        let object = format!("#{row}");
        const CACHE: &str = "TextureFileCacheName";
        if self.values().property(&object, CACHE).is_ok() {
            self.remove_property(&object, CACHE)?;
        }
        self.set_property(&object, "NeverStream:bool", "True").map(drop)
    }

    fn resize_properties(&self, list: &mut PropertyList, width: u32, height: u32) {
        let side = |side: u32| Value::Int(i32::try_from(side).unwrap_or(i32::MAX));
        let bits = |side: u32| Value::Byte(side.max(1).ilog2() as u8);
        let wide = ["USize", "UClamp", "SizeX", "OriginalSizeX"];
        let high = ["VSize", "VClamp", "SizeY", "OriginalSizeY"];
        for name in wide {
            set_value(self, list, name, side(width));
        }
        for name in high {
            set_value(self, list, name, side(height));
        }
        set_value(self, list, "UBits", bits(width));
        set_value(self, list, "VBits", bits(height));
        let last = super::mips::full_chain(width, height) as i32 - 1;
        set_value(self, list, "MipTailBaseIdx", Value::Int(last));
    }
}

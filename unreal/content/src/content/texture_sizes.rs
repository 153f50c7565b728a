//! The sizes of a texture, each as a picture.

use std::path::Path;

use super::texture_mips;
use super::{Contents, Image};
use crate::error::{Error, Result};
use crate::inspect::texels;

impl Contents<'_> {
    /// Width and height of every size that a texture says it has, the largest first; one whose picture is that
    /// which it was imported from has none.
    ///
    /// # Errors
    /// As [`Contents::texture_facts`](crate::content::Contents::texture_facts).
    pub fn texture_sizes(&self, row: usize) -> Result<Vec<(u32, u32)>> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_sizes(row);
        }
        let (_, mips) = self.facts_of(row, &decoded.body)?;
        Ok(mips.iter().map(|mip| (mip.width, mip.height)).collect())
    }

    /// One of a texture's sizes as a file with its extension: a PNG, or an HDR without bounds. Texels of UE3 in
    /// texture file caches (`.tfc`) are found in these folders.
    ///
    /// # Errors
    /// As [`Contents::texture_image`](crate::content::Contents::texture_image); `NotFound` when it has no such size.
    pub fn texture_size_file(
        &self,
        row: usize,
        size: usize,
        folders: &[&Path],
    ) -> Result<(String, Vec<u8>)> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_size_file(row, size);
        }
        Ok(("png".to_owned(), self.size_image(row, size, folders)?.to_png()?))
    }

    /// The picture that a texture shows at one of its sizes.
    ///
    /// # Errors
    /// As [`Contents::texture_image`](crate::content::Contents::texture_image); `NotFound` when it has no such size.
    pub fn texture_size_image(&self, row: usize, size: usize) -> Result<Image> {
        self.size_image(row, size, &[])
    }

    /// The picture of a texture as a screen shows it, at its largest size or another one: where it has sixteen bits a
    /// channel the upper eight, where its colours have no bounds those up to white, in sRGB.
    ///
    /// # Errors
    /// As [`Contents::texture_size_image`](crate::content::Contents::texture_size_image), but that no depth is refused.
    pub fn texture_shown(&self, row: usize, size: Option<usize>) -> Result<Image> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_shown(row, size);
        }
        match size {
            Some(size) => self.texture_size_image(row, size),
            None => self.texture_image(row),
        }
    }

    fn size_image(&self, row: usize, size: usize, folders: &[&Path]) -> Result<Image> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_size_image(row, size);
        }
        let (mut facts, mips) = self.facts_of(row, &decoded.body)?;
        let path = || self.exports().path(row);
        let Some(mip) = mips.get(size) else {
            return Err(Error::invalid(format!("{} has no size {size}", path())));
        };
        (facts.width, facts.height) = (mip.width, mip.height);
        match &mip.texels {
            Some(texels) if texels.is_empty() => {
                Err(Error::invalid(format!("{}: has no texels: the game computes it", path())))
            }
            Some(texels) => self.picture(row, &facts, texels.bytes(self.source())?),
            None => self.picture(row, &facts, &texels(self, row, size, folders)?.bytes),
        }
    }
}

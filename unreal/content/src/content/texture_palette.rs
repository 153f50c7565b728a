//! Palettes of textures that get other pixels.

use super::quantize::{Nearest, TRANSPARENT_BELOW, quantized};
use super::texture_new::NewTextureParts;
use super::texture_replace::ReplaceTexture;
use super::values::{set_value, typed_mut};
use super::{Image, PackageContents, Pixels, TextureFacts};
use crate::PackageIndex;
use crate::archive::{Archived, Kind, References};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::object::geometry::Color;
use crate::object::ue1;
use crate::primitive::NameReferences;
use crate::property::Value;
use crate::version::UnrealVersions;

/// Palettes, which several textures may share.
pub(super) trait TexturePalettes {
    /// The picture in colours of the palette; with a new palette where the old one has not all of them.
    fn palettized(
        &self,
        row: usize,
        old: &Image,
        image: &Image,
        facts: &TextureFacts,
        options: &ReplaceTexture,
    ) -> Result<(Image, Option<Vec<[u8; 4]>>)>;

    /// Whether objects other than this texture use its palette.
    fn shares_palette(&self, row: usize, palette: usize, facts: &TextureFacts) -> bool;

    /// Gives a texture a new palette, beside it.
    fn give_palette(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()>;

    /// The exports whose bodies refer to an object.
    fn users_of(&self, index: PackageIndex) -> Vec<usize>;

    fn recolor(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()>;
}

impl TexturePalettes for Edit {
    fn palettized(
        &self,
        row: usize,
        old: &Image,
        image: &Image,
        facts: &TextureFacts,
        options: &ReplaceTexture,
    ) -> Result<(Image, Option<Vec<[u8; 4]>>)> {
        let Pixels::Indexed { indices: before, palette } = old.pixels() else {
            return Err(Error::invalid("a texture with a palette shows no indices"));
        };
        let rgb = |color: &[u8; 4]| [color[0], color[1], color[2]];
        let (width, height) = (image.width(), image.height());
        let picture = |indices: Vec<u8>| {
            Image::new(width, height, Pixels::Indexed { indices, palette: palette.clone() })
        };
        if let Pixels::Indexed { indices, palette: theirs } = image.pixels()
            && theirs.iter().zip(palette).all(|(one, other)| rgb(one) == rgb(other))
        {
            return Ok((picture(indices.clone())?, None));
        }
        let colors = image.to_rgba();
        let mut nearest = Nearest::new(palette, usize::from(facts.masked));
        let same_size = (old.width(), old.height()) == (width, height);
        let mut index = |(at, color): (usize, &[u8; 4])| {
            let clear = facts.masked && color[3] < TRANSPARENT_BELOW;
            let known = before.get(at).filter(|_| same_size).copied();
            // Where the same colour stands several times in the palette, the old index stays.
            match known {
                Some(known) if facts.masked && (known == 0) != clear => {}
                Some(known) if clear || rgb(&palette[usize::from(known)]) == rgb(color) => {
                    return Some(known);
                }
                _ => {}
            }
            match (clear, options.keep_palette) {
                (true, _) => Some(0),
                (false, true) => Some(nearest.find(rgb(color))),
                (false, false) => nearest.exactly(rgb(color)),
            }
        };
        if let Some(indices) = colors.iter().enumerate().map(&mut index).collect() {
            return Ok((picture(indices)?, None));
        }
        let path = self.exports().path(row);
        let advice = "keep the palette and take its nearest colours instead, or give the texture a palette \
                      of its own";
        let owner = self.contents().palette_row(facts);
        let why = match owner {
            _ if options.own_palette => None,
            None => Some(format!("the palette of {path}, in another package, has not")),
            Some(owner) => self.shares_palette(row, owner, facts).then(|| {
                format!("{} has not, which other objects use as well", self.exports().path(owner))
            }),
        };
        if let Some(why) = why {
            return Err(Error::invalid(format!("the picture has colours that {why}; {advice}")));
        }
        let (indices, colors) = quantized(image, facts.masked);
        let new = Image::new(width, height, Pixels::Indexed { indices, palette: colors.clone() })?;
        Ok((new, Some(colors)))
    }

    fn shares_palette(&self, row: usize, palette: usize, facts: &TextureFacts) -> bool {
        self.users_of(facts.palette).iter().any(|&user| user != row && user != palette)
    }

    fn give_palette(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()> {
        let palette = self.add_palette(&self.exports().path(row), colors)?;
        let package = self.clone();
        self.change_body(row, |body| {
            if let Some(list) = body.lists_mut().next() {
                set_value(&package, list, "Palette", Value::Object(palette));
            }
            Ok(())
        })
    }

    fn users_of(&self, index: PackageIndex) -> Vec<usize> {
        let context = self.decoding_context();
        let uses = |row: &usize| {
            let decoded = match self.bodies().decoded.get(row) {
                Some(decoded) => decoded.clone(),
                None => self.decode_with(*row, &context),
            };
            let mut body = decoded.body;
            let mut references = References::new(self.versions().of_bodies());
            let visited = body.serialize(&mut references).is_ok();
            let opaque = references.spans().iter().any(|(_, kind)| *kind == Kind::Opaque);
            // What is not decoded may refer to anything.
            !visited || opaque || references.objects().contains_key(&index.value())
        };
        (0..self.tables().exports.len()).filter(uses).collect()
    }

    fn recolor(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()> {
        self.change_body(row, |body| {
            let palette = typed_mut::<ue1::Palette>(body)?;
            palette.colors = colors.iter().map(|&bytes| Color { bytes }).collect();
            Ok(())
        })
    }
}

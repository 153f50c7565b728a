//! The pictures that a texture has at one size.

use super::pixel_encode::encode;
use super::pixel_format::decode;
use super::raster::{MipFilter, Raster};
use crate::content::mips::{Changes, half};
use crate::content::texture_shape::TextureShape;
use crate::error::{Error, Result};

/// One picture, those of an array or of cubes, or the slices of a volume: all of the same sides.
#[derive(Debug, Clone)]
pub(super) struct Slices {
    shape: TextureShape,
    rasters: Vec<Raster>,
}

impl Slices {
    /// The pictures of the largest size of a texture, which stand below each other: of sides in this proportion, where more
    /// than one is asked for and nothing else says where each ends.
    ///
    /// # Errors
    /// `Invalid` where they do not fill the picture.
    pub fn of(
        shape: TextureShape,
        picture: &Raster,
        proportion: Option<(u32, u32)>,
    ) -> Result<Self> {
        let count = shape.slices().max(1);
        let (width, height) = (picture.width, picture.height / count);
        let (name, proportion) = match shape {
            TextureShape::Flat => ("pictures", None),
            TextureShape::Cubes(_) => ("squares", Some((1, 1))),
            TextureShape::Volume(_) => ("slices", proportion),
            TextureShape::Array(_) => ("pictures", proportion),
        };
        let is_like = proportion.is_none_or(|(wide, high)| {
            u64::from(width) * u64::from(high) == u64::from(height) * u64::from(wide)
        });
        if height == 0 || height * count != picture.height || !is_like {
            let high = picture.height;
            let like = match proportion {
                Some((wide, high)) if wide != high => {
                    format!(", in the proportion {wide} to {high}")
                }
                Some(_) if name != "squares" => ", as wide as high".to_owned(),
                _ => String::new(),
            };
            return Err(Error::invalid(format!(
                "the picture is {width} by {high}: the texture has {count} {name} below each other{like}"
            )));
        }
        let rasters = (0..count).map(|slice| picture.rows(slice * height, height)).collect();
        Ok(Self { shape, rasters })
    }

    /// The pictures that the texels of a size show.
    ///
    /// # Errors
    /// As [`decode`].
    pub fn decode(
        shape: TextureShape,
        format: &str,
        size: (u32, u32),
        texels: &[u8],
    ) -> Result<Self> {
        let all = Raster::of(decode(format, size, texels)?);
        let count = all.height / size.1.max(1);
        let rasters = (0..count).map(|slice| all.rows(slice * size.1, size.1)).collect();
        Ok(Self { shape, rasters })
    }

    /// Width and height of each.
    pub fn size(&self) -> (u32, u32) {
        self.rasters.first().map_or((0, 0), |raster| (raster.width, raster.height))
    }

    /// The first of them.
    pub fn into_first(self) -> Option<Raster> {
        self.rasters.into_iter().next()
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.rasters.len()
    }

    /// Those of the next smaller size: two slices of a volume become one, other pictures stay for themselves.
    pub fn halved(&self, filter: MipFilter) -> Self {
        let (width, height) = self.size();
        let (width, height) = half(width, height);
        let pairs = if self.shape.is_volume() { 2 } else { 1 };
        // The last slice of an odd number is left out, as the last row is.
        let count = (self.count() / pairs).max(1);
        let lower = |(slice, upper): (usize, &Raster)| {
            let uppers: Vec<&Raster> =
                self.rasters.iter().skip(slice * pairs).take(pairs).collect();
            let mut lower = upper.blank_like(width, height);
            Raster::shrink_all(&uppers, &mut lower, &Changes::all(width, height), filter);
            lower
        };
        let rasters = self.rasters.iter().take(count).enumerate().map(lower).collect();
        Self { shape: self.shape, rasters }
    }

    /// Their texels, one after the other.
    ///
    /// # Errors
    /// As [`encode`].
    pub fn encode(&self, format: &str) -> Result<Vec<u8>> {
        let mut texels = Vec::new();
        for raster in &self.rasters {
            texels.extend(encode(format, raster, None)?);
        }
        Ok(texels)
    }
}

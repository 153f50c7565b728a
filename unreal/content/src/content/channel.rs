//! Single channels of pictures: masks and levels that textures keep in one of their colours.

use std::fmt;

use super::{Image, Pixels};
use crate::error::{Error, Result};

/// A channel of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The first.
    Red,
    /// The second.
    Green,
    /// The third.
    Blue,
    /// The fourth.
    Alpha,
}

impl Channel {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Red, Self::Green, Self::Blue, Self::Alpha];
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
            Self::Alpha => "alpha",
        })
    }
}

impl Image {
    /// One channel as brightness, 8 bits.
    pub fn channel(&self, channel: Channel) -> Result<Self> {
        let levels = self.to_rgba().iter().map(|texel| texel[channel as usize]).collect();
        Self::new(self.width(), self.height(), Pixels::Gray(levels))
    }

    /// The same picture with another channel: the brightness of `levels`, or of a coloured one its red.
    ///
    /// # Errors
    /// `Invalid` for a picture of another size.
    pub fn with_channel(&self, channel: Channel, levels: &Self) -> Result<Self> {
        let sizes = [self, levels].map(|image| (image.width(), image.height()));
        if sizes[0] != sizes[1] {
            let [(width, height), (wide, high)] = sizes;
            return Err(Error::invalid(format!(
                "the picture of the {channel} channel is {wide} by {high}, the texture {width} by {height}"
            )));
        }
        let mut texels = self.to_rgba();
        for (texel, level) in texels.iter_mut().zip(levels.to_rgba()) {
            texel[channel as usize] = level[0];
        }
        Self::from_rgba(self.width(), self.height(), texels)
    }
}

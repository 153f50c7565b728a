//! Palettes.

use crate::Archived;
use crate::error::{Error, ErrorKind, Result};
use crate::object::geometry::Color;

/// The colours of a texture whose texels are indices.
///
/// Spec: ue1-3/06 §6.2. C++: `UPalette`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Palette {
    /// The colours, red, green, blue, alpha, normally 256; below version 66 their alpha counts as 255.
    pub colors: Vec<Color>,
}

/// First file version whose colours have an alpha that counts; below it, it is read as 255 whatever is
/// stored (spec: ue1-3/06 §6.2).
const ALPHA_COUNTS: u32 = 66;
const OPAQUE: u8 = 255;

impl Palette {
    /// Makes the palette mean in version `to` what it meant in `from`.
    ///
    /// # Errors
    /// `NotInVersion` for an alpha that `to` would read as 255.
    #[doc(hidden)]
    pub fn convert(&mut self, from: u32, to: u32) -> Result<()> {
        if (from < ALPHA_COUNTS) == (to < ALPHA_COUNTS) {
            return Ok(());
        }
        for (index, color) in self.colors.iter_mut().enumerate() {
            let alpha = &mut color.bytes[3];
            if from < ALPHA_COUNTS {
                *alpha = OPAQUE;
            } else if *alpha != OPAQUE {
                let error = Error::from(ErrorKind::NotInVersion).in_field("alpha");
                return Err(error.at_index(index).in_field("colors"));
            }
        }
        Ok(())
    }
}

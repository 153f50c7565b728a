//! Palettes.

use crate::Archived;
use crate::object::geometry::Color;

/// The colours of a texture whose texels are indices.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | idx n, n × 4 bytes | colours: red, green, blue, alpha |
///
/// Spec: ue1-3/06 §6.2. C++: `UPalette`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Palette {
    /// The colours, normally 256; below version 66 their alpha counts as 255.
    pub colors: Vec<Color>,
}

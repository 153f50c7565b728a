//! A polygon of a brush, as text.

use std::fmt;

use crate::object::geometry::Vector;

/// Texels of the light map of a polygon that says nothing of it (UE2).
pub(super) const LIGHT_MAP_SCALE: f32 = 32.0;

/// A polygon of a brush in UnrealEd's text.
#[derive(Debug, Clone, PartialEq)]
pub struct MapTextPolygon {
    /// The name of the part; empty for none. C++: `ItemName`.
    pub item: String,
    /// The path of the texture or material; empty for none.
    pub texture: String,
    /// Flags. C++: `PolyFlags`.
    pub flags: u32,
    /// The polygon whose texture this one shares. C++: `iLink`.
    pub link: i32,
    /// Units of a texel of the light map (UE2); 32 where the text does not say it.
    pub light_map_scale: f32,
    /// Base point of the texture.
    pub origin: Vector,
    /// Normal.
    pub normal: Vector,
    /// Horizontal axis of the texture.
    pub texture_u: Vector,
    /// Vertical axis of the texture.
    pub texture_v: Vector,
    /// Offset of the texture, in texels (UE1).
    pub pan: (i16, i16),
    /// Corners.
    pub vertices: Vec<Vector>,
}

impl Default for MapTextPolygon {
    fn default() -> Self {
        Self {
            item: String::new(),
            texture: String::new(),
            flags: 0,
            link: -1,
            light_map_scale: LIGHT_MAP_SCALE,
            origin: Vector::default(),
            normal: Vector::default(),
            texture_u: Vector::default(),
            texture_v: Vector::default(),
            pan: (0, 0),
            vertices: Vec::new(),
        }
    }
}

/// The lines of the polygon, as UnrealEd indents them.
impl fmt::Display for MapTextPolygon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEAD: &str = "          ";
        const LINE: &str = "             ";
        write!(f, "{HEAD}Begin Polygon")?;
        if !self.item.is_empty() {
            write!(f, " Item={}", self.item)?;
        }
        if !self.texture.is_empty() {
            write!(f, " Texture={}", self.texture)?;
        }
        if self.flags != 0 {
            write!(f, " Flags={}", self.flags)?;
        }
        if self.link != -1 {
            write!(f, " Link={}", self.link)?;
        }
        if self.light_map_scale.to_bits() != LIGHT_MAP_SCALE.to_bits() {
            write!(f, " LightMapScale={:?}", self.light_map_scale)?;
        }
        writeln!(f)?;
        writeln!(f, "{LINE}Origin   {}", Written(&self.origin))?;
        writeln!(f, "{LINE}Normal   {}", Written(&self.normal))?;
        writeln!(f, "{LINE}TextureU {}", Written(&self.texture_u))?;
        writeln!(f, "{LINE}TextureV {}", Written(&self.texture_v))?;
        if self.pan != (0, 0) {
            writeln!(f, "{LINE}Pan      U={} V={}", self.pan.0, self.pan.1)?;
        }
        for vertex in &self.vertices {
            writeln!(f, "{LINE}Vertex   {}", Written(vertex))?;
        }
        writeln!(f, "{HEAD}End Polygon")
    }
}

/// A vector as UnrealEd writes those of polygons: `+00128.000000,-00064.000000,+00000.000000`. A number that six digits
/// do not hold has all that it needs: it comes back as it is.
struct Written<'a>(&'a Vector);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vector { x, y, z } = *self.0;
        for (at, number) in [x, y, z].into_iter().enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            let text = format!("{number:+013.6}");
            match text.parse::<f32>() {
                Ok(read) if read.to_bits() == number.to_bits() => f.write_str(&text)?,
                _ => write!(f, "{number:+?}")?,
            }
        }
        Ok(())
    }
}

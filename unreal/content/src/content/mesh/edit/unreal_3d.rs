//! Files of meshes as the compiler of UE1 imports them: `_d.3d` with the polygons, `_a.3d` with the frames.
//!
//! `_d.3d`: 48 bytes, of which the first two are the number of polygons and the next two that of vertices; then 16 bytes
//! each: three `u16` vertices, `u8` kind, `u8` colour, three places in the texture of two `u8`, `u8` texture, `u8` flags.
//! `_a.3d`: `u16` frames, `u16` bytes of a frame; then the vertices of all frames, each 4 bytes as in meshes, or 8 in Deus Ex.
//!
//! Layout: paulbourke.net/dataformats/unreal. What becomes of it was compared on 13 meshes whose files and packages are
//! both public: corners, texture coordinates and vertices stay as they are, and so does the order of vertices in meshes
//! without levels of detail.

use super::frames::vertex_numbers;
use crate::content::mesh::numbers::VertexElements;
use crate::error::{Error, Result};

const HEADER: usize = 48;
const POLYGON: usize = 16;

/// A polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Polygon3d {
    pub corners: [(u16, [u8; 2]); 3],
    /// Its flags in packages.
    pub flags: u32,
    pub texture: u8,
}

/// The polygons and frames of a mesh.
#[derive(Debug, Default)]
pub(super) struct Unreal3d {
    pub polygons: Vec<Polygon3d>,
    pub frames: Vec<Vec<[i16; 3]>>,
    /// Whether vertices have 8 bytes.
    pub is_wide: bool,
}

impl Unreal3d {
    /// Reads both files.
    ///
    /// # Errors
    /// `Invalid` for files that are too short or do not fit each other, and for polygons whose kind is not known.
    pub fn read(data: &[u8], animation: &[u8]) -> Result<Self> {
        let short = |what: &str| Error::invalid(format!("the file of {what} is too short"));
        let pair = |bytes: &[u8]| {
            let head = VertexElements::new(bytes, 2)?;
            let number = |at: usize| head.get(at).map_or(0, |it| usize::from(it.u16(0)));
            Ok::<_, Error>((number(0), number(1)))
        };
        let (head, polygons) = data.split_at_checked(HEADER).ok_or_else(|| short("polygons"))?;
        let (count, vertices) = pair(head)?;
        let polygons = polygons.get(..count * POLYGON).ok_or_else(|| short("polygons"))?;
        let mut made = Self::default();
        for it in VertexElements::new(polygons, POLYGON)?.iter() {
            let corner = |at: usize| (it.u16(at * 2), [it.u8(8 + at * 2), it.u8(9 + at * 2)]);
            let corners = [0, 1, 2].map(corner);
            if let Some((vertex, _)) = corners.iter().find(|(at, _)| usize::from(*at) >= vertices) {
                return Err(Error::invalid(format!("a polygon has vertex {vertex} of {vertices}")));
            }
            let (flags, texture) = (flags(it.u8(6))?, it.u8(14));
            made.polygons.push(Polygon3d { corners, flags, texture });
        }
        let (head, frames) = animation.split_at_checked(4).ok_or_else(|| short("frames"))?;
        let (count, size) = pair(head)?;
        made.is_wide = size == vertices * 8 && size > 0;
        if !made.is_wide && size != vertices * 4 {
            return Err(Error::invalid(format!(
                "frames of {size} bytes do not hold {vertices} vertices"
            )));
        }
        let frames = frames.get(..count * size).ok_or_else(|| short("frames"))?;
        let all = VertexElements::new(frames, if made.is_wide { 8 } else { 4 })?;
        let frame = |frame: usize| {
            let points = (frame * vertices..(frame + 1) * vertices).filter_map(|at| all.get(at));
            points.map(|it| vertex_numbers(it, made.is_wide)).collect()
        };
        made.frames = (0..count).map(frame).collect();
        match made.polygons.is_empty() || made.frames.is_empty() {
            true => Err(Error::invalid("the files hold no polygons or no frames")),
            false => Ok(made),
        }
    }

    /// The other side of a mirror: X the other way, and triangles turned around.
    pub fn unmirror(&mut self) {
        for vertex in self.frames.iter_mut().flatten() {
            vertex[0] = vertex[0].saturating_neg();
        }
        self.polygons.iter_mut().for_each(|polygon| polygon.corners.swap(1, 2));
    }
}

/// The flags of a kind of polygon: 0 plain, 1 with two sides, 2 translucent, 4 modulated, and 16 more without light. Others
/// are not known from files.
fn flags(kind: u8) -> Result<u32> {
    const TWO_SIDED: u32 = 0x100;
    const TRANSLUCENT: u32 = 0x4;
    const MODULATED: u32 = 0x40;
    const UNLIT: u32 = 0x40_0000;
    let light = if kind & 0x10 != 0 { UNLIT } else { 0 };
    match kind & !0x10 {
        0 => Ok(light),
        1 => Ok(light | TWO_SIDED),
        2 => Ok(light | TWO_SIDED | TRANSLUCENT),
        4 => Ok(light | TWO_SIDED | MODULATED),
        _ => Err(Error::invalid(format!(
            "polygons of kind {kind} are not made: those of 0, 1, 2, 4, and 16 more, are"
        ))),
    }
}

//! Meshes as they were imported, up to UE4.21: corners of triangles, each with all that belongs to it.
//!
//! Inferred from files: two numbers of versions, then counted arrays. C++: `FRawMesh`.

use super::numbers::{Element, VertexElements};
use super::sections::Sections;
use super::shape::Lod;
use crate::error::{Error, Result};

/// Sets of texture coordinates.
const UV_SETS: usize = 8;

struct RawReader<'a>(&'a [u8]);

impl<'a> RawReader<'a> {
    fn array(&mut self, size: usize) -> Result<VertexElements<'a>> {
        let short = || Error::invalid("the imported mesh ends early");
        let (count, rest) = self.0.split_first_chunk::<4>().ok_or_else(short)?;
        let length = (u32::from_le_bytes(*count) as usize).checked_mul(size).ok_or_else(short)?;
        let (found, rest) = rest.split_at_checked(length).ok_or_else(short)?;
        self.0 = rest;
        VertexElements::new(found, size)
    }
}

/// The level of detail in such a payload.
pub(super) fn lod(bytes: &[u8]) -> Result<Lod> {
    let rest = bytes.get(8..).ok_or_else(|| Error::invalid("the imported mesh ends early"))?;
    let mut reader = RawReader(rest);
    let materials = reader.array(4)?;
    let _smoothing = reader.array(4)?;
    let positions = reader.array(12)?;
    let corners = reader.array(4)?;
    let _tangents = [reader.array(12)?, reader.array(12)?];
    let normals = reader.array(12)?;
    let mut uvs = Vec::new();
    for _ in 0..UV_SETS {
        uvs.push(reader.array(8)?);
    }
    let colors = reader.array(4)?;
    let count = corners.len();
    let mut made = Lod::default();
    for corner in corners.iter() {
        let at = corner.u32(0) as usize;
        let found = positions.get(at).ok_or_else(|| {
            Error::invalid(format!("a corner has point {at} of {}", positions.len()))
        })?;
        made.positions.push(found.vector(0));
    }
    if normals.len() == count {
        made.normals = normals.iter().map(|at| at.vector(0)).collect();
    }
    let full = uvs.iter().take_while(|set| set.len() == count);
    made.uvs = full.map(|set| set.iter().map(|at| at.uv(0, true)).collect()).collect();
    if colors.len() == count {
        made.colors = colors.iter().map(|at: Element<'_>| at.color(0)).collect();
    }
    let mut sections = Sections::default();
    for (triangle, first) in (0..count as u32 / 3).map(|at| at * 3).enumerate() {
        let material = materials.get(triangle).map_or(0, |at| at.i32(0));
        let material = usize::try_from(material).unwrap_or(0);
        sections.push(material, [first, first + 1, first + 2]);
    }
    made.sections = sections.list;
    Ok(made)
}

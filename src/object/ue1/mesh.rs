//! Meshes of UE1: vertices that are animated frame by frame.

use crate::archive::private::absent;
use crate::archive::{Kind, Span, Step, in_field};
use crate::error::Result;
use crate::object::geometry::{BoundingBox, Primitive, Rotator, Sphere, Vector};
use crate::primitive::{LazyPayload, Name, PackageIndex, Position, array};
use crate::{Archive, ArchiveExt, Archived};

/// First file version whose lazy arrays store their end (spec: ue1-3/01 §1.7).
const END_ADDED: u32 = 62;
/// First file version with a level of detail for each texture (spec: ue1-3/06 §6.2).
const TEXTURE_LODS_ADDED: u32 = 66;

/// A mesh of UE1.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | primitive | | |
/// | 2 | lazy 4 bytes, 8 in Deus Ex | vertices of all frames | |
/// | 3 | lazy 20 bytes | triangles: 3 × u16 vertices, 3 × (u8, u8) texture places, u32 flags, i32 texture | |
/// | 4 | idx n, n × sequence | animations | |
/// | 5 | lazy 8 bytes | connections | |
/// | 6 | box, sphere | bounds | |
/// | 7 | lazy 4 bytes | triangles at vertices | |
/// | 8 | idx n, n × objref | textures | |
/// | 9 | idx n, n × box | bounds of frames | |
/// | 10 | idx n, n × sphere | bounds of frames | |
/// | 11 | i32, i32 | vertices of a frame, frames | |
/// | 12 | u32, u32 | flags of all triangles, joined by and, by or | |
/// | 13 | 3 × 12 bytes | scale, origin, rotation | |
/// | 14 | i32, i32 | current polygon and vertex of the editor | |
/// | 15 | f32 | level of detail | 65 |
/// | 16 | idx n, n × f32 | level of detail by texture | from 66 |
///
/// Spec: ue1-3/06 §6.2. C++: `UMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Base.
    pub primitive: Primitive,
    /// Vertices of all frames.
    pub vertices: MeshVertices,
    /// Triangles.
    pub triangles: LazyPayload<20>,
    /// Animations.
    pub sequences: Vec<MeshSequence>,
    /// For each vertex: how many triangles it has, and where their list starts.
    pub connects: LazyPayload<8>,
    /// Bounds once more.
    pub bounding_box: BoundingBox,
    /// Bounds once more.
    pub bounding_sphere: Sphere,
    /// Triangles at vertices. C++: `VertLinks`.
    pub vertex_links: LazyPayload<4>,
    /// Textures.
    pub textures: Vec<PackageIndex>,
    /// Bounds of frames.
    pub bounding_boxes: Vec<BoundingBox>,
    /// Bounds of frames.
    pub bounding_spheres: Vec<Sphere>,
    /// Vertices of a frame.
    pub frame_vertices: i32,
    /// Frames.
    pub frame_count: i32,
    /// Flags that all triangles have.
    pub and_flags: u32,
    /// Flags that any triangle has.
    pub or_flags: u32,
    /// Scale.
    pub scale: Vector,
    /// Origin.
    pub origin: Vector,
    /// Rotation of the origin.
    pub rotation: Rotator,
    /// Current polygon of the editor.
    pub current_poly: i32,
    /// Current vertex of the editor.
    pub current_vertex: i32,
    /// Level of detail, in version 65.
    #[since(65)]
    #[until(TEXTURE_LODS_ADDED)]
    pub texture_lod: f32,
    /// Level of detail by texture.
    #[since(TEXTURE_LODS_ADDED)]
    pub texture_lods: Vec<f32>,
}

/// An animation of a mesh.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | name, name | name, group |
/// | 2 | i32, i32 | first frame, frames |
/// | 3 | idx n, n × (f32, name) | notifications |
/// | 4 | f32 | rate |
///
/// Spec: ue1-3/06 §6.2. C++: `FMeshAnimSeq`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct MeshSequence {
    /// Name.
    pub name: Name,
    /// Group.
    pub group: Name,
    /// First frame.
    pub start_frame: i32,
    /// Frames.
    pub frame_count: i32,
    /// Functions that are called at certain times.
    pub notifies: Vec<MeshNotify>,
    /// Frames a second.
    pub rate: f32,
}

/// A function that an animation calls.
///
/// Spec: ue1-3/06 §6.2. C++: `FMeshAnimNotify`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct MeshNotify {
    /// When, 0 to 1.
    pub time: f32,
    /// Name of the function.
    pub function: Name,
}

/// Vertices of a [`Mesh`], a lazy array: 4 bytes each, 11 bits for x, 11 for y, 10 for z; in Deus Ex
/// 8 bytes, 16 bits for each and 16 unused. Which it is only the end of the array tells.
///
/// Spec: ue1-3/06 §6.2, 01 §1.7. C++: `TLazyArray<FMeshVert>`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeshVertices {
    /// Position behind the data; from file version 62.
    pub end: Position,
    /// Whether a vertex has 8 bytes.
    pub is_wide: bool,
    /// The vertices.
    pub data: Span,
}

impl MeshVertices {
    fn element_size(&self) -> u64 {
        if self.is_wide { 8 } else { 4 }
    }

    fn elements<A: Archive + ?Sized>(&mut self, end: Option<u64>, ar: &mut A) -> Result<()> {
        let number = array::serialize_unit_count(self.data.len(), self.element_size(), ar)?;
        if ar.is_loading() {
            let room = end.and_then(|end| end.checked_sub(ar.position()));
            self.is_wide = number > 0 && room == Some(number * 8);
        }
        let bytes = number * self.element_size();
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, bytes, Kind::Payload))
    }
}

impl Archived for MeshVertices {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.versions().file < END_ADDED {
            absent(&mut self.end, ar, "end")?;
            absent(&mut self.is_wide, ar, "is_wide")?;
            return self.elements(None, ar);
        }
        let end = ar.ahead_number(&[], 4);
        ar.enter(Step::Field("end"));
        let announced = self.end.announce(ar);
        ar.leave();
        let announced = announced.map_err(|error| error.in_field("end"))?;
        self.elements(end, ar)?;
        self.end.settle(announced, ar)
    }
}

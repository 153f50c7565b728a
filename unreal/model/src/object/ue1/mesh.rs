//! Meshes of UE1: vertices that are animated frame by frame.

use super::AnimSequence;
use crate::archive::layout::Layout;
use crate::archive::private::absent;
use crate::archive::{Kind, Span, in_field};
use crate::error::Result;
use crate::object::geometry::{BoundingBox, Primitive, Rotator, Sphere, Vector};
use crate::primitive::{LazyPayload, PackageIndex, Position, array};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived, Described};

/// First file version whose lazy arrays store their end (spec: ue1-3/01 §1.7).
const END_ADDED: u32 = 62;
/// First file version with a level of detail for each texture (spec: ue1-3/06 §6.2).
const TEXTURE_LODS_ADDED: u32 = 66;

/// A mesh of UE1.
///
/// Spec: ue1-3/06 §6.2. C++: `UMesh`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Bounds as the engine last computed them.
    pub primitive: Primitive,
    /// Vertices of all frames: 4 bytes each, 8 in Deus Ex.
    pub vertices: MeshVertices,
    /// Triangles: three `u16` vertices, three texture places of two `u8`, `u32` flags, `i32` texture.
    pub triangles: LazyPayload<20>,
    /// Animations.
    pub sequences: Vec<AnimSequence>,
    /// For each vertex: how many triangles it has, and where their list starts.
    pub connects: LazyPayload<8>,
    /// Bounds as a box.
    pub bounding_box: BoundingBox,
    /// Bounds as a sphere.
    pub bounding_sphere: Sphere,
    /// Triangles at vertices. C++: `VertLinks`.
    pub vertex_links: LazyPayload<4>,
    /// Textures, which triangles know by their numbers.
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
    /// Presence.
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

/// Vertices of a [`Mesh`], a lazy array: 4 bytes each, 11 bits for x, 11 for y, 10 for z; in Deus Ex
/// 8 bytes, 16 bits for each and 16 unused. Which it is only the end of the array tells.
///
/// Spec: ue1-3/06 §6.2, 01 §1.7. C++: `TLazyArray<FMeshVert>`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
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
        let form = ar.form("is_wide", &[], self.is_wide.into());
        if ar.is_loading() {
            let room = end.and_then(|end| end.checked_sub(ar.position()));
            let found = number > 0 && room == Some(number * 8);
            self.is_wide = form.map_or(found, |form| form != 0);
        }
        let bytes = number * self.element_size();
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, bytes, Kind::Payload))
    }
}

impl Archived for MeshVertices {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.versions().file() < END_ADDED {
            absent(&mut self.end, ar, "end")?;
            absent(&mut self.is_wide, ar, "is_wide")?;
            return self.elements(None, ar);
        }
        let end = ar.peek_number(0, 4);
        let announced = in_field("end", ar, |ar| self.end.announce(ar))?;
        self.elements(end, ar)?;
        self.end.settle(announced, ar)
    }
}

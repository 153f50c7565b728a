//! Meshes of triangles of PhysX, in its own format.

use super::part::{Constant, ShapeBounds};
use super::physx_convex::count;
use crate::archive::layout::Layout;
use crate::archive::{in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::geometry::Vector;
use crate::object::ue4::condition::fixed;
use crate::primitive::array;
use crate::version::ByteOrder;
use crate::{Archive, ArchiveExt, Archived, Described};

const MATERIALS: u32 = 1;
const FACE_REMAP: u32 = 2;
const INDICES_OF_8_BITS: u32 = 4;
const INDICES_OF_16_BITS: u32 = 8;
const ADJACENCIES: u32 = 16;
const KNOWN_FLAGS: u32 = 31;

/// First version that says which tree a mesh has; only the tree of PhysX 3.3, 0, is decoded.
const TREE_KIND: u32 = 14;
/// Last version with a threshold for convex edges.
const EDGE_THRESHOLD: u32 = 12;

/// A mesh of triangles, versions 12 to 14. C++: `physx::Gu::TriangleMesh`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct PhysxMesh {
    /// Version of the format.
    pub version: u32,
    /// Kind of the tree, from version 14 on.
    pub midphase: u32,
    /// Which parts there are, and how long numbers of corners are.
    pub flags: u32,
    /// From which angle on edges are convex, up to version 12.
    pub convex_edge_threshold: f32,
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Corners of triangles.
    pub triangles: PhysxTriangles,
    /// Material of each triangle.
    pub materials: Vec<u16>,
    /// The triangle that each one was made from, after the greatest of the numbers.
    pub face_remap: Option<PhysxRemap>,
    /// The triangles beside each triangle.
    pub adjacencies: Vec<[u32; 3]>,
    /// Boxes around boxes.
    pub tree: PhysxTree,
    /// Tolerance.
    pub epsilon: f32,
    /// Its box.
    pub bounds: ShapeBounds,
    /// Flags of the edges of each triangle.
    pub edge_flags: Vec<u8>,
}

/// Corners of triangles, in numbers as short as possible.
#[derive(Debug, Clone, PartialEq)]
pub enum PhysxTriangles {
    /// Numbers of 8 bits.
    Small(Vec<[u8; 3]>),
    /// Numbers of 16 bits.
    Medium(Vec<[u16; 3]>),
    /// Numbers of 32 bits.
    Large(Vec<[u32; 3]>),
}

impl Default for PhysxTriangles {
    fn default() -> Self {
        Self::Large(Vec::new())
    }
}

impl PhysxTriangles {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Small(triangles) => triangles.len(),
            Self::Medium(triangles) => triangles.len(),
            Self::Large(triangles) => triangles.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn serialize_in<A: Archive + ?Sized>(
        &mut self,
        flags: u32,
        count: usize,
        ar: &mut A,
    ) -> Result<()> {
        let [small, medium] = [INDICES_OF_8_BITS, INDICES_OF_16_BITS].map(|bit| flags & bit != 0);
        if ar.is_loading() {
            *self = match () {
                () if small => Self::Small(Vec::new()),
                () if medium => Self::Medium(Vec::new()),
                () => Self::Large(Vec::new()),
            };
        }
        match (self, small, medium) {
            (Self::Small(triangles), true, _) => fixed(triangles, count, ar),
            (Self::Medium(triangles), false, true) => fixed(triangles, count, ar),
            (Self::Large(triangles), false, false) => fixed(triangles, count, ar),
            _ => {
                let reason = "the flags say another length of numbers of corners".to_owned();
                Err(ar.error(ErrorKind::Invalid { reason }))
            }
        }
    }
}

/// Numbers of triangles, after the greatest, which says how long they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PhysxRemap {
    /// The greatest number.
    pub maximum: u32,
    /// The numbers.
    pub faces: Vec<u32>,
}

impl PhysxRemap {
    fn serialize_in<A: Archive + ?Sized>(&mut self, count: usize, ar: &mut A) -> Result<()> {
        in_field("maximum", ar, |ar| ar.serialize_u32(&mut self.maximum))?;
        if ar.is_loading() {
            ar.claim(count as u64, size_of::<u32>())?;
            self.faces.clear();
            self.faces.resize(count, 0);
        } else if ar.is_saving() && self.faces.len() != count {
            let value = self.faces.len() as i128;
            return Err(ar.error(ErrorKind::OutOfRange { value, bits: 32 }));
        }
        let maximum = self.maximum;
        in_field("faces", ar, |ar| {
            for (index, face) in self.faces.iter_mut().enumerate() {
                crate::archive::at_index(index, ar, |ar| match maximum {
                    ..=0xff => private::narrow(face, ar, A::serialize_u8),
                    0x100..=0xffff => private::narrow(face, ar, A::serialize_u16),
                    _ => ar.serialize_u32(face),
                })?;
            }
            Ok(())
        })
    }
}

/// Boxes around boxes; big-endian in every file. C++: `physx::Gu::RTree`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"RTRE")]
pub struct PhysxTree {
    /// Version of the format: 1.
    pub version: Constant<1>,
    /// Lowest corner.
    pub bounds_min: [f32; 4],
    /// Highest corner.
    pub bounds_max: [f32; 4],
    /// One over the diagonal.
    pub inverse_diagonal: [f32; 4],
    /// The diagonal in steps.
    pub diagonal_scaler: [f32; 4],
    /// Boxes a page: 4.
    pub page_size: u32,
    /// Pages of the top level.
    pub root_pages: u32,
    /// Levels.
    pub levels: u32,
    /// Boxes.
    pub nodes: u32,
    /// Pages.
    pub page_count: u32,
    /// Unused.
    pub unused: u32,
    /// The pages.
    #[archive(count = page_count)]
    pub pages: Vec<PhysxPage>,
}

/// Four boxes. C++: `physx::Gu::RTreePage`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct PhysxPage {
    /// Lowest x of each.
    pub min_x: [f32; 4],
    /// Lowest y.
    pub min_y: [f32; 4],
    /// Lowest z.
    pub min_z: [f32; 4],
    /// Highest x.
    pub max_x: [f32; 4],
    /// Highest y.
    pub max_y: [f32; 4],
    /// Highest z.
    pub max_z: [f32; 4],
    /// The page of each, or triangles in it if the number is odd.
    pub children: [u32; 4],
}

impl Archived for PhysxMesh {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        private::magic(b"NXS\x01MESH", ar)?;
        in_field("version", ar, |ar| ar.serialize_u32(&mut self.version))?;
        if self.version >= TREE_KIND {
            in_field("midphase", ar, |ar| ar.serialize_u32(&mut self.midphase))?;
        } else {
            private::absent(&mut self.midphase, ar, "midphase")?;
        }
        in_field("flags", ar, |ar| ar.serialize_u32(&mut self.flags))?;
        if ar.is_loading() && (self.midphase != 0 || self.flags & !KNOWN_FLAGS != 0) {
            return Err(ar.error(ErrorKind::NonCanonical { form: "another kind of mesh" }));
        }
        if self.version <= EDGE_THRESHOLD {
            let threshold = &mut self.convex_edge_threshold;
            in_field("convex_edge_threshold", ar, |ar| ar.serialize_f32(threshold))?;
        } else {
            private::absent(&mut self.convex_edge_threshold, ar, "convex_edge_threshold")?;
        }
        let vertices = count("vertex_count", self.vertices.len(), ar)?;
        let triangles = count("triangle_count", self.triangles.len(), ar)?;
        in_field("vertices", ar, |ar| fixed(&mut self.vertices, vertices, ar))?;
        let flags = self.flags;
        in_field("triangles", ar, |ar| self.triangles.serialize_in(flags, triangles, ar))?;
        let when = |flag: u32| if flags & flag != 0 { triangles } else { 0 };
        in_field("materials", ar, |ar| fixed(&mut self.materials, when(MATERIALS), ar))?;
        if ar.is_loading() {
            self.face_remap = (flags & FACE_REMAP != 0).then(PhysxRemap::default);
        }
        if ar.is_saving() && self.face_remap.is_some() != (flags & FACE_REMAP != 0) {
            let reason = "the flags say whether faces are mapped".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        if let Some(remap) = &mut self.face_remap {
            in_field("face_remap", ar, |ar| remap.serialize_in(triangles, ar))?;
        }
        in_field("adjacencies", ar, |ar| fixed(&mut self.adjacencies, when(ADJACENCIES), ar))?;
        in_field("tree", ar, |ar| big_endian(ar, |ar| self.tree.serialize(ar)))?;
        in_field("epsilon", ar, |ar| ar.serialize_f32(&mut self.epsilon))?;
        in_field("bounds", ar, |ar| self.bounds.serialize(ar))?;
        in_field("edge_flags", ar, |ar| array::counted_u32(&mut self.edge_flags, ar))
    }
}

/// Serialises a value that is big-endian in every package.
fn big_endian<A: Archive + ?Sized>(
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<()>,
) -> Result<()> {
    let versions = ar.versions().clone();
    ar.set_versions(versions.clone().with_byte_order(ByteOrder::Big));
    let result = inner(ar);
    ar.set_versions(versions);
    result
}

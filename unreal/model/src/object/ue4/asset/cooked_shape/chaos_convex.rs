//! Convex hulls of Chaos.

use super::chaos::ChaosObject;
use super::part::ShapeBounds;
use crate::Archived;
use crate::object::geometry::Vector;
use crate::object::ue4::geometry::Vector4;

/// A convex hull. C++: `Chaos::FConvex`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct ChaosConvex {
    /// The part that all shapes have.
    pub base: ChaosObject,
    /// Planes of faces.
    pub planes: Vec<ChaosPlane>,
    /// Corners.
    pub vertices: Vec<Vector>,
    /// Its box.
    pub bounds: ShapeBounds,
    /// Volume.
    pub volume: f32,
    /// Centre of mass.
    pub center_of_mass: Vector,
    /// How far it is rounded.
    pub margin: f32,
    /// Which corners are of which faces.
    pub structure: ConvexStructure,
    /// Inertia for a mass of one.
    pub unit_mass_inertia_tensor: Vector,
    /// Rotation of the inertia, a quaternion.
    pub rotation_of_mass: Vector4,
}

/// A plane. C++: `TPlaneConcrete`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct ChaosPlane {
    /// A point on it.
    pub point: Vector,
    /// The direction outwards.
    pub normal: Vector,
}

/// Which corners are of which faces, in numbers as short as possible. C++: `FConvexStructureData`.
#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(i8)]
pub enum ConvexStructure {
    /// Numbers of 8 bits.
    Small(HalfEdges<u8>) = 1,
    /// Numbers of 16 bits.
    Medium(HalfEdges<i16>),
    /// Numbers of 32 bits.
    Large(HalfEdges<i32>),
}

impl Default for ConvexStructure {
    fn default() -> Self {
        Self::Small(HalfEdges::default())
    }
}

/// Faces, edges and corners. C++: `TConvexHalfEdgeStructureData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct HalfEdges<T: Default = u8> {
    /// The first half edge of each face, and how many it has.
    pub planes: Vec<[T; 2]>,
    /// Face, corner and other half of each half edge.
    pub half_edges: Vec<[T; 3]>,
    /// The first half edge of each corner.
    pub vertices: Vec<T>,
    /// One half of each edge.
    pub edges: Vec<T>,
}

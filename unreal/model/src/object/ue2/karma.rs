//! Physics properties of meshes.

use crate::Archived;
use crate::object::geometry::{Matrix, Vector};

/// Mass and shapes of a mesh for the Karma physics engine.
///
/// Spec: ue1-3/10 §10.4. C++: `UKMeshProps`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct KMeshProps {
    /// Inertia.
    pub inertia_tensor: [f32; 6],
    /// Centre of mass.
    pub centre_of_mass: Vector,
    /// Spheres.
    pub spheres: Vec<KSphere>,
    /// Boxes.
    pub boxes: Vec<KBox>,
    /// Cylinders.
    pub cylinders: Vec<KCylinder>,
    /// Convex bodies.
    pub convexes: Vec<KConvex>,
}

/// A sphere. C++: `FKSphereElem`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct KSphere {
    /// Where and how it stands.
    pub matrix: Matrix,
    /// Radius.
    pub radius: f32,
}

/// A box. C++: `FKBoxElem`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct KBox {
    /// Where and how it stands.
    pub matrix: Matrix,
    /// Size on each axis.
    pub size: Vector,
}

/// A cylinder. C++: `FKCylinderElem`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq)]
pub struct KCylinder {
    /// Where and how it stands.
    pub matrix: Matrix,
    /// Radius.
    pub radius: f32,
    /// Height.
    pub height: f32,
}

/// A convex body. C++: `FKConvexElem`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct KConvex {
    /// Where and how it stands.
    pub matrix: Matrix,
    /// Corners.
    pub points: Vec<Vector>,
}

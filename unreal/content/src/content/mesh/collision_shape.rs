//! Shapes that things collide with in place of a mesh, whichever engine made them.

use super::hull::hull;
use super::numbers::{cross, dot, less};
use super::shape::{Mesh, MeshPlacement};

/// Units that points at one place are apart at most.
const SAME: f32 = 0.01;

/// A simple shape that things collide with in place of the triangles of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionShape {
    /// Number of the bone that it moves with.
    pub bone: Option<usize>,
    /// Where it is, from there, or else in the space of the mesh's object.
    pub place: MeshPlacement,
    /// Its form.
    pub form: CollisionForm,
}

/// The form of a [`CollisionShape`]; all but convex hulls stand around their middle.
#[derive(Debug, Clone, PartialEq)]
pub enum CollisionForm {
    /// A box.
    Box {
        /// Size on each axis.
        size: [f32; 3],
    },
    /// A sphere.
    Sphere {
        /// Its radius.
        radius: f32,
    },
    /// A capsule along Z.
    Capsule {
        /// Radius of its middle part and its ends.
        radius: f32,
        /// Length of the middle part, without the ends.
        length: f32,
    },
    /// A convex hull.
    Convex {
        /// The points that it stands around, some of which may lie within.
        points: Vec<[f32; 3]>,
        /// Its faces: numbers of points, in the order of a [`MeshSection`](super::MeshSection).
        triangles: Vec<[u32; 3]>,
    },
}

impl CollisionForm {
    /// The convex hull of points; `None` where they lie in a plane, or some are no numbers. Takes as long as the square of
    /// their number.
    pub fn convex_hull(points: Vec<[f32; 3]>) -> Option<Self> {
        let triangles = hull(&points)?;
        Some(Self::Convex { points, triangles })
    }

    /// What importers of Unreal Engine call meshes that stand for shapes of this form: `UBX`, `USP`, `UCP`, `UCX`.
    pub fn prefix(&self) -> &'static str {
        match self {
            Self::Box { .. } => "UBX",
            Self::Sphere { .. } => "USP",
            Self::Capsule { .. } => "UCP",
            Self::Convex { .. } => "UCX",
        }
    }

    /// Whether it is a convex hull of the same points, in whichever order.
    pub(super) fn has_points(&self, others: &[[f32; 3]]) -> bool {
        let Self::Convex { points, .. } = self else { return false };
        let is_near =
            |a: &[f32; 3], b: &[f32; 3]| (0..3).all(|axis| (a[axis] - b[axis]).abs() < SAME);
        points.len() == others.len()
            && points.iter().all(|point| others.iter().any(|other| is_near(point, other)))
    }

    /// Whether it has a size, of numbers, and faces between points that are there.
    fn is_sound(&self) -> bool {
        let is_size = |number: f32| number.is_finite() && number > 0.0;
        match self {
            Self::Box { size } => size.iter().all(|side| is_size(*side)),
            Self::Sphere { radius } => is_size(*radius),
            Self::Capsule { radius, length } => {
                is_size(*radius) && length.is_finite() && *length >= 0.0
            }
            Self::Convex { points, triangles } => {
                let mut corners = triangles.as_flattened().iter();
                !triangles.is_empty()
                    && corners.all(|corner| (*corner as usize) < points.len())
                    && points.as_flattened().iter().all(|number| number.is_finite())
            }
        }
    }
}

impl Mesh {
    /// Leaves out shapes that no file could say.
    pub(super) fn settle_collision(&mut self) {
        let count = self.collision.len();
        self.collision.retain(|shape| shape.place.is_finite() && shape.form.is_sound());
        let lost = count - self.collision.len();
        if lost > 0 {
            self.notes.push(format!(
                "collision shapes without a size that is a number: {lost}, left out"
            ));
        }
    }
}

/// A triangle in the order of a section of a mesh, of a body that is convex around `middle`.
pub(super) fn outwards([a, b, c]: [u32; 3], corners: [[f32; 3]; 3], middle: [f32; 3]) -> [u32; 3] {
    let [at, to, from] = corners;
    let is_turned = dot(cross(less(to, at), less(from, at)), less(at, middle)) > 0.0;
    if is_turned { [a, c, b] } else { [a, b, c] }
}

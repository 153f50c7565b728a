//! Collision shapes of a mesh while they are read.

use super::collision_shape::{CollisionForm, CollisionShape, outwards};
use super::numbers::{cross, dot, less, unit};
use super::shape::{Mesh, MeshPlacement};

/// Shapes of a mesh; known ones have a few.
const MOST_SHAPES: usize = 1 << 12;
/// Pairs of points of all hulls without stored faces, since a hull takes as long as there are pairs: one of 4096 points, or
/// 258 of 255, which are the most that PhysX takes.
const MOST_PAIRS: usize = 1 << 24;

/// How far a point may lie outside of a face, of the size of all.
const NEAR: f32 = 1e-3;

/// The shapes so far, and what of them is left out.
#[derive(Default)]
pub(super) struct ShapeList {
    list: Vec<CollisionShape>,
    pairs: usize,
    /// Of points that all lie in a plane.
    flat: usize,
    /// Beyond [`MOST_SHAPES`] and [`MOST_PAIRS`].
    beyond: usize,
    /// Of bones that the mesh has not.
    pub boneless: usize,
    /// Not here, of other kinds, in other forms.
    pub unread: usize,
}

impl ShapeList {
    pub fn push(&mut self, bone: Option<usize>, place: MeshPlacement, form: CollisionForm) {
        match self.list.len() < MOST_SHAPES {
            true => self.list.push(CollisionShape { bone, place, form }),
            false => self.beyond += 1,
        }
    }

    /// Adds a convex hull with the faces that are stored, or else those that it must have.
    pub fn push_convex(
        &mut self,
        bone: Option<usize>,
        place: MeshPlacement,
        points: Vec<[f32; 3]>,
        faces: &[i32],
    ) {
        if let Some(triangles) = stored(&points, faces) {
            self.push(bone, place, CollisionForm::Convex { points, triangles });
            return;
        }
        self.pairs = self.pairs.saturating_add(points.len().saturating_mul(points.len()));
        if self.pairs > MOST_PAIRS {
            self.beyond += 1;
            return;
        }
        match CollisionForm::convex_hull(points) {
            Some(form) => self.push(bone, place, form),
            None => self.flat += 1,
        }
    }

    /// Adds what polygons are around, if it is convex and not there yet.
    pub fn push_polygons(&mut self, points: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) {
        self.pairs = self.pairs.saturating_add(points.len().saturating_mul(triangles.len()));
        if self.pairs > MOST_PAIRS {
            self.beyond += 1;
        } else if !is_convex(&points, &triangles) {
            self.unread += 1;
        } else if !self.list.iter().any(|shape| shape.form.has_points(&points)) {
            let place = MeshPlacement::default();
            self.push(None, place, CollisionForm::Convex { points, triangles });
        }
    }

    /// Gives a mesh the shapes, and says what is left out.
    pub fn add_to(self, mesh: &mut Mesh) {
        let mut note = |count: usize, what: &str| {
            if count > 0 {
                mesh.notes.push(format!("collision shapes {what}: {count}, left out"));
            }
        };
        note(self.boneless, "of bones that it has not");
        note(self.unread, "that are not here or not read");
        note(self.flat, "whose points lie in a plane");
        note(self.beyond, "beyond those that are written");
        mesh.collision = self.list;
    }
}

/// The faces that are stored, unless there are none, or they are not between the points.
fn stored(points: &[[f32; 3]], faces: &[i32]) -> Option<Vec<[u32; 3]>> {
    let (triangles, rest) = faces.as_chunks::<3>();
    if triangles.is_empty() || !rest.is_empty() || triangles.len() > points.len().checked_mul(2)? {
        return None;
    }
    let count = points.len() as f32;
    let middle = [0, 1, 2].map(|axis| points.iter().map(|point| point[axis] / count).sum::<f32>());
    let triangle = |corners: &[i32; 3]| {
        let [a, b, c] = corners.map(|corner| {
            let number = u32::try_from(corner).ok()?;
            Some((number, *points.get(number as usize)?))
        });
        let (a, b, c) = (a?, b?, c?);
        Some(outwards([a.0, b.0, c.0], [a.1, b.1, c.1], middle))
    };
    triangles.iter().map(triangle).collect()
}

/// Whether no point lies outside of the plane of a triangle.
fn is_convex(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> bool {
    let size = points.as_flattened().iter().fold(0.0_f32, |most, side| most.max(side.abs()));
    let is_face = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|corner| points.get(corner as usize).copied());
        let (Some(a), Some(b), Some(c)) = (a, b, c) else { return false };
        let inwards = cross(less(b, a), less(c, a));
        let Some(inwards) = unit(inwards) else { return true };
        points.iter().all(|point| dot(inwards, less(*point, a)) >= -NEAR * size)
    };
    !triangles.is_empty() && triangles.iter().all(is_face)
}

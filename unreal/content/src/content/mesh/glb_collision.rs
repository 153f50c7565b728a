//! Collision shapes in binary glTF: nodes of their own, called as importers of Unreal Engine want them (`UBX_Rock_00`), with
//! meshes without materials.

use std::collections::BTreeMap;
use std::f32::consts::PI;

use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::validation::Checked;
use gltf_json::{Index, Node, buffer};

use super::collision_shape::{CollisionForm, outwards};
use super::glb::{GlbWriter, placed, position};
use super::shape::Mesh;

/// Corners of a circle.
const AROUND: u32 = 16;
/// Circles from the end of a half sphere to its middle.
const RINGS: u32 = 4;

impl GlbWriter {
    /// Adds the shapes below the bones that they move with, or else to the nodes at the top.
    pub fn collision(&mut self, mesh: &Mesh, joints: &[Index<Node>], top: &mut Vec<Index<Node>>) {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for shape in &mesh.collision {
            let prefix = shape.form.prefix();
            let number = numbers.entry(prefix).or_default();
            let name = format!("{prefix}_{}_{number:02}", mesh.name);
            *number += 1;
            let mesh = self.form(&shape.form, &name);
            let node = Node { mesh: Some(mesh), ..placed(&shape.place, &name) };
            let node = self.root.push(node);
            let joint = shape.bone.and_then(|bone| joints.get(bone));
            match joint.and_then(|joint| self.root.nodes.get_mut(joint.value())) {
                Some(joint) => joint.children.get_or_insert_default().push(node),
                None => top.push(node),
            }
        }
    }

    fn form(&mut self, form: &CollisionForm, name: &str) -> Index<gltf_json::Mesh> {
        let (points, triangles) = match form {
            CollisionForm::Box { size } => cuboid(*size),
            CollisionForm::Sphere { radius } => rounded(*radius, 0.0),
            CollisionForm::Capsule { radius, length } => rounded(*radius, *length),
            CollisionForm::Convex { points, triangles } => (points.clone(), triangles.clone()),
        };
        let rows: Vec<_> = points.iter().map(|point| position(*point)).collect();
        let positions = self.floats(&rows, Some(buffer::Target::ArrayBuffer), true);
        // Without normals faces are flat.
        let attributes = BTreeMap::from([(Checked::Valid(Semantic::Positions), positions)]);
        let primitive = Primitive {
            attributes,
            indices: Some(self.indices(triangles.as_flattened())),
            material: None,
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
            extensions: None,
            extras: None,
        };
        self.root.push(gltf_json::Mesh {
            primitives: vec![primitive],
            name: Some(name.to_owned()),
            weights: None,
            extras: None,
            extensions: None,
        })
    }
}

type ShapeFaces = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// The faces with corners at these places, around the origin.
fn faces(points: Vec<[f32; 3]>, triangles: impl Iterator<Item = [u32; 3]>) -> ShapeFaces {
    let turned = |triangle: [u32; 3]| {
        let corners = triangle.map(|corner| points.get(corner as usize).copied());
        outwards(triangle, corners.map(Option::unwrap_or_default), [0.0; 3])
    };
    let triangles = triangles.map(turned).collect();
    (points, triangles)
}

fn cuboid(size: [f32; 3]) -> ShapeFaces {
    let corner = |number: u32| {
        [0, 1, 2].map(|axis| if number >> axis & 1 == 0 { -size[axis] } else { size[axis] } / 2.0)
    };
    // Of each axis the two sides that it goes through.
    let side = |axis: u32, far: u32| {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let first = far << axis;
        [[first, first + u, first + u + v], [first, first + u + v, first + v]]
    };
    let sides = (0..3).flat_map(move |axis| [side(axis, 0), side(axis, 1)].into_iter().flatten());
    faces((0..8).map(corner).collect(), sides)
}

/// A capsule, or a sphere where the length of its middle part is 0.
fn rounded(radius: f32, length: f32) -> ShapeFaces {
    let half = length / 2.0;
    let upper = (1..=RINGS).map(|ring| (ring, half));
    // The middle of a sphere is one circle.
    let lower = (RINGS + u32::from(length == 0.0)..RINGS * 2).map(|ring| (ring, -half));
    let circles: Vec<_> = upper.chain(lower).collect();
    let mut points = vec![[0.0, 0.0, half + radius], [0.0, 0.0, -half - radius]];
    for (ring, middle) in &circles {
        let (wide, high) = (*ring as f32 * PI / 2.0 / RINGS as f32).sin_cos();
        points.extend((0..AROUND).map(|step| {
            let (y, x) = (step as f32 * PI * 2.0 / AROUND as f32).sin_cos();
            [x * wide * radius, y * wide * radius, middle + high * radius]
        }));
    }
    let at = |circle: u32, step: u32| 2 + circle * AROUND + step % AROUND;
    let last = circles.len() as u32 - 1;
    let steps = 0..AROUND;
    let ends = steps.flat_map(|step| {
        [[0, at(0, step), at(0, step + 1)], [1, at(last, step), at(last, step + 1)]]
    });
    let bands = (0..last).flat_map(|circle| (0..AROUND).map(move |step| (circle, step)));
    let bands = bands.flat_map(|(circle, step)| {
        let [a, b] = [at(circle, step), at(circle, step + 1)];
        let [c, d] = [at(circle + 1, step), at(circle + 1, step + 1)];
        [[a, b, d], [a, d, c]]
    });
    faces(points, ends.chain(bands))
}

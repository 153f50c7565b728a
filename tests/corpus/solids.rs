//! Bodies of points and triangles: their corners, volumes, edges.

use std::collections::BTreeMap;

use unreal_packages::mesh::{CollisionForm, CollisionShape, Lod, MeshPlacement};

pub type Corners = [[f64; 3]; 2];

pub fn corners<'a>(points: impl Iterator<Item = &'a [f32; 3]>) -> Corners {
    let mut found = [[f64::MAX; 3], [f64::MIN; 3]];
    for point in points {
        for axis in 0..3 {
            found[0][axis] = found[0][axis].min(point[axis].into());
            found[1][axis] = found[1][axis].max(point[axis].into());
        }
    }
    found
}

pub fn size(corners: &Corners) -> f64 {
    (0..3).map(|axis| corners[1][axis] - corners[0][axis]).fold(0.0, f64::max)
}

/// Whether corners are the same, or lie within others, up to a share of the size.
pub fn is_same(one: &Corners, other: &Corners, share: f64) -> bool {
    let by = size(other) * share;
    one.as_flattened().iter().zip(other.as_flattened()).all(|(a, b)| (a - b).abs() <= by)
}

pub fn is_within(inner: &Corners, outer: &Corners, share: f64) -> bool {
    let by = size(outer) * share;
    (0..3)
        .all(|axis| inner[0][axis] >= outer[0][axis] - by && inner[1][axis] <= outer[1][axis] + by)
}

/// The volume within faces in Unreal's order, above 0 where they look outwards.
pub fn volume(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> f64 {
    // From a corner that is near, so that little is lost.
    let near = points[triangles[0][0] as usize].map(f64::from);
    let six: f64 = (triangles.iter())
        .map(|triangle| {
            let [a, c, b] = triangle.map(|corner| {
                let point = points[corner as usize].map(f64::from);
                [0, 1, 2].map(|axis| point[axis] - near[axis])
            });
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    six / 6.0
}

/// Whether every edge is of two triangles, once in each direction.
pub fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for [a, b, c] in triangles {
        for edge in [(*a, *b), (*b, *c), (*c, *a)] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a)))
}

pub fn used<'a>(
    points: &'a [[f32; 3]],
    triangles: &'a [[u32; 3]],
) -> impl Iterator<Item = &'a [f32; 3]> {
    triangles.as_flattened().iter().map(|corner| &points[*corner as usize])
}

/// The corners of a shape in the space of its mesh.
pub fn extent(shape: &CollisionShape) -> Corners {
    let points = match &shape.form {
        CollisionForm::Convex { points, .. } => points.clone(),
        CollisionForm::Box { size } => (0..8)
            .map(|at| [0, 1, 2].map(|axis| size[axis] * ((at >> axis & 1) as f32 - 0.5)))
            .collect(),
        CollisionForm::Sphere { radius } => {
            let middle = shape.place.translation;
            let by = |sign: f32| middle.map(|number| f64::from(number + sign * radius));
            return [by(-1.0), by(1.0)];
        }
        CollisionForm::Capsule { radius, length } => {
            vec![[0.0, 0.0, radius + length / 2.0], [0.0, 0.0, -radius - length / 2.0]]
        }
    };
    let points: Vec<_> = points.iter().map(|point| placed(&shape.place, *point)).collect();
    corners(points.iter())
}

pub fn placed(place: &MeshPlacement, point: [f32; 3]) -> [f32; 3] {
    let [x, y, z, w] = place.rotation;
    let v = [0, 1, 2].map(|axis| point[axis] * place.scale[axis]);
    let cross = |a: [f32; 3], b: [f32; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let t = cross([x, y, z], v).map(|number| number * 2.0);
    let u = cross([x, y, z], t);
    [0, 1, 2].map(|axis| v[axis] + w * t[axis] + u[axis] + place.translation[axis])
}

pub fn bounds(lod: &Lod) -> Corners {
    corners(lod.positions.iter())
}

pub fn box_corners(shape: &CollisionShape) -> Vec<[f32; 3]> {
    let CollisionForm::Box { size } = &shape.form else { panic!("{shape:?}") };
    let corner = |at: u32| [0, 1, 2].map(|axis| size[axis] * ((at >> axis & 1) as f32 - 0.5));
    (0..8).map(|at| placed(&shape.place, corner(at))).collect()
}

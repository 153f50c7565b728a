//! Convex hulls of points.

use std::collections::HashSet;

/// Steps of the grid that points are put on, along the longest side of all. Of integers up to 2²⁰ it can be computed
/// without any rounding in 64 bits on which side of a plane a point lies, so that no hull ever breaks open.
const STEPS: f64 = (1 << 20) as f64;

/// A face, seen from outside; the plane that it lies in.
struct HullFace {
    corners: [u32; 3],
    base: [i64; 3],
    normal: [i64; 3],
}

impl HullFace {
    fn of(grid: &[[i64; 3]], corners: [u32; 3]) -> Option<Self> {
        let [a, b, c] = corners.map(|corner| grid.get(corner as usize).copied());
        let (base, b, c) = (a?, b?, c?);
        Some(Self { corners, base, normal: cross(less(b, base), less(c, base)) })
    }

    /// Above 0 for points that see the face.
    fn height(&self, point: [i64; 3]) -> i64 {
        dot(self.normal, less(point, self.base))
    }

    fn edges(&self) -> [(u32, u32); 3] {
        let [a, b, c] = self.corners;
        [(a, b), (b, c), (c, a)]
    }
}

fn less(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [i64; 3], b: [i64; 3]) -> [i64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [i64; 3], b: [i64; 3]) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The faces of the convex hull, in the order of a section of a mesh; `None` where all points lie in a plane, or some are no
/// numbers. Takes as long as the square of their number.
pub(super) fn hull(points: &[[f32; 3]]) -> Option<Vec<[u32; 3]>> {
    let grid = grid(points)?;
    let mut faces = first_faces(&grid)?;
    for (number, point) in (0_u32..).zip(&grid) {
        let seen = |face: &HullFace| face.height(*point) > 0;
        let edges: HashSet<_> =
            faces.iter().filter(|face| seen(face)).flat_map(HullFace::edges).collect();
        if edges.is_empty() {
            continue;
        }
        let rim: Vec<_> =
            faces.iter().filter(|face| seen(face)).flat_map(HullFace::edges).collect();
        faces.retain(|face| !seen(face));
        for (from, to) in rim.into_iter().filter(|(from, to)| !edges.contains(&(*to, *from))) {
            faces.push(HullFace::of(&grid, [from, to, number])?);
        }
    }
    Some(faces.into_iter().map(|face| super::source::turned(face.corners)).collect())
}

/// The points as steps of a grid.
fn grid(points: &[[f32; 3]]) -> Option<Vec<[i64; 3]>> {
    let wide: Vec<_> = points.iter().map(|point| point.map(f64::from)).collect();
    if wide.is_empty() || wide.as_flattened().iter().any(|number| !number.is_finite()) {
        return None;
    }
    let side = |axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
        wide.iter().map(|point| point[axis]).fold(start, pick)
    };
    let low = [0, 1, 2].map(|axis| side(axis, f64::min, f64::INFINITY));
    let high = [0, 1, 2].map(|axis| side(axis, f64::max, f64::NEG_INFINITY));
    let longest = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    if longest <= 0.0 {
        return None;
    }
    let step = |point: &[f64; 3]| {
        [0, 1, 2].map(|axis| ((point[axis] - low[axis]) / longest * STEPS).round() as i64)
    };
    Some(wide.iter().map(step).collect())
}

/// The faces of a first body of four points that do not lie in a plane.
fn first_faces(grid: &[[i64; 3]]) -> Option<Vec<HullFace>> {
    let first = *grid.first()?;
    // The farthest of all, by a measure that floats are good enough for; that it is off is asked in integers.
    let farthest = |measure: &dyn Fn([i64; 3]) -> f64| {
        let all = (0_u32..).zip(grid).map(|(number, point)| (number, *point, measure(*point)));
        all.max_by(|a, b| a.2.total_cmp(&b.2))
    };
    let length = |v: [i64; 3]| v.iter().map(|side| (*side as f64).powi(2)).sum::<f64>();
    let (second_number, second, _) = farthest(&|point| length(less(point, first)))?;
    let along = less(second, first);
    let (third_number, third, _) = farthest(&|point| length(cross(along, less(point, first))))?;
    let normal = cross(along, less(third, first));
    let (last_number, last, _) = farthest(&|point| dot(normal, less(point, first)).abs() as f64)?;
    let side = dot(normal, less(last, first));
    if side == 0 {
        return None;
    }
    let (a, b, c, d) = (0, second_number, third_number, last_number);
    // Seen from outside, the last point lies below the first face.
    let (b, c) = if side > 0 { (c, b) } else { (b, c) };
    let corners = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
    corners.into_iter().map(|corners| HullFace::of(grid, corners)).collect()
}

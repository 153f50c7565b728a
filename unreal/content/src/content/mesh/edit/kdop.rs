//! Trees of boxes around triangles, which engines find what is hit by.
//!
//! Spec: ue1-3/10 §10.2, 11 §11.6. C++: `TkDOPTree`.

use super::drawn::{DrawnMesh, push_floats};
use super::point_box::{NO_POINTS, widen};
use super::triangles::MeshTriangles;
use crate::error::{Error, Result};

/// Triangles of a leaf.
const LEAF: usize = 5;
/// Steps of the numbers that small nodes are made of.
const STEPS: f64 = 127.0;

/// A triangle of a tree: three vertices and the material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KdopTriangle {
    pub numbers: [u16; 4],
    pub positions: [[f32; 3]; 3],
}

impl KdopTriangle {
    fn centre(&self, axis: usize) -> f64 {
        self.positions.iter().map(|v| f64::from(v[axis])).sum::<f64>() / 3.0
    }
}

/// The triangles of a mesh whose materials stop things, with the numbers that they are drawn by.
pub(super) fn stopping(
    triangles: &MeshTriangles,
    drawn: &DrawnMesh,
    stops: impl Fn(usize) -> bool,
) -> Vec<KdopTriangle> {
    let all = triangles.list.iter().zip(drawn.indices.chunks_exact(3));
    let all = all.filter(|(triangle, _)| stops(triangle.material));
    let made = all.map(|(triangle, numbers)| KdopTriangle {
        numbers: [numbers[0], numbers[1], numbers[2], triangle.material as u16],
        positions: triangle.positions,
    });
    made.collect()
}

/// The numbers of all triangles as they are stored.
pub(super) fn triangle_bytes(triangles: &[KdopTriangle]) -> Vec<u8> {
    triangles.iter().flat_map(|it| it.numbers).flat_map(u16::to_le_bytes).collect()
}

type KdopBounds = ([f32; 3], [f32; 3]);

fn bounds(triangles: &[KdopTriangle]) -> KdopBounds {
    // What an empty tree has (in the one of UE2 that is known).
    let (mut min, mut max) = NO_POINTS;
    widen(&mut min, &mut max, triangles.iter().flat_map(|triangle| triangle.positions));
    (min, max)
}

/// The axis along which the middles of triangles differ most, and the mean of them there.
fn widest(triangles: &[KdopTriangle]) -> (usize, f64) {
    let count = triangles.len().max(1) as f64;
    let mut best = (0, 0.0, -1.0);
    for axis in 0..3 {
        let mean = triangles.iter().map(|it| it.centre(axis)).sum::<f64>() / count;
        let spread = triangles.iter().map(|it| (it.centre(axis) - mean).powi(2)).sum::<f64>();
        if spread > best.2 {
            best = (axis, mean, spread);
        }
    }
    (best.0, best.1)
}

/// The tree of UE2 (UT2004) and of UE3 below version 770: puts the triangles in its order and returns the nodes.
///
/// A node is a box of six `f32`; `i32` whether it is a leaf; then two `i16`, of a leaf how many triangles it has and
/// the first of them, of others the two nodes below. Leaves have at most five; others are cut at the mean along the
/// axis along which the middles of their triangles differ most, as in all but two nodes of 24 meshes of UT2004.
///
/// # Errors
/// `Invalid` for more nodes than 16 bits can number.
pub(super) fn wide(triangles: &mut [KdopTriangle]) -> Result<Vec<u8>> {
    let mut nodes: Vec<(KdopBounds, bool, [usize; 2])> = vec![(bounds(triangles), true, [0; 2])];
    let mut open = vec![(0, 0..triangles.len())];
    while let Some((node, range)) = open.pop() {
        let Some(part) = triangles.get_mut(range.clone()) else { continue };
        nodes[node].0 = bounds(part);
        if part.len() <= LEAF {
            nodes[node].2 = [part.len(), range.start];
            continue;
        }
        let (axis, mean) = widest(part);
        part.sort_by_key(|triangle| triangle.centre(axis) > mean);
        let low = part.partition_point(|triangle| triangle.centre(axis) <= mean);
        let low = if low == 0 || low == part.len() { part.len() / 2 } else { low };
        let first = nodes.len();
        (nodes[node].1, nodes[node].2) = (false, [first, first + 1]);
        nodes.resize(first + 2, (bounds(&[]), true, [0; 2]));
        let middle = range.start + low;
        open.push((first + 1, middle..range.end));
        open.push((first, range.start..middle));
    }
    let mut bytes = Vec::with_capacity(nodes.len() * 32);
    for ((min, max), is_leaf, numbers) in nodes {
        push_floats(&mut bytes, &min);
        push_floats(&mut bytes, &max);
        bytes.extend_from_slice(&i32::from(is_leaf).to_le_bytes());
        for number in numbers {
            let number = i16::try_from(number).map_err(|_| {
                Error::invalid("its collision tree has more than 32,767 nodes or triangles")
            })?;
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    Ok(bytes)
}

/// The tree of UE3 from version 770 on: puts the triangles in its order and returns the box around all and the nodes.
///
/// The tree is full: each node halves its triangles, the larger half first, until leaves would have at most five; node
/// `n` has the nodes `2n + 1` and `2n + 2` below. A node has a byte for each side of its box, the three lowest first,
/// that says how far one of the two below lies within it there: from 128 on the first, by so many of 127 parts of its size;
/// below 128 the second, counted from 127 down. The numbers are rounded down and one less, so that boxes never are too
/// small. As many nodes as leaves are stored; the last one is not used. Made anew from their triangles, the 3,068 boxes
/// of 66 meshes have the numbers that the engine gave them.
pub(super) fn compact(triangles: &mut [KdopTriangle]) -> ([f32; 6], Vec<u8>) {
    let mut leaves: usize = 1;
    while leaves * LEAF < triangles.len() {
        leaves *= 2;
    }
    let (min, max) = bounds(triangles);
    let root = [min[0], min[1], min[2], max[0], max[1], max[2]];
    let mut bytes = vec![0_u8; leaves * 6];
    let mut open = vec![(0_usize, 0..triangles.len(), root.map(f64::from))];
    while let Some((node, range, whole)) = open.pop() {
        if node + 1 >= leaves {
            continue;
        }
        let Some(part) = triangles.get_mut(range.clone()) else { continue };
        let half = part.len().div_ceil(2);
        if half < part.len() {
            let axis = widest(part).0;
            part.select_nth_unstable_by(half, |one, other| {
                one.centre(axis).total_cmp(&other.centre(axis))
            });
        }
        let middle = range.start + half;
        let mut below = [whole; 2];
        let halves = [range.start..middle, middle..range.end];
        let boxes = [0, 1].map(|at| bounds(triangles.get(halves[at].clone()).unwrap_or_default()));
        for side in 0..6 {
            let axis = side % 3;
            let size = whole[axis + 3] - whole[axis];
            let within = |at: usize| {
                let (min, max) = boxes[at];
                let free = match side < 3 {
                    true => f64::from(min[axis]) - whole[side],
                    false => whole[side] - f64::from(max[axis]),
                };
                let is_known = size > 0.0 && !halves[at].is_empty();
                if is_known { free / size * STEPS } else { 0.0 }
            };
            let (first, second) = (within(0), within(1));
            let (at, free) = if second > first { (1, second) } else { (0, first) };
            let steps = (free.floor() - 1.0).clamp(0.0, STEPS);
            bytes[node * 6 + side] = if at == 0 { 128 + steps as u8 } else { 127 - steps as u8 };
            let moved = steps / STEPS * size;
            below[at][side] += if side < 3 { moved } else { -moved };
        }
        for (at, (half, within)) in halves.into_iter().zip(below).enumerate() {
            open.push((node * 2 + 1 + at, half, within));
        }
    }
    (root, bytes)
}

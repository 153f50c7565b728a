//! Trees of triangles by the planes that they lie in: collision of static meshes of UE2 but for UT2004.
//!
//! Spec: ue1-3/10 §10.2. Which link is which comes from the trees of 13 meshes: what lies on both sides of a triangle's
//! plane hangs on both.

use super::kdop::KdopTriangle;
use super::point_box::{NO_POINTS, widen};
use crate::content::mesh::numbers::{cross, dot, less, unit};
use crate::error::{Error, Result};

/// How far from a plane what lies in it may be, in units.
const THICKNESS: f32 = 0.01;
/// Triangles that are tried as the one whose plane divides the others.
const TRIED: usize = 8;
/// Nodes of a tree: small ones number them with 16 bits, of which the last is none.
const MOST_NODES: usize = 65_534;

/// A node: a triangle, and the nodes that follow it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleNode {
    pub triangle: usize,
    /// The next that lies in the same plane.
    pub next: Option<usize>,
    /// Those behind the plane: `behind` and then those in front of it.
    pub behind: Option<usize>,
    pub front: Option<usize>,
    /// The box around all that hangs on it.
    pub min: [f32; 3],
    pub max: [f32; 3],
}

/// A plane: a direction and how far it is.
pub(super) type TrianglePlane = ([f32; 3], f32);

/// The plane of a triangle, which looks outwards, and those through its sides, which look away from it.
pub(super) fn planes(triangle: &KdopTriangle) -> [TrianglePlane; 4] {
    let [a, b, c] = triangle.positions;
    let normal = unit(cross(less(c, a), less(b, a))).unwrap_or([0.0, 0.0, 1.0]);
    let side = |from: [f32; 3], to: [f32; 3]| {
        let away = unit(cross(normal, less(to, from))).unwrap_or(normal);
        (away, dot(away, from))
    };
    [(normal, dot(normal, a)), side(a, b), side(b, c), side(c, a)]
}

/// Where a triangle lies from a plane: whether a part of it is behind, in front.
fn sides_of((normal, far): &TrianglePlane, triangle: &KdopTriangle) -> (bool, bool) {
    let away = triangle.positions.map(|v| dot(*normal, v) - far);
    (away.iter().any(|it| *it < -THICKNESS), away.iter().any(|it| *it > THICKNESS))
}

/// Where a node hangs.
enum TreeLink {
    Root,
    Behind(usize),
    Front(usize),
}

/// The tree of these triangles, its first node the root; none without triangles.
///
/// # Errors
/// `Invalid` for triangles that cut each other so often that their tree has more than 65,534 nodes.
pub(super) fn tree(triangles: &[KdopTriangle]) -> Result<Vec<TriangleNode>> {
    let planes: Vec<_> = triangles.iter().map(|triangle| planes(triangle)[0]).collect();
    let mut nodes: Vec<TriangleNode> = Vec::new();
    let mut open = vec![(TreeLink::Root, (0..triangles.len()).collect::<Vec<_>>())];
    let mut waiting = triangles.len();
    while let Some((link, list)) = open.pop() {
        let Some(divider) = divider(&list, triangles, &planes) else { continue };
        let first = nodes.len();
        match link {
            TreeLink::Root => {}
            TreeLink::Behind(node) => nodes[node].behind = Some(first),
            TreeLink::Front(node) => nodes[node].front = Some(first),
        }
        let (mut behind, mut front, mut within) = (Vec::new(), Vec::new(), Vec::new());
        for at in &list {
            match sides_of(&planes[divider], &triangles[*at]) {
                _ if *at == divider => {}
                (false, false) => within.push(*at),
                (is_behind, is_front) => {
                    behind.extend(is_behind.then_some(*at));
                    front.extend(is_front.then_some(*at));
                }
            }
        }
        within.insert(0, divider);
        // The box of the first is around all, that of each other around those that follow it.
        let (mut min, mut max) = NO_POINTS;
        for (number, triangle) in within.iter().enumerate().rev() {
            let next = (number + 1 < within.len()).then(|| first + number + 1);
            widen(&mut min, &mut max, triangles[*triangle].positions);
            let (behind, front) = (None, None);
            nodes.push(TriangleNode { triangle: *triangle, next, behind, front, min, max });
        }
        nodes[first..].reverse();
        for at in &list {
            let node = &mut nodes[first];
            widen(&mut node.min, &mut node.max, triangles[*at].positions);
        }
        // Each that waits becomes a node or more.
        waiting = waiting + behind.len() + front.len() - list.len();
        if nodes.len() + waiting > MOST_NODES {
            return Err(Error::invalid(format!(
                "its triangles cut each other so often that its collision tree has more than {MOST_NODES} nodes"
            )));
        }
        if !front.is_empty() {
            open.push((TreeLink::Front(first), front));
        }
        if !behind.is_empty() {
            open.push((TreeLink::Behind(first), behind));
        }
    }
    Ok(nodes)
}

/// The triangle whose plane cuts the fewest others, and divides them best.
fn divider(list: &[usize], triangles: &[KdopTriangle], planes: &[TrianglePlane]) -> Option<usize> {
    let step = list.len().div_ceil(TRIED).max(1);
    list.iter().step_by(step).copied().min_by_key(|tried| {
        let (mut cut, mut balance) = (0_usize, 0_isize);
        for at in list.iter().step_by(list.len().div_ceil(512).max(1)) {
            match sides_of(&planes[*tried], &triangles[*at]) {
                (true, true) => cut += 1,
                (true, false) => balance += 1,
                (false, true) => balance -= 1,
                (false, false) => {}
            }
        }
        cut * 4 + balance.unsigned_abs()
    })
}

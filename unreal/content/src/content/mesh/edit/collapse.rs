//! The order in which vertices of a mesh with levels of detail fall together.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// The vertices of a mesh in the order in which they stay, and what becomes of each when it goes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CollapseOrder {
    /// The old number of each vertex; the last goes first.
    pub old: Vec<usize>,
    /// The vertex that each falls to, by new numbers: one that stays longer.
    pub onto: Vec<u16>,
}

impl CollapseOrder {
    /// Lets the ends of the shortest edge fall together, again and again: the one with fewer neighbours falls to the other,
    /// which takes them over. `places` says where the vertices are, each triangle has three of them. Engines order them in
    /// a way of their own, which is not known; any order is one.
    pub fn of(places: &[[f32; 3]], triangles: &[[u16; 3]]) -> Self {
        let count = places.len();
        let length = |a: usize, b: usize| {
            let square =
                |axis: usize| (f64::from(places[a][axis]) - f64::from(places[b][axis])).powi(2);
            (0..3).map(square).sum::<f64>().to_bits()
        };
        let mut neighbours = vec![HashSet::new(); count];
        let mut edges = BinaryHeap::new();
        for triangle in triangles {
            let [a, b, c] = triangle.map(usize::from);
            for (a, b) in [(a, b), (b, c), (c, a)] {
                if a != b && neighbours[a].insert(b) {
                    neighbours[b].insert(a);
                    edges.push(Reverse((length(a, b), a.min(b), a.max(b))));
                }
            }
        }
        let mut gone: Vec<(usize, Option<usize>)> = Vec::with_capacity(count);
        let mut is_gone = vec![false; count];
        while let Some(Reverse((_, a, b))) = edges.pop() {
            if is_gone[a] || is_gone[b] {
                continue;
            }
            // The one with fewer goes: what is taken over stays little.
            let (goes, stays) = match neighbours[a].len() < neighbours[b].len() {
                true => (a, b),
                false => (b, a),
            };
            is_gone[goes] = true;
            gone.push((goes, Some(stays)));
            for other in std::mem::take(&mut neighbours[goes]) {
                neighbours[other].remove(&goes);
                if other != stays && neighbours[stays].insert(other) {
                    neighbours[other].insert(stays);
                    edges.push(Reverse((length(stays, other), stays.min(other), stays.max(other))));
                }
            }
        }
        let rest: Vec<usize> = (0..count).filter(|at| !is_gone[*at]).collect();
        let mut new = vec![0_u16; count];
        let old: Vec<usize> =
            rest.iter().copied().chain(gone.iter().rev().map(|(goes, _)| *goes)).collect();
        for (number, at) in old.iter().enumerate() {
            new[*at] = number as u16;
        }
        let mut onto = vec![0_u16; count];
        for (goes, stays) in gone {
            onto[usize::from(new[goes])] = stays.map_or(0, |stays| new[stays]);
        }
        Self { old, onto }
    }

    /// How many vertices there must be for a triangle to be seen: one more than the number of the vertex with which two
    /// of its corners fall together (as in the 486 triangles of two meshes).
    pub fn level(&self, triangle: [u16; 3]) -> u16 {
        let mut corners = triangle;
        loop {
            let highest = corners.into_iter().max().unwrap_or(0);
            let Some(onto) = self.onto.get(usize::from(highest)).filter(|onto| **onto < highest)
            else {
                return 1;
            };
            corners = corners.map(|corner| if corner == highest { *onto } else { corner });
            let [a, b, c] = corners;
            if a == b || b == c || c == a {
                return highest.saturating_add(1);
            }
        }
    }
}

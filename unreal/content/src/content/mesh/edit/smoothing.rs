//! Smoothing groups: which triangles are shaded together.

use std::collections::HashMap;

use super::triangles::MeshTriangles;

/// Groups that a mask has bits for.
const GROUPS: u32 = 32;

type PlaceBits = [u32; 3];

/// The smoothing mask of each triangle, so that engines compute about the normals that the triangles have.
///
/// Engines add up the normals of triangles that meet in a place and share a bit (measured on 28 of 33 static meshes of
/// UE2, whose normals come out so). Triangles that have the same normal where they meet come into one group; groups
/// that meet get different bits, and the triangles of a flat one alone get none. Where more than 32 groups meet,
/// some stay flat.
pub(super) fn masks(triangles: &MeshTriangles) -> Vec<u32> {
    let list = &triangles.list;
    let mut groups = TriangleGroups((0..list.len()).collect());
    let bits = |v: [f32; 3]| v.map(|number| (number + 0.0).to_bits());
    let mut first: HashMap<(PlaceBits, PlaceBits), usize> = HashMap::with_capacity(list.len() * 3);
    for (at, triangle) in list.iter().enumerate() {
        for (position, normal) in triangle.positions.iter().zip(&triangle.normals) {
            let known = *first.entry((bits(*position), bits(*normal))).or_insert(at);
            groups.join(known, at);
        }
    }
    drop(first);
    let group: Vec<usize> = (0..list.len()).map(|at| groups.of(at)).collect();
    // Groups in each place, each once.
    let mut places: Vec<(PlaceBits, usize)> = Vec::with_capacity(list.len() * 3);
    for (triangle, group) in list.iter().zip(&group) {
        places.extend(triangle.positions.map(|position| (bits(position), *group)));
    }
    places.sort_unstable();
    places.dedup();
    let mut members = vec![0_u32; list.len()];
    group.iter().for_each(|group| members[*group] += 1);
    let mut of_group: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut meetings: Vec<&[(PlaceBits, usize)]> = Vec::new();
    for place in places.chunk_by(|one, other| one.0 == other.0) {
        if place.len() > 1 {
            for (_, group) in place {
                of_group.entry(*group).or_default().push(meetings.len());
            }
            meetings.push(place);
        }
    }
    // What each place has given away: each group looks at its own places alone.
    let mut taken = vec![0_u32; meetings.len()];
    let mut masks = vec![0_u32; list.len()];
    for at in 0..list.len() {
        // A group is known by its first triangle; one of a single triangle is flat.
        if group[at] != at || members[at] < 2 {
            continue;
        }
        let own = of_group.get(&at).map(Vec::as_slice).unwrap_or_default();
        let used = own.iter().fold(0, |used, place| used | taken[*place]);
        let bit = (0..GROUPS).map(|bit| 1 << bit).find(|bit| used & bit == 0).unwrap_or(0);
        own.iter().for_each(|place| taken[*place] |= bit);
        masks[at] = bit;
    }
    group.iter().map(|group| masks[*group]).collect()
}

/// Sets of triangles that are joined one by one, each known by its first.
struct TriangleGroups(Vec<usize>);

impl TriangleGroups {
    fn of(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

//! Vertices that are one point of a `.psk` file.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use super::shape::Lod;

/// Points and wedges that numbers of 16 bits can name.
pub(super) const MOST_NARROW: usize = 1 << 16;

/// The points of a level of detail.
pub(super) struct Points {
    /// One vertex of each point.
    pub vertices: Vec<usize>,
    /// The point of each vertex.
    pub of_vertex: HashMap<usize, u32>,
}

/// What vertices of one point have in common.
struct PointKey<'a> {
    lod: &'a Lod,
    vertex: usize,
    /// Whether their normals are the same as well.
    has_normal: bool,
}

impl PointKey<'_> {
    /// All numbers of it as bits: 0 and -0 differ, which makes two points and no harm.
    fn bits(&self) -> impl Iterator<Item = u32> {
        let (lod, at) = (self.lod, self.vertex);
        let normal = lod.normals.get(at).filter(|_| self.has_normal);
        let morphs = lod.morphs.iter().filter_map(move |morph| morph.positions.get(at));
        let places = lod.positions.get(at).into_iter().chain(normal).chain(morphs);
        let moved = lod.influences.get(at).into_iter();
        let moved = moved.flat_map(|it| it.bones.into_iter().zip(it.weights));
        let moved = moved.flat_map(|(bone, weight)| [u32::from(bone), weight.to_bits()]);
        places.flatten().map(|number| number.to_bits()).chain(moved)
    }
}

impl Hash for PointKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().for_each(|bits| bits.hash(state));
    }
}

impl PartialEq for PointKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bits().eq(other.bits())
    }
}

impl Eq for PointKey<'_> {}

impl Points {
    /// The points of these vertices, in the order in which they come.
    pub fn of(lod: &Lod, vertices: impl Iterator<Item = usize>, has_normals: bool) -> Self {
        let mut made = Self { vertices: Vec::new(), of_vertex: HashMap::new() };
        let mut points: HashMap<PointKey<'_>, u32> = HashMap::new();
        for vertex in vertices {
            if made.of_vertex.contains_key(&vertex) {
                continue;
            }
            let key = PointKey { lod, vertex, has_normal: has_normals };
            let point = *points.entry(key).or_insert_with(|| {
                made.vertices.push(vertex);
                made.vertices.len() as u32 - 1
            });
            made.of_vertex.insert(vertex, point);
        }
        made
    }
}

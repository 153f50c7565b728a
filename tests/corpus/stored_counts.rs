//! Numbers of triangles, vertices, bones and frames that the objects of meshes store, beside those of the files that are made
//! of them.

use unreal_packages::mesh::Mesh;
use unreal_packages::package::Package;

use crate::gltf_counts::FileCounts;
use crate::{classic_counts, ue3_counts, ue4_counts};

/// A level of detail as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLevel {
    pub triangles: usize,
    pub vertices: StoredVertices,
}

/// Vertices of a level of detail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredVertices {
    Exactly(usize),
    /// Some of them may belong to no triangle.
    AtMost(usize),
}

/// The numbers that an object stores.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredCounts {
    pub levels: Vec<StoredLevel>,
    /// Bones of the reference skeleton.
    pub bones: usize,
    /// Other positions of all vertices: frames behind the first, shapes.
    pub shapes: usize,
    /// Frames of each animation, where the object stores any.
    pub frames: Vec<usize>,
}

impl StoredLevel {
    pub fn exactly(triangles: usize, vertices: usize) -> Self {
        Self { triangles, vertices: StoredVertices::Exactly(vertices) }
    }

    pub fn at_most(triangles: usize, vertices: usize) -> Self {
        Self { triangles, vertices: StoredVertices::AtMost(vertices) }
    }

    /// Of the polygons of a model: flags of the surface of each, and its corners.
    pub fn of_polygons(polygons: impl Iterator<Item = (Option<u32>, usize)>) -> Self {
        // Invisible ones and portals are not drawn. C++: `PF_Invisible`, `PF_Portal`.
        let is_drawn = |flags: u32| flags & (0x1 | 0x0400_0000) == 0;
        let drawn = polygons
            .filter(|(flags, corners)| *corners >= 3 && flags.is_some_and(is_drawn))
            .map(|(_, corners)| corners);
        let (triangles, vertices) =
            drawn.fold((0, 0), |sum, corners| (sum.0 + corners - 2, sum.1 + corners));
        Self::exactly(triangles, vertices)
    }
}

impl StoredCounts {
    pub fn of_levels(levels: Vec<StoredLevel>) -> Self {
        Self { levels, ..Self::default() }
    }

    /// Those of an object; `None` where its type does not say them.
    pub fn of(package: &Package, row: usize) -> Option<Self> {
        classic_counts::of(package, row)
            .or_else(|| ue3_counts::of(package, row))
            .or_else(|| ue4_counts::of(package, row))
    }

    /// Whether a file has what is stored; else what differs.
    pub fn check(&self, file: &FileCounts, mesh: &Mesh) -> Result<(), String> {
        let differs = |what: &str| Err(format!("{what}: stored {self:?}, in the file {file:?}"));
        let drawn: Vec<_> = self.levels.iter().filter(|level| level.triangles > 0).collect();
        // A level may be left out, which is said.
        let is_left_out =
            mesh.notes.iter().any(|note| note.contains("LOD") || note.contains("level"));
        if file.levels.len() > drawn.len() || file.levels.len() < drawn.len() && !is_left_out {
            return differs("levels of detail");
        }
        let mut next = drawn.into_iter();
        for level in &file.levels {
            let fits = |stored: &&StoredLevel| {
                stored.triangles == level.triangles
                    && match stored.vertices {
                        StoredVertices::Exactly(count) => level.vertices == count,
                        StoredVertices::AtMost(count) => {
                            level.vertices <= count && level.vertices * 2 >= count
                        }
                    }
            };
            if next.find(fits).is_none() {
                return differs("triangles or vertices");
            }
        }
        match () {
            () if file.joints != self.bones => differs("bones"),
            () if file.levels.first().map_or(0, |level| level.shapes) != self.shapes => {
                differs("shapes")
            }
            () if file.frames != self.frames => differs("frames"),
            () => Ok(()),
        }
    }
}

/// A number of a file.
pub fn number(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

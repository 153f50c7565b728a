//! Triangles by their materials.

use std::collections::HashMap;

use super::shape::MeshSection;

/// The sections of a level of detail while its triangles come, in the order of their first ones.
#[derive(Default)]
pub(super) struct Sections {
    /// The sections so far.
    pub list: Vec<MeshSection>,
    /// Where the section of a material stands: a damaged mesh may name a material for each triangle.
    places: HashMap<usize, usize>,
}

impl Sections {
    /// Adds a triangle to the section of its material.
    pub fn push(&mut self, material: usize, corners: [u32; 3]) {
        let at = *self.places.entry(material).or_insert(self.list.len());
        match self.list.get_mut(at) {
            Some(section) => section.indices.extend(corners),
            None => self.list.push(MeshSection { material, indices: corners.to_vec() }),
        }
    }
}

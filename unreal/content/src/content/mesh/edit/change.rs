//! What changes when a mesh gets the triangles of a file.

/// What a mesh of a file has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MeshChange {
    /// Whether the mesh is another one than before.
    pub changed: bool,
    /// Triangles of all levels of detail that the file has.
    pub triangles: usize,
    /// Their vertices, as the engine draws them.
    pub vertices: usize,
    /// What of the file is not in the mesh, and what of the mesh is as it was.
    pub notes: Vec<String>,
}

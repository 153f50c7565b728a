//! Meshes and animations as the files of Unreal's importers: `upk extract --psk`.

use unreal_packages::Result;
use unreal_packages::mesh::{ActorXOutput, Mesh};

/// The files of a mesh, each with what stands behind its name: one for each level of detail that has triangles, and one
/// for what moves its bones.
pub fn files(mesh: &Mesh) -> Result<Vec<(String, ActorXOutput)>> {
    let is_moved = mesh.animations.iter().any(|animation| !animation.tracks.is_empty());
    let mut made = Vec::new();
    for (level, lod) in mesh.lods.iter().enumerate() {
        // A mesh must have a level with triangles, and a skeleton alone one with animations.
        if lod.triangle_count() == 0 && (level > 0 || is_moved) {
            continue;
        }
        let suffix = if level == 0 { String::new() } else { format!("~lod{level}") };
        made.push((suffix, mesh.to_psk(level)?));
    }
    if is_moved || made.is_empty() {
        made.push((String::new(), mesh.to_psa()?));
    }
    Ok(made)
}

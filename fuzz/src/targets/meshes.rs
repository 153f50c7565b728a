//! Meshes from files of glTF; one that is read becomes a mesh of each engine.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{Mesh, MeshEdits, MeshOptions, PackageMeshes};
use unreal_packages::package::Package;

use super::is_readable;
use crate::memory;

/// Bytes of memory that a byte of a file may take: numbers that are read four times, as text and as numbers of 32 bits, in
/// frames and in a copy of them.
const MOST_PER_BYTE: usize = 1_024;

pub fn run(data: &[u8]) {
    let (mesh, peak) = memory::peak(|| Mesh::from_gltf(data));
    let most = (8 << 20) + MOST_PER_BYTE * data.len();
    assert!(peak <= most, "{peak} bytes of memory for a file of {}", data.len());
    let mesh = match mesh {
        Ok(mesh) => mesh,
        Err(error) => return is_readable(&error),
    };
    let triangles = mesh.lods[0].triangle_count();
    assert!(triangles > 0 && mesh.lods[0].positions.len() <= (1 << 16) + data.len());
    for profile in [Profile::UT99, Profile::UT2004, Profile::UDK] {
        let mut package = create(&profile).unwrap();
        match package.edit(|edit| edit.add_mesh("Rocks.Rock", data)) {
            Err(error) => is_readable(&error),
            Ok((row, change)) => {
                assert!(change.triangles <= triangles * mesh.lods.len().max(1) * 64);
                let bytes = package.to_bytes().expect("what was committed is saved");
                let again = Package::from_bytes(bytes).expect("what was saved opens");
                let seen =
                    again.mesh(row, &MeshOptions::default()).expect("a mesh that was made is seen");
                assert!(seen.lods[0].triangle_count() <= triangles);
            }
        }
    }
}

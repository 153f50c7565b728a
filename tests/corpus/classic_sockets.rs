//! Sockets of UE1 and UE2, beside the bones and vertices of their meshes.

use unreal_packages::mesh::{Mesh, MeshOptions, PackageMeshes};
use unreal_packages::object::{ue1, ue2};
use unreal_packages::package::{Package, native_as};

use crate::meshes::every_package;
use crate::solids::{bounds, placed};

/// The middle of a socket in the space of the vertices.
fn place(mesh: &Mesh, name: &str) -> [f32; 3] {
    let socket = mesh.sockets.iter().find(|socket| socket.name == name).unwrap();
    let (mut point, mut bone) = (socket.place.translation, socket.bone);
    while let Some(at) = bone {
        point = placed(&mesh.bones[at].rest, point);
        bone = mesh.bones[at].parent;
    }
    point
}

pub fn tags_of_ue2_are_at_their_bones() {
    let (mut meshes, mut tags, mut weapons, mut flashes) = (0, 0, 0, 0);
    for path in every_package() {
        let Ok(package) = Package::open(&path) else { continue };
        for row in 0..package.exports().len() {
            let decoded = package.decode(row).unwrap();
            if let Some(stored) = native_as::<ue1::SkeletalMesh>(&decoded.body) {
                let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
                // No known mesh holds a weapon.
                assert_eq!((stored.weapon_bone_index, mesh.sockets.len()), (-1, 0));
                weapons += 1;
            }
            let Some(stored) = native_as::<ue2::SkeletalMesh>(&decoded.body) else { continue };
            let Ok(mesh) = package.mesh(row, &MeshOptions::default()) else { continue };
            assert_eq!(mesh.sockets.len(), stored.attach_aliases.len(), "{}", path.display());
            for (socket, bone) in mesh.sockets.iter().zip(&stored.attach_bones) {
                let bone = package.name_text(*bone);
                assert!(mesh.bones[socket.bone.unwrap()].name.eq_ignore_ascii_case(&bone));
                tags += 1;
            }
            meshes += 1;
            if mesh.name == "TP_rem870" {
                // Along -Y lies the barrel: the flash is before its end by less than a tenth of its length.
                let ([x, y, z], [low, high]) = (place(&mesh, "Flash"), bounds(&mesh.lods[0]));
                let [x, y, z] = [x, y, z].map(f64::from);
                println!("flash at {x} {y} {z}, vertices {low:?} {high:?}");
                assert!((low[0]..high[0]).contains(&x) && (low[2]..high[2]).contains(&z));
                assert!(y < low[1] && y > low[1] - (high[1] - low[1]) * 0.1);
                flashes += 1;
            }
        }
    }
    println!("{meshes} meshes of UE2 with {tags} tags, {weapons} of UE1");
    assert!(meshes >= 7 && tags >= 2 && weapons >= 4 && flashes == 1);
}

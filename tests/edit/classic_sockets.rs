//! Sockets of UE1 and UE2 in generated packages.

use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{Mesh, MeshOptions, PackageMeshes};
use unreal_packages::object::geometry::{Coords, Plane, Vector};
use unreal_packages::object::{ue1, ue2};
use unreal_packages::primitive::Name;
use unreal_packages::property::PropertyList;

fn vector(x: f32, y: f32, z: f32) -> Vector {
    Vector { x, y, z }
}

/// A quarter turn about Z, two units along X.
fn turned() -> Coords {
    Coords {
        origin: vector(2.0, 0.0, 0.0),
        x_axis: vector(0.0, 1.0, 0.0),
        y_axis: vector(-1.0, 0.0, 0.0),
        z_axis: vector(0.0, 0.0, 1.0),
    }
}

fn bone(name: Name) -> ue1::Bone {
    let orientation = Plane { w: 1.0, ..Plane::default() };
    ue1::Bone { name, orientation, ..ue1::Bone::default() }
}

fn is_turned(mesh: &Mesh, socket: usize) {
    let place = &mesh.sockets[socket].place;
    assert_eq!(place.translation, [2.0, 0.0, 0.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let pairs = place.rotation.iter().zip([0.0, 0.0, half, half]);
    assert!(pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-6), "{place:?}");
    let note = "sockets that are turned, as no known file shows it: 1";
    assert!(mesh.notes.contains(&note.to_owned()), "{:?}", mesh.notes);
}

#[test]
fn tags_of_ue2_become_sockets() {
    let mut package = create(&Profile::UT2004).unwrap();
    let row = package
        .edit(|edit| {
            let mut name = |text| edit.add_name(text);
            let mesh = ue2::SkeletalMesh {
                base: ue2::LodMesh { version: 4, ..ue2::LodMesh::default() },
                bones: vec![bone(name("Root")?), bone(name("Hand")?)],
                attach_aliases: vec![name("Grip")?, name("grip")?, name("Tail")?, name("Flat")?],
                attach_bones: vec![name("hand")?, name("Root")?, name("Back")?, name("Root")?],
                attach_coords: vec![turned(), turned(), turned(), Coords::default()],
                lod_models: vec![ue2::LodModel::default()],
                ..ue2::SkeletalMesh::default()
            };
            edit.add_object("Man", "Engine.SkeletalMesh", PropertyList::default(), mesh)
        })
        .unwrap();
    let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
    assert_eq!(mesh.sockets.len(), 1);
    assert_eq!((mesh.sockets[0].name.as_str(), mesh.sockets[0].bone), ("Grip", Some(1)));
    is_turned(&mesh, 0);
    for note in ["of bones that it has not, left out: 1", "a place that is read, left out: 1"] {
        assert!(mesh.notes.iter().any(|known| known.ends_with(note)), "{:?}", mesh.notes);
    }
}

#[test]
fn the_weapon_of_ue1_becomes_a_socket() {
    let mesh = |weapon_bone_index| {
        let mut package = create(&Profile::UT99).unwrap();
        let make = |edit: &mut Edit| {
            let mesh = ue1::SkeletalMesh {
                bones: vec![bone(edit.add_name("Root")?)],
                weapon_bone_index,
                weapon_adjust: turned(),
                ..ue1::SkeletalMesh::default()
            };
            edit.add_object("Man", "Engine.SkeletalMesh", PropertyList::default(), mesh)
        };
        let row = package.edit(make).unwrap();
        package.mesh(row, &MeshOptions::default()).unwrap()
    };
    let armed = mesh(0);
    assert_eq!((armed.sockets[0].name.as_str(), armed.sockets[0].bone), ("Weapon", Some(0)));
    is_turned(&armed, 0);
    assert!(mesh(-1).sockets.is_empty() && mesh(-1).notes.is_empty());
    let other = mesh(1);
    assert!(other.sockets.is_empty() && other.notes.len() == 1, "{:?}", other.notes);
}

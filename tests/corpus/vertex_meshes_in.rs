//! Meshes of UE1 from files, beside those that engines have built.

use unreal_packages::edit::PackageEdit;
use unreal_packages::mesh::{MeshEdits, MeshOptions, NewVertexMesh, PackageMeshes};
use unreal_packages::object::ue1::{LodMesh, Mesh};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::Payload;

use crate::folders::corpus;

fn shorts<const N: usize>(package: &Package, payload: &Payload<N>) -> Vec<u16> {
    let bytes = payload.0.bytes(package.source()).unwrap();
    bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect()
}

fn lod_mesh(package: &Package, row: usize) -> LodMesh {
    native_as::<LodMesh>(&package.decode(row).unwrap().body).unwrap().clone()
}

/// The levels of faces, made anew from the order in which vertices fall together.
fn levels(package: &Package, mesh: &LodMesh) -> (usize, usize) {
    let onto = shorts(package, &mesh.collapse_points);
    let (faces, wedges) = (shorts(package, &mesh.faces), shorts(package, &mesh.wedges));
    let stored = shorts(package, &mesh.face_levels);
    let mut same = 0;
    for (face, stored) in faces.chunks_exact(4).zip(&stored) {
        let mut corners = [0, 1, 2].map(|at| wedges[usize::from(face[at]) * 2]);
        let level = loop {
            let highest = corners.into_iter().max().unwrap();
            let onto = onto[usize::from(highest)];
            assert!(onto < highest, "vertex {highest} falls to {onto}");
            corners = corners.map(|corner| if corner == highest { onto } else { corner });
            if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
                break highest + 1;
            }
        };
        same += usize::from(level == *stored);
    }
    (same, stored.len())
}

fn read_again(package: &mut Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

fn row_of(package: &Package, class: &str) -> usize {
    let is = |row: &usize| package.exports().get(*row).unwrap().class() == class;
    (0..package.exports().len()).find(is).unwrap()
}

pub fn meshes_of_ue1_are_built_as_the_engine_built_them() {
    for (file, triangles, is_joined) in
        [("classic/69_0_KillConfirmed.u", 250, true), ("classic/69_0_HeadHunter.u", 236, false)]
    {
        let package = Package::open(corpus().join(file)).unwrap();
        let row = row_of(&package, "Engine.LodMesh");
        let old = lod_mesh(&package, row);
        assert_eq!(
            levels(&package, &old),
            (triangles, triangles),
            "{file}: as the engine made them"
        );
        let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
        let glb = mesh.to_glb().unwrap();
        let mut same = package.clone();
        assert!(!same.edit(|edit| edit.replace_mesh(row, &glb)).unwrap().changed);
        assert!(same.to_bytes().unwrap() == package.to_bytes().unwrap());
        // A point of the first frame is moved: the boxes and spheres of the others are those that the engine computed.
        let mut moved = mesh.clone();
        let place = moved.lods[0].positions[0];
        for position in moved.lods[0].positions.iter_mut().filter(|it| **it == place) {
            position[0] += 3.0;
        }
        let mut changed = package.clone();
        let file_of_moved = moved.to_glb().unwrap();
        let change = changed.edit(|edit| edit.replace_mesh(row, &file_of_moved)).unwrap();
        assert!(change.changed && change.notes.is_empty(), "{change:?}");
        let changed = read_again(&mut changed);
        let new = lod_mesh(&changed, row);
        assert_eq!(levels(&changed, &new), (triangles, triangles), "{file}");
        if is_joined {
            let counts = |it: &LodMesh| (it.model_vertices, it.wedges.count(), it.faces.count());
            assert_eq!(counts(&old), counts(&new), "{file}");
        }
        assert_eq!(old.mesh.frame_count, new.mesh.frame_count);
        assert_eq!(old.mesh.bounding_boxes[1..], new.mesh.bounding_boxes[1..], "{file}");
        assert_eq!(old.mesh.bounding_spheres[1..], new.mesh.bounding_spheres[1..], "{file}");
        assert_eq!(old.mesh_scale_max, new.mesh_scale_max, "{file}");
        assert_eq!((old.mesh.textures, old.materials), (new.mesh.textures, new.materials));
        let after = changed.mesh(row, &MeshOptions::default()).unwrap();
        assert_eq!(after.lods[0].morphs.len(), mesh.lods[0].morphs.len());
        assert_eq!(after.lods[0].triangle_count(), triangles);
        // As a mesh of its own, in numbers of its own.
        let mut again = package.clone();
        let (row, _) = again.edit(|edit| edit.add_mesh("Again", &glb)).unwrap();
        let again = read_again(&mut again);
        assert_eq!(levels(&again, &lod_mesh(&again, row)), (triangles, triangles), "{file}");
        let size = |mesh: &unreal_packages::mesh::Mesh| {
            let lod = unreal_packages::mesh::Mesh::from_gltf(&mesh.to_glb().unwrap())
                .unwrap()
                .lods
                .remove(0);
            let axis = |axis: usize| {
                let all = lod.positions.iter().map(|v| v[axis]);
                all.clone().fold(f32::MIN, f32::max) - all.fold(f32::MAX, f32::min)
            };
            [axis(0), axis(1), axis(2)]
        };
        let (before, after) =
            (size(&mesh), size(&again.mesh(row, &MeshOptions::default()).unwrap()));
        let near = (0..3).all(|axis| (before[axis] - after[axis]).abs() < 0.3);
        assert!(near, "{file}: {before:?} {after:?}");
    }
}

/// The files that the compiler was given, made of the mesh: for these meshes, whose files are public too, they are those.
fn files_of(package: &Package, mesh: &LodMesh) -> (Vec<u8>, Vec<u8>) {
    let (faces, wedges) = (shorts(package, &mesh.faces), shorts(package, &mesh.wedges));
    let frame = mesh.mesh.frame_vertices as u16;
    let mut data = [(faces.len() / 4) as u16, frame].map(u16::to_le_bytes).concat();
    data.resize(48, 0);
    for face in faces.chunks_exact(4) {
        let corners = [0, 1, 2].map(|at| usize::from(face[at]) * 2);
        data.extend(corners.iter().flat_map(|at| wedges[*at].to_le_bytes()));
        data.extend([0, 0]);
        data.extend(corners.iter().flat_map(|at| wedges[at + 1].to_le_bytes()));
        data.extend([mesh.materials[usize::from(face[3])].texture_index as u8, 0]);
    }
    let mut frames = [mesh.mesh.frame_count as u16, frame * 4].map(u16::to_le_bytes).concat();
    frames.extend(mesh.mesh.vertices.data.bytes(package.source()).unwrap());
    (data, frames)
}

pub fn meshes_of_the_compilers_files_are_those_that_it_made() {
    // What the lines in the classes of these packages say.
    for (file, scale, texture) in [
        ("classic/69_0_KillConfirmed.u", [0.2, 0.2, 0.4], "DogTags"),
        ("classic/69_0_HeadHunter.u", [0.04, 0.04, 0.08], "SKIN_Skull"),
    ] {
        let package = Package::open(corpus().join(file)).unwrap();
        let row = row_of(&package, "Engine.LodMesh");
        let old = lod_mesh(&package, row);
        let (data, frames) = files_of(&package, &old);
        let mut textures = old.mesh.textures.clone();
        assert_eq!(package.object_name(textures[1]), texture, "{file}");
        textures[0] = Default::default();
        let new = NewVertexMesh { scale, lod_strength: 0.0, textures, ..NewVertexMesh::default() };
        let mut again = package.clone();
        let row = again.edit(|edit| edit.add_vertex_mesh("Again", &data, &frames, &new)).unwrap();
        let again = read_again(&mut again);
        let made = lod_mesh(&again, row);
        let parts = |it: &LodMesh| {
            (it.mesh.primitive, it.mesh.bounding_boxes.clone(), it.mesh.bounding_spheres.clone())
        };
        assert_eq!(parts(&old), parts(&made), "{file}");
        let facts = |it: &LodMesh| {
            let lod = (it.mesh_scale_max, it.lod_hysteresis, it.lod_strength, it.lod_min_vertices);
            let counts =
                (it.model_vertices, it.special_vertices, it.wedges.count(), it.faces.count());
            (lod, it.lod_morph, it.lod_z_displace, counts, it.materials.clone())
        };
        assert_eq!(facts(&old), facts(&made), "{file}");
        let base = |it: &LodMesh| {
            let it = &it.mesh;
            let place = (it.scale, it.origin, it.rotation, it.and_flags, it.or_flags);
            (place, it.textures.clone(), it.texture_lods.clone(), it.frame_vertices, it.frame_count)
        };
        assert_eq!(base(&old), base(&made), "{file}");
        // The same triangles in the same order, by where their corners are.
        let triangles = |package: &Package, mesh: &LodMesh| {
            let (faces, wedges) = (shorts(package, &mesh.faces), shorts(package, &mesh.wedges));
            let vertices = mesh.mesh.vertices.data.bytes(package.source()).unwrap();
            let corner = |at: &u16| {
                let wedge = usize::from(*at) * 2;
                let point = usize::from(wedges[wedge]) * 4;
                (vertices[point..point + 4].to_vec(), wedges[wedge + 1])
            };
            faces
                .chunks_exact(4)
                .map(|it| it[..3].iter().map(corner).collect())
                .collect::<Vec<Vec<_>>>()
        };
        assert_eq!(triangles(&package, &old), triangles(&again, &made), "{file}");
    }
}

pub fn meshes_without_levels_have_the_links_that_the_engine_made() {
    let package = Package::open(corpus().join("wild/classic/69_0_R3pBolt3.u")).unwrap();
    let row = row_of(&package, "Engine.Mesh");
    let stored =
        |package: &Package| native_as::<Mesh>(&package.decode(row).unwrap().body).unwrap().clone();
    let old = stored(&package);
    let mut mesh = package.mesh(row, &MeshOptions::default()).unwrap();
    let glb = mesh.to_glb().unwrap();
    assert!(!package.clone().edit(|edit| edit.replace_mesh(row, &glb)).unwrap().changed);
    mesh.lods[0].uvs[0][0][0] += 0.25;
    let file = mesh.to_glb().unwrap();
    let mut changed = package.clone();
    let change = changed.edit(|edit| edit.replace_mesh(row, &file)).unwrap();
    assert!(change.changed && change.notes.is_empty(), "{change:?}");
    let changed = read_again(&mut changed);
    let new = stored(&changed);
    let bytes = |package: &Package, mesh: &Mesh| {
        let parts = [
            &mesh.connects.data.0,
            &mesh.vertex_links.data.0,
            &mesh.vertices.data,
            &mesh.triangles.data.0,
        ];
        parts.map(|it| it.bytes(package.source()).unwrap().to_vec())
    };
    let ([connects, links, vertices, before], [a, b, c, after]) =
        (bytes(&package, &old), bytes(&changed, &new));
    assert_eq!((connects, links, vertices), (a, b, c));
    let others = before.iter().zip(&after).filter(|(one, other)| one != other).count();
    assert_eq!((before.len(), others), (after.len(), 1), "one texture coordinate");
    assert_eq!((old.primitive, old.sequences), (new.primitive, new.sequences));
}

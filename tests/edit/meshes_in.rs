//! Meshes of glTF files, read, and put into generated packages.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{
    Animation, Lod, Mesh, MeshEdits, MeshMaterial, MeshOptions, MeshSection, Morph, PackageMeshes,
};
use unreal_packages::object::ue2::StaticMesh;
use unreal_packages::package::{Package, native_as};

/// A tetrahedron of two materials, corners in Unreal's order, with texture coordinates.
fn tetrahedron() -> Mesh {
    let lod = Lod {
        positions: vec![[0.0; 3], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 100.0]],
        uvs: vec![vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]],
        sections: vec![
            MeshSection { material: 0, indices: vec![0, 1, 2, 0, 2, 3] },
            MeshSection { material: 1, indices: vec![0, 3, 1, 1, 3, 2] },
        ],
        ..Lod::default()
    };
    let material = |name: &str| MeshMaterial { name: name.to_owned(), ..MeshMaterial::default() };
    Mesh {
        name: "Rock".to_owned(),
        lods: vec![lod],
        materials: vec![material("Stone"), material("Engine.Texture'Botpack.Skins.Moss'")],
        ..Mesh::default()
    }
}

fn near(one: &[[f32; 3]], other: &[[f32; 3]]) -> bool {
    let is_near =
        |(a, b): (&[f32; 3], &[f32; 3])| (0..3).all(|axis| (a[axis] - b[axis]).abs() < 1e-3);
    one.len() == other.len() && one.iter().zip(other).all(is_near)
}

#[test]
fn what_goes_out_comes_in() {
    let mesh = tetrahedron();
    let read = Mesh::from_gltf(&mesh.to_glb().unwrap()).unwrap();
    assert!(near(&read.lods[0].positions, &mesh.lods[0].positions));
    assert_eq!(read.lods[0].sections, mesh.lods[0].sections);
    assert_eq!(read.lods[0].uvs, mesh.lods[0].uvs);
    assert_eq!((read.materials, read.name), (mesh.materials.clone(), mesh.name.clone()));
    // Levels of detail by their names, frames and what plays them.
    let mut coarse = mesh.lods[0].clone();
    coarse.sections.truncate(1);
    let moved = Morph { name: "Up".to_owned(), positions: vec![[0.0, 0.0, 7.0]; 4] };
    let mut many = mesh.clone();
    many.lods[0].morphs.push(moved);
    many.lods.push(coarse);
    many.animations.push(Animation {
        name: "Jump".to_owned(),
        frame_seconds: 0.1,
        frames: vec![0, 1, 0],
        tracks: Vec::new(),
    });
    let read = Mesh::from_gltf(&many.to_glb().unwrap()).unwrap();
    assert_eq!(read.lods.len(), 2);
    assert_eq!(read.lods[1].triangle_count(), 2);
    assert!(near(&read.lods[0].morphs[0].positions, &many.lods[0].morphs[0].positions));
    assert_eq!(read.animations[0].frames, [0, 1, 0]);
    assert!((read.animations[0].frame_seconds - 0.1).abs() < 1e-6);
}

/// A text of glTF with one triangle whose buffer is in the file: the node and the extra parts of the file are given.
fn text(node: &str, accessor: &str, more: &str) -> String {
    // Three positions: (0, 0, 0), (1, 0, 0), (0, 1, 0).
    let bytes = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    format!(
        r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}], {more}
        "nodes": [{node}], "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}}}]}}],
        "buffers": [{{"byteLength": 36, "uri": "data:application/octet-stream;base64,{bytes}"}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}], "accessors": [{accessor}]}}"#
    )
}

const ACCESSOR: &str = r#"{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}"#;

#[test]
fn nodes_place_and_mirror_what_is_read() {
    let read = |node: &str| Mesh::from_gltf(text(node, ACCESSOR, "").as_bytes()).unwrap();
    let plain = read(r#"{"mesh": 0, "name": "Tri"}"#);
    assert_eq!(plain.name, "Tri");
    assert_eq!(plain.lods[0].positions, [[0.0; 3], [100.0, 0.0, 0.0], [0.0, 0.0, 100.0]]);
    assert_eq!(plain.lods[0].normals, [[0.0; 3]; 3], "none is none");
    let moved = read(r#"{"mesh": 0, "translation": [1, 2, 3], "scale": [-2, 1, 1]}"#);
    assert_eq!(moved.lods[0].positions[0], [100.0, 300.0, 200.0]);
    assert_eq!(moved.lods[0].positions[1], [-100.0, 300.0, 200.0]);
    assert_eq!(moved.lods[0].sections[0].indices, [0, 2, 1], "a mirror turns triangles around");
    let turned = read(r#"{"mesh": 0, "rotation": [0, 0, 0.70710678, 0.70710678]}"#);
    assert!(near(&turned.lods[0].positions[1..2], &[[0.0, 0.0, 100.0]]));
    let matrix = read(r#"{"mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,0,1]}"#);
    assert_eq!(matrix.lods[0].positions[0], [0.0, 0.0, 500.0]);
    let shape =
        Mesh::from_gltf(text(r#"{"mesh": 0, "name": "UCX_Tri_00"}"#, ACCESSOR, "").as_bytes());
    assert!(
        shape.unwrap_err().to_string().contains("no triangles"),
        "shapes for collision are no mesh"
    );
}

#[test]
fn files_that_say_what_is_not_so_are_errors() {
    let said = |node: &str, accessor: &str, more: &str| {
        Mesh::from_gltf(text(node, accessor, more).as_bytes()).unwrap_err().to_string()
    };
    let node = r#"{"mesh": 0}"#;
    for (accessor, expected) in [
        (
            r#"{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"}"#,
            "does not have",
        ),
        (r#"{"componentType": 5126, "count": 900000000, "type": "VEC3"}"#, "more numbers"),
        (
            r#"{"componentType": 5126, "count": 18446744073709551615, "type": "VEC3"}"#,
            "does not have",
        ),
        (
            r#"{"bufferView": 0, "byteOffset": 18446744073709551615, "componentType": 5126, "count": 3, "type": "VEC3"}"#,
            "does not have",
        ),
        (
            r#"{"bufferView": 7, "componentType": 5126, "count": 3, "type": "VEC3"}"#,
            "does not have",
        ),
        (
            r#"{"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 0,
               "componentType": 5125}, "values": {"bufferView": 0}}}"#,
            "",
        ),
    ] {
        if expected.is_empty() {
            // One of three zeros takes the place of the first; all lie in one place.
            assert!(Mesh::from_gltf(text(node, accessor, "").as_bytes()).is_ok());
        } else {
            let error = said(node, accessor, "");
            assert!(error.contains(expected), "{accessor}: {error}");
        }
    }
    let twice = said(r#"{"mesh": 0, "children": [1, 1]}, {}"#, ACCESSOR, "");
    assert!(twice.contains("two places"), "{twice}");
    let around = said(r#"{"mesh": 0, "children": [0]}"#, ACCESSOR, "");
    assert!(around.contains("two places"), "{around}");
    let draco = said(node, ACCESSOR, r#""extensionsRequired": ["KHR_draco_mesh_compression"],"#);
    assert!(draco.contains("KHR_draco_mesh_compression"), "{draco}");
    let beside =
        text(node, ACCESSOR, "").replace("data:application/octet-stream;base64,", "rock.bin?");
    let beside = Mesh::from_gltf(beside.as_bytes()).unwrap_err().to_string();
    assert!(beside.contains(".glb"), "{beside}");
    // Any part of a file, and any file with a byte of another value, is read or refused.
    let file = tetrahedron().to_glb().unwrap();
    for end in 0..file.len() {
        let _ = Mesh::from_gltf(&file[..end]);
    }
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 0x5a;
        let _ = Mesh::from_gltf(&damaged);
    }
}

#[test]
fn new_static_meshes_are_whole() {
    let file = tetrahedron().to_glb().unwrap();
    for profile in [&Profile::UT2004, &Profile::UDK] {
        let mut package = create(profile).unwrap();
        let (row, change) = package.edit(|edit| edit.add_mesh("Rocks.Rock", &file)).unwrap();
        assert_eq!((change.triangles, change.changed), (4, true));
        assert_eq!(change.notes.len(), 1, "{:?}", change.notes);
        assert!(change.notes[0].contains("Stone"), "{:?}", change.notes);
        let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
        assert_eq!(mesh.lods[0].triangle_count(), 4);
        assert_eq!(mesh.materials[1].name, "Botpack.Skins.Moss");
        let mut again = package.clone();
        let written = mesh.to_glb().unwrap();
        assert!(!again.edit(|edit| edit.replace_mesh(row, &written)).unwrap().changed);
        // A second mesh in its place: other triangles, the same materials.
        let mut other = mesh.clone();
        other.lods[0].sections.truncate(1);
        let change = again.edit(|edit| edit.replace_mesh(row, &other.to_glb().unwrap())).unwrap();
        assert_eq!(change.triangles, 2);
        let again = Package::from_bytes(again.to_bytes().unwrap()).unwrap();
        let after = again.mesh(row, &MeshOptions::default()).unwrap();
        assert_eq!(after.lods[0].triangle_count(), 2);
    }
}

#[test]
fn new_meshes_of_ue1_have_frames() {
    let mut mesh = tetrahedron();
    mesh.lods[0].morphs.push(Morph { name: "Up".to_owned(), positions: vec![[0.0, 0.0, 50.0]; 4] });
    mesh.animations.push(Animation {
        name: "Jump".to_owned(),
        frame_seconds: 0.05,
        frames: vec![0, 1],
        tracks: Vec::new(),
    });
    let mut package = create(&Profile::UT99).unwrap();
    let file = mesh.to_glb().unwrap();
    let (row, change) = package.edit(|edit| edit.add_mesh("Rock", &file)).unwrap();
    assert_eq!((change.triangles, change.vertices), (4, 4));
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let read = package.mesh(row, &MeshOptions::default()).unwrap();
    assert_eq!(read.lods[0].morphs.len(), 1);
    assert_eq!((read.animations[0].name.as_str(), read.animations[0].frames.len()), ("Jump", 2));
    assert!((read.animations[0].frame_seconds - 0.05).abs() < 1e-5);
    // Without its frames its sequence would play nothing.
    let still = tetrahedron().to_glb().unwrap();
    let error = package.clone().edit(|edit| edit.replace_mesh(row, &still)).unwrap_err();
    assert!(error.to_string().contains("Jump"), "{error}");
}

#[test]
fn triangles_without_collision_are_in_no_tree() {
    let mut package = create(&Profile::UT2004).unwrap();
    let file = tetrahedron().to_glb().unwrap();
    let row = package.edit(|edit| {
        let (row, _) = edit.add_mesh("Rock", &file)?;
        edit.set_property("Rock", "Materials[1].EnableCollision", "False")?;
        Ok(row)
    });
    let (row, mut other) = (row.unwrap(), tetrahedron());
    other.lods[0].positions[3][2] = 80.0;
    let file = other.to_glb().unwrap();
    package.edit(|edit| edit.replace_mesh(row, &file)).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let decoded = package.decode(row).unwrap();
    let mesh = native_as::<StaticMesh>(&decoded.body).unwrap();
    assert_eq!(mesh.sections.iter().map(|it| it.face_count).sum::<u16>(), 4);
    assert_eq!(mesh.collision.ut.triangles.count(), 2, "those of the first material");
}

#[test]
fn few_bytes_ask_for_little() {
    let zeros =
        |count: usize| format!(r#"{{"componentType": 5126, "count": {count}, "type": "VEC3"}}"#);
    let file = |primitives: &str, accessors: &[String], nodes: usize| {
        let nodes: Vec<_> = (0..nodes).map(|at| at.to_string()).collect();
        format!(
            r#"{{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [{}]}}], "nodes": [{}],
            "meshes": [{{"primitives": [{primitives}]}}], "accessors": [{}]}}"#,
            nodes.join(","),
            vec![r#"{"mesh": 0}"#; nodes.len()].join(","),
            accessors.join(",")
        )
    };
    let said = |file: String| match Mesh::from_gltf(file.as_bytes()) {
        Ok(mesh) => format!("{} vertices", mesh.lods[0].positions.len()),
        Err(error) => error.to_string(),
    };
    // Targets of one primitive hold the vertices of all.
    let targets = vec!["{}"; 16_000].join(",");
    let primitives = format!(
        r#"{{"attributes": {{"POSITION": 0}}, "targets": [{targets}]}}, {{"attributes": {{"POSITION": 1}}}}"#
    );
    let error = said(file(&primitives, &[zeros(3), zeros(60_000)], 1));
    assert!(error.contains("frames"), "{error}");
    // Vertices that primitives share, triangles that no number stands for.
    let one = r#"{"attributes": {"POSITION": 0}}"#;
    let error = said(file(&vec![one; 20_000].join(","), &[zeros(30_000)], 1));
    assert!(error.contains("more numbers"), "{error}");
    // Primitives of nothing, shown by many nodes.
    let error = said(file(&vec![one; 3_000].join(","), &[zeros(0)], 3_000));
    assert!(error.contains("more numbers"), "{error}");
    // Rows of another width.
    let flat = r#"{"componentType": 5126, "count": 3, "type": "SCALAR"}"#.to_owned();
    let error = said(file(one, &[flat], 1));
    assert!(error.contains("rows of 1"), "{error}");
}

#[test]
fn blended_keys_of_one_animation_do_not_break_the_next() {
    let mut mesh = tetrahedron();
    mesh.lods[0].morphs.push(Morph { name: "Up".to_owned(), positions: vec![[0.0, 0.0, 8.0]; 4] });
    let animation = |name: &str| Animation {
        name: name.to_owned(),
        frame_seconds: 0.1,
        frames: vec![0, 1],
        tracks: Vec::new(),
    };
    mesh.animations = vec![animation("One"), animation("Two")];
    let mut file = mesh.to_glb().unwrap();
    // The weight of the first animation's second key becomes a half.
    let weights = [0.0_f32, 1.0].map(f32::to_le_bytes).concat();
    // The weights of the second animation stand behind those of the first, which stand behind all else.
    let found = file.windows(8).enumerate().filter(|(_, bytes)| *bytes == weights);
    let at = found.map(|(at, _)| at).rev().nth(1).unwrap();
    file[at + 4..at + 8].copy_from_slice(&0.5_f32.to_le_bytes());
    let read = Mesh::from_gltf(&file).unwrap();
    assert_eq!(
        (read.animations[0].frames.clone(), read.animations[1].frames.clone()),
        (vec![0, 2], vec![0, 1])
    );
    assert_eq!(read.lods[0].morphs[1].positions[1], [50.0, 0.0, 4.0]);
}

//! Meshes of generated packages as binary glTF.

use std::sync::Arc;

use serde_json::Value;
use unreal_packages::archive::Span;
use unreal_packages::content::{ContentKind, PackageContents};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{
    Animation, Bone, Influences, Lod, Mesh, MeshLods, MeshMaterial, MeshOptions, MeshPlacement,
    MeshSection, Morph, PackageMeshes, Socket, Track,
};
use unreal_packages::object::geometry::Vector;
use unreal_packages::object::ue1::{
    AnimSequence, LodMesh, Mesh as VertexMesh, MeshMaterial as Face, MeshVertices,
};
use unreal_packages::primitive::Payload;
use unreal_packages::property::PropertyList;

/// A tetrahedron with its corner at the origin, one metre along each axis, corners in Unreal's order.
pub fn tetrahedron() -> Lod {
    Lod {
        positions: vec![[0.0; 3], [100.0, 0.0, 0.0], [0.0, 100.0, 0.0], [0.0, 0.0, 100.0]],
        sections: vec![MeshSection {
            material: 0,
            indices: vec![0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2],
        }],
        ..Lod::default()
    }
}

/// The JSON of a file, and the bytes behind it.
pub fn parts(file: &[u8]) -> (Value, &[u8]) {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(&file[..4], b"glTF");
    assert_eq!((number(4), number(8)), (2, file.len()));
    let end = 20 + number(12);
    assert_eq!(end + 8 + number(end), file.len());
    (serde_json::from_slice(&file[20..end]).unwrap(), &file[end + 8..])
}

pub fn floats(json: &Value, data: &[u8], accessor: usize) -> Vec<f32> {
    let accessor = &json["accessors"][accessor];
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let length = view["byteLength"].as_u64().unwrap() as usize;
    let bytes = data[start..start + length].chunks_exact(4);
    bytes.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

pub fn indices(json: &Value, data: &[u8], accessor: usize) -> Vec<usize> {
    let accessor = &json["accessors"][accessor];
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    let length = view["byteLength"].as_u64().unwrap() as usize;
    let bytes = data[start..start + length].chunks_exact(2);
    bytes.map(|bytes| u16::from_le_bytes(bytes.try_into().unwrap()).into()).collect()
}

pub fn index(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

#[test]
fn axes_become_those_of_gltf_and_triangles_still_look_outwards() {
    let mesh = Mesh { lods: vec![tetrahedron()], ..Mesh::default() };
    let file = mesh.to_glb().unwrap();
    let (json, data) = parts(&file);
    let primitive = &json["meshes"][0]["primitives"][0];
    let positions = floats(&json, data, index(&primitive["attributes"]["POSITION"]));
    // Metres; up is Y, to the right is Z, forwards stays X.
    assert_eq!(positions, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    let corners = indices(&json, data, index(&primitive["indices"]));
    let at = |corner: usize| [0, 1, 2].map(|axis| f64::from(positions[corner * 3 + axis]));
    let volume: f64 = (corners.chunks_exact(3))
        .map(|triangle| {
            let [a, b, c] = [at(triangle[0]), at(triangle[1]), at(triangle[2])];
            a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
        })
        .sum();
    // glTF: counter-clockwise is outside.
    assert!((volume - 1.0).abs() < 1e-6, "{volume}");
    let normals = floats(&json, data, index(&primitive["attributes"]["NORMAL"]));
    let outwards = normals.chunks_exact(3).zip(positions.chunks_exact(3));
    for (normal, position) in outwards.skip(1) {
        let dot: f32 = (0..3).map(|axis| normal[axis] * (position[axis] - 0.25)).sum();
        assert!(dot > 0.0, "{normal:?}");
    }
}

#[test]
fn bones_undo_their_pose_and_animations_turn_them() {
    let quarter = [0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];
    let bone = |parent, translation, rotation| Bone {
        name: "Bone".to_owned(),
        parent,
        rest: MeshPlacement { translation, rotation, ..MeshPlacement::default() },
    };
    let mut lod = tetrahedron();
    lod.influences = vec![Influences::of([(1, 3.0), (0, 1.0), (1, 0.0)]).unwrap(); 4];
    let mesh = Mesh {
        lods: vec![lod],
        bones: vec![
            bone(None, [0.0, 0.0, 50.0], quarter),
            bone(Some(0), [100.0, 0.0, 0.0], quarter),
        ],
        animations: vec![Animation {
            name: "Turn".to_owned(),
            tracks: vec![Track {
                bone: 1,
                rotations: vec![(0.0, quarter), (1.0, quarter)],
                ..Track::default()
            }],
            ..Animation::default()
        }],
        ..Mesh::default()
    };
    let file = mesh.to_glb().unwrap();
    let (json, data) = parts(&file);
    let inverse = floats(&json, data, index(&json["skins"][0]["inverseBindMatrices"]));
    // A quarter turn about Z takes the second bone to Y: (0, 100, 50), which is (0, 0.5, 1) there; and it is turned by half.
    let second = &inverse[16..];
    let place = [0.0, 0.5, 1.0];
    let back: Vec<f32> = (0..3)
        .map(|row| {
            (0..3).map(|at| second[at * 4 + row] * place[at]).sum::<f32>() + second[12 + row]
        })
        .collect();
    assert!(back.iter().all(|number| number.abs() < 1e-6), "{back:?}");
    assert!((second[0] + 1.0).abs() < 1e-6 && (second[5] - 1.0).abs() < 1e-6, "{second:?}");
    let weights =
        floats(&json, data, index(&json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"]));
    assert_eq!(&weights[..4], [0.75, 0.25, 0.0, 0.0]);
    let sampler = &json["animations"][0]["samplers"][0];
    let turned = floats(&json, data, index(&sampler["output"]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert!((turned[1] + half).abs() < 1e-6 && (turned[3] - half).abs() < 1e-6, "{turned:?}");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refused = |change: &dyn Fn(&mut Lod)| {
        let mut lod = tetrahedron();
        change(&mut lod);
        Mesh { lods: vec![lod], ..Mesh::default() }.to_glb().unwrap_err().to_string()
    };
    assert!(refused(&|lod| lod.sections[0].indices[0] = 4).contains("vertex 4 of 4"));
    assert!(refused(&|lod| lod.positions[0][0] = f32::NAN).contains("no number"));
    assert!(refused(&|lod| lod.colors = vec![[0; 4]]).contains("4 positions, but 1"));
    assert!(refused(&|lod| lod.sections.clear()).contains("no triangles"));
    assert!(
        refused(
            &|lod| lod.influences = vec![Influences { bones: [9; 8], ..Influences::default() }; 4]
        )
        .contains("bone 9 of 0")
    );
}

#[test]
fn materials_carry_their_pictures_and_frames_their_moves() {
    let mut lod = tetrahedron();
    let moved = lod.positions.iter().map(|v| [v[0] + 100.0, v[1], v[2]]).collect();
    lod.morphs.push(Morph { name: "Frame 1".to_owned(), positions: moved });
    let picture = Some(Arc::from(&b"\x89PNG"[..]));
    let mesh = Mesh {
        lods: vec![lod],
        materials: vec![MeshMaterial {
            name: "Skins.Red".to_owned(),
            picture,
            ..MeshMaterial::default()
        }],
        animations: vec![Animation {
            name: "All".to_owned(),
            frame_seconds: 0.5,
            frames: vec![0, 1],
            ..Animation::default()
        }],
        ..Mesh::default()
    };
    let file = mesh.to_glb().unwrap();
    let (json, data) = parts(&file);
    assert_eq!(json["materials"][0]["name"], "Skins.Red");
    assert_eq!(json["images"][0]["mimeType"], "image/png");
    let target = index(&json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"]);
    assert_eq!(&floats(&json, data, target)[..3], [1.0, 0.0, 0.0]);
    let sampler = &json["animations"][0]["samplers"][0];
    assert_eq!(floats(&json, data, index(&sampler["input"])), [0.0, 0.5]);
    assert_eq!(floats(&json, data, index(&sampler["output"])), [0.0, 1.0]);
}

#[test]
fn places_that_are_no_numbers_are_refused() {
    let mesh = || Mesh { lods: vec![tetrahedron()], ..Mesh::default() };
    let nowhere = MeshPlacement { scale: [1.0, f32::NAN, 1.0], ..MeshPlacement::default() };
    let refused = |mesh: Mesh| mesh.to_glb().unwrap_err().to_string();
    assert!(
        refused(Mesh { placement: nowhere, ..mesh() }).contains("place, rotation or scale is no")
    );
    let bone = Bone { name: "Arm".to_owned(), rest: nowhere, ..Bone::default() };
    assert!(refused(Mesh { bones: vec![bone], ..mesh() }).contains("bone Arm is no number"));
    // A socket is no part of what is drawn.
    let socket = |place| Socket { name: "Hand".to_owned(), place, bone: None };
    let sockets = vec![socket(nowhere), socket(MeshPlacement::default())];
    let file = Mesh { sockets, ..mesh() }.to_glb().unwrap();
    let (json, _) = parts(&file);
    let nodes = json["nodes"].as_array().unwrap();
    assert_eq!(nodes.iter().filter(|node| node["name"] == "Hand").count(), 1);
    assert!(json["asset"]["extras"]["notes"][0].as_str().unwrap().contains("no numbers: 1"));
}

/// Eleven, eleven and ten bits.
fn packed(x: i32, y: i32, z: i32) -> [u8; 4] {
    ((x & 0x7ff) | (y & 0x7ff) << 11 | (z & 0x3ff) << 22).cast_unsigned().to_le_bytes()
}

#[test]
fn a_mesh_of_frames_comes_out_of_a_package_with_its_animation() {
    let frames = [
        [packed(-1, 0, 0), packed(0, 2, 0), packed(0, 0, -3)],
        [packed(1, 0, 0), packed(0, 4, 0), packed(0, 0, 3)],
    ];
    let wedges = [[0_u8, 0, 0, 0], [1, 0, 255, 0], [2, 0, 0, 255]];
    let face: Vec<u8> = [0_u16, 1, 2, 0].iter().flat_map(|number| number.to_le_bytes()).collect();
    let mut package = create(&Profile::UT99).unwrap();
    let row = package
        .edit(|edit| {
            let name = edit.add_name("Walk")?;
            let mesh = VertexMesh {
                vertices: MeshVertices {
                    data: Span::owned(frames.as_flattened().as_flattened()),
                    ..MeshVertices::default()
                },
                sequences: vec![AnimSequence {
                    name,
                    frame_count: 2,
                    rate: 10.0,
                    ..AnimSequence::default()
                }],
                frame_vertices: 3,
                frame_count: 2,
                scale: Vector { x: 2.0, y: 1.0, z: 1.0 },
                ..VertexMesh::default()
            };
            let mesh = LodMesh {
                mesh,
                faces: Payload(Span::owned(face)),
                wedges: Payload(Span::owned(wedges.as_flattened())),
                materials: vec![Face::default()],
                model_vertices: 3,
                ..LodMesh::default()
            };
            edit.add_object("Walker", "Engine.LodMesh", PropertyList::default(), mesh)
        })
        .unwrap();
    assert_eq!(package.contents().content_kind(row).unwrap(), Some(ContentKind::Mesh));
    let mesh = package.mesh(row, &MeshOptions::default()).unwrap();
    assert_eq!(mesh.lods[0].positions, [[-1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, -3.0]]);
    assert_eq!(
        mesh.lods[0].morphs[0].positions,
        [[1.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 3.0]]
    );
    assert_eq!(mesh.lods[0].uvs[0], [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    assert_eq!(mesh.animations[0].frames, [0, 1]);
    assert_eq!(mesh.placement.scale, [2.0, 1.0, 1.0]);
    let file = package.contents().content_file(row).unwrap();
    assert_eq!((file.kind, file.extension.as_str()), (ContentKind::Mesh, "glb"));
    parts(&file.bytes);
    let missing = MeshOptions { lods: MeshLods::One(1), ..MeshOptions::default() };
    let error = package.mesh(row, &missing).unwrap_err().to_string();
    assert!(error.contains("Walker (LodMesh)") && error.contains("none is 1"), "{error}");
}

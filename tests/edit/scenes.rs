//! Levels of generated packages as scenes.

use serde_json::Value;
use unreal_packages::generate::{Profile, create};
use unreal_packages::inspect::ActorTransform;
use unreal_packages::mesh::{
    LevelScene, LightShape, Mesh, MeshMaterial, MeshOptions, PackageMeshes, SceneContent,
    SceneLight, SceneMesh, SceneNode,
};

use crate::meshes::{parts, tetrahedron};

fn standing(axes: [[f64; 3]; 3], place: [f64; 3]) -> SceneNode {
    let shown = SceneContent::Mesh { mesh: 0, slots: None };
    SceneNode { name: "Rock".to_owned(), place: ActorTransform { axes, place }, shown }
}

fn scene(nodes: Vec<SceneNode>) -> LevelScene {
    let mesh = Mesh { name: "Boulder".to_owned(), lods: vec![tetrahedron()], ..Mesh::default() };
    let named = |name: &str| MeshMaterial { name: name.to_owned(), ..MeshMaterial::default() };
    LevelScene {
        name: "MyLevel".to_owned(),
        meshes: vec![SceneMesh { mesh, slots: vec![1] }],
        materials: vec![named("Red"), named("Gray")],
        nodes,
        notes: Vec::new(),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
}

/// Where a node of a file puts a point in glTF's axes, through its children.
fn put(json: &Value, node: usize, point: [f64; 3]) -> [f64; 3] {
    let node = &json["nodes"][node];
    let inner = match node["children"].as_array() {
        Some(children) => put(json, children[0].as_u64().unwrap() as usize, point),
        None => point,
    };
    if node["matrix"].is_null() {
        return inner;
    }
    let m = numbers(&node["matrix"]);
    [0, 1, 2].map(|row| {
        (0..3).map(|column| m[column * 4 + row] * inner[column]).sum::<f64>() + m[12 + row]
    })
}

/// Whether the axes of a matrix are at right angles: all that files of glTF take.
fn is_upright(m: &[f64]) -> bool {
    let dot = |a: usize, b: usize| (0..3).map(|row| m[a * 4 + row] * m[b * 4 + row]).sum::<f64>();
    [(0, 1), (0, 2), (1, 2)]
        .iter()
        .all(|&(a, b)| dot(a, b).abs() < 1e-5 * (dot(a, a) * dot(b, b)).sqrt().max(1e-9))
}

#[test]
fn sheared_places_are_two_turns_that_files_take() {
    let axes = [
        [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]],
        [[1.0, 0.5, -2.0], [0.25, -1.0, 0.0], [0.5, 0.5, 1.5]],
        // Mirrored.
        [[-1.0, 0.2, 0.0], [0.0, 1.0, 0.4], [0.3, 0.0, 1.0]],
    ];
    for axes in axes {
        let made = scene(vec![standing(axes, [100.0, 200.0, 300.0])]);
        let (json, _) = parts(&made.to_glb().unwrap());
        let top = json["scenes"][0]["nodes"][0].as_u64().unwrap() as usize;
        for node in json["nodes"].as_array().unwrap() {
            assert!(node["matrix"].is_null() || is_upright(&numbers(&node["matrix"])), "{axes:?}");
        }
        for point in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.3, -0.7, 2.0]] {
            let [x, y, z] = made.nodes[0].place.apply(point).map(|part| part / 100.0);
            let [px, py, pz] = point.map(|part| part / 100.0);
            let found = put(&json, top, [px, pz, py]);
            for (found, wanted) in found.into_iter().zip([x, z, y]) {
                assert!((found - wanted).abs() < 1e-5, "{axes:?} {point:?}: {found} {wanted}");
            }
        }
    }
}

#[test]
fn meshes_are_written_once_with_each_set_of_materials() {
    let plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut red = standing(plain, [0.0; 3]);
    red.shown = SceneContent::Mesh { mesh: 0, slots: Some(vec![0].into()) };
    let flat = standing([[0.0; 3], plain[1], plain[2]], [0.0; 3]);
    let nodes = vec![standing(plain, [0.0; 3]), red.clone(), standing(plain, [9.0; 3]), red, flat];
    let (json, _) = parts(&scene(nodes).to_glb().unwrap());
    let meshes = json["meshes"].as_array().unwrap();
    assert_eq!(meshes.len(), 2);
    let material = |mesh: usize| meshes[mesh]["primitives"][0]["material"].as_u64().unwrap();
    assert_eq!([material(0), material(1)], [1, 0]);
    assert_eq!(meshes[0]["primitives"][0]["attributes"], meshes[1]["primitives"][0]["attributes"]);
    let shown: Vec<_> = json["nodes"].as_array().unwrap().iter().map(|it| &it["mesh"]).collect();
    // What has no size is not there.
    assert_eq!(shown, [0, 1, 0, 1]);
}

#[test]
fn lights_shine_along_their_first_axis() {
    // Downwards.
    let axes = [[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    let light = SceneLight {
        shape: LightShape::Spot { inner: 0.1, outer: 0.5 },
        color: [1.0, 0.5, 0.25],
        intensity: 3.0,
        radius: Some(500.0),
    };
    let node = SceneNode {
        name: "Lamp".to_owned(),
        place: ActorTransform { axes, place: [100.0, 0.0, 0.0] },
        shown: SceneContent::Light(light),
    };
    let plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let (json, _) = parts(&scene(vec![node, standing(plain, [0.0; 3])]).to_glb().unwrap());
    let light = &json["extensions"]["KHR_lights_punctual"]["lights"][0];
    assert_eq!(light["type"], "spot");
    assert_eq!(light["range"], 5.0);
    assert_eq!(json["extensionsUsed"][0], "KHR_lights_punctual");
    let lamp = &json["nodes"][0];
    assert_eq!(lamp["extensions"]["KHR_lights_punctual"]["light"], 0);
    let m = numbers(&lamp["matrix"]);
    // A light of a file shines against its third axis; down is the second one's other side.
    assert_eq!([-m[8], -m[9], -m[10]], [0.0, -1.0, 0.0]);
    assert_eq!([m[12], m[13], m[14]], [1.0, 0.0, 0.0]);
}

#[test]
fn what_is_no_level_has_no_scene() {
    let package = create(&Profile::UT99).unwrap();
    let error = package.level_scene(None, &MeshOptions::default()).unwrap_err().to_string();
    assert!(error.contains("no map"), "{error}");
    assert!(scene(Vec::new()).to_glb().unwrap_err().to_string().contains("nothing stands in it"));
    let mut wrong = scene(vec![standing([[1.0, 0.0, 0.0]; 3], [0.0; 3])]);
    wrong.nodes[0].shown = SceneContent::Mesh { mesh: 7, slots: None };
    assert!(wrong.to_glb().unwrap_err().to_string().contains("mesh 7"));
}

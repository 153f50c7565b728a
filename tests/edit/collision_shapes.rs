//! Collision shapes of meshes: their files, and hulls of any points.

use std::collections::BTreeMap;

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::mesh::{
    Bone, CollisionForm, CollisionShape, Mesh, MeshOptions, MeshPlacement, PackageMeshes,
};
use unreal_packages::object::geometry::{Matrix, Plane, Vector};
use unreal_packages::object::ue2::{KBox, KConvex, KCylinder, KMeshProps, KSphere, StaticMesh};
use unreal_packages::primitive::PackageIndex;
use unreal_packages::property::PropertyList;

use crate::meshes::{floats, index, indices, parts, tetrahedron};

fn shape(form: CollisionForm) -> CollisionShape {
    let place = MeshPlacement { translation: [0.0, 0.0, 50.0], ..MeshPlacement::default() };
    CollisionShape { bone: None, place, form }
}

/// Six times the volume within triangles, seen from outside against the clock.
fn volume(points: &[[f64; 3]], corners: &[usize]) -> f64 {
    let triangle = |corners: &[usize]| {
        let [a, b, c] = [0, 1, 2].map(|at| points[corners[at]]);
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    corners.chunks_exact(3).map(triangle).sum()
}

fn is_closed(corners: &[usize]) -> bool {
    let mut edges: BTreeMap<(usize, usize), u32> = BTreeMap::new();
    for triangle in corners.chunks_exact(3) {
        for at in 0..3 {
            *edges.entry((triangle[at], triangle[(at + 1) % 3])).or_default() += 1;
        }
    }
    edges.iter().all(|((a, b), count)| *count == 1 && edges.contains_key(&(*b, *a)))
}

#[test]
fn shapes_are_nodes_called_as_importers_want_them() {
    let hull = CollisionForm::convex_hull(tetrahedron().positions).unwrap();
    let mut arm = shape(CollisionForm::Sphere { radius: 100.0 });
    arm.bone = Some(0);
    let mesh = Mesh {
        name: "Rock".to_owned(),
        lods: vec![tetrahedron()],
        bones: vec![Bone { name: "Arm".to_owned(), ..Bone::default() }],
        collision: vec![
            shape(CollisionForm::Box { size: [200.0, 100.0, 300.0] }),
            shape(CollisionForm::Capsule { radius: 50.0, length: 100.0 }),
            shape(hull.clone()),
            arm,
            shape(CollisionForm::Box { size: [1.0; 3] }),
        ],
        ..Mesh::default()
    };
    let file = mesh.to_glb().unwrap();
    let (json, data) = parts(&file);
    // Volumes in cubic metres: of what is round a little less than that of the shape.
    let expected = [
        ("UBX_Rock_00", 6.0, 6.0),
        ("UCP_Rock_00", 1.2, 1.309),
        ("UCX_Rock_00", 1.0 / 6.0, 1.0 / 6.0),
        ("USP_Rock_00", 3.8, 4.189),
        ("UBX_Rock_01", 1e-6, 1e-6),
    ];
    for (name, least, most) in expected {
        let nodes = json["nodes"].as_array().unwrap().iter();
        let (number, node) = nodes.enumerate().find(|(_, node)| node["name"] == name).unwrap();
        assert_eq!(node["translation"][1], 0.5, "{name}");
        let of_bone = json["nodes"][0]["children"].as_array().unwrap();
        assert_eq!(of_bone.contains(&number.into()), name == "USP_Rock_00");
        let primitive = &json["meshes"][index(&node["mesh"])]["primitives"][0];
        let points = floats(&json, data, index(&primitive["attributes"]["POSITION"]));
        let points: Vec<_> =
            points.chunks_exact(3).map(|v| [0, 1, 2].map(|axis| f64::from(v[axis]))).collect();
        let corners = indices(&json, data, index(&primitive["indices"]));
        assert!(is_closed(&corners), "{name}");
        let volume = volume(&points, &corners) / 6.0;
        let by = most * 1e-3;
        assert!((least - by..=most + by).contains(&volume), "{name}: {volume}");
    }
}

#[test]
fn shapes_without_a_size_are_left_out() {
    let points = tetrahedron().positions;
    let convex = |triangles| CollisionForm::Convex { points: points.clone(), triangles };
    let mut nowhere = shape(CollisionForm::Sphere { radius: 1.0 });
    nowhere.place.scale[0] = f32::NAN;
    let mesh = Mesh {
        lods: vec![tetrahedron()],
        collision: vec![
            shape(CollisionForm::Box { size: [1.0, 0.0, 1.0] }),
            shape(CollisionForm::Sphere { radius: f32::INFINITY }),
            shape(CollisionForm::Capsule { radius: 1.0, length: -1.0 }),
            shape(convex(vec![[0, 1, 4]])),
            shape(convex(Vec::new())),
            nowhere,
        ],
        ..Mesh::default()
    };
    let (file, notes) = (mesh.to_glb().unwrap(), "a size that is a number: 6, left out");
    let (json, _) = parts(&file);
    assert_eq!(json["nodes"].as_array().unwrap().len(), 1);
    assert!(json["asset"]["extras"]["notes"][0].as_str().unwrap().contains(notes));
}

/// Numbers from 0 to 1 that look like chance.
fn chance(state: &mut u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*state >> 8) as f32 / (1 << 24) as f32
}

#[test]
fn hulls_are_closed_and_no_point_is_outside() {
    let mut state = 1;
    // Points in a cube; on few levels, where many lie in a plane or at one place; near a plane; near a ball.
    let points: [&mut dyn FnMut() -> [f32; 3]; 4] = [
        &mut || [0; 3].map(|_: i32| chance(&mut state) * 100.0 - 50.0),
        &mut {
            let mut state = 2;
            move || [0; 3].map(|_: i32| (chance(&mut state) * 4.0).floor())
        },
        &mut {
            let mut state = 3;
            move || [chance(&mut state), chance(&mut state), chance(&mut state) * 1e-4]
        },
        &mut {
            let mut state = 4;
            move || {
                let v = [0; 3].map(|_: i32| chance(&mut state) - 0.5);
                let length = v.iter().map(|side| side * side).sum::<f32>().sqrt();
                v.map(|side| side / length * 1e6 + 3e6)
            }
        },
    ];
    for (kind, point) in points.into_iter().enumerate() {
        for count in [8, 50, 400] {
            let all: Vec<_> = (0..count).map(|_| point()).collect();
            let Some(CollisionForm::Convex { points, triangles }) =
                CollisionForm::convex_hull(all.clone())
            else {
                assert!(kind == 1 && count == 8, "{kind} {count}");
                continue;
            };
            assert_eq!(points, all);
            let wide: Vec<_> = points.iter().map(|point| point.map(f64::from)).collect();
            let low = wide.iter().flatten().copied().fold(f64::MAX, f64::min);
            let high = wide.iter().flatten().copied().fold(f64::MIN, f64::max);
            // Unreal's order of corners.
            let corners: Vec<_> =
                triangles.iter().flat_map(|[a, b, c]| [*a, *c, *b].map(|it| it as usize)).collect();
            assert!(is_closed(&corners) && volume(&wide, &corners) > 0.0, "{kind} {count}");
            for triangle in corners.chunks_exact(3) {
                let [a, b, c] = [0, 1, 2].map(|at| wide[triangle[at]]);
                let less = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
                let (u, v) = (less(b, a), less(c, a));
                let out = [
                    u[1] * v[2] - u[2] * v[1],
                    u[2] * v[0] - u[0] * v[2],
                    u[0] * v[1] - u[1] * v[0],
                ];
                let length = out.iter().map(|side| side * side).sum::<f64>().sqrt();
                let outside = wide.iter().map(|point| {
                    let along = less(*point, a);
                    (0..3).map(|axis| along[axis] * out[axis]).sum::<f64>() / length
                });
                let most = outside.fold(0.0, f64::max);
                assert!(most <= (high - low) * 1e-3, "{kind} {count}: {most} of {}", high - low);
            }
        }
    }
}

#[test]
fn points_without_a_body_have_no_hull() {
    let none = |points: &[[f32; 3]]| CollisionForm::convex_hull(points.to_vec()).is_none();
    assert!(none(&[]) && none(&[[1.0; 3]; 9]));
    let square = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]];
    assert!(none(&square));
    assert!(none(&[[0.0; 3], [1.0; 3], [2.0; 3], [3.0; 3]]));
    let mut broken = tetrahedron().positions;
    assert!(!none(&broken));
    broken[1][1] = f32::NAN;
    assert!(none(&broken));
    // Between the smallest and the largest numbers there are.
    let wide = [[f32::MAX, 0.0, 0.0], [f32::MIN, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    assert!(none(&wide));
    assert!(!none(&[[f32::MAX; 3], [f32::MIN; 3], [f32::MAX, 0.0, 0.0], [0.0, f32::MAX, 0.0]]));
}

/// Rows of a matrix: where the axes point, and a place.
fn matrix(rows: [[f32; 3]; 4]) -> Matrix {
    Matrix { rows: rows.map(|[x, y, z]| Plane { x, y, z, w: 0.0 }) }
}

#[test]
fn matrices_turn_shapes_and_lengths_become_units() {
    let turned = [[0.0, 2.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 3.0]];
    let leaning = [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];
    let plain = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]];
    let props = KMeshProps {
        spheres: vec![KSphere { matrix: matrix(leaning), radius: 1.0 }],
        boxes: vec![KBox { matrix: matrix(turned), size: Vector { x: 1.0, y: 2.0, z: 4.0 } }],
        cylinders: vec![KCylinder { matrix: matrix(plain), radius: 1.0, height: 1.0 }],
        convexes: vec![KConvex { matrix: matrix(plain), points: vec![Vector::default(); 8] }],
        ..KMeshProps::default()
    };
    let mut package = create(&Profile::UT2004).unwrap();
    let row = package
        .edit(|edit| {
            let none = PropertyList::default;
            let props = edit.add_object("Props", "Engine.KMeshProps", none(), props)?;
            let karma_props = PackageIndex::export(props);
            let mesh = StaticMesh { karma_props, internal_version: 9, ..StaticMesh::default() };
            edit.add_object("Rock", "Engine.StaticMesh", none(), mesh)
        })
        .unwrap();
    assert!(package.mesh(row, &MeshOptions::default()).unwrap().collision.is_empty());
    let options = MeshOptions { collision: true, ..MeshOptions::default() };
    let mesh = package.mesh(row, &options).unwrap();
    let [CollisionShape { bone: None, place, form }] = &mesh.collision[..] else {
        panic!("{:?}", mesh.collision)
    };
    assert_eq!(*form, CollisionForm::Box { size: [50.0, 100.0, 200.0] });
    // X is mirrored: -X points to -Y and Y to -X, and Z down, by half a turn about what is between X and -Y.
    assert_eq!((place.translation, place.scale), ([0.0, 0.0, 150.0], [-2.0, 1.0, 1.0]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let pairs = place.rotation.iter().zip([-half, half, 0.0, 0.0]);
    assert!(pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-6), "{place:?}");
    assert!(
        mesh.notes.iter().any(|note| note.ends_with("not read: 2, left out")),
        "{:?}",
        mesh.notes
    );
    assert!(mesh.notes.iter().any(|note| note.ends_with("lie in a plane: 1, left out")));
}

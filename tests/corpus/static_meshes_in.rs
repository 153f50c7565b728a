//! Static meshes from files, beside those that engines have built of the same triangles.

use unreal_packages::edit::PackageEdit;
use unreal_packages::mesh::{MeshEdits, MeshLods, MeshOptions, PackageMeshes};
use unreal_packages::object::ue2::{CollisionTreeForm, StaticMesh};
use unreal_packages::object::ue3::asset::static_lod::StaticLod;
use unreal_packages::object::ue3::asset::static_mesh::StaticMesh as Ue3Mesh;
use unreal_packages::package::{Package, native_as};
use unreal_packages::version::{ByteOrder, EngineFacts, UnrealVersions};
use unreal_packages::{Game, Span};

use crate::meshes::every_package;

fn rows_of(package: &Package, class: &str) -> Vec<usize> {
    let is = |row: &usize| package.exports().get(*row).unwrap().class().ends_with(class);
    (0..package.exports().len()).filter(is).collect()
}

fn numbers(package: &Package, span: &Span) -> Vec<u16> {
    let bytes = span.bytes(package.source()).unwrap();
    bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect()
}

fn floats(package: &Package, span: &Span) -> Vec<f32> {
    let bytes = span.bytes(package.source()).unwrap();
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// A number in steps that stay the same on the way through a file.
fn steps(number: &f32) -> i64 {
    (f64::from(*number) * 256.0).round() as i64
}

fn glb(package: &Package, row: usize) -> Vec<u8> {
    package.mesh(row, &MeshOptions::default()).unwrap().to_glb().unwrap()
}

/// What the mesh of a file becomes as a new object of the same package, which is read anew; the file changes nothing
/// of the object that it is of.
fn made_again(package: &Package, row: usize) -> (Package, usize) {
    let (mut again, glb) = (package.clone(), glb(package, row));
    let before = again.to_bytes().unwrap();
    let change = again.edit(|edit| edit.replace_mesh(row, &glb)).unwrap();
    assert!(
        !change.changed && again.to_bytes().unwrap() == before,
        "{}",
        package.exports().path(row)
    );
    let (row, _) = again.edit(|edit| edit.add_mesh("Again", &glb)).unwrap();
    (Package::from_bytes(again.to_bytes().unwrap()).unwrap(), row)
}

/// The mesh of a file with one vertex moved, and another vertex of the mesh, as it then is.
fn with_one_moved(package: &Package, row: usize) -> Package {
    let options = MeshOptions { lods: MeshLods::Finest, ..MeshOptions::default() };
    let mut mesh = package.mesh(row, &options).unwrap();
    let lod = &mut mesh.lods[0];
    let moved = lod.positions[0];
    // Corners in one place stay in one place.
    for position in lod.positions.iter_mut().filter(|it| **it == moved) {
        *position = [moved[0] + 1.0, moved[1] + 2.0, moved[2] - 1.5];
    }
    let mut changed = package.clone();
    let change = changed.edit(|edit| edit.replace_mesh(row, &mesh.to_glb().unwrap())).unwrap();
    assert!(change.changed);
    Package::from_bytes(changed.to_bytes().unwrap()).unwrap()
}

/// How many rows of the first list are in the second too.
fn kept<T: Ord>(mut before: Vec<T>, mut after: Vec<T>) -> usize {
    before.sort();
    after.sort();
    let mut after = after.into_iter().peekable();
    let mut is_there = |it: &T| {
        while after.next_if(|other| other < it).is_some() {}
        after.next_if(|other| other == it).is_some()
    };
    before.iter().filter(|it| is_there(it)).count()
}

fn ue2(package: &Package, row: usize) -> Option<StaticMesh> {
    native_as::<StaticMesh>(&package.decode(row).unwrap().body).cloned()
}

/// The triangles of a mesh, each corner its position, normal and texture coordinates.
fn ue2_triangles(package: &Package, mesh: &StaticMesh) -> Vec<Vec<i64>> {
    let vertices = floats(package, &mesh.vertices.stream.data.0);
    let uvs: Vec<_> = mesh.uv_streams.iter().map(|it| floats(package, &it.data.0)).collect();
    let corner = |at: &u16| {
        let at = usize::from(*at);
        let mut all: Vec<i64> = vertices[at * 6..at * 6 + 6].iter().map(steps).collect();
        uvs.iter().for_each(|set| all.extend(set[at * 2..at * 2 + 2].iter().map(steps)));
        all
    };
    let indices = numbers(package, &mesh.indices.data.0);
    indices.chunks_exact(3).map(|it| it.iter().flat_map(corner).collect()).collect()
}

fn near(one: &[f32], other: &[f32]) -> bool {
    let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= a.abs().max(1.0) * 1e-5;
    one.len() == other.len() && one.iter().zip(other).all(is_near)
}

pub fn static_meshes_of_ue2_are_built_as_the_engine_built_them() {
    let (mut meshes, mut trees, mut moved, mut lines) = (0, 0, 0, 0);
    for file in every_package() {
        let Ok(package) = Package::open(&file) else { continue };
        let versions = package.versions();
        if versions.has_bulk_content() || versions.game() == Game::Swat4 {
            continue;
        }
        for row in rows_of(&package, "Engine.StaticMesh") {
            let Some(old) = ue2(&package, row) else { continue };
            let name = format!("{} {}", file.display(), package.exports().path(row));
            if versions.file() < 121 {
                // Its materials stand in a form that is not decoded: nothing of it is moved.
                let glb = glb(&package, row);
                assert!(package.clone().edit(|edit| edit.add_mesh("Again", &glb)).is_err());
                continue;
            }
            moved += 1;
            let changed = with_one_moved(&package, row);
            let new = ue2(&changed, row).unwrap();
            let bytes = |package: &Package, mesh: &StaticMesh| {
                let bytes = mesh.vertices.stream.data.0.bytes(package.source()).unwrap();
                bytes.chunks_exact(24).map(<[u8]>::to_vec).collect::<Vec<_>>()
            };
            let (before, after) = (bytes(&package, &old), bytes(&changed, &new));
            let place = before[0][..12].to_vec();
            let elsewhere = |all: Vec<Vec<u8>>| {
                all.into_iter().filter(|it| it[..12] != place).collect::<Vec<_>>()
            };
            let before = elsewhere(before);
            let rest = kept(before.clone(), after);
            assert_eq!(rest, before.len(), "{name}: vertices that were not moved");
            let masks = |mesh: &StaticMesh| {
                mesh.source_triangles.items.iter().map(|it| it.smoothing_mask).collect::<Vec<_>>()
            };
            let (same, all) = (kept(masks(&old), masks(&new)), masks(&old).len());
            assert!(same * 2 >= all, "{name}: {same} masks of {all}");
            meshes += 1;
            let (again, row) = made_again(&package, row);
            let new = ue2(&again, row).unwrap();
            let (before, after) = (ue2_triangles(&package, &old), ue2_triangles(&again, &new));
            let count = before.len();
            // Steps of numbers that lie between two may be another one.
            let same = kept(before, after);
            assert!(same * 10 >= count * 9, "{name}: {same} of {count} triangles");
            assert_eq!(
                old.vertices.stream.data.count(),
                new.vertices.stream.data.count(),
                "{name}"
            );
            lines += usize::from(
                old.wireframe_indices.data.count() == new.wireframe_indices.data.count(),
            );
            assert_eq!(
                old.source_triangles.items.len(),
                new.source_triangles.items.len(),
                "{name}"
            );
            let parts = |mesh: &StaticMesh| {
                let used = mesh.sections.iter().filter(|it| it.face_count > 0);
                used.map(|it| (it.first_index, it.unknown, it.face_count)).collect::<Vec<_>>()
            };
            assert_eq!(parts(&old), parts(&new), "{name}");
            let round = |mesh: &StaticMesh| {
                let (min, max) = (mesh.bounding_box.min, mesh.bounding_box.max);
                let sphere = mesh.primitive.bounding_sphere;
                let centre = sphere.centre;
                [
                    min.x,
                    min.y,
                    min.z,
                    max.x,
                    max.y,
                    max.z,
                    centre.x,
                    centre.y,
                    centre.z,
                    sphere.radius,
                ]
            };
            assert!(
                near(&round(&old), &round(&new)),
                "{name}: {:?} {:?}",
                round(&old),
                round(&new)
            );
            let nodes = |mesh: &StaticMesh| match CollisionTreeForm::of(versions) {
                CollisionTreeForm::Ut => mesh.collision.ut.nodes.count(),
                CollisionTreeForm::Compact => mesh.collision.compact.nodes.count(),
                CollisionTreeForm::Early => mesh.collision.early.nodes.len() as u64,
            };
            trees += usize::from(nodes(&old) == nodes(&new));
        }
    }
    println!(
        "{meshes} meshes made, {moved} changed, {trees} with as large a tree, {lines} with as many edges"
    );
    // One of the engine's has two of its edges twice. Trees of planes are another matter: any plane may be the first.
    assert_eq!((meshes, moved, lines), (33, 33, 32));
    assert!(trees >= 30);
}

fn ue3(package: &Package, row: usize) -> Option<Ue3Mesh> {
    native_as::<Ue3Mesh>(&package.decode(row).unwrap().body).cloned()
}

/// The triangles of the finest level of a mesh of UE3: positions, texture coordinates as they are stored.
fn ue3_triangles(package: &Package, mesh: &Ue3Mesh) -> Vec<Vec<i64>> {
    let lod = &mesh.lods[0];
    let positions = floats(package, &lod.positions.data.data);
    let size = lod.vertices.data.element_size as usize;
    let vertices = lod.vertices.data.data.bytes(package.source()).unwrap();
    let start = if package.versions().file() < 615 { 12 } else { 8 };
    let corner = |at: &u16| {
        let at = usize::from(*at);
        let place = positions[at * 3..at * 3 + 3].iter().map(steps);
        let rest = vertices[at * size + start..(at + 1) * size].iter().map(|it| i64::from(*it));
        place.chain(rest).collect::<Vec<_>>()
    };
    let indices = numbers(package, &lod.indices.data);
    indices.chunks_exact(3).map(|it| it.iter().flat_map(corner).collect()).collect()
}

/// How many corners of a small tree's triangles lie in the boxes of its nodes, and how many do not: by what engines' own
/// trees say when they are read so.
fn within_boxes(package: &Package, mesh: &Ue3Mesh) -> (usize, usize) {
    let tree = &mesh.kdop_tree;
    let nodes = tree.compact_nodes.data.bytes(package.source()).unwrap();
    let triangles = numbers(package, &tree.triangles.data);
    let positions = floats(package, &mesh.lods[0].positions.data.data);
    let leaves = nodes.len() / 6;
    let (mut within, mut out) = (0, 0);
    let mut open = vec![(0_usize, 0..triangles.len() / 4, tree.root_bound.map(f64::from))];
    while let Some((node, range, whole)) = open.pop() {
        let corners = range.clone().flat_map(|at| &triangles[at * 4..at * 4 + 3]);
        for corner in corners {
            let v = &positions[usize::from(*corner) * 3..][..3];
            let is_in = (0..3).all(|axis| {
                let slack = 1e-4 * (whole[axis + 3] - whole[axis]).abs().max(1.0);
                let at = f64::from(v[axis]);
                at >= whole[axis] - slack && at <= whole[axis + 3] + slack
            });
            if is_in { within += 1 } else { out += 1 }
        }
        if node + 1 >= leaves {
            assert!(range.len() <= 5);
            continue;
        }
        let middle = range.start + range.len().div_ceil(2);
        for (at, half) in [range.start..middle, middle..range.end].into_iter().enumerate() {
            let mut inner = whole;
            for side in 0..6 {
                let byte = i32::from(nodes[node * 6 + side]);
                let steps = if at == 0 { byte - 128 } else { 127 - byte };
                let size = whole[side % 3 + 3] - whole[side % 3];
                let moved = f64::from(steps.max(0)) / 127.0 * size;
                inner[side] += if side < 3 { moved } else { -moved };
            }
            open.push((node * 2 + 1 + at, half, inner));
        }
    }
    (within, out)
}

pub fn static_meshes_of_ue3_are_built_as_the_engine_built_them() {
    let (mut meshes, mut vertices, mut boxes, mut moved, mut volumes) = (0, 0, 0, 0, 0);
    for file in every_package() {
        let Ok(package) = Package::open(&file) else { continue };
        let versions = package.versions();
        // Those of consoles come out alone.
        let is_console = versions.byte_order == ByteOrder::Big;
        if !versions.has_bulk_content() || versions.ue4() > 0 || is_console {
            continue;
        }
        for row in rows_of(&package, "Engine.StaticMesh") {
            let Some(old) = ue3(&package, row) else { continue };
            if package.mesh(row, &MeshOptions::default()).is_err() {
                continue;
            }
            let name = format!("{} {}", file.display(), package.exports().path(row));
            let changed = with_one_moved(&package, row);
            let new = ue3(&changed, row).unwrap();
            let bytes = |package: &Package, mesh: &Ue3Mesh| {
                let lod = &mesh.lods[0];
                let size = lod.vertices.data.element_size as usize;
                let source = package.source();
                let rest = lod.vertices.data.data.bytes(source).unwrap().chunks_exact(size);
                let places = lod.positions.data.data.bytes(source).unwrap().chunks_exact(12);
                places.zip(rest).map(|(place, rest)| [place, rest].concat()).collect::<Vec<_>>()
            };
            let (before, after) = (bytes(&package, &old), bytes(&changed, &new));
            let place = before[0][..12].to_vec();
            let mut before: Vec<_> = before.into_iter().filter(|it| it[..12] != place).collect();
            before.sort();
            before.dedup();
            let same = kept(before.clone(), after);
            // Corners of triangles that have changed may have other tangents.
            assert!(same * 10 >= before.len() * 9, "{name}: {same} of {} vertices", before.len());
            (moved, volumes) = (moved + 1, volumes + usize::from(old.lods[0].shadow.count > 0));
            let (one, other) = (&old.lods[0], &new.lods[0]);
            if one.edges.count > 0 {
                let count =
                    |lod: &StaticLod| (lod.edges.count, lod.shadow.count == lod.positions.count);
                assert_eq!(count(one), count(other), "{name}");
            }
            if versions.game() != Game::Mainline {
                let glb = glb(&package, row);
                assert!(package.clone().edit(|edit| edit.add_mesh("Again", &glb)).is_err());
                continue;
            }
            let (again, row) = made_again(&package, row);
            let new = ue3(&again, row).unwrap();
            meshes += 1;
            let count = ue3_triangles(&package, &old).len();
            let same = kept(ue3_triangles(&package, &old), ue3_triangles(&again, &new));
            assert!(same * 10 >= count * 9, "{name}: {same} of {count} triangles");
            let (one, other) = (&old.lods[0], &new.lods[0]);
            vertices += usize::from(one.vertex_count == other.vertex_count);
            // The engine gives each triangle of a flat mesh a tangent of its own, here those that meet have one.
            assert!(other.vertex_count <= one.vertex_count, "{name}");
            if one.wireframe_indices.count > 0 {
                assert_eq!(one.wireframe_indices.count, other.wireframe_indices.count, "{name}");
            }
            if one.adjacency_indices.count > 0 {
                assert_eq!(one.adjacency_indices.count, other.adjacency_indices.count, "{name}");
            }
            let parts = |mesh: &Ue3Mesh| {
                let used = mesh.lods[0].elements.iter().filter(|it| it.triangle_count > 0);
                used.map(|it| (it.first_index, it.triangle_count)).collect::<Vec<_>>()
            };
            assert_eq!(parts(&old), parts(&new), "{name}");
            let round = |mesh: &Ue3Mesh| {
                let (origin, extent) = (mesh.bounds.origin, mesh.bounds.box_extent);
                [
                    origin.x,
                    origin.y,
                    origin.z,
                    extent.x,
                    extent.y,
                    extent.z,
                    mesh.bounds.sphere_radius,
                ]
            };
            assert!(
                near(&round(&old), &round(&new)),
                "{name}: {:?} {:?}",
                round(&old),
                round(&new)
            );
            if old.kdop_tree.compact_nodes.count == 0 {
                continue;
            }
            let (engine, own) = (within_boxes(&package, &old), within_boxes(&again, &new));
            assert_eq!((engine.1, own.1), (0, 0), "{name}: corners outside of boxes");
            boxes += own.0;
        }
    }
    println!(
        "{meshes} meshes made, {moved} changed, {volumes} with volumes for shadows; {vertices} with as many vertices; \
         {boxes} corners in boxes"
    );
    assert_eq!((meshes, moved, volumes), (78, 101, 6));
    assert!(vertices >= 37 && boxes > 100_000);
}

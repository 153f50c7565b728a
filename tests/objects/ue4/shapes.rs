//! Cooked shapes: bytes as the engines write them, made here number by number.

use unreal_packages::object::ue4::asset::anim_sequence::AnimSequence;
use unreal_packages::object::ue4::asset::body_setup::{BodySetup, NavCollision};
use unreal_packages::object::ue4::asset::cooked_shape::body::BodyShapes;
use unreal_packages::object::ue4::asset::cooked_shape::chaos::ChaosShape;
use unreal_packages::object::ue4::asset::cooked_shape::physx_mesh::PhysxTriangles;
use unreal_packages::object::ue4::asset::particle::{ParticleModuleRequired, SubUvAnimation};
use unreal_packages::object::ue4::world::actor;
use unreal_packages::object::ue4::world::navigation::RecastNavMesh;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, Loader, Object, Versions};

use super::{context, laws_at, saved, span};

fn i32s(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn f32s(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// What comes first, then one format whose bulk data holds these bytes.
fn cooked(head: &[i32], shapes: &[u8], tail: &[u8]) -> Vec<u8> {
    let size = shapes.len() as i32;
    let head = [i32s(head), i32s(&[1]), i32s(&[1, 0, 0x48, size, size])].concat();
    let position = (head.len() as u64 + 8).to_le_bytes();
    [&head[..], &position, shapes, tail].concat()
}

fn body_setup(shapes: &[u8]) -> Vec<u8> {
    cooked(&[1, 2, 3, 4, 1, 1], shapes, &[])
}

/// Loads, and checks that the same is saved.
fn loaded<T: Archived + Object + Default>(bytes: &[u8], versions: &Versions) -> (T, u64) {
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone()).with_context(context(bytes));
    value.serialize(&mut loader).unwrap();
    assert_eq!(loader.remaining(), 0);
    let opaque = loader.opaque();
    assert_eq!(super::saved_from(&mut value, versions, bytes, 0), bytes);
    (value, opaque)
}

fn release(major: u8, minor: u8) -> Versions {
    EngineRelease::new(major, minor).versions().with_cooked(true).with_filter_editor_only(true)
}

/// A convex hull of PhysX with three corners; version 8 lists the corners of edges.
fn physx_hull(version: i32) -> Vec<u8> {
    let edges = if version == 8 { 0x8002 } else { 2 };
    let listed = if version == 8 { vec![0, 0, 1, 0, 1, 0, 2, 0] } else { Vec::new() };
    [
        b"\x01NXS\x01CVXM".to_vec(),
        i32s(&[13, 0]),
        b"ICE\x01CLHL".to_vec(),
        i32s(&[version]),
        b"ICE\x01CVHL".to_vec(),
        i32s(&[version, 3, edges, 1, 3]),
        f32s(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        f32s(&[0.0, 0.0, 1.0, -2.0]),
        vec![0, 0, 3, 1],
        vec![0, 1, 2],
        vec![0, 0, 0, 0],
        vec![0; 9],
        listed,
        f32s(&[0.5, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 8.0]),
        f32s(&[0.25; 12]),
        f32s(&[-1.0, 0.5, 0.5, 0.5, 0.5]),
    ]
    .concat()
}

/// A mesh of PhysX with one triangle and one page of a tree.
fn physx_mesh(version: i32) -> Vec<u8> {
    let big = |numbers: &[u32]| -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
    };
    let head = match version {
        14 => i32s(&[14, 0, 1 | 2 | 8]),
        _ => [i32s(&[version, 1 | 2 | 4]), f32s(&[0.001])].concat(),
    };
    let triangles: &[u8] = if version == 14 { &[0, 0, 1, 0, 2, 0] } else { &[0, 1, 2] };
    [
        b"NXS\x01MESH".to_vec(),
        head,
        i32s(&[3, 1]),
        f32s(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
        triangles.to_vec(),
        vec![7, 0],
        i32s(&[0x100]),
        vec![0xfe, 0],
        b"RTRE".to_vec(),
        big(&[1]),
        big(&[0x3f80_0000; 16]),
        big(&[4, 1, 1, 4, 1, 0]),
        big(&[0x4000_0000; 28]),
        f32s(&[0.5, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0]),
        i32s(&[1]),
        vec![0x28],
    ]
    .concat()
}

#[test]
fn shapes_of_physx_are_typed() {
    for (minor, hull, mesh, uv) in [(10, 7, 12, 0), (13, 7, 12, 3), (23, 8, 14, 3)] {
        let versions = release(4, minor);
        let head = [&[1], &i32s(&[1, 1, 1])[..]].concat();
        let hull = physx_hull(hull);
        let shapes = [&head[..], &hull, &hull, &physx_mesh(mesh), &i32s(&vec![0; uv])].concat();
        let bytes = body_setup(&shapes);
        let (value, opaque) = loaded::<BodySetup>(&bytes, &versions);
        assert_eq!(opaque, 0);
        let BodyShapes::Physx(known) = &**value.formats.0[0].1.shapes.as_ref().unwrap() else {
            panic!("{value:?}")
        };
        let hull = &known.mirrored[0].0.as_ref().unwrap().hull.hull;
        assert_eq!((hull.vertices.len(), hull.polygons[0].vertex_count), (3, 3));
        assert_eq!(hull.edges.len(), if hull.version == 8 { 2 } else { 0 });
        let mesh = &known.meshes[0];
        assert_eq!(mesh.triangles.len(), 1);
        assert_eq!(matches!(mesh.triangles, PhysxTriangles::Medium(_)), minor == 23);
        assert_eq!(mesh.face_remap.as_ref().unwrap().faces, [0xfe]);
        assert_eq!((mesh.tree.pages[0].min_x, mesh.tree.levels), ([2.0; 4], 1));
        assert_eq!(known.uv_info.is_some(), uv == 3);
        laws_at(&value, &BodySetup::default(), &versions);
    }
}

/// A convex hull of Chaos, without its number.
fn chaos_hull() -> Vec<u8> {
    [
        vec![8],
        i32s(&[1, 1]),
        vec![8],
        i32s(&[1]),
        f32s(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]),
        i32s(&[2]),
        f32s(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
        f32s(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 8.0, 0.5, 0.5, 0.5, 0.0]),
        vec![1],
        i32s(&[1]),
        vec![0, 2],
        i32s(&[1]),
        vec![0, 1, 0],
        i32s(&[2]),
        vec![0, 0],
        i32s(&[1]),
        vec![5],
        f32s(&[9.0; 3]),
        [0.0, 0.0, 0.0, 1.0_f64].iter().flat_map(|number| number.to_le_bytes()).collect(),
    ]
    .concat()
}

/// A mesh of Chaos, without its number.
fn chaos_mesh() -> Vec<u8> {
    let child = |index: i32| [f32s(&[1.0; 6]), i32s(&[index, 1])].concat();
    [
        vec![11],
        i32s(&[0, 0]),
        vec![11],
        i32s(&[1, 3]),
        f32s(&[0.0; 9]),
        i32s(&[0, 1]),
        vec![0, 0, 1, 0, 2, 0],
        f32s(&[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        i32s(&[1]),
        child(0),
        child(-1),
        i32s(&[1]),
        f32s(&[2.0; 6]),
        i32s(&[1]),
        vec![4, 0],
        i32s(&[1, 0, 3, 0, 1, 2]),
    ]
    .concat()
}

fn chaos_shapes() -> Vec<u8> {
    [
        i32s(&[4, 3, 1, 0]),
        chaos_hull(),
        // None, and the first once more.
        i32s(&[0, 1, 0]),
        i32s(&[1, 1, 1]),
        chaos_mesh(),
        i32s(&[0, 0, 0]),
        i32s(&[1, 7]),
    ]
    .concat()
}

#[test]
fn shapes_of_chaos_are_typed() {
    for minor in [1, 4, 6] {
        let versions = release(5, minor);
        let bytes = body_setup(&chaos_shapes());
        let (value, opaque) = loaded::<BodySetup>(&bytes, &versions);
        assert_eq!(opaque, 0);
        let BodyShapes::Chaos(known) = &**value.formats.0[0].1.shapes.as_ref().unwrap() else {
            panic!("{value:?}")
        };
        let exist: Vec<_> =
            known.convexes.iter().map(|it| (it.exists, it.shape.is_some())).collect();
        assert_eq!(exist, [(true, true), (false, false), (true, false)]);
        let Some(ChaosShape::Mesh(mesh)) = &known.meshes[0].shape else { panic!("{known:?}") };
        assert_eq!(
            (&mesh.small_indices[..], mesh.nodes[0].children[1].face_count),
            (&[[0, 1, 2]][..], 1)
        );
        assert_eq!(known.face_remap, [7]);
        laws_at(&value, &BodySetup::default(), &versions);
    }
}

#[test]
fn a_shape_that_grows_says_its_size() {
    let versions = release(5, 4);
    let bytes = body_setup(&chaos_shapes());
    let (mut value, _) = loaded::<BodySetup>(&bytes, &versions);
    let bulk = &mut value.formats.0[0].1;
    let Some(BodyShapes::Chaos(known)) = bulk.shapes.as_deref_mut() else { panic!("{bulk:?}") };
    known.face_remap.push(8);
    let longer = saved(&mut value, &versions, 0).unwrap();
    assert_eq!(longer.len(), bytes.len() + 4);
    let size = (chaos_shapes().len() as i32 + 4).to_le_bytes();
    assert_eq!([&longer[40..44], &longer[44..48]], [size, size], "elements, and bytes");
    assert_eq!(loaded::<BodySetup>(&longer, &versions).1, 0);
}

#[test]
fn other_shapes_stay_bytes() {
    let chaos = chaos_shapes();
    let mut physx = [&[1], &i32s(&[1, 0, 0])[..], &physx_hull(8), &i32s(&[0; 3])].concat();
    let gauss_map = physx.len() - 12 - 20;
    physx[gauss_map..gauss_map + 4].copy_from_slice(&1.0_f32.to_le_bytes());
    let mut wide = chaos.clone();
    wide[0] = 8;
    // A byte too many or too few; another size of floats; a hull with a map; nothing that is known.
    let cut = &chaos[..chaos.len() - 1];
    let all: [&[u8]; 5] = [&[&chaos[..], &[0]].concat(), cut, &wide, &physx, b"something else"];
    for shapes in all {
        for versions in [release(4, 23), release(5, 4)] {
            let bytes = body_setup(shapes);
            let (mut value, opaque) = loaded::<BodySetup>(&bytes, &versions);
            assert_eq!(opaque, shapes.len() as u64);
            assert!(value.formats.0[0].1.shapes.is_none());
            value.formats.0[0].1.bulk.payload = span(shapes);
            laws_at(&value, &BodySetup::default(), &versions);
        }
    }
}

#[test]
fn shapes_for_navigation_are_typed() {
    for (versions, box_size) in [(release(4, 14), 0), (release(5, 1), 0), (release(5, 5), 49)] {
        let real = |numbers: &[f32]| match versions.ue5() >= 1004 {
            true => numbers.iter().flat_map(|&x| f64::from(x).to_le_bytes()).collect(),
            false => f32s(numbers),
        };
        let shapes = [
            vec![1],
            i32s(&[1]),
            real(&[1.0, 2.0, 3.0]),
            i32s(&[1, 0]),
            i32s(&[0, 0]),
            i32s(&[1, 0]),
            vec![1; box_size],
        ]
        .concat();
        let bytes = cooked(&[0xa237_f237_u32 as i32, 4, 0, 0, 0, 0, 1], &shapes, &i32s(&[0]));
        let (value, opaque) = loaded::<NavCollision>(&bytes, &versions);
        assert_eq!(opaque, 0);
        let known = value.formats.0[0].1.shapes.as_ref().unwrap();
        assert_eq!(known.triangles.index_buffer, [0]);
        assert_eq!(known.bounds.is_some(), box_size > 0);
        laws_at(&value, &NavCollision::default(), &versions);
        let big = [&[0], &shapes[1..]].concat();
        let bytes = cooked(&[0xa237_f237_u32 as i32, 4, 0, 0, 0, 0, 1], &big, &i32s(&[0]));
        assert_eq!(loaded::<NavCollision>(&bytes, &versions).1, big.len() as u64);
    }
}

#[test]
fn navigation_meshes_say_what_their_tiles_have_in_common() {
    // Version of the mesh, numbers before the tiles, and their width.
    let cases =
        [(release(4, 24), 13, 7, 4), (release(5, 1), 21, 11, 8), (release(5, 7), 27, 13, 8)];
    for (versions, version, count, width) in cases {
        let parameters = vec![1; 4 + (count - 2) * width + 8];
        let tiles = b"tiles";
        let size = (4 + parameters.len() + tiles.len()) as i32;
        let label = if versions.ue5() > 0 { i32s(&[0]) } else { Vec::new() };
        let mut saver = unreal_packages::Saver::new(versions.clone());
        actor::Actor::default().serialize(&mut saver).unwrap();
        let base = saver.into_bytes();
        assert!(base.starts_with(&label));
        let bytes = [&base[..], &i32s(&[version, size]), &parameters, tiles].concat();
        let (value, opaque) = loaded::<RecastNavMesh>(&bytes, &versions);
        assert_eq!((opaque, value.other_tiles.len()), (5, 5), "{versions}");
        assert_eq!(value.parameters.as_ref().unwrap().max_polys, 0x0101_0101);
        let value = RecastNavMesh { other_tiles: span(tiles), ..value };
        laws_at(&value, &RecastNavMesh::default(), &versions);
        // An empty mesh, and one that is too old.
        let empty = [&base[..], &i32s(&[version, 4])].concat();
        assert_eq!(loaded::<RecastNavMesh>(&empty, &versions).0.parameters, None);
        let old = [&base[..], &i32s(&[10, size]), &parameters, tiles].concat();
        assert_eq!(loaded::<RecastNavMesh>(&old, &versions).1, size as u64 - 4);
    }
}

#[test]
fn particles_have_the_shapes_of_their_images() {
    for versions in [release(4, 27), release(5, 3)] {
        let width = if versions.ue5() > 0 { 16 } else { 8 };
        let bytes = [i32s(&[1, 2]), vec![3; 2 * width]].concat();
        let (value, opaque) = loaded::<ParticleModuleRequired>(&bytes, &versions);
        assert_eq!((value.derived_data.0.as_ref().unwrap().corners.len(), opaque), (2, 0));
        laws_at(&value, &ParticleModuleRequired::default(), &versions);
        let (value, _) = loaded::<SubUvAnimation>(&bytes, &versions);
        laws_at(&value, &SubUvAnimation::default(), &versions);
        assert_eq!(loaded::<SubUvAnimation>(&i32s(&[0]), &versions).0.derived_data.0, None);
    }
}

#[test]
fn animations_of_early_builds_have_formats() {
    let mut versions = EngineRelease::new(4, 11).versions();
    versions.set_custom_versions(Vec::new());
    let tracks = [
        i32s(&[1, 12, 1]),
        f32s(&[1.0, 2.0, 3.0]),
        i32s(&[16, 1]),
        f32s(&[0.0, 0.0, 0.0, 1.0]),
        i32s(&[12, 0]),
    ]
    .concat();
    let rest = [&tracks[..], &i32s(&[0, 3]), b"key"].concat();
    let with = [&i32s(&[1, 2, 3, 4])[..], &[1, 0, 2, 0], &[0, 0], &rest].concat();
    let without = [&i32s(&[1, 2, 3, 4])[..], &[0, 0], &rest].concat();
    for (bytes, formats) in [(with, Some([1, 0, 2, 0])), (without, None)] {
        let (value, opaque) = loaded::<AnimSequence>(&bytes, &versions);
        assert_eq!((value.early_formats, opaque), (formats, 0));
        assert_eq!((value.raw_tracks.len(), value.compressed_stream.0.len()), (1, 3));
        let value = AnimSequence { early_formats: formats, ..AnimSequence::default() };
        laws_at(&value, &AnimSequence::default(), &versions);
    }
}

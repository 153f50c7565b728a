//! Meshes.

use unreal_packages::archive::Span;
use unreal_packages::object::ue3::asset::fractured_mesh::{FracturedStaticMesh, Fragment};
use unreal_packages::object::ue3::asset::kdop::KdopTree;
use unreal_packages::object::ue3::asset::skeletal_lod::{Chunk, SkeletalLod};
use unreal_packages::object::ue3::asset::skeletal_mesh::{Bone, SkeletalMesh};
use unreal_packages::object::ue3::asset::static_lod::{Element, StaticLod};
use unreal_packages::object::ue3::asset::static_mesh::StaticMesh;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Map, Name, PackageIndex, Versions};

use super::{all_versions, array, bulk, collect, hostile, laws, payload, save};

fn static_mesh(v: &Versions) -> StaticMesh {
    let element = Element { material: PackageIndex::new(-8), ..Element::default() };
    let mut lod = StaticLod {
        raw_triangles: bulk(&[1, 2, 3]),
        elements: vec![element],
        indices: array(3),
        ..StaticLod::default()
    };
    if v.file() >= 615 {
        lod.colors.count = 2;
        lod.colors.data = array(2);
    }
    StaticMesh {
        body_setup: PackageIndex::new(21),
        kdop_tree: KdopTree { triangles: array(2), ..KdopTree::default() },
        lods: vec![lod],
        ..StaticMesh::default()
    }
}

#[test]
fn static_meshes() {
    for v in all_versions() {
        let mesh = static_mesh(&v);
        let bytes = laws(&mesh, &v, &StaticMesh::default);
        if v.file() % 5 == 0 {
            hostile(&bytes, &v, &StaticMesh::default);
        }
        let (_, objects) = collect(&mut mesh.clone(), &v);
        assert!(objects.contains(&21) && objects.contains(&-8));

        let fragment = Fragment { hull_vertices: payload(4), ..Fragment::default() };
        let fractured = FracturedStaticMesh {
            base: mesh,
            source_mesh: PackageIndex::new(33),
            fragments: vec![fragment],
            ..FracturedStaticMesh::default()
        };
        laws(&fractured, &v, &FracturedStaticMesh::default);
        assert!(collect(&mut fractured.clone(), &v).1.contains(&33));
    }
}

#[test]
fn skeletal_meshes() {
    for v in all_versions() {
        for colored in [false, true] {
            let blank = || SkeletalMesh::blank(colored);
            let mut mesh = blank();
            mesh.head.materials = vec![PackageIndex::new(4)];
            mesh.head.bones = vec![Bone { name: Name::new(5), ..Bone::default() }];
            mesh.tail.name_index_map = Map(vec![(Name::new(5), 0)]);
            let stride = match v.file() {
                ..709 => 32,
                709 => 56,
                _ => 60,
            };
            let chunk = Chunk {
                rigid_vertices: Span::owned(vec![1; 2 * (stride + 1)]),
                soft_vertices: Span::owned(vec![2; 3 * (stride + 8)]),
                bone_map: vec![0],
                ..Chunk::default()
            };
            let mut lod = SkeletalLod::default();
            lod.head.chunks = vec![chunk];
            lod.head.raw_point_indices = bulk(&[5, 6]);
            lod.colors = (colored && v.file() >= 710).then(|| array(2));
            mesh.lods = vec![lod];
            let bytes = laws(&mesh, &v, &blank);
            if v.file() % 5 == 0 {
                hostile(&bytes, &v, &blank);
            }
            let (names, objects) = collect(&mut mesh.clone(), &v);
            assert!(names.contains(&5) && objects.contains(&4));
        }
        colors_need_their_version(&v);
    }
}

fn colors_need_their_version(v: &Versions) {
    let lod = SkeletalLod { colors: Some(array(1)), ..SkeletalLod::default() };
    let mut mesh = SkeletalMesh::default();
    mesh.lods = vec![lod];
    // Colours that the version has no place for are refused.
    assert_eq!(save(&mut mesh, v, &[]).is_ok(), v.file() >= 710);
}

//! Cooked skeletal meshes: their triangle, bones and weights in every form that they are drawn from.

use unreal_packages::archive::Span;
use unreal_packages::edit::PackageEdit;
use unreal_packages::mesh::{Mesh, MeshOptions, PackageMeshes};
use unreal_packages::object::ue4::asset::mesh_buffer::{
    ColorBuffer, IndexContainer, PositionBuffer, VertexBuffer,
};
use unreal_packages::object::ue4::asset::reference_skeleton::{Bone, ReferenceSkeleton};
use unreal_packages::object::ue4::asset::skeletal_buffers::{
    DrawnSkinWeights, SkeletalBuffers, SkinWeightLookup,
};
use unreal_packages::object::ue4::asset::skeletal_mesh::{SkeletalMaterial, SkeletalMesh};
use unreal_packages::object::ue4::asset::skeletal_render::{
    DrawnSkeletalMesh, SkeletalRenderData, SkeletalRenderLod,
};
use unreal_packages::object::ue4::asset::skeletal_render_section::SkeletalRenderSection;
use unreal_packages::object::ue4::bulk::BulkArray;
use unreal_packages::object::ue4::geometry::Transform;
use unreal_packages::object::ue4::strip::StripFlags;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyList, Value};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Name, Saver};

use super::{Archived, inline, package_of, property};

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [8.0, 0.0, 0.0], [0.0, 4.0, 2.0]];

fn array<const N: usize>(elements: &[[u8; N]]) -> BulkArray {
    BulkArray {
        element_size: N as u32,
        count: elements.len() as u32,
        data: Span::owned(elements.concat()),
    }
}

/// Bytes, counted one by one.
fn counted(bytes: &[u8]) -> BulkArray {
    BulkArray { element_size: 1, count: bytes.len() as u32, data: Span::owned(bytes.to_vec()) }
}

/// Three vertices: the first moves with bone 0, the next ones with both.
fn buffers(skin_weights: DrawnSkinWeights, lookup: SkinWeightLookup) -> SkeletalBuffers {
    let corner = |corner: [f32; 3]| -> [u8; 12] {
        corner.map(f32::to_le_bytes).concat().try_into().unwrap()
    };
    let half = |one: u16, other: u16| -> [u8; 4] {
        [one.to_le_bytes(), other.to_le_bytes()].concat().try_into().unwrap()
    };
    SkeletalBuffers {
        positions: PositionBuffer { stride: 12, count: 3, data: array(&CORNERS.map(corner)) },
        vertices: VertexBuffer {
            tex_coords: 1,
            count: 3,
            // Towards x, then upwards.
            tangents: array(&[[127, 0, 0, 127, 0, 0, 127, 127]; 3]),
            // 0, 0.5 and 1 as halves.
            uvs: array(&[half(0, 0x3c00), half(0x3800, 0), half(0x3c00, 0x3800)]),
            ..VertexBuffer::default()
        },
        skin_weights,
        lookup,
        colors: Some(Box::new(ColorBuffer {
            stride: 4,
            count: 3,
            // Blue, green, red, alpha.
            data: array(&[[255, 0, 0, 255]; 3]),
            ..ColorBuffer::default()
        })),
        ..SkeletalBuffers::default()
    }
}

/// Four bones for each vertex, a byte for each number and weight.
const FOUR: [[u8; 8]; 3] =
    [[0, 0, 0, 0, 255, 0, 0, 0], [0, 1, 0, 0, 51, 204, 0, 0], [1, 0, 0, 0, 204, 51, 0, 0]];

fn indices() -> IndexContainer {
    let data = array(&[[0, 0], [1, 0], [2, 0]]);
    IndexContainer { data_type_size: 2, data, ..IndexContainer::default() }
}

/// A package of a mesh with this level of detail, of which vertices have colours.
fn mesh(release: EngineRelease, mut lod: SkeletalRenderLod) -> (Package, Mesh) {
    lod.sections = vec![SkeletalRenderSection {
        triangle_count: 1,
        // The mesh's bones 1 and 0.
        bone_map: vec![1, 0],
        vertex_count: 3,
        material_index: 1,
        ..SkeletalRenderSection::default()
    }];
    let bone = |name: i32, parent: i32| Bone { name: Name::new(name), parent, ..Bone::default() };
    let drawn = SkeletalRenderData { lods: vec![lod], colors: true, ..Default::default() };
    let cooked = DrawnSkeletalMesh { colors: true, ..DrawnSkeletalMesh::new(drawn) };
    let mut native = SkeletalMesh {
        strip: StripFlags { global: 1, class: 0 },
        materials: vec![SkeletalMaterial::default(); 2],
        cooked,
        ..SkeletalMesh::default()
    };
    native.reference = ReferenceSkeleton {
        bones: vec![bone(1, -1), bone(2, 0)],
        pose: vec![Transform::default(); 2],
        ..ReferenceSkeleton::default()
    };
    let properties = |package: &mut Package| {
        for name in ["Root", "Arm"] {
            package.edit(|edit| edit.add_name(name)).unwrap();
        }
        let flag = property(package, "bHasVertexColors", "bool", |_| Value::Bool(true));
        PropertyList::new(vec![flag], Name::new(0))
    };
    let package = package_of(release, "/Script/Engine.SkeletalMesh", properties, &mut native, true);
    let row = package.find_export("Thing").unwrap();
    let decoded = package.decode(row).unwrap();
    assert!(decoded.error.is_none(), "{release}: {:?}", decoded.error);
    let made = package.mesh(row, &MeshOptions::default()).unwrap();
    (package, made)
}

fn check(release: EngineRelease, lod: SkeletalRenderLod) {
    let (_, made) = mesh(release, lod);
    let lod = &made.lods[0];
    assert_eq!(lod.positions, CORNERS, "{release}");
    assert_eq!(lod.sections[0].indices, [0, 1, 2], "{release}");
    assert_eq!(lod.sections[0].material, 1, "{release}");
    assert_eq!(lod.uvs, [[[0.0, 1.0], [0.5, 0.0], [1.0, 0.5]]], "{release}");
    assert_eq!(lod.colors, [[0, 0, 255, 255]; 3], "{release}");
    assert!(lod.normals.iter().all(|normal| normal[2] > 0.99), "{release}: {:?}", lod.normals);
    let weight = |vertex: usize, bone: u16| -> f32 {
        let it = &lod.influences[vertex];
        (it.bones.iter().zip(it.weights)).filter(|(own, _)| **own == bone).map(|(_, it)| it).sum()
    };
    // The section's first bone is the mesh's second one.
    for (vertex, expected) in [(0, 1.0), (1, 0.2), (2, 0.2)] {
        assert!((weight(vertex, 1) - expected).abs() < 0.01, "{release} {vertex}");
        assert!((weight(vertex, 0) - (1.0 - expected)).abs() < 0.01, "{release} {vertex}");
    }
}

#[test]
fn all_stood_in_the_mesh_before_4_24() {
    for minor in [20, 22, 23] {
        let weights =
            DrawnSkinWeights { vertex_count: 3, data: array(&FOUR), ..Default::default() };
        let inlined = Some(Box::new(buffers(weights, SkinWeightLookup::default())));
        let lod = SkeletalRenderLod { inlined, indices: indices(), ..Default::default() };
        check(EngineRelease::new(4, minor), lod);
    }
}

/// A level of detail in the mesh, and one in bulk data.
fn streamable(release: EngineRelease, buffers: SkeletalBuffers) {
    let buffers = SkeletalBuffers { indices: indices(), ..buffers };
    let mut saver = Saver::new(release.versions().with_cooked(true));
    buffers.clone().serialize(&mut saver).unwrap();
    let mut bulk = SkeletalRenderLod {
        buffers: inline(saver.bytes()),
        strip: StripFlags { global: 1, class: 1 },
        ..Default::default()
    };
    bulk.buffer_sizes.colors = [4, 3];
    check(release, bulk);
    if release < EngineRelease::new(5, 8) {
        let inlined = Some(Box::new(buffers));
        check(release, SkeletalRenderLod { is_inlined: true, inlined, ..Default::default() });
    }
}

#[test]
fn four_bones_move_a_vertex_in_4_24() {
    let weights = DrawnSkinWeights {
        vertex_count: 3,
        stride: 8,
        data: array(&FOUR),
        ..DrawnSkinWeights::default()
    };
    streamable(EngineRelease::new(4, 24), buffers(weights, SkinWeightLookup::default()));
}

#[test]
fn any_number_of_bones_moves_a_vertex_from_4_25_on() {
    let four = DrawnSkinWeights {
        vertex_count: 3,
        most_bones: 4,
        count: 12,
        data: counted(FOUR.as_flattened()),
        ..DrawnSkinWeights::default()
    };
    for (major, minor) in [(4, 25), (4, 27), (5, 1), (5, 4), (5, 7), (5, 8)] {
        let release = EngineRelease::new(major, minor);
        streamable(release, buffers(four.clone(), SkinWeightLookup::default()));
    }
    // One bone, then two and two, with weights of 16 bits.
    let wide = |weight: u8| u16::from(weight) * 257;
    let parts: [&[(u8, u8)]; 3] = [&[(0, 255)], &[(0, 51), (1, 204)], &[(1, 204), (0, 51)]];
    let (mut bytes, mut starts) = (Vec::new(), Vec::new());
    for part in parts {
        starts.push(((bytes.len() as u32) << 8 | part.len() as u32).to_le_bytes());
        bytes.extend(part.iter().map(|(bone, _)| *bone));
        bytes.extend(part.iter().flat_map(|(_, weight)| wide(*weight).to_le_bytes()));
    }
    let variable = DrawnSkinWeights {
        is_variable: true,
        most_bones: 2,
        count: 5,
        vertex_count: 3,
        wide_weights: true,
        data: counted(&bytes),
        ..DrawnSkinWeights::default()
    };
    let lookup = SkinWeightLookup { vertex_count: 3, data: array(&starts), ..Default::default() };
    for minor in [4, 6, 8] {
        streamable(EngineRelease::new(5, minor), buffers(variable.clone(), lookup.clone()));
    }
}

#[test]
fn settings_of_a_level_give_sections_other_slots() {
    let release = EngineRelease::new(4, 27);
    let four = DrawnSkinWeights {
        vertex_count: 3,
        most_bones: 4,
        count: 12,
        data: counted(FOUR.as_flattened()),
        ..DrawnSkinWeights::default()
    };
    let buffers = buffers(four, SkinWeightLookup::default());
    let buffers = SkeletalBuffers { indices: indices(), ..buffers };
    let inlined = Some(Box::new(buffers));
    let (mut package, _) =
        mesh(release, SkeletalRenderLod { is_inlined: true, inlined, ..Default::default() });
    let known = "array:struct:SkeletalMeshLODInfo".parse().unwrap();
    let set = |package: &mut Package, value: &str| {
        package.edit(|edit| edit.add_property("Thing", "LODInfo", &known, value)).unwrap();
        let row = package.find_export("Thing").unwrap();
        package.mesh(row, &MeshOptions::default()).unwrap().lods[0].sections[0].material
    };
    assert_eq!(set(&mut package.clone(), "((LODMaterialMap:array:int=(0)))"), 0);
    assert_eq!(set(&mut package, "((LODMaterialMap:array:int=(-1)))"), 1);
}

//! Meshes and their animations.

use unreal_packages::object::geometry::Vector;
use unreal_packages::object::ue2::*;
use unreal_packages::primitive::{LazyArray, Name};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Index, Versions};

use super::{
    header, is_swat, is_ut, lazy, obeys_everywhere, object, objects, only, payload, stream,
};

fn sequence(versions: &Versions) -> AnimSequence {
    AnimSequence {
        bookmark: only(versions.file() >= 115, 0.5),
        name: Name::new(70),
        groups: vec![Name::new(71)],
        start_frame: 1,
        frame_count: 2,
        notifies: vec![Notify {
            time: 0.25,
            function: Name::new(72),
            object: only(versions.file() >= 112, object(40)),
        }],
        rate: 30.0,
        ..AnimSequence::default()
    }
}

/// What objects a [`sequence`] refers to.
fn sequence_rows(versions: &Versions) -> Vec<usize> {
    only(versions.file() >= 112, vec![40])
}

fn lod_mesh(version: i32) -> LodMesh {
    LodMesh {
        version,
        vertex_count: 2,
        vertices: payload(2),
        old_faces: only(version <= 1, payload(1)),
        materials: objects(&[30, 31]),
        old_indices: only(version <= 1, payload(3)),
        face_levels: payload(1),
        faces: payload(1),
        wedges: payload(2),
        mesh_materials: vec![MeshMaterial { poly_flags: 1, material: 2 }],
        impostor: only(
            version >= 3,
            Impostor { has_impostor: 1, material: object(32), ..Impostor::default() },
        ),
        tesselation: only(version >= 4, 1.5),
        ..LodMesh::default()
    }
}

fn lod_model(versions: &Versions) -> LodModel {
    let swat = is_swat(versions);
    LodModel {
        header: header(versions, 1, 1),
        skinning_data: payload(2),
        skin_points: payload(1),
        soft_sections: vec![SkeletalSection { face_count: 3, ..SkeletalSection::default() }],
        rigid_sections: vec![SkeletalSection::default()],
        soft_indices: stream(3),
        rigid_indices: stream(0),
        vertices: SkinVertices {
            header: header(versions, 0, 1),
            numbers: [1, 2, 3],
            data: payload(1),
            tangents_revision: only(swat, 4),
            tangents: only(swat, payload(1)),
        },
        influences: lazy(1),
        wedges: lazy(2),
        faces: lazy(0),
        points: lazy(1),
        unknown: [5, 6],
        lazy_tangents: only(swat, lazy(1)),
        tangents: only(swat, payload(2)),
        ..LodModel::default()
    }
}

fn skeletal_mesh(version: i32, versions: &Versions) -> (SkeletalMesh, Vec<usize>) {
    let swat = is_swat(versions);
    let shapes = versions.file() >= 124 || is_ut(versions, 122);
    let meshes = versions.file() >= 125 || is_ut(versions, 122);
    let block_karma = only(is_ut(versions, 124), 1);
    let block_extents = only(is_ut(versions, 125), [1, 1]);
    let sphere =
        BoneSphere { bone: Name::new(73), block_karma, block_extents, ..BoneSphere::default() };
    let bone_box =
        BoneBox { bone: Name::new(74), block_karma, block_extents, ..BoneBox::default() };
    let early =
        EarlyLod { soft_sections: payload(1), rigid_sections: payload(2), indices: payload(3) };
    let mesh = SkeletalMesh {
        base: lod_mesh(version),
        header: header(versions, 2, 4),
        points: payload(1),
        bones: vec![Bone { name: Name::new(75), parent: -1, ..Bone::default() }],
        animation: object(1),
        weight_indices: vec![WeightIndices { indices: vec![1, 2], start: 3 }],
        attach_aliases: vec![Name::new(76)],
        attach_bones: vec![Name::new(77)],
        attach_coords: vec![Default::default()],
        lod_models: only(version >= 2, vec![lod_model(versions); 2]),
        early_lod: only(version <= 1, early),
        other: object(2),
        raw_points: lazy(2),
        collapse_wedges: lazy(1),
        raw_tangents: only(swat, lazy(1)),
        more_points: only(swat, lazy(2)),
        more_wedges: only(swat, lazy(1)),
        more_indices: only(swat, lazy(3)),
        authentication_key: only(versions.file() >= 120, 9),
        karma_props: only(shapes, object(3)),
        spheres: only(shapes, vec![sphere]),
        boxes: only(shapes, vec![bone_box]),
        bone_meshes: only(meshes, objects(&[4])),
        collision_mesh: only(is_ut(versions, 127), object(5)),
        more: only(swat, [object(6), object(7)]),
        ..SkeletalMesh::default()
    };
    let mut rows = vec![1, 2, 30, 31];
    rows.extend([32].iter().filter(|_| version >= 3));
    rows.extend([3].iter().filter(|_| shapes));
    rows.extend([4].iter().filter(|_| meshes));
    rows.extend([5].iter().filter(|_| is_ut(versions, 127)));
    rows.extend([6, 7].iter().filter(|_| swat));
    (mesh, rows)
}

#[test]
fn skeletal_meshes() {
    for version in [1, 4] {
        obeys_everywhere(|versions| {
            let (mesh, rows) = skeletal_mesh(version, versions);
            (mesh, rows, vec![75, 76, 77])
        });
    }
}

#[test]
fn vertex_meshes() {
    for version in [1, 2, 3, 4] {
        obeys_everywhere(|versions| {
            let mesh = VertMesh {
                base: lod_mesh(version),
                vertices: stream(1),
                unknown: vec![1.0],
                sequences: vec![sequence(versions)],
                bounding_boxes: vec![Default::default()],
                bounding_spheres: vec![Default::default()],
                ..VertMesh::default()
            };
            let mut rows = sequence_rows(versions);
            rows.extend([30, 31]);
            rows.extend([32].iter().filter(|_| version >= 3));
            (mesh, rows, vec![70, 71, 72])
        });
    }
}

#[test]
fn animations() {
    let track =
        AnalogTrack { flags: 1, rotations: payload(1), positions: payload(2), times: payload(2) };
    let flex = vec![
        FlexTrack::Empty,
        FlexTrack::Fixed { rotation: Vector::default(), position: Vector::default() },
        FlexTrack::Moving { rotations: payload(1), positions: payload(1), times: payload(1) },
        FlexTrack::Turning {
            rotations: payload(1),
            times: payload(1),
            position: Vector::default(),
        },
    ];
    obeys_everywhere(|versions| {
        let animation = MeshAnimation {
            version: 4,
            bones: vec![NamedBone { name: Name::new(78), flags: 1, parent: -1 }],
            motions: vec![
                Motion { flags: 2, bone_indices: vec![0], ..Motion::default() },
                Motion {
                    flags: 3,
                    tracks: vec![track.clone()],
                    root_track: track.clone(),
                    flex_tracks: flex.clone(),
                    ..Motion::default()
                },
            ],
            sequences: vec![sequence(versions)],
        };
        (animation, sequence_rows(versions), vec![70, 71, 72, 78])
    });
}

#[test]
fn static_meshes() {
    obeys_everywhere(|versions| {
        let (swat, late) = (is_swat(versions), versions.file() >= 126);
        let ut = is_ut(versions, 0);
        let early = EarlyCollision {
            triangles: vec![EarlyTriangle { indices: [Index::new(70); 4], ..Default::default() }],
            nodes: vec![EarlyNode { indices: [Index::new(-1); 4], ..EarlyNode::default() }],
        };
        let compact = CompactCollision {
            triangles: payload(1),
            nodes: payload(1),
            scale: Vector { x: 1.0, y: 1.0, z: 1.0 },
        };
        let mesh = StaticMesh {
            header: header(versions, 2, 1),
            sections: vec![StaticSection { face_count: 1, ..StaticSection::default() }],
            vertices: StaticVertices {
                header: header(versions, 0, 1),
                stream: stream(1),
                tangents: only(swat, payload(1)),
            },
            uv_streams: vec![UvStream { data: payload(1), coordinate_index: 1, revision: 2 }],
            indices: stream(3),
            collision_model: object(1),
            collision: Collision {
                early: only(!late, early),
                compact: only(late && !ut, compact),
                ut: only(late && ut, UtCollision { nodes: payload(1), triangles: payload(1) }),
            },
            unknown: only(versions.file() < 114, [1, 2, 3]),
            source_triangles: LazyArray {
                items: vec![SourceTriangle { uvs: vec![Default::default()], ..Default::default() }],
                ..LazyArray::default()
            },
            internal_version: 9,
            unknown_floats: only(ut, vec![1.0]),
            karma_props: object(2),
            havok_proxy: only(swat, object(3)),
            havok_types: only(swat, [1, 2]),
            ..StaticMesh::default()
        };
        (mesh, if swat { vec![1, 2, 3] } else { vec![1, 2] }, vec![])
    });
}

#[test]
fn static_mesh_instances() {
    obeys_everywhere(|versions| {
        let instance = StaticMeshInstance {
            header: header(versions, 2, 5),
            colors: stream(2),
            lights: vec![InstanceLight {
                header: header(versions, 1, 2),
                light: object(1),
                visibility_bits: payload(3),
                visible: 1,
                ..InstanceLight::default()
            }],
            swat: SwatInstanceColors {
                header: header(versions, 0, 2),
                data: only(is_swat(versions), stream(1)),
                ..SwatInstanceColors::default()
            },
        };
        (instance, vec![1], vec![])
    });
}

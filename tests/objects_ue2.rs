//! The laws for every class of UE2 and SWAT 4, in all their families and versions.

use std::fmt::Debug;
use std::sync::Arc;

use farchive::archive::{
    Annotate, Archived, Context, Counter, Loader, References, Remap, Saver, Span,
};
use farchive::object::VengeanceHeader;
use farchive::object::geometry::{BoundingBox, IndexPair, Vector};
use farchive::object::ue2::*;
use farchive::primitive::{
    FString, LazyArray, LazyPayload, Map, Name, PackageIndex, Payload, TransArray,
};
use farchive::version::Game;
use farchive::{Index, Versions};

/// Main line, the line of UT2004, SWAT 4: one below, at and above every bound.
fn everywhere() -> Vec<Versions> {
    let mainline = [99, 111, 112, 113, 114, 115, 119, 120, 123, 124, 125, 126, 127, 128, 129];
    let ut = [118, 120, 121, 122, 123, 124, 125, 126, 127, 128];
    let mut all: Vec<_> = mainline.iter().map(|&file| Versions::classic(file, 0)).collect();
    all.extend(ut.iter().map(|&file| Versions::classic(file, 29)));
    all.push(Versions::classic(129, 27));
    all
}

fn is_swat(versions: &Versions) -> bool {
    versions.game == Game::Swat4
}

fn is_ut(versions: &Versions, since: u32) -> bool {
    versions.licensee >= 25 && versions.file >= since && !is_swat(versions)
}

/// Values that only some versions have.
fn only<T: Default>(there: bool, value: T) -> T {
    if there { value } else { T::default() }
}

fn header(versions: &Versions, version: i32, subversion: i32) -> VengeanceHeader {
    only(is_swat(versions), VengeanceHeader { kind: 3, version, subversion })
}

fn object(row: usize) -> PackageIndex {
    PackageIndex::export(row)
}

fn payload<const N: usize>(count: usize) -> Payload<N> {
    Payload(Span::owned((0..count * N).map(|byte| byte as u8).collect::<Vec<_>>()))
}

fn lazy<const N: usize>(count: usize) -> LazyPayload<N> {
    LazyPayload { data: payload(count), ..LazyPayload::default() }
}

fn stream<const N: usize>(count: usize) -> Stream<N> {
    Stream { data: payload(count), revision: 7 }
}

fn objects<T: From<Vec<PackageIndex>>>(rows: &[usize]) -> T {
    rows.iter().map(|&row| object(row)).collect::<Vec<_>>().into()
}

fn save<T: Archived>(value: &mut T, source: &[u8], versions: &Versions) -> Vec<u8> {
    let context = Arc::new(Context::new(source.to_vec().into(), Vec::new()));
    let mut saver = Saver::new(versions.clone()).with_context(context);
    value.serialize(&mut saver).expect("the value can be saved");
    saver.into_bytes()
}

/// Every law for one value: `rows` are the exports and `names` the names that it refers to.
#[track_caller]
fn obeys<T>(value: &T, versions: &Versions, rows: &[usize], names: &[i32])
where
    T: Archived + Default + Clone + PartialEq + Debug,
{
    let mut subject = value.clone();
    let bytes = save(&mut subject, &[], versions);
    assert_eq!(subject, *value, "saving changed the value in {versions}");

    let mut counter = Counter::new(versions.clone());
    subject.serialize(&mut counter).expect("the value can be counted");
    assert_eq!(counter.length(), bytes.len() as u64, "counting and saving disagree in {versions}");

    let mut references = References::new(versions.clone());
    subject.serialize(&mut references).expect("the value can be visited");
    for &row in rows {
        let index = object(row).value();
        assert!(references.objects().contains_key(&index), "export {row} in {versions}");
    }
    let found = references.objects().keys().filter(|&&index| index != 0).count();
    assert_eq!(found, rows.len(), "other objects in {versions}");
    for name in names {
        assert!(references.names().contains_key(name), "name {name} in {versions}");
    }

    let mut saver = Saver::new(versions.clone());
    let mut annotate = Annotate::new(&mut saver);
    subject.serialize(&mut annotate).expect("the value can be explained");
    let mut at = 0;
    for record in annotate.into_records() {
        assert_eq!(record.start, at, "{} in {versions}", record.path);
        at = record.end;
    }
    assert_eq!(at, bytes.len() as u64, "bytes are not explained in {versions}");

    let mut remap = Remap::new(versions.clone(), &Some, &Some);
    subject.serialize(&mut remap).expect("the value can be renumbered");
    assert_eq!(subject, *value, "renumbering changed the value in {versions}");

    let mut loaded = value.clone();
    let mut loader = Loader::new(&bytes, versions.clone());
    loaded.serialize(&mut loader).expect("what was saved can be loaded");
    assert_eq!(loader.remaining(), 0, "bytes are left in {versions}");
    assert_eq!(loader.opaque(), 0, "opaque bytes in {versions}");
    assert_eq!(save(&mut loaded, &bytes, versions), bytes, "another body in {versions}");

    for end in 0..bytes.len() {
        let mut loaded = T::default();
        let loaded = loaded.serialize(&mut Loader::new(&bytes[..end], versions.clone()));
        assert!(loaded.is_err(), "{end} of {} bytes load in {versions}", bytes.len());
    }
    // Every byte replaced: an error or another value, never a panic; what loads can be saved again.
    for at in 0..bytes.len() {
        for byte in [0x00, 0x3f, 0x7f, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            let mut loaded = T::default();
            let mut loader = Loader::new(&damaged, versions.clone());
            if loaded.serialize(&mut loader).is_ok() {
                let used = damaged.len() - loader.remaining() as usize;
                let saved = save(&mut loaded, &damaged, versions);
                assert_eq!(saved, damaged[..used], "byte {at} as {byte:#x} in {versions}");
            }
        }
    }
}

/// The default value and a filled one, in every version.
#[track_caller]
fn obeys_everywhere<T>(filled: impl Fn(&Versions) -> (T, Vec<usize>, Vec<i32>))
where
    T: Archived + Default + Clone + PartialEq + Debug,
{
    for versions in everywhere() {
        obeys(&T::default(), &versions, &[], &[]);
        let (value, rows, names) = filled(&versions);
        obeys(&value, &versions, &rows, &names);

        let bytes = save(&mut T::default(), &[], &versions);
        let mut reused = value;
        reused.serialize(&mut Loader::new(&bytes, versions.clone())).expect("a default loads");
        assert_eq!(save(&mut reused, &bytes, &versions), bytes, "fields are left in {versions}");
    }
}

fn sequence(versions: &Versions) -> AnimSequence {
    AnimSequence {
        bookmark: only(versions.file >= 115, 0.5),
        name: Name::new(70),
        groups: vec![Name::new(71)],
        start_frame: 1,
        frame_count: 2,
        notifies: vec![Notify {
            time: 0.25,
            function: Name::new(72),
            object: only(versions.file >= 112, object(40)),
        }],
        rate: 30.0,
    }
}

/// What objects a [`sequence`] refers to.
fn sequence_rows(versions: &Versions) -> Vec<usize> {
    only(versions.file >= 112, vec![40])
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
    let shapes = versions.file >= 124 || is_ut(versions, 122);
    let meshes = versions.file >= 125 || is_ut(versions, 122);
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
        authentication_key: only(versions.file >= 120, 9),
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
        let (swat, late) = (is_swat(versions), versions.file >= 126);
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
            unknown: only(versions.file < 114, [1, 2, 3]),
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

fn section(versions: &Versions) -> Section {
    let swat = SwatSection {
        header: header(versions, 0, 1),
        model: object(10),
        vertex_count: 1,
        index: 2,
        tangents_header: header(versions, 0, 1),
        tangents: stream(1),
    };
    Section {
        header: header(versions, 0, 2),
        vertices: stream(1),
        material: object(11),
        node_count: 1,
        poly_flags: 2,
        light_map_texture: -1,
        swat: only(is_swat(versions), swat),
    }
}

fn atlas(versions: &Versions) -> Atlas {
    let texture = AtlasTexture {
        header: header(versions, 0, 1),
        level: object(16),
        mip_0: lazy(2),
        mip_1: lazy(1),
        format: 3,
        unknown: [1, 2, 3, 4],
        cache_id: 5,
        revision: 1,
        number: 2,
    };
    Atlas { header: header(versions, 0, 1), textures: [texture.clone(), texture] }
}

#[test]
fn models() {
    obeys_everywhere(|versions| {
        let swat = is_swat(versions);
        let node = Node {
            header: header(versions, 2, 2),
            surface: Index::new(5000),
            back: Index::new(-1),
            second_sphere: only(
                !is_ut(versions, 127),
                farchive::object::geometry::Sphere { radius: 1.0, ..Default::default() },
            ),
            unknown: only(swat, 1),
            ..Node::default()
        };
        let surface = Surface {
            header: header(versions, 1, 1),
            material: object(1),
            actor: object(2),
            ..Surface::default()
        };
        let bits = LightBits { light: object(6), bits: payload(4), ..LightBits::default() };
        let model = Model {
            header: header(versions, 0, 5),
            vectors: vec![Vector::default(); 2],
            nodes: vec![node],
            surfaces: vec![surface],
            vertices: vec![IndexPair { first: Index::new(1), second: Index::new(-1) }],
            zones: vec![Zone { actor: object(3), connectivity: 1, ..Zone::default() }],
            polys: object(4),
            bounds: vec![BoundingBox::default()],
            leaf_hulls: vec![1, -1],
            leaves: vec![Leaf { visible_zones: 1, ..Leaf::default() }],
            lights: objects(&[5]),
            sections: vec![section(versions)],
            light_maps: vec![LightMap {
                light_bits: vec![bits],
                level: object(7),
                ..LightMap::default()
            }],
            light_map_textures: vec![LightMapTexture {
                level: object(8),
                light_maps: vec![0],
                mip_0: lazy(2),
                mip_1: lazy(1),
                ..LightMapTexture::default()
            }],
            unknown: only(swat, 8),
            atlases: only(swat, vec![atlas(versions)]),
            clusters: only(swat, vec![Cluster { surfaces: vec![1], ..Cluster::default() }]),
            ..Model::default()
        };
        let mut rows = vec![1, 2, 3, 4, 5, 6, 7, 8, 11];
        rows.extend([10, 16].iter().filter(|_| swat));
        (model, rows, vec![])
    });
}

#[test]
fn levels() {
    let text = |text: &str| FString::from(text);
    obeys_everywhere(|versions| {
        let mut text_blocks = [PackageIndex::NULL; 16];
        text_blocks[15] = object(4);
        let level = Level {
            actors: TransArray { maximum: 4, items: objects(&[1, 2]) },
            url: Url {
                protocol: text("unreal"),
                options: vec![text("a"), text("b")],
                port: 7777,
                ..Url::default()
            },
            header: header(versions, 4, 6),
            model: object(3),
            time_seconds: 1.0,
            text_blocks,
            travel_info: Map(vec![(text("key"), text("value"))]),
            other: only(is_swat(versions), object(5)),
            ..Level::default()
        };
        let rows = if is_swat(versions) { vec![1, 2, 3, 4, 5] } else { vec![1, 2, 3, 4] };
        (level, rows, vec![])
    });
}

#[test]
fn volumes_and_terrain() {
    obeys_everywhere(|_| {
        let face = Face { points: vec![Vector::default(); 3], ..Face::default() };
        let volume = ConvexVolume { faces: vec![face], edges: payload(2), ..Default::default() };
        (volume, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let terrain = TerrainInfo {
            sectors: objects(&[1, 2]),
            vertices: payload(2),
            face_normals: payload(1),
            vertex_colors: payload(3),
            ..TerrainInfo::default()
        };
        (terrain, vec![1, 2], vec![])
    });
    obeys_everywhere(|_| {
        let sector = TerrainSector {
            info: object(1),
            shadows: vec![TerrainShadow { light: object(2), bits: payload(2) }],
            ..TerrainSector::default()
        };
        (sector, vec![1, 2], vec![])
    });
}

#[test]
fn physics() {
    obeys_everywhere(|_| {
        let props = KMeshProps {
            inertia_tensor: [1.0; 6],
            spheres: vec![KSphere::default()],
            boxes: vec![KBox::default()],
            cylinders: vec![KCylinder::default()],
            convexes: vec![KConvex { points: vec![Vector::default()], ..KConvex::default() }],
            ..KMeshProps::default()
        };
        (props, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let proxy = HkMeshProxy {
            unknown_1: 1,
            boxes: vec![KBox::default()],
            capsules: vec![Capsule::default()],
            convexes: vec![HkConvex { planes: vec![Default::default()], ..HkConvex::default() }],
            ..HkMeshProxy::default()
        };
        (proxy, vec![], vec![])
    });
}

#[test]
fn resources() {
    obeys_everywhere(|_| (SoundGroup { sounds: objects(&[1, 2]) }, vec![1, 2], vec![]));
    obeys_everywhere(|_| {
        let sound = ProceduralSound { base_sound: object(1), ..ProceduralSound::default() };
        (sound, vec![1], vec![])
    });
    obeys_everywhere(|_| {
        let check = PackageCheckInfo {
            package_id: FString::from("Engine"),
            allowed_ids: vec![FString::from("00ff"); 2],
            unknown: [1, 2],
        };
        (check, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let header = VengeanceHeader { kind: 3, version: 0, subversion: 1 };
        let mip = Mip { header, extra: lazy(1), data: lazy(4), u_size: 2, ..Mip::default() };
        (Texture { mips: vec![mip, Mip::default()] }, vec![], vec![])
    });
    obeys_everywhere(|_| {
        let group = ActorGroup {
            header: VengeanceHeader { kind: 3, version: 3, subversion: 3 },
            name: FString::from("Walls"),
            actors: TransArray { maximum: 1, items: objects(&[1]) },
            parent: object(2),
            children: TransArray { maximum: 1, items: objects(&[3]) },
            other: object(4),
            ..ActorGroup::default()
        };
        (group, vec![1, 2, 3, 4], vec![])
    });
    obeys_everywhere(|_| (LevelInfo::default(), vec![], vec![]));
}

#[test]
fn parts_that_were_always_zero_are_not_guessed() {
    let versions = Versions::classic(129, 27);
    let mut bytes = save(&mut LevelInfo::default(), &[], &versions);
    *bytes.last_mut().expect("two zeros") = 1;
    let loaded = LevelInfo::default().serialize(&mut Loader::new(&bytes, versions));
    assert!(loaded.is_err());
}

#[test]
fn what_a_family_lacks_is_refused() {
    let refused = |mut mesh: StaticMesh, file: u32, licensee: u32| {
        let mut saver = Saver::new(Versions::classic(file, licensee));
        assert!(mesh.serialize(&mut saver).is_err(), "{file}/{licensee}");
    };
    let havok = StaticMesh { havok_proxy: object(1), ..StaticMesh::default() };
    refused(havok.clone(), 129, 0);
    refused(havok, 128, 29);
    let floats = StaticMesh { unknown_floats: vec![1.0], ..StaticMesh::default() };
    refused(floats.clone(), 129, 27);
    refused(floats, 128, 0);
    let ut = UtCollision { nodes: payload(1), triangles: payload(1) };
    let collision = Collision { ut, ..Collision::default() };
    refused(StaticMesh { collision, ..StaticMesh::default() }, 129, 0);
}

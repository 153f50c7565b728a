//! Laws of the classes of levels, components, BSP and single games of UE3: values are saved, loaded,
//! measured, visited and cut short.

use std::fmt::Debug;
use std::sync::Arc;

use unreal_packages::archive::{
    Archived, Context, Counter, Loader, References, Remap, Saver, Span,
};
use unreal_packages::object::geometry::{BoundingBox, Vector};
use unreal_packages::object::ue3::asset::material::MaterialResource;
use unreal_packages::object::ue3::asset::static_lod::ColorStream;
use unreal_packages::object::ue3::world::bio::*;
use unreal_packages::object::ue3::world::bio_2da::{Bio2Da, Cell, Cells};
use unreal_packages::object::ue3::world::bio_tlk::*;
use unreal_packages::object::ue3::world::collection_actor::CollectionActor;
use unreal_packages::object::ue3::world::decal_component::{DecalComponent, DecalReceiver};
use unreal_packages::object::ue3::world::level::*;
use unreal_packages::object::ue3::world::light_component::*;
use unreal_packages::object::ue3::world::light_map::*;
use unreal_packages::object::ue3::world::light_volume::*;
use unreal_packages::object::ue3::world::mesh_component::*;
use unreal_packages::object::ue3::world::model::*;
use unreal_packages::object::ue3::world::model_component::*;
use unreal_packages::object::ue3::world::navigation_mesh::*;
use unreal_packages::object::ue3::world::persistent_world::World;
use unreal_packages::object::ue3::world::physics::*;
use unreal_packages::object::ue3::world::polys::{Poly, Polys};
use unreal_packages::object::ue3::world::terrain::*;
use unreal_packages::object::ue3::world::terrain_component::*;
use unreal_packages::object::ue3::world::wwise::*;
use unreal_packages::primitive::{BulkArray, BulkData, NameReferences, NameRemap, Payload};
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{FString, Guid, Map, Name, PackageIndex, Versions};

const MAINLINE: &[u32] = &[491, 512, 530, 600, 684, 737, 820, 845, 852, 859, 864, 868];
const GAMES: &[(u32, u32)] = &[(491, 1008), (512, 130), (513, 130), (684, 194), (845, 120)];
/// The numbers that filled values refer to.
const OBJECT: PackageIndex = PackageIndex::new(7_001);
const NAME: Name = Name::new(1);

fn all_versions() -> Vec<Versions> {
    let mainline = MAINLINE.iter().map(|file| Versions::ue1_to_3(*file, 0));
    mainline.chain(GAMES.iter().map(|(file, lic)| Versions::ue1_to_3(*file, *lic))).collect()
}

fn context(source: Vec<u8>) -> Arc<Context> {
    let names = ["None", "FNavMeshEdgeBase"];
    let entry = |text: &str| NameEntry { text: FString::from(text), ..NameEntry::default() };
    Arc::new(Context::new(source.into(), names.into_iter().map(entry).collect()))
}

/// Checks every law; says how many objects and names were found.
fn laws<T: Archived + Clone + Debug + Default + PartialEq>(
    value: &T,
    versions: &Versions,
) -> (u64, u64) {
    let mut saved = value.clone();
    let mut saver = Saver::new(versions.clone()).with_context(context(Vec::new()));
    saved.serialize(&mut saver).unwrap_or_else(|error| panic!("{versions}: {error}: {value:?}"));
    let bytes = saver.into_bytes();

    let mut counter = Counter::new(versions.clone()).with_context(context(Vec::new()));
    saved.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64, "{versions}: {value:?}");

    let known = context(bytes.clone());
    let mut loaded = T::default();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(known.clone());
    loaded.serialize(&mut loader).unwrap_or_else(|error| panic!("{versions}: {error}: {value:?}"));
    assert_eq!(loader.remaining(), 0, "{versions}: {value:?}");

    let same = |row: i32| Some(row);
    let before = loaded.clone();
    loaded.serialize(&mut Remap::names_and_objects(versions.clone(), &same, &same)).unwrap();
    assert_eq!(before, loaded, "{versions}");

    let mut again = Saver::new(versions.clone()).with_context(known.clone());
    loaded.serialize(&mut again).unwrap();
    assert_eq!(again.bytes(), bytes, "{versions}: {value:?}");

    for length in 0..bytes.len() {
        let mut cut = T::default();
        let short = &bytes[..length];
        let mut loader = Loader::new(short, versions.clone()).with_context(context(short.into()));
        assert!(cut.serialize(&mut loader).is_err(), "{versions}: {length}: {value:?}");
    }

    let mut references = References::new(versions.clone()).with_context(known);
    loaded.serialize(&mut references).unwrap();
    let count = |map: &std::collections::BTreeMap<i32, u64>, key| map.get(&key).copied();
    let objects = count(references.objects(), OBJECT.value()).unwrap_or_default();
    let names = count(references.names(), NAME.index.value()).unwrap_or_default();
    (objects, names)
}

/// The laws of the default value everywhere.
fn blank<T: Archived + Clone + Debug + Default + PartialEq>() {
    for versions in all_versions() {
        assert_eq!(laws(&T::default(), &versions), (0, 0));
    }
}

#[test]
fn default_values() {
    blank::<StaticMeshComponent>();
    blank::<FluidSurfaceComponent>();
    blank::<SpeedTreeComponent>();
    blank::<ModelComponent>();
    blank::<BrushComponent>();
    blank::<DecalComponent>();
    blank::<LightComponent>();
    blank::<ShadowMap1D>();
    blank::<PhysicsAssetInstance>();
    blank::<RbBodySetup>();
    blank::<Polys>();
    blank::<Model>();
    blank::<World>();
    blank::<Level>();
    blank::<TerrainComponent>();
    blank::<Terrain>();
    blank::<NavigationMeshBase>();
    blank::<Pylon>();
    blank::<WwiseBank>();
    blank::<WwiseStream>();
    blank::<WwiseEvent>();
    blank::<Bio2Da>();
    blank::<BioDynamicAnimSet>();
    blank::<BioPawn>();
    blank::<BioTlkFile>();
    blank::<BioTlkFileSet>();
    blank::<BioGestureAnimSetMgr>();
    blank::<BioStage>();
    blank::<ForceFeedbackWaveform>();
    blank::<BioGamePropertyEventDispatcher>();
    blank::<BioInert>();
    blank::<BioArtPlaceableBehavior>();
    blank::<XComCharacterVoiceBank>();
    blank::<CollectionActor>();
}

fn bulk(bytes: &[u8]) -> BulkData {
    let count = bytes.len() as i32;
    BulkData {
        element_count: count,
        size_on_disk: count,
        payload: Span::owned(bytes),
        ..BulkData::default()
    }
}

fn array<const N: usize>(count: i32) -> BulkArray<N> {
    let data = Span::owned(vec![3; N * count as usize]);
    BulkArray { element_size: N as i32, count, data }
}

fn light_maps() -> [LightMap; 7] {
    let lights = vec![Guid::new(1, 2, 3, 4)];
    let texture = LightMapTexture { texture: OBJECT, ..LightMapTexture::default() };
    let scaled = ScaledLightMapTexture { texture: OBJECT, numbers: [0.5; 8] };
    [
        LightMap::None,
        LightMap::Vertices {
            lights: lights.clone(),
            owner: OBJECT,
            directional_samples: bulk(&[1; 16]),
            scales: [Vector::default(); 3],
            simple_scale: Vector::default(),
            simple_samples: bulk(&[2; 8]),
        },
        LightMap::Textures {
            lights: lights.clone(),
            coefficients: [texture; 3],
            simple: LightMapTexture::default(),
            coordinate_scale: Default::default(),
            coordinate_bias: Default::default(),
        },
        LightMap::PackedVertices {
            lights: lights.clone(),
            owner: OBJECT,
            samples: bulk(&[1; 16]),
            scales: Default::default(),
        },
        LightMap::ScaledTextures {
            lights: lights.clone(),
            coefficients: [scaled; 3],
            coordinate_scale: Default::default(),
            coordinate_bias: Default::default(),
        },
        LightMap::SimpleVertices {
            lights: lights.clone(),
            owner: OBJECT,
            samples: bulk(&[1; 4]),
            scale: Vector::default(),
        },
        LightMap::OtherScaledTextures {
            lights,
            coefficients: [scaled; 3],
            coordinate_scale: Default::default(),
            coordinate_bias: Default::default(),
        },
    ]
}

#[test]
fn light_maps_of_components() {
    for versions in all_versions() {
        for (light_map, objects) in light_maps().into_iter().zip([0, 1, 3, 1, 3, 1, 3]) {
            assert_eq!(laws(&light_map, &versions).0, objects);
            let lod = StaticMeshComponentLod {
                shadow_maps: vec![OBJECT],
                shadow_vertex_buffers: vec![OBJECT, OBJECT],
                light_map: light_map.clone(),
                ..StaticMeshComponentLod::default()
            };
            let component = StaticMeshComponent { lods: vec![lod], ..Default::default() };
            assert_eq!(laws(&component, &versions).0, objects + 3);
            let element = ModelElement {
                light_map: light_map.clone(),
                component: OBJECT,
                material: OBJECT,
                nodes: vec![1, 2],
                shadow_maps: vec![OBJECT],
                irrelevant_lights: vec![Guid::default()],
            };
            let elements = vec![element];
            let component = ModelComponent { model: OBJECT, elements, ..Default::default() };
            assert_eq!(laws(&component, &versions).0, objects + 4);
            let receiver = DecalReceiver {
                component: OBJECT,
                vertices: array(2),
                indices: array(3),
                light_map: light_map.clone(),
                ..DecalReceiver::default()
            };
            let decal = DecalComponent { receivers: vec![receiver] };
            assert_eq!(laws(&decal, &versions).0, objects + 1);
            let tree = SpeedTreeComponent { fronds: light_map.clone(), ..Default::default() };
            assert_eq!(laws(&tree, &versions).0, objects);
            let nodes = vec![TerrainNode::default()];
            let patches = vec![PatchBounds::default()];
            let collision_vertices = Payload(Span::owned([4; 24]));
            let terrain = TerrainComponent { collision_vertices, nodes, patches, light_map };
            assert_eq!(laws(&terrain, &versions).0, objects);
        }
    }
}

#[test]
fn painted_vertices_and_colors() {
    let versions = Versions::ue1_to_3(867, 0);
    let lod = StaticMeshComponentLod {
        has_colors: 1,
        colors: ColorStream { stride: 4, count: 2, data: array(2) },
        painted_vertices: vec![PaintedVertex::default(); 2],
        ..StaticMeshComponentLod::default()
    };
    let component = StaticMeshComponent { lods: vec![lod], ..Default::default() };
    laws(&component, &versions);
    // What a version has no place for is refused.
    let mut saver = Saver::new(Versions::ue1_to_3(512, 0));
    assert!(component.clone().serialize(&mut saver).is_err());
}

#[test]
fn physics_and_lights() {
    for versions in all_versions() {
        let convex = ConvexData { elements: vec![array(5), array(0)] };
        laws(&BrushComponent { cached_physics: convex.clone() }, &versions);
        laws(&RbBodySetup { cached_physics: vec![convex; 2], ..RbBodySetup::default() }, &versions);
        let pair = CollisionPair { first: 1, second: 2, value: 0 };
        laws(&PhysicsAssetInstance { disabled_collisions: vec![pair; 3] }, &versions);
        if versions.file() < 829 {
            let volume = ConvexVolume { planes: vec![Default::default()], ..Default::default() };
            laws(&LightComponent { inclusion: vec![volume], ..Default::default() }, &versions);
        }
    }
    let samples = Payload(Span::owned([1; 8]));
    laws(&ShadowMap1D { samples, ..Default::default() }, &Versions::ue1_to_3(868, 0));
    let bulk_samples = array(2);
    laws(&ShadowMap1D { bulk_samples, ..Default::default() }, &Versions::ue1_to_3(684, 194));
}

#[test]
fn polygons_and_models() {
    for versions in all_versions() {
        let mut poly = Poly {
            vertices: vec![Vector::default(); 3],
            actor: OBJECT,
            item_name: NAME,
            material: OBJECT,
            ..Poly::default()
        };
        let ruleset = (606..670).contains(&versions.file());
        if ruleset {
            poly.ruleset = OBJECT;
        }
        let polys = Polys { maximum: 4, owner: OBJECT, polys: vec![poly] };
        assert_eq!(laws(&polys, &versions), (3 + u64::from(ruleset), 1));
        let surface = Surface { material: OBJECT, actor: OBJECT, ..Surface::default() };
        let model = Model {
            vectors: array(1),
            nodes: array(2),
            owner: OBJECT,
            surfaces: vec![surface; 2],
            vertices: array(1),
            zones: vec![Zone { actor: OBJECT, ..Zone::default() }],
            polys: OBJECT,
            root_outside: true,
            vertex_buffer: array(2),
            ..Model::default()
        };
        assert_eq!(laws(&model, &versions).0, 7);
    }
}

fn level(versions: &Versions) -> Level {
    let physics = Map(vec![(OBJECT, CachedScale::default())]);
    let instance = TextureInstance::default();
    let mut level = Level {
        owner: OBJECT,
        actors: vec![OBJECT, PackageIndex::NULL],
        model: OBJECT,
        model_components: vec![OBJECT],
        game_sequences: vec![OBJECT],
        texture_instances: Map(vec![(OBJECT, vec![instance])]),
        bsp_physics: array(3),
        convex_map: physics.clone(),
        convex_data: vec![ConvexData { elements: vec![array(2)] }],
        triangle_map: physics,
        triangle_data: vec![array(1)],
        force_stream_textures: Map(vec![(OBJECT, true)]),
        navigation_points: [OBJECT; 2],
        covers: [OBJECT; 2],
        cross_level_actors: vec![OBJECT],
        ..Level::default()
    };
    level.url.map = FString::from("Map");
    if versions.file() >= 600 {
        level.light_volume = LightVolume {
            is_initialised: true,
            bounds: BoundingBox::default(),
            sample_spacing: 1.0,
            samples: vec![LightSample::default(); 2],
        };
    }
    if versions.file() >= 813 && versions.licensee() == 0 {
        let chunk = VisibilityChunk { data: Payload(Span::owned([1, 2])), ..Default::default() };
        let cells = vec![VisibilityCell::default()];
        let bucket = VisibilityBucket { cell_data_size: 1, cells, chunks: vec![chunk] };
        level.visibility.buckets = vec![bucket];
        level.distance_field.data = Payload(Span::owned([5; 8]));
        level.dynamic_components = Map(vec![(OBJECT, 3)]);
        level.cross_level_cover = CrossLevelCover {
            guids: vec![(Guid::default(), 1)],
            covers: vec![OBJECT],
            pairs: vec![(1, 2)],
        };
    }
    level
}

#[test]
fn levels_and_worlds() {
    for versions in all_versions() {
        let more = if versions.file() >= 813 && versions.licensee() == 0 { 2 } else { 0 };
        assert_eq!(laws(&level(&versions), &versions).0, 14 + more);
        let world = World {
            persistent_level: OBJECT,
            save_game_summary: OBJECT,
            extra_objects: vec![OBJECT],
            ..World::default()
        };
        assert_eq!(laws(&world, &versions).0, 3);
    }
}

#[test]
fn terrains() {
    for versions in all_versions() {
        let material = TerrainMaterialResource {
            resource: MaterialResource::default(),
            terrain: OBJECT,
            mask_bits: 1,
            mask: 1,
            material_ids: vec![Guid::default()],
            ..TerrainMaterialResource::default()
        };
        let terrain = Terrain {
            heights: Payload(Span::owned([0, 1, 0, 1])),
            alpha_maps: vec![Payload(Span::owned([1, 2, 3]))],
            weight_maps: vec![OBJECT],
            materials: vec![material],
            ..Terrain::default()
        };
        assert_eq!(laws(&terrain, &versions).0, 2);
    }
}

#[test]
fn navigation_meshes() {
    for (mesh_version, size) in [(15, 33), (43, 38)] {
        let versions = Versions::ue1_to_3(867, 0);
        let cover = CoverReference { actor: OBJECT, ..CoverReference::default() };
        let polygon = MeshPolygon { vertices: vec![1], cover: vec![cover], ..Default::default() };
        let row = EdgeRow { data_offset: 0, data_size: 48, class: NAME };
        let head = MeshHead {
            mesh_version,
            vertices: vec![(Vector::default(), vec![1, 2])],
            edge_table: vec![row; 2],
            polygons: vec![polygon],
            ..MeshHead::default()
        };
        let mesh = NavigationMeshBase { head, edges: vec![Span::owned(vec![1; size]); 2] };
        assert_eq!(laws(&mesh, &versions), (1, 2));
    }
    // An edge whose size is not known is an error, not a guess.
    let row = EdgeRow { class: NAME, ..EdgeRow::default() };
    let head = MeshHead { mesh_version: 20, edge_table: vec![row], ..MeshHead::default() };
    let mut mesh = NavigationMeshBase { head, edges: vec![Span::owned([1; 33])] };
    let versions = Versions::ue1_to_3(867, 0);
    let mut saver = Saver::new(versions.clone());
    mesh.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(bytes.clone()));
    assert!(mesh.serialize(&mut loader).is_err());
    // So are more edges than rows.
    mesh.edges = vec![Span::default(); 2];
    assert!(mesh.serialize(&mut Saver::new(versions.clone())).is_err());
    assert_eq!(laws(&Pylon { mesh: OBJECT, obstacle_mesh: OBJECT }, &versions).0, 2);
}

#[test]
fn sounds_of_mass_effect() {
    let (two, three) = (Versions::ue1_to_3(512, 130), Versions::ue1_to_3(684, 194));
    let data = bulk(b"BKHD");
    laws(&WwiseBank { unknown: [1, 0], data: data.clone() }, &two);
    laws(&WwiseBank { unknown: [0; 2], data: data.clone() }, &three);
    let stream = WwiseStream { unknown: [0, 1], data: data.clone(), ..WwiseStream::default() };
    laws(&stream, &two);
    laws(&WwiseStream { data, ..WwiseStream::default() }, &three);
    let needs = WwiseRelationship { banks: vec![OBJECT], streams: vec![OBJECT] };
    let event = WwiseEvent { id: 9, relationships: vec![needs], streams: Vec::new() };
    assert_eq!(laws(&event, &two).0, 2);
    let event = WwiseEvent { streams: vec![OBJECT; 3], ..WwiseEvent::default() };
    assert_eq!(laws(&event, &three).0, 3);
}

#[test]
fn tables_and_small_classes() {
    let versions = Versions::ue1_to_3(513, 130);
    let cells = vec![Cell::Int(1), Cell::Name(NAME), Cell::Float(0.5), Cell::Empty];
    let sparse = cells.iter().map(|cell| (3, *cell)).collect();
    let columns = vec![(NAME, 1)];
    for cells in [Cells::All(cells, 0), Cells::Sparse(sparse)] {
        assert_eq!(laws(&Bio2Da { cells, columns: columns.clone() }, &versions).1, 2);
    }
    let sequences = Map(vec![(NAME, 1)]);
    assert_eq!(laws(&BioDynamicAnimSet { sequences }, &versions).1, 1);
    let objects = Map(vec![(NAME, OBJECT)]);
    assert_eq!(laws(&BioPawn { objects }, &versions), (1, 1));
    let cameras = Some(StageCameras { name: NAME, numbers: [0; 3] });
    assert_eq!(laws(&BioStage { cameras }, &versions), (0, 1));
    for (at, number) in [(0, 24_u8), (15, 1)] {
        let mut bytes = [0; 24];
        bytes[0] = 20;
        bytes[at] = number;
        let mut loader = Loader::new(&bytes, versions.clone());
        assert!(BioStage::default().serialize(&mut loader).is_err(), "{at}");
    }
    let files = Map(vec![(NAME, vec![OBJECT; 2])]);
    assert_eq!(laws(&BioTlkFileSet { files }, &versions), (2, 1));
    let tlk = BioTlkFile {
        texts: vec![TlkText { id: 160_620, flags: 1, index: 0 }],
        nodes: vec![TlkNode::Inner { left: 1, right: 1 }, TlkNode::Leaf { character: 0 }],
        strings: vec![TlkString {
            length: 1,
            bits: unreal_packages::primitive::Payload(Span::owned([1])),
        }],
    };
    laws(&tlk, &versions);
    let mut saver = Saver::new(versions.clone());
    tlk.clone().serialize(&mut saver).unwrap();
    assert_eq!(saver.bytes()[16..28], [2, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0], "nodes, then texts");
    let samples = vec![ForceFeedbackSample::default()];
    laws(&ForceFeedbackWaveform { is_looping: true, samples }, &versions);
    laws(&BioGamePropertyEventDispatcher { numbers: [1, 2] }, &versions);
    let one = Versions::ue1_to_3(491, 1008);
    laws(&BioInert { guids: vec![(NAME, Guid::default())] }, &one);
    laws(&BioArtPlaceableBehavior { unknown: 4 }, &one);
    let sounds = Map(vec![(NAME, OBJECT)]);
    let xcom = Versions::ue1_to_3(845, 120);
    assert_eq!(laws(&XComCharacterVoiceBank { sounds }, &xcom), (1, 1));
}

#[test]
fn unknown_bytes_of_xcom() {
    let versions = Versions::ue1_to_3(845, 120);
    let mut bytes = vec![0; 50];
    let load = |bytes: &[u8]| {
        let mut loader = Loader::new(bytes, versions.clone());
        StaticMeshComponent::default().serialize(&mut loader)
    };
    assert!(load(&bytes).is_ok());
    bytes[30] = 1;
    assert!(load(&bytes).is_err());
}

#[test]
fn false_counts_are_refused() {
    // Counts that promise more than there is: neither a panic nor much memory.
    let bytes = [0xff, 0xff, 0xff, 0x7f].repeat(64);
    for versions in all_versions() {
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(bytes.clone()));
        assert!(StaticMeshComponent::default().serialize(&mut loader).is_err());
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(bytes.clone()));
        assert!(Polys::default().serialize(&mut loader).is_err());
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(bytes.clone()));
        assert!(NavigationMeshBase::default().serialize(&mut loader).is_err());
    }
}

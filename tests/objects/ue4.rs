//! The laws for native classes of UE4 and UE5: at the versions of every release and around every version
//! that a layout depends on, with editor data and without, blank and filled; and hostile input.

mod bulk;
mod compressed_animation;
mod cooked;
mod kismet;
mod late;
mod mesh_description;
mod navigation_tiles;
mod old_shader_map;
mod rigs;
mod shader_map;
mod shapes;
mod skeletal_render;

use std::sync::Arc;

use unreal_packages::archive::{Context, Span, Threshold};
use unreal_packages::object::script_object::PropertyClass;
use unreal_packages::object::ue4::asset::{
    anim_sequence, animation, audio_analysis, body_setup, cooked_shape, font, material,
    material_instance, media, meta_sound, morph_target, skeletal_lod, skeletal_mesh, skeleton,
    small, sound, static_mesh, static_mesh_lod, texture,
};
use unreal_packages::object::ue4::bulk::{BulkArray, BulkData, EditorBulkData};
use unreal_packages::object::ue4::component::{
    ComponentPart, instanced, landscape, landscape_edge, light, reflection_capture, sky,
    static_mesh as component,
};
use unreal_packages::object::ue4::graph::{node, pin, pin_type};
use unreal_packages::object::ue4::prepared::{Flagged, Prepared};
use unreal_packages::object::ue4::structure::{
    Struct, class, enumeration, function, script_struct, uproperty,
};
use unreal_packages::object::ue4::table::{curve_table, data_table, string_table};
use unreal_packages::object::ue4::world::{
    actor, depth_map, level, light_map, light_volume, map_build_data, model, navigation, partition,
    persistent_world, polys,
};
use unreal_packages::primitive::{NameRemap, Real};
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::version::{EngineRelease, Measure, UE4, UE5, UnrealVersions, custom};
use unreal_packages::{
    Annotate, Archived, Counter, ErrorKind, FString, Guid, Loader, Map, Name, Object, PackageIndex,
    References, Remap, Saver, Versions,
};

fn named(source: &[u8], names: &[&str]) -> Arc<Context> {
    let entry = |text: &&str| NameEntry { text: FString::from(*text), ..NameEntry::default() };
    Arc::new(Context::new(source.to_vec().into(), names.iter().map(entry).collect()))
}

/// Row 0 is "None": so are the names of blank values.
const NAMES: &[&str] = &[
    "None",
    "IntProperty",
    "ArrayProperty",
    "First",
    "Second",
    "FMaterialUniformExpressionFoldedMath",
    "FMaterialUniformExpressionConstant",
    "FMaterialUniformExpressionVectorParameter",
    "FMaterialUniformExpressionComponentSwizzle",
    "FMaterialUniformExpressionScalarParameter",
    "TBasePassVS",
    "FLocalVertexFactory",
    "TNobodySaw",
];

fn context(source: &[u8]) -> Arc<Context> {
    named(source, NAMES)
}

/// Every release with editor data and without.
fn releases() -> Vec<Versions> {
    let both = |release: EngineRelease| {
        [false, true].map(|stripped| {
            release.versions().with_filter_editor_only(stripped).with_cooked(stripped)
        })
    };
    EngineRelease::all().flat_map(both).collect()
}

/// Those, and one below, at and above every version that a type names.
fn versions_around(thresholds: &[Threshold]) -> Vec<Versions> {
    let mut all = releases();
    for threshold in thresholds {
        for value in [threshold.value - 1, threshold.value, threshold.value + 1] {
            let release = EngineRelease::new(if value >= 1000 { 5 } else { 4 }, 27);
            let mut versions = release.versions();
            let mut list = versions.custom_versions.as_deref().unwrap_or_default().to_vec();
            match threshold.measure {
                Measure::Axis(axis @ (UE4 | UE5)) => versions.set(axis, value.max(0) as u32),
                Measure::Custom(guid) => {
                    list.retain(|(known, _)| *known != guid);
                    list.push((guid, value as i32));
                }
                _ => {}
            }
            versions.set_custom_versions(list);
            all.push(versions);
        }
    }
    all
}

fn saved(value: &mut dyn Object, versions: &Versions, at: u64) -> unreal_packages::Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone()).at(at);
    value.serialize_dyn(&mut saver)?;
    Ok(saver.into_bytes())
}

/// Everything that a value holds.
fn shown(value: &dyn Object) -> String {
    format!("{value:?}")
}

/// The laws for one value: `blank` is what it is loaded into.
fn laws_at(value: &dyn Object, blank: &dyn Object, versions: &Versions) {
    let (same, up, down) =
        (|index: i32| Some(index), |index: i32| Some(index + 70), |index: i32| Some(index - 70));
    let mut value = value.clone_object();
    let remap = |value: &mut Box<dyn Object>, rule: &dyn Fn(i32) -> Option<i32>| {
        value.serialize_dyn(&mut Remap::names_and_objects(versions.clone(), &same, rule)).unwrap();
    };
    remap(&mut value, &up);
    let before = shown(&*value);
    let bytes = saved(&mut *value, versions, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(shown(&*value), before, "{versions}: saving changes nothing");
    let mut counter = Counter::new(versions.clone());
    value.serialize_dyn(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64, "{versions}");
    value.serialize_dyn(&mut References::new(versions.clone())).unwrap();
    remap(&mut value, &same);
    assert_eq!(shown(&*value), before, "{versions}: visiting changes nothing");
    remap(&mut value, &down);
    remap(&mut value, &up);
    assert_eq!(shown(&*value), before, "{versions}: renumbering and back");

    let context = context(&bytes);
    let mut loaded = blank.clone_object();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context.clone());
    let mut annotate = Annotate::new(&mut loader);
    loaded.serialize_dyn(&mut annotate).unwrap_or_else(|error| panic!("{error}"));
    let mut at = 0;
    for record in annotate.records() {
        assert_eq!(record.start, at, "{versions}: {record:?}");
        at = record.end;
    }
    assert_eq!(at, bytes.len() as u64, "{versions}: every byte is explained once");
    assert_eq!(loader.remaining(), 0, "{versions}: all is read");
    assert_eq!(
        saved_from(&mut *loaded, versions, &bytes, 0),
        bytes,
        "{versions}: loaded and saved"
    );
    // Positions follow a move; nothing else changes.
    let moved = saved(&mut *value, versions, 4096).unwrap();
    assert_eq!(saved_from(&mut *loaded, versions, &bytes, 4096), moved, "{versions}");
    for length in (0..bytes.len()).step_by(1 + bytes.len() / 64) {
        let mut cut = blank.clone_object();
        let part = &bytes[..length];
        let mut loader = Loader::new(part, versions.clone()).with_context(self::context(part));
        // Some parts are there only where bytes are left.
        if cut.serialize_dyn(&mut loader).is_ok() {
            assert_eq!(saved_from(&mut *cut, versions, part, 0), part, "{versions} at {length}");
        }
    }
    hostile(blank, &bytes, versions);
}

fn saved_from(value: &mut dyn Object, versions: &Versions, source: &[u8], at: u64) -> Vec<u8> {
    let mut saver = Saver::new(versions.clone()).with_context(context(source)).at(at);
    value.serialize_dyn(&mut saver).unwrap();
    saver.into_bytes()
}

/// Whatever bytes load save as they were; none panic.
fn hostile(blank: &dyn Object, bytes: &[u8], versions: &Versions) {
    let fillings: [&[u8]; 3] = [&[0xff; 4], &[0x7f, 0xff, 0xff, 0x7f], &[1, 0, 0, 0]];
    for filling in fillings {
        for at in (0..bytes.len().saturating_sub(3)).step_by(4 + bytes.len() / 32) {
            let mut changed = bytes.to_vec();
            changed[at..at + 4].copy_from_slice(filling);
            changed.extend([0; 64]);
            let mut value = blank.clone_object();
            let mut loader =
                Loader::new(&changed, versions.clone()).with_context(context(&changed));
            if value.serialize_dyn(&mut loader).is_ok() {
                let used = changed.len() - loader.remaining() as usize;
                assert_eq!(saved_from(&mut *value, versions, &changed, 0), &changed[..used]);
            }
        }
    }
}

fn laws(blank: &dyn Object, thresholds: &[Threshold]) {
    for versions in versions_around(thresholds) {
        laws_at(blank, blank, &versions);
    }
}

fn thresholds<T: Archived>(_: &T) -> &'static [Threshold] {
    T::THRESHOLDS
}

macro_rules! blank_laws {
    ($($name:ident: $($value:expr),+;)*) => { $(
        #[test]
        fn $name() {
            $({
                let value = $value;
                laws(&value, thresholds(&value));
            })+
        }
    )* };
}

blank_laws! {
    structures: Struct::default(), class::Class::default(), function::Function::default(),
        script_struct::ScriptStruct::default(), enumeration::Enum::default();
    tables: string_table::StringTable::default(), data_table::DataTable::default(),
        curve_table::CurveTable::default();
    worlds: persistent_world::World::default(), level::Level::default(), polys::Polys::default(),
        model::Model::default(), model::ModelComponent::default(), actor::Actor::default(),
        actor::InstancedFoliageActor::default(), navigation::RecastNavMesh::default(),
        actor::LevelInstance::default(),
        actor::LevelInstance { guid: Some(Guid::new(1, 2, 3, 4)), ..Default::default() },
        partition::WorldPartition::default(), partition::RuntimeCellData::default();
    baked_light: map_build_data::MapBuildDataRegistry::default(), depth_map::DepthMap::default(),
        light_volume::VolumetricLightMap::default(), light_volume::LightVolume::default();
    components: ComponentPart::default(), component::StaticMeshComponent::default(),
        instanced::HierarchicalInstancedStaticMeshComponent::default(),
        light::LightComponent::default(), sky::SkyAtmosphereComponent::default(),
        sky::AtmosphericFogComponent::default(),
        landscape::HeightfieldCollisionComponent::default(), landscape::LandscapeComponent::default(),
        landscape::TextureStorageProviderFactory::default(),
        landscape_edge::HeightmapTextureEdgeFixup::default(),
        landscape_edge::TextureMipEdgeOverrideFactory::default(),
        reflection_capture::ReflectionCaptureComponent::default();
    graphs: node::EdGraphNode::blank("K2Node_CustomEvent"), pin::Pin::default(),
        pin_type::PinType::default(), pin_type::TerminalType::default();
    textures: texture::Texture::default(), texture::ImageTexture::default(),
        texture::LightMapTexture2D::default(), texture::LayeredTexture::default();
    materials: material::Material::default(), material::MaterialEditorOnlyData::default(),
        material_instance::MaterialInstance::default();
    meshes: static_mesh::StaticMesh::default(), skeletal_mesh::SkeletalMesh::default(),
        skeleton::Skeleton::default(), small::MeshDescriptionBulkData::default(),
        static_mesh_lod::Nanite::default();
    animations: anim_sequence::AnimSequence::default(), animation::AnimationAsset::default(),
        small::PhysicsAsset::default(), morph_target::MorphTarget::default(), skeleton::Rig::default();
    physics: body_setup::BodySetup::default(), body_setup::NavCollision::default(),
        body_setup::NavCollision { version: Some(4), ..Default::default() };
    sounds_and_fonts: sound::SoundCue::default(), sound::SoundNodeWavePlayer::default(),
        font::Font::default(), font::FontBulkData::default(), font::FontFace::default(),
        media::FileMediaSource::default(), audio_analysis::ConstantQ::default(),
        audio_analysis::Loudness::default(), meta_sound::MetaSoundSource::default();
    small_ones: small::MetaData::default(), small::ObjectRedirector::default(),
        small::Blueprint { unknown: Some(1) }, EditorBulkData::default();
}

#[test]
fn properties_that_are_objects() {
    for class in ["IntProperty", "ArrayProperty", "MapProperty", "EnumProperty", "BoolProperty"] {
        let kind = PropertyClass::of_ue4(class).unwrap();
        let value = uproperty::UProperty { kind, ..Default::default() };
        laws(&value, thresholds(&value));
    }
    assert_eq!(PropertyClass::of_ue4("Texture2D"), None);
}

fn span(bytes: &[u8]) -> Span {
    Span::owned(bytes)
}

fn inline(bytes: &[u8]) -> BulkData {
    BulkData {
        flags: 0x48,
        element_count: bytes.len() as i64,
        size_on_disk: bytes.len() as i64,
        payload: span(bytes),
        ..BulkData::default()
    }
}

#[test]
fn coordinates_widen_and_refuse_to_lose_digits() {
    let (old, new) = (EngineRelease::new(4, 27).versions(), EngineRelease::new(5, 0).versions());
    for value in [0.0, -1.5, f64::INFINITY, 1e9] {
        let mut real = Real::new(value);
        assert_eq!(saved(&mut real, &old, 0).unwrap(), (value as f32).to_le_bytes());
        assert_eq!(saved(&mut real, &new, 0).unwrap(), value.to_le_bytes());
    }
    let error = saved(&mut Real::new(0.1), &old, 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    for bits in [0x7f80_0001_u32, 0xffc0_1234, 0x7fff_ffff, 0x8000_0000, 1] {
        let bytes = bits.to_le_bytes();
        let mut real = Real::default();
        real.serialize(&mut Loader::new(&bytes, old.clone())).unwrap();
        assert_eq!(saved(&mut real, &old, 0).unwrap(), bytes, "{bits:#x}");
    }
}

#[test]
fn filled_objects_hold_the_laws() {
    for versions in releases() {
        let array = |size: u32, bytes: &[u8]| BulkArray {
            element_size: size,
            count: bytes.len() as u32 / size,
            data: span(bytes),
        };
        let meta = small::MetaData {
            objects: Map(vec![(
                PackageIndex::export(0),
                Map(vec![(Name::numbered(1, 2), FString::from("text"))]),
            )]),
            ..Default::default()
        };
        laws_at(&meta, &small::MetaData::default(), &versions);
        let polys = polys::Polys {
            polygons: vec![polys::Polygon {
                vertices: vec![Default::default(); 3],
                ..Default::default()
            }],
            ..Default::default()
        };
        laws_at(&polys, &polys::Polys::default(), &versions);
        let model = model::Model {
            vectors: array(12, &[1; 24]),
            surfaces: vec![Default::default(); 2],
            ..Default::default()
        };
        laws_at(&model, &model::Model::default(), &versions);
        let volume = light_volume::LightVolume {
            data: Flagged(Some(light_volume::LightSamples {
                high_quality: vec![light_volume::LightSample {
                    lighting: vec![0.5; 12],
                    ..Default::default()
                }],
                ..Default::default()
            })),
        };
        laws_at(&volume, &light_volume::LightVolume::default(), &versions);
        let mut physics = body_setup::BodySetup { cooked: true, ..Default::default() };
        let bulk = inline(b"shape");
        let shape = cooked_shape::bulk::ShapeBulk { bulk, ..Default::default() };
        physics.formats = Map(vec![(Name::new(3), shape)]);
        laws_at(&physics, &body_setup::BodySetup::default(), &versions);
        let table = string_table::StringTable {
            entries: Map(vec![(FString::from("key"), FString::from("ä"))]),
            ..Default::default()
        };
        laws_at(&table, &string_table::StringTable::default(), &versions);
        let node = node::EdGraphNode::blank("K2Node_FunctionEntry");
        let mut pinned = node.clone();
        pinned.user_pins = Prepared(Some(vec![node::UserPin::default(); 2]));
        laws_at(&pinned, &node, &versions);
    }
}

#[test]
fn pins_hold_the_laws() {
    for versions in releases() {
        if versions.custom(&custom::BLUEPRINTS) < custom::blueprints::ED_GRAPH_PIN_OPTIMIZED {
            continue;
        }
        let key = pin::PinKey { owning_node: PackageIndex::NULL, id: Guid::new(1, 2, 3, 4) };
        let pin = pin::Pin {
            key,
            own_key: key,
            linked_to: vec![pin::PinReference(Some(key)), pin::PinReference(None)],
            ..Default::default()
        };
        let pins = vec![pin::OwnedPin(Some(Box::new(pin))), pin::OwnedPin(None)];
        let class = match versions.custom(&custom::FORTNITE_MAIN) {
            85.. => "K2Node_DynamicCast",
            _ => "K2Node_Event",
        };
        let node = node::EdGraphNode { pins, ..node::EdGraphNode::blank(class) };
        laws_at(&node, &node::EdGraphNode::blank(class), &versions);
    }
}

#[test]
fn hostile_counts_claim_no_memory() {
    for versions in releases() {
        let bytes = [0x7f; 4096];
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        assert!(class::Class::default().serialize(&mut loader).is_err());
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        assert!(level::Level::default().serialize(&mut loader).is_err());
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        assert!(static_mesh::StaticMesh::default().serialize(&mut loader).is_err());
        let mut loader = Loader::new(&bytes, versions).with_context(context(&bytes));
        assert!(skeletal_lod::LodList::default().serialize(&mut loader).is_err());
    }
}

#[test]
fn properties_nest_only_so_deep() {
    let versions = EngineRelease::new(4, 27).versions();
    // An array of arrays of arrays.
    let mut one = Vec::new();
    one.extend(2_i32.to_le_bytes());
    one.extend([0; 4 + 8 + 4 + 4 + 4 + 4 + 8 + 2 + 8 + 1]);
    let bytes = one.repeat(4000);
    let mut loader = Loader::new(&bytes, versions).with_context(context(&bytes));
    let error = unreal_packages::object::ue4::field::Field::default().serialize(&mut loader);
    assert!(matches!(error.unwrap_err().kind(), ErrorKind::TooDeep { .. }));
}

#[test]
fn sounds_tell_their_form_by_where_they_end() {
    let mut versions = EngineRelease::new(5, 7).versions();
    versions.set_filter_editor_only(true);
    versions.set_cooked(true);
    let chunk = sound::StreamedChunk {
        flags: 3,
        seek_offset: 5,
        bulk: inline(b"abc"),
        ..Default::default()
    };
    let audio = sound::StreamedAudio { format: Name::new(3), chunks: vec![chunk] };
    let streamed = sound::Samples::Streamed(Guid::new(1, 2, 3, 4), Some(Box::new(audio)));
    let formats = Map(vec![(Name::new(3), inline(b"samples"))]);
    for samples in [streamed, sound::Samples::Formats(formats, Guid::new(5, 6, 7, 8))] {
        let mut wave = sound::SoundWave { flags: 1, samples, ..Default::default() };
        let bytes = saved(&mut wave, &versions, 0).unwrap();
        let mut loaded = sound::SoundWave::default();
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loader.remaining(), 0);
        assert_eq!(std::mem::discriminant(&loaded.samples), std::mem::discriminant(&wave.samples));
        assert_eq!(saved_from(&mut loaded, &versions, &bytes, 0), bytes);
    }
}

#[test]
fn kinds_of_bytes_are_told_apart() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut tiles = navigation::RecastNavMesh { other_tiles: span(b"tiles"), ..Default::default() };
    let bytes = saved(&mut tiles, &versions, 0).unwrap();
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
    tiles.serialize(&mut loader).unwrap();
    assert_eq!((loader.opaque(), loader.payload()), (5, 0));
    let mut bulk = inline(b"texels");
    let bytes = saved(&mut bulk, &versions, 0).unwrap();
    let mut loader = Loader::new(&bytes, versions).with_context(context(&bytes));
    bulk.serialize(&mut loader).unwrap();
    assert_eq!((loader.opaque(), loader.payload()), (0, 6));
    let light = light_map::LightMap::default();
    assert_eq!(light, light_map::LightMap::None);
}

/// The one object of a package of this release: `data` behind a list without properties.
fn decoded(
    release: (u8, u8),
    cooked: bool,
    class: &str,
    data: &[u8],
) -> unreal_packages::package::Decoded {
    let release = EngineRelease::new(release.0, release.1);
    let mut builder = unreal_packages::generate::Builder::for_release(release).name("None");
    if cooked {
        builder = builder.flags(unreal_packages::primitive::PackageFlags(0x8000_0200));
    }
    let body = [&[0; 12][..], data].concat();
    let bytes = builder.export("Thing", format!("/Script/Any.{class}"), body).build().unwrap();
    let package = unreal_packages::Package::from_bytes(bytes).unwrap();
    package.decode(0).unwrap().into_owned()
}

#[test]
fn what_is_called_like_a_node_of_a_graph_may_be_none() {
    use unreal_packages::package::native_as;
    for (class, is_node) in [
        ("AnimGraphNode_Root", true),
        ("AnimGraphNodeBinding_Base", false),
        ("SoundCueGraphNode_Root", true),
        ("EnvironmentQueryGraphNode_Test", true),
    ] {
        let pins: &[u8] = if is_node { &[0; 4] } else { &[] };
        let found = decoded((4, 27), false, class, pins);
        let node = native_as::<node::EdGraphNode>(&found.body);
        assert_eq!(
            (node.is_some(), found.opaque, found.error.is_some()),
            (is_node, 0, false),
            "{class}"
        );
    }
}

#[test]
fn nodes_that_play_a_sound_keep_it_from_the_release_that_does() {
    use unreal_packages::package::native_as;
    for (release, cooked, has_sound) in [
        ((4, 15), false, false),
        ((4, 16), false, true),
        ((4, 27), true, true),
        ((5, 3), false, true),
        ((5, 3), true, true),
    ] {
        let graph: &[u8] = if cooked { &[] } else { &[0; 4] };
        let sound: &[u8] = if has_sound { &[1, 0, 0, 0] } else { &[] };
        let found =
            decoded(release, cooked, "SoundNodeWavePlayer", &[&[0, 0], graph, sound].concat());
        let player = native_as::<sound::SoundNodeWavePlayer>(&found.body).unwrap();
        let expected = PackageIndex::new(i32::from(has_sound));
        assert_eq!((player.sound_wave, found.opaque), (expected, 0), "{release:?} {cooked}");
    }
}

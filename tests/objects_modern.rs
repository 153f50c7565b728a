//! The laws for native classes of UE4 and UE5: at the versions of every release and around every version
//! that a layout depends on, with editor data and without, blank and filled; and hostile input.

mod common;

use std::sync::Arc;

use farchive::archive::{Context, Span, Threshold};
use farchive::object::modern::asset::{
    anim_sequence, animation, body_setup, font, material, material_instance, media, platform_data,
    skeletal_lod, skeletal_mesh, skeleton, small, sound, static_mesh, static_mesh_lod, texture,
};
use farchive::object::modern::bulk::{BulkArray, BulkData, EditorBulkData};
use farchive::object::modern::component::{
    ComponentPart, instanced, landscape, light, reflection_capture, sky, static_mesh as component,
};
use farchive::object::modern::graph::{node, pin, pin_type};
use farchive::object::modern::prepared::{Flagged, Prepared};
use farchive::object::modern::structure::{
    Struct, class, enumeration, function, script_struct, uproperty,
};
use farchive::object::modern::table::{curve_table, data_table, string_table};
use farchive::object::modern::world::{
    actor, depth_map, level, light_map, light_volume, map_build_data, model, navigation,
    persistent_world, polys,
};
use farchive::primitive::{LongPosition, Payload, Position, Real};
use farchive::script::kismet::{self, Item, Kismet};
use farchive::table::{DataResource, NameEntry};
use farchive::version::{Axis, EngineRelease, custom};
use farchive::{
    Annotate, Archive, Archived, Counter, ErrorKind, FString, Guid, Loader, Map, Name, Object,
    PackageIndex, References, Remap, Saver, Versions,
};

fn named(source: &[u8], names: &[&str]) -> Arc<Context> {
    let entry = |text: &&str| NameEntry { text: FString::from(*text), ..NameEntry::default() };
    Arc::new(Context::new(source.to_vec().into(), names.iter().map(entry).collect()).with_roles())
}

/// Row 0 is "None": so are the names of blank values.
fn context(source: &[u8]) -> Arc<Context> {
    named(source, &["None", "IntProperty", "ArrayProperty", "First", "Second"])
}

/// Every release with editor data and without.
fn releases() -> Vec<Versions> {
    let both = |release: EngineRelease| {
        [false, true].map(|stripped| Versions {
            filter_editor_only: stripped,
            cooked: stripped,
            ..release.versions()
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
            match threshold.axis {
                Axis::Ue4 => versions.ue4 = value as u32,
                Axis::Ue5 => versions.ue5 = value.max(0) as u32,
                Axis::Custom(guid) => {
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

fn saved(value: &mut dyn Object, versions: &Versions, at: u64) -> farchive::Result<Vec<u8>> {
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
    let mut remap = |value: &mut Box<dyn Object>, rule: &dyn Fn(i32) -> Option<i32>| {
        value.serialize_dyn(&mut Remap::new(versions.clone(), &same, rule)).unwrap();
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
        actor::InstancedFoliageActor::default(), navigation::RecastNavMesh::default();
    baked_light: map_build_data::MapBuildDataRegistry::default(), depth_map::DepthMap::default(),
        light_volume::VolumetricLightMap::default(), light_volume::LightVolume::default();
    components: ComponentPart::default(), component::StaticMeshComponent::default(),
        instanced::HierarchicalInstancedStaticMeshComponent::default(),
        light::LightComponent::default(), sky::SkyAtmosphereComponent::default(),
        sky::AtmosphericFogComponent::default(),
        landscape::HeightfieldCollisionComponent::default(),
        reflection_capture::ReflectionCaptureComponent::default();
    graphs: node::EdGraphNode::blank("K2Node_CustomEvent"), pin::Pin::default(),
        pin_type::PinType::default(), pin_type::TerminalType::default();
    textures: texture::Texture::default(), texture::ImageTexture::default(),
        texture::LightMapTexture2D::default();
    materials: material::Material::default(), material::MaterialEditorOnlyData::default(),
        material_instance::MaterialInstance::default();
    meshes: static_mesh::StaticMesh::default(), skeletal_mesh::SkeletalMesh::default(),
        skeleton::Skeleton::default(), small::MeshDescriptionBulkData::default(),
        static_mesh_lod::Nanite::default();
    animations: anim_sequence::AnimSequence::default(), animation::AnimationAsset::default(),
        small::PhysicsAsset::default();
    physics: body_setup::BodySetup::default(), body_setup::NavCollision::default(),
        body_setup::NavCollision { version: Some(4), ..Default::default() };
    sounds_and_fonts: sound::SoundCue::default(), sound::SoundNodeWavePlayer::default(),
        font::Font::default(), font::FontBulkData::default(), font::FontFace::default(),
        media::FileMediaSource::default();
    small_ones: small::MetaData::default(), small::ObjectRedirector::default(),
        small::Blueprint { unknown: Some(1) }, EditorBulkData::default();
}

#[test]
fn properties_that_are_objects() {
    for class in ["IntProperty", "ArrayProperty", "MapProperty", "EnumProperty", "BoolProperty"] {
        let kind = uproperty::UPropertyKind::blank(class).unwrap();
        let value = uproperty::UProperty { kind, ..Default::default() };
        laws(&value, thresholds(&value));
    }
    assert_eq!(uproperty::UPropertyKind::blank("Texture2D"), None);
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
fn bulk_data_follows_its_body_and_keeps_false_positions() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut bulk = inline(b"texels");
    laws_at(&bulk, &BulkData::default(), &versions);
    let bytes = saved(&mut bulk, &versions, 1000).unwrap();
    assert_eq!(bytes[12..20], 1020_u64.to_le_bytes(), "right behind the header");
    let mut source = vec![0; 1000];
    source.extend(&bytes);
    for (change, expected) in [(0, LongPosition::Here), (-8, LongPosition::Beside(-8))] {
        let position = (1020 + i64::from(change)).to_le_bytes();
        source[1012..1020].copy_from_slice(&position);
        let mut loader = Loader::new(&source, versions.clone()).with_context(context(&source));
        loader.seek(&source, 1000, source.len() as u64).unwrap();
        let mut loaded = BulkData::default();
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loaded.offset, expected);
        let mut saver = Saver::new(versions.clone()).with_context(context(&source)).at(5000);
        loaded.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes()[12..20], (5020 + i64::from(change)).to_le_bytes());
    }
    // Elsewhere in the file: nothing stands here.
    let apart = BulkData {
        flags: 0x1_0501,
        size_on_disk: 9,
        offset: LongPosition::Stale(77),
        ..BulkData::default()
    };
    laws_at(&apart, &BulkData::default(), &versions);
    let wide =
        BulkData { flags: 0xe048, size_on_disk: 6, bad_data_version: 3, ..inline(b"texels") };
    laws_at(&wide, &BulkData::default(), &versions);
    let narrow = BulkData { element_count: 1 << 40, ..inline(b"") };
    let error = saved(&mut narrow.clone(), &versions, 0).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { .. }), "{error}");
}

#[test]
fn bulk_data_may_be_a_row_of_a_table() {
    let versions = EngineRelease::new(5, 4).versions();
    let row = |flags, serial_size| DataResource {
        legacy_bulk_data_flags: flags,
        serial_size,
        ..DataResource::default()
    };
    let bytes = [&1_i32.to_le_bytes()[..], b"abc", &0_i32.to_le_bytes()].concat();
    let context = Arc::new(
        Context::new(bytes.clone().into(), Vec::new())
            .with_data_resources(vec![row(0x1_0501, 900), row(0x48, 3)]),
    );
    let mut loader = Loader::new(&bytes, versions.clone()).with_context(context.clone());
    let mut both = [BulkData::default(), BulkData::default()];
    both.serialize(&mut loader).unwrap();
    assert_eq!((loader.remaining(), loader.payload()), (0, 3));
    assert_eq!((both[0].resource, both[0].payload.len()), (Some(1), 3));
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    both.serialize(&mut saver).unwrap();
    assert_eq!(saver.bytes(), bytes);
    both[0].payload = span(b"longer");
    let error = both.serialize(&mut Saver::new(versions.clone()).with_context(context.clone()));
    assert!(matches!(error.unwrap_err().kind(), ErrorKind::Invalid { .. }));
    let mut missing = Loader::new(&[9, 0, 0, 0], versions).with_context(context);
    let error = BulkData::default().serialize(&mut missing).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }), "{error}");
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
        let shape = farchive::object::modern::bulk::OpaqueBulk(inline(b"shape"));
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
        if versions.custom(&custom::BLUEPRINTS) < 4 {
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

fn texture(skip: platform_data::SkipOffset, size_z: i32) -> texture::ImageTexture {
    let mip = platform_data::Mip {
        bulk: inline(b"texel"),
        size_x: 4,
        size_y: 4,
        size_z,
        ..Default::default()
    };
    let data = platform_data::PlatformData {
        size_x: 4,
        size_y: 4,
        format: FString::from("PF_DXT1"),
        mips: vec![mip],
        ..Default::default()
    };
    let platform = platform_data::CookedPlatform { format: Name::new(3), skip, data };
    texture::ImageTexture {
        base: texture::Texture {
            strip: farchive::object::modern::strip::StripFlags { global: 1, class: 0 },
            ..Default::default()
        },
        cooked: true,
        platforms: platform_data::CookedPlatforms {
            platforms: vec![platform],
            terminator: Name::new(0),
        },
        ..Default::default()
    }
}

#[test]
fn skip_offsets_of_textures_follow_them() {
    use platform_data::SkipOffset;
    let long = LongPosition::Here;
    for (minor, skip, size_z) in [
        ((4, 14), SkipOffset::Short(Position::Here), 0),
        ((4, 19), SkipOffset::Short(Position::Here), 0),
        ((4, 25), SkipOffset::Long(long), 1),
        ((5, 1), SkipOffset::Relative(long), 1),
    ] {
        let mut versions = EngineRelease::new(minor.0, minor.1).versions();
        (versions.filter_editor_only, versions.cooked) = (true, true);
        let value = texture(skip, size_z);
        laws_at(&value, &texture::ImageTexture::default(), &versions);
        // Behind two strip flags twice, a bool and a name.
        let at = 1000;
        let bytes = saved(&mut value.clone(), &versions, at).unwrap();
        let stored = match skip {
            SkipOffset::Short(_) => {
                u64::from(u32::from_le_bytes(bytes[16..20].try_into().unwrap()))
            }
            SkipOffset::Long(_) => u64::from_le_bytes(bytes[16..24].try_into().unwrap()),
            SkipOffset::Relative(_) => {
                at + 16 + u64::from_le_bytes(bytes[16..24].try_into().unwrap())
            }
        };
        assert_eq!(stored, at + bytes.len() as u64 - 8, "the name that ends the list, {versions}");
    }
}

/// A function that jumps, switches, and calls another with a text.
fn script(versions: &Versions) -> Kismet {
    let token = Item::Token;
    let path = || Item::Property(Box::default());
    let mut items = vec![token(0x06), Item::Label(9)];
    items.extend([token(0x1c), Item::Object(PackageIndex::NULL), token(0x16)]);
    items.extend([token(0x2f), Item::Object(PackageIndex::NULL), Item::Int(8), token(0x17)]);
    items.extend([token(0x30), token(0x1b), Item::Name(Name::new(3)), token(0x16)]);
    items.extend([token(0x69), Item::Word(1), Item::Label(77), token(0x17), token(0x25)]);
    items.extend([Item::Label(5), token(0x26), token(0x0b), token(0x00), path()]);
    items.extend([token(0x1f), Item::Text(Box::new(span(b"text")))]);
    items.extend([token(0x34), Item::Wide(Box::new(span(b"t\0x\0")))]);
    items.extend([token(0x23), Item::Real(Real::new(1.0))]);
    items.extend([Item::Real(Real::new(2.0)), Item::Real(Real::new(0.5))]);
    items.extend([
        token(0x6a),
        Item::Byte(4),
        Item::Name(Name::new(4)),
        token(0x35),
        Item::Long(7),
    ]);
    if versions.ue4 >= 504 {
        items.extend([token(0x29), Item::Byte(2), token(0x2a), token(0x29), Item::Byte(0)]);
    }
    items.push(token(0x53));
    Kismet { items }
}

#[test]
fn kismet_holds_the_laws_and_is_listed() {
    for versions in releases() {
        let script = script(&versions);
        laws_at(&script, &Kismet::default(), &versions);
        let bytes = saved(&mut script.clone(), &versions, 0).unwrap();
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(u64::from(number(0)), script.memory_size(&versions), "size in memory");
        assert_eq!(number(4) as usize, bytes.len() - 8, "size on disk");
        let lines = kismet::disassemble(&script, &versions).unwrap();
        let tokens = script.items.iter().filter(|item| matches!(item, Item::Token(_)));
        assert_eq!(lines.len(), tokens.count());
        assert_eq!((lines[0].name, lines[0].depth, lines[0].offset), ("Jump", 0, 0));
        assert_eq!((lines[1].name, lines[1].offset), ("FinalFunction", 5));
        assert_eq!((lines[2].name, lines[2].depth), ("EndFunctionParms", 1));
        assert_eq!((lines[3].name, lines[3].offset), ("StructConst", 15));
        assert!(lines.iter().all(|line| line.name != "Token"));
    }
    let old = EngineRelease::new(4, 1).versions();
    let name = Item::Name(Name::new(3));
    assert_eq!((name.memory_size(&old), name.memory_size(&releases()[30])), (8, 12));
}

#[test]
fn hostile_scripts_end_in_errors() {
    let versions = EngineRelease::new(4, 27).versions();
    let load = |memory: u32, disk: u32, code: &[u8]| {
        let bytes = [&memory.to_le_bytes()[..], &disk.to_le_bytes(), code].concat();
        let mut loader = Loader::new(&bytes, versions.clone()).with_context(context(&bytes));
        Kismet::default().serialize(&mut loader).map_err(|error| error.to_string())
    };
    load(1, 1, &[0x53]).unwrap();
    assert!(load(1 << 20, 1 << 20, &[0x14; 1 << 20]).unwrap_err().contains("nest deeper"));
    assert!(load(1, 1, &[0xfe]).unwrap_err().contains("no variant of bytecode token"));
    assert!(load(u32::MAX, u32::MAX, &[0x0b; 64]).unwrap_err().contains("remain"));
    assert!(load(1, 2, &[0x53]).unwrap_err().contains("left over"));
    assert!(load(2, 5, &[0x06, 0, 0, 0, 0]).unwrap_err().contains("left over"));
    assert!(load(2, 2, &[0x29, 9]).unwrap_err().contains("text literal"));
    let misplaced = Kismet { items: vec![Item::Int(3)] };
    assert!(kismet::disassemble(&misplaced, &versions).is_err());
    let cut = Kismet { items: vec![Item::Token(0x06)] };
    assert!(kismet::disassemble(&cut, &versions).is_err());
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
    let error = farchive::object::modern::field::Field::default().serialize(&mut loader);
    assert!(matches!(error.unwrap_err().kind(), ErrorKind::TooDeep { .. }));
}

#[test]
fn sounds_tell_their_form_by_where_they_end() {
    let mut versions = EngineRelease::new(5, 7).versions();
    (versions.filter_editor_only, versions.cooked) = (true, true);
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
fn captures_store_where_they_end() {
    let mut versions = EngineRelease::new(4, 5).versions();
    versions.set_custom_versions(Vec::new());
    let captured = reflection_capture::Captured {
        data: Some(reflection_capture::CapturedData {
            data: Payload(span(b"cube")),
            ..Default::default()
        }),
        ..Default::default()
    };
    let mut value =
        reflection_capture::ReflectionCaptureComponent { captured, ..Default::default() };
    let bytes = saved(&mut value, &versions, 500).unwrap();
    let end = 500 + bytes.len() as u32;
    assert_eq!(bytes[20..24], end.to_le_bytes(), "the position behind the data");
    let blank = reflection_capture::ReflectionCaptureComponent::default();
    laws_at(&value, &blank, &versions);
}

#[test]
fn kinds_of_bytes_are_told_apart() {
    let versions = EngineRelease::new(4, 27).versions();
    let mut tiles = navigation::RecastNavMesh { tiles: span(b"tiles"), ..Default::default() };
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

//! Laws of the classes of UE1: saving what was loaded gives the same bytes, counting agrees, visiting
//! finds every reference and changes nothing, and cut bytes are an error.

use std::fmt::Debug;
use std::sync::Arc;

use unreal_packages::archive::{Context, Counter, References, Remap};
use unreal_packages::object::geometry::{Color, Coords, IndexPair, Primitive, Sphere, Vector};
use unreal_packages::object::ue1::*;
use unreal_packages::object::{Facts, maker_for};
use unreal_packages::primitive::{
    FString, Index, LazyPayload, Map, Name, NameReferences, NameRemap, PackageIndex, Payload,
    TransArray,
};
use unreal_packages::property::PackageContext;
use unreal_packages::version::{FILE, LICENSEE, UnrealVersions};
use unreal_packages::{Archived, Loader, Saver, Span, Versions};

fn versions(file: u32, licensee: u32) -> Versions {
    let game = unreal_packages::Game::detect(file, licensee);
    Versions::unreal().with(FILE, file).with(LICENSEE, licensee).with_game(game)
}

fn span(length: usize) -> Span {
    Span::owned((0..length).map(|byte| byte as u8).collect::<Vec<u8>>())
}

fn lazy<const N: usize>(count: usize) -> LazyPayload<N> {
    LazyPayload { data: Payload(span(count * N)), ..LazyPayload::default() }
}

fn name(index: i32) -> Name {
    Name { index: Index::new(index), ..Name::default() }
}

fn object(index: i32) -> PackageIndex {
    PackageIndex::new(index)
}

fn vector() -> Vector {
    Vector { x: 1.0, y: -2.0, z: 0.5 }
}

fn list<T>(items: Vec<T>) -> TransArray<T> {
    TransArray { maximum: items.len() as i32 + 1, items }
}

fn saved<T: Archived + Clone>(value: &T, versions: &Versions, context: &Arc<Context>) -> Vec<u8> {
    let mut saver = Saver::new(versions.clone()).with_context(context.clone());
    value.clone().serialize(&mut saver).expect("saves");
    saver.into_bytes()
}

/// Every law for one value; `blank` is what a maker would give for it.
fn law<T: Archived + Clone + Debug + PartialEq>(
    value: &T,
    blank: &T,
    versions: &Versions,
    names: &[i32],
    objects: &[i32],
) {
    let none = Arc::<Context>::default();
    let bytes = saved(value, versions, &none);
    let mut counter = Counter::new(versions.clone());
    value.clone().serialize(&mut counter).expect("counts");
    assert_eq!(counter.length(), bytes.len() as u64, "{value:?}");

    let mut loaded = blank.clone();
    let mut loader = Loader::new(&bytes, versions.clone());
    loaded.serialize(&mut loader).expect("loads");
    let context = Arc::new(Context::new(bytes.clone().into(), Vec::new()));
    assert_eq!(saved(&loaded, versions, &context), bytes, "{loaded:?}");

    let mut again = loaded.clone();
    again
        .serialize(&mut Remap::names_and_objects(
            versions.clone(),
            &|index| Some(index),
            &|index| Some(index),
        ))
        .expect("visits");
    assert_eq!(again, loaded);
    again
        .serialize(&mut Remap::names_and_objects(
            versions.clone(),
            &|index| Some(index + 1000),
            &|index| Some(if index == 0 { 0 } else { index + 1000 }),
        ))
        .expect("visits");
    let mut references = References::new(versions.clone());
    again.serialize(&mut references).expect("visits");
    for name in names {
        assert!(references.names().contains_key(&(name + 1000)), "name {name} in {value:?}");
    }
    for object in objects {
        assert!(references.objects().contains_key(&(object + 1000)), "object {object}");
    }

    for length in 0..bytes.len() {
        let mut loader = Loader::new(&bytes[..length], versions.clone());
        assert!(blank.clone().serialize(&mut loader).is_err(), "{length} of {}", bytes.len());
    }
}

fn laws<T: Archived + Clone + Debug + PartialEq + Default>(
    file: u32,
    value: T,
    names: &[i32],
    objects: &[i32],
) {
    let versions = versions(file, 0);
    law(&T::default(), &T::default(), &versions, &[], &[]);
    law(&value, &T::default(), &versions, names, objects);
}

fn mip(count: usize) -> Mip {
    Mip { data: lazy(count), width: 4, height: 2, width_bits: 2, height_bits: 1 }
}

#[test]
fn textures() {
    for file in [54, 60, 61, 62, 63, 69, 99, 128] {
        laws(file, Palette { colors: vec![Color { bytes: [1, 2, 3, 4] }; 70] }, &[], &[]);
        let texture = Texture { mips: vec![mip(8), mip(0), mip(100)], compressed: None };
        laws(file, texture.clone(), &[], &[]);
        let both = Texture { compressed: Some(vec![mip(4)]), ..texture.clone() };
        law(&both, &Texture::blank(true), &versions(file, 0), &[], &[]);
        laws(file, FireTexture { texture, sparks: vec![Spark::default(); 3] }, &[], &[]);
    }
}

#[test]
fn fonts() {
    let glyph = FontGlyph { start_u: 1, start_v: 2, width: 3, height: 4 };
    let old = Font {
        texture: Texture { mips: vec![mip(8)], compressed: None },
        glyphs: vec![glyph; 3],
        ..Font::default()
    };
    laws(63, old, &[], &[]);
    let pages = vec![FontPage { texture: object(7), glyphs: vec![glyph; 2] }];
    let paged = Font { pages, characters_per_page: 64, ..Font::default() };
    laws(64, paged.clone(), &[], &[7]);
    laws(68, paged.clone(), &[], &[7]);
    let remapped = Font { remap: Map(vec![(1, 2), (3, 4)]), is_remapped: 1, ..paged };
    laws(69, remapped.clone(), &[], &[7]);
    laws(119, Font { kerning: 1, ..remapped.clone() }, &[], &[7]);
    let system_font = FString::new("Tahoma");
    laws(99, Font { system_font, system_height: 12, ..Font::default() }, &[], &[]);
    let characters = vec![FontCharacter { glyph, texture_index: 1 }; 2];
    let new = Font {
        characters,
        textures: vec![object(-9)],
        pages: Vec::new(),
        characters_per_page: 0,
        ..remapped
    };
    laws(122, new.clone(), &[], &[-9]);
    laws(129, new, &[], &[-9]);
}

#[test]
fn sounds() {
    for file in [60, 61, 62, 69, 126, 127] {
        laws(file, Sound { format: name(3), data: lazy(300), ..Sound::default() }, &[3], &[]);
        laws(file, Music { format: name(4), data: lazy(30) }, &[4], &[]);
    }
    let envelopes = vec![SoundEnvelope { volume: vec![1, 2, 3], unknown: -1 }];
    laws(128, Sound { format: name(3), envelopes, ..Sound::default() }, &[3], &[]);
    for file in [121, 128] {
        let sound = Sound { format: name(3), likelihood: 0.5, data: lazy(9), envelopes: vec![] };
        law(&sound, &Sound::default(), &versions(file, 29), &[3], &[]);
    }
    let swat = Sound { format: name(3), data: lazy(9), ..Sound::default() };
    law(&swat, &Sound::default(), &versions(129, 27), &[3], &[]);
}

#[test]
fn polygons() {
    for file in [60, 69, 77, 78, 105, 106, 129] {
        let shape = PolyShape { base: vector(), vertices: vec![vector(); 5], ..Default::default() };
        let poly = Poly {
            shape,
            poly_flags: 9,
            actor: object(5),
            texture: object(-6),
            item_name: name(70),
            link: Index::new(100),
            brush_poly: Index::new(-1),
            pan_u: if file < 78 { -3 } else { 0 },
            pan_v: 0,
            light_map_scale: if file < 106 { 0.0 } else { 32.0 },
        };
        laws(file, Polys { polys: list(vec![poly, Poly::default()]) }, &[70], &[5, -6]);
    }
}

#[test]
fn models() {
    let node = BspNode { surface: Index::new(-1), vertex_count: 4, ..BspNode::default() };
    let surf = BspSurf { texture: object(-8), actor: object(9), ..BspSurf::default() };
    let zone = Zone { actor: object(10), connectivity: 1, visibility: u64::MAX, ..Zone::default() };
    let pair = IndexPair { first: Index::new(64), second: Index::new(-1) };
    for file in [60, 61] {
        laws(file, Vectors { vectors: list(vec![vector(); 2]) }, &[], &[]);
        laws(file, Points { points: list(vec![vector(); 2]) }, &[], &[]);
        laws(file, Verts { verts: list(vec![pair; 3]), shared_sides: Index::new(4) }, &[], &[]);
        laws(file, BspNodes { nodes: list(vec![node; 2]), zones: vec![zone] }, &[], &[10]);
        laws(file, BspSurfs { surfs: list(vec![surf]) }, &[], &[-8, 9]);
    }
    let common = Model {
        primitive: Primitive {
            bounding_sphere: Sphere { centre: vector(), radius: 0.0 },
            ..Default::default()
        },
        polys: object(11),
        light_maps: vec![LightMap { u_clamp: Index::new(64), ..LightMap::default() }],
        light_bits: Payload(span(33)),
        bounds: vec![Default::default(); 2],
        leaf_hulls: vec![1, -1],
        leaves: vec![Leaf { zone: Index::new(1), ..Leaf::default() }],
        lights: vec![object(12), object(0)],
        root_outside: 1,
        ..Model::default()
    };
    let old = Model {
        vectors_object: object(20),
        nodes_object: object(21),
        unknown: [object(22), object(23)],
        ..common.clone()
    };
    laws(61, old, &[], &[11, 12, 20, 21, 22, 23]);
    let new = Model {
        vectors: vec![vector()],
        points: vec![vector(); 3],
        nodes: vec![node; 2],
        surfs: vec![surf],
        verts: vec![pair; 70],
        shared_sides: 3,
        zones: vec![zone],
        ..common
    };
    for file in [62, 63, 69] {
        laws(file, new.clone(), &[], &[-8, 9, 10, 11, 12]);
    }
}

#[test]
fn levels() {
    for file in [60, 61, 62, 69] {
        let url = Url { map: FString::new("Entry"), options: vec!["a".into()], ..Url::default() };
        let mut text_blocks = [PackageIndex::NULL; 16];
        text_blocks[15] = object(6);
        let reach = ReachSpec { start: object(3), end: object(4), pruned: 1, ..Default::default() };
        let travel = vec![("a".into(), "b".into())];
        let level = Level {
            actors: list(vec![object(1), object(0), object(200)]),
            url,
            model: object(2),
            reach_specs: vec![reach],
            approx_time: 0.25,
            first_deleted: object(5),
            text_blocks,
            travel_info: Map(if file < 61 { Vec::new() } else { travel }),
            unknown: 0,
        };
        laws(file, level, &[], &[1, 2, 3, 4, 5, 6, 200]);
    }
}

fn mesh(file: u32, is_wide: bool) -> Mesh {
    let notify = Notify { time: 0.5, function: name(3), ..Notify::default() };
    Mesh {
        vertices: MeshVertices { is_wide, data: span(80), ..MeshVertices::default() },
        triangles: lazy(3),
        sequences: vec![AnimSequence {
            name: name(1),
            group: name(2).into(),
            notifies: vec![notify],
            ..AnimSequence::default()
        }],
        connects: lazy(1),
        vertex_links: lazy(2),
        textures: vec![object(-4), object(5)],
        bounding_boxes: vec![Default::default()],
        bounding_spheres: vec![Default::default(); 2],
        texture_lods: if file >= 66 { vec![1.0] } else { Vec::new() },
        ..Mesh::default()
    }
}

#[test]
fn meshes() {
    for file in [60, 61, 62, 65, 66, 69] {
        laws(file, mesh(file, false), &[1, 2, 3], &[-4, 5]);
        let lod = LodMesh {
            mesh: mesh(file, file >= 62),
            collapse_points: Payload(span(4)),
            faces: Payload(span(16)),
            materials: vec![MeshMaterial { poly_flags: 1, texture_index: 2 }],
            ..LodMesh::default()
        };
        laws(file, lod.clone(), &[1, 2, 3], &[-4, 5]);
        let skeletal = SkeletalMesh {
            lod_mesh: lod,
            bones: vec![Bone { name: name(60), ..Bone::default() }],
            default_animation: object(9),
            weapon_adjust: Coords { origin: vector(), ..Coords::default() },
            ..SkeletalMesh::default()
        };
        laws(file, skeletal, &[1, 2, 3, 60], &[-4, 5, 9]);
    }
}

#[test]
fn wide_vertices_are_told_by_their_end() {
    let old = versions(60, 0);
    let wide = MeshVertices { is_wide: true, data: span(16), ..MeshVertices::default() };
    assert!(wide.clone().serialize(&mut Saver::new(old)).is_err());
    let context = Arc::<Context>::default();
    for is_wide in [false, true] {
        let bytes = saved(&MeshVertices { is_wide, ..wide.clone() }, &versions(68, 0), &context);
        let mut loaded = MeshVertices::default();
        loaded.serialize(&mut Loader::new(&bytes, versions(68, 0))).expect("loads");
        assert_eq!(loaded.is_wide, is_wide);
        assert_eq!(loaded.data.len(), 16);
    }
}

#[test]
fn animations() {
    let track = AnalogTrack {
        flags: 1,
        rotations: Payload(span(32)),
        positions: Payload(span(12)),
        times: Payload(span(4)),
    };
    let movement = Motion { bone_indices: vec![1, 2], tracks: vec![track], ..Motion::default() };
    let animation = Animation {
        bones: vec![NamedBone { name: name(5), ..NamedBone::default() }],
        moves: vec![movement],
        sequences: vec![AnimSequence {
            name: name(6),
            group: name(7).into(),
            ..Default::default()
        }],
    };
    laws(69, animation, &[5, 6, 7], &[]);
    laws(68, ExtString { text: "A".into() }, &[], &[]);
}

#[test]
fn classes_have_makers() {
    let context = Context::default();
    let made = |class: &str, file, licensee| {
        let versions = versions(file, licensee);
        maker_for(class, &versions).map(|make| {
            let facts = Facts {
                class,
                name: Name::default(),
                versions: &versions,
                properties: None,
                prologue: None,
                context: &context,
            };
            make(&facts)
        })
    };
    for class in ["texture", "FireTexture", "Font", "Polys", "SOUND", "Palette"] {
        assert!(made(class, 69, 0).is_some(), "{class}");
        assert!(made(class, 127, 0).is_some(), "{class}");
    }
    assert!(made("BspNodes", 61, 0).is_some());
    assert!(made("BspNodes", 62, 0).is_none());
    assert!(made("LevelSummary", 69, 0).is_none());
}

#[test]
fn false_counts_are_errors() {
    // A count of 2^27 elements, then nothing.
    let bytes = [0x40, 0x80, 0x80, 0x80, 0x01, 0, 0, 0];
    let versions = versions(69, 0);
    assert!(Palette::default().serialize(&mut Loader::new(&bytes, versions.clone())).is_err());
    assert!(Texture::default().serialize(&mut Loader::new(&bytes, versions.clone())).is_err());
    assert!(PolyShape::default().serialize(&mut Loader::new(&bytes, versions.clone())).is_err());
    assert!(Polys::default().serialize(&mut Loader::new(&[0xff; 8], versions)).is_err());
}

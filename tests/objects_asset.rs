//! Laws of the assets of UE3: one function in all directions, at every version.

use std::fmt::Debug;
use std::sync::Arc;

use farchive::archive::{Archived, Context, Counter, Loader, References, Remap, Saver, Span};
use farchive::object::ue3::asset::animation::{AnimSequence, RawTrack};
use farchive::object::ue3::asset::expression::{Expression, Operands, TextureOperand};
use farchive::object::ue3::asset::face_fx::FaceFx;
use farchive::object::ue3::asset::font::Font;
use farchive::object::ue3::asset::fractured_mesh::{FracturedStaticMesh, Fragment};
use farchive::object::ue3::asset::kdop::KdopTree;
use farchive::object::ue3::asset::material::{
    InstanceResource, Material, MaterialInstance, MaterialResource, OwnResource, Resources,
};
use farchive::object::ue3::asset::morph::{MorphTarget, MorphTargetSet};
use farchive::object::ue3::asset::shader::{Shader, ShaderMap};
use farchive::object::ue3::asset::shader_cache::{ShaderCache, ShaderCachePayload};
use farchive::object::ue3::asset::skeletal_lod::{Chunk, SkeletalLod};
use farchive::object::ue3::asset::skeletal_mesh::{Bone, SkeletalMesh};
use farchive::object::ue3::asset::small::{
    ApexAsset, DynamicFields, GuidCache, PrefabInstance, SavedTransforms,
};
use farchive::object::ue3::asset::sound::{EditorPositions, SoundNodeWave};
use farchive::object::ue3::asset::static_lod::{Element, StaticLod};
use farchive::object::ue3::asset::static_mesh::StaticMesh;
use farchive::object::ue3::asset::static_parameters::{StaticParameter, StaticParameterSet};
use farchive::object::ue3::asset::texture::{LightMapTexture2D, Mip, Texture2D, TextureMovie};
use farchive::primitive::{BulkArray, BulkData, Payload};
use farchive::table::NameEntry;
use farchive::{ByteOrder, ErrorKind, FString, Guid, Map, Name, PackageIndex, Result, Versions};

const NAMES: [&str; 8] = [
    "FMaterialUniformExpressionTime",
    "FMaterialUniformExpressionScalarParameter",
    "FMaterialUniformExpressionAbs",
    "FMaterialUniformExpressionTextureParameter",
    "FMaterialUniformExpressionFoldedMath",
    "Bone",
    "None",
    "FMaterialUniformExpressionClamp",
];

/// Around every version at which something changes, and the games that differ.
fn all_versions() -> Vec<Versions> {
    let changes = [
        491, 493, 503, 511, 514, 515, 517, 518, 519, 520, 521, 526, 532, 534, 549, 557, 558, 567,
        577, 592, 593, 599, 600, 609, 615, 616, 618, 631, 645, 647, 656, 660, 674, 680, 686, 694,
        709, 710, 711, 714, 770, 796, 797, 801, 804, 805, 806, 814, 823, 829, 834, 841, 845, 848,
        851, 853, 854, 857, 858, 859, 864, 868,
    ];
    let mut all: Vec<_> = changes
        .into_iter()
        .flat_map(|at| [at - 1, at, at + 1])
        .map(|file| Versions::classic(file, 0))
        .collect();
    let games = [(491, 1008), (512, 130), (513, 130), (684, 194), (845, 107), (845, 120)];
    all.extend(games.map(|(file, licensee)| Versions::classic(file, licensee)));
    all.push(Versions::classic(684, 194).with_byte_order(ByteOrder::Big));
    all
}

fn context(source: &[u8]) -> Arc<Context> {
    let names = NAMES.map(|text| NameEntry { text: FString::new(text), ..NameEntry::default() });
    Arc::new(Context::new(source.to_vec().into(), names.to_vec()))
}

fn save<T: Archived>(value: &mut T, v: &Versions, source: &[u8]) -> Result<Vec<u8>> {
    let mut saver = Saver::new(v.clone()).with_context(context(source));
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

fn load<T: Archived>(mut blank: T, v: &Versions, bytes: &[u8], known: &Arc<Context>) -> Result<T> {
    let mut loader = Loader::new(bytes, v.clone()).with_context(known.clone());
    blank.serialize(&mut loader)?;
    assert_eq!(loader.remaining(), 0);
    Ok(blank)
}

fn collect<T: Archived>(value: &mut T, v: &Versions) -> (Vec<i32>, Vec<i32>) {
    let mut references = References::new(v.clone());
    value.serialize(&mut references).unwrap();
    let keys = |map: &std::collections::BTreeMap<i32, u64>| map.keys().copied().collect();
    (keys(references.names()), keys(references.objects()))
}

/// Every law at this value and version; returns the bytes.
fn laws<T>(value: &T, v: &Versions, blank: &dyn Fn() -> T) -> Vec<u8>
where
    T: Archived + Clone + PartialEq + Debug,
{
    let mut own = value.clone();
    let bytes = save(&mut own, v, &[]).unwrap_or_else(|error| panic!("{error}: {value:?}"));
    assert_eq!(own, *value, "saving changes the value ({v})");
    laws_of_bytes(&bytes, v, blank);
    let mut loaded = load(blank(), v, &bytes, &context(&bytes)).unwrap();
    assert_eq!(collect(&mut own, v), collect(&mut loaded, v));
    bytes
}

fn laws_of_bytes<T>(bytes: &[u8], v: &Versions, blank: &dyn Fn() -> T)
where
    T: Archived + Clone + PartialEq + Debug,
{
    let known = context(bytes);
    let mut loaded = load(blank(), v, bytes, &known).unwrap_or_else(|error| panic!("{error}"));
    let before = loaded.clone();
    assert_eq!(save(&mut loaded, v, bytes).unwrap(), bytes, "{v}: {before:?}");
    let mut counter = Counter::new(v.clone()).with_context(known.clone());
    loaded.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64, "counted length ({v})");

    let mut same = Remap::new(v.clone(), &Some, &Some);
    loaded.serialize(&mut same).unwrap();
    assert_eq!(save(&mut loaded, v, bytes).unwrap(), bytes, "identity ({v})");

    let (names, objects) = collect(&mut loaded, v);
    let shift = |index: i32| index.checked_add(1000);
    let mut shifted = Remap::new(v.clone(), &shift, &shift);
    if loaded.clone().serialize(&mut shifted).is_ok() {
        let mut shifted = Remap::new(v.clone(), &shift, &shift);
        loaded.serialize(&mut shifted).unwrap();
        let moved = |old: Vec<i32>| old.into_iter().map(|i| i + 1000).collect::<Vec<_>>();
        assert_eq!(collect(&mut loaded, v), (moved(names), moved(objects)));
        assert_eq!(save(&mut loaded, v, bytes).unwrap().len(), bytes.len());
    }
}

/// No prefix loads, and no damage panics.
fn hostile<T: Archived>(bytes: &[u8], v: &Versions, blank: &dyn Fn() -> T) {
    let known = context(bytes);
    for length in 0..bytes.len() {
        assert!(load(blank(), v, &bytes[..length], &known).is_err(), "{length} of {}", bytes.len());
    }
    for at in 0..bytes.len() {
        for damage in [0x01, 0x7f, 0x80, 0xff] {
            let mut bad = bytes.to_vec();
            bad[at] ^= damage;
            let mut loader = Loader::new(&bad, v.clone()).with_context(known.clone());
            let _ = blank().serialize(&mut loader);
        }
    }
}

/// Values made from streams of mostly zeros.
fn grown<T>(blank: &dyn Fn() -> T)
where
    T: Archived + Clone + PartialEq + Debug,
{
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for v in all_versions() {
        for sparse in [1_000_000, 60, 20, 8, 3] {
            for _ in 0..4 {
                let stream: Vec<u8> = (0..2000)
                    .flat_map(|_| {
                        [u8::from(next() % sparse == 0) * (1 + next() % 2) as u8, 0, 0, 0]
                    })
                    .collect();
                let mut loader = Loader::new(&stream, v.clone()).with_context(context(&stream));
                if blank().serialize(&mut loader).is_err() {
                    continue;
                }
                let used = stream.len() - loader.remaining() as usize;
                laws_of_bytes(&stream[..used], &v, blank);
            }
        }
    }
}

fn bulk(bytes: &[u8]) -> BulkData {
    BulkData {
        element_count: bytes.len() as i32,
        size_on_disk: bytes.len() as i32,
        payload: Span::owned(bytes),
        ..BulkData::default()
    }
}

fn array<const N: usize>(count: i32) -> BulkArray<N> {
    let data = Span::owned(vec![7; N * count as usize]);
    BulkArray { element_size: N as i32, count, data }
}

fn payload<const N: usize>(count: usize) -> Payload<N> {
    Payload(Span::owned(vec![9; N * count]))
}

fn expression(class: i32, operands: Operands) -> Expression {
    Expression { class: Name::new(class), operands }
}

fn expressions(v: &Versions) -> Vec<Expression> {
    let texture = match v.file {
        ..660 => TextureOperand { texture: PackageIndex::new(-77), index: 0 },
        _ => TextureOperand { texture: PackageIndex::NULL, index: 3 },
    };
    let time = || expression(0, Operands::None);
    let scalar = expression(1, Operands::Scalar(Name::new(5), 0.5));
    let abs = expression(2, Operands::One(Box::new(scalar)));
    vec![
        expression(4, Operands::Folded(Box::new([abs, time()]), 2)),
        expression(3, Operands::TextureParameter(Name::new(6), texture)),
        expression(7, Operands::Three(Box::new([time(), time(), time()]))),
    ]
}

fn parameters(v: &Versions) -> StaticParameterSet {
    let name = Name::new(5);
    let guid = Guid::new(1, 2, 3, 4);
    let mut set = StaticParameterSet { base_material: guid, ..StaticParameterSet::default() };
    set.switches.push(StaticParameter { name, value: 1, overrides: 1, expression: guid });
    set.masks.push(StaticParameter { name, value: [1, 0, 1, 0], overrides: 0, expression: guid });
    if v.file >= 631 {
        set.normals.push(StaticParameter { name, value: 2, overrides: 1, expression: guid });
    }
    set
}

fn resource(v: &Versions) -> OwnResource {
    let mut resource = MaterialResource {
        compile_errors: vec![FString::new("error")],
        texture_dependency_lengths: Map(vec![(PackageIndex::new(12), 1)]),
        ..MaterialResource::default()
    };
    if v.file < 656 {
        resource.expressions[1] = expressions(v);
    } else {
        resource.textures = vec![PackageIndex::new(-3)];
    }
    OwnResource { resource, ..OwnResource::default() }
}

fn resources<T: Clone>(v: &Versions, one: T) -> Resources<T> {
    let me = matches!((v.file, v.licensee), (491, 1008) | (512..=513, 130) | (684, 194));
    match v.file {
        858.. => Resources { quality_mask: 5, items: vec![one; 2] },
        711.. if !me => Resources { quality_mask: 0, items: vec![one] },
        _ => Resources { quality_mask: 0, items: vec![one; 2] },
    }
}

#[test]
fn materials() {
    for v in all_versions() {
        let material = Material { resources: resources(&v, resource(&v)) };
        let bytes = laws(&material, &v, &Material::default);
        hostile(&bytes, &v, &Material::default);
        let (names, objects) = collect(&mut material.clone(), &v);
        assert!(objects.contains(&12), "{v}");
        assert_eq!(names.contains(&5), v.file < 656);

        let one = InstanceResource { resource: resource(&v), parameters: parameters(&v) };
        let instance = MaterialInstance { resources: Some(resources(&v, one)) };
        let bytes = laws(&instance, &v, &|| MaterialInstance::blank(true));
        assert!(collect(&mut instance.clone(), &v).0.contains(&5));
        assert!(!bytes.is_empty());
        assert!(laws(&MaterialInstance::default(), &v, &MaterialInstance::default).is_empty());
    }
}

#[test]
fn the_number_of_resources_is_the_versions() {
    let v = Versions::classic(868, 0);
    let mut material = Material { resources: resources(&v, resource(&v)) };
    material.resources.items.pop();
    assert!(save(&mut material, &v, &[]).is_err());
}

#[test]
fn expressions_nest_to_a_depth_only() {
    let v = Versions::classic(868, 0);
    let mut deep = expression(0, Operands::None);
    for _ in 0..63 {
        deep = expression(2, Operands::One(Box::new(deep)));
    }
    let bytes = laws(&deep, &v, &Expression::default);
    let mut deeper = expression(2, Operands::One(Box::new(deep)));
    let error = save(&mut deeper, &v, &[]).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }));
    let mut endless = [2, 0, 0, 0, 0, 0, 0, 0].repeat(100_000);
    endless.extend(&bytes);
    let error = load(Expression::default(), &v, &endless, &context(&endless)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }));
    // Names that are no class of expressions.
    let unknown = [5, 0, 0, 0, 0, 0, 0, 0];
    assert!(load(Expression::default(), &v, &unknown, &context(&unknown)).is_err());
}

/// Renumbering the name of a class must not change what its operands are taken for.
#[test]
fn only_the_loader_decides_from_names() {
    let v = Versions::classic(868, 0);
    let mut list = expressions(&v);
    let bytes = save(&mut list, &v, &[]).unwrap();
    let swap = |index: i32| Some(7 - index);
    list.serialize(&mut Remap::new(v.clone(), &swap, &Some).with_context(context(&[]))).unwrap();
    assert_eq!(save(&mut list, &v, &[]).unwrap().len(), bytes.len());
    list.serialize(&mut Remap::new(v.clone(), &swap, &Some).with_context(context(&[]))).unwrap();
    assert_eq!(save(&mut list, &v, &[]).unwrap(), bytes);
}

fn shader(v: &Versions) -> Shader {
    let mut shader = Shader::default();
    shader.head.shader_type = Name::new(5);
    shader.code.shader_type = Name::new(6);
    shader.code.code = payload(11);
    shader.parameters = Span::owned(vec![1, 2, 3]);
    if v.file >= 796 {
        shader.code.serializations = vec![1, 2];
        shader.head.hash = [8; 20];
    }
    shader
}

fn shader_map(v: &Versions) -> ShaderMap {
    let mut map = ShaderMap::default();
    map.body.shaders = Map(vec![(Name::new(5), (Guid::new(1, 2, 3, 4), Name::new(6)))]);
    map.body.parameters = parameters(v);
    map.body.friendly_name = FString::new("M_Rock");
    if v.file >= 656 {
        map.expressions[0] = expressions(v);
    }
    map
}

#[test]
fn shader_caches() {
    for v in all_versions() {
        let maps = Map(vec![(parameters(&v), shader_map(&v))]);
        let cache = ShaderCache {
            shader_type_crcs: Map(vec![(Name::new(4), 99)]),
            shaders: vec![shader(&v), shader(&v)],
            material_shader_maps: maps.clone(),
            ..ShaderCache::default()
        };
        let bytes = laws(&cache, &v, &ShaderCache::default);
        hostile(&bytes, &v, &ShaderCache::default);
        let (names, _) = collect(&mut cache.clone(), &v);
        assert!([4, 5, 6].iter().all(|name| names.contains(name)));
        // Somewhere else the positions are others, and as true.
        let mut elsewhere = vec![0; 100];
        let mut saver = Saver::new(v.clone()).at(100).with_context(context(&[]));
        cache.clone().serialize(&mut saver).unwrap();
        elsewhere.extend(saver.bytes());
        let known = context(&elsewhere);
        let mut loader = Loader::new(&elsewhere, v.clone()).with_context(known.clone());
        loader.seek(&elsewhere, 100, elsewhere.len() as u64).unwrap();
        let mut loaded = ShaderCache::default();
        loaded.serialize(&mut loader).unwrap();
        assert_eq!(loader.opaque(), 6);
        assert_eq!(save(&mut loaded, &v, &elsewhere).unwrap(), bytes);

        let payload = ShaderCachePayload {
            shaders: vec![shader(&v)],
            material_shader_maps: maps,
            ..ShaderCachePayload::default()
        };
        laws(&payload, &v, &ShaderCachePayload::default);
    }
}

fn static_mesh(v: &Versions) -> StaticMesh {
    let element = Element { material: PackageIndex::new(-8), ..Element::default() };
    let mut lod = StaticLod {
        raw_triangles: bulk(&[1, 2, 3]),
        elements: vec![element],
        indices: array(3),
        ..StaticLod::default()
    };
    if v.file >= 615 {
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
        if v.file % 5 == 0 {
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
            let stride = match v.file {
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
            lod.colors = (colored && v.file >= 710).then(|| array(2));
            mesh.lods = vec![lod];
            let bytes = laws(&mesh, &v, &blank);
            if v.file % 5 == 0 {
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
    assert_eq!(save(&mut mesh, v, &[]).is_ok(), v.file >= 710);
}

#[test]
fn textures_and_sounds() {
    for v in all_versions() {
        let mip = Mip { data: bulk(&[1, 2, 3, 4]), size_x: 2, size_y: 2 };
        let texture = Texture2D { mips: vec![mip.clone(), mip], ..Texture2D::default() };
        let bytes = laws(&texture, &v, &Texture2D::default);
        hostile(&bytes, &v, &Texture2D::default);
        let light_map = LightMapTexture2D { base: texture, flags: u32::from(v.file >= 616) };
        laws(&light_map, &v, &LightMapTexture2D::default);
        let movie = TextureMovie { data: bulk(&[1]), ..TextureMovie::default() };
        laws(&movie, &v, &TextureMovie::default);
        let sound = SoundNodeWave { raw_data: bulk(b"OggS"), ..SoundNodeWave::default() };
        laws(&sound, &v, &SoundNodeWave::default);
        let positions = Map(vec![(PackageIndex::new(3), (1, 2))]);
        let cue = EditorPositions { positions };
        hostile(&laws(&cue, &v, &EditorPositions::default), &v, &EditorPositions::default);
        assert_eq!(collect(&mut cue.clone(), &v).1, [3]);
        let face = FaceFx { archive: payload(5), ..FaceFx::default() };
        laws(&face, &v, &FaceFx::default);
    }
}

#[test]
fn small_ones() {
    for v in all_versions() {
        let guids = Map(vec![(Name::new(5), Guid::new(1, 2, 3, 4))]);
        let cache = GuidCache { guids };
        laws(&cache, &v, &GuidCache::default);
        assert_eq!(collect(&mut cache.clone(), &v).0, [5]);
        let prefab = PrefabInstance {
            archetype_to_instance: Map(vec![(PackageIndex::new(-2), PackageIndex::new(7))]),
            object_map: Map(vec![(PackageIndex::new(9), 1)]),
        };
        laws(&prefab, &v, &PrefabInstance::default);
        assert_eq!(collect(&mut prefab.clone(), &v).1, [-2, 7, 9]);
        let saved = Map(vec![(PackageIndex::new(6), Default::default())]);
        let transforms = SavedTransforms { transforms: Some(saved) };
        laws(&transforms, &v, &SavedTransforms::default);
        laws(&SavedTransforms::default(), &v, &SavedTransforms::default);
        let mut sequence = AnimSequence { compressed: payload(3), ..AnimSequence::default() };
        if v.file >= 577 && v.licensee != 194 {
            sequence.raw_tracks = vec![RawTrack { positions: array(2), rotations: array(1) }];
        }
        hostile(&laws(&sequence, &v, &AnimSequence::default), &v, &AnimSequence::default);
    }
}

#[test]
fn values_from_streams() {
    grown(&Texture2D::default);
    grown(&LightMapTexture2D::default);
    grown(&SoundNodeWave::default);
    grown(&Font::default);
    grown(&MorphTarget::default);
    grown(&MorphTargetSet::default);
    grown(&DynamicFields::default);
    grown(&ApexAsset::default);
    grown(&StaticMesh::default);
    grown(&FracturedStaticMesh::default);
    grown(&|| SkeletalMesh::blank(true));
    grown(&AnimSequence::default);
    grown(&Material::default);
    grown(&|| MaterialInstance::blank(true));
    grown(&ShaderCache::default);
    grown(&ShaderMap::default);
    grown(&Expression::default);
}

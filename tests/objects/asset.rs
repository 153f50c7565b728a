//! Laws of the assets of UE3: one function in all directions, at every version.

mod material;
mod mesh;

use std::fmt::Debug;
use std::sync::Arc;

use unreal_packages::archive::{
    Annotate, Archived, Context, Counter, Loader, References, Remap, Saver, Span,
};
use unreal_packages::object::ue3::asset::animation::{AnimSequence, RawTrack};
use unreal_packages::object::ue3::asset::expression::Expression;
use unreal_packages::object::ue3::asset::face_fx::FaceFx;
use unreal_packages::object::ue3::asset::font::Font;
use unreal_packages::object::ue3::asset::fractured_mesh::FracturedStaticMesh;
use unreal_packages::object::ue3::asset::material::{Material, MaterialInstance};
use unreal_packages::object::ue3::asset::morph::{MorphTarget, MorphTargetSet};
use unreal_packages::object::ue3::asset::shader::ShaderMap;
use unreal_packages::object::ue3::asset::shader_cache::ShaderCache;
use unreal_packages::object::ue3::asset::skeletal_mesh::SkeletalMesh;
use unreal_packages::object::ue3::asset::small::{
    ApexAsset, DynamicFields, GuidCache, PrefabInstance, SavedTransforms,
};
use unreal_packages::object::ue3::asset::sound::{EditorPositions, SoundNodeWave};
use unreal_packages::object::ue3::asset::static_mesh::StaticMesh;
use unreal_packages::object::ue3::asset::texture::{
    LightMapTexture2D, Mip, Texture2D, TextureMovie,
};
use unreal_packages::primitive::{BulkArray, BulkData, NameReferences, NameRemap, Payload};
use unreal_packages::property::PackageContext;
use unreal_packages::table::NameEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ByteOrder, FString, Guid, Map, Name, PackageIndex, Result, Versions};

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
        .map(|file| Versions::ue1_to_3(file, 0))
        .collect();
    let games = [
        (491, 1008),
        (512, 130),
        (513, 130),
        (684, 194),
        (845, 107),
        (845, 120),
        (684, 150),
        (391, 92),
    ];
    all.extend(games.map(|(file, licensee)| Versions::ue1_to_3(file, licensee)));
    all.push(Versions::ue1_to_3(684, 194).with_byte_order(ByteOrder::Big));
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

    // Every byte is explained once.
    let mut loader = Loader::new(bytes, v.clone()).with_context(known.clone());
    let mut annotate = Annotate::new(&mut loader);
    blank().serialize(&mut annotate).unwrap();
    let mut at = 0;
    for record in annotate.records() {
        assert_eq!(record.start, at, "{v}: {record:?}");
        at = record.end;
    }
    assert_eq!(at, bytes.len() as u64, "{v}");

    let mut same = Remap::names_and_objects(v.clone(), &Some, &Some);
    loaded.serialize(&mut same).unwrap();
    assert_eq!(save(&mut loaded, v, bytes).unwrap(), bytes, "identity ({v})");

    let (names, objects) = collect(&mut loaded, v);
    let shift = |index: i32| index.checked_add(1000);
    let mut shifted = Remap::names_and_objects(v.clone(), &shift, &shift);
    if loaded.clone().serialize(&mut shifted).is_ok() {
        let mut shifted = Remap::names_and_objects(v.clone(), &shift, &shift);
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
            for _ in 0..2 {
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

#[test]
fn textures_and_sounds() {
    for v in all_versions() {
        let mip = Mip { data: bulk(&[1, 2, 3, 4]), size_x: 2, size_y: 2 };
        let texture = Texture2D { mips: vec![mip.clone(), mip], ..Texture2D::default() };
        let bytes = laws(&texture, &v, &Texture2D::default);
        hostile(&bytes, &v, &Texture2D::default);
        let light_map = LightMapTexture2D { base: texture, flags: u32::from(v.file() >= 616) };
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
        if v.file() >= 577 && ![150, 194].contains(&v.licensee()) {
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

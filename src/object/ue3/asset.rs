//! Textures, sounds, meshes, animations, materials, shader caches.
//!
//! File versions at which a layout changed come from files on both sides where there are such, else
//! from the list of versions that open tools share.

pub mod animation;
pub mod expression;
pub mod face_fx;
pub mod font;
pub mod fractured_mesh;
pub mod kdop;
pub mod material;
pub mod morph;
pub mod shader;
pub mod shader_cache;
pub mod skeletal_lod;
pub mod skeletal_mesh;
pub mod small;
pub mod sound;
pub mod static_lod;
pub mod static_mesh;
pub mod static_parameters;
pub mod texture;

use crate::archive::in_part;
use crate::object::registry::{ClassEntry, classes, find};
use crate::object::{Maker, Native};
use crate::{Archive, ArchiveExt, ErrorKind, Game, Kind, Result, Span, Versions};

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    // Mass Effect 3 has no saved transforms.
    if class.eq_ignore_ascii_case("SeqAct_Interp") && is_me3_game(versions.game) {
        return None;
    }
    find(CLASSES, class)
}

pub(in crate::object) const CLASSES: &[ClassEntry] = classes! {
    "Texture" => texture::Texture;
    "Texture2D" => texture::Texture2D;
    "LightMapTexture2D" => texture::LightMapTexture2D;
    "TextureMovie" => texture::TextureMovie;
    "SoundNodeWave" => sound::SoundNodeWave;
    "SoundCue" => sound::EditorPositions;
    "SoundClass" => sound::EditorPositions;
    "Font" => font::Font;
    "FaceFXAsset" => face_fx::FaceFx;
    "FaceFXAnimSet" => face_fx::FaceFx;
    "MorphTarget" => morph::MorphTarget;
    "MorphTargetSet" => morph::MorphTargetSet;
    "GuidCache" => small::GuidCache;
    "PrefabInstance" => small::PrefabInstance;
    "SeqAct_Interp" => small::SavedTransforms;
    "UIDynamicFieldProvider" => small::DynamicFields;
    "ApexGenericAsset" => small::ApexAsset;
    "StaticMesh" => static_mesh::StaticMesh;
    "FracturedStaticMesh" => fractured_mesh::FracturedStaticMesh;
    "SkeletalMesh" => skeletal_mesh::SkeletalMesh, |facts| {
        let colored = facts.flag("bHasVertexColors");
        Native::Object(Box::new(skeletal_mesh::SkeletalMesh::blank(colored)))
    };
    "AnimSequence" => animation::AnimSequence;
    "Material" => material::Material;
    "MaterialInstance" => material::MaterialInstance, |facts| {
        let permuted = facts.flag("bHasStaticPermutationResource");
        Native::Object(Box::new(material::MaterialInstance::blank(permuted)))
    };
    "ShaderCache" => shader_cache::ShaderCache;
    "ShaderCachePayload" => shader_cache::ShaderCachePayload;
};

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[
    ("ShadowMapTexture2D", "Texture2D"),
    ("TerrainWeightMapTexture", "Texture2D"),
    ("TextureFlipBook", "Texture2D"),
    ("TextureCube", "Texture"),
    ("TextureRenderTarget", "Texture"),
    ("TextureRenderTarget2D", "TextureRenderTarget"),
    ("TextureRenderTargetCube", "TextureRenderTarget"),
    ("ScriptedTexture", "TextureRenderTarget2D"),
    ("Texture2DComposite", "Texture"),
    ("Texture2DDynamic", "Texture"),
    ("SoundNodeWaveStreaming", "SoundNodeWave"),
    ("MultiFont", "Font"),
    ("DecalMaterial", "Material"),
    ("MaterialInstanceConstant", "MaterialInstance"),
    ("MaterialInstanceTimeVarying", "MaterialInstance"),
    ("LandscapeMaterialInstanceConstant", "MaterialInstanceConstant"),
    ("BioMaterialInstanceConstant", "MaterialInstanceConstant"),
];

/// Mass Effect 1.
fn is_me1<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::MassEffect1
}

/// Mass Effect 2.
fn is_me2<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::MassEffect2
}

/// Mass Effect 3, and the first two games on PlayStation 3, which have its engine.
fn is_me3<A: Archive + ?Sized>(ar: &A) -> bool {
    is_me3_game(ar.versions().game)
}

/// Mass Effect 3 and, as far as is known, the Legendary Edition.
fn is_me3_game(game: Game) -> bool {
    matches!(game, Game::MassEffect3 | Game::MassEffectLegendary)
}

/// The first two games on PlayStation 3: textures, animations and shaders as in Mass Effect 2.
fn is_me2_on_ps3<A: Archive + ?Sized>(ar: &A) -> bool {
    is_me3(ar) && (150..=153).contains(&ar.versions().licensee)
}

/// Any Mass Effect.
fn is_me<A: Archive + ?Sized>(ar: &A) -> bool {
    is_me1(ar) || is_me2(ar) || is_me3(ar)
}

/// XCOM 2.
fn is_xcom2<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::Xcom2
}

/// A count, then elements of `stride` bytes.
fn counted_span<A: Archive + ?Sized>(
    span: &mut Span,
    stride: u64,
    kind: Kind,
    ar: &mut A,
) -> Result<()> {
    let whole = span.len();
    let fits = ar.is_loading() || whole.is_multiple_of(stride);
    let count = i32::try_from(whole / stride).ok().filter(|_| fits);
    let Some(mut count) = count.or(ar.is_loading().then_some(0)) else {
        return Err(ar.error(ErrorKind::OutOfRange { value: whole.into(), bits: 31 }));
    };
    in_part("count", ar, |ar| ar.serialize_i32(&mut count))?;
    let elements = u64::try_from(count)
        .map_err(|_| ar.error(ErrorKind::NegativeCount { count: count.into() }))?;
    in_part("data", ar, |ar| ar.serialize_span(span, elements.saturating_mul(stride), kind))
}

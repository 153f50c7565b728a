//! Classes of UE1, most of which UE2 keeps.

mod animation;
mod bsp;
mod font;
mod level;
mod lod_mesh;
mod mesh;
mod model;
mod palette;
mod polys;
mod skeletal_mesh;
mod sound;
mod text;
mod texture;

pub use super::url::Url;
pub use animation::{AnalogTrack, Animation, AnimationBone, AnimationSequence, Move};
pub use bsp::{BspNode, BspNodes, BspSurf, BspSurfs, Points, Vectors, Verts, Zone};
pub use font::{Font, FontCharacter, FontGlyph, FontPage};
pub use level::{Level, ReachSpec};
pub use lod_mesh::{LodMesh, MeshMaterial};
pub use mesh::{Mesh, MeshNotify, MeshSequence, MeshVertices};
pub use model::{Leaf, LightMap, Model};
pub use palette::Palette;
pub use polys::{Poly, PolyShape, Polys};
pub use skeletal_mesh::{Bone, SkeletalMesh};
pub use sound::{Music, Sound, SoundEnvelope};
pub use text::ExtString;
pub use texture::{FireTexture, Mip, Spark, Texture};

use super::registry::{ClassEntry, classes, find};
use super::{Facts, Maker, Native};
use crate::Versions;
use crate::version::Engine;

/// First file version whose models hold their geometry themselves (spec: ue1-3/06 §6.2).
const MODEL_MERGED: u32 = 62;

/// In UE1 and UE2.
const SHARED: &[ClassEntry] = classes! {
    "Palette" => Palette;
    "Texture" => Texture, texture;
    "WetTexture" => Texture, texture;
    "WaveTexture" => Texture, texture;
    "IceTexture" => Texture, texture;
    "WaterTexture" => Texture, texture;
    "FireTexture" => FireTexture, fire_texture;
    "Font" => Font;
    "Sound" => Sound;
    "Music" => Music;
    "Polys" => Polys;
};
const OWN: &[ClassEntry] = classes! {
    "ScriptedTexture" => Texture, texture;
    "Model" => Model;
    "Level" => Level;
    "Mesh" => Mesh;
    "LodMesh" => LodMesh;
    "SkeletalMesh" => SkeletalMesh;
    "Animation" => Animation;
    "ExtString" => ExtString;
};
/// The parts of a model.
const UNMERGED: &[ClassEntry] = classes! {
    "Vectors" => Vectors;
    "Points" => Points;
    "Verts" => Verts;
    "BspNodes" => BspNodes;
    "BspSurfs" => BspSurfs;
};
pub(super) const CLASSES: &[&[ClassEntry]] = &[SHARED, OWN, UNMERGED];

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let own = versions.engine() == Engine::Ue1;
    let parts = own && versions.file < MODEL_MERGED;
    find(SHARED, class)
        .or_else(|| find(OWN, class).filter(|_| own))
        .or_else(|| find(UNMERGED, class).filter(|_| parts))
}

/// Whether a texture has compressed mips too: a property says so, in UE1 only.
fn has_compressed(facts: &Facts<'_>) -> bool {
    facts.versions.engine() == Engine::Ue1 && facts.flag("bHasComp")
}

fn texture(facts: &Facts<'_>) -> Native {
    Native::Object(Box::new(Texture::blank(has_compressed(facts))))
}

fn fire_texture(facts: &Facts<'_>) -> Native {
    let texture = Texture::blank(has_compressed(facts));
    Native::Object(Box::new(FireTexture { texture, ..FireTexture::default() }))
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[];

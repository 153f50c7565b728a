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

use super::registry::object;
use super::{Facts, Maker, Native};
use crate::Versions;
use crate::version::Engine;

/// First file version whose models hold their geometry themselves (spec: ue1-3/06 §6.2).
const MODEL_MERGED: u32 = 62;

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let is = |name: &str| class.eq_ignore_ascii_case(name);
    let any = |names: &[&str]| names.iter().any(|name| is(name));
    let ue1 = versions.engine() == Engine::Ue1;
    let shared: Option<Maker> = match () {
        () if is("Palette") => Some(object::<Palette>),
        () if any(&["Texture", "WetTexture", "WaveTexture", "IceTexture", "WaterTexture"]) => {
            Some(texture)
        }
        () if is("FireTexture") => Some(fire_texture),
        () if is("Font") => Some(object::<Font>),
        () if is("Sound") => Some(object::<Sound>),
        () if is("Music") => Some(object::<Music>),
        () if is("Polys") => Some(object::<Polys>),
        () => None,
    };
    let merged = versions.file >= MODEL_MERGED;
    shared.or(match () {
        () if !ue1 => None,
        () if is("ScriptedTexture") => Some(texture),
        () if is("Model") => Some(object::<Model>),
        () if is("Level") => Some(object::<Level>),
        () if is("Mesh") => Some(object::<Mesh>),
        () if is("LodMesh") => Some(object::<LodMesh>),
        () if is("SkeletalMesh") => Some(object::<SkeletalMesh>),
        () if is("Animation") => Some(object::<Animation>),
        () if is("ExtString") => Some(object::<ExtString>),
        () if merged => None,
        () if is("Vectors") => Some(object::<Vectors>),
        () if is("Points") => Some(object::<Points>),
        () if is("Verts") => Some(object::<Verts>),
        () if is("BspNodes") => Some(object::<BspNodes>),
        () if is("BspSurfs") => Some(object::<BspSurfs>),
        () => None,
    })
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

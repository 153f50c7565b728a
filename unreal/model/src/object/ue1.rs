//! Classes of UE1, most of which UE2 keeps.

pub use super::url::Url;

use super::registry::classes;
use crate::Versions;
use crate::version::{Engine, UnrealVersions};

fn ue1(versions: &Versions) -> bool {
    versions.engine() == Engine::Ue1
}

/// Whether the parts of a model are objects of their own.
fn unmerged(versions: &Versions) -> bool {
    versions.file() < model::MERGED
}

classes! {
    mod animation { "Animation" if ue1 => Animation; }
    mod bsp {
        "Vectors" if unmerged => Vectors;
        "Points" if unmerged => Points;
        "Verts" if unmerged => Verts;
        "BspNodes" if unmerged => BspNodes;
        "BspSurfs" if unmerged => BspSurfs;
    }
    mod font { "Font" => Font; }
    mod level { "Level" if ue1 => Level; }
    mod lod_mesh { "LodMesh" if ue1 => LodMesh; }
    mod mesh { "Mesh" if ue1 => Mesh; }
    mod model { "Model" if ue1 => Model; }
    mod palette { "Palette" => Palette; }
    mod polys { "Polys" => Polys; }
    mod skeletal_mesh { "SkeletalMesh" if ue1 => SkeletalMesh; }
    mod sound {
        "Sound" => Sound;
        "Music" => Music;
    }
    mod text { "ExtString" if ue1 => ExtString; }
    mod texture {
        "Texture" => Texture(facts);
        "WetTexture" => Texture(facts);
        "WaveTexture" => Texture(facts);
        "IceTexture" => Texture(facts);
        "WaterTexture" => Texture(facts);
        "ScriptedTexture" if ue1 => Texture(facts);
        "FireTexture" => FireTexture(facts);
    }
}

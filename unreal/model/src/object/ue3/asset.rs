//! Textures, sounds, meshes, animations, materials, shader caches.
//!
//! File versions at which a layout changed come from files on both sides where there are such, else
//! from the list of versions that open tools share.

use crate::Versions;
use crate::object::game::is_mass_effect_3;
use crate::object::registry::classes;

/// Whether sequences save transforms: not in Mass Effect 3.
fn saves_transforms(versions: &Versions) -> bool {
    !is_mass_effect_3(versions)
}

mod counted_span;
use counted_span::counted_span;

classes! {
    pub mod animation { "AnimSequence" => AnimSequence; }
    pub mod expression { also TextureOperand; }
    pub mod face_fx {
        "FaceFXAsset" => FaceFx;
        "FaceFXAnimSet" => FaceFx;
    }
    pub mod font { "Font" => Font; }
    pub mod fractured_mesh { "FracturedStaticMesh" => FracturedStaticMesh; }
    pub mod kdop {}
    pub mod material {
        "Material" => Material;
        "MaterialInstance" => MaterialInstance(facts);
    }
    pub mod morph {
        "MorphTarget" => MorphTarget;
        "MorphTargetSet" => MorphTargetSet;
    }
    pub mod shader {}
    pub mod shader_cache {
        "ShaderCache" => ShaderCache;
        "ShaderCachePayload" => ShaderCachePayload;
    }
    pub mod skeletal_lod {}
    pub mod skeletal_mesh { "SkeletalMesh" => SkeletalMesh(facts); }
    pub mod small {
        "GuidCache" => GuidCache;
        "PrefabInstance" => PrefabInstance;
        "SeqAct_Interp" if saves_transforms => SavedTransforms;
        "UIDynamicFieldProvider" => DynamicFields;
        "ApexGenericAsset" => ApexAsset;
    }
    pub mod sound {
        "SoundNodeWave" => SoundNodeWave;
        "SoundCue" => EditorPositions;
        "SoundClass" => EditorPositions;
    }
    pub mod static_lod {}
    pub mod static_mesh { "StaticMesh" => StaticMesh; }
    pub mod static_parameters {}
    pub mod texture {
        "Texture" => Texture;
        "Texture2D" => Texture2D;
        "LightMapTexture2D" => LightMapTexture2D;
        "TextureMovie" => TextureMovie;
    }
}

/// Classes whose body is their parent's: child, parent.
pub(in crate::object) const PARENTS: &[(&str, &str)] = &[
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

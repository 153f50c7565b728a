//! Textures, sounds, meshes, animations, materials, fonts, physics.

use self::interchange::stores_import;
use crate::Versions;
use crate::object::registry::classes;
use crate::version::{EngineRelease, UnrealVersions, custom};

/// Data compiled for emitters stands behind the properties of their system.
fn has_compiled_emitters(versions: &Versions) -> bool {
    versions.custom(&custom::NIAGARA)
        >= custom::niagara::CHANGE_EMITTER_COMPILED_DATA_TO_SHARED_REFS
}

fn has_sound_settings(versions: &Versions) -> bool {
    versions.cooked() && versions.is_release(EngineRelease::new(5, 4))
}

fn was_cooked(versions: &Versions) -> bool {
    versions.cooked()
}

/// Before that dynamic meshes had another form.
fn is_compact(versions: &Versions) -> bool {
    versions.custom(&custom::UE5_MAIN) >= custom::ue5_main::DYNAMIC_MESH_COMPACTED_SERIALIZATION
}

/// Before that columns that were not saved were left out.
fn stores_columns(versions: &Versions) -> bool {
    versions.custom(&custom::UE5_MAIN)
        >= custom::ue5_main::MANAGED_ARRAY_COLLECTION_ALWAYS_SERIALIZE_VALUE
}

/// Before that there was one domain.
fn has_domains(versions: &Versions) -> bool {
    versions.custom(&custom::PCG) >= custom::pcg::MULTI_LEVEL_METADATA
}

classes! {
    pub mod compressed_animation {}
    pub mod anim_sequence { "AnimSequence" => AnimSequence; }
    pub mod animation {
        "AnimMontage" => AnimationAsset;
        "AnimComposite" => AnimationAsset;
        "BlendSpace" => AnimationAsset;
        "BlendSpace1D" => AnimationAsset;
        "AimOffsetBlendSpace" => AnimationAsset;
        "AimOffsetBlendSpace1D" => AnimationAsset;
        "PoseAsset" => AnimationAsset;
    }
    pub mod audio_analysis {
        "ConstantQNRT" => ConstantQ;
        "LoudnessNRT" => Loudness;
    }
    pub mod body_setup {
        "BodySetup" => BodySetup;
        "SkeletalBodySetup" => BodySetup;
        "NavCollision" => NavCollision;
    }
    pub mod compressed_block { also CompressedBlocks; }
    pub mod cooked_shape {}
    pub mod dynamic_mesh { "DynamicMesh" if is_compact => DynamicMesh; }
    pub mod font {
        "Font" => Font;
        "FontBulkData" => FontBulkData;
        "FontFace" => FontFace;
    }
    pub mod interchange {
        "InterchangeAssetImportData" if stores_import => InterchangeAssetImportData;
        "Interchange*Node" => AttributeStorage;
    }
    pub mod managed_array { "GeometryCollection" if stores_columns => GeometryCollection; }
    pub mod material {
        "Material" => Material;
        "MaterialEditorOnlyData" => MaterialEditorOnlyData;
        "MaterialInstanceEditorOnlyData" => MaterialEditorOnlyData;
        "MaterialFunction";
    }
    pub mod material_instance {
        "MaterialInstance" => MaterialInstance(facts);
        "MaterialInstanceConstant" => MaterialInstance(facts);
        "MaterialInstanceDynamic" => MaterialInstance(facts);
    }
    pub mod media { "FileMediaSource" => FileMediaSource; }
    pub mod mesh_buffer { also IndexBuffer, PositionBuffer, VertexBuffer, WeightedSampler; }
    pub mod mesh_description {}
    pub mod meta_sound { "MetaSoundSource" if has_sound_settings => MetaSoundSource; }
    pub mod morph_target { "MorphTarget" => MorphTarget; }
    pub mod old_shader { also CompiledShader, FactoryParameters, MaterialParameters; }
    pub mod old_shader_map { also OldShaderResource; }
    pub mod niagara_system { "NiagaraSystem" if has_compiled_emitters => NiagaraSystem; }
    pub mod particle {
        "ParticleModuleRequired" => ParticleModuleRequired;
        "SubUVAnimation" => SubUvAnimation;
    }
    pub mod pcg_metadata { "PCGMetadata" if has_domains => PcgMetadata; }
    pub mod platform_data {}
    pub mod reference_skeleton {}
    pub mod shader_map {}
    pub mod shader_registers {}
    pub mod shader_resource { also ShaderResource; }
    pub mod skeletal_lod {}
    pub mod skeletal_buffer_sizes {}
    pub mod skeletal_buffers {}
    pub mod skeletal_render {}
    pub mod skeletal_render_section {}
    pub mod skeletal_mesh { "SkeletalMesh" => SkeletalMesh(facts); }
    pub mod skeleton {
        "Rig" => Rig;
        "Skeleton" => Skeleton;
    }
    pub mod small {
        "ObjectRedirector" => ObjectRedirector;
        "MetaData" => MetaData;
        "PhysicsSerializer" => PhysicsSerializer;
        "PhysicsAsset" => PhysicsAsset;
        "StaticMeshDescriptionBulkData" => MeshDescriptionBulkData;
        "SkeletalMeshDescriptionBulkData" => MeshDescriptionBulkData;
        "*Blueprint" => Blueprint;
    }
    pub mod sound {
        "SoundWave" => SoundWave;
        "SoundCue" => SoundCue;
        "SoundNode*" => SoundCue;
        "SoundNodeWavePlayer" => SoundNodeWavePlayer;
        "DialogueWave" if was_cooked => DialogueWave;
    }
    pub mod static_mesh { "StaticMesh" => StaticMesh(facts); }
    pub mod static_mesh_lod {}
    pub mod substance { "SubstanceInstanceFactory" => SubstanceInstanceFactory; }
    pub mod texture {
        "Texture" => Texture;
        "Texture2D" => ImageTexture;
        "TextureCube" => LayeredTexture;
        "VolumeTexture" => LayeredTexture;
        "Texture2DArray" => LayeredTexture;
        "TextureCubeArray" => LayeredTexture;
        "LightMapVirtualTexture2D" => ImageTexture;
        "VirtualTexture2D" => ImageTexture;
        "CurveLinearColorAtlas" => ImageTexture;
        "TextureLightProfile" => ImageTexture;
        "ShadowMapTexture2D" => ImageTexture;
        "LightMapTexture2D" => LightMapTexture2D;
        "MediaTexture" => Texture;
        "TextureRenderTarget2D" => Texture;
        "TextureRenderTargetCube" => Texture;
    }
    pub mod uniform_expression {}
    pub mod vector_field { "VectorFieldStatic" => VectorFieldStatic; }
    pub mod virtual_texture {}
}

//! From class name to type.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::asset::{
    anim_sequence, animation, body_setup, font, material, material_instance, media, skeletal_mesh,
    skeleton, small, sound, static_mesh, texture,
};
use super::component::{
    ComponentPart, instanced, landscape, light, reflection_capture, sky,
    static_mesh::StaticMeshComponent,
};
use super::graph::node::EdGraphNode;
use super::structure::{class, enumeration, function, script_struct, uproperty, user_struct};
use super::table::{curve_table, data_table, string_table};
use super::world::{actor, level, map_build_data, model, navigation, persistent_world, polys};
use crate::Versions;
use crate::object::registry::{ClassEntry, classes, object};
use crate::object::{Facts, Maker, Native};
use crate::property::Value;

/// What makes the native part of objects of this class; `None` where the name says nothing, and a parent
/// has to be asked ([`PARENTS`]).
pub fn maker_for(class: &str, _: &Versions) -> Option<Maker> {
    // A parent is asked before the form of the name, which is the last resort.
    if PARENTS.iter().flat_map(|table| table.iter()).any(|(child, _)| *child == class) {
        return None;
    }
    BY_NAME.get(class).copied().or_else(|| by_form(class))
}

static BY_NAME: LazyLock<HashMap<&str, Maker>> =
    LazyLock::new(|| TABLE.iter().map(|entry| (entry.name, entry.maker)).collect());

/// Families whose names have the same form.
fn by_form(class: &str) -> Option<Maker> {
    let starts = |head: &str| class.starts_with(head);
    let ends = |tail: &str| class.ends_with(tail);
    Some(match () {
        // It adds nothing.
        () if class == "MaterialFunction" => |_| Native::None,
        () if starts("K2Node") || starts("EdGraphNode") || starts("AnimGraphNode") => graph_node,
        () if ends("GraphNode") || starts("AnimStateNode") || starts("AnimState") => graph_node,
        () if starts("NiagaraNode") || starts("BehaviorTreeGraphNode") => graph_node,
        () if starts("SoundNode") => object::<sound::SoundCue>,
        () if ends("BlueprintGeneratedClass") => object::<class::Class>,
        () if ends("Blueprint") => object::<small::Blueprint>,
        () if ends("Property") => property,
        () if ends("StaticMeshComponent") => part::<StaticMeshComponent>,
        () if ends("Component") => part::<ComponentPart>,
        () if ends("Volume") || ends("Actor") => object::<actor::Actor>,
        () => return None,
    })
}

fn make<T: crate::Object>(value: T) -> Native {
    Native::Object(Box::new(value))
}

/// Objects whose parts properties decide.
trait Blank: crate::Object + Sized {
    fn blank(facts: &Facts<'_>) -> Self;
}

fn part<T: Blank>(facts: &Facts<'_>) -> Native {
    make(T::blank(facts))
}

impl Blank for ComponentPart {
    fn blank(facts: &Facts<'_>) -> Self {
        Self::blank(facts)
    }
}

/// Components that are a part, then more.
macro_rules! components {
    ($($type:ty: $($base:ident).+;)*) => { $(
        impl Blank for $type {
            fn blank(facts: &Facts<'_>) -> Self {
                let mut component = Self::default();
                component.$($base).+ = ComponentPart::blank(facts);
                component
            }
        }
    )* };
}

components! {
    StaticMeshComponent: base;
    instanced::InstancedStaticMeshComponent: base.base;
    instanced::HierarchicalInstancedStaticMeshComponent: base.base.base;
    landscape::HeightfieldCollisionComponent: base;
    light::LightComponent: base;
    model::ModelComponent: base;
    reflection_capture::ReflectionCaptureComponent: base;
    sky::SkyAtmosphereComponent: base;
    sky::AtmosphericFogComponent: base;
}

fn graph_node(facts: &Facts<'_>) -> Native {
    make(EdGraphNode::blank(facts.class))
}

fn property(facts: &Facts<'_>) -> Native {
    match uproperty::UPropertyKind::blank(facts.class) {
        Some(kind) => make(uproperty::UProperty { kind, ..Default::default() }),
        None => Native::None,
    }
}

fn data_table(facts: &Facts<'_>) -> Native {
    let row_struct = match facts.value("RowStruct") {
        Some(Value::Object(index)) => facts.context.object_name(index).unwrap_or_default(),
        _ => String::new(),
    };
    make(data_table::DataTable { row_struct, rows: Vec::new() })
}

pub(in crate::object) const CLASSES: &[&[ClassEntry]] = &[TABLE];

const TABLE: &[ClassEntry] = classes! {
    // Structure.
    "Class" => class::Class;
    "BlueprintGeneratedClass" => class::Class;
    "Function" => function::Function;
    "DelegateFunction" => function::Function;
    "SparseDelegateFunction" => function::Function;
    "Enum" => enumeration::Enum;
    "UserDefinedEnum" => enumeration::Enum;
    "ScriptStruct" => script_struct::ScriptStruct;
    "UserDefinedStruct" => user_struct::UserDefinedStruct, part::<user_struct::UserDefinedStruct>;
    "ObjectRedirector" => small::ObjectRedirector;
    "MetaData" => small::MetaData;
    // Tables.
    "DataTable" => data_table::DataTable, data_table;
    "CompositeDataTable" => data_table::DataTable, data_table;
    "CurveTable" => curve_table::CurveTable;
    "StringTable" => string_table::StringTable;
    // Worlds.
    "World" => persistent_world::World;
    "Level" => level::Level;
    "Model" => model::Model;
    "Polys" => polys::Polys;
    "MapBuildDataRegistry" => map_build_data::MapBuildDataRegistry;
    "PhysicsSerializer" => small::PhysicsSerializer;
    "RecastNavMesh" => navigation::RecastNavMesh;
    "InstancedFoliageActor" => actor::InstancedFoliageActor;
    "Actor" => actor::Actor;
    // Components.
    "ModelComponent" => model::ModelComponent, part::<model::ModelComponent>;
    "StaticMeshComponent" => StaticMeshComponent, part::<StaticMeshComponent>;
    "InstancedStaticMeshComponent" => instanced::InstancedStaticMeshComponent, part::<instanced::InstancedStaticMeshComponent>;
    "HierarchicalInstancedStaticMeshComponent" => instanced::HierarchicalInstancedStaticMeshComponent, part::<instanced::HierarchicalInstancedStaticMeshComponent>;
    "PointLightComponent" => light::LightComponent, part::<light::LightComponent>;
    "SpotLightComponent" => light::LightComponent, part::<light::LightComponent>;
    "DirectionalLightComponent" => light::LightComponent, part::<light::LightComponent>;
    "RectLightComponent" => light::LightComponent, part::<light::LightComponent>;
    "LightComponent" => light::LightComponent, part::<light::LightComponent>;
    "SkyAtmosphereComponent" => sky::SkyAtmosphereComponent, part::<sky::SkyAtmosphereComponent>;
    "AtmosphericFogComponent" => sky::AtmosphericFogComponent, part::<sky::AtmosphericFogComponent>;
    "LandscapeHeightfieldCollisionComponent" => landscape::HeightfieldCollisionComponent, part::<landscape::HeightfieldCollisionComponent>;
    "ReflectionCaptureComponent" => reflection_capture::ReflectionCaptureComponent, part::<reflection_capture::ReflectionCaptureComponent>;
    // Textures.
    "Texture" => texture::Texture;
    "Texture2D" => texture::ImageTexture;
    "TextureCube" => texture::ImageTexture;
    "VolumeTexture" => texture::ImageTexture;
    "Texture2DArray" => texture::ImageTexture;
    "CurveLinearColorAtlas" => texture::ImageTexture;
    "TextureLightProfile" => texture::ImageTexture;
    "ShadowMapTexture2D" => texture::ImageTexture;
    "LightMapTexture2D" => texture::LightMapTexture2D;
    "MediaTexture" => texture::Texture;
    "TextureRenderTarget2D" => texture::Texture;
    "TextureRenderTargetCube" => texture::Texture;
    // Materials.
    "Material" => material::Material;
    "MaterialEditorOnlyData" => material::MaterialEditorOnlyData;
    "MaterialInstanceEditorOnlyData" => material::MaterialEditorOnlyData;
    "MaterialInstance" => material_instance::MaterialInstance, part::<material_instance::MaterialInstance>;
    "MaterialInstanceConstant" => material_instance::MaterialInstance, part::<material_instance::MaterialInstance>;
    "MaterialInstanceDynamic" => material_instance::MaterialInstance, part::<material_instance::MaterialInstance>;
    // Meshes and animations.
    "StaticMesh" => static_mesh::StaticMesh, part::<static_mesh::StaticMesh>;
    "StaticMeshDescriptionBulkData" => small::MeshDescriptionBulkData;
    "SkeletalMesh" => skeletal_mesh::SkeletalMesh, part::<skeletal_mesh::SkeletalMesh>;
    "Skeleton" => skeleton::Skeleton;
    "AnimSequence" => anim_sequence::AnimSequence;
    "AnimMontage" => animation::AnimationAsset;
    "AnimComposite" => animation::AnimationAsset;
    "BlendSpace" => animation::AnimationAsset;
    "BlendSpace1D" => animation::AnimationAsset;
    "AimOffsetBlendSpace" => animation::AnimationAsset;
    "AimOffsetBlendSpace1D" => animation::AnimationAsset;
    "PoseAsset" => animation::AnimationAsset;
    "PhysicsAsset" => small::PhysicsAsset;
    "BodySetup" => body_setup::BodySetup;
    "SkeletalBodySetup" => body_setup::BodySetup;
    "NavCollision" => body_setup::NavCollision;
    // Sounds, fonts, media.
    "SoundWave" => sound::SoundWave;
    "SoundCue" => sound::SoundCue;
    "SoundNodeWavePlayer" => sound::SoundNodeWavePlayer;
    "Font" => font::Font;
    "FontBulkData" => font::FontBulkData;
    "FontFace" => font::FontFace;
    "FileMediaSource" => media::FileMediaSource;
};

impl Blank for static_mesh::StaticMesh {
    fn blank(facts: &Facts<'_>) -> Self {
        Self::blank(facts)
    }
}

impl Blank for skeletal_mesh::SkeletalMesh {
    fn blank(facts: &Facts<'_>) -> Self {
        Self::blank(facts)
    }
}

impl Blank for material_instance::MaterialInstance {
    fn blank(facts: &Facts<'_>) -> Self {
        Self::blank(facts)
    }
}

impl Blank for user_struct::UserDefinedStruct {
    fn blank(facts: &Facts<'_>) -> Self {
        Self::blank(facts)
    }
}

/// Classes whose body is their parent's: child, parent.
pub const PARENTS: &[&[(&str, &str)]] = &[&[
    ("SplineMeshComponent", "StaticMeshComponent"),
    ("InteractiveFoliageComponent", "StaticMeshComponent"),
    ("LandscapeMeshProxyComponent", "StaticMeshComponent"),
    ("ControlPointMeshComponent", "StaticMeshComponent"),
    ("ProceduralFoliageComponent", "ActorComponent"),
    ("FoliageInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("GrassInstancedStaticMeshComponent", "HierarchicalInstancedStaticMeshComponent"),
    ("SphereReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("BoxReflectionCaptureComponent", "ReflectionCaptureComponent"),
    ("PlaneReflectionCaptureComponent", "ReflectionCaptureComponent"),
    // By name it would have the form of its family.
    ("SkyLightComponent", "ActorComponent"),
]];

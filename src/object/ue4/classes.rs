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
use crate::object::registry::object;
use crate::object::{Facts, Maker, Native};
use crate::primitive::PackageIndex;
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
    LazyLock::new(|| CLASSES.iter().copied().collect());

/// Families whose names have the same form.
fn by_form(class: &str) -> Option<Maker> {
    let starts = |head: &str| class.starts_with(head);
    let ends = |tail: &str| class.ends_with(tail);
    Some(match () {
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

fn material_function(_: &Facts<'_>) -> Native {
    Native::None
}

fn redirector(_: &Facts<'_>) -> Native {
    make(small::ObjectRedirector { target: PackageIndex::NULL })
}

const CLASSES: &[(&str, Maker)] = &[
    // Structure.
    ("Class", object::<class::Class>),
    ("BlueprintGeneratedClass", object::<class::Class>),
    ("Function", object::<function::Function>),
    ("DelegateFunction", object::<function::Function>),
    ("SparseDelegateFunction", object::<function::Function>),
    ("Enum", object::<enumeration::Enum>),
    ("UserDefinedEnum", object::<enumeration::Enum>),
    ("ScriptStruct", object::<script_struct::ScriptStruct>),
    ("UserDefinedStruct", part::<user_struct::UserDefinedStruct>),
    ("ObjectRedirector", redirector),
    ("MetaData", object::<small::MetaData>),
    // Tables.
    ("DataTable", data_table),
    ("CompositeDataTable", data_table),
    ("CurveTable", object::<curve_table::CurveTable>),
    ("StringTable", object::<string_table::StringTable>),
    // Worlds.
    ("World", object::<persistent_world::World>),
    ("Level", object::<level::Level>),
    ("Model", object::<model::Model>),
    ("Polys", object::<polys::Polys>),
    ("MapBuildDataRegistry", object::<map_build_data::MapBuildDataRegistry>),
    ("PhysicsSerializer", object::<small::PhysicsSerializer>),
    ("RecastNavMesh", object::<navigation::RecastNavMesh>),
    ("InstancedFoliageActor", object::<actor::InstancedFoliageActor>),
    ("Actor", object::<actor::Actor>),
    // Components.
    ("ModelComponent", part::<model::ModelComponent>),
    ("StaticMeshComponent", part::<StaticMeshComponent>),
    ("InstancedStaticMeshComponent", part::<instanced::InstancedStaticMeshComponent>),
    (
        "HierarchicalInstancedStaticMeshComponent",
        part::<instanced::HierarchicalInstancedStaticMeshComponent>,
    ),
    ("PointLightComponent", part::<light::LightComponent>),
    ("SpotLightComponent", part::<light::LightComponent>),
    ("DirectionalLightComponent", part::<light::LightComponent>),
    ("RectLightComponent", part::<light::LightComponent>),
    ("LightComponent", part::<light::LightComponent>),
    ("SkyAtmosphereComponent", part::<sky::SkyAtmosphereComponent>),
    ("AtmosphericFogComponent", part::<sky::AtmosphericFogComponent>),
    ("LandscapeHeightfieldCollisionComponent", part::<landscape::HeightfieldCollisionComponent>),
    ("ReflectionCaptureComponent", part::<reflection_capture::ReflectionCaptureComponent>),
    // Textures.
    ("Texture", object::<texture::Texture>),
    ("Texture2D", object::<texture::ImageTexture>),
    ("TextureCube", object::<texture::ImageTexture>),
    ("VolumeTexture", object::<texture::ImageTexture>),
    ("Texture2DArray", object::<texture::ImageTexture>),
    ("CurveLinearColorAtlas", object::<texture::ImageTexture>),
    ("TextureLightProfile", object::<texture::ImageTexture>),
    ("ShadowMapTexture2D", object::<texture::ImageTexture>),
    ("LightMapTexture2D", object::<texture::LightMapTexture2D>),
    ("MediaTexture", object::<texture::Texture>),
    ("TextureRenderTarget2D", object::<texture::Texture>),
    ("TextureRenderTargetCube", object::<texture::Texture>),
    // Materials.
    ("Material", object::<material::Material>),
    ("MaterialEditorOnlyData", object::<material::MaterialEditorOnlyData>),
    ("MaterialInstanceEditorOnlyData", object::<material::MaterialEditorOnlyData>),
    ("MaterialInstance", part::<material_instance::MaterialInstance>),
    ("MaterialInstanceConstant", part::<material_instance::MaterialInstance>),
    ("MaterialInstanceDynamic", part::<material_instance::MaterialInstance>),
    ("MaterialFunction", material_function),
    // Meshes and animations.
    ("StaticMesh", part::<static_mesh::StaticMesh>),
    ("StaticMeshDescriptionBulkData", object::<small::MeshDescriptionBulkData>),
    ("SkeletalMesh", part::<skeletal_mesh::SkeletalMesh>),
    ("Skeleton", object::<skeleton::Skeleton>),
    ("AnimSequence", object::<anim_sequence::AnimSequence>),
    ("AnimMontage", object::<animation::AnimationAsset>),
    ("AnimComposite", object::<animation::AnimationAsset>),
    ("BlendSpace", object::<animation::AnimationAsset>),
    ("BlendSpace1D", object::<animation::AnimationAsset>),
    ("AimOffsetBlendSpace", object::<animation::AnimationAsset>),
    ("AimOffsetBlendSpace1D", object::<animation::AnimationAsset>),
    ("PoseAsset", object::<animation::AnimationAsset>),
    ("PhysicsAsset", object::<small::PhysicsAsset>),
    ("BodySetup", object::<body_setup::BodySetup>),
    ("SkeletalBodySetup", object::<body_setup::BodySetup>),
    ("NavCollision", object::<body_setup::NavCollision>),
    // Sounds, fonts, media.
    ("SoundWave", object::<sound::SoundWave>),
    ("SoundCue", object::<sound::SoundCue>),
    ("SoundNodeWavePlayer", object::<sound::SoundNodeWavePlayer>),
    ("Font", object::<font::Font>),
    ("FontBulkData", object::<font::FontBulkData>),
    ("FontFace", object::<font::FontFace>),
    ("FileMediaSource", object::<media::FileMediaSource>),
];

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

//! Levels, BSP, components, light maps, terrain, navigation, and the classes of single games.

pub mod bio;
pub mod bio_2da;
pub mod collection_actor;
pub mod decal_component;
pub mod level;
pub mod light_component;
pub mod light_map;
pub mod light_volume;
pub mod mesh_component;
pub mod model;
pub mod model_component;
pub mod navigation_mesh;
pub mod persistent_world;
pub mod physics;
pub mod polys;
pub mod terrain;
pub mod terrain_component;
pub mod wwise;

use crate::object::registry::{ClassEntry, classes, find, object};
use crate::object::{Facts, Maker, Native};
use crate::version::Game;
use crate::{Archive, Versions};

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let game = versions.game;
    let known = |table| find(table, class);
    let of_game = match game {
        Game::MassEffect1 | Game::MassEffect2 => known(MASS_EFFECT_1_2),
        Game::MassEffect3 | Game::MassEffectLegendary => {
            let first_two = versions.mass_effect_port().and(known(MASS_EFFECT_1_2));
            known(MASS_EFFECT_3).or(first_two)
        }
        Game::Xcom2 => known(XCOM_2),
        _ => None,
    };
    // Pawns of Mass Effect 3 derive from each other in many packages.
    let pawn = class.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("SFXPawn"));
    let of_game = match game {
        Game::MassEffect3 | Game::MassEffectLegendary if pawn => {
            Some(object::<bio::BioPawn> as Maker)
        }
        _ => of_game,
    };
    of_game.or_else(|| known(CLASSES))
}

pub(in crate::object) const CLASSES: &[ClassEntry] = classes! {
    "BrushComponent" => physics::BrushComponent;
    "DecalComponent" => decal_component::DecalComponent;
    "FluidSurfaceComponent" => mesh_component::FluidSurfaceComponent, |facts| match facts.versions.game {
        Game::MassEffect1 | Game::MassEffect2 => Native::None,
        _ => object::<mesh_component::FluidSurfaceComponent>(facts),
    };
    "Level" => level::Level;
    "LightComponent" => light_component::LightComponent;
    "Model" => model::Model;
    "ModelComponent" => model_component::ModelComponent;
    "NavigationMeshBase" => navigation_mesh::NavigationMeshBase;
    "PhysicsAssetInstance" => physics::PhysicsAssetInstance;
    "Polys" => polys::Polys;
    "Pylon" => navigation_mesh::Pylon;
    "RB_BodySetup" => physics::RbBodySetup;
    "ShadowMap1D" => light_component::ShadowMap1D;
    "SpeedTreeComponent" => mesh_component::SpeedTreeComponent;
    "StaticMeshComponent" => mesh_component::StaticMeshComponent;
    "Terrain" => terrain::Terrain;
    "TerrainComponent" => terrain_component::TerrainComponent;
    "World" => persistent_world::World;
};

pub(in crate::object) const MASS_EFFECT_1_2: &[ClassEntry] = classes! {
    "Bio2DA" => bio_2da::Bio2Da;
    "BioArtPlaceableBehavior" => bio::BioArtPlaceableBehavior;
    "BioDynamicAnimSet" => bio::BioDynamicAnimSet;
    "BioGamePropertyEventDispatcher" => bio::BioGamePropertyEventDispatcher;
    "BioInert" => bio::BioInert;
    "BioPawn" => bio::BioPawn;
    "BioSoundNodeWaveStreamingData" => bio::BioSoundNodeWaveStreamingData;
    "ForceFeedbackWaveform" => bio::ForceFeedbackWaveform;
    "WwiseBank" => wwise::WwiseBank;
    "WwiseEvent" => wwise::WwiseEvent;
    "WwiseStream" => wwise::WwiseStream;
};

pub(in crate::object) const MASS_EFFECT_3: &[ClassEntry] = classes! {
    "Bio2DA" => bio_2da::Bio2Da;
    "BioDynamicAnimSet" => bio::BioDynamicAnimSet;
    "BioGestureAnimSetMgr" => bio::BioGestureAnimSetMgr;
    "BioPawn" => bio::BioPawn;
    "StaticLightCollectionActor" => collection_actor::CollectionActor, collection;
    "StaticMeshCollectionActor" => collection_actor::CollectionActor, collection;
    "WwiseBank" => wwise::WwiseBank;
    "WwiseEvent" => wwise::WwiseEvent;
    "WwiseStream" => wwise::WwiseStream;
};

pub(in crate::object) const XCOM_2: &[ClassEntry] = classes! {
    "XComCharacterVoiceBank_X2" => bio::XComCharacterVoiceBank;
};

fn collection(facts: &Facts<'_>) -> Native {
    Native::Object(Box::new(collection_actor::CollectionActor::blank(facts)))
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[
    ("Bio2DANumberedRows", "Bio2DA"),
    ("AISwitchablePylon", "Pylon"),
    ("BioAPCoverMeshComponent", "StaticMeshComponent"),
    ("BioDecalComponent", "DecalComponent"),
    ("CoverMeshComponent", "StaticMeshComponent"),
    ("DirectionalLightComponent", "LightComponent"),
    ("DominantDirectionalLightComponent", "DirectionalLightComponent"),
    ("DominantPointLightComponent", "PointLightComponent"),
    ("DominantSpotLightComponent", "SpotLightComponent"),
    ("DynamicPylon", "Pylon"),
    ("FracturedBaseComponent", "StaticMeshComponent"),
    ("FracturedSkinnedMeshComponent", "FracturedBaseComponent"),
    ("FracturedStaticMeshComponent", "FracturedBaseComponent"),
    ("ImageBasedReflectionComponent", "StaticMeshComponent"),
    ("InstancedStaticMeshComponent", "StaticMeshComponent"),
    ("InteractiveFoliageComponent", "StaticMeshComponent"),
    ("PointLightComponent", "LightComponent"),
    ("SVehicleSimBase", "ActorComponent"),
    ("SVehicleWheel", "Component"),
    ("SkyLightComponent", "LightComponent"),
    ("SphericalHarmonicLightComponent", "LightComponent"),
    ("SplineMeshComponent", "StaticMeshComponent"),
    ("SpotLightComponent", "PointLightComponent"),
    ("UDKExplosionLight", "PointLightComponent"),
    ("UDKVehicleSimCar", "SVehicleSimBase"),
    ("UDKVehicleSimChopper", "SVehicleSimBase"),
    ("UDKVehicleSimHover", "SVehicleSimBase"),
    ("UDKVehicleSimHoverboard", "SVehicleSimBase"),
    ("UDKVehicleWheel", "SVehicleWheel"),
    ("UIComp_DrawImage", "UIComponent"),
    ("UIComp_DrawString", "UIComponent"),
    ("UIComp_Event", "UIComponent"),
    ("UTHoverWheel", "UTVehicleWheel"),
    ("UTVehicleScorpionWheel", "UTVehicleWheel"),
    ("UTVehicleWheel", "UDKVehicleWheel"),
    ("UTGibStaticMeshComponent", "StaticMeshComponent"),
];

/// Mass Effect 1.
fn is_mass_effect_1<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::MassEffect1
}

/// Mass Effect 1, also in the engine of the third one.
fn is_first_game<A: Archive + ?Sized>(ar: &A) -> bool {
    is_mass_effect_1(ar) || ar.versions().mass_effect_port() == Some(1)
}

/// Mass Effect 1 and 2, also in the engine of the third one.
fn is_first_or_second_game<A: Archive + ?Sized>(ar: &A) -> bool {
    is_mass_effect_1_2(ar) || ar.versions().mass_effect_port().is_some()
}

/// Mass Effect 2 on PlayStation 3.
fn is_mass_effect_2_port<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::MassEffect3 && ar.versions().mass_effect_port() == Some(2)
}

/// Mass Effect 1 and 2.
fn is_mass_effect_1_2<A: Archive + ?Sized>(ar: &A) -> bool {
    matches!(ar.versions().game, Game::MassEffect1 | Game::MassEffect2)
}

/// Mass Effect 3, and the new editions of all three, which are built on it.
fn is_mass_effect_3<A: Archive + ?Sized>(ar: &A) -> bool {
    matches!(ar.versions().game, Game::MassEffect3 | Game::MassEffectLegendary)
}

/// Mass Effect 2 and 3.
fn is_mass_effect_2_3<A: Archive + ?Sized>(ar: &A) -> bool {
    is_mass_effect(ar) && !is_mass_effect_1(ar)
}

/// Any Mass Effect.
fn is_mass_effect<A: Archive + ?Sized>(ar: &A) -> bool {
    is_mass_effect_1_2(ar) || is_mass_effect_3(ar)
}

/// XCOM 2.
fn is_xcom_2<A: Archive + ?Sized>(ar: &A) -> bool {
    ar.versions().game == Game::Xcom2
}

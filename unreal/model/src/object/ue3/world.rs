//! Levels, BSP, components, light maps, terrain, navigation, and the classes of single games.

use crate::Versions;
use crate::object::game::{
    is_first_or_second_game, is_mass_effect, is_mass_effect_1_2, is_mass_effect_3, is_xcom_2,
};
use crate::object::registry::classes;

/// Fluids have light maps, but in Mass Effect 1 and 2.
fn fluid(versions: &Versions) -> bool {
    !is_mass_effect_1_2(versions)
}

classes! {
    pub mod bio {
        "BioArtPlaceableBehavior" if is_first_or_second_game => BioArtPlaceableBehavior;
        "BioDynamicAnimSet" if is_mass_effect => BioDynamicAnimSet;
        "BioGamePropertyEventDispatcher" if is_first_or_second_game => BioGamePropertyEventDispatcher;
        "BioGestureAnimSetMgr" if is_mass_effect_3 => BioGestureAnimSetMgr;
        "BioInert" if is_first_or_second_game => BioInert;
        "BioPawn" if is_mass_effect => BioPawn;
        "BioStage" if is_mass_effect_3 => BioStage;
        // They derive from each other in many packages.
        "SFXPawn*" if is_mass_effect_3 => BioPawn;
        "BioSoundNodeWaveStreamingData" if is_first_or_second_game => BioSoundNodeWaveStreamingData;
        "ForceFeedbackWaveform" if is_first_or_second_game => ForceFeedbackWaveform;
        "XComCharacterVoiceBank_X2" if is_xcom_2 => XComCharacterVoiceBank;
    }
    pub mod bio_2da {
        "Bio2DA" if is_mass_effect => Bio2Da;
        also Cell;
    }
    pub mod bio_tlk {
        "BioTlkFile" if is_mass_effect => BioTlkFile;
        "BioTlkFileSet" if is_mass_effect => BioTlkFileSet;
    }
    pub mod collection_actor {
        "StaticLightCollectionActor" if is_mass_effect_3 => CollectionActor(facts);
        "StaticMeshCollectionActor" if is_mass_effect_3 => CollectionActor(facts);
    }
    pub mod decal_component { "DecalComponent" => DecalComponent; }
    pub mod level { "Level" => Level; }
    pub mod light_component {
        "LightComponent" => LightComponent;
        "ShadowMap1D" => ShadowMap1D;
    }
    pub mod light_map {}
    pub mod light_volume {}
    pub mod mesh_component {
        "FluidSurfaceComponent" if fluid => FluidSurfaceComponent;
        "SpeedTreeComponent" => SpeedTreeComponent;
        "InstancedStaticMeshComponent" if is_xcom_2 => InstancedStaticMeshComponent;
        "StaticMeshComponent" => StaticMeshComponent;
    }
    pub mod model { "Model" => Model; }
    pub mod model_component { "ModelComponent" => ModelComponent; }
    pub mod navigation_mesh {
        "NavigationMeshBase" => NavigationMeshBase;
        "Pylon" => Pylon;
    }
    pub mod persistent_world { "World" => World; }
    pub mod physics {
        "BrushComponent" => BrushComponent;
        "PhysicsAssetInstance" => PhysicsAssetInstance;
        "RB_BodySetup" => RbBodySetup;
    }
    pub mod polys { "Polys" => Polys; }
    pub mod terrain { "Terrain" => Terrain; }
    pub mod terrain_component { "TerrainComponent" => TerrainComponent; }
    pub mod wwise {
        "WwiseBank" if is_mass_effect => WwiseBank;
        "WwiseEvent" if is_mass_effect => WwiseEvent;
        "WwiseStream" if is_mass_effect => WwiseStream;
    }
    pub mod xcom {
        "XComVisGroupData" if is_xcom_2 => XComVisGroupData;
        "XComWorldData" if is_xcom_2 => XComWorldData;
    }
}

/// Classes whose body is their parent's: child, parent.
pub(in crate::object) const PARENTS: &[(&str, &str)] = &[
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
    ("XComTileFracMeshComponent", "StaticMeshComponent"),
];

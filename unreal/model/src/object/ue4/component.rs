//! Components.

use crate::Versions;
use crate::object::registry::classes;
use crate::version::UnrealVersions;

pub use member::MemberReference;
pub use part::ComponentPart;
pub(in crate::object::ue4) use part::based_component;

/// Landscapes of UE4 are other.
fn is_ue5(versions: &Versions) -> bool {
    versions.ue5() > 0
}

classes! {
    pub mod instanced {
        "InstancedStaticMeshComponent" => InstancedStaticMeshComponent(facts);
        "HierarchicalInstancedStaticMeshComponent" => HierarchicalInstancedStaticMeshComponent(facts);
    }
    pub mod landscape {
        "LandscapeComponent" if is_ue5 => LandscapeComponent(facts);
        "LandscapeHeightfieldCollisionComponent" => HeightfieldCollisionComponent(facts);
        "LandscapeTextureStorageProviderFactory" => TextureStorageProviderFactory;
    }
    pub mod landscape_edge {
        "LandscapeHeightmapTextureEdgeFixup" => HeightmapTextureEdgeFixup;
        "LandscapeTextureMipEdgeOverrideFactory" => TextureMipEdgeOverrideFactory;
    }
    pub mod light {
        "LightComponent" => LightComponent(facts);
        "PointLightComponent" => LightComponent(facts);
        "SpotLightComponent" => LightComponent(facts);
        "DirectionalLightComponent" => LightComponent(facts);
        "RectLightComponent" => LightComponent(facts);
    }
    pub mod member {}
    pub mod part { "*Component" => ComponentPart(facts); }
    pub mod reflection_capture { "ReflectionCaptureComponent" => ReflectionCaptureComponent(facts); }
    pub mod sky {
        "SkyAtmosphereComponent" => SkyAtmosphereComponent(facts);
        "AtmosphericFogComponent" => AtmosphericFogComponent(facts);
    }
    pub mod static_mesh {
        "StaticMeshComponent" => StaticMeshComponent(facts);
        "*StaticMeshComponent" => StaticMeshComponent(facts);
    }
}

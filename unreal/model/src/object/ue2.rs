//! Classes of UE2 and SWAT 4.
//!
//! Three families differ in their layouts: the main line (licensee 0), the line of UT2003 and UT2004
//! (licensee 25 to 29, not SWAT 4), and SWAT 4 with its headers (spec: ue1-3/10).

pub use super::Zeros;
pub use super::ue1::{
    AnalogTrack, AnimSequence, Bone, BspNode, FlexTrack, Leaf, Motion, NamedBone, Notify, Zone,
};
pub use super::url::Url;

use super::game::swat;
use super::registry::classes;

classes! {
    mod actor_group {
        "ActorGroup" if swat => ActorGroup;
        "LevelInfo" if swat => LevelInfo;
    }
    mod animation { "MeshAnimation" => MeshAnimation; }
    mod collision {}
    mod convex_volume { "ConvexVolume" => ConvexVolume; }
    mod family {}
    mod havok { "HkMeshProxy" if swat => HkMeshProxy; }
    mod karma { "KMeshProps" => KMeshProps; }
    mod level { "Level" => Level; }
    mod light_map {}
    mod lod_mesh {}
    mod lod_model {}
    mod model { "Model" => Model; }
    mod package_check { "PackageCheckInfo" => PackageCheckInfo; }
    mod skeletal_mesh { "SkeletalMesh" => SkeletalMesh; }
    mod sound {
        "ProceduralSound" => ProceduralSound;
        "SoundGroup" => SoundGroup;
    }
    mod static_mesh { "StaticMesh" => StaticMesh; }
    mod static_mesh_instance { "StaticMeshInstance" => StaticMeshInstance; }
    mod terrain {
        "TerrainInfo" => TerrainInfo;
        "TerrainSector" => TerrainSector;
    }
    mod texture { "Texture" if swat => Texture; }
    mod vert_mesh { "VertMesh" => VertMesh; }
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[("Cubemap", "Texture")];

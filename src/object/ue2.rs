//! Classes of UE2 and SWAT 4.
//!
//! Three families differ in their layouts: the main line (licensee 0), the line of UT2003 and UT2004
//! (licensee 25 to 29, not SWAT 4), and SWAT 4 with its headers (spec: ue1-3/10).

mod actor_group;
mod animation;
mod collision;
mod convex_volume;
mod family;
mod havok;
mod karma;
mod level;
mod light_map;
mod lod_mesh;
mod lod_model;
mod model;
mod package_check;
mod skeletal_mesh;
mod sound;
mod static_mesh;
mod static_mesh_instance;
mod terrain;
mod texture;
mod vert_mesh;

pub use super::ue1::Bone;
pub use super::url::Url;
pub use actor_group::{ActorGroup, LevelInfo};
pub use animation::{
    AnalogTrack, AnimSequence, FlexTrack, MeshAnimation, Motion, NamedBone, Notify,
};
pub use collision::{
    Collision, CompactCollision, EarlyCollision, EarlyNode, EarlyTriangle, UtCollision,
};
pub use convex_volume::{ConvexVolume, Face};
pub use family::{Stream, Zeros};
pub use havok::{Capsule, HkConvex, HkMeshProxy};
pub use karma::{KBox, KConvex, KCylinder, KMeshProps, KSphere};
pub use level::Level;
pub use light_map::{
    Atlas, AtlasTexture, Cluster, LightBits, LightMap, LightMapTexture, Section, SwatSection,
};
pub use lod_mesh::{Impostor, LodMesh, MeshMaterial};
pub use lod_model::{LodModel, SkeletalSection, SkinVertices};
pub use model::{Leaf, Model, Node, Surface, Zone};
pub use package_check::PackageCheckInfo;
pub use skeletal_mesh::{BoneBox, BoneSphere, EarlyLod, SkeletalMesh, WeightIndices};
pub use sound::{ProceduralSound, SoundGroup};
pub use static_mesh::{SourceTriangle, StaticMesh, StaticSection, StaticVertices, UvStream};
pub use static_mesh_instance::{InstanceLight, StaticMeshInstance, SwatInstanceColors};
pub use terrain::{TerrainInfo, TerrainSector, TerrainShadow};
pub use texture::{Mip, Texture};
pub use vert_mesh::VertMesh;

use super::Maker;
use super::registry::{ClassEntry, classes, find};
use crate::{Game, Versions};

/// In all three families.
const EVERYWHERE: &[ClassEntry] = classes! {
    "ConvexVolume" => ConvexVolume;
    "KMeshProps" => KMeshProps;
    "Level" => Level;
    "MeshAnimation" => MeshAnimation;
    "Model" => Model;
    "PackageCheckInfo" => PackageCheckInfo;
    "ProceduralSound" => ProceduralSound;
    "SkeletalMesh" => SkeletalMesh;
    "SoundGroup" => SoundGroup;
    "StaticMesh" => StaticMesh;
    "StaticMeshInstance" => StaticMeshInstance;
    "TerrainInfo" => TerrainInfo;
    "TerrainSector" => TerrainSector;
    "VertMesh" => VertMesh;
};
const SWAT: &[ClassEntry] = classes! {
    "ActorGroup" => ActorGroup;
    "HkMeshProxy" => HkMeshProxy;
    "LevelInfo" => LevelInfo;
    "Texture" => Texture;
};
pub(super) const CLASSES: &[&[ClassEntry]] = &[EVERYWHERE, SWAT];

/// What the class of this name adds, if it is one of this room's.
pub(super) fn maker_for(class: &str, versions: &Versions) -> Option<Maker> {
    let swat = || find(SWAT, class).filter(|_| versions.game == Game::Swat4);
    find(EVERYWHERE, class).or_else(swat)
}

/// Classes whose body is their parent's: child, parent.
pub(super) const PARENTS: &[(&str, &str)] = &[("Cubemap", "Texture")];

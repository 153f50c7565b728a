//! Worlds, levels, BSP and baked light.

use crate::Versions;
use crate::object::registry::classes;
use crate::version::UnrealVersions;

fn was_cooked(versions: &Versions) -> bool {
    versions.cooked()
}

classes! {
    pub mod actor {
        "Actor" => Actor;
        "*Actor" => Actor;
        "*Volume" => Actor;
        "InstancedFoliageActor" => InstancedFoliageActor;
        "LevelInstance" if was_cooked => LevelInstance;
    }
    pub mod depth_map {}
    pub mod level { "Level" => Level; }
    pub mod light_map {}
    pub mod light_volume {}
    pub mod lightmass {}
    pub mod map_build_data { "MapBuildDataRegistry" => MapBuildDataRegistry; }
    pub mod model {
        "Model" => Model;
        "ModelComponent" => ModelComponent(facts);
    }
    pub mod navigation { "RecastNavMesh" => RecastNavMesh; }
    pub mod navigation_tile {}
    pub mod partition {
        "WorldPartition" if was_cooked => WorldPartition;
        "WorldPartitionRuntimeCellData*" if was_cooked => RuntimeCellData;
    }
    pub mod persistent_world { "World" => World; }
    pub mod polys { "Polys" => Polys; }
}

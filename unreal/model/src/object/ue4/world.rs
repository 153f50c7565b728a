//! Worlds, levels, BSP and baked light.

use crate::object::registry::classes;

classes! {
    pub mod actor {
        "Actor" => Actor;
        "*Actor" => Actor;
        "*Volume" => Actor;
        "InstancedFoliageActor" => InstancedFoliageActor;
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
    pub mod persistent_world { "World" => World; }
    pub mod polys { "Polys" => Polys; }
}

//! Worlds, levels, BSP and baked light.

pub mod actor;
pub mod depth_map;
pub mod level;
pub mod light_map;
pub mod light_volume;
pub mod lightmass;
pub mod map_build_data;
pub mod model;
pub mod navigation;
pub mod persistent_world;
pub mod polys;

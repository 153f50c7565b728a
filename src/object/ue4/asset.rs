//! Textures, sounds, meshes, animations, materials, fonts, physics.

pub mod anim_sequence;
pub mod animation;
pub mod body_setup;
pub mod font;
pub mod material;
pub mod material_instance;
pub mod media;
pub mod mesh_buffer;
pub mod platform_data;
pub mod reference_skeleton;
pub mod shader_map;
pub mod skeletal_lod;
pub mod skeletal_mesh;
pub mod skeleton;
pub mod small;
pub mod sound;
pub mod static_mesh;
pub mod static_mesh_lod;
pub mod texture;

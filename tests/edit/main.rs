//! Edits: what is meant changes and nothing else.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/counting.rs"]
mod counting;

#[cfg(feature = "content")]
mod actor_x;
mod assembly;
mod checks;
mod classic;
#[cfg(feature = "content")]
mod classic_sockets;
mod code;
#[cfg(feature = "content")]
mod collision_shapes;
mod component_keys;
mod component_map;
mod computed;
mod conform;
mod convert;
mod curves;
mod dead_offsets;
mod declared;
mod decompiled;
mod diff;
mod editor_text;
#[cfg(feature = "content")]
mod embed;
mod engine;
mod groups;
mod identity;
mod inherited_names;
mod inverse;
mod kismet_text;
mod known;
mod level_map;
mod map_text;
mod map_text_ue3;
mod meanings;
mod merge;
#[cfg(feature = "content")]
mod meshes;
#[cfg(feature = "content")]
mod meshes_in;
mod node_graph;
mod object_bytes;
mod packed_animations;
mod placed_actors;
mod placing;
mod positions;
mod property;
mod rebuild;
mod redirect;
mod rename;
mod runnable;
#[cfg(feature = "content")]
mod scenes;
mod structure;
mod texts;
#[cfg(feature = "content")]
mod thumbnails;
mod ue4;
mod values;

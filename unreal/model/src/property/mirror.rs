//! Properties as fields of Rust structs, which `upk headers --rust` writes.

mod class_fields;
mod field_slot;
mod merge;
mod mirrored;
mod structure;
mod value;

pub use class_fields::Mirror;
pub use field_slot::{AssignedValue, FieldSlot};
pub use mirrored::Mirrored;
pub use value::{EnumValue, MirrorValue, Pairs};

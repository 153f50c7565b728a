//! The values of properties.

mod container;
mod element_values;
mod elements;
mod instanced;
mod opaque;
mod renaming;
mod variant;
mod walk;

pub use container::{MapValue, Set, StructArray};
pub use elements::Elements;
pub use instanced::InstancedStruct;
pub use opaque::Opaque;
pub use variant::Value;

#[doc(hidden)]
pub use renaming::ListOwner;

pub(super) use container::{INNER_TAG_ADDED, INNER_TAG_REMOVED, load_array, load_count};

//! The order of tables as the engine's own compiler leaves it.
//!
//! UE1 and UE2 count how often each row is used and sort by that with the `qsort` of the C library, whose ties fall
//! as its swaps leave them; UE3 sorts by text and walks through classes.
//!
//! Spec: ue1-3/16 §16.6, §16.7.

mod sort;
mod usage;
mod walk;

pub use sort::{Pivot, sorted};
pub use usage::Usage;
pub(super) use walk::class_name;
pub use walk::{export_order, sort_key};

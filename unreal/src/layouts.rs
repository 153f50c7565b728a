//! All types that are [`Archived`](crate::Archived), and what other programs read them by.

mod facts;
mod imhex;
mod kaitai;
mod list;

pub use imhex::imhex_pattern;
pub use kaitai::kaitai_definition;
pub use list::{find_layouts, is_own_layout, layouts, near_layouts};

//! Layouts in other languages: pages for people, and what other programs read files by.

pub mod expression;
pub mod header;
pub mod imhex;
pub mod kaitai;
pub mod markdown;
pub mod rows;
mod stored_as;

pub use stored_as::StoredAs;

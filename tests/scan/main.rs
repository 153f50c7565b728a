//! Packages as tables.

mod page;
mod rows;

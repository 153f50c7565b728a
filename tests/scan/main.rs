//! Packages as tables.

mod listing;
mod page;
mod rows;

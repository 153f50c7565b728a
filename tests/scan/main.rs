//! Packages as tables.

mod rows;

//! Tables.

pub mod curve_table;
pub mod data_table;
pub mod string_table;

//! The private half of the Python package `farchive`: what it says to users stands in `farchive/_farchive.pyi`.

#![deny(clippy::disallowed_methods)]

mod arguments;
mod buffer;
mod compare;
mod error;
mod explain;
mod generate;
mod grammar;
mod image;
mod lent;
mod listing;
mod object;
mod package;
mod plan;
mod progress;
mod rows;
mod scan;
mod scanner;
mod value;
mod verify;

use pyo3::prelude::*;

/// The module.
#[pymodule]
mod _farchive {
    #[pymodule_export]
    use super::arguments::{Mappings, open};
    #[pymodule_export]
    use super::buffer::Buffer;
    #[pymodule_export]
    use super::compare::diff;
    #[pymodule_export]
    use super::generate::{engines, games, new, new_asset, new_data_table, new_string_table};
    #[pymodule_export]
    use super::image::Image;
    #[pymodule_export]
    use super::lent::Lent;
    #[pymodule_export]
    use super::listing::{FileWalk, StoreListing, list_files};
    #[pymodule_export]
    use super::object::{_count_properties, Import, Object, Reference};
    #[pymodule_export]
    use super::package::Package;
    #[pymodule_export]
    use super::rows::{Rows, RowsIterator};
    #[pymodule_export]
    use super::scan::{columns, rows_of_parts, scan_files, tables, usual_tables};
    #[pymodule_export]
    use super::scanner::{Scanner, may_be_package, size_of_header};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

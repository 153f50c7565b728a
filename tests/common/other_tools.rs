//! The header and rows of a package, as Kaitai Struct reads them by the definitions of the library.

#[path = "../framework/tools/kaitai.rs"]
mod tool;

pub use tool::modules;

use std::collections::BTreeSet;

use farchive::{Archived, explain, size};
use unreal_packages::kaitai_definition;
use unreal_packages::package::Package;

/// Reads the summary, the longest row of the table of exports and the last one, each as its bytes stand in the file; says
/// how many rows.
pub fn rows_are_read_the_same(name: &str, package: &Package) -> usize {
    is_read_the_same(&format!("{name} summary"), package.summary(), 0, package);
    let rows: Vec<_> = package.exports().iter().map(|export| export.entry()).collect();
    let sizes: Vec<usize> = rows.iter().map(|row| bytes_of(*row, package)).collect();
    let longest = (0..rows.len()).max_by_key(|row| sizes[*row]);
    let wanted: BTreeSet<usize> = longest.into_iter().chain(rows.len().checked_sub(1)).collect();
    for row in &wanted {
        let place = package.summary().export_offset as usize + sizes[..*row].iter().sum::<usize>();
        is_read_the_same(&format!("{name} export {row}"), rows[*row], place, package);
    }
    wanted.len()
}

/// How many bytes a value takes in the file.
fn bytes_of<T: Archived + Clone>(value: &T, package: &Package) -> usize {
    size(value, package.versions()).expect("it is counted") as usize
}

/// Reads a value of the file by its definition.
fn is_read_the_same<T>(name: &str, value: &T, place: usize, package: &Package)
where
    T: Archived + Default + Clone,
{
    let versions = package.versions();
    let bytes = &package.source()[place..place + bytes_of(value, package)];
    let definition = kaitai_definition(T::LAYOUT, versions);
    tool::reads_the_same(name, &definition, &explain::<T>(bytes, versions), bytes);
}

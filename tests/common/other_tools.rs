//! The header and rows of a package, as Kaitai Struct and ImHex read them by what the library prints.

#[path = "../framework/tools/imhex.rs"]
pub mod imhex;
#[path = "../framework/tools/kaitai.rs"]
pub mod kaitai;
#[path = "../framework/tools/tool.rs"]
mod tool;

pub use tool::Tool;

use std::collections::BTreeSet;

use farchive::{Archived, size};
use unreal_packages::package::Package;
use unreal_packages::{imhex_pattern, kaitai_definition};

pub const KAITAI: Tool = Tool { print: kaitai_definition, reads_the_same: kaitai::reads_the_same };

pub const IMHEX: Tool = Tool { print: imhex_pattern, reads_the_same: imhex::reads_the_same };

/// Reads the summary, the longest row of the table of exports and the last one, each as its bytes stand in the file; says
/// how many rows.
pub fn rows_are_read_the_same(tool: Tool, name: &str, package: &Package) -> usize {
    is_read_the_same(tool, &format!("{name} summary"), package.summary(), 0, package);
    let rows: Vec<_> = package.exports().iter().map(|export| export.entry()).collect();
    let sizes: Vec<usize> = rows.iter().map(|row| bytes_of(*row, package)).collect();
    let longest = (0..rows.len()).max_by_key(|row| sizes[*row]);
    let wanted: BTreeSet<usize> = longest.into_iter().chain(rows.len().checked_sub(1)).collect();
    for row in &wanted {
        let place = package.summary().export_offset as usize + sizes[..*row].iter().sum::<usize>();
        is_read_the_same(tool, &format!("{name} export {row}"), rows[*row], place, package);
    }
    wanted.len()
}

/// How many bytes a value takes in the file.
fn bytes_of<T: Archived + Clone>(value: &T, package: &Package) -> usize {
    size(value, package.versions()).expect("it is counted") as usize
}

/// Reads a value of the file by what is printed of its layout.
fn is_read_the_same<T>(tool: Tool, name: &str, value: &T, place: usize, package: &Package)
where
    T: Archived + Default + Clone,
{
    let versions = package.versions();
    let bytes = &package.source()[place..place + bytes_of(value, package)];
    tool.reads::<T>(name, bytes, versions);
}

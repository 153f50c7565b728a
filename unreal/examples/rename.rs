//! Renames a name of a package and saves the result to another file.
//!
//! ```text
//! cargo run --example rename -- FILE OLD NEW OUT
//! ```
//! Without arguments it works on a small package that it builds in memory.

use unreal_packages::Package;
use unreal_packages::generate::Builder;
use unreal_packages::package::SaveOptions;
use unreal_packages::prelude::*;

fn main() -> unreal_packages::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, old, new, out] = &arguments[..] else { return in_memory() };
    let mut package = Package::open(file)?;
    package.edit(|edit| edit.rename_name(old, new))?;
    let saved = package.save(&SaveOptions::new())?;
    saved.write_file(out)?;
    let report = saved.report;
    println!("{out}: layout {:?}, {} bodies moved", report.layout, report.moved.len());
    Ok(())
}

fn in_memory() -> unreal_packages::Result<()> {
    let bytes = Builder::new(69).export("Readme", "Engine.TextBuffer", *b"\0body").build()?;
    let mut package = Package::from_bytes(bytes)?;
    package.edit(|edit| edit.rename_name("Readme", "Instructions"))?;
    let saved = package.save(&SaveOptions::new())?;
    let reopened = Package::from_bytes(saved.bytes)?;
    assert!(reopened.find("Readme").is_none());
    let row = reopened.find_export("Instructions")?;
    assert_eq!(reopened.body(row)?, b"\0body");
    println!("Readme is Instructions now; layout {:?}", saved.report.layout);
    Ok(())
}

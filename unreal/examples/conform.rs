//! Conforms a new package to the one that players have, so that both may meet on the net.
//!
//! ```text
//! cargo run --example conform -- NEW OLD OUT
//! ```
//! Without arguments it works on two small packages that it builds in memory.

use unreal_packages::Package;
use unreal_packages::edit::mismatches;
use unreal_packages::generate::Builder;
use unreal_packages::package::SaveOptions;
use unreal_packages::prelude::*;

fn main() -> unreal_packages::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [new, old, out] = &arguments[..] else { return in_memory() };
    let (mut new, old) = (Package::open(new)?, Package::open(old)?);
    // Names that nothing uses would be kept as if they were needed.
    new.edit(|edit| edit.prune())?;
    let report = new.edit(|edit| edit.conform_to(&old))?;
    new.save(&SaveOptions::new())?.write_file(out)?;
    println!(
        "{out}: generation {}; exports: {} kept, {} added, {} gone",
        report.generations,
        report.exports_kept,
        report.exports_added.len(),
        report.exports_nulled.len()
    );
    Ok(())
}

fn in_memory() -> unreal_packages::Result<()> {
    let build = |objects: &[&str]| {
        // The body of an object without properties: the name `None`, which is row 0.
        let add = |builder: Builder, name: &&str| builder.export(*name, "Engine.Info", [0]);
        Package::from_bytes(objects.iter().fold(Builder::new(69), add).build()?)
    };
    let old = build(&["Sword", "Shield", "Bow"])?;
    let mut new = build(&["Bow", "Axe", "Sword"])?;
    for reason in mismatches(&new, &old) {
        println!("before: {reason}");
    }
    new.edit(|edit| edit.conform_to(&old))?;
    assert!(mismatches(&new, &old).is_empty());
    // What both have stands where the old one has it, what is gone is null, what is new comes last.
    let rows: Vec<String> = new.exports().iter().map(|export| export.path()).collect();
    assert_eq!(rows, ["Sword", "None", "Bow", "Axe"]);
    println!("after: {} with {} generations", rows.join(", "), new.summary().generations.len());
    Ok(())
}

//! Sets a property of an object, shows what that changes, and saves the result to another file.
//!
//! ```text
//! cargo run --example edit_property -- FILE OBJECT PROPERTY VALUE OUT
//! cargo run --example edit_property -- DM-Deck16.unr LevelSummary Title Arena Out.unr
//! ```
//! Without arguments it works on a small package that it builds in memory.

use unreal_packages::Package;
use unreal_packages::compare::diff;
use unreal_packages::generate::Builder;
use unreal_packages::package::SaveOptions;
use unreal_packages::prelude::*;

fn main() -> unreal_packages::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, object, property, value, out] = &arguments[..] else { return in_memory() };
    let old = Package::open(file)?;
    let mut new = old.clone();
    // Decoded bodies may move, so the object may grow.
    new.decode_all();
    // The text is read as the type that the stored value or the class's declaration has.
    new.edit(|edit| edit.set_property(object, property, value))?;
    show(&old, &new);
    let saved = new.save(&SaveOptions::new())?;
    saved.write_file(out)?;
    let report = saved.report;
    println!("{out}: layout {:?}, {} bodies moved", report.layout, report.moved.len());
    Ok(())
}

fn in_memory() -> unreal_packages::Result<()> {
    // A body of one byte: a list of properties that is empty.
    let bytes = Builder::new(69).export("Lamp", "Engine.Light", *b"\0").build()?;
    let old = Package::from_bytes(bytes)?;
    let mut new = old.clone();
    // Nobody knows the class, so the types are given.
    new.edit(|edit| edit.add_property("Lamp", "LightRadius", &"byte".parse()?, "64"))?;
    new.edit(|edit| {
        edit.add_property("Lamp", "Location", &"struct:Vector".parse()?, "(X=1,Y=2,Z=3)")
    })?;
    new.edit(|edit| edit.set_property("Lamp", "Location.Z", "10.5"))?;
    show(&old, &new);
    let reopened = Package::from_bytes(new.to_bytes()?)?;
    assert_eq!(reopened.values().property("Lamp", "Location")?.text, "(X=1.0,Y=2.0,Z=10.5)");
    Ok(())
}

fn show(old: &Package, new: &Package) {
    for object in diff(old, new).changed {
        for change in object.changes {
            println!("{}: {change}", object.path);
        }
    }
}

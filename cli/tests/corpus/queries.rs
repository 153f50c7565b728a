//! What a question to a large map costs beside a list of its objects: valgrind counts the instructions of the command.

use std::path::Path;

use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{Package, SaveOptions};

use crate::common::Folder;
use crate::instructions::instructions;
use crate::level::level_with;

const ACTORS: usize = 10_000;
/// What each second actor stores; of the others, `Ratio` has the default of the class.
const STORED: [(&str, &str); 6] = [
    ("Count", "7"),
    ("Tag", "Lamp"),
    ("bOn", "True"),
    ("Title", "\"Hall of fame\""),
    ("Spot", "(Px=1.5,Py=2.0)"),
    ("Kind", "KB"),
];
/// Instructions of a question by those of the list.
const MOST: f64 = 2.0;

/// The body of an actor that stores these values.
fn body(values: &[(&str, &str)]) -> Vec<u8> {
    let mut package = Package::from_bytes(level_with(69, |builder| builder)).unwrap();
    for (property, text) in values {
        package.edit(|edit| edit.set_property("Lamp0", property, text)).unwrap();
    }
    let saved = package.save(&SaveOptions::new()).unwrap().bytes;
    let package = Package::from_bytes(saved).unwrap();
    let row = package.find_export("Lamp0").unwrap();
    let export = package.exports().get(row).unwrap();
    let start = export.offset() as usize;
    package.source()[start..start + export.size() as usize].to_vec()
}

/// A map of many actors, whose class is in it and has a default.
fn map() -> Vec<u8> {
    let bodies = [body(&STORED), body(&[("Count", "70"), ("Ratio", "2.5"), ("Tag", "Lamp")])];
    let actors = |builder: unreal_packages::generate::Builder| {
        (0..ACTORS).fold(builder, |builder, at| {
            builder.export(format!("Lamp_{at}"), "Lamp", bodies[at % 2].clone())
        })
    };
    let mut package = Package::from_bytes(level_with(69, actors)).unwrap();
    package.edit(|edit| edit.set_property("Lamp", "Ratio", "0.5")).unwrap();
    assert_eq!(package.values().property("Lamp_1", "Ratio").unwrap().text, "2.5");
    package.save(&SaveOptions::new()).unwrap().bytes.to_vec()
}

/// Lines that the command prints, and its instructions.
fn counted(file: &Path, arguments: &[&str]) -> (usize, f64) {
    // Another build of the command may be measured: one that is optimised.
    let program = std::env::var_os("UPK").unwrap_or_else(|| env!("CARGO_BIN_EXE_upk").into());
    let (output, count) = instructions(|command| {
        command.arg(program).arg("list").arg(file).args(arguments);
    });
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8_lossy(&output.stdout).lines().count(), count as f64)
}

pub fn a_question_costs_at_most_two_lists() {
    let folder = Folder::new();
    let file = folder.write("Large.u", map());
    let (listed, list) = counted(&file, &[]);
    assert!(listed > ACTORS);
    let question = "class==Lamp && Count<30 && Ratio<1";
    let (found, asked) = counted(&file, &["--where", question]);
    // The two lamps of every such level have neither value, and so the defaults.
    assert!((ACTORS / 2..ACTORS / 2 + 6).contains(&found), "{found} lines");
    let ratio = asked / list;
    println!("list {list} instructions, question {asked}: {ratio:.2}");
    assert!(ratio <= MOST, "a question costs {ratio:.2} lists");
}

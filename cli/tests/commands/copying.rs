//! What `upk copy` and `upk add` say: names that are others, and what is used instead of copies.

use crate::common;

use common::Folder;
use unreal_packages::Guid;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;

/// A skin that refers to a palette with this body: type 5 a reference, type 2 a number.
fn skins(palette: &[u8]) -> Vec<u8> {
    let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4)).name("Target").name("Number");
    let builder = builder.export("Palette", "Engine.Info", palette).export(
        "Skin",
        "Engine.Info",
        [1, 0x05, 1, 0],
    );
    builder.build().unwrap()
}

#[test]
fn copy_says_what_is_used_and_what_has_another_name() {
    let folder = Folder::new();
    folder.write("Skins.utx", skins(&[2, 0x22, 7, 0, 0, 0, 0]));
    folder.write("Same.utx", skins(&[2, 0x22, 7, 0, 0, 0, 0]));
    folder.write("Other.utx", skins(&[2, 0x22, 8, 0, 0, 0, 0]));
    let out = folder.arg("Out.utx");
    let copy = |into: &str, rest: &[&str]| {
        let into = folder.arg(into);
        let args = ["Skin", "--into", &into, "--as", "Hide", "--dependencies", "copy"];
        let args = [&args[..], &["--overwrite", "-o", &out], rest].concat();
        folder.run("copy", "Skins.utx", &args).exits(0)
    };
    let run = copy("Same.utx", &[]);
    assert!(run.out.contains("  Palette (there already)\n"), "{run:?}");
    assert!(run.out.contains("  Skin is called Hide here\n"), "{run:?}");
    assert!(!run.out.contains("Palette1"), "{run:?}");
    let run = copy("Other.utx", &[]);
    assert!(run.out.contains("  Palette is called Palette1 here\n"), "{run:?}");
    let change = copy("Other.utx", &["--json"]).object()["change"].clone();
    let renamed = |source: &str, path: &str| serde_json::json!({ "source": source, "path": path });
    assert_eq!(
        change["renamed"],
        serde_json::json!([renamed("Palette", "Palette1"), renamed("Skin", "Hide")])
    );
    assert_eq!(
        (&change["reused"], &change["dropped"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    let package = folder.open("Out.utx");
    assert_eq!(package.values().property("Hide", "Target").unwrap().text, "Info'Palette1'");
    // The name of the original is taken.
    let other = folder.arg("Other.utx");
    let run = folder
        .run("copy", "Skins.utx", &["Skin", "--into", &other, "--overwrite", "-o", &out])
        .exits(1);
    assert!(run.err.contains("choose another name"), "{run:?}");
}

#[test]
fn copy_takes_wildcards_conditions_and_lists() {
    let folder = Folder::new();
    folder.write("Skins.utx", skins(&[2, 0x22, 7, 0, 0, 0, 0]));
    folder.write("Empty.utx", Builder::new(69).guid(Guid::new(5, 6, 7, 8)).build().unwrap());
    folder.write("list.txt", "Skin\n\nPalette\n");
    let (out, list) = (folder.arg("Out.utx"), format!("@{}", folder.arg("list.txt")));
    let copy = |into: &str, object: &str, rest: &[&str]| {
        let into = folder.arg(into);
        let args = [&[object, "--into", &into, "--overwrite", "-o", &out], rest].concat();
        folder.run("copy", "Skins.utx", &args)
    };
    for words in [&["*"][..], &[&list], &["*", "--where", "class==Info"]] {
        let run = copy("Empty.utx", words[0], &words[1..]).exits(0);
        assert!(run.out.contains("copied 2 objects (2 new objects)"), "{run:?}");
        let package = folder.open("Out.utx");
        assert_eq!(package.values().property("Skin", "Target").unwrap().text, "Info'Palette'");
    }
    let change = copy("Empty.utx", &list, &["--json"]).exits(0).object()["change"].clone();
    assert_eq!(change["copies"], serde_json::json!(["Skin", "Palette"]));
    // Of several objects each gets a name that is free.
    let run = copy("Skins.utx", "*", &[]).exits(0);
    assert!(run.out.contains("  Skin is called Skin1 here\n"), "{run:?}");
    let run = copy("Empty.utx", "*", &["--where", "Number==8"]).exits(1);
    assert!(run.err.contains("nothing fits '*'"), "{run:?}");
    let run = copy("Empty.utx", "*", &["--as", "One"]).exits(1);
    assert!(run.err.contains("2 objects can't all be called 'One'"), "{run:?}");
}

//! What `upk copy` and `upk add` say: names that are others, and what is used instead of copies.

use crate::common;

use common::Folder;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::{Guid, Package};

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
fn copy_says_which_version_it_has_converted() {
    let folder = Folder::new();
    folder.write("Skins.utx", skins(&[2, 0x22, 7, 0, 0, 0, 0]));
    let older = Builder::new(61).guid(Guid::new(4, 3, 2, 1)).build().unwrap();
    folder.write("Older.utx", older);
    let (into, out) = (folder.arg("Older.utx"), folder.arg("Out.utx"));
    let args = ["Skin", "--into", &into, "--dependencies", "copy", "--json", "-o", &out];
    let change = folder.run("copy", "Skins.utx", &args).exits(0).object()["change"].clone();
    assert_eq!(change["converted_from"], 69);
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

#[test]
fn references_by_guid_among_copies_are_to_the_copies() {
    let guids = ["(A=1,B=2,C=3,D=4)", "(A=5,B=6,C=7,D=8)"];
    let far = "(A=9,B=9,C=9,D=9)";
    let guid = Guid::new(1, 2, 3, 4);
    let mut package = Package::from_bytes(Builder::new(868).guid(guid).build().unwrap()).unwrap();
    let made = package.edit(|edit| -> unreal_packages::Result<()> {
        for (name, guid) in ["One", "Two"].into_iter().zip(guids) {
            edit.add_blank_object(name, "Engine.Info")?;
            edit.add_property(name, "NavGuid", &"struct:Guid".parse()?, guid)?;
        }
        for (name, guid) in [("Next", guids[1]), ("Far", far)] {
            let known = "struct:ActorReference".parse()?;
            edit.add_property("One", name, &known, "(Actor=Info'Two')")?;
            edit.set_property("One", &format!("{name}.Guid:struct:Guid"), guid)?;
        }
        Ok(())
    });
    made.unwrap();
    let folder = Folder::new();
    folder.write("Points.upk", package.to_bytes().unwrap());
    folder.write("which.txt", "One\nTwo\n");
    let (which, out) = (format!("@{}", folder.arg("which.txt")), folder.arg("Out.upk"));
    folder.run("duplicate", "Points.upk", &[&which, "-o", &out]).exits(0);
    let twice = folder.open("Out.upk");
    let value = |path: &str| {
        let (object, property) = path.split_once('.').unwrap();
        twice.values().property(object, property).unwrap().text
    };
    let rows = 0..twice.exports().len();
    let paths: Vec<String> = rows.map(|row| twice.exports().path(row)).collect();
    let [one, two] = &paths[2..] else { panic!("{paths:?}") };
    let new = value(&format!("{two}.NavGuid"));
    assert!(new != guids[1] && value(&format!("{one}.NavGuid")) != guids[0], "{new}");
    assert_eq!(value(&format!("{one}.Next.Guid")), new);
    // What is not among them keeps its GUID, and so does the original.
    assert_eq!(value(&format!("{one}.Far.Guid")), far);
    assert_eq!(value("One.Next.Guid"), guids[1]);
    // One that is copied alone still means the original's neighbour.
    let arguments = ["One", "Twin", "--overwrite", "-o", &out];
    folder.run("duplicate", "Points.upk", &arguments).exits(0);
    let twin = folder.open("Out.upk");
    assert_eq!(twin.values().property("Twin", "Next.Guid").unwrap().text, guids[1]);
}

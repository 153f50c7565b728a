//! The difference of two packages as a file of edits.

use unreal_packages::compare::diff;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::generate::Builder;
use unreal_packages::{EngineRelease, Package};

use crate::common::{Folder, Run, upk};

/// Lights of these names and radii.
fn lights(lights: &[(&str, u8)]) -> Vec<u8> {
    let guid = "0123456789ABCDEF0123456789ABCDEF".parse().unwrap();
    let mut builder = Builder::new(69).guid(guid).name("None").name("LightRadius");
    for (name, radius) in lights {
        // The name, a byte of one byte, the value; the end of the list.
        builder = builder.export(*name, "Engine.Light", vec![1, 0x01, *radius, 0]);
    }
    builder.build().unwrap()
}

/// A folder with both packages, and the file of edits between them.
fn patched(old: Vec<u8>, new: Vec<u8>) -> (Folder, String) {
    let folder = Folder::new();
    folder.write("Old.u", old);
    folder.write("New.u", new);
    let [old, new, patch] = ["Old.u", "New.u", "patch.txt"].map(|file| folder.arg(file));
    upk(&["diff", &old, &new, "--as-edits", "-o", &patch]).exits(0);
    let text = String::from_utf8(folder.read("patch.txt")).unwrap();
    (folder, text)
}

/// Carries the file of edits out on a package of the folder.
fn carried_out(folder: &Folder, file: &str, more: &[&str]) -> Run {
    let [patch, file, out] = ["patch.txt", file, "Out.u"].map(|file| folder.arg(file));
    upk(&[&["edit", &patch, &file, "-o", &out, "--overwrite"], more].concat())
}

#[test]
fn values_are_commands_that_expect_the_old_ones() {
    let (folder, text) =
        patched(lights(&[("One", 1), ("Two", 2)]), lights(&[("One", 9), ("Two", 2)]));
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(lines, ["expect 'One.LightRadius == 1'", "set One.LightRadius=9"]);
    assert!(text.lines().nth(1).unwrap().starts_with("base "), "{text}");
    carried_out(&folder, "Old.u", &[]).exits(0);
    assert_eq!(folder.read("Out.u"), folder.read("New.u"));
}

#[test]
fn objects_that_come_and_go_are_parts_of_the_document() {
    let (old, new) = ([("One", 1), ("Two", 2)], [("Two", 3), ("It's", 4), ("$New", 5)]);
    let (folder, text) = patched(lights(&old), lights(&new));
    assert!(text.contains("\nput One --was "), "{text}");
    assert!(text.contains("--row 1"), "{text}");
    carried_out(&folder, "Old.u", &[]).exits(0);
    assert!(diff(&folder.open("Out.u"), &folder.open("New.u")).is_empty());
}

#[test]
fn another_version_is_left_alone_or_gets_what_fits() {
    let (folder, _) = patched(
        lights(&[("One", 1), ("Two", 2), ("Three", 3)]),
        lights(&[("One", 9), ("Two", 8), ("Four", 4)]),
    );
    folder.write("Other.u", lights(&[("One", 1), ("Two", 77), ("Three", 3), ("Mine", 6)]));
    let run = carried_out(&folder, "Other.u", &[]).exits(1);
    assert!(run.out.contains("expects another version of the package"), "{run:?}");
    assert!(run.out.contains("\n  next: --what-fits"), "{run:?}");
    assert!(!folder.path("Out.u").exists());
    let run = carried_out(&folder, "Other.u", &["--what-fits"]).exits(1);
    assert!(run.out.contains("left out: line 2: it expects another version"), "{run:?}");
    assert!(run.out.contains("Two.LightRadius is 77"), "{run:?}");
    let package = folder.open("Out.u");
    for (object, is_there) in [("Four", true), ("Mine", true), ("Three", false)] {
        assert_eq!(package.find_export(object).is_ok(), is_there, "{object}");
    }
    use unreal_packages::inspect::PackageValues;
    let radius = |object| package.values().property(object, "LightRadius").unwrap().text;
    assert_eq!([radius("One"), radius("Two")], ["9", "77"]);
    let report = carried_out(&folder, "Other.u", &["--what-fits", "--json"]).exits(1).object();
    assert!(report["change"]["left_out"].as_array().unwrap().len() >= 2, "{report}");
}

#[test]
fn what_is_the_same_is_a_file_that_changes_nothing() {
    let (folder, text) = patched(lights(&[("One", 1)]), lights(&[("One", 1)]));
    assert_eq!(text.lines().count(), 2, "{text}");
    carried_out(&folder, "Old.u", &[]).exits(0);
    assert_eq!(folder.read("Out.u"), folder.read("Old.u"));
}

#[test]
fn lines_that_nobody_wrote_so_are_refused() {
    let folder = Folder::new();
    folder.write("Map.u", lights(&[("One", 1)]));
    let base = "base 0000000000000000000000000000000000000000000000000000000000000000";
    for (line, code, said) in [
        ("base 12", 2, "line 1: the package is not named by its hash"),
        (base, 1, "left alone: line 1"),
        ("put One", 2, "an object and its value"),
        ("put Two {}", 1, "line 1"),
        ("put One {", 2, "the value is no JSON"),
        ("put --key names --row 0 5", 2, "rows of a list are a list"),
        ("put One --was 5 null", 2, "line 1"),
        ("put One --was 0000000000000000 null", 1, "something else stands there"),
        ("put Two 5", 2, "its entry of the document, or null"),
        ("put --key names --row 99 --count 99999999999 []", 1, "something else stands there"),
        ("for One {\nput One null\n}", 2, "line 2: 'put' is no line of a group"),
    ] {
        folder.write("patch.txt", line);
        let run = carried_out(&folder, "Map.u", &[]);
        assert!(run.code == code && (run.out.clone() + &run.err).contains(said), "{line}: {run:?}");
        assert!(!folder.path("Out.u").exists(), "{line}");
    }
}

/// A file of edits for each pair makes the one of the other.
fn each_makes_the_others(folder: &Folder, files: &[&str]) {
    for (old, new) in files.iter().flat_map(|old| files.iter().map(move |new| (old, new))) {
        let [before, after, patch] = [old, new, &"patch.txt"].map(|file| folder.arg(file));
        upk(&["diff", &before, &after, "--as-edits", "-o", &patch, "--overwrite"]).exits(0);
        carried_out(folder, old, &[]).exits(0);
        let left = diff(&folder.open("Out.u"), &folder.open(new));
        assert!(left.is_empty(), "{old} to {new}: {left:?}");
    }
}

#[test]
fn pictures_are_carried_without_their_positions() {
    let folder = Folder::new();
    let builder = Builder::for_release(EngineRelease::new(5, 4));
    let object = |builder: Builder, name| builder.export(name, "/Script/Engine.Thing", vec![7; 50]);
    let mut package =
        Package::from_bytes(object(object(builder, "One"), "Two").build().unwrap()).unwrap();
    let mut save = |file: &str, edit: &dyn Fn(&mut Edit) -> unreal_packages::Result<()>| {
        package.edit(|it| edit(it)).unwrap();
        folder.write(file, package.to_bytes().unwrap());
    };
    let picture = |side: u8| {
        let mut picture = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
        picture.extend([0, 0, 0, side, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
        picture
    };
    save("None.u", &|_| Ok(()));
    save("One.u", &|edit| edit.set_thumbnail("One", &picture(1)).map(drop));
    save("Both.u", &|edit| edit.set_thumbnail("Two", &picture(2)).map(drop));
    save("Changed.u", &|edit| edit.set_thumbnail("One", &picture(3)).map(drop));
    save("Same.u", &|edit| edit.set_thumbnail("Two", &picture(3)).map(drop));
    save("Grown.u", &|edit| edit.add_name("ANameThatMovesAll").map(drop));
    each_makes_the_others(&folder, &["None.u", "One.u", "Both.u", "Changed.u", "Same.u"]);
    // The other way a name would go that bytes may say.
    let [old, new, patch] = ["Same.u", "Grown.u", "patch.txt"].map(|file| folder.arg(file));
    upk(&["diff", &old, &new, "--as-edits", "-o", &patch, "--overwrite"]).exits(0);
    carried_out(&folder, "Same.u", &[]).exits(0);
    assert!(diff(&folder.open("Out.u"), &folder.open("Grown.u")).is_empty());
    let text = String::from_utf8(folder.read("patch.txt")).unwrap();
    assert!(!text.contains("thumbnail"), "{text}");
}

#[test]
fn flags_that_most_names_have_are_carried() {
    let folder = Folder::new();
    folder.write("Old.u", lights(&[("One", 1), ("Two", 2)]));
    let [old, document, new] = ["Old.u", "Old.json", "New.u"].map(|file| folder.arg(file));
    upk(&["to-json", &old, "-o", &document]).exits(0);
    let mut text: serde_json::Value = serde_json::from_slice(&folder.read("Old.json")).unwrap();
    text["stored"]["name_flags"] = 0x70000.into();
    folder.write("Old.json", text.to_string());
    upk(&["from-json", &document, "-o", &new]).exits(0);
    assert!(!diff(&folder.open("Old.u"), &folder.open("New.u")).is_empty());
    each_makes_the_others(&folder, &["Old.u", "New.u"]);
}

//! `grep`: texts of packages by pattern, with their places.

use crate::common;

use common::{Folder, upk};
use unreal_packages::generate::Builder;

/// Names, a class with a variable, its source in two lines.
fn with_texts() -> Folder {
    let folder = Folder::with_mod();
    let mut source = vec![0, 0, 0, 0, 0, 0, 0, 0, 21];
    source.extend(b"one\r\ntwo Fire\r\nthree\0");
    let source = Builder::new(69).export("Gun", "Core.Package", []).export(
        "Gun.ScriptText",
        "Core.TextBuffer",
        [&[0], &source[..]].concat(),
    );
    folder.write("sub/Gun.u", source.build().unwrap());
    folder
}

#[test]
fn hits_say_where_they_stand() {
    let folder = with_texts();
    let gun = folder.arg("sub/Gun.u");
    let run = upk(&["grep", "Fire", &gun]).exits(0);
    assert_eq!(run.out, "Gun.ScriptText text:2: two Fire\n", "{run:?}");
    let run = upk(&["grep", "^Gun", &gun, "--names"]).exits(0);
    assert!(run.out.contains("export #1: Gun.ScriptText\n"), "{run:?}");
    assert!(run.out.lines().any(|line| line.starts_with("name #")), "{run:?}");
    let hit = upk(&["grep", "-i", "FIRE", &gun, "--json"]).exits(0).object();
    assert_eq!(
        hit,
        serde_json::json!({ "package": gun, "kind": "text", "row": 1, "object": "Gun.ScriptText",
                            "path": "text", "line": 2, "text": "two Fire" })
    );
}

#[test]
fn exit_codes_say_found_nothing_or_wrong() {
    let folder = with_texts();
    let gun = folder.arg("sub/Gun.u");
    upk(&["grep", "Fire", &gun]).exits(0);
    assert_eq!(upk(&["grep", "fire", &gun]).exits(1).out, "");
    upk(&["grep", "Fire", &gun, "--values", "--code", "--names"]).exits(1);
    assert!(upk(&["grep", "Fi(re", &gun]).exits(2).err.contains("-F takes it as a plain text"));
    upk(&["grep", "-F", "Fi(re", &gun]).exits(1);
    upk(&["grep", "-F", "F.re", &gun]).exits(1);
    upk(&["grep", "F.re", &gun]).exits(0);
    upk(&["grep", "Fire", "/no/such/folder"]).exits(2);
}

#[test]
fn folders_are_searched_in_order_and_damage_is_an_error_behind_the_hits() {
    let folder = with_texts();
    folder.write("Gun2.u", folder.read("sub/Gun.u"));
    folder.write("notes.txt", "Fire");
    let root = folder.arg("");
    let line = |file: &str| format!("{}: Gun.ScriptText text:2: two Fire\n", folder.arg(file));
    let run = upk(&["grep", "Fire", &root]).exits(0);
    assert_eq!(run.out, line("Gun2.u") + &line("sub/Gun.u"));
    let run = upk(&["grep", "-l", "Fire", &root]).exits(0);
    assert_eq!(run.out, format!("{}\n{}\n", folder.arg("Gun2.u"), folder.arg("sub/Gun.u")));
    let counts = upk(&["grep", "-c", "t", &root, "--texts", "--json"]).exits(0).json();
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert_eq!(counts[0]["count"], 2, "{counts:?}");
    folder.write("cut.u", &folder.read("Mod.u")[..100]);
    let run = upk(&["grep", "Fire", &root]).exits(2);
    assert_eq!(run.out, line("Gun2.u") + &line("sub/Gun.u"));
    assert!(
        run.err.contains("cut.u") && run.err.contains("1 package can't be searched"),
        "{run:?}"
    );
}

#[test]
fn what_is_found_in_a_property_can_be_set() {
    let folder = Folder::new();
    let file = folder.arg("Out.u");
    folder.write("Map.u", Builder::new(69).export("Lamp", "Engine.Light", [0]).build().unwrap());
    let map = folder.arg("Map.u");
    upk(&["set", &map, "Lamp.Tag=Corridor", "--type", "name", "-o", &file]).exits(0);
    let hit = upk(&["grep", "Corri", &file, "--values", "--json"]).exits(0).object();
    assert_eq!(hit["property"], "Lamp.Tag");
    let run = upk(&["grep", "Corri", &file, "--values"]).exits(0);
    assert_eq!(run.out, "Lamp.Tag=Corridor\n");
    assert_eq!(upk(&["get", &file, "Lamp.Tag"]).exits(0).out, "Tag=Corridor\n".to_owned());
}

//! Save games and texts of languages on the command line.

use crate::common;

#[path = "../../../tests/common/related.rs"]
pub mod made;

use common::{Folder, upk};
use unreal_packages::related::PackedSave;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("Slot1.sav", made::save_game());
    folder.write("Game.locres", made::texts(3));
    folder
}

#[test]
fn save_games_are_shown_and_changed() {
    let folder = folder();
    let info = folder.run("info", "Slot1.sav", &["--json"]).exits(0).object();
    assert_eq!(info["kind"], "save game");
    assert_eq!(info["class"], "/Script/Game.MySave");
    assert_eq!(info["opaque"], 0);
    let all = folder.run("get", "Slot1.sav", &[]).exits(0).out;
    assert!(all.contains("Health=75\n") && all.contains("Home=(Level=3)\n"), "{all}");
    let out = folder.arg("Out.sav");
    folder.run("set", "Slot1.sav", &["Home.Level=99", "Player=Somebody", "-o", &out]).exits(0);
    assert_eq!(folder.run("get", "Out.sav", &["Player"]).exits(0).out, "Player=Somebody\n");
    let rows = folder.run("verify", "Out.sav", &["--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "identical");
    folder.run("set", "Slot1.sav", &["Health=1", "--in-place"]).exits(0);
    assert!(folder.path("Slot1.sav.bak").exists());
    let json = folder.run("to-json", "Slot1.sav", &[]).exits(0).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["values"][0]["value"], "1");
    // What is not there, what is no value, what save games do not have.
    folder.run("get", "Slot1.sav", &["Nothing"]).exits(1);
    folder.run("set", "Slot1.sav", &["Health=many", "--dry-run"]).exits(1);
    folder.run("set", "Slot1.sav", &["--remove", "Health", "--dry-run"]).exits(2);
    folder.write("Bad.sav", "GVAS");
    folder.run("info", "Bad.sav", &[]).exits(2);
    folder.run("verify", "Bad.sav", &[]).exits(1);
}

#[test]
fn texts_of_languages_are_shown_and_changed() {
    let folder = folder();
    let info = folder.run("info", "Game.locres", &[]).exits(0).out;
    assert!(info.contains("keys         3\n"), "{info}");
    let out = folder.arg("Out.locres");
    folder.run("set", "Game.locres", &["Menu/Start=Begin", "-o", &out]).exits(0);
    let all = upk(&["get", &out]).exits(0).out;
    assert_eq!(all, "Menu/Start=Begin\nMenu/Stop=Go\n/Bare=Nackt – ohne\n");
    upk(&["verify", &out]).exits(0);
    folder.run("get", "Game.locres", &["Menu/Nothing"]).exits(1);
}

#[test]
fn documents_of_files_beside_packages_come_back() {
    let folder = folder();
    for (file, changed, from, to) in [
        ("Slot1.sav", "Health", "\"75\"", "\"76\""),
        ("Game.locres", "Menu/Start", "\"value\": \"Go\"", "\"value\": \"Los\""),
    ] {
        let (json, out) = (folder.arg("It.json"), folder.arg("Out.bin"));
        folder.run("to-json", file, &["-o", &json, "--overwrite"]).exits(0);
        folder.run("from-json", "It.json", &["-o", &out, "--overwrite"]).exits(0);
        assert_eq!(folder.read("Out.bin"), folder.read(file), "{file}");
        let text = String::from_utf8(folder.read("It.json")).unwrap();
        assert!(text.contains(from), "{text}");
        folder.write("It.json", text.replacen(from, to, 1));
        folder.run("from-json", "It.json", &["-o", &out, "--overwrite"]).exits(0);
        folder.write(&format!("Out-{file}"), folder.read("Out.bin"));
        let value = folder.run("get", &format!("Out-{file}"), &[changed]).exits(0).out;
        assert!(
            value.contains(&to[to.rfind(' ').map_or(0, |at| at + 1)..].replace('"', "")),
            "{value}"
        );
    }
    // What is not stored is added.
    let json = folder.arg("It.json");
    folder.run("to-json", "Slot1.sav", &["-o", &json, "--overwrite"]).exits(0);
    let mut document: serde_json::Value = serde_json::from_slice(&folder.read("It.json")).unwrap();
    let new = serde_json::json!({ "property": "Lives", "type": "int", "value": "3" });
    document["values"].as_array_mut().unwrap().push(new);
    folder.write("It.json", document.to_string());
    let out = folder.arg("New.sav");
    folder.run("from-json", "It.json", &["-o", &out]).exits(0);
    assert_eq!(folder.run("get", "New.sav", &["Lives"]).exits(0).out, "Lives=3\n");
    folder.run("set", "New.sav", &["Extra:string=x", "--in-place"]).exits(0);
    assert_eq!(folder.run("get", "New.sav", &["Extra"]).exits(0).out, "Extra=\"x\"\n");
    folder.write("It.json", document.to_string().replace("\"Lives\"", "\"\""));
    folder.run("from-json", "It.json", &["-o", &folder.arg("No.sav")]).exits(1);
}

#[test]
fn registries_of_assets_are_shown_and_come_back_from_their_documents() {
    let folder = Folder::new();
    folder.write("AssetRegistry.bin", made::registry());
    let info = folder.run("info", "AssetRegistry.bin", &["--json"]).exits(0).object();
    assert_eq!(info["kind"], "registry of assets");
    assert_eq!(
        (&info["version"], &info["assets"], &info["opaque"]),
        (&5.into(), &1.into(), &0.into())
    );
    let all = folder.run("get", "AssetRegistry.bin", &[]).exits(0).out;
    assert_eq!(all, "/Game/A.A_2=Texture2D\n");
    let one = folder.run("get", "AssetRegistry.bin", &["/Game/A.A_2"]).exits(0).out;
    assert_eq!(one, "Class=Texture2D\nSize=Größe\nChunkIDs=12\nPackageFlags=0x200\n");
    folder.run("get", "AssetRegistry.bin", &["/Game/None"]).exits(1);
    folder.run("set", "AssetRegistry.bin", &["A=B", "--dry-run"]).exits(1);
    let rows = folder.run("verify", "AssetRegistry.bin", &["--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "identical");
    let (json, out) = (folder.arg("It.json"), folder.arg("Out.bin"));
    folder.run("to-json", "AssetRegistry.bin", &["-o", &json]).exits(0);
    folder.run("from-json", "It.json", &["-o", &out]).exits(0);
    assert_eq!(folder.read("Out.bin"), folder.read("AssetRegistry.bin"));
    let text = String::from_utf8(folder.read("It.json")).unwrap().replace("Größe", "Breite");
    folder.write("It.json", text);
    folder.run("from-json", "It.json", &["-o", &out, "--overwrite"]).exits(0);
    let one = folder.run("get", "Out.bin", &["/Game/A.A_2"]).exits(0).out;
    assert!(one.contains("Size=Breite\n"), "{one}");
}

#[test]
fn registries_of_assets_are_tables_and_are_merged() {
    let folder = Folder::new();
    folder.write("AssetRegistry.bin", made::registry());
    let (out, new) = (folder.arg("Out"), folder.arg("New.bin"));
    let args = ["-o", &out, "--tables", "csv"];
    let said = folder.run("extract", "AssetRegistry.bin", &args).exits(0).out;
    assert!(said.starts_with("wrote 1 asset to "), "{said}");
    let table = String::from_utf8(folder.read("Out/AssetRegistry.csv")).unwrap();
    let head = "ObjectPath,Class,ChunkIDs,PackageFlags,tag Size\n";
    assert_eq!(table, format!("{head}/Game/A.A_2,Texture2D,12,0x200,Größe\n"));
    let csv = folder.arg("Out/AssetRegistry.csv");
    folder.run("import", "AssetRegistry.bin", &[&csv, "-o", &new]).exits(0);
    assert_eq!(folder.read("New.bin"), folder.read("AssetRegistry.bin"));

    folder.write("More.csv", format!("{table}/Game/B.B,World,,,\n"));
    let more = folder.arg("More.csv");
    folder.run("import", "AssetRegistry.bin", &[&more, "-o", &folder.arg("More.bin")]).exits(0);
    let all = folder.run("get", "More.bin", &[]).exits(0).out;
    assert_eq!(all, "/Game/A.A_2=Texture2D\n/Game/B.B=World\n");
    folder.write("No.csv", format!("{table}/Game/B.B,,,,\n"));
    let no = folder.arg("No.csv");
    let run = folder.run("import", "AssetRegistry.bin", &[&no, "-o", &folder.arg("No.bin")]);
    assert!(run.exits(1).err.contains("/Game/B.B is new and needs a class"));
    folder.run("verify", "More.bin", &[]).exits(0);

    // One has a new asset, the other another tag.
    let sets = ["/Game/A.A_2[Size]=Breite", "-o", &folder.arg("Theirs.bin")];
    folder.run("set", "AssetRegistry.bin", &sets).exits(0);
    let sides =
        [&folder.arg("More.bin")[..], &folder.arg("Theirs.bin"), "-o", &folder.arg("Both.bin")];
    folder.run("merge", "AssetRegistry.bin", &sides).exits(0);
    let one = folder.run("get", "Both.bin", &["/Game/A.A_2"]).exits(0).out;
    assert!(one.contains("Size=Breite\n"), "{one}");
    assert_eq!(folder.run("get", "Both.bin", &[]).exits(0).out, all);
    // A tag without characters is not no tag.
    let sets = ["/Game/A.A_2[Size]=", "-o", &folder.arg("Empty.bin")];
    folder.run("set", "AssetRegistry.bin", &sets).exits(0);
    let own = folder.arg("AssetRegistry.bin");
    let sides = [&own[..], &folder.arg("Empty.bin"), "-o", &folder.arg("Merged.bin")];
    folder.run("merge", "AssetRegistry.bin", &sides).exits(0);
    let one = folder.run("get", "Merged.bin", &["/Game/A.A_2"]).exits(0).out;
    assert!(one.contains("Size=\n"), "{one}");
    // Nor is a reference without its class the one with it.
    let sets = ["/Game/A.A_2[Size]=Texture2D'/Game/B.B'", "-o", &folder.arg("Classed.bin")];
    folder.run("set", "AssetRegistry.bin", &sets).exits(0);
    let csv = table.replace("Größe", "/Game/B.B");
    folder.write("Bare.csv", csv.replace("A_2", "a_2"));
    let bare = folder.arg("Bare.csv");
    let run = folder.run("import", "Classed.bin", &[&bare, "-o", &folder.arg("Bare.bin")]);
    assert!(run.exits(1).err.contains("'/Game/A.a_2' is called /Game/A.A_2"));
    folder.write("Bare.csv", csv);
    folder.run("import", "Classed.bin", &[&bare, "-o", &folder.arg("Bare.bin")]).exits(0);
    let one = folder.run("get", "Bare.bin", &["/Game/A.A_2"]).exits(0).out;
    assert!(one.contains("Size=/Game/B.B\n"), "{one}");
    // What is no row is not lost.
    let document = folder.arg("It.json");
    folder.run("to-json", "AssetRegistry.bin", &["-o", &document]).exits(0);
    let mut it: serde_json::Value = serde_json::from_slice(&folder.read("It.json")).unwrap();
    let needed = it.pointer_mut("/fields/dependencies/0/lists/0").expect("a node needs another");
    *needed = serde_json::json!([0]);
    folder.write("It.json", it.to_string());
    let other = folder.arg("Other.bin");
    folder.run("from-json", "It.json", &["-o", &other]).exits(0);
    let sides = [&own[..], &other, "--dry-run"];
    let run = folder.run("merge", "AssetRegistry.bin", &sides).exits(1);
    assert!(run.out.contains("what no row of a table holds"), "{run:?}");
    folder.run("merge", "AssetRegistry.bin", &[&other[..], &own, "--dry-run"]).exits(0);
    let sets = ["/Game/A.A_2[Size]=Höhe", "-o", &folder.arg("Ours.bin")];
    folder.run("set", "AssetRegistry.bin", &sets).exits(0);
    let sides = [&folder.arg("Ours.bin")[..], &folder.arg("Theirs.bin"), "--dry-run"];
    let run = folder.run("merge", "AssetRegistry.bin", &sides).exits(1);
    assert!(run.out.contains("Höhe") && run.out.contains("Breite"), "{run:?}");
}

#[test]
fn files_beside_packages_are_called_what_they_are() {
    let folder = folder();
    for (file, noun) in [("Slot1.sav", "a save game"), ("Game.locres", "texts of a language")] {
        let (json, out) = (folder.arg("It.json"), folder.arg(&format!("Again.{file}")));
        folder.run("to-json", file, &["-o", &json, "--overwrite"]).exits(0);
        let said = folder.run("from-json", "It.json", &["-o", &out]).exits(0).out;
        assert!(said.ends_with(&format!("bytes, {noun}\n")), "{said}");
        let remove = folder.run("set", file, &["--remove", "x", "--dry-run"]).exits(2).err;
        assert!(remove.contains(&format!("{file} is {noun}\n")), "{remove}");
    }
}

/// What a command of packages says of each, and that what it advises takes the file.
#[test]
fn commands_of_packages_say_what_a_file_beside_them_is() {
    let folder = folder();
    folder.write("Old.locres", made::texts(0));
    folder.write("AssetRegistry.bin", made::registry());
    folder.write("edits.txt", "rename A B\n");
    let edits = folder.arg("edits.txt");
    for (file, noun, set) in [
        ("Slot1.sav", "a save game (GVAS)", "Health=76"),
        ("Game.locres", "a file of localized texts (.locres)", "Menu/Start=Los"),
        ("Old.locres", "a file of localized texts (.locres)", "Menu/Start=Los"),
        ("AssetRegistry.bin", "an asset registry (AssetRegistry.bin)", "/Game/A.A_2[Size]=1"),
    ] {
        let path = folder.arg(file);
        let calls: [&[&str]; 5] = [
            &["grep", "foo", &path],
            &["edit", &edits, &path, "--dry-run"],
            &["list", &path],
            &["dump", &path],
            &["rename", &path, "A", "B", "--dry-run"],
        ];
        let next = "`upk info`, `get`, `set`, `to-json` and `verify` take it";
        for call in calls {
            let said = upk(call).exits(2).err;
            let expected = format!("not an Unreal package: it is {noun}\n  next: {next}\n");
            assert!(said.ends_with(&expected), "{call:?}: {said}");
        }
        for command in ["info", "get", "to-json", "verify"] {
            folder.run(command, file, &[]).exits(0);
        }
        folder.run("set", file, &[set, "--dry-run"]).exits(0);
        upk(&["diff", &path, &path]).exits(0);
    }
}

#[test]
fn texts_of_packed_save_games_are_those_of_the_save_game() {
    let folder = folder();
    let plain = folder.run("info", "Slot1.sav", &["--json"]).exits(0).object();
    assert_eq!(plain["class"], "/Script/Game.MySave");
    for method in *b"012" {
        let wrapper = PackedSave { method, ..PackedSave::default() };
        folder.write("Packed.sav", wrapper.pack(&made::save_game()).unwrap());
        let info = folder.run("info", "Packed.sav", &["--json"]).exits(0).object();
        let document = folder.run("to-json", "Packed.sav", &[]).exits(0).out;
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        for key in ["class", "branch", "engine", "version"] {
            assert_eq!((&info[key], &document[key]), (&plain[key], &plain[key]), "{key}");
        }
        assert_eq!(document["values"], {
            let plain = folder.run("to-json", "Slot1.sav", &[]).exits(0).out;
            serde_json::from_str::<serde_json::Value>(&plain).unwrap()["values"].clone()
        });
    }
}

#[test]
fn texts_of_languages_go_out_as_tables_and_in_again() {
    let folder = folder();
    let before = folder.read("Game.locres");
    let (out, saved) = (folder.arg("out"), folder.arg("Out.locres"));
    folder.run("extract", "Game.locres", &["-o", &out, "--tables", "csv"]).exits(0);
    let table = folder.arg("out/Game.csv");
    let run = folder.run("import", "Game.locres", &[&table, "-o", &saved]).exits(0);
    assert!(run.out.contains("the table is the one that is there"), "{run:?}");
    assert_eq!(folder.read("Out.locres"), before);
    let text = std::fs::read_to_string(folder.path("out/Game.csv")).unwrap();
    let text = text.replace("Start,Go", "Start,Los") + "New,Key,Wert,7\n";
    std::fs::write(folder.path("out/Game.csv"), text).unwrap();
    let args = ["--from", &table, "--in-place", "--json"];
    let done = folder.run("import", "Game.locres", &args).exits(0).object();
    assert_eq!(done["change"]["facts"]["added"], 1, "{done}");
    let all = folder.run("get", "Game.locres", &[]).exits(0).out;
    assert_eq!(all, "Menu/Start=Los\nMenu/Stop=Go\n/Bare=Nackt – ohne\nNew/Key=Wert\n");
    folder.run("import", "Game.locres", &["Menu", &table, "--in-place"]).exits(2);
    folder.run("extract", "Game.locres", &["Menu", "-o", &out]).exits(2);
    let ini = "[Hud]\r\n; comment\r\nTitle=Go\r\n";
    folder.write("Hud.int", ini);
    folder.run("extract", "Hud.int", &["-o", &out, "--tables", "csv"]).exits(0);
    let table = folder.arg("out/Hud.csv");
    let text = std::fs::read_to_string(folder.path("out/Hud.csv")).unwrap();
    assert_eq!(text, "Section,Key,Value\nHud,Title,Go\n");
    std::fs::write(folder.path("out/Hud.csv"), text.replace("Go", "Los")).unwrap();
    folder.run("import", "Hud.int", &[&table, "--in-place"]).exits(0);
    assert_eq!(folder.read("Hud.int"), ini.replace("Go", "Los").as_bytes());
}

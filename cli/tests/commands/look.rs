//! `info`, `list` and `explain`.

use crate::common;
use unreal_packages::inspect::Explanation;

use common::{Folder, small_package};
use serde_json::Value;

fn texts(rows: &[Value], key: &str) -> Vec<String> {
    rows.iter().map(|row| row[key].as_str().unwrap().to_owned()).collect()
}

#[test]
fn info_shows_header_tables_and_map() {
    let folder = Folder::with_mod();
    let run = folder.run("info", "Mod.u", &[]).exits(0);
    for text in ["Unreal Engine 1", "69/0", "AllowDownload (0x1)", "3 exports", "2 objects"] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    assert!(run.out.contains("00000001000000020000000300000004"), "{}", run.out);
}

#[test]
fn info_as_json_has_every_fact() {
    let folder = Folder::with_mod();
    let info = folder.run("info", "Mod.u", &["--json"]).exits(0).object();
    assert_eq!(info["file_version"], 69);
    assert_eq!(info["licensee_version"], 0);
    assert_eq!(info["engine"], "Unreal Engine 1");
    assert_eq!(info["byte_order"], "little");
    assert_eq!(info["game"], "mainline");
    assert_eq!(info["flags"]["names"], serde_json::json!(["AllowDownload"]));
    assert_eq!(info["guid"], "00000001000000020000000300000004");
    assert_eq!(info["tables"]["exports"], 3);
    assert_eq!(info["generations"].as_array().unwrap().len(), 1);
    assert_eq!(info["overlaps"].as_array().unwrap().len(), 0);
    let bytes = info["bytes"].as_u64().unwrap();
    let coverage = info["coverage"].as_object().unwrap();
    assert_eq!(coverage.values().filter_map(Value::as_u64).sum::<u64>(), bytes);
    let sections = info["sections"].as_array().unwrap();
    assert_eq!(sections.iter().filter_map(|row| row["size"].as_u64()).sum::<u64>(), bytes);
    assert_eq!(texts(sections, "section").iter().filter(|name| *name == "bodies").count(), 1);
}

#[test]
fn info_decodes_and_agrees_with_verify() {
    let folder = Folder::new();
    let lone = unreal_packages::generate::Builder::new(69).export("Lone", "Engine.Info", [0]);
    folder.write("Lone.u", lone.build().unwrap());
    folder.write("Mod.u", small_package(69));
    for (name, opaque) in [("Lone.u", false), ("Mod.u", true)] {
        let info = folder.run("info", name, &["--json"]).exits(0).object();
        let row = folder.run("verify", name, &["--json"]).exits(0).json().remove(0);
        for kind in ["typed", "payload", "opaque", "gap"] {
            assert_eq!(info["coverage"][kind], row[kind], "{name}: {kind}");
        }
        assert_eq!(row["opaque"] != 0, opaque, "{name}: {row}");
    }
}

#[test]
fn info_lists_bodies_when_asked() {
    let folder = Folder::with_mod();
    let info = folder.run("info", "Mod.u", &["--bodies", "--json"]).exits(0).object();
    let sections = info["sections"].as_array().unwrap();
    let body = sections.iter().find(|row| row["section"] == "bodies[1]").unwrap();
    assert_eq!(body["note"], "Texts.Readme");
    assert_eq!(body["size"], 11);
}

#[test]
fn list_shows_each_table() {
    let folder = Folder::with_mod();
    let exports = folder.run("list", "Mod.u", &["--json"]).exits(0).json();
    assert_eq!(texts(&exports, "path"), ["Texts", "Texts.Readme", "Texts.Credits"]);
    assert_eq!(texts(&exports, "class"), ["Core.Package", "Core.TextBuffer", "Core.TextBuffer"]);
    assert_eq!(exports[1]["size"], 11);
    assert_eq!(exports[1]["row"], 1);
    assert!(exports[1]["offset"].as_u64().unwrap() > 0);
    assert!(exports[1]["flags"].as_array().unwrap().contains(&"Public".into()));
    let explicit = folder.run("list", "Mod.u", &["--exports", "--json"]).exits(0).json();
    assert_eq!(explicit, exports);
    let imports = folder.run("list", "Mod.u", &["--imports", "--json"]).exits(0).json();
    assert!(texts(&imports, "path").contains(&"Core.TextBuffer".to_owned()));
    assert_eq!(imports[0]["reference"], -1);
    let names = folder.run("list", "Mod.u", &["--names", "--json"]).exits(0).json();
    assert_eq!(names[0]["name"], "None");
    for what in ["--names", "--imports", "--exports", "--tree"] {
        let run = folder.run("list", "Mod.u", &[what]).exits(0);
        assert!(run.out.lines().count() >= 3, "{what}: {}", run.out);
    }
}

#[test]
fn the_tree_shows_each_export_once_below_its_outer() {
    let folder = Folder::with_mod();
    let tree = folder.run("list", "Mod.u", &["--tree", "--json"]).exits(0).json();
    let depths: Vec<_> = tree.iter().map(|row| row["depth"].as_u64().unwrap()).collect();
    assert_eq!(texts(&tree, "path"), ["Texts", "Texts.Readme", "Texts.Credits"]);
    assert_eq!(depths, [0, 1, 1]);
    let run = folder.run("list", "Mod.u", &["--tree"]).exits(0);
    assert!(run.out.contains("\n  Readme (Core.TextBuffer, 11 bytes)"), "{}", run.out);
}

#[test]
fn a_tree_in_a_circle_ends() {
    let folder = Folder::with_mod();
    let mut bytes = folder.read("Mod.u");
    let fields = Explanation::of(&folder.open("Mod.u")).unwrap();
    let field = fields.iter().find(|field| field.record.path == "exports[0].outer_index").unwrap();
    // The group now lies within the text that lies within it.
    bytes[field.record.start as usize] = 2;
    folder.write("Circle.u", bytes);
    let tree = folder.run("list", "Circle.u", &["--tree", "--json"]).exits(0).json();
    assert_eq!(tree.len(), 3);
}

#[test]
fn explain_tiles_every_byte() {
    for version in [40, 61, 69, 128, 512, 868] {
        let folder = Folder::new();
        let bytes = small_package(version);
        folder.write("Mod.u", &bytes);
        let fields = folder.run("explain", "Mod.u", &["--json", "--bytes", "999"]).exits(0).json();
        let mut hex = String::new();
        let mut at = 0;
        for field in &fields {
            assert_eq!(field["start"].as_u64().unwrap(), at, "version {version}: {field}");
            at = field["end"].as_u64().unwrap();
            hex.push_str(field["bytes"].as_str().unwrap());
            assert!(!field["path"].as_str().unwrap().is_empty(), "{field}");
        }
        assert_eq!(at as usize, bytes.len());
        let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, expected, "version {version}");
    }
}

#[test]
fn explain_names_fields_and_meanings() {
    let folder = Folder::with_mod();
    let run = folder.run("explain", "Mod.u", &[]).exits(0);
    let flags = run.out.lines().find(|line| line.contains("summary.package_flags")).unwrap();
    assert_eq!(flags.split("  ").next().unwrap(), "0x00000008..0x0000000c");
    assert!(flags.contains("01 00 00 00") && flags.ends_with("u32 1 = AllowDownload"), "{flags}");
    assert!(run.out.contains("Texts.Readme (Core.TextBuffer)"), "{}", run.out);
}

#[test]
fn explain_keeps_to_the_range() {
    let folder = Folder::with_mod();
    let length = folder.read("Mod.u").len() as u64;
    let places = |range: &str| -> (u64, u64) {
        let run = folder.run("explain", "Mod.u", &["--json", "--range", range]).exits(0);
        let fields = run.json();
        let last = fields.last().unwrap();
        (fields[0]["start"].as_u64().unwrap(), last["end"].as_u64().unwrap())
    };
    assert_eq!(places("0x4..12"), (4, 12));
    assert_eq!(places("..0X8"), (0, 8));
    assert_eq!(places("8.."), (8, length));
    assert_eq!(places(".."), (0, length));
    assert_eq!(places("8..99999999"), (8, length));
    // Fields stay whole, bodies are cut.
    assert_eq!(places("9..10"), (8, 12));
    let body = folder.open("Mod.u").exports().entries()[1].serial_offset.value() as u64;
    assert_eq!(places(&format!("{}..{}", body + 1, body + 3)), (body + 1, body + 3));
    let behind = folder.run("explain", "Mod.u", &["--range", "99999999.."]).exits(2);
    assert!(behind.err.contains("behind the end"), "{behind:?}");
    for wrong in ["5", "9..3", "a..b"] {
        folder.run("explain", "Mod.u", &["--range", wrong]).exits(2);
    }
}

#[test]
fn text_of_a_package_cannot_command_the_terminal() {
    let folder = Folder::new();
    let package = unreal_packages::generate::Builder::new(69).name("a\u{1b}[2Jb").build().unwrap();
    folder.write("Mod.u", package);
    for args in [&["list", "--names"][..], &["explain"]] {
        let run = folder.run(args[0], "Mod.u", &args[1..]).exits(0);
        assert!(!run.out.contains('\u{1b}') && run.out.contains("\\u{1b}"), "{run:?}");
    }
}

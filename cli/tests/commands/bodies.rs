//! `dump`, `script`, `source`, `refs`, `explain OBJECT`, and what `verify` says about bodies.

use crate::common;

use std::path::PathBuf;

use common::upk;
use serde_json::{Value, json};
use tempfile::TempDir;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Builder, NewAsset};
use unreal_packages::property::{PropertyKind, Type};
use unreal_packages::{EngineRelease, Package};

/// A package in a folder of its own.
struct Fixture {
    folder: TempDir,
    file: PathBuf,
}

impl Fixture {
    /// A class with its source, a function with code, a text that does not decode.
    fn new() -> Self {
        let mut text = vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 15];
        text.extend(b"class Thing;\r\n\0");
        let bytes = Builder::new(69)
            .export("ScriptText", "Core.TextBuffer", text)
            .export("Thing", "Core.Class", class_body())
            .export("Thing.Act", "Core.Function", function_body())
            .export("Odd", "Core.TextBuffer", vec![0, 7])
            .build()
            .unwrap();
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("Thing.u");
        std::fs::write(&file, bytes).unwrap();
        Self { folder, file }
    }

    fn run(&self, args: &[&str]) -> common::Run {
        let file = self.file.to_str().unwrap();
        let args: Vec<&str> =
            args.iter().map(|arg| if *arg == "FILE" { file } else { arg }).collect();
        upk(&args)
    }
}

/// Super, next, script text (export 0), children, friendly name, line, position.
fn struct_body(script: &[u8], memory: i32) -> Vec<u8> {
    let mut body = vec![0, 0, 1, 0, 0];
    body.extend([0; 8]);
    body.extend(memory.to_le_bytes());
    body.extend(script);
    body
}

fn class_body() -> Vec<u8> {
    let mut body = struct_body(&[], 0);
    // Probe and ignore masks, label table, state flags; class flags, GUID.
    body.extend([0; 16]);
    body.extend([0xff, 0xff, 0, 0, 0, 0]);
    body.extend([0; 20]);
    // Dependencies, package imports, within, config name, no defaults.
    body.extend([0, 0, 0, 0, 0]);
    body
}

fn function_body() -> Vec<u8> {
    // if (!variable of export 1) goto 9; return nothing; nothing
    let script = [0x07, 9, 0, 0x2d, 0x00, 2, 0x04, 0x0b, 0x0b];
    // No properties; native index, precedence and flags behind the code.
    [vec![0], struct_body(&script, 12), vec![0; 7]].concat()
}

#[test]
fn the_fixture_is_what_it_claims() {
    let fixture = Fixture::new();
    let mut package = Package::open(&fixture.file).unwrap();
    package.decode_all();
    for row in 0..3 {
        assert!(package.decoded(row).unwrap().error.is_none(), "{row}");
    }
}

#[test]
fn dump_shows_values_and_what_did_not_decode() {
    let fixture = Fixture::new();
    let all = fixture.run(&["dump", "FILE"]).exits(0).out;
    assert!(all.contains("#2 Thing.Act (Core.Function)"), "{all}");
    assert!(all.contains("base.script_text = export ScriptText"), "{all}");
    assert!(all.contains("not decoded whole"), "{all}");
    let one = fixture.run(&["dump", "FILE", "ScriptText", "--json"]).exits(0).object();
    let fields = one["fields"].as_array().unwrap();
    let text = fields.iter().find(|field| field["path"] == "text.characters").unwrap();
    assert_eq!(text["meaning"], "class Thing;\r\n");
    fixture.run(&["dump", "FILE", "Nothing"]).exits(1);
}

#[test]
fn a_dump_to_compare_has_no_rows_and_one_line_for_each_value() {
    let fixture = Fixture::new();
    let all = fixture.run(&["dump", "FILE", "--canonical"]).exits(0).out;
    assert!(all.starts_with("package\n  guid = "), "{all}");
    for text in ["object Thing.Act (Core.Function)\n", "JumpIfNot(", "  code = "] {
        assert!(all.contains(text), "{text}: {all}");
    }
    assert!(!all.contains('#') && !all.contains("serial_offset"), "{all}");
    let lines = fixture.run(&["dump", "FILE", "--canonical", "--json"]).exits(0).json();
    assert_eq!(lines[0]["line"], "package");
    let error = fixture.run(&["dump", "FILE", "Thing", "--canonical"]).exits(2).err;
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn script_lists_tokens_with_labels() {
    let fixture = Fixture::new();
    let listing = fixture.run(&["script", "FILE", "Thing.Act"]).exits(0).out;
    for text in ["JumpIfNot label_0009", "LocalVariable Thing", "label_0009:", "12 bytes in memory"]
    {
        assert!(listing.contains(text), "{text}: {listing}");
    }
    let rows = fixture.run(&["script", "FILE", "Thing.Act", "--json"]).exits(0).json();
    assert_eq!(rows[0]["name"], "JumpIfNot");
    assert!(listing.starts_with("function Act()\n"), "{listing}");
    let all = fixture.run(&["script", "FILE"]).exits(0).out;
    assert_eq!(all, format!("Thing.Act:\n{listing}"));
    let rows = fixture.run(&["script", "FILE", "--json"]).exits(0).json();
    assert!(rows.iter().all(|row| row["object"] == "Thing.Act"), "{rows:?}");
    let error = fixture.run(&["script", "FILE", "ScriptText"]).exits(1).err;
    assert!(error.contains("has no code"), "{error}");
}

#[test]
fn documents_with_code_that_can_not_run_are_refused() {
    let fixture = Fixture::new();
    let [document, out] = ["Thing.json", "Out.u"].map(|name| fixture.folder.path().join(name));
    let (document, out) = (document.to_str().unwrap(), out.to_str().unwrap());
    fixture.run(&["to-json", "FILE", "-o", document]).exits(0);
    let from = ["from-json", document, "-o", out, "--overwrite"];
    // What nobody has edited comes back, whatever it says.
    upk(&from).exits(0);
    let text = std::fs::read_to_string(document).unwrap();
    let edited = |lines: &[&str]| {
        let mut document: Value = serde_json::from_str(&text).unwrap();
        let exports = document["exports"].as_array_mut().unwrap();
        let function = exports.iter_mut().find(|it| it["object_name"] == "Act").unwrap();
        let script = find(&mut function["value"], "script").unwrap();
        assert!(script.as_array().is_some_and(|lines| !lines.is_empty()), "{script}");
        *script = serde_json::json!(lines);
        document.to_string()
    };
    for (lines, reason) in [
        (&["JumpIfNot(L1, False)", "L1: Nothing"][..], "does not end in Return"),
        (&["Let(LocalVariable(null), True)", "Return(Nothing)"], "refers to nothing"),
    ] {
        std::fs::write(document, edited(lines)).unwrap();
        std::fs::remove_file(out).ok();
        let run = upk(&from).exits(1);
        for part in ["Thing.Act", reason, "--force"] {
            assert!(run.err.contains(part), "{part}: {run:?}");
        }
        assert!(!std::path::Path::new(out).exists());
        upk(&[&from[..], &["--force"]].concat()).exits(0);
        upk(&["verify", out]).exits(0);
    }
    std::fs::write(document, edited(&["JumpIfNot(L1, False)", "L1: Return(Nothing)"])).unwrap();
    upk(&from).exits(0);
}

/// The value of a key at any depth.
fn find<'a>(value: &'a mut Value, key: &str) -> Option<&'a mut Value> {
    match value {
        Value::Object(object) => object.iter_mut().find_map(|(name, inner)| match name == key {
            true => Some(inner),
            false => find(inner, key),
        }),
        Value::Array(list) => list.iter_mut().find_map(|inner| find(inner, key)),
        _ => None,
    }
}

#[test]
fn source_writes_one_file_a_class() {
    let fixture = Fixture::new();
    let out = fixture.folder.path().join("Classes");
    fixture.run(&["source", "FILE", "-o", out.to_str().unwrap()]).exits(0);
    // The default values stand behind what the class carries, with its line ends.
    let source = "class Thing;\r\ndefaultproperties\r\n{\r\n}\r\n";
    let read = || std::fs::read_to_string(out.join("Thing.uc")).unwrap();
    assert_eq!(read(), source);
    let run = |how: &str| {
        fixture.run(&["source", "FILE", how, "--overwrite", "-o", out.to_str().unwrap()])
    };
    assert!(run("--text").exits(0).out.contains("1 class with source"));
    assert_eq!(read(), "class Thing;\r\n");
    assert!(run("--decompile").exits(0).out.contains("0 classes with source, 1 decompiled"));
    assert_eq!(read(), "class Thing;\n\ndefaultproperties\n{\n}\n");
    let rows = fixture.run(&["source", "FILE", "--json"]).exits(0).json();
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["class"], "Thing");
}

#[test]
fn refs_finds_tables_and_code() {
    let fixture = Fixture::new();
    let rows = fixture.run(&["refs", "FILE", "Thing", "--json"]).exits(0).json();
    let by: Vec<&str> = rows.iter().map(|row| row["by"].as_str().unwrap()).collect();
    assert_eq!(by, ["the table of exports", "Thing.Act"]);
    let text = fixture.run(&["refs", "FILE", "ScriptText"]).exits(0).out;
    assert!(
        text.contains("Thing: 1 reference") && text.contains("1 body is not decoded whole"),
        "{text}"
    );
}

#[test]
fn explain_takes_an_object() {
    let fixture = Fixture::new();
    let rows = fixture.run(&["explain", "FILE", "Thing.Act", "--json"]).exits(0).json();
    assert!(rows.iter().all(|row| row["path"].as_str().unwrap().starts_with("bodies[2].")));
    let tokens = rows.iter().filter(|row| row["meaning"] == "JumpIfNot").count();
    assert_eq!(tokens, 1);
}

#[test]
fn verify_counts_bodies_by_class() {
    let fixture = Fixture::new();
    let rows = fixture.run(&["verify", "FILE", "--json"]).exits(0).json();
    let row = &rows[0];
    let number = |value: &Value| value.as_u64().unwrap();
    assert_eq!(row["status"], "identical");
    assert_eq!((number(&row["exports"]), number(&row["exports_typed"])), (4, 3));
    let sum: u64 =
        ["typed", "payload", "opaque", "gap"].map(|kind| number(&row[kind])).iter().sum();
    assert_eq!(sum, number(&row["bytes"]));
    let texts = &row["by_class"]["TextBuffer"];
    assert_eq!((number(&texts["exports"]), number(&texts["opaque"])), (2, 1));
    assert_eq!(row["not_decoded"].as_array().unwrap().len(), 1);
    let listed = fixture.run(&["verify", "FILE"]).exits(0).out;
    assert!(listed.contains("#3 Odd (TextBuffer): "), "{listed}");
}

/// Both sides of a game think that the other has its defaults.
#[test]
fn other_defaults_of_a_released_class_are_warned_of() {
    let mut body = class_body();
    // Name 1, an int of four bytes; then the end.
    body.splice(body.len() - 1.., [1, 0x22, 5, 0, 0, 0, 0]);
    let bytes = Builder::new(69)
        .name("Ammo")
        .export("ScriptText", "Core.TextBuffer", [0; 10])
        .export("Thing", "Core.Class", body)
        .build()
        .unwrap();
    let fixture = Fixture::new();
    std::fs::write(&fixture.file, bytes).unwrap();
    let set = |value: &str, more: &[&str]| -> String {
        let args = [&["set", "FILE", value, "--json"], more].concat();
        fixture.run(&args).exits(0).object()["warnings"].to_string()
    };
    let warned = set("Thing.Ammo=6", &["--dry-run"]);
    assert!(warned.contains("Thing.Ammo: 5 -> 6") && warned.contains("--new-guid"), "{warned}");
    assert_eq!(set("Thing.Ammo=6", &["--dry-run", "--new-guid"]), "[]");
    assert_eq!(set("Thing.Ammo=5", &["--dry-run"]), "[]");
}

#[test]
fn other_defaults_of_a_release_are_named_and_counted() {
    let folder = crate::common::Folder::new();
    let mut builder = Builder::new(69);
    let mut defaults = class_body();
    defaults.pop();
    // Five numbers, each with its name, type and four bytes.
    for name in 1..=5 {
        builder = builder.name(format!("Size{name}"));
        defaults.extend([name, 0x22, 7, 0, 0, 0]);
    }
    defaults.push(0);
    let bytes = builder.export("Thing", "Core.Class", defaults).build().unwrap();
    folder.write("Mod.u", bytes);
    let set = |changes: &[&str]| {
        folder.run("set", "Mod.u", &[changes, &["--dry-run"][..]].concat()).exits(0).err
    };
    let one = set(&["Thing.Size2=8"]);
    let expected = "play by: Thing.Size2: 7 -> 8\n";
    assert!(one.contains("but has other defaults") && one.contains(expected), "{one}");
    let all =
        set(&[1, 2, 3, 4, 5].map(|name| format!("Thing.Size{name}=9")).each_ref().map(|it| &**it));
    let expected = "Thing.Size1: 7 -> 9, Thing.Size2: 7 -> 9, Thing.Size3: 7 -> 9, and 2 more\n";
    assert!(all.contains(expected), "{all}");
    assert!(!set(&["Thing.Size1=7"]).contains("defaults"), "nothing has changed");
}

/// A bool has no bytes but those of its tag: it is shown like other values.
#[test]
fn bools_are_shown_whichever_tag_holds_them() {
    let bool = Type::new(PropertyKind::Bool);
    let classic = [69, 500, 868].map(|version| {
        let body = if version < 400 { vec![0] } else { vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] };
        let bytes = Builder::new(version).name("None").export("Lamp", "Engine.Light", body).build();
        let mut package = Package::from_bytes(bytes.unwrap()).unwrap();
        package.edit(|edit| edit.add_property("Lamp", "bHidden", &bool, "True")).unwrap();
        package.edit(|edit| edit.add_property("Lamp", "bHiddenEd", &bool, "False")).unwrap();
        package
    });
    let late = [(4, 20), (5, 0), (5, 6)].map(|(major, minor)| {
        NewAsset::object("/Game/Lamp", "/Script/Engine.Light")
            .property("bHidden", bool.clone(), "True")
            .property("bHiddenEd", bool.clone(), "False")
            .build(EngineRelease::new(major, minor))
            .unwrap()
    });
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("Lamp.uasset");
    for package in classic.into_iter().chain(late) {
        std::fs::write(&file, package.to_bytes().unwrap()).unwrap();
        let shown = upk(&["dump", file.to_str().unwrap(), "Lamp"]).exits(0).out;
        let lines: Vec<_> = shown.lines().map(str::trim).collect();
        let versions = package.versions();
        assert!(lines.contains(&"bHidden = True"), "{versions:?}: {shown}");
        assert!(lines.contains(&"bHiddenEd = False"), "{versions:?}: {shown}");
        let json = upk(&["dump", file.to_str().unwrap(), "Lamp", "--json"]).exits(0).object();
        let fields = json["fields"].as_array().unwrap();
        let hidden = fields.iter().find(|field| field["path"] == "bHidden").unwrap();
        assert_eq!((&hidden["type"], &hidden["value"]), (&json!("bool"), &json!("1")));
    }
}

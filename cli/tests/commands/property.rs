//! `upk get`, `upk set`, `upk diff` and `upk convert`.

use crate::common;

use common::{Folder, upk};
use unreal_packages::Guid;
use unreal_packages::archive::{Archived, Saver};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue1::Level;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

/// `Mod.u` with two objects of a class that is not known, and a text.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut text = vec![0, 0, 0, 0, 0, 0, 0, 0, 0];
    text.extend([6, b'h', b'e', b'l', b'l', b'o', 0]);
    let builder = Builder::new(69)
        .guid(Guid::new(1, 2, 3, 4))
        .name("Count")
        .export("Group", "Core.Package", [])
        // Count = 7, then the end of the list.
        .export("Group.Lamp", "Engine.Light", vec![1, 0x22, 7, 0, 0, 0, 0])
        .export("Other", "Engine.Light", vec![0])
        .export("Readme", "Core.TextBuffer", text);
    folder.write("Mod.u", builder.build().unwrap());
    folder
}

#[test]
fn set_and_get_go_there_and_back() {
    let folder = folder();
    let before = folder.read("Mod.u");
    let out = folder.arg("Out.u");
    folder.run("get", "Mod.u", &["Group.Lamp"]).exits(0);
    assert_eq!(folder.run("get", "Mod.u", &["Group.Lamp.Count"]).exits(0).out, "Count=7\n");
    // The type is that of what is added; what is stored has its own.
    let args = ["Group.Lamp.Count=-3", "#2.Title=a", "--type", "string", "--dry-run"];
    let run = folder.run("set", "Mod.u", &args).exits(0);
    assert!(
        run.out.contains("Group.Lamp.Count: 7 -> -3\nOther.Title: nothing -> \"a\""),
        "{run:?}"
    );
    // A type of its own must be that which is stored.
    folder.run("set", "Mod.u", &["Group.Lamp.Count:string=-3", "--dry-run"]).exits(1);
    assert_eq!(folder.names(), ["Mod.u"]);
    let args = ["#2.Title=a, \"b\" = c", "--type", "string", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("set", "Mod.u", &args).exits(0).object();
    assert_eq!(report["change"]["kind"], "set");
    assert_eq!(report["change"]["changes"][0]["object"], "Other");
    assert_eq!(report["change"]["changes"][0]["old"], serde_json::Value::Null);
    assert_eq!(folder.read("Mod.u"), before);
    let args = ["Group.Lamp.Count=-3", "--remove", "Other.Title", "--in-place"];
    let run = folder.run("set", "Out.u", &args).exits(0);
    assert!(run.out.contains("Group.Lamp.Count: -3, was 7"), "{run:?}");
    assert!(run.out.contains("Other.Title: removed, was \"a, \\\"b\\\" = c\""), "{run:?}");
    assert!(run.out.contains("re-saves identically"), "{run:?}");
    assert_eq!(folder.names(), ["Mod.u", "Out.u", "Out.u.bak"]);
    let values = folder.run("get", "Out.u", &["Group.Lamp", "--json"]).exits(0).json();
    assert_eq!(values.len(), 1);
    assert_eq!((&values[0]["type"], &values[0]["value"]), (&"int".into(), &"-3".into()));
    folder.run("verify", "Out.u", &[]).exits(0);
}

#[test]
fn a_dry_run_and_a_refusal_write_nothing() {
    let folder = folder();
    let before = folder.read("Mod.u");
    let run = folder.run("set", "Mod.u", &["Group.Lamp.Count=9", "--dry-run"]).exits(0);
    assert!(run.out.contains("dry run"), "{run:?}");
    for (args, code, says) in [
        (&["Group.Lamp.Count=x"][..], 1, "Group.Lamp: 'x' is no value of type int"),
        (&["Group.Lamp.Count=1", "Other.Size=2"], 1, "--type int"),
        (&["Group.L*.Size=1"], 1, "no object that fits"),
        (&["Nobody.Count=1"], 1, "upk list"),
        (&["Count=1"], 1, "OBJECT.PROPERTY"),
        (&["Group.Lamp.Count"], 2, "has no '='"),
        (&["--remove", "Group.Lamp.Size"], 1, "upk get"),
        (&["Group.Lamp.Count=1", "--type", "number"], 2, "known are byte, int"),
        (&[], 2, "required"),
    ] {
        let args: Vec<_> = args.iter().copied().chain(["--in-place"]).collect();
        let run = folder.run("set", "Mod.u", &args).exits(code);
        assert!(run.err.contains(says), "{args:?}: {run:?}");
    }
    assert_eq!(folder.read("Mod.u"), before);
    assert_eq!(folder.names(), ["Mod.u"]);
}

#[test]
fn an_object_that_is_looked_for_within_another_is_named() {
    let folder = folder();
    for (command, path) in [("get", "Other.Lamp"), ("set", "Other.Lamp.Count=1")] {
        let dry_run = (command == "set").then_some("--dry-run");
        let args: Vec<_> = [path].into_iter().chain(dry_run).collect();
        let run = folder.run(command, "Mod.u", &args).exits(1);
        assert!(run.err.contains("did you mean the object 'Group.Lamp'?"), "{run:?}");
    }
    // What lies in the object itself is no property that was looked for elsewhere.
    let run = folder.run("get", "Mod.u", &["Group.Lamp.Lamp"]).exits(1);
    assert!(!run.err.contains("did you mean"), "{run:?}");
}

#[test]
fn texts_come_from_files() {
    let folder = folder();
    let text = folder.write("readme.txt", "two\r\nlines");
    let out = folder.arg("Out.u");
    let text = format!("Readme={}", text.display());
    folder.run("set", "Mod.u", &["--text", &text, "--overwrite", "-o", &out]).exits(0);
    let run = folder.run("diff", "Mod.u", &[&out]).exits(1);
    assert!(run.out.contains("- hello\n      + two\n      + lines\n"), "{run:?}");
    folder.run("set", "Mod.u", &["--text", "Readme=nowhere.txt", "--dry-run"]).exits(2);
}

#[test]
fn diff_says_what_differs_and_by_its_code_whether() {
    let folder = folder();
    let out = folder.arg("Out.u");
    let same = folder.run("diff", "Mod.u", &[&folder.arg("Mod.u")]).exits(0);
    assert_eq!(same.out, "the files are the same\n");
    folder.run("add-name", "Mod.u", &["Unused", "--overwrite", "-o", &out]).exits(0);
    let run = folder.run("diff", "Mod.u", &[&out]).exits(1);
    assert!(run.out.contains("header name: (not stored) -> Unused\n"), "{run:?}");
    // The same names in another order.
    folder.run("add-name", "Mod.u", &["First", "--overwrite", "-o", &out]).exits(0);
    folder.run("add-name", "Out.u", &["Second", "--in-place"]).exits(0);
    let other = folder.arg("Other.u");
    folder.run("add-name", "Mod.u", &["Second", "--overwrite", "-o", &other]).exits(0);
    folder.run("add-name", "Other.u", &["First", "--in-place"]).exits(0);
    let run = folder.run("diff", "Out.u", &[&other]).exits(0);
    assert!(run.out.starts_with("nothing differs but the form"), "{run:?}");
    folder.run("set", "Mod.u", &["Group.Lamp.Count=8", "--overwrite", "-o", &out]).exits(0);
    let run = folder.run("diff", "Mod.u", &[&out]).exits(1);
    assert!(run.out.contains("~ Group.Lamp (Engine.Light)\n    Count: 7 -> 8\n"), "{run:?}");
    let report = folder.run("diff", "Mod.u", &[&out, "--json"]).exits(1).object();
    assert_eq!((&report["same"], &report["same_bytes"]), (&false.into(), &false.into()));
    let change = &report["changed"][0]["changes"][0];
    assert_eq!((&change["kind"], &change["old"]), (&"property".into(), &"7".into()));
    let summary = folder.run("diff", "Mod.u", &[&out, "--summary"]).exits(1);
    assert!(!summary.out.contains("7 -> 8"), "{summary:?}");
    folder.write("None.txt", "no package");
    folder.run("diff", "Mod.u", &[&folder.arg("None.txt")]).exits(2);
    folder.run("diff", "Mod.u", &[&folder.arg("Nowhere.u")]).exits(2);
}

#[test]
fn convert_goes_to_another_version_or_says_why_not() {
    let folder = folder();
    let (out, back) = (folder.arg("Out.u"), folder.arg("Back.u"));
    let args = ["--to-version", "61", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("convert", "Mod.u", &args).exits(0).object();
    assert_eq!((&report["change"]["old"], &report["change"]["new"]), (&69.into(), &61.into()));
    assert_eq!(folder.open("Out.u").versions().file(), 61);
    folder.run("convert", "Out.u", &["--to-version", "69", "--overwrite", "-o", &back]).exits(0);
    assert_eq!(folder.read("Back.u"), folder.read("Mod.u"));
    let run = folder.run("diff", "Mod.u", &[&out]).exits(1);
    assert!(run.out.contains("header version"), "{run:?}");
    let run = folder.run("convert", "Mod.u", &["--to-version", "128", "--dry-run"]).exits(1);
    assert!(run.err.contains("only be converted to another version of Unreal Engine 1"), "{run:?}");
    let before = folder.read("Mod.u");
    folder.run("convert", "Mod.u", &["--to-version", "63", "--in-place"]).exits(0);
    assert_eq!(folder.read("Mod.u.bak"), before, "the backup is the package as it was");
}

#[test]
fn many_objects_of_many_packages_are_set_by_a_query() {
    let folder = folder();
    let two = folder.write("Two.u", folder.read("Mod.u"));
    let two = two.to_str().unwrap();
    let run = folder.run("get", "Mod.u", &["*", "--where", "class=Actor"]).exits(0);
    assert_eq!(run.out, "Group.Lamp.Count=7\n");
    folder.run("get", "Mod.u", &["*", "--where", "Count=8"]).exits(1);
    let values = folder.run("get", "Mod.u", &["L*.Count", "--json"]).exits(0).json();
    assert_eq!((&values[0]["object"], &values[0]["value"]), (&"Group.Lamp".into(), &"7".into()));
    // Lights have a radius, whatever they store, and the text buffer has none.
    let args = [two, "*.LightRadius=64", "--where", "class=Light", "--in-place", "--no-backup"];
    let run = folder.run("set", "Mod.u", &args).exits(0);
    assert_eq!(run.out.matches("Lamp.LightRadius: 64\n").count(), 2, "{run:?}");
    assert_eq!(run.out.matches("Other.LightRadius: 64\n").count(), 2, "{run:?}");
    // Only what stores it is removed.
    folder
        .run("set", "Two.u", &["--remove", "Other.LightRadius", "--in-place", "--no-backup"])
        .exits(0);
    let args = [two, "--remove", "Oth*.LightRadius", "--dry-run"];
    let run = folder.run("set", "Mod.u", &args).exits(0);
    assert_eq!(run.out.matches("LightRadius: 64 -> nothing").count(), 1, "{run:?}");
    let run = folder.run("set", "Mod.u", &[two, "Nobody*.Tag=A", "--in-place"]).exits(1);
    assert!(run.err.contains("in any of the packages"), "{run:?}");
    folder.run("set", "Mod.u", &[two, "Group.Lamp.Count=1", "-o", &folder.arg("Out.u")]).exits(2);
    // One that refuses keeps the others as they are.
    let before = folder.read("Mod.u");
    folder.run("set", "Mod.u", &[two, "Other.LightRadius=x", "--in-place"]).exits(1);
    assert_eq!(folder.read("Mod.u"), before);
}

#[test]
fn exports_say_what_they_lie_in() {
    let folder = folder();
    let rows = folder.run("list", "Mod.u", &["--exports", "--json"]).exits(0).json();
    assert_eq!((&rows[1]["outer"], &rows[1]["super"]), (&"Group".into(), &serde_json::Value::Null));
}

/// A map of UE1 with a light and its level.
fn map() -> Folder {
    let build = |level: Vec<u8>| {
        let builder = Builder::new(69).name("None").export("Light1", "Engine.Light", vec![0]);
        builder.export("MyLevel", "Engine.Level", level).build().unwrap()
    };
    let package = unreal_packages::Package::from_bytes(build(Vec::new())).unwrap();
    let mut saver = Saver::new(package.versions().of_bodies()).with_context(package.context());
    Level::default().serialize(&mut saver).unwrap();
    let folder = Folder::new();
    folder.write("Map.unr", build([vec![0], saver.into_bytes().to_vec()].concat()));
    folder
}

#[test]
fn what_is_near_is_named() {
    let folder = map();
    for (command, path, near) in [
        // An object: other letters, swapped ones, another number.
        ("get", "Lihgt1", "did you mean 'Light1'?"),
        ("get", "Light12", "did you mean 'Light1'?"),
        ("set", "Ligth1.LightRadius=64", "did you mean 'Light1'?"),
        // A property that the engine's class declares and that nothing stores.
        ("get", "Light1.LightRadus", "did you mean 'LightRadius'?"),
        ("set", "Light1.LightRadus=64", "did you mean 'LightRadius'?"),
        ("set", "Light*.LightRadus=64", "did you mean 'LightRadius'?"),
        ("get", "Light*.LightRadus", "did you mean 'LightRadius'?"),
        // An actor that is looked for in its level.
        ("set", "MyLevel.Light12=1", "did you mean 'Light1'?"),
    ] {
        let dry_run = (command == "set").then_some("--dry-run");
        let args: Vec<_> = [path].into_iter().chain(dry_run).collect();
        let run = folder.run(command, "Map.unr", &args).exits(1);
        assert!(run.err.contains(near), "{path}: {run:?}");
        assert_eq!(run.err.matches("did you mean").count(), 1, "{path}: {run:?}");
    }
    // Nothing is near, and what is there is not suggested.
    for path in ["Light1.Zebra", "Light1.LightRadius"] {
        let run = folder.run("get", "Map.unr", &[path]).exits(1);
        assert!(!run.err.contains("did you mean"), "{path}: {run:?}");
    }
}

/// What looks wrong is refused with the step that does it all the same.
#[test]
fn what_looks_wrong_is_done_when_forced() {
    let folder = folder();
    let out = folder.arg("Out.u");
    let texture = "Group.Lamp.Look:object=Engine.Texture'Pack.Blue'";
    folder.run("set", "Mod.u", &[texture, "--in-place"]).exits(0);
    let wrong = ["Other.Look=Engine.Sound'Pack.Boom'", "--overwrite", "-o", &out];
    let run = folder.run("set", "Mod.u", &wrong).exits(1);
    assert!(run.err.contains("Other: 'Look' refers to a Bitmap"), "{run:?}");
    assert!(run.err.contains("next: --force does it all the same"), "{run:?}");
    folder.run("set", "Mod.u", &[&wrong[..], &["--move-undecoded"]].concat()).exits(1);
    folder.run("set", "Mod.u", &[&wrong[..], &["--force"]].concat()).exits(0);
    assert_eq!(folder.run("get", "Out.u", &["Other.Look"]).exits(0).out, "Look=Sound'Pack.Boom'\n");
    for (command, args, part) in [
        ("rename", &["Other", "A B"][..], "a space is no letter"),
        ("rename", &["Other", "A.B"], "'.' stands between"),
        ("rename", &["--name", "Light", "Dark"], "'Light' is the class of objects"),
        ("duplicate", &["Other", "A B"], "a space is no letter"),
        ("add-name", &["A\"B"], "ends names"),
    ] {
        let args = [args, &["--overwrite", "-o", &out]].concat();
        let run = folder.run(command, "Mod.u", &args).exits(1);
        assert!(run.err.contains(part) && run.err.contains("--force"), "{run:?}");
        folder.run(command, "Mod.u", &[&args[..], &["--force"]].concat()).exits(0);
    }
    let both = ["--name", "IntProperty", "Zzz", "--force", "--dry-run"];
    folder.run("add-name", "Mod.u", &["IntProperty", "--in-place"]).exits(0);
    let run = folder.run("rename", "Mod.u", &both).exits(1);
    assert!(run.err.contains("is the type of properties"), "{run:?}");
}

/// A byte of UE1 says the name of its value wherever it is shown, and documents take it back.
#[test]
fn values_of_enums_have_their_names_everywhere() {
    let folder = Folder::new();
    for (file, kind) in [("Old.unr", "LT_Steady"), ("New.unr", "LT_Pulse")] {
        let bytes = Builder::new(69).export("Lamp", "Engine.Light", vec![0]).name("None").build();
        let mut package = Package::from_bytes(bytes.unwrap()).unwrap();
        package.edit(|edit| edit.set_property("Lamp", "LightType", kind)).unwrap();
        folder.write(file, package.to_bytes().unwrap());
    }
    let shown = |command: &str, more: &[&str]| folder.run(command, "New.unr", more).exits(0).out;
    assert!(shown("dump", &["Lamp"]).contains("LightType = LT_Pulse\n"));
    assert!(shown("dump", &["--canonical"]).contains("LightType: byte = LT_Pulse\n"));
    assert_eq!(shown("get", &["Lamp.LightType"]), "LightType=LT_Pulse\n");
    assert!(shown("list", &["--where", "LightType==LT_Pulse"]).contains("Lamp"));
    let [old, new] = ["Old.unr", "New.unr"].map(|file| folder.arg(file));
    let diff = upk(&["diff", &old, &new]).exits(1).out;
    assert!(diff.contains("LightType: LT_Steady -> LT_Pulse"), "{diff}");
    let document = shown("to-json", &[]);
    assert!(document.contains("\"enum\": \"ELightType\""), "{document}");
    folder
        .write("It.json", document.replace("\"value\": \"LT_Pulse\"", "\"value\": \"LT_Steady\""));
    let out = folder.arg("Out.unr");
    folder.run("from-json", "It.json", &["-o", &out]).exits(0);
    assert_eq!(
        folder.run("get", "Out.unr", &["Lamp.LightType"]).exits(0).out,
        "LightType=LT_Steady\n"
    );
    folder.write("It.json", document.replace("\"value\": \"LT_Pulse\"", "\"value\": \"LT_No\""));
    let refused = folder.run("from-json", "It.json", &["-o", &out, "--overwrite"]).exits(1).err;
    assert!(refused.contains("Lamp: 'LT_No' is no value of the enum ELightType"), "{refused}");
}

//! The commands that change packages.

use crate::common;

use common::{Folder, Run, edit, small_package, upk};
use serde_json::Value;
use unreal_packages::content::TextEdits;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, FString, Guid, Saver, Versions};

#[test]
fn rename_gives_a_name_another_text() {
    let folder = Folder::with_mod();
    let report = edit(&folder, "rename", &["--name", "readme", "Instructions"]);
    assert_eq!(report["change"]["new"], "Instructions");
    assert!(folder.open("Out.u").find_export("Texts.Instructions").is_ok());
    let moved = report["moved"].as_array().unwrap();
    assert_eq!(moved.len(), 2, "both bodies stand behind the names");
    assert_eq!(moved[0]["ground"], "class-without-positions");
    assert_eq!(moved[0]["path"], "Texts.Instructions");
}

#[test]
fn add_name_adds_once() {
    let folder = Folder::with_mod();
    assert_eq!(edit(&folder, "add-name", &["Fresh"])["change"]["added"], true);
    assert!(folder.open("Out.u").names().find("Fresh").is_some());
    let report = edit(&folder, "add-name", &["texts"]);
    assert_eq!(report["change"]["added"], false);
    assert_eq!(report["changed"], false);
    assert_eq!(report["layout"], "in-place");
}

#[test]
fn add_import_adds_what_is_around_it() {
    let folder = Folder::with_mod();
    let report = edit(&folder, "add-import", &["Botpack.Skins.Blue", "Engine.Texture"]);
    assert_eq!(report["change"]["rows_added"], 3);
    let package = folder.open("Out.u");
    let index = package.find("Botpack.Skins.Blue").unwrap();
    assert_eq!(report["change"]["reference"], index.value());
    let report = edit(&folder, "add-import", &["Core.TextBuffer", "Core.Class"]);
    assert_eq!(report["change"]["rows_added"], 0);
    let out = folder.arg("Out.u");
    let run =
        folder.run("add-import", "Mod.u", &["A.B", "NoDot", "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("needs its package"), "{run:?}");
}

#[test]
fn set_guid_sets_or_draws() {
    let folder = Folder::with_mod();
    let text = "{01234567-89AB-CDEF-0123-456789ABCDEF}";
    let report = edit(&folder, "set-guid", &[text]);
    assert_eq!(report["change"]["old"], "00000001000000020000000300000004");
    assert_eq!(folder.open("Out.u").guid(), text.parse::<Guid>().unwrap());
    let report = edit(&folder, "set-guid", &["--new"]);
    assert_eq!(report["change"]["new"], folder.open("Out.u").guid().to_string());
    assert_ne!(folder.open("Out.u").guid(), folder.open("Mod.u").guid());
    let out = folder.arg("No.u");
    folder.run("set-guid", "Mod.u", &["xyz", "--overwrite", "-o", &out]).exits(2);
    folder.run("set-guid", "Mod.u", &["--overwrite", "-o", &out]).exits(2);
    folder.run("set-guid", "Mod.u", &[text, "--new", "--overwrite", "-o", &out]).exits(2);
}

#[test]
fn set_string_replaces_strings_of_code() {
    let folder = Folder::new();
    // Its line and place in the source, size in memory, twice a string, return nothing; what a function adds.
    let code = [&[0x1f][..], b"Hello\0", &[0x1f], b"Hello\0", &[0x04, 0x0b]].concat();
    let head = [&[0, 0, 0, 0, 0, 0][..], &[0; 8], &(code.len() as u32).to_le_bytes()].concat();
    let function = [&head[..], &code, &[0, 0, 0], &[0; 4]].concat();
    let builder = Builder::new(69).name("None").export("Say", "Core.Function", function);
    folder.write("Mod.u", builder.build().unwrap());
    let out = folder.arg("Out.u");
    let strings = |file: &str| {
        let lines = folder.run("script", file, &["Say", "--json"]).exits(0).json();
        let strings = lines.iter().filter(|line| line["name"] == "StringConst");
        strings.map(|line| line["operands"][0].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let args = ["Say", "Hello", "Hello there", "--overwrite", "-o", &out, "--json"];
    let report = folder.run("set-string", "Mod.u", &args).exits(0).object();
    assert_eq!(report["change"]["changes"].as_array().unwrap().len(), 2);
    assert_eq!(strings("Out.u"), ["\"Hello there\""; 2]);
    let args = ["Say", "Hello", "", "--at", "0007", "--overwrite", "-o", &out];
    folder.run("set-string", "Mod.u", &args).exits(0);
    assert_eq!(strings("Out.u"), ["\"Hello\"", "\"\""]);
    let run = folder.run("set-string", "Mod.u", &["Say", "Bye", "x", "--dry-run"]).exits(1);
    assert!(run.err.contains("its strings are 0000 \"Hello\", 0007 \"Hello\""), "{run:?}");
    let run = folder.run("set-string", "Mod.u", &["Says", "Hello", "x", "--dry-run"]).exits(1);
    assert!(run.err.contains("did you mean 'Say'?"), "{run:?}");
}

#[test]
fn set_flags_changes_package_flags() {
    let folder = Folder::with_mod();
    let report = edit(&folder, "set-flags", &["--add", "ServerSideOnly", "0x10"]);
    assert_eq!(report["change"]["new"]["value"], 0x15);
    assert_eq!(folder.open("Out.u").summary().package_flags.0, 0x15);
    edit(&folder, "set-flags", &["--remove", "allowdownload", "--add", "2,4"]);
    assert_eq!(folder.open("Out.u").summary().package_flags.0, 6);
    edit(&folder, "set-flags", &["--package", "ClientOptional,0x100"]);
    assert_eq!(folder.open("Out.u").summary().package_flags.0, 0x102);
    edit(&folder, "set-flags", &["--package", "0"]);
    assert_eq!(folder.open("Out.u").summary().package_flags.0, 0);
}

#[test]
fn set_flags_changes_object_flags() {
    let folder = Folder::with_mod();
    let old = folder.open("Mod.u").exports().entries()[1].object_flags.0;
    let args = ["--export", "Texts.Readme", "--add", "Standalone", "--remove", "Public"];
    let report = edit(&folder, "set-flags", &args);
    let new = folder.open("Out.u").exports().entries()[1].object_flags.0;
    assert_eq!(new, (old | 0x8_0000) & !4);
    assert_eq!(report["change"]["of"], "Texts.Readme");
}

#[test]
fn wrong_flags_are_wrong_usage_and_list_the_right_ones() {
    let folder = Folder::with_mod();
    let out = folder.arg("No.u");
    let run =
        folder.run("set-flags", "Mod.u", &["--add", "Shiny", "--overwrite", "-o", &out]).exits(2);
    assert!(run.err.contains("Shiny") && run.err.contains("ServerSideOnly"), "{run:?}");
    folder.run("set-flags", "Mod.u", &["--overwrite", "-o", &out]).exits(2);
    folder
        .run("set-flags", "Mod.u", &["--package", "1", "--add", "2", "--overwrite", "-o", &out])
        .exits(2);
    let args = ["--package", "1", "--export", "Texts", "--overwrite", "-o", &out];
    folder.run("set-flags", "Mod.u", &args).exits(2);
    assert_eq!(folder.names(), ["Mod.u"]);
}

#[test]
fn replace_body_takes_paths_and_rows() {
    let folder = Folder::with_mod();
    let body = b"\0a body that is longer than the one before".repeat(3);
    folder.write("body.bin", &body);
    let file = folder.arg("body.bin");
    let report = edit(&folder, "replace-body", &["Texts.Readme", &file]);
    assert_eq!(report["change"]["bytes_before"], 11);
    assert_eq!(folder.open("Out.u").body(1).unwrap(), body);
    assert_eq!(folder.open("Out.u").body(2).unwrap(), b"\0the second body");
    edit(&folder, "replace-body", &["#2", &file]);
    assert_eq!(folder.open("Out.u").body(2).unwrap(), body);
    let out = folder.arg("No.u");
    let run =
        folder.run("replace-body", "Mod.u", &["Readme", &file, "--overwrite", "-o", &out]).exits(1);
    assert!(run.err.contains("did you mean 'Texts.Readme'"), "{run:?}");
    folder.run("replace-body", "Mod.u", &["#9", &file, "--overwrite", "-o", &out]).exits(1);
    folder
        .run("replace-body", "Mod.u", &["#1", &folder.arg("gone"), "--overwrite", "-o", &out])
        .exits(2);
}

#[test]
fn exactly_one_target_is_needed() {
    let folder = Folder::with_mod();
    let run = folder.run("add-name", "Mod.u", &["X"]).exits(2);
    assert!(run.err.contains("--in-place") && run.err.contains("--output"), "{run:?}");
    folder.run("add-name", "Mod.u", &["X", "-o", &folder.arg("Out.u"), "--in-place"]).exits(2);
    assert_eq!(folder.names(), ["Mod.u"]);
}

#[test]
fn the_input_as_output_is_refused_however_it_is_written() {
    let folder = Folder::with_mod();
    folder.write("sub/x", "");
    let before = folder.read("Mod.u");
    let mut same = vec![folder.arg("Mod.u"), folder.arg("sub/../Mod.u"), folder.arg("./Mod.u")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("Mod.u"), folder.path("link.u")).unwrap();
        same.push(folder.arg("link.u"));
    }
    for output in &same {
        let run =
            folder.run("rename", "Mod.u", &["--name", "Readme", "Other", "-o", output]).exits(2);
        assert!(run.err.contains("--in-place"), "{run:?}");
        assert_eq!(folder.read("Mod.u"), before);
    }
    let run = folder
        .run("rename", "Mod.u", &["--name", "Readme", "Other", "-o", &folder.arg("sub")])
        .exits(2);
    assert!(run.err.contains("is a folder"), "{run:?}");
}

#[test]
fn in_place_replaces_the_input() {
    let folder = Folder::with_mod();
    let run = folder.run("rename", "Mod.u", &["--name", "Readme", "Other", "--in-place"]).exits(0);
    assert!(run.out.contains("reopened, re-saves identically"), "{run:?}");
    assert!(folder.open("Mod.u").find_export("Texts.Other").is_ok());
    assert_eq!(folder.names(), ["Mod.u", "Mod.u.bak"], "nothing else is left beside it");
}

#[test]
fn in_place_keeps_every_older_state() {
    let folder = Folder::with_mod();
    let first = folder.read("Mod.u");
    let run = folder
        .run("rename", "Mod.u", &["--name", "Readme", "Other", "--in-place", "--json"])
        .exits(0);
    assert_eq!(run.object()["backup"], format!("{}.bak", real(&folder, "Mod.u")));
    let second = folder.read("Mod.u");
    folder.run("rename", "Mod.u", &["--name", "Other", "Third", "--in-place"]).exits(0);
    assert_eq!(folder.names(), ["Mod.u", "Mod.u.bak", "Mod.u.bak1"]);
    assert_eq!(folder.read("Mod.u.bak"), first, "the first backup was overwritten");
    assert_eq!(folder.read("Mod.u.bak1"), second);
    // Nothing changes: nothing to keep.
    let run = folder.run("add-name", "Mod.u", &["Texts", "--in-place", "--json"]).exits(0);
    assert_eq!(run.object()["backup"], Value::Null);
    folder
        .run("rename", "Mod.u", &["--name", "Third", "Last", "--in-place", "--no-backup"])
        .exits(0);
    assert_eq!(folder.names(), ["Mod.u", "Mod.u.bak", "Mod.u.bak1"]);
    let out = folder.arg("Out.u");
    folder
        .run("rename", "Mod.u", &["--name", "Last", "X", "--no-backup", "--overwrite", "-o", &out])
        .exits(2);
}

fn real(folder: &Folder, name: &str) -> String {
    dunce::canonicalize(folder.path(name)).unwrap().display().to_string()
}

#[cfg(unix)]
#[test]
fn in_place_follows_links_and_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with_mod();
    let path = folder.path("Mod.u");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&path, folder.path("link.u")).unwrap();
    folder.run("rename", "link.u", &["--name", "Readme", "Other", "--in-place"]).exits(0);
    assert!(std::fs::symlink_metadata(folder.path("link.u")).unwrap().is_symlink());
    assert!(folder.open("Mod.u").find_export("Texts.Other").is_ok());
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

#[test]
fn a_dry_run_writes_nothing() {
    let folder = Folder::with_mod();
    let before = folder.read("Mod.u");
    let out = folder.arg("Out.u");
    for target in [
        &["--dry-run"][..],
        &["--dry-run", "--overwrite", "-o", &out],
        &["--dry-run", "--in-place"],
    ] {
        let args: Vec<_> =
            ["--name", "Readme", "Other", "--json"].iter().chain(target).copied().collect();
        let report = folder.run("rename", "Mod.u", &args).exits(0).object();
        assert_eq!(report["dry_run"], true);
        assert_eq!(report["output"], Value::Null);
        assert_eq!(report["changed"], true);
    }
    let run = folder.run("rename", "Mod.u", &["--name", "Readme", "Other", "--dry-run"]).exits(0);
    assert!(run.out.contains("nothing written"), "{run:?}");
    assert_eq!(folder.names(), ["Mod.u"]);
    assert_eq!(folder.read("Mod.u"), before);
}

#[test]
fn what_cannot_be_done_exits_with_1_and_says_what_to_do() {
    let folder = Folder::with_mod();
    let out = folder.arg("Out.u");
    for (old, new, text) in [
        ("Gone", "X", "--names"),
        ("Readme", "Credits", "there already"),
        ("None", "X", "'None' ends every property list"),
        ("Readme", "", "at least one character"),
    ] {
        let run = folder
            .run("rename", "Mod.u", &["--name", old, new, "--overwrite", "-o", &out])
            .exits(1);
        assert!(run.err.contains(text), "{old} {new}: {run:?}");
    }
    assert_eq!(folder.names(), ["Mod.u"]);
}

/// A package whose texture holds a lazy array with the position of its own end: it must not move.
fn package_with_position() -> Vec<u8> {
    let build = |body: Vec<u8>| {
        let builder = Builder::new(69).guid(Guid::new(1, 2, 3, 4));
        builder.export("Skin", "Engine.Texture", body).build().unwrap()
    };
    let draft = build(vec![0; 10]);
    let package = unreal_packages::Package::from_bytes(draft).unwrap();
    let start = package.exports().entries()[0].serial_offset.value() as u32;
    // The list of properties ends, then the array: its end, a count of four, four elements.
    let mut body = vec![0];
    body.extend((start + 10).to_le_bytes());
    body.extend([4, 9, 9, 9, 9]);
    build(body)
}

fn grow(folder: &Folder, rest: &[&str]) -> Run {
    let out = folder.arg("Out.u");
    let _ = std::fs::remove_file(&out);
    let args: Vec<_> = ["AVeryLongNameIndeed", "--overwrite", "-o", &out, "--json"]
        .iter()
        .chain(rest)
        .copied()
        .collect();
    folder.run("add-name", "Mod.u", &args)
}

#[test]
fn the_layout_can_be_chosen_and_a_corrupting_save_is_refused() {
    let folder = Folder::new();
    folder.write("Mod.u", package_with_position());
    assert_eq!(grow(&folder, &[]).exits(0).object()["layout"], "keep");
    assert_eq!(grow(&folder, &["--layout", "keep"]).exits(0).object()["layout"], "keep");
    let run = grow(&folder, &["--layout", "canonical"]).exits(1);
    assert!(run.err.contains("Skin") && run.err.contains("--move-undecoded"), "{run:?}");
    assert_eq!(folder.names(), ["Mod.u"], "a refused save leaves nothing behind");
    grow(&folder, &["--layout", "canonical", "--force"]).exits(1);
    let moved = ["--layout", "canonical", "--move-undecoded"];
    let report = grow(&folder, &moved).exits(0).object();
    assert_eq!(report["layout"], "canonical");
    assert_eq!(report["moved"][0]["ground"], "forced");
    grow(&folder, &["--strict", "--move-undecoded"]).exits(2);
    grow(&folder, &["--strict", "--force"]).exits(0);
    grow(&folder, &["--layout", "sideways"]).exits(2);
}

#[test]
fn strict_moves_nothing_on_a_guess() {
    let folder = Folder::new();
    let package = Builder::new(69).export("Thing", "Engine.Mystery", *b"\0abc").build().unwrap();
    folder.write("Mod.u", package);
    let report = grow(&folder, &["--layout", "canonical"]).exits(0).object();
    assert_eq!(report["moved"][0]["ground"], "no-positions-seen");
    grow(&folder, &["--layout", "canonical", "--strict"]).exits(1);
    assert_eq!(grow(&folder, &["--strict"]).exits(0).object()["layout"], "keep");
}

#[test]
fn people_read_what_was_done() {
    let folder = Folder::with_mod();
    let out = folder.arg("Out.u");
    let run = folder
        .run("rename", "Mod.u", &["--name", "Readme", "Instructions", "--overwrite", "-o", &out])
        .exits(0);
    assert!(run.out.starts_with("renamed 'Readme' to 'Instructions' (name "), "{run:?}");
    assert!(run.out.contains("layout: canonical, 2 bodies moved"), "{run:?}");
    assert!(run.out.contains("2 bodies: its class holds no file positions"), "{run:?}");
    assert!(run.out.contains(&format!("wrote {out}")), "{run:?}");
}

#[test]
fn edits_work_in_every_generation() {
    for version in [40, 61, 69, 128, 178, 334, 512, 868] {
        let folder = Folder::new();
        folder.write("Mod.u", small_package(version));
        edit(&folder, "rename", &["--name", "Readme", "Instructions"]);
        edit(&folder, "add-name", &["Fresh"]);
        edit(&folder, "add-import", &["Botpack.Enforcer", "Core.Class"]);
    }
}

#[test]
fn a_body_made_with_the_library_fits() {
    let folder = Folder::with_mod();
    // No properties, two numbers, the text.
    let mut saver = Saver::new(Versions::ue1_to_3(69, 0));
    unreal_packages::CompactIndex::new(0).serialize(&mut saver).unwrap();
    [0i32; 2].serialize(&mut saver).unwrap();
    FString::new("Hello").serialize(&mut saver).unwrap();
    folder.write("body.bin", saver.bytes());
    edit(&folder, "replace-body", &["Texts.Readme", &folder.arg("body.bin")]);
    let run = upk(&["explain", &folder.arg("Out.u"), "--bytes", "20"]).exits(0);
    assert!(run.out.contains(".text.characters: span text = Hello"), "{run:?}");
}

#[test]
fn a_file_of_edits_is_one_edit_of_each_package() {
    let folder = Folder::with_mod();
    folder.write("Other.u", folder.read("Mod.u"));
    let script = "# names\n\nadd-name Fresh\nrename Texts.Readme 'Manual'  # the object\n";
    folder.write("all.txt", script);
    let (script, file, other) = (folder.arg("all.txt"), folder.arg("Mod.u"), folder.arg("Other.u"));
    let reports = upk(&["edit", &script, &file, &other, "--in-place", "--json"]).exits(0).json();
    // One a package, and the sums.
    assert_eq!(reports.len(), 3);
    assert_eq!(reports[2]["summary"]["edited"], 2);
    for (report, name) in reports.iter().zip(["Mod.u", "Other.u"]) {
        assert_eq!(report["change"]["edits"].as_array().unwrap().len(), 2, "{report}");
        let package = folder.open(name);
        assert!(package.find_export("Texts.Manual").is_ok(), "{name}");
        assert!(package.names().find("Fresh").is_some(), "{name}");
    }
    // A line that fails leaves the package as it was.
    let before = folder.read("Mod.u");
    folder.write("bad.txt", "add-name Another\nremove Nobody\n");
    let run = upk(&["edit", &folder.arg("bad.txt"), &file, "--in-place"]).exits(1);
    assert!(run.err.contains("line 2") && run.err.contains("Nobody"), "{run:?}");
    assert_eq!(folder.read("Mod.u"), before);
    // What is no edit, and what can't be read, is said before anything is opened.
    for (text, said) in [
        ("verify", "line 1"),
        ("set-flags --nothing", "line 1"),
        ("rename 'A", "not closed"),
        ("# nothing", "has no edits"),
    ] {
        folder.write("bad.txt", text);
        let run = upk(&["edit", &folder.arg("bad.txt"), &file, "--in-place"]).exits(2);
        assert!(run.err.contains(said), "{text}: {run:?}");
    }
    let (out, script) = (folder.arg("Out.u"), folder.arg("all.txt"));
    let run = upk(&["edit", &script, &file, &other, "-o", &out]).exits(2);
    assert!(run.err.contains("--in-place"), "{run:?}");
}

#[test]
fn options_that_a_line_would_not_heed_are_refused_in_it() {
    let folder = Folder::with_mod();
    let (file, other) = (folder.arg("Mod.u"), folder.arg("Stolen.u"));
    folder.write("env/Other.u", small_package(69));
    let before = folder.read("Mod.u");
    let env = folder.arg("env");
    for (line, option) in [
        (format!("add-name One -o '{other}'"), "--output"),
        (format!("add-name One --output '{other}'"), "--output"),
        (format!("add-name One --env '{env}'"), "--env"),
        ("add-name One --engine 4.27".to_owned(), "--engine"),
        ("add-name One --in-place".to_owned(), "--in-place"),
        ("add-name One --dry-run".to_owned(), "--dry-run"),
        ("add-name One --layout keep".to_owned(), "--layout"),
        ("add-name One --force".to_owned(), "--force"),
        ("add-name One --new-guid".to_owned(), "--new-guid"),
        ("add-name One --strict".to_owned(), "--strict"),
        ("add-name One --json".to_owned(), "--json"),
        ("add-name One --follow-links".to_owned(), "--follow-links"),
        ("rename Texts.Readme Manual --force".to_owned(), "--force"),
        (format!("copy '{file}' Texts.Readme -o '{other}'"), "--output"),
    ] {
        folder.write("line.txt", &line);
        let run = upk(&["edit", &folder.arg("line.txt"), &file, "--dry-run"]).exits(2);
        assert!(run.err.contains("line 1") && run.err.contains(option), "{line}: {run:?}");
    }
    assert!(!folder.path("Stolen.u").exists());
    assert_eq!(folder.read("Mod.u"), before);
    let source = Builder::new(69).import("Core.Object", "Core.Class").build().unwrap();
    let mut source = unreal_packages::Package::from_bytes(source).unwrap();
    source.edit(|edit| edit.add_text("Fresh", "fresh").map(drop)).unwrap();
    folder.write("env/Source.u", source.to_bytes().unwrap());
    folder.write("line.txt", format!("copy '{env}/Source.u' Fresh --group Texts\n"));
    let run = upk(&["edit", &folder.arg("line.txt"), &file, "--dry-run"]).exits(0);
    assert!(run.out.contains("copied Fresh as Texts.Fresh"), "{run:?}");
    // Where a line opens other packages it may say how; else it does as all lines are told to.
    let users = Builder::new(69).import("Mod.Texts", "Core.Package");
    let users = users.import("Mod.Texts.Readme", "Core.TextBuffer").build().unwrap();
    folder.write("env/User.u", users);
    folder.write("line.txt", "rename Texts.Readme Manual\n");
    let line = folder.arg("line.txt");
    upk(&["edit", &line, &file, "--dry-run"]).exits(0);
    let run = upk(&["edit", &line, &file, "--dry-run", "--env", &env]).exits(1);
    assert!(run.err.contains("User"), "{run:?}");
    folder.write("line.txt", format!("rename Texts.Readme Manual --env '{env}'\n"));
    let run = upk(&["edit", &line, &file, "--dry-run"]).exits(1);
    assert!(run.err.contains("User"), "{run:?}");
}

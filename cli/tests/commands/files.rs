//! What is written where: standard input and output, files that are there, backups and how they come back.

use std::io::Write;
use std::process::Stdio;

use unreal_packages::generate::NewAsset;
use unreal_packages::package::Package;

use crate::common::{Folder, Run, command, small_package, upk};

/// Runs the command with bytes on its standard input.
fn piped(args: &[&str], input: &[u8]) -> (i32, Vec<u8>, String) {
    let mut command = command(args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who refuses does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), output.stdout, String::from_utf8(output.stderr).unwrap())
}

/// A package of one file and one of two, each with a value to change.
fn assets() -> Folder {
    let folder = Folder::with_mod();
    let kind = "float".parse().unwrap();
    let asset = NewAsset::object("/Game/Door", "/Script/MyGame.Door").property("Health", kind, "1");
    let package = asset.build("4.27".parse().unwrap()).unwrap();
    let bytes = package.to_bytes().unwrap();
    let at = package.summary().total_header_size as usize;
    folder.write("Door.uasset", &bytes[..at]);
    folder.write("Door.uexp", &bytes[at..]);
    folder.write("Whole.uasset", &bytes);
    folder
}

fn set(folder: &Folder, file: &str, value: &str) -> Run {
    folder.run("set", file, &[&format!("Door.Health={value}"), "--in-place", "--json"])
}

#[test]
fn every_command_reads_standard_input() {
    let package = small_package(69);
    for args in [
        &["info", "-"][..],
        &["list", "-"],
        &["verify", "-"],
        &["explain", "-"],
        &["dump", "-", "Texts.Readme"],
        &["refs", "-", "Texts.Readme"],
        &["source", "-"],
        &["diff", "-", "-"],
        &["check", "-", "--against", "-"],
        &["to-json", "-"],
        &["classes", "-"],
        &["headers", "-"],
        &["rename", "-", "--name", "Readme", "Manual", "--dry-run"],
        &["add-name", "-", "New", "--dry-run"],
        &["compress", "-", "--as", "uz2", "--dry-run"],
    ] {
        let (code, out, err) = piped(args, &package);
        assert_eq!((code, err.as_str()), (0, ""), "{args:?}");
        assert!(!out.is_empty(), "{args:?}");
    }
    let (code, _, err) = piped(&["info", "-"], b"");
    assert_eq!(code, 2, "{err}");
    let (code, _, err) = piped(&["add-name", "-", "New", "--in-place"], &package);
    assert!(code == 2 && err.contains("-o OUT"), "{err}");
}

#[test]
fn standard_output_is_the_result_alone() {
    let folder = assets();
    let package = small_package(69);
    let (code, renamed, said) =
        piped(&["rename", "-", "--name", "Readme", "Manual", "-o", "-"], &package);
    assert_eq!(code, 0, "{said}");
    assert!(Package::from_bytes(renamed).unwrap().find_export("Texts.Manual").is_ok());
    assert!(said.contains("wrote standard output"), "{said}");
    let (_, json, said) = piped(&["to-json", "-", "-o", "-"], &package);
    assert_eq!(said, "");
    let (_, again, _) = piped(&["from-json", "-", "-o", "-"], &json);
    assert_eq!(again, package);
    let (_, packed, _) = piped(&["compress", "-", "--as", "uz2", "-o", "-"], &package);
    let (_, again, _) = piped(&["decompress", "-", "-o", "-"], &packed);
    assert_eq!(again, package);
    let (_, made, _) = piped(&["new", "empty", "-o", "-"], b"");
    assert!(Package::from_bytes(made).is_ok());
    let args = ["extract", &folder.arg("Mod.u"), "#1", "--raw", "-o", "-"];
    let (_, body, said) = piped(&args, b"");
    assert_eq!(body, folder.open("Mod.u").body(1).unwrap(), "{said}");
    let (code, nothing, said) = piped(&["extract", "-", "--raw", "-o", "-"], &package);
    assert!(code == 2 && nothing.is_empty() && said.contains("one file"), "{said}");
    // Two files are one too many.
    let run = folder.run("set", "Door.uasset", &["Door.Health=2", "-o", "-"]).exits(2);
    assert!(run.err.contains("two files"), "{run:?}");
    assert!(!folder.names().contains(&"-".to_owned()));
}

#[test]
fn no_output_replaces_an_input_or_unasked_a_file_that_is_there() {
    let folder = assets();
    folder.run("to-json", "Mod.u", &["-o", &folder.arg("Mod.json")]).exits(0);
    folder.run("compress", "Mod.u", &["--as", "uz2", "-o", &folder.arg("Mod.uz2")]).exits(0);
    let names = ["Mod.u", "Mod.json", "Mod.uz2", "Door.uasset", "Door.uexp"];
    let before = names.map(|name| folder.read(name));
    let [package, json, uz2, door, bodies] = names.map(|name| folder.arg(name));
    folder.write("there", "something");
    let there = folder.arg("there");
    // The input, whatever is said.
    for args in [
        &["to-json", &package, "-o", &package][..],
        &["from-json", &json, "-o", &json],
        &["rename", &package, "--name", "Readme", "A", "-o", &package],
        &["compress", &package, "--as", "uz2", "-o", &package],
        &["decompress", &uz2, "-o", &uz2],
        &["headers", &package, "-o", &package],
        &["set", &door, "Door.Health=2", "-o", &door],
        &["set", &door, "Door.Health=2", "-o", &bodies],
        &["add-name", &package, "New", "-o", &door],
    ] {
        for more in [&[][..], &["--overwrite"]] {
            let args: Vec<_> = args.iter().chain(more).collect();
            // That one is no input, but it is there, and another kind of file.
            let run = upk(&args).exits(2);
            assert!(run.err.contains("next: "), "{args:?}: {run:?}");
        }
    }
    // A file that is there.
    for args in [
        &["to-json", &package, "-o", &there][..],
        &["from-json", &json, "-o", &there],
        &["add-name", &package, "New", "-o", &there],
        &["compress", &package, "--as", "uz2", "-o", &there],
        &["decompress", &uz2, "-o", &there],
        &["headers", &package, "-o", &there],
        &["new", "empty", "-o", &there],
    ] {
        let run = upk(args).exits(2);
        assert!(run.err.contains("--overwrite"), "{args:?}: {run:?}");
        assert_eq!(folder.read("there"), b"something", "{args:?}");
        let args: Vec<_> = args.iter().copied().chain(["--overwrite"]).collect();
        upk(&args).exits(0);
        assert_ne!(folder.read("there"), b"something", "{args:?}");
        folder.write("there", "something");
    }
    assert_eq!(names.map(|name| folder.read(name)), before);
    assert!(folder.names().iter().all(|name| !name.starts_with(".upk-")));
}

#[test]
fn names_that_contradict_what_is_written_are_wrong_usage() {
    let folder = assets();
    for (command, file, rest, out) in [
        ("compress", "Mod.u", &["--as", "uz2"][..], "s.uz3"),
        ("add-name", "Mod.u", &["New"], "s.uz3"),
        ("add-name", "Mod.u", &["New"], "s.json"),
        ("add-name", "Mod.u", &["New"], "s.uasset"),
        ("to-json", "Mod.u", &[], "s.u"),
        ("set", "Whole.uasset", &["Door.Health=2"], "s.upk"),
        ("set", "Whole.uasset", &["Door.Health=2"], "s.uexp"),
    ] {
        let out = folder.arg(out);
        let rest: Vec<_> = rest.iter().copied().chain(["-o", &out]).collect();
        let run = folder.run(command, file, &rest).exits(2);
        assert!(run.err.contains(" files are "), "{run:?}");
        assert!(!std::path::Path::new(&out).exists());
    }
    folder.run("add-name", "Mod.u", &["New", "-o", &folder.arg("any.name")]).exits(0);
}

#[test]
fn both_files_of_a_package_are_kept_and_come_back() {
    let folder = assets();
    let old = ["Door.uasset", "Door.uexp"].map(|name| folder.read(name));
    let run = set(&folder, "Door.uasset", "2").exits(0).object();
    let real = dunce::canonicalize(folder.path("Door.uasset.bak")).unwrap();
    assert_eq!(run["backup"], real.to_str().unwrap());
    let kept = ["Door.uasset.bak", "Door.uexp.bak"].map(|name| folder.read(name));
    assert_eq!(kept, old);
    let new = ["Door.uasset", "Door.uexp"].map(|name| folder.read(name));
    // Back, and forth again.
    let dry = folder.run("restore", "Door.uasset", &["--dry-run", "--json"]).exits(0).object();
    assert_eq!((&dry["number"], &dry["backup"]), (&0.into(), &serde_json::Value::Null));
    for expected in [&old, &new, &old] {
        folder.run("restore", "Door.uasset", &[]).exits(0);
        assert_eq!(["Door.uasset", "Door.uexp"].map(|name| folder.read(name)), *expected);
    }
    let list = folder.run("restore", "Door.uasset", &["--list", "--json"]).exits(0).json();
    assert_eq!(list.len(), 4, "one of the edit and three of the restores: {list:?}");
    folder.run("restore", "Door.uasset", &["--number", "1", "--no-backup"]).exits(0);
    assert_eq!(folder.read("Door.uexp"), new[1]);
    folder.run("restore", "Door.uasset", &["--number", "7"]).exits(1);
    let run = folder.run("restore", "Mod.u", &[]).exits(1);
    assert!(run.err.contains("no backup"), "{run:?}");
    // A backup whose other half is gone brings nothing back.
    std::fs::remove_file(folder.path("Door.uexp.bak")).unwrap();
    let run = folder.run("restore", "Door.uasset", &["--number", "0"]).exits(1);
    assert!(run.err.contains(".uexp"), "{run:?}");
    assert_eq!(folder.read("Door.uexp"), new[1]);
}

/// The bodies of the input stand beside the output's header: they are an input as well.
#[test]
fn bodies_are_never_written_over_those_of_the_input() {
    let folder = assets();
    std::fs::rename(folder.path("Door.uasset"), folder.path("Door.umap")).unwrap();
    let before = ["Door.umap", "Door.uexp"].map(|name| folder.read(name));
    let out = folder.arg("Door.uasset");
    let run =
        folder.run("set", "Door.umap", &["Door.Health=2", "-o", &out, "--overwrite"]).exits(2);
    assert!(run.err.contains("is the input itself"), "{run:?}");
    assert_eq!(["Door.umap", "Door.uexp"].map(|name| folder.read(name)), before);
    assert!(!folder.path("Door.uasset").exists());
}

/// Files of a store behind links: each changes where it is, or nothing does.
#[cfg(unix)]
#[test]
fn links_to_both_files_are_followed_and_to_one_refused() {
    use std::os::unix::fs::symlink;
    let folder = assets();
    for (name, stored) in [("Door.uasset", "store/aaa"), ("Door.uexp", "store/bbb")] {
        folder.write(stored, folder.read(name));
        std::fs::remove_file(folder.path(name)).unwrap();
        symlink(folder.path(stored), folder.path(name)).unwrap();
    }
    set(&folder, "Door.uasset", "2").exits(0);
    let old = ["store/aaa.bak", "store/bbb.bak"].map(|name| folder.read(name));
    assert_ne!(old[1], folder.read("store/bbb"));
    assert!(folder.path("Door.uexp").symlink_metadata().unwrap().is_symlink());
    folder.run("verify", "Door.uasset", &[]).exits(0);
    folder.run("restore", "Door.uasset", &[]).exits(0);
    assert_eq!(["store/aaa", "store/bbb"].map(|name| folder.read(name)), old);
    // Bodies that lie elsewhere than their header.
    std::fs::remove_file(folder.path("Door.uexp")).unwrap();
    folder.write("Door.uexp", &old[1]);
    let run = set(&folder, "Door.uasset", "3").exits(1);
    assert!(run.err.contains("another folder"), "{run:?}");
    assert_eq!(
        (folder.read("Door.uexp"), folder.read("store/aaa")),
        (old[1].clone(), old[0].clone())
    );
}

/// Both come into the index, whoever writes it first.
#[test]
fn packages_that_are_added_to_a_cache_at_once_are_all_listed() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("Cache")).unwrap();
    let names: Vec<_> = (0..6).map(|number| format!("Mod{number}.u")).collect();
    for (number, name) in names.iter().enumerate() {
        let builder = unreal_packages::generate::Builder::new(69);
        let guid = unreal_packages::Guid::new(7, 7, 7, number as u32);
        folder.write(name, builder.guid(guid).build().unwrap());
    }
    let cache = folder.arg("Cache");
    let runs: Vec<_> = names
        .iter()
        .map(|name| command(&["cache", "add", &cache, &folder.arg(name)]).spawn().unwrap())
        .collect();
    runs.into_iter().for_each(|mut run| assert!(run.wait().unwrap().success()));
    let index = String::from_utf8(folder.read("Cache/Cache.ini")).unwrap();
    assert!(names.iter().all(|name| index.contains(name.as_str())), "{index}");
}

#[test]
fn files_that_do_not_belong_together_are_named() {
    let folder = assets();
    let mut bodies = folder.read("Door.uexp");
    bodies.extend(b"of another save");
    folder.write("Door.uexp", bodies);
    for command in ["info", "verify"] {
        let run = folder.run(command, "Door.uasset", &[]);
        assert!(run.code > 0, "{run:?}");
        let said = run.out + &run.err;
        assert!(said.contains("Door.uexp do not belong together"), "{said}");
    }
}

/// Two edits at once: both are in the file, or one of them says that it is not.
#[test]
fn no_edit_is_lost_to_another() {
    let folder = assets();
    for round in 0..8 {
        let file = folder.arg("Mod.u");
        let edit = |name: &str| {
            let args = ["add-name", &file, name, "--in-place", "--no-backup"];
            command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let names = [format!("One{round}"), format!("Two{round}")];
        let runs = [edit(&names[0]), edit(&names[1])];
        let done = runs.map(|mut run| run.wait().unwrap().success());
        assert!(done.contains(&true), "neither was done");
        let package = folder.open("Mod.u");
        for (name, done) in names.iter().zip(done) {
            assert_eq!(package.names().find(name).is_some(), done, "{name}");
        }
        for name in [format!("One{round}"), format!("Two{round}")] {
            upk(&["add-name", &file, &name, "--in-place", "--no-backup"]);
        }
    }
    assert!(folder.names().iter().all(|name| !name.starts_with(".upk-")));
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_replaced_say_why() {
    let folder = assets();
    let mut permissions = std::fs::metadata(folder.path("Mod.u")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(folder.path("Mod.u"), permissions).unwrap();
    let run = folder.run("add-name", "Mod.u", &["New", "--in-place"]).exits(1);
    assert!(run.err.contains("read-only") && run.err.contains("-o"), "{run:?}");
    std::fs::hard_link(folder.path("Whole.uasset"), folder.path("Second.uasset")).unwrap();
    let run = set(&folder, "Whole.uasset", "2").exits(1);
    assert!(run.err.contains("hard links"), "{run:?}");
    assert_eq!(folder.read("Whole.uasset"), folder.read("Second.uasset"));
}

#[test]
fn errors_stand_once_on_one_line_and_as_json_where_that_is_asked_for() {
    let folder = assets();
    let run = folder.run("info", "missing.u", &[]).exits(2);
    assert_eq!(run.err.matches("No such file").count().max(1), 1, "{run:?}");
    assert_eq!(run.err.lines().count(), 2, "{run:?}");
    let run = folder.run("rename", "Mod.u", &["a\nb\u{1b}[2J", "x", "--dry-run"]).exits(1);
    assert_eq!(run.err.lines().count(), 2, "{run:?}");
    assert!(!run.err.contains('\u{1b}'), "{run:?}");
    for (args, code) in [
        (&["info", "missing.u", "--json"][..], 2),
        (&["dance", "--json"], 2),
        (&["rename", &folder.arg("Mod.u"), "Nobody", "x", "--dry-run", "--json"], 1),
    ] {
        let run = upk(args).exits(code);
        let error: serde_json::Value = serde_json::from_str(&run.err).unwrap();
        assert_eq!(error["exit"], code, "{error}");
        assert!(error["error"].is_string() && run.out.is_empty(), "{run:?}");
    }
}

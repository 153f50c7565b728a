//! Server against client, the folder that clients download from, and the page of a difference.

use crate::common;

use common::{Folder, Run, upk};
use serde_json::Value;
use unreal_packages::Guid;
use unreal_packages::compression::redirect::Redirect;
use unreal_packages::generate::Builder;
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::{Package, prelude::*};

const DOWNLOAD: PackageFlags = PackageFlags(1);

fn builder(number: u32) -> Builder {
    Builder::new(69).guid(Guid::new(number, 0, 0, 0)).flags(DOWNLOAD)
}

fn text(number: u32, names: &[&str], body: &[u8]) -> Vec<u8> {
    let add = |builder: Builder, name: &&str| {
        builder.export((*name).to_owned(), "Core.TextBuffer", body.to_vec())
    };
    names.iter().fold(builder(number), add).build().unwrap()
}

/// The body of a `TextBuffer`: no properties, two numbers, a short text.
fn body(text: &str) -> Vec<u8> {
    let mut body = vec![0; 9];
    body.push(text.len() as u8 + 1);
    body.extend(text.as_bytes());
    body.push(0);
    body
}

fn core() -> Vec<u8> {
    builder(90).export("TextBuffer", "Core.Class", []).build().unwrap()
}

/// A package that goes on from another one.
fn conformed(new: &[u8], old: &[u8]) -> Vec<u8> {
    let mut package = Package::from_bytes(new.to_vec()).unwrap();
    let old = Package::from_bytes(old.to_vec()).unwrap();
    package.edit(|edit| edit.conform_to(&old)).unwrap();
    package.to_bytes().unwrap()
}

fn compare(folder: &Folder, rest: &[&str]) -> Run {
    let (server, client) = (folder.arg("server"), folder.arg("client"));
    let args: Vec<&str> =
        ["compare", &server, &client].into_iter().chain(rest.iter().copied()).collect();
    upk(&args)
}

fn of<'a>(rows: &'a [Value], name: &str) -> &'a Value {
    rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {rows:?}"))
}

#[test]
fn each_kind_of_mismatch_has_its_name() {
    let folder = Folder::new();
    let both = |name: &str, server: &[u8], client: &[u8]| {
        folder.write(&format!("server/{name}"), server);
        folder.write(&format!("client/{name}"), client);
    };
    both("Core.u", &core(), &core());
    let same = text(1, &["A"], &body("one"));
    both("Same.u", &same, &same);
    folder.write("server/Fetched.u", text(2, &["A"], &body("one")));
    let closed = builder(3).flags(PackageFlags(0)).export("A", "Core.TextBuffer", []);
    folder.write("server/Closed.u", closed.build().unwrap());
    folder.write("client/Own.u", text(4, &["A"], &body("one")));
    let old = text(5, &["A"], &body("one"));
    let new = conformed(&text(50, &["A", "B"], &body("two")), &old);
    both("Older.u", &new, &old);
    both("Newer.u", &old, &new);
    both("Edited.u", &text(6, &["A"], &body("one")), &text(6, &["A"], &body("two")));
    both("Unfit.u", &text(7, &["A"], &body("one")), &text(7, &["B"], &body("one")));
    both("Other.u", &text(8, &["A"], &body("one")), &text(9, &["A"], &body("one")));
    folder.write("server/Broken.u", text(10, &["A"], &body("one")));
    folder.write("client/Broken.u", b"?");
    let rows = compare(&folder, &["--json"]).exits(1).json();
    for (name, verdict, possible) in [
        ("Same", "same", true),
        ("Fetched", "download", true),
        ("Closed", "must-have", false),
        ("Own", "own", true),
        ("Older", "client-older", true),
        ("Newer", "client-newer", true),
        ("Edited", "edited", true),
        ("Unfit", "unfit", false),
        ("Other", "other-guid", true),
        ("Broken", "unreadable", true),
    ] {
        let row = of(&rows, name);
        let found = (row["verdict"].as_str(), row["possible"].as_bool());
        assert_eq!(found, (Some(verdict), Some(possible)), "{row}");
    }
    assert_eq!(of(&rows, "Older")["common_generation"], 1);
    assert_eq!(of(&rows, "Newer")["common_generation"], 1);
    let bytes = std::fs::metadata(folder.path("server/Fetched.u")).unwrap().len();
    assert_eq!(of(&rows, "Fetched")["download"], bytes);
    assert_eq!(rows.last().unwrap()["possible"], false);
    let run = compare(&folder, &[]).exits(1);
    assert!(run.out.contains("the client can't play on this server: 2 packages are in"), "{run:?}");
    std::fs::remove_file(folder.path("server/Closed.u")).unwrap();
    std::fs::remove_file(folder.path("server/Unfit.u")).unwrap();
    compare(&folder, &[]).exits(0);
}

#[test]
fn an_older_generation_must_hold_what_the_level_needs() {
    let folder = Folder::new();
    let old = builder(5).export("Gun", "Core.Class", []).build().unwrap();
    let new = builder(50).export("Gun", "Core.Class", []).export("Bow", "Core.Class", []);
    let new = conformed(&new.build().unwrap(), &old);
    folder.write("server/Mod.u", new);
    folder.write("client/Mod.u", old);
    let level = |class: &str| builder(6).import(format!("Mod.{class}"), "Core.Class").build();
    folder.write("server/Core.u", builder(1).export("Object", "Core.Class", []).build().unwrap());
    folder.write("client/Core.u", builder(1).export("Object", "Core.Class", []).build().unwrap());
    folder.write("server/Arena.unr", level("Gun").unwrap());
    compare(&folder, &["--level", "Arena"]).exits(0);
    folder.write("server/Arena.unr", level("Bow").unwrap());
    let rows = compare(&folder, &["--level", "Arena", "--json"]).exits(1).json();
    let reason = of(&rows, "Mod")["reason"].as_str().unwrap().to_owned();
    assert!(reason.contains("Arena needs Mod.Bow, which it lacks"), "{reason}");
}

#[test]
fn the_cache_counts_and_its_strangers_are_named() {
    let folder = Folder::new();
    let bytes = text(2, &["A"], &body("one"));
    folder.write("server/Fetched.u", &bytes);
    let ini = "[Core.System]\r\nCachePath=..\\Cache\r\nPaths=..\\System\\*.u\r\n";
    folder.write("client/System/Game.ini", ini);
    folder.write("server/Core.u", core());
    folder.write("client/System/Core.u", core());
    folder.write("client/System/Same.u", text(1, &["A"], &body("one")));
    let guid = Guid::new(2, 0, 0, 0);
    folder.write(&format!("client/Cache/{guid}.uxx"), &bytes);
    folder.write("client/Cache/Cache.ini", format!("[Cache]\r\n{guid}=Fetched.u\r\n"));
    folder.write("client/Cache/stray.txt", "?");
    let rows = compare(&folder, &["--json"]).exits(0).json();
    let row = of(&rows, "Fetched");
    assert_eq!((&row["verdict"], &row["client"]["cached"]), (&"same".into(), &true.into()));
    let strange = rows.iter().find(|row| row["finding"] == "cache").unwrap();
    assert_eq!(strange["state"], "foreign", "{strange}");
    // By its name as well, for what only looks.
    let client = folder.arg("client");
    folder.write(
        "client/System/User.u",
        builder(3).import("Fetched.A", "Core.TextBuffer").build().unwrap(),
    );
    let run = folder.run("deps", "client/System/User.u", &["--env", &client, "--imports"]);
    assert!(run.out.contains("Fetched.A (Core.TextBuffer): found"), "{run:?}");
    // A file under another GUID than its own.
    folder.write(&format!("client/Cache/{guid}.uxx"), text(77, &["A"], &body("one")));
    let rows = compare(&folder, &["--json"]).exits(1).json();
    assert_eq!(of(&rows, "Fetched")["verdict"], "unreadable");
}

#[test]
fn games_and_libraries_are_told_apart() {
    let folder = Folder::new();
    let ini = "[Core.System]\r\nPaths=..\\System\\*.u\r\n";
    folder.write("server/System/Unreal.ini", ini);
    folder.write("client/System/UnrealTournament.ini", ini);
    folder.write("client/System/Core.dll", "");
    let native = builder(1).export("Object", "Core.Class", []).build().unwrap();
    let mut native = Package::from_bytes(native).unwrap();
    native.edit(|edit| edit.set_object_flags(0, ObjectFlags(0x0400_0004))).unwrap();
    folder.write("client/System/Mod.u", native.to_bytes().unwrap());
    let rows = compare(&folder, &["--json"]).exits(0).json();
    let findings: Vec<_> = rows.iter().filter_map(|row| row["finding"].as_str()).collect();
    assert_eq!(findings, ["games", "library-missing"]);
    let run = upk(&["doctor", &folder.arg("client")]);
    assert!(run.out.contains("Mod has native classes, and"), "{run:?}");
}

#[test]
fn early_ini_files_are_read() {
    let folder = Folder::new();
    folder.write(
        "System/Unreal.ini",
        "[Core.System]\r\nPaths[0]=..\\System\\*.u\r\n[EditPackages]\r\n0=Mod\r\n1=Base\r\n\
         [DefaultGame]\r\nClass=Gone.Game\r\n[DefaultPlayer]\r\nName=A.B\r\nClass=Mod.Man\r\n\
         [Engine.GameEngine]\r\nServerActors=Uplink.Master Port=7777\r\n",
    );
    folder.write("System/Base.u", builder(1).export("Thing", "Core.Class", []).build().unwrap());
    let own = builder(2).import("Base.Thing", "Core.Class").export("Man", "Core.Class", []);
    folder.write("System/Mod.u", own.build().unwrap());
    let rows = upk(&["doctor", &folder.arg(""), "--json"]).exits(1).json();
    let found = |kind: &str, key: &str| -> Vec<&str> {
        let rows = rows.iter().filter(|row| row["finding"] == kind);
        rows.map(|row| row[key].as_str().unwrap()).collect()
    };
    assert_eq!(found("build-order", "package"), ["Mod"], "{rows:?}");
    let missing = found("package-missing", "package");
    assert!(missing.contains(&"Gone") && missing.contains(&"Uplink"), "{rows:?}");
    assert!(!missing.contains(&"A"), "{rows:?}");
}

#[test]
fn a_redirect_folder_is_packed_refreshed_and_checked() {
    let folder = Folder::new();
    folder.write("server/Mod.u", text(1, &["A"], &[0; 4000]));
    folder.write("server/Small.u", text(2, &["A"], &body("one")));
    let closed = builder(3).flags(PackageFlags(0)).export("A", "Core.TextBuffer", []);
    folder.write("server/Closed.u", closed.build().unwrap());
    let (server, packed) = (folder.arg("server"), folder.arg("packed"));
    let run = |rest: &[&str]| {
        let args: Vec<&str> =
            ["redirect", &server, "-o", &packed].into_iter().chain(rest.iter().copied()).collect();
        upk(&args)
    };
    run(&["--check"]).exits(1);
    assert!(!folder.path("packed").exists());
    run(&[]).exits(0);
    assert!(!folder.path("packed/Closed.u.uz").exists());
    let file = folder.read("packed/Mod.u.uz");
    let form = Redirect::recognise(&file).unwrap();
    assert_eq!(form.unpack(&file).unwrap(), folder.read("server/Mod.u"));
    run(&["--check"]).exits(0);
    // A newer package, a cut file, a stranger.
    folder.write("server/Mod.u", text(1, &["A"], &[1; 5000]));
    let cut = folder.read("packed/Small.u.uz");
    folder.write("packed/Small.u.uz", &cut[..cut.len() / 2]);
    folder.write("packed/Gone.u.uz", "?");
    let rows = run(&["--json"]).exits(1).json();
    let states: Vec<_> = rows
        .iter()
        .map(|row| (row["file"].as_str().unwrap(), row["state"].as_str().unwrap()))
        .collect();
    let expected = [("Mod.u.uz", "stale"), ("Small.u.uz", "damaged"), ("Gone.u.uz", "foreign")];
    assert_eq!(states, expected);
    run(&["--overwrite"]).exits(0);
    run(&["--check"]).exits(0);
    assert_eq!(folder.read("packed/Gone.u.uz"), b"?");
}

#[test]
fn a_packed_file_that_is_larger_is_named() {
    let folder = Folder::new();
    // Bytes without a pattern do not become smaller.
    let mut state = 1u32;
    let noise: Vec<u8> = (0..3000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    folder.write("server/Mod.u", text(1, &["A"], &noise));
    let run = upk(&["redirect", &folder.arg("server"), "-o", &folder.arg("packed")]).exits(0);
    assert!(run.out.contains("larger than its package: Mod.u.uz"), "{run:?}");
}

#[test]
fn a_page_of_a_difference_holds_no_script_and_marks_words() {
    let folder = Folder::new();
    let hostile = "<script>alert(1)</script>\"'&";
    let old = builder(1).export("Readme", "Core.TextBuffer", *b"\0\x04one\0").build().unwrap();
    folder.write("Old.u", old);
    let new = builder(1).export("Readme", "Core.TextBuffer", *b"\0\x04two\0").export(
        hostile,
        "Core.TextBuffer",
        *b"\0",
    );
    folder.write("New.u", new.build().unwrap());
    let (new, page) = (folder.arg("New.u"), folder.arg("page.html"));
    folder.run("diff", "Old.u", &[&new, "-o", &page]).exits(2);
    folder.run("diff", "Old.u", &[&new, "--html", "-o", &page]).exits(0);
    folder.run("diff", "Old.u", &[&new, "--html", "-o", &page]).exits(2);
    folder.run("diff", "Old.u", &[&new, "--html", "--overwrite", "-o", &page]).exits(0);
    let html = String::from_utf8(folder.read("page.html")).unwrap();
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)"), "{html}");
    assert!(html.contains("default-src 'none'") && !html.contains("http://"), "{html}");
    assert!(html.contains("prefers-color-scheme: dark"));
    assert!(html.contains("<section class=added>") && html.contains("Readme"), "{html}");
}

#[test]
fn an_older_generation_is_not_to_be_conformed() {
    let folder = Folder::new();
    let old = text(5, &["A"], &body("one"));
    folder.write("Old.u", &old);
    folder.write("New.u", conformed(&text(50, &["A", "B"], &body("two")), &old));
    let run = folder.run("check", "Old.u", &["--against", &folder.arg("New.u")]).exits(1);
    assert!(run.out.contains("it is an older generation of"), "{run:?}");
    assert!(!run.out.contains("upk conform"), "{run:?}");
    folder.run("check", "New.u", &["--against", &folder.arg("Old.u")]).exits(0);
}

#[test]
fn downloads_are_those_of_the_redirect_folder() {
    let folder = Folder::new();
    folder.write("server/Core.u", core());
    let long = body(&"once more ".repeat(12));
    for (name, number, body) in [("Big", 1, &long[..]), ("Lost", 2, &long), ("Odd", 3, &long)] {
        folder.write(&format!("server/{name}.u"), text(number, &["Text"], body));
    }
    folder.write("client/Core.u", core());
    let redirect = folder.arg("Redirect");
    upk(&["redirect", &folder.arg("server"), "-o", &redirect]).exits(0);
    std::fs::remove_file(folder.path("Redirect/Lost.u.uz")).unwrap();
    folder.write("Redirect/Odd.u.uz", vec![7; 5000]);
    let rows = compare(&folder, &["--redirect", &redirect, "--json"]).exits(0).json();
    let packed = folder.read("Redirect/Big.u.uz").len();
    assert_eq!(of(&rows, "Big")["download"], packed);
    assert_eq!(of(&rows, "Lost")["download"], folder.read("server/Lost.u").len());
    let total = packed + folder.read("server/Lost.u").len() + 5000;
    assert_eq!(rows.last().unwrap()["download_bytes"], total);
    let run = compare(&folder, &["--redirect", &redirect]).exits(0);
    assert!(run.out.contains("not in the redirect folder: Lost.u\n"), "{run:?}");
    assert!(run.out.contains("larger than its package: Odd.u: 5,000 bytes packed, "), "{run:?}");
    compare(&folder, &["--redirect", &folder.arg("None")]).exits(2);
}

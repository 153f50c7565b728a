//! The gate for opening files: what a folder brings along is a file of that folder, or is not opened.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::{Folder, Run, small_package, upk};

/// Runs the command where it may take 4 GiB of memory and 60 seconds of the processor; what waits for a pipe is ended
/// after two minutes. All of these have exit codes that no command has.
fn bounded(args: &[&str]) -> Run {
    let mut shell = std::process::Command::new("sh");
    let limits = "ulimit -v 4194304; ulimit -t 60; exec timeout -s KILL 120 \"$@\"";
    shell.args(["-c", limits, "sh", env!("CARGO_BIN_EXE_upk")]).args(args);
    let output = shell.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    Run { code, out: text(output.stdout), err: text(output.stderr) }
}

#[track_caller]
fn ends(args: &[&str]) -> Run {
    let run = bounded(args);
    assert!((0..=2).contains(&run.code), "{args:?}: {run:?}");
    run
}

fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A package of UE4 in two files; its name has no number.
fn split_package(folder: &Folder, name: &str) {
    let made = folder.arg(&format!("{name}.uasset"));
    let args = ["new", "asset", "--engine", "4.27", "--package", "/Game/A", "--class"];
    std::fs::create_dir_all(folder.path(name).parent().unwrap()).unwrap();
    upk(&[&args[..], &["/Script/Engine.DataAsset", "-o", &made]].concat()).exits(0);
}

/// Where the bodies of the package `dir/A` belong; nothing is there.
fn place_of_bodies(folder: &Folder) -> PathBuf {
    split_package(folder, "dir/A");
    let bodies = folder.path("dir/A.uexp");
    let _ = std::fs::remove_file(&bodies);
    bodies
}

#[test]
fn pipes_and_devices_beside_a_package_are_not_opened() {
    for what in ["pipe", "zero"] {
        let folder = Folder::new();
        let bodies = place_of_bodies(&folder);
        match what {
            "pipe" => pipe(&bodies),
            _ => symlink("/dev/zero", &bodies).unwrap(),
        }
        let (file, dir) = (folder.arg("dir/A.uasset"), folder.arg("dir"));
        let run = ends(&["info", &file]);
        assert!(run.code == 2 && run.err.contains("A.uexp is not read"), "{what}: {run:?}");
        let run = ends(&["verify", &dir]);
        assert!(run.code == 1 && run.out.contains("A.uexp is not read"), "{what}: {run:?}");
        ends(&["scan", &dir, "-o", &folder.arg("depot")]);
        ends(&["doctor", &dir]);
        ends(&["dump", "--canonical", &file]);
        // With the link followed it is a device all the same.
        assert_eq!(ends(&["info", &file, "--follow-links"]).code, 2);
    }
}

#[test]
fn pipes_in_folders_are_passed_over_and_said() {
    let folder = Folder::new();
    folder.write("dir/Mod.u", small_package(69));
    pipe(&folder.path("dir/Other.u"));
    pipe(&folder.path("dir/Game.ini"));
    pipe(&folder.path("dir/Game.utoc"));
    let dir = folder.arg("dir");
    for args in [
        &["verify", &dir][..],
        &["scan", &dir, "-o", &folder.arg("depot")],
        &["grep", "first", &dir],
        &["doctor", &dir],
        &["deps", &folder.arg("dir/Mod.u"), "--env", &dir],
    ] {
        let run = ends(args);
        assert!(
            run.err.contains("Other.u") && run.err.contains("passed over"),
            "{args:?}: {run:?}"
        );
    }
    let run = ends(&["pack", &dir, "-o", &folder.arg("Out.pak")]);
    assert!(run.code == 1 && run.err.contains("Other.u is left out"), "{run:?}");
    // What the command line names may be a pipe.
    let named = folder.path("named");
    pipe(&named);
    let writer = std::thread::spawn({
        let named = named.clone();
        move || std::fs::write(named, small_package(69)).unwrap()
    });
    let run = ends(&["info", named.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    writer.join().unwrap();
}

#[test]
fn sizes_and_magics_are_looked_at_before_the_rest() {
    let folder = Folder::new();
    let huge = |name: &str, start: &[u8]| {
        let path = folder.write(name, start);
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_len(40 << 30).unwrap();
    };
    huge("dir/Empty.utoc", b"");
    huge("dir/Magic.utoc", b"-==--==--==--==-");
    huge("dir/Package.u", &small_package(69));
    huge("dir/None.u", b"no package");
    huge("dir/Text.ini", b"[Core.System]\nPaths=*.u\n");
    huge("dir/upk.toml", b"engine = \"4.27\"\n");
    let dir = folder.arg("dir");
    for name in ["Empty.utoc", "Magic.utoc", "Package.u", "None.u"] {
        for command in ["info", "verify"] {
            let run = ends(&[command, &folder.arg(&format!("dir/{name}"))]);
            assert!(run.code > 0, "{name}: {run:?}");
        }
    }
    std::fs::remove_file(folder.path("dir/upk.toml")).unwrap();
    for args in [&["verify", &dir][..], &["doctor", &dir], &["scan", &dir, "-o", &folder.arg("o")]]
    {
        ends(args);
    }
    // The files beside a package too.
    split_package(&folder, "split/A");
    huge("split/A.uexp", b"");
    let run = ends(&["info", &folder.arg("split/A.uasset")]);
    assert!(run.code == 2 && run.err.contains("the disk stores"), "{run:?}");
}

#[test]
fn links_out_of_a_folder_are_followed_only_if_that_is_wanted() {
    let folder = Folder::new();
    folder.write("secret/Secret.u", small_package(69));
    folder.write("dir/Mod.u", small_package(69));
    symlink(folder.path("secret"), folder.path("dir/Out")).unwrap();
    symlink(folder.path("secret/Secret.u"), folder.path("dir/Link.u")).unwrap();
    symlink("Mod.u", folder.path("dir/Inside.u")).unwrap();
    // In circles, and twice to one folder.
    std::fs::create_dir(folder.path("dir/Deep")).unwrap();
    symlink("..", folder.path("dir/Deep/Up")).unwrap();
    symlink("Deep", folder.path("dir/Again")).unwrap();
    let dir = folder.arg("dir");
    let names = |args: &[&str]| {
        let rows = upk(args).exits(0).json();
        let paths = rows.iter().filter_map(|row| row["path"].as_str());
        let mut names: Vec<_> =
            paths.map(|path| path.rsplit('/').next().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&["verify", &dir, "--json"]), ["Inside.u", "Mod.u"]);
    let run = upk(&["verify", &dir]).exits(0);
    assert!(run.err.contains("2 links lead out of the folder, passed over"), "{run:?}");
    assert_eq!(
        names(&["verify", &dir, "--json", "--follow-links"]),
        ["Inside.u", "Link.u", "Mod.u", "Secret.u"]
    );
    let scan = |rest: &[&str]| {
        let out = folder.arg("depot");
        upk(&[&["scan", &dir, "-o", &out, "--json"], rest].concat()).exits(0).object()
    };
    assert_eq!(scan(&[])["packages"], 2);
    assert_eq!(scan(&["--follow-links"])["packages"], 4);
    let pak = folder.arg("Out.pak");
    let run = upk(&["pack", &dir, "-o", &pak]).exits(1);
    assert!(run.err.contains("Link.u is left out: it is a link"), "{run:?}");
    upk(&["pack", &dir, "-o", &pak, "--follow-links", "--overwrite"]).exits(0);
    let found = |rest: &[&str]| {
        let run = upk(&[&["uses", "Core.TextBuffer", &dir], rest].concat());
        (run.out.contains("Secret"), run.err.contains("passed over"))
    };
    assert_eq!(found(&[]), (false, true));
    assert_eq!(found(&["--follow-links"]), (true, false));
    // A folder that is named may be a link.
    symlink(folder.path("secret"), folder.path("named")).unwrap();
    assert_eq!(names(&["verify", &folder.arg("named"), "--json"]), ["Secret.u"]);
}

#[test]
fn links_beside_a_package_stay_in_its_folder() {
    let folder = Folder::new();
    split_package(&folder, "dir/A");
    if !folder.path("dir/A.uexp").exists() {
        folder.write("dir/A.uexp", b"bodies");
    }
    std::fs::create_dir(folder.path("store")).unwrap();
    std::fs::rename(folder.path("dir/A.uexp"), folder.path("store/A.uexp")).unwrap();
    symlink("../store/A.uexp", folder.path("dir/A.uexp")).unwrap();
    let file = folder.arg("dir/A.uasset");
    let run = upk(&["info", &file]).exits(2);
    assert!(run.err.contains("a link that leads out of its folder"), "{run:?}");
    let run = upk(&["info", &file, "--follow-links"]);
    assert!(!run.err.contains("leads out of its folder"), "{run:?}");
    // Both are links into one store, as some tools keep large files.
    std::fs::rename(folder.path("dir/A.uasset"), folder.path("store/A.uasset")).unwrap();
    symlink("../store/A.uasset", folder.path("dir/A.uasset")).unwrap();
    let run = upk(&["info", &file]);
    assert!(!run.err.contains("leads out of its folder"), "{run:?}");
}

#[test]
fn ini_files_do_not_lead_out_of_their_game() {
    let folder = Folder::new();
    folder.write("other/Far.u", small_package(69));
    folder.write("game/Maps/Near.u", small_package(69));
    let text =
        format!("[Core.System]\nPaths=../Maps/*.u\nPaths={}/*.u\nPaths=/\n", folder.arg("other"));
    folder.write("game/System/Game.ini", &text);
    for place in ["game", "game/System", "game/System/Game.ini"] {
        let run = ends(&["uses", "Core.TextBuffer", &folder.arg(place)]);
        assert!(run.out.contains("Near") && !run.out.contains("Far"), "{place}: {run:?}");
        assert!(run.err.contains("lies outside of the folder that was given"), "{place}: {run:?}");
    }
    // A folder that is no game's may not even lead to the one around it.
    folder.write("mods/mine/Any.ini", "[Core.System]\nPaths=../../other/*.u\n");
    let run = ends(&["uses", "Core.TextBuffer", &folder.arg("mods/mine")]);
    assert!(!run.out.contains("Far") && run.err.contains("is not searched"), "{run:?}");
}

#[test]
fn characters_of_names_never_turn_the_terminal() {
    let folder = Folder::new();
    let builder = unreal_packages::generate::Builder::new(69).name("a\u{202e}b\u{200b}");
    folder.write("Mod.u", builder.build().unwrap());
    for rest in [&["--names"][..], &["--names", "--json"]] {
        let run = folder.run("list", "Mod.u", rest).exits(0);
        assert!(!run.out.contains(['\u{202e}', '\u{200b}']), "{run:?}");
        assert!(run.out.contains("202e"), "{run:?}");
    }
    let run = folder.run("list", "No\u{202e}.u", &[]).exits(2);
    assert!(!run.err.contains('\u{202e}') && run.err.contains("202e"), "{run:?}");
    let run = folder.run("list", "No\u{202e}.u", &["--json"]).exits(2);
    assert!(!run.err.contains('\u{202e}') && run.err.contains("202e"), "{run:?}");
}

#[test]
fn blocks_of_a_container_stay_in_its_folder() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("Files")).unwrap();
    std::fs::create_dir_all(folder.path("dir")).unwrap();
    std::fs::create_dir_all(folder.path("links")).unwrap();
    let made = folder.arg("out/Mod.utoc");
    std::fs::create_dir_all(folder.path("out")).unwrap();
    upk(&["pack", &folder.arg("Files"), "-o", &made, "--engine", "5.6"]).exits(0);
    std::fs::copy(&made, folder.path("dir/Mod.utoc")).unwrap();
    symlink("../out/Mod.ucas", folder.path("dir/Mod.ucas")).unwrap();
    let toc = folder.arg("dir/Mod.utoc");
    for args in [&["ls", &toc][..], &["unpack", &toc, "-o", &folder.arg("Out")]] {
        let run = ends(args);
        assert!(run.code == 2 && run.err.contains("leads out of its folder"), "{args:?}: {run:?}");
        ends(&[args, &["--follow-links"]].concat());
    }
    assert_eq!(ends(&["ls", &toc, "--follow-links"]).code, 0);
    // Both may be links into one folder.
    for name in ["Mod.utoc", "Mod.ucas"] {
        symlink(folder.path(&format!("out/{name}")), folder.path(&format!("links/{name}")))
            .unwrap();
    }
    assert_eq!(ends(&["ls", &folder.arg("links/Mod.utoc")]).code, 0);
}

/// A package that is mostly holes: opening and reading it are refused.
fn unreadable(folder: &Folder, name: &str, end: &[u8]) {
    let path = folder.write(name, [&small_package(69)[..], end].concat());
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_len(40 << 30).unwrap();
}

#[test]
fn packages_that_cannot_be_read_are_never_the_same() {
    let folder = Folder::new();
    unreadable(&folder, "old/Same.u", b"a");
    unreadable(&folder, "new/Same.u", b"b");
    let (old, new) = (folder.arg("old"), folder.arg("new"));
    let run = ends(&["diff", &old, &new, "--json"]);
    let totals = run.json().pop().unwrap();
    assert_eq!((run.code, &totals["failed"]), (2, &1.into()), "{run:?}");
    assert_eq!(totals["same"], false);
    assert!(run.err.contains("Same.u") && run.err.contains("can't be compared"), "{run:?}");
    // Nor has one become the other.
    std::fs::rename(folder.path("new/Same.u"), folder.path("new/Other.u")).unwrap();
    let run = ends(&["diff", &old, &new, "--json"]);
    let totals = run.json().pop().unwrap();
    let counts = ["renamed", "added", "removed"].map(|key| totals[key].clone());
    assert_eq!((run.code, counts), (1, [0.into(), 1.into(), 1.into()]), "{run:?}");
}

#[test]
fn advice_on_what_is_no_whole_file_fits_it() {
    for (what, advice) in [
        ("pipe", "put a regular file in its place"),
        ("folder", "name a file"),
        ("holes", "get the file anew"),
        ("link", "--follow-links"),
    ] {
        let folder = Folder::new();
        let bodies = place_of_bodies(&folder);
        match what {
            "pipe" => pipe(&bodies),
            "folder" => std::fs::create_dir(&bodies).unwrap(),
            "holes" => unreadable(&folder, "dir/A.uexp", b""),
            _ => symlink("/etc/passwd", &bodies).unwrap(),
        }
        let run = ends(&["info", &folder.arg("dir/A.uasset")]);
        assert!(run.code == 2 && run.err.contains(advice), "{what}: {run:?}");
        assert!(!run.err.contains("--game"), "{what}: {run:?}");
    }
}

#[test]
fn too_many_paths_of_an_ini_file_are_named() {
    let folder = Folder::new();
    folder.write("game/System/Mod.u", small_package(69));
    let paths: String = (0..1100).map(|row| format!("Paths=../System/*{row}.u\n")).collect();
    folder.write("game/System/Game.ini", format!("[Core.System]\nPaths=../System/*.u\n{paths}"));
    let run = ends(&["uses", "Core.TextBuffer", &folder.arg("game")]);
    assert!(run.out.contains("Mod"), "{run:?}");
    assert!(run.err.contains("77 paths of them not searched: ../System/*1023.u"), "{run:?}");
}

//! Archives stay in their folder and whole: every name, every key, every limit.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common;

use common::{Folder, Run, upk};
use unreal_packages::Guid;
use unreal_packages::container::pak::{PakOptions, PakVersion, PakWriter};
use unreal_packages::container::{AesKey, BlockMethod};

const RIGHT: &str = "0x0707070707070707070707070707070707070707070707070707070707070707";
const WRONG: &str = "0x0101010101010101010101010101010101010101010101010101010101010101";

fn pak(options: PakOptions, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = PakWriter::new(&mut bytes, options);
    files.iter().for_each(|(path, content)| writer.add(path, content).unwrap());
    writer.finish().unwrap();
    bytes
}

/// A container whose writer would refuse these paths: they stand in its index, as long as others that it took.
fn renamed(files: &[(&str, &[u8])]) -> Vec<u8> {
    let version = PakVersion::new(8).unwrap();
    let placeholders: Vec<String> =
        (0..).zip(files).map(|(row, (path, _))| placeholder(row, path.len())).collect();
    let rows: Vec<(&str, &[u8])> =
        placeholders.iter().zip(files).map(|(name, (_, content))| (&**name, *content)).collect();
    let mut bytes = pak(PakOptions { version, ..PakOptions::default() }, &rows);
    for (name, (path, _)) in placeholders.iter().zip(files) {
        let whole = format!("{name}\0");
        let at = bytes.windows(whole.len()).rposition(|it| it == whole.as_bytes()).unwrap();
        bytes[at..at + path.len()].copy_from_slice(path.as_bytes());
    }
    bytes
}

/// A path as long as another one, which sorts by its row.
fn placeholder(row: usize, length: usize) -> String {
    let name = format!("{row:02}");
    format!("{name}{}", "x".repeat(length.saturating_sub(name.len())))
}

/// The files below a folder by their paths.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let inside = entry.path().strip_prefix(folder).unwrap();
            let name = inside.to_str().unwrap().replace('\\', "/");
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

fn unpack(folder: &Folder, name: &str, rest: &[&str]) -> Run {
    let out = folder.arg("Out");
    let args: Vec<&str> = ["-o", &out].into_iter().chain(rest.iter().copied()).collect();
    folder.run("unpack", name, &args)
}

#[test]
fn every_file_of_a_container_is_on_disk_or_named() {
    let folder = Folder::new();
    let rows: [(&str, &[u8]); 10] = [
        ("a:b.ini", b"1"),
        ("a?b.ini", b"2"),
        ("A/same.txt", b"3"),
        ("A/SAME.txt", b"4"),
        ("file", b"5"),
        ("file/in", b"6"),
        ("CON.uasset", b"7"),
        ("dot./x", b"8"),
        ("twice.x", b"9"),
        ("twice.x", b"0"),
    ];
    folder.write("Odd.pak", renamed(&rows));
    let run = unpack(&folder, "Odd.pak", &[]).exits(1);
    let found = files(&folder.path("Out"));
    let expected: [(&str, &[u8]); 10] = [
        ("A/same.txt", b"3"),
        ("A/same~2.txt", b"4"),
        ("CON_.uasset", b"7"),
        ("a_b.ini", b"1"),
        ("a_b~2.ini", b"2"),
        ("dot_/x", b"8"),
        ("file/in", b"6"),
        ("file~2", b"5"),
        ("twice.x", b"9"),
        ("twice~2.x", b"0"),
    ];
    let expected: BTreeMap<_, _> =
        expected.iter().map(|(path, content)| ((*path).to_owned(), content.to_vec())).collect();
    // The order of two that clash is that of the container.
    let contents = |files: &BTreeMap<String, Vec<u8>>| {
        let mut contents: Vec<_> = files.values().cloned().collect();
        contents.sort();
        contents
    };
    assert_eq!(contents(&found), contents(&expected), "{found:?}");
    assert_eq!(found.len(), 10);
    assert!(run.out.contains("wrote 10 files"), "{run:?}");
    for (name, place) in [("a?b.ini", "a_b"), ("file", "file~2"), ("CON.uasset", "CON_.uasset")] {
        let line = run.err.lines().find(|line| line.contains(&format!("'{name}'")));
        assert!(line.is_some_and(|line| line.contains(place)), "{name}: {run:?}");
    }
    let json = {
        std::fs::remove_dir_all(folder.path("Out")).unwrap();
        unpack(&folder, "Odd.pak", &["--json"]).exits(1).json()
    };
    let last = json.last().unwrap();
    assert_eq!((last["files"].as_u64(), last["failed"].as_u64()), (Some(10), Some(0)));
    assert!(last["renamed"].as_u64() >= Some(6), "{last}");
    let written = json.iter().filter_map(|row| row["written_as"].as_str());
    assert!(written.clone().all(|place| folder.path("Out").join(place).is_file()));
    assert_eq!(written.count() as u64, last["renamed"].as_u64().unwrap());
}

#[test]
fn names_that_lead_out_or_that_programs_act_on_are_not_written() {
    let folder = Folder::new();
    let rows: [(&str, &[u8]); 12] = [
        (".git/config", b"1"),
        ("a/.GIT/hooks/x", b"2"),
        ("GIT~1/config", b"3"),
        (".git /config", b"4"),
        ("upk.toml", b"5"),
        ("b/UPK.TOML", b"6"),
        (".upk-0-1.journal", b"7"),
        (".hg/hgrc", b"8"),
        ("../../up", b"9"),
        ("c/../../x", b"0"),
        ("/etc/top", b"a"),
        ("good.txt", b"b"),
    ];
    folder.write("Evil.pak", renamed(&rows));
    let run = unpack(&folder, "Evil.pak", &[]).exits(1);
    let found: Vec<_> = files(&folder.path("Out")).into_keys().collect();
    assert_eq!(found, ["etc/top", "good.txt"]);
    assert_eq!(folder.names(), ["Evil.pak", "Out"]);
    for (path, _) in &rows[..10] {
        assert!(run.err.contains(&format!("'{path}' is not written")), "{path}: {run:?}");
    }
    assert!(run.out.contains("wrote 2 files") && run.out.contains("10 failed"), "{run:?}");
}

#[test]
fn one_failure_does_not_stop_the_others() {
    let folder = Folder::new();
    let rows: [(&str, &[u8]); 3] = [("a.txt", b"new"), ("b/c.txt", b"2"), ("d.txt", b"3")];
    folder.write("Game.pak", pak(PakOptions::default(), &rows));
    folder.write("Out/a.txt", "old");
    folder.write("Out/b", "a file where a folder is needed");
    let run = unpack(&folder, "Game.pak", &[]).exits(1);
    assert_eq!(folder.read("Out/a.txt"), b"old");
    assert_eq!(folder.read("Out/d.txt"), b"3");
    assert!(run.err.contains("a.txt' is there already"), "{run:?}");
    assert!(run.err.contains(&folder.arg("Out/b")), "{run:?}");
    assert!(run.out.contains("wrote 1 file ") && run.out.contains("2 failed"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn links_in_the_output_lead_nowhere() {
    let folder = Folder::new();
    folder.write("Game.pak", pak(PakOptions::default(), &[("in/a.txt", b"1"), ("b.txt", b"2")]));
    folder.write("Elsewhere/b.txt", "kept");
    std::fs::create_dir(folder.path("Out")).unwrap();
    std::os::unix::fs::symlink(folder.path("Elsewhere"), folder.path("Out/in")).unwrap();
    std::os::unix::fs::symlink(folder.path("Elsewhere/b.txt"), folder.path("Out/b.txt")).unwrap();
    let run = unpack(&folder, "Game.pak", &["--overwrite"]).exits(1);
    assert!(run.err.matches("is a link").count() == 2, "{run:?}");
    assert_eq!(files(&folder.path("Elsewhere")).len(), 1);
    assert_eq!(folder.read("Elsewhere/b.txt"), b"kept");
}

#[test]
fn all_files_together_have_a_limit() {
    let folder = Folder::new();
    let zeros = vec![0; 64 << 10];
    let options = PakOptions { method: Some(BlockMethod::Zlib), ..PakOptions::default() };
    let rows: [(&str, &[u8]); 3] = [("a.bin", &zeros), ("b.bin", &zeros), ("c.bin", b"small")];
    folder.write("Bomb.pak", pak(options, &rows));
    let run = unpack(&folder, "Bomb.pak", &["--max-total", "100K"]).exits(1);
    let found = files(&folder.path("Out"));
    let names: Vec<_> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["a.bin", "c.bin"]);
    assert!(run.err.contains("b.bin") && run.err.contains("--max-total"), "{run:?}");
    std::fs::remove_dir_all(folder.path("Out")).unwrap();
    unpack(&folder, "Bomb.pak", &[]).exits(0);
    assert_eq!(files(&folder.path("Out")).len(), 3);
}

/// Bytes that look like nothing.
fn noise(size: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    (0..size).map(|_| next()).collect()
}

#[test]
fn keys_are_proven_before_anything_is_written_or_said() {
    let folder = Folder::new();
    let package = common::small_package(69);
    let key = Some((Guid::default(), AesKey::new([7; 32])));
    let noise = noise(4096);
    let rows: [(&str, &[u8]); 3] = [
        ("a.ini", b"[Core]\r\nA=1\r\nB=2\r\nand some more"),
        ("Mod.uasset", &package),
        ("n.bin", &noise),
    ];
    folder.write(
        "Open.pak",
        pak(PakOptions { key, open_index: true, ..PakOptions::default() }, &rows),
    );
    folder.write("Shut.pak", pak(PakOptions { key, ..PakOptions::default() }, &rows));
    for name in ["Open.pak", "Shut.pak"] {
        let inside = format!("{name}/Mod.uasset");
        for keys in [&["--key", RIGHT][..], &["--key", WRONG, "--key", RIGHT]] {
            unpack(&folder, name, &[keys, &["--overwrite"]].concat()).exits(0);
            let found = files(&folder.path("Out"));
            assert!(rows.iter().all(|(path, content)| found[*path] == *content), "{name} {keys:?}");
            folder.run("info", &inside, keys).exits(0);
            std::fs::remove_dir_all(folder.path("Out")).unwrap();
        }
        for keys in [&[][..], &["--key", WRONG]] {
            let run = unpack(&folder, name, keys);
            assert!(run.code != 0 && !folder.path("Out/n.bin").exists(), "{run:?}");
            assert!(!folder.path("Out/a.ini").exists());
            let _ = std::fs::remove_dir_all(folder.path("Out"));
            for command in ["info", "get", "list", "to-json", "dump", "verify"] {
                let run = folder.run(command, &inside, keys);
                assert!(run.code != 0, "{command} {name} {keys:?}: {run:?}");
            }
            // A locked container without any key is not what was asked about.
            let run = folder.run("verify", name, keys);
            assert!(run.code == 1 || (name == "Shut.pak" && keys.is_empty()), "{run:?}");
        }
    }
    // Those of the settings of the folder are tried as well.
    folder.write("Set/Open.pak", folder.read("Open.pak"));
    folder.write("Set/upk.toml", format!("keys = [\"{WRONG}\", \"{RIGHT}\"]\n"));
    unpack(&folder, "Set/Open.pak", &[]).exits(0);
    assert_eq!(folder.read("Out/n.bin"), noise);
    std::fs::remove_dir_all(folder.path("Out")).unwrap();
    // A key that nothing proves: said, and the exit code is 1.
    folder.write(
        "Noise.pak",
        pak(PakOptions { key, open_index: true, ..PakOptions::default() }, &[("n.bin", &noise)]),
    );
    let run = unpack(&folder, "Noise.pak", &["--key", RIGHT]).exits(1);
    assert!(run.err.contains("nothing proves") && !folder.path("Out/n.bin").exists(), "{run:?}");
    let run = unpack(&folder, "Noise.pak", &["--key", RIGHT, "--unproven-keys"]).exits(1);
    assert!(run.err.contains("nothing proves"), "{run:?}");
    assert_eq!(folder.read("Out/n.bin"), noise);
}

#[test]
fn pack_names_what_a_container_can_not_hold() {
    let folder = Folder::new();
    folder.write("Mod/a.txt", "1");
    folder.write("Mod/.git/config", "2");
    folder.write("Mod/in/upk.toml", "3");
    std::fs::create_dir_all(folder.path("Mod/empty/inner")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("Mod/a.txt"), folder.path("Mod/link")).unwrap();
        folder.write("Mod/b\\c", "4");
    }
    let out = folder.arg("Mod.pak");
    let run = folder.run("pack", "Mod", &["-o", &out]).exits(1);
    let rows = upk(&["ls", &out, "--json"]).exits(0).json();
    assert_eq!((rows.len(), rows[0]["path"].as_str()), (2, Some("a.txt")));
    for name in [".git is left out", "upk.toml is left out", "inner is left out: it is an empty"] {
        assert!(run.err.contains(name), "{name}: {run:?}");
    }
    #[cfg(unix)]
    assert!(
        run.err.contains("link is left out") && run.err.contains("b\\c is left out"),
        "{run:?}"
    );
    // Its own output, and two files that are one to a game.
    let inside = folder.arg("Mod/Own.pak");
    folder.run("pack", "Mod", &["-o", &inside]).exits(2);
    assert!(!folder.path("Mod/Own.pak").exists());
    folder.write("Two/a.txt", "1");
    folder.write("Two/A.txt", "2");
    if folder.read("Two/a.txt") == b"1" {
        let two = folder.arg("Two.pak");
        let run = folder.run("pack", "Two", &["-o", &two]).exits(1);
        assert!(
            run.err.contains("'A.txt' and 'a.txt'") && !folder.path("Two.pak").exists(),
            "{run:?}"
        );
    }
}

/// Whatever a table of contents calls its files: commands read them out of the container, and nothing beside it.
#[test]
fn paths_in_a_container_never_lead_out_of_it() {
    let folder = Folder::new();
    let outside = folder.write("Outside/Secret.uasset", common::small_package(69));
    let (whole, up) = (outside.to_str().unwrap(), "../../Outside/Secret.uasset");
    folder.write(
        "Dir/Game.pak",
        renamed(&[(whole, b"\xc1\x83\x2a\x9e, cut"), (up, b"\xc1\x83\x2a\x9e, short")]),
    );
    let dir = folder.arg("Dir");
    for place in [&dir, &folder.arg("Dir/Game.pak")] {
        let rows = upk(&["verify", place, "--json"]).exits(1).json();
        let is_of_file = |row: &&serde_json::Value| {
            row["path"].as_str().is_some_and(|path| path.ends_with("Secret.uasset"))
        };
        let found: Vec<_> = rows.iter().filter(is_of_file).collect();
        assert_eq!(found.len(), 2, "{rows:?}");
        for row in found {
            assert_eq!(row["status"], "failed", "{row}");
            assert!(row["path"].as_str().unwrap().contains("Game.pak"), "{row}");
        }
        let run = upk(&["grep", "first body", place]);
        assert!(!run.out.contains("first body"), "{run:?}");
        let depot = folder.arg("Depot");
        let report = upk(&["scan", place, "-o", &depot, "--fresh", "--json"]).object();
        assert_eq!((&report["packages"], &report["failed"]), (&2.into(), &2.into()), "{report}");
        let run = upk(&["uses", "Core.TextBuffer", place]);
        assert!(!run.out.contains("Secret"), "{run:?}");
        let rows = upk(&["doctor", place, "--json"]).exits(1).json();
        let unreadable = rows.iter().filter(|row| row["finding"] == "unreadable");
        assert_eq!(unreadable.count(), 2, "{rows:?}");
    }
    // Under the path that is shown, a file is the container's own.
    let run = folder.run("info", "Dir/Game.pak/Outside/Secret.uasset", &[]);
    assert!(run.code != 0 && !run.out.contains("TextBuffer"), "{run:?}");
}

#[test]
fn a_container_is_never_written_over_by_what_is_in_it() {
    let folder = Folder::new();
    let bytes = pak(PakOptions::default(), &[("Game.pak", b"replaced"), ("b.txt", b"2")]);
    folder.write("Game.pak", &bytes);
    let run = folder.run("unpack", "Game.pak", &["-o", &folder.arg(""), "--overwrite"]).exits(1);
    assert!(run.err.contains("is the input itself"), "{run:?}");
    assert_eq!(folder.read("Game.pak"), bytes);
    assert_eq!(folder.read("b.txt"), b"2");
}

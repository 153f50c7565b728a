//! Packages that say no versions, and `upk.toml`.

use crate::common;

use common::{Folder, upk};
use unreal_packages::EngineRelease;
use unreal_packages::generate::Builder;
use unreal_packages::primitive::PackageFlags;

/// A cooked package without versions that has an object with this value of a soft path.
fn package(release: &str, value: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    for number in [1, 0, 2, 0, value.len() as i32, 0] {
        body.extend(number.to_le_bytes());
    }
    body.push(0);
    body.extend(value);
    body.extend([0; 12]);
    let release: EngineRelease = release.parse().unwrap();
    let builder = Builder::for_release(release).flags(PackageFlags(0x8000_0200)).unversioned();
    let names = ["Link", "SoftObjectProperty", "A", "B", "C", "D", "E", "F"];
    let builder = names.into_iter().fold(builder, Builder::name);
    builder.export("Thing", "/Script/Engine.Thing", body).build().unwrap()
}

/// `Old.uasset` of 4.16 or 4.17, `Odd.uasset` of any of 4.16 to 4.27.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("Old.uasset", package("4.16", b"\x0a\0\0\0/Game/A.A\0"));
    folder.write("Odd.uasset", package("4.16", b"\x08\0\0\0\0\0\0\0\0\0\0\0"));
    folder
}

#[test]
fn the_release_is_found_and_said() {
    let folder = folder();
    let info = folder.run("info", "Old.uasset", &[]).exits(0).out;
    assert!(info.contains("4.17; 4.16 to 4.17 read it alike"), "{info}");
    let value = folder.run("get", "Old.uasset", &["Thing"]).exits(0).out;
    assert!(value.contains("/Game/A.A"), "{value}");
    let wrong = folder.run("get", "Old.uasset", &["Thing", "--engine", "4.27"]).exits(0);
    assert!(wrong.err.contains("4.16 to 4.17 would read more"), "{wrong:?}");
    let quiet = folder.run("get", "Old.uasset", &["Thing", "--engine", "4.16"]).exits(0);
    assert_eq!(quiet.err, "");
    let edited = folder.arg("New.uasset");
    folder.run("set", "Old.uasset", &["Thing.Link=/Game/B.B", "-o", &edited]).exits(0);
    let value = folder.run("get", "New.uasset", &["Thing"]).exits(0).out;
    assert!(value.contains("/Game/B.B"), "{value}");
}

#[test]
fn a_tie_is_asked_about_and_looked_at_all_the_same() {
    let folder = folder();
    let asked = folder.run("get", "Odd.uasset", &["Thing"]).exits(2);
    assert!(asked.err.contains("4.16 to 4.27") && asked.err.contains("--engine"), "{asked:?}");
    let info = folder.run("info", "Odd.uasset", &["--json"]).exits(0).object();
    assert!(info["release_problem"].as_str().unwrap().contains("4.16 to 4.27"), "{info}");
    let list = folder.run("list", "Odd.uasset", &[]).exits(0);
    assert!(list.out.contains("Thing") && list.err.contains("may be wrong"), "{list:?}");
}

#[test]
fn packages_together_decide_what_one_leaves_open() {
    let folder = folder();
    let odd = folder.run("detect", "Odd.uasset", &["--json"]).exits(1).json();
    assert!(odd[0]["problem"].as_str().unwrap().contains("equally well"), "{odd:?}");
    assert_eq!(odd[1]["release"], serde_json::Value::Null);
    let all = folder.run("detect", "", &["--json"]).exits(0).json();
    let last = all.last().unwrap();
    assert_eq!((&last["release"], &last["fitting"]), (&"4.17".into(), &2.into()), "{last}");
    assert!(!folder.names().contains(&"upk.toml".to_owned()));
    let text = folder.run("detect", "", &[]).exits(0).out;
    assert!(text.contains("4.17: best for 2 of 2 packages"), "{text}");
    folder.run("detect", "", &["--engine", "4.17"]).exits(2);
}

#[test]
fn what_is_kept_in_a_folder_is_used_below_it() {
    let folder = folder();
    folder.write("upk.toml", "# how these are opened\nkeys = [\"0x0000000000000000000000000000000000000000000000000000000000000000\"]\n");
    let saved = folder.run("detect", "", &["--save"]).exits(0).out;
    assert!(saved.contains("wrote"), "{saved}");
    let kept = String::from_utf8(folder.read("upk.toml")).unwrap();
    assert_eq!(
        kept,
        "# how these are opened\nkeys = [\"0x0000000000000000000000000000000000000000000000000000000000000000\"]\nengine = \"4.17\"\n"
    );
    std::fs::create_dir_all(folder.path("Maps/Deep")).unwrap();
    folder.write("Maps/Deep/Odd.uasset", folder.read("Odd.uasset"));
    let info = folder.run("info", "Maps/Deep/Odd.uasset", &["--json"]).exits(0).object();
    assert_eq!(info["release"], "4.17");
    // What is said on the command line counts more.
    let told = ["--json", "--engine", "4.20"];
    let info = folder.run("info", "Maps/Deep/Odd.uasset", &told).exits(0).object();
    assert_eq!(info["release"], "4.20");
    // The nearest one counts.
    folder.write("Maps/upk.toml", "engine = \"4.24\"\n");
    let info = folder.run("info", "Maps/Deep/Odd.uasset", &["--json"]).exits(0).object();
    assert_eq!(info["release"], "4.24");
    let rows = upk(&["verify", &folder.arg("Maps"), "--json"]).exits(0).json();
    assert_eq!(rows[0]["status"], "identical", "{rows:?}");
    folder.write("Maps/upk.toml", "engin = \"4.24\"\n");
    for command in ["info", "verify", "get"] {
        let args = if command == "get" { &["Thing"][..] } else { &[] };
        let wrong = folder.run(command, "Maps/Deep/Odd.uasset", args).exits(2);
        assert!(wrong.err.contains("upk.toml") && wrong.err.contains("engin"), "{wrong:?}");
    }
    folder.write("Maps/upk.toml", "mappings = \"Game.usmap\"\n");
    let missing = folder.run("info", "Maps/Deep/Odd.uasset", &[]).exits(2);
    assert!(missing.err.contains("Game.usmap"), "{missing:?}");
}

/// What is not used is not written to either.
#[cfg(unix)]
#[test]
fn what_is_kept_goes_through_no_link() {
    let folder = folder();
    folder.write("mine/Old.uasset", folder.read("Old.uasset"));
    folder.write("victim", "victim");
    for target in ["../victim", "../nothing"] {
        std::os::unix::fs::symlink(target, folder.path("mine/upk.toml")).unwrap();
        let run = folder.run("detect", "mine/Old.uasset", &["--save"]).exits(1);
        assert!(run.err.contains("upk.toml' is not used, and so it is not written to"), "{run:?}");
        assert_eq!(folder.read("victim"), b"victim");
        assert!(!folder.path("nothing").exists());
        std::fs::remove_file(folder.path("mine/upk.toml")).unwrap();
    }
    // Nor into one that anybody may write.
    let open = folder.write("mine/upk.toml", "engine = \"4.16\"\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    std::fs::set_permissions(&open, mode).unwrap();
    folder.run("detect", "mine/Old.uasset", &["--save"]).exits(1);
    assert_eq!(folder.read("mine/upk.toml"), b"engine = \"4.16\"\n");
    std::fs::remove_file(open).unwrap();
    folder.run("detect", "mine/Old.uasset", &["--save"]).exits(0);
    assert_eq!(folder.read("mine/upk.toml"), b"engine = \"4.17\"\n");
}

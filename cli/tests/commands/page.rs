//! `upk page`: one file that shows packages, with those in it that were named.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::common::{Folder, Run, command, small_package, upk};

/// A page as web/build makes one: a module, and a script that begins at once.
const BUILT: &str = "<!doctype html>\n<body>\n<script type=\"text/plain\" id=\"module\">H4sI</script>\n\
                     <script>start()</script>\n</body>\n";

/// A folder with a page and a package.
fn with_page() -> Folder {
    let folder = Folder::with_mod();
    folder.write("built.html", BUILT);
    folder
}

/// Writes `out.html` with this page.
fn page(folder: &Folder, rest: &[&str]) -> Run {
    let (built, out) = (folder.arg("built.html"), folder.arg("out.html"));
    upk(&[&["page"], rest, &["-o", &out, "--page", &built]].concat())
}

/// What stands in it: paths with bytes, and the page without them.
fn parts(folder: &Folder) -> (Vec<(String, Vec<u8>)>, String) {
    let text = String::from_utf8(folder.read("out.html")).unwrap();
    let (mut found, mut rest) = (Vec::new(), String::new());
    for line in text.split_inclusive('\n') {
        let start = "<script type=\"application/octet-stream\" data-path=\"";
        let Some(line) = line.strip_prefix(start) else {
            rest.push_str(line);
            continue;
        };
        let (path, line) = line.split_once("\">").unwrap();
        let content = line.strip_suffix("</script>\n").unwrap();
        found.push((path.to_owned(), STANDARD.decode(content).unwrap()));
    }
    (found, rest)
}

#[test]
fn the_page_in_the_command_is_whole_or_says_what_is_missing() {
    let folder = Folder::new();
    let run = upk(&["view", "-o", &folder.arg("out.html")]);
    match run.code {
        0 => assert!(String::from_utf8(folder.read("out.html")).unwrap().contains("id=\"module\"")),
        code => {
            assert_eq!(code, 1, "{run:?}");
            assert!(run.err.contains("next: --page FILE"), "{run:?}");
            assert!(folder.names().is_empty());
        }
    }
}

#[test]
fn without_packages_it_is_the_page_itself() {
    let folder = with_page();
    let run = page(&folder, &[]).exits(0);
    assert!(run.out.contains("open it in a browser"), "{run:?}");
    assert_eq!(folder.read("out.html"), BUILT.as_bytes());
    page(&folder, &[]).exits(2);
    page(&folder, &["--overwrite"]).exits(0);
}

#[test]
fn packages_stand_in_it_with_their_companions_and_mappings() {
    let folder = with_page();
    for (name, bytes) in [("Lamp.uasset", "head"), ("Lamp.uexp", "bodies"), ("Lamp.ubulk", "bulk")]
    {
        folder.write(name, bytes);
    }
    folder.write("Other.ubulk", "not of it");
    folder.write("Game.usmap", "mappings");
    let [lamp, file] = ["Lamp.uasset", "Mod.u"].map(|name| folder.arg(name));
    let mappings = folder.arg("Game.usmap");
    let run = page(&folder, &[&file, &lamp, "--mappings", &mappings, "--json"]).exits(0);
    let (found, rest) = parts(&folder);
    assert_eq!(rest, BUILT);
    let wanted: [(&str, Vec<u8>); 5] = [
        ("Lamp.uexp", b"bodies".to_vec()),
        ("Lamp.ubulk", b"bulk".to_vec()),
        ("Lamp.uasset", b"head".to_vec()),
        ("Mod.u", small_package(69)),
        ("Game.usmap", b"mappings".to_vec()),
    ];
    assert_eq!(found, wanted.map(|(path, bytes)| (path.to_owned(), bytes)));
    let report = run.object();
    assert_eq!(report["files"], 5);
    assert_eq!(report["opened"], false);
    assert_eq!(report["bytes"], folder.read("out.html").len());
}

#[test]
fn it_opens_at_an_object_that_is_there() {
    let folder = with_page();
    let file = folder.arg("Mod.u");
    page(&folder, &[&file, "texts.credits"]).exits(0);
    let (found, rest) = parts(&folder);
    assert_eq!(found.len(), 1);
    let place = "<meta name=\"farchive-place\" content=\"#Mod.u/path:Texts.Credits\">\n";
    assert_eq!(rest, BUILT.replacen("<script", &format!("{place}<script"), 1));
    let run = page(&folder, &[&file, "Texts.Nothing", "--overwrite"]);
    assert_ne!(run.code, 0);
    assert!(run.err.contains("Texts.Nothing"), "{run:?}");
    assert_eq!(parts(&folder).0.len(), 1, "what is there stays");
}

#[test]
fn a_game_and_a_release_go_along() {
    let folder = with_page();
    page(&folder, &[&folder.arg("Mod.u"), "--game", "mainline", "--engine", "4.27"]).exits(0);
    let reading = "<meta name=\"farchive-reading\" content=\"mainline/4.27\">\n";
    assert_eq!(parts(&folder).1, BUILT.replacen("<script", &format!("{reading}<script"), 1));
}

#[test]
fn folders_keep_their_paths_and_nothing_above_them_is_told() {
    let folder = with_page();
    let bytes = small_package(69);
    folder.write("secret/Game/Maps/Town.unr", &bytes);
    folder.write("secret/Game/System/Core.u", &bytes);
    folder.write("secret/again/Mod.u", &bytes);
    let [game, again, file] =
        ["secret/Game", "secret/again/Mod.u", "Mod.u"].map(|it| folder.arg(it));
    page(&folder, &[&game, &again, &file]).exits(0);
    let mut paths: Vec<_> = parts(&folder).0.into_iter().map(|(path, _)| path).collect();
    paths.sort();
    assert_eq!(paths, ["2/Mod.u", "Game/Maps/Town.unr", "Game/System/Core.u", "Mod.u"]);
    assert!(!String::from_utf8(folder.read("out.html")).unwrap().contains("secret"));
}

#[cfg(unix)]
#[test]
fn names_are_text_in_it() {
    let folder = with_page();
    let name = "a\"><script>alert(1)<&.u";
    folder.write(name, small_package(69));
    page(&folder, &[&folder.arg(name)]).exits(0);
    let (found, rest) = parts(&folder);
    assert_eq!(rest, BUILT);
    assert_eq!(found[0].0, "a&quot;&gt;&lt;script&gt;alert(1)&lt;&amp;.u");
}

#[test]
fn too_many_bytes_are_refused_before_any_is_read() {
    let folder = with_page();
    let file = std::fs::File::create(folder.path("Huge.u")).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let run = page(&folder, &[&folder.arg("Huge.u")]).exits(2);
    assert!(run.err.contains("67,108,865 bytes: a page holds at most 67,108,864"), "{run:?}");
    assert!(!folder.path("out.html").exists());
}

#[test]
fn standard_input_and_folders_without_packages_are_refused() {
    let folder = with_page();
    let run = page(&folder, &["-"]).exits(2);
    assert!(run.err.contains("standard input has no name"), "{run:?}");
    std::fs::create_dir(folder.path("empty")).unwrap();
    let run = page(&folder, &[&folder.arg("empty")]).exits(2);
    assert!(run.err.contains("there are no packages"), "{run:?}");
}

/// What the system opens files with is a script here, which notes what it is told to open.
#[cfg(target_os = "linux")]
#[test]
fn without_a_file_the_browser_opens_one_of_its_own() {
    use std::os::unix::fs::PermissionsExt;

    let folder = with_page();
    let script = "#!/bin/sh\nprintf %s \"$1\" > \"$NOTED.part\" && mv \"$NOTED.part\" \"$NOTED\"\n";
    let opener = folder.write("bin/xdg-open", script);
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::create_dir(folder.path("temporary")).unwrap();
    let path = format!("{}:{}", folder.arg("bin"), std::env::var("PATH").unwrap());
    let mut run =
        command(&["page", &folder.arg("Mod.u"), "--page", &folder.arg("built.html"), "--json"]);
    run.env("PATH", path).env("TMPDIR", folder.path("temporary"));
    let output = run.env("NOTED", folder.path("noted")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["opened"], true);
    let written = report["output"].as_str().unwrap();
    assert!(written.starts_with(&folder.arg("temporary")) && written.ends_with("/page.html"));
    assert!(std::fs::read_to_string(written).unwrap().contains("data-path=\"Mod.u\""));
    let noted = folder.path("noted");
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while !noted.exists() && std::time::Instant::now() < until {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(String::from_utf8(folder.read("noted")).unwrap(), written);
}

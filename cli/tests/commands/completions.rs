//! What a shell offers.

use std::process::{Command, Stdio};

use crate::common::{Folder, completed, upk};
use unreal_packages::generate::Builder;

#[test]
fn objects_of_the_named_package_are_offered() {
    let folder = Folder::with_mod();
    let file = folder.arg("Mod.u");
    let all = ["Texts", "Texts.Credits", "Texts.Readme"];
    assert_eq!(completed(&["upk", "dump", &file, ""]), all);
    assert_eq!(completed(&["upk", "refs", &file, "texts.r"]), ["Texts.Readme"]);
    assert_eq!(completed(&["upk", "remove", &file, "Texts.Readme", "Texts.C"]), ["Texts.Credits"]);
    assert!(completed(&["upk", "dump", &file, "Nothing"]).is_empty());
}

#[test]
fn properties_of_an_object_are_offered() {
    let folder = Folder::with_mod();
    let file = folder.arg("Map.unr");
    let lamp = ["Lamp", "Engine.Light", "LightRadius:byte=7", "-o", &file];
    folder.run("add", "Mod.u", &lamp).exits(0);
    let offered = completed(&["upk", "get", &file, "Lamp.Light"]);
    assert!(offered.contains(&"Lamp.LightRadius".to_owned()), "{offered:?}");
    // For `set` the property with its sign, of the one object that is left.
    let offered = completed(&["upk", "set", &file, "Lam"]);
    assert!(offered.contains(&"Lamp.LightRadius=".to_owned()), "{offered:?}");
}

#[test]
fn hostile_packages_offer_nothing() {
    let folder = Folder::new();
    let named = Builder::new(69).export("$(touch x)", "Core.Package", []);
    let named = named.export("a;b", "Core.Package", []).export("Fine", "Core.Package", []);
    folder.write("Odd.u", named.build().unwrap());
    assert_eq!(completed(&["upk", "dump", &folder.arg("Odd.u"), ""]), ["Fine"]);
    let whole = folder.read("Odd.u");
    folder.write("Cut.u", &whole[..whole.len() / 2]);
    folder.write("Text.u", "no package");
    folder.write("Empty.u", "");
    for name in ["Cut.u", "Text.u", "Empty.u", "missing.u", "."] {
        assert!(completed(&["upk", "dump", &folder.arg(name), ""]).is_empty(), "{name}");
    }
}

#[test]
fn bash_completes_by_the_script() {
    let is_there = Command::new("bash").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        return;
    }
    let folder = Folder::with_mod();
    let script = folder.write("upk.bash", upk(&["completions", "bash"]).exits(0).out);
    let upk = std::path::Path::new(env!("CARGO_BIN_EXE_upk"));
    let path = format!("{}:/usr/bin:/bin", upk.parent().unwrap().display());
    let line = format!(
        "source {}\nCOMP_WORDS=(upk dump {} Texts.Re)\nCOMP_CWORD=3\nCOMP_TYPE=9\n\
         _clap_complete_upk upk Texts.Re {}\necho \"${{COMPREPLY[@]}}\"\n",
        script.display(),
        folder.arg("Mod.u"),
        folder.arg("Mod.u")
    );
    let output = Command::new("bash").args(["-c", &line]).env("PATH", path).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "Texts.Readme\n", "{output:?}");
}

/// Bash inserts what it is told as it is: files are left to readline, which quotes them.
#[test]
fn files_are_left_to_shells_that_quote() {
    let folder = Folder::with_mod();
    folder.write("zz$(touch HACKED).u", "");
    let start = folder.arg("zz");
    for words in
        [&["upk", "info", &start][..], &["upk", "set", &start], &["upk", "diff", "a", &start]]
    {
        assert!(completed(words).is_empty(), "{words:?}");
    }
    let script = upk(&["completions", "bash"]).exits(0).out;
    let lines: Vec<_> = script.lines().filter(|line| line.contains("complete -o")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line.contains("-o default")), "{script}");
}

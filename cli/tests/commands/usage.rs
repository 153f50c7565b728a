//! What all commands share: help, exit codes, errors, broken pipes.

use crate::common;
use unreal_packages::edit::mismatches;

use std::process::Stdio;

use common::{Folder, closed_package, command, completed, upk};
use unreal_packages::generate::Builder;

pub const COMMANDS: &[&str] = &[
    "info",
    "list",
    "ls",
    "verify",
    "scan",
    "explain",
    "rename",
    "move",
    "remove",
    "duplicate",
    "copy",
    "add",
    "edit",
    "map",
    "retarget",
    "embed",
    "prune",
    "conform",
    "check",
    "add-name",
    "add-import",
    "set-guid",
    "set-string",
    "set-code",
    "set-flags",
    "replace-body",
    "restore",
    "compress",
    "decompress",
    "pack",
    "page",
    "unpack",
    "demo",
    "completions",
    "dump",
    "script",
    "source",
    "refs",
    "new",
    "extract",
    "import",
    "get",
    "grep",
    "set",
    "diff",
    "make",
    "merge",
    "git-setup",
    "convert",
    "to-json",
    "from-json",
    "detect",
    "deps",
    "uses",
    "doctor",
    "compare",
    "package-map",
    "redirect",
    "cache",
    "classes",
    "check-layout",
    "headers",
    "layout",
    "config",
    "maps",
    "man",
    "report",
];

#[test]
fn every_command_has_help_with_examples_and_json() {
    let all = upk(&["--help"]).exits(0).out;
    for name in COMMANDS {
        assert!(all.contains(&format!("\n  {name} ")), "{name} is missing in the help");
        let help = upk(&[*name, "--help"]).exits(0).out;
        assert!(help.contains(&format!("Examples:\n  upk {name}")), "{name}: {help}");
        let examples = help.lines().filter(|line| line.starts_with(&format!("  upk {name} ")));
        assert!(examples.count() > 1, "{name} has one example only");
        assert!(help.contains("--json"), "{name}: {help}");
    }
    let listed = all.split("\nOptions:").next().unwrap();
    let listed = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    assert_eq!(listed.count(), COMMANDS.len() + 1, "a command is not tested (or `help` is gone)");
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = Folder::with_mod();
    upk::<&str>(&[]).exits(2);
    upk(&["dance"]).exits(2);
    upk(&["info"]).exits(2);
    upk(&["verify"]).exits(2);
    folder.run("info", "Mod.u", &["--game", "chess"]).exits(2);
    folder.run("list", "Mod.u", &["--names", "--tree"]).exits(2);
}

#[test]
fn an_input_that_cannot_be_opened_exits_with_2_and_says_what_to_do() {
    let folder = Folder::with_mod();
    folder.write("text.txt", "no package at all");
    folder.write("closed.upk", closed_package());
    folder.write("cut.u", &folder.read("Mod.u")[..100]);
    for command in ["info", "list", "explain"] {
        for (file, text) in [
            ("missing.u", "check the path"),
            ("text.txt", "not an Unreal package"),
            ("closed.upk", "compressed with flags 0x2000"),
            ("cut.u", "names"),
            (".", "is a folder"),
        ] {
            let run = folder.run(command, file, &[]).exits(2);
            assert!(run.out.is_empty() && run.err.contains(text), "{command} {file}: {run:?}");
            assert!(run.err.contains("\n  next: "), "{command} {file}: {run:?}");
        }
    }
}

#[test]
fn a_broken_pipe_is_success() {
    let folder = Folder::new();
    let mut builder = Builder::new(69);
    for number in 0..1000 {
        builder = builder.name(format!("SomeNameThatFillsThePipe{number}"));
    }
    let path = folder.write("Big.u", builder.build().unwrap());
    let path = path.to_str().unwrap();
    for args in [&["list", path, "--names"][..], &["explain", path], &["explain", path, "--json"]] {
        let mut child =
            command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{args:?}: {output:?}");
    }
}

#[test]
fn the_game_can_be_set() {
    let folder = Folder::with_mod();
    let info = folder.run("info", "Mod.u", &["--json"]).exits(0).object();
    assert_eq!(info["game"], "mainline");
    let info = folder.run("info", "Mod.u", &["--json", "--game", "ut2004"]).exits(0).object();
    assert_eq!(info["game"], "ut2004");
}

#[test]
fn completions_name_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = upk(&["completions", shell]).exits(0).out;
        assert!(script.contains("UPK_COMPLETE"), "{shell}: {script}");
    }
    let object = upk(&["completions", "bash", "--json"]).exits(0).object();
    assert!(object["script"].as_str().unwrap().contains("UPK_COMPLETE"));
    let all = completed(&["upk", ""]);
    for name in COMMANDS {
        assert!(all.iter().any(|found| found == name), "{name} is none of {all:?}");
    }
    upk(&["completions", "abacus"]).exits(2);
}

#[test]
fn the_demo_plays_through() {
    let run = upk(&["demo"]).exits(0);
    assert!(run.out.contains("identical, byte for byte"), "{run:?}");
    assert!(run.out.contains("keeps its number: compatible"), "{run:?}");
    let steps: Vec<_> = upk(&["demo", "--json"])
        .exits(0)
        .json()
        .into_iter()
        .map(|step| step["step"].as_str().unwrap().to_owned())
        .collect();
    let all =
        ["generate", "import", "edit", "save", "verify", "release", "conform", "check", "explain"];
    assert_eq!(steps, all);
    let folder = Folder::new();
    upk(&["demo", "--keep", &folder.arg("kept")]).exits(0);
    folder.run("verify", "kept", &[]).exits(0);
    assert!(folder.open("kept/DemoChanged.utx").find("Botpack.Enforcer").is_some());
    let next = folder.open("kept/DemoNext.utx");
    assert!(mismatches(&next, &folder.open("kept/DemoChanged.utx")).is_empty());
    assert!(!mismatches(&next, &folder.open("kept/Demo.utx")).is_empty());
}

#[test]
fn every_command_has_a_schema_of_what_it_prints_for_scripts() {
    let known: Vec<&str> = common::schema::commands().collect();
    for name in COMMANDS {
        assert!(known.contains(name), "docs/output.schema.json has no {name}");
    }
    let unknown: Vec<_> = known.iter().filter(|name| !COMMANDS.contains(name)).collect();
    assert!(unknown.is_empty(), "no commands: {unknown:?}");
}

#[test]
fn a_line_that_the_schema_does_not_know_is_seen() {
    use common::schema::fault;
    let good = r#"{"output":"report.json","bytes":5}"#;
    assert_eq!(fault(&["report", "--json"], good, ""), None);
    let more = r#"{"output":"report.json","bytes":5,"more":1}"#;
    let less = r#"{"output":"report.json"}"#;
    let other = r#"{"output":"report.json","bytes":"5"}"#;
    for line in [more, less, other, "5", "text"] {
        assert!(fault(&["report", "--json"], line, "").is_some(), "{line}");
    }
    assert!(fault(&["report", "--json"], "", r#"{"error":1}"#).is_some());
    assert_eq!(fault(&["report"], "text", ""), None, "for people");
}

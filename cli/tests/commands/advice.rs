//! What messages advise works: each command that they name is there with its options, and commands that an error names
//! whole are carried out on the file that it is about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::{Folder, small_package, upk};

/// The sources of the command and of the crates below it, whose messages it prints.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("../unreal")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|it| it == "rs") => files.push(path),
                false => {}
            }
        }
    }
    files
}

/// What stands between backticks and begins with the command's name.
fn commands_in(text: &str) -> Vec<String> {
    let parts = text.split('`').skip(1).step_by(2);
    parts.filter_map(|part| part.strip_prefix("upk ")).map(str::to_owned).collect()
}

/// The commands that stand in a source's texts, each on one line.
fn commands_of(source: &str) -> Vec<String> {
    let mut joined = String::new();
    for line in source.lines() {
        match line.trim_end().strip_suffix('\\') {
            Some(start) => joined += &format!("{} ", start.trim()),
            None => joined += &format!("{}\n", line.trim()),
        }
    }
    joined.lines().flat_map(commands_in).filter(|it| !it.contains('{')).collect()
}

/// What `--help` says of a command, or of the kind that it makes.
fn help_of(words: &[&str]) -> Option<String> {
    let run = upk(&[words, &["--help"]].concat());
    (run.code == 0).then_some(run.out)
}

#[test]
fn commands_that_texts_name_are_there_with_their_options() {
    let mut named = BTreeSet::new();
    for file in sources() {
        let source = std::fs::read_to_string(&file).unwrap();
        let known = commands_of(&source).into_iter().map(|it| (it, file.clone()));
        named.extend(known);
    }
    assert!(named.len() > 60, "{}", named.len());
    let mut helps: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (command, file) in named {
        let words: Vec<&str> = command.split_whitespace().collect();
        let kinds = ["new", "cache"].contains(&words[0]);
        let of = &words[..if kinds && words.len() > 1 { 2 } else { 1 }];
        if of[0].starts_with('-') {
            continue;
        }
        let help = helps.entry(of.join(" ")).or_insert_with(|| help_of(of));
        let Some(help) = help else {
            wrong.push(format!("{}: no command 'upk {command}'", file.display()));
            continue;
        };
        for option in words.iter().filter(|it| it.starts_with("--") && it.len() > 2) {
            let option = option.split('=').next().unwrap_or_default();
            let option = option.trim_end_matches(|it: char| !it.is_ascii_alphanumeric());
            let is_there = |line: &str| line.split([' ', ',', '=', '[']).any(|it| it == option);
            if !help.lines().any(is_there) {
                wrong.push(format!("{}: no option {option} of 'upk {command}'", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A mistake: what is called, and the object or folder that the advice is to be carried out with.
struct Mistake {
    call: &'static [&'static str],
    /// The file that the error is about.
    file: &'static str,
    object: &'static str,
}

const MISTAKES: &[Mistake] = &[
    Mistake { call: &["get", "Mod.u", "Nobody"], file: "Mod.u", object: "" },
    Mistake {
        call: &["get", "Mod.u", "Group.Readme.Nothing"],
        file: "Mod.u",
        object: "Group.Readme",
    },
    Mistake {
        call: &["rename", "Mod.u", "--name", "Nobody", "Fresh", "--dry-run"],
        file: "Mod.u",
        object: "",
    },
    Mistake {
        call: &["rename", "Mod.u", "Group.Readme", "Group", "--dry-run"],
        file: "Mod.u",
        object: "",
    },
    Mistake { call: &["remove", "Mod.u", "Nobody", "--dry-run"], file: "Mod.u", object: "" },
    Mistake {
        call: &["retarget", "Mod.u", "No.Thing", "New.Thing", "Core.Class", "--dry-run"],
        file: "Mod.u",
        object: "",
    },
    Mistake { call: &["refs", "Mod.u", "Nobody"], file: "Mod.u", object: "" },
    Mistake { call: &["list", "Mod.u.uz"], file: "Mod.u.uz", object: "" },
    Mistake { call: &["list", "Game.pak"], file: "Game.pak", object: "" },
    Mistake { call: &["get", "Game.pak", "X"], file: "Game.pak", object: "" },
    Mistake { call: &["set", "Game.pak", "X.Y=1", "--in-place"], file: "Game.pak", object: "" },
    Mistake { call: &["list", "Game.pak/Nobody.u"], file: "Game.pak", object: "" },
    Mistake { call: &["list", "Page.u"], file: "Page.u", object: "" },
    Mistake { call: &["info", "."], file: "Mod.u", object: "" },
];

#[test]
fn advice_that_names_a_whole_command_is_carried_out() {
    let folder = Folder::with_mod();
    folder.write("Page.u", b"<!DOCTYPE html><html></html>");
    folder.write("Files/Mod.u", small_package(69));
    folder.write("Whole/Mod.u", small_package(69));
    folder.run("pack", "Mod.u", &["-o", &folder.arg("Mod.u.uz")]).exits(0);
    folder.run("pack", "Files", &["-o", &folder.arg("Game.pak")]).exits(0);
    let mut carried_out = BTreeSet::new();
    for (at, Mistake { call, file, object }) in MISTAKES.iter().enumerate() {
        let place = |word: &&str| match word.contains(".u") || word.contains(".pak") || *word == "."
        {
            true => folder.arg(word),
            false => (*word).to_owned(),
        };
        let call: Vec<String> = call.iter().map(place).collect();
        let said = upk(&call);
        assert!(said.code == 1 || said.code == 2, "{call:?}: {said:?}");
        let next = said.err.rsplit_once("next: ").map(|(_, next)| next);
        let next = next.unwrap_or_else(|| panic!("{call:?} advises nothing: {said:?}"));
        let commands = commands_in(next);
        assert!(!commands.is_empty(), "{call:?}: {next}");
        for command in commands {
            let word = |word: &str| match word {
                "FILE" | "CONTAINER" => folder.arg(file),
                "OBJECT" => (*object).to_owned(),
                "FOLDER" | "DIR" if command.starts_with("verify") => folder.arg("Whole"),
                "OUT" | "DIR" => folder.arg(&format!("Out{at}")),
                other => other.to_owned(),
            };
            let mut words: Vec<String> = command.split_whitespace().map(word).collect();
            if words.len() == 1 {
                words.push(folder.arg(if words[0] == "verify" { "Whole" } else { file }));
            }
            let run = upk(&words);
            assert_eq!(run.code, 0, "{call:?} says '{next}', and {words:?}: {}", run.err);
            carried_out.insert(command);
        }
    }
    println!("{carried_out:?}");
    assert!(carried_out.len() >= 8, "{carried_out:?}");
}

//! What people see, kept as files: the help of every command at 80 columns, and results with and without colours.
//! `UPDATE_GOLDEN=1` writes them anew; what has changed is then seen in the commit.

use std::path::Path;

use crate::common::{Folder, command, small_package};
use crate::manners::without_colours;
use crate::usage::COMMANDS;

/// The width of a terminal.
const WIDTH: usize = 80;

/// What a terminal of that width shows, standard error behind standard output; `colored` or not.
fn shown(args: &[&str], colored: bool) -> String {
    let mut command = command(args);
    command.env("COLUMNS", WIDTH.to_string()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command.args(["--color", if colored { "always" } else { "never" }]);
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8(text).unwrap()
}

/// Whether a file of `snapshots/` says the same; writes it where that is asked for.
#[track_caller]
fn is_kept(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/snapshots").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = kept.lines().zip(text.lines()).enumerate();
    let first = lines.find(|(_, (kept, now))| kept != now);
    assert!(kept == text, "{name}: {first:?}: if that is meant, UPDATE_GOLDEN=1 writes it");
}

/// Help without the paragraphs that many commands have alike.
fn own(help: &str) -> String {
    let mut paragraphs: Vec<&str> = help.split("\n\n").collect();
    let alike = ["Options of every command:", "Games, unversioned and cooked packages:"];
    paragraphs.retain(|text| !alike.iter().any(|heading| text.starts_with(heading)));
    paragraphs.join("\n\n")
}

#[test]
fn help_fits_a_terminal() {
    let mut all = String::new();
    for name in std::iter::once("").chain(COMMANDS.iter().copied()) {
        let words: Vec<&str> = [name, "--help"].into_iter().filter(|it| !it.is_empty()).collect();
        let plain = shown(&words, false);
        // What must be given stands on one line, which shells and terminals break themselves.
        let mut lines = plain.lines().filter(|line| !line.starts_with("Usage: "));
        let long = lines.find(|line| line.chars().count() > WIDTH);
        assert_eq!(long, None, "upk {name} --help");
        let colored = shown(&words, true);
        assert!(colored.contains('\x1b') && !plain.contains('\x1b'), "upk {name} --help");
        assert_eq!(without_colours(&colored), plain, "upk {name} --help");
        let short = [name, "-h"].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>();
        all += &format!("==== upk {}\n{}\n", short.join(" "), own(&shown(&short, false)));
    }
    is_kept("help.txt", &all);
}

#[test]
fn results_are_painted() {
    let folder = Folder::with_mod();
    let edited = folder.arg("New.u");
    folder.run("rename", "Mod.u", &["Texts.Readme", "Other", "-o", &edited]).exits(0);
    folder.write("Cut.u", &small_package(69)[..100]);
    let old = folder.arg("Mod.u");
    let mut all = String::new();
    for args in [
        &["list", &old, "--tree"][..],
        &["verify", &old, &folder.arg("Cut.u")],
        &["diff", &old, &edited],
        &["rename", &old, "Nobody", "Somebody", "--dry-run"],
        &["rename", &old, "Texts.Readme", "Other", "--dry-run"],
        &["info", &folder.arg("Gone.u")],
        &["dance"],
        &["verify", "--depth"],
    ] {
        let (plain, colored) = (shown(args, false), shown(args, true));
        assert!(!plain.contains('\x1b'), "{args:?}: {plain}");
        assert_eq!(without_colours(&colored), plain, "{args:?}");
        // The system's words for a file that is not there.
        let absent = std::io::Error::from_raw_os_error(2).to_string();
        let colored = colored.replace(&absent, "No such file or directory (os error 2)");
        let text = format!("$ upk {}\n{colored}\n", args.join(" "));
        all += &text.replace(&folder.arg(""), "").replace('\x1b', "\\e");
    }
    is_kept("painted.txt", &all);
}

//! The examples that users see: in shell blocks of the README and of the pages of `docs/`, and in the help of every
//! command.

use std::path::{Path, PathBuf};

use crate::line;
use crate::page::{self, Line};
use crate::run::upk;

/// Command lines that users run one after the other, and where they are shown: a block of a page, a line of the
/// help.
#[derive(Debug)]
pub struct Example {
    pub place: String,
    pub lines: Vec<Line>,
}

/// Every example there is.
pub fn all() -> Vec<Example> {
    let mut examples = blocks();
    help(&[], &mut examples);
    examples
}

/// The README and the pages of `docs/`, those in its folders too: where each is, and its text.
pub fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = vec![root().join("README.md")];
    let files = walkdir::WalkDir::new(root().join("docs")).sort_by_file_name();
    paths.extend(files.into_iter().map(|entry| entry.unwrap().into_path()));
    paths.retain(|page| page.extension().is_some_and(|end| end == "md"));
    let with_text = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    paths.into_iter().map(with_text).collect()
}

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

/// The blocks of all pages.
fn blocks() -> Vec<Example> {
    let mut examples = Vec::new();
    for (path, text) in pages() {
        let name = path.file_name().unwrap().to_string_lossy();
        for block in page::blocks(&path, &text) {
            let place = format!("{name}:{}", block.place);
            examples.push(Example { place, lines: block.lines });
        }
    }
    let shown: usize = examples.iter().map(|example| example.lines.len()).sum();
    assert!(shown > 70, "the pages show {shown} command lines only");
    examples
}

/// The help of a command and of those within it.
fn help(command: &[&str], examples: &mut Vec<Example>) {
    let args: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
    // Wide enough that no example is broken into several lines.
    let output = upk().args(&args).env("COLUMNS", "2000").output().unwrap();
    assert!(output.status.success(), "{args:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let place = ["upk"].iter().chain(&args).copied().collect::<Vec<_>>().join(" ");
    let lines = text.lines().filter_map(line::example);
    examples.extend(lines.map(|line| {
        let lines = vec![Line { text: line.to_owned(), shown: None }];
        Example { place: place.clone(), lines }
    }));
    // Of `upk` itself in groups, each with its heading.
    let begins = |line: &&str| match command.is_empty() {
        true => line.starts_with("Usage:"),
        false => *line == "Commands:",
    };
    let listed = text.lines().skip_while(|line| !begins(line)).skip(1);
    let ends = |line: &&str| match command.is_empty() {
        true => *line == "Options:",
        false => line.is_empty(),
    };
    for line in listed.take_while(|line| !ends(line)) {
        // What a command does may stand on lines of its own, further in.
        let name = line.strip_prefix("  ").filter(|name| !name.starts_with(' '));
        let name = name.and_then(|name| name.split(' ').next());
        if let Some(name) = name.filter(|name| *name != "help") {
            help(&[command, &[name]].concat(), examples);
        }
    }
}

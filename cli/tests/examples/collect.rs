//! The examples that users see: in code blocks of the README, and in the help of every command.

use std::path::Path;

use crate::line;
use crate::run::upk;

/// A command line and where it is shown.
#[derive(Debug)]
pub struct Example {
    pub place: String,
    pub text: String,
}

/// Every example there is.
pub fn all() -> Vec<Example> {
    let mut examples = readme();
    assert!(examples.len() > 40, "the README shows {} examples only", examples.len());
    help(&[], &mut examples);
    examples
}

fn readme() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut examples = Vec::new();
    let mut in_shell = false;
    for (number, line) in (1..).zip(text.lines()) {
        match line.strip_prefix("```") {
            Some(language) => in_shell = matches!(language, "sh" | "bash" | "console"),
            None if in_shell => add(line, &format!("README.md:{number}"), &mut examples),
            None => {}
        }
    }
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
    text.lines().for_each(|line| add(line, &place, examples));
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    for line in listed.take_while(|line| !line.is_empty()) {
        // What a command does may stand on lines of its own, further in.
        let name = line.strip_prefix("  ").filter(|name| !name.starts_with(' '));
        let name = name.and_then(|name| name.split(' ').next());
        if let Some(name) = name.filter(|name| *name != "help") {
            help(&[command, &[name]].concat(), examples);
        }
    }
}

fn add(line: &str, place: &str, examples: &mut Vec<Example>) {
    let text = line.trim();
    let text = text.strip_prefix("Next: ").unwrap_or(text);
    if line::names_upk(text) {
        let text = line::without_remark(text).to_owned();
        examples.push(Example { place: place.to_owned(), text });
    }
}

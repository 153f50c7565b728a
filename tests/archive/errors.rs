//! Kinds of errors are matched, never their texts.

use std::fs;
use std::path::{Path, PathBuf};

use unreal_packages::error::{Noun, UnrealError, UnrealErrors, noun};
use unreal_packages::{Error, ErrorKind};

use super::rooms::files;

/// Where texts without a kind are looked at: those of other programs and crates, and of findings, which a scan
/// keeps as rows of a table.
const OTHER_TEXTS: &[(&str, usize)] = &[
    // A finding's message, which may begin with the path.
    ("cli/src/command/doctor/report.rs", 1),
    // The file's name instead of its path, which differs between two sides of a diff.
    ("cli/src/command/dump.rs", 1),
    // The name of an object in front of its reason, which the line says already; a reason without it stays.
    ("cli/src/command/extract/refused.rs", 2),
    // The last line of what is wrong with a regular expression.
    ("cli/src/command/grep.rs", 1),
    // Names of sides instead of the paths that git makes up for a merge.
    ("cli/src/command/merge.rs", 2),
    // As for grep.
    ("cli/src/config/own_rule.rs", 1),
    // What clap says, without its prefix.
    ("cli/src/failure.rs", 1),
    // Git's own words.
    ("cli/src/lfs.rs", 1),
    // A law: the text of an error names the versions.
    ("src/testing/value.rs", 1),
];

/// What holds the text of an error, by the names that code gives it.
const TEXTS: &[&str] = &[
    "reason",
    "message",
    "hint",
    "what",
    "error",
    "failure",
    "cause",
    "error.to_string()",
    "failure.to_string()",
    "cause.to_string()",
    "kind.to_string()",
    "kind().to_string()",
    "error.path()",
];

/// How a text is looked at.
const LOOKS: &[&str] = &[
    ".contains(",
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".trim_start_matches(",
    ".trim_end_matches(",
    ".find(",
    ".split(",
    ".split_once(",
    ".rsplit_once(",
    ".replace(",
    ".replacen(",
    ".eq_ignore_ascii_case(",
    ".lines(",
    "==\"",
    "!=\"",
    "==*\"",
];

/// How many times code looks at a text of an error.
fn looks(code: &str) -> usize {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut code = String::new();
    // Chains of calls go over several lines: blanks count between words only.
    for word in lines.flat_map(str::split_whitespace) {
        if code.ends_with(is_word) && word.starts_with(is_word) {
            code.push(' ');
        }
        code.push_str(word);
    }
    let mut count = 0;
    for look in LOOKS {
        for (at, _) in code.match_indices(look) {
            let before = code[..at].trim_end_matches(".as_str()").trim_end_matches(".as_ref()");
            let is_text = TEXTS.iter().any(|text| {
                before
                    .strip_suffix(text)
                    .is_some_and(|before| !before.ends_with(|c: char| is_word(c) || c == '.'))
            });
            count += usize::from(is_text);
        }
    }
    count
}

#[test]
fn no_code_looks_at_the_text_of_an_error() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for folder in ["src", "unreal", "cli/src", "python/src", "web/src"] {
        files(&root.join(folder), &mut found);
    }
    assert!(found.len() > 500, "{}", found.len());
    let within =
        |path: &PathBuf| path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
    let mut places: Vec<_> = found
        .iter()
        .map(|path| (within(path), path))
        // What errors are made of.
        .filter(|(shown, _)| {
            let place = shown.trim_start_matches("unreal/model/");
            place != "src/error.rs" && !place.starts_with("src/error/")
        })
        .map(|(shown, path)| {
            let text = fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            (shown, looks(code))
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    places.sort();
    let known: Vec<_> =
        OTHER_TEXTS.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect();
    assert_eq!(places, known);
}

#[test]
fn a_look_at_the_text_of_an_error_is_seen() {
    assert_eq!(
        looks("ErrorKind::Invalid { reason } if reason.starts_with(\"line \") => error,"),
        1
    );
    assert_eq!(looks("if error\n    .to_string()\n    .contains(\"encrypted\") {}"), 1);
    assert_eq!(looks("if what == \"name\" || message.as_str() == \"gone\" {}"), 2);
    assert_eq!(looks("// reason.contains(\"it\")\nlet unreason = unreason.contains(\"it\");"), 0);
    assert_eq!(looks("matches!(error.kind(), ErrorKind::NotFound { what: noun::NAME, .. })"), 0);
}

#[test]
fn nouns_are_found_by_their_words() {
    assert_eq!(Noun::named("name"), noun::NAME);
    assert_eq!(Noun::named("soft path"), noun::SOFT_PATH);
    assert_eq!(Noun::named("level"), Noun::Own("level"));
    let kind = |what| ErrorKind::NotFound { what, name: "Door".to_owned(), hint: String::new() };
    assert_eq!(kind(noun::EXPORT).to_string(), "export 'Door' not found");
    assert_eq!(kind(Noun::Own("level")).to_string(), "level 'Door' not found");
}

#[test]
fn a_failure_of_packages_is_found_in_the_one_error() {
    assert_eq!(std::mem::size_of::<unreal_packages::Result<()>>(), 8);
    let error =
        Error::refused("the body would be cut", vec!["Door".to_owned()]).in_field("exports");
    let text = "exports: refused, since it would corrupt the package: the body would be cut (Door)";
    assert_eq!(error.to_string(), text);
    let Some(UnrealError::Refused { objects, .. }) = error.unreal() else { panic!("{error:?}") };
    assert_eq!(objects, &["Door"]);
    assert!(Error::invalid("no").unreal().is_none());
    let error = Error::from(UnrealError::Busy { path: "Maps/A.unr".to_owned() });
    assert_eq!(error.kind().file(), Some("Maps/A.unr"));
}

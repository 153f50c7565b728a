//! The glossary has its words in order, each once, and none that no other page and no help uses.

use std::collections::BTreeSet;

use crate::collect;
use crate::run::upk;

/// The words of a row: `ours, theirs` are two.
fn words(row: &str) -> Vec<String> {
    row.split(", ").map(str::to_lowercase).collect()
}

#[test]
fn words_are_in_order_and_used() {
    let pages = collect::pages();
    let is_glossary = |path: &std::path::Path| path.ends_with("docs/glossary.md");
    let (_, glossary) = pages.iter().find(|(path, _)| is_glossary(path)).unwrap();
    let rows: Vec<&str> = (glossary.lines().skip_while(|line| !line.starts_with("|---")).skip(1))
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .collect();
    let keys: Vec<String> = rows.iter().map(|row| row.to_lowercase()).collect();
    assert!(keys.is_sorted(), "not in order: {keys:?}");
    let all: Vec<String> = rows.iter().flat_map(|row| words(row)).collect();
    assert!(all.len() > 60, "{} words", all.len());
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a word stands twice");

    let mut texts: String = pages
        .iter()
        .filter(|(path, _)| !is_glossary(path))
        .map(|(_, text)| text.as_str())
        .collect();
    for command in listed_commands() {
        let help = upk().args([command.as_str(), "--help"]).output().unwrap();
        texts.push_str(&String::from_utf8(help.stdout).unwrap());
    }
    let texts = texts.to_lowercase();
    let unused: Vec<_> = all.iter().filter(|word| !texts.contains(word.as_str())).collect();
    assert!(unused.is_empty(), "no page and no help has {unused:?}");
}

/// The commands that `upk --help` lists.
fn listed_commands() -> Vec<String> {
    let help = upk().arg("--help").env("COLUMNS", "2000").output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    let named = text.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let named = named.map(|(name, _)| name.to_owned());
    named.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect()
}

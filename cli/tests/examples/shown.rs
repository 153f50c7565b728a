//! What `console` blocks show of what a line prints, and how they get it: `UPDATE_GOLDEN=1` writes it there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The lines below a command of a `console` block.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub page: PathBuf,
    /// The first of these lines in the page, from 0.
    pub first: usize,
    pub lines: Vec<String>,
}

/// What pages are to show in place of what they do.
static UPDATES: Mutex<Vec<(Shown, Vec<String>)>> = Mutex::new(Vec::new());

/// Whether a page shows what was printed; else the text that it should show, or that it will after the tests.
pub fn check(shown: &Shown, printed: &str) -> Result<(), String> {
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let lines: Vec<&str> = shown.lines.iter().map(String::as_str).collect();
    if fits(&lines, &printed) {
        return Ok(());
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1") {
        let lines = printed.into_iter().map(str::to_owned).collect();
        UPDATES.lock().unwrap_or_else(PoisonError::into_inner).push((shown.clone(), lines));
        return Ok(());
    }
    Err(format!("prints\n{}\n    and the page shows\n{}", printed.join("\n"), lines.join("\n")))
}

/// A line `…` stands for any number of lines, `…` within a line for any text.
fn fits(shown: &[&str], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skipped| fits(rest, &printed[skipped..])),
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| line_fits(line, first) && fits(rest, others)),
    }
}

fn line_fits(shown: &str, printed: &str) -> bool {
    match shown.split_once('…') {
        None => shown == printed,
        Some((start, end)) => {
            printed.len() >= start.len() + end.len()
                && printed.starts_with(start)
                && printed.ends_with(end)
        }
    }
}

/// Writes what the examples have printed into the pages that show something else.
pub fn write_updates() {
    let mut pages: BTreeMap<PathBuf, Vec<(Shown, Vec<String>)>> = BTreeMap::new();
    for update in UPDATES.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        pages.entry(update.0.page.clone()).or_default().push(update);
    }
    for (page, mut updates) in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // From the end, so that the lines before an update stay where they are.
        updates.sort_by_key(|(shown, _)| std::cmp::Reverse(shown.first));
        for (shown, new) in updates {
            lines.splice(shown.first..shown.first + shown.lines.len(), new);
        }
        std::fs::write(page, lines.join("\n") + "\n").unwrap();
    }
}

#[test]
fn dots_stand_for_what_is_not_shown() {
    let printed = ["one", "two 12", "three"];
    for shown in [
        &["one", "two 12", "three"][..],
        &["…", "three"],
        &["one", "…"],
        &["…"],
        &["one", "two …", "three"],
        &["one", "two 12", "three", "…"],
    ] {
        assert!(fits(shown, &printed), "{shown:?}");
    }
    for shown in [
        &["one", "two 12"][..],
        &["…", "two 12"],
        &["one", "two …2", "…", "two"],
        &["one …", "…"],
        &[],
    ] {
        assert!(!fits(shown, &printed), "{shown:?}");
    }
}

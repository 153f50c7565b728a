//! Each line of the table in SECURITY.md has a test, and the tests are there.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts of all tests.
fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(std::fs::read_to_string(path).unwrap());
        }
    }
}

/// The rows of the table under a heading, as cells.
fn rows(text: &str, heading: &str) -> Vec<Vec<String>> {
    let section = text.split(heading).nth(1).unwrap().split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| {
        let line = line.trim_matches('|');
        line.split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    lines.map(cells).collect()
}

#[test]
fn each_line_of_the_threat_model_names_tests_that_are_there() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let mut tests = Vec::new();
    for folder in ["tests", "cli/tests", "cli/src"] {
        sources(&root().join(folder), &mut tests);
    }
    let rows = rows(&text, "## What is trusted, and what is not");
    assert!(rows.len() > 15, "{}", rows.len());
    for row in &rows {
        let names: Vec<_> = row[2].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row:?}");
        for name in names {
            let own = format!("fn {name}(");
            assert!(tests.iter().any(|text| text.contains(&own)), "{name} is not there: {row:?}");
        }
    }
}

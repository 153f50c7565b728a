//! Any text is a file of edits, or a line of it is wrong: what was read is written and read again.

use unreal_packages::edit::DocumentPart;
use unreal_packages::edit_file::{
    EditFileReader, EditStatement, EditStatementKind, LineError, put_line, quoted,
};

type Words = Vec<String>;

/// First words that are no commands.
const OWN: [&str; 6] = ["let", "expect", "for", "base", "put", "}"];

fn read(text: &str) -> Result<Vec<EditStatement<Words>>, LineError> {
    EditFileReader::new(text, &[], &mut |words: &[String]| Ok(words.to_vec())).read()
}

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let lines = text.lines().count();
    match read(text) {
        Ok(statements) => statements.iter().for_each(|statement| check(statement, lines)),
        Err(error) => {
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "{error}");
            assert!(!error.reason.is_empty());
        }
    }
}

fn check(statement: &EditStatement<Words>, lines: usize) {
    assert!((1..=lines).contains(&statement.number));
    match &statement.kind {
        EditStatementKind::Command(words) => {
            // A variable may stand for one of these.
            if words.first().is_some_and(|first| !OWN.contains(&&**first)) {
                let line: Words = words.iter().map(|word| quoted(word)).collect();
                let again = read(&line.join(" ")).expect("a line that was read");
                assert!(matches!(&again[0].kind, EditStatementKind::Command(it) if it == words));
            }
        }
        EditStatementKind::CommandOfObject(words) => {
            assert!(words.iter().any(|word| !word.is_plain()));
        }
        EditStatementKind::Package(group) => {
            assert!(!group.patterns.is_empty());
            group.statements.iter().for_each(|statement| check(statement, lines));
        }
        EditStatementKind::For(group) => {
            assert!(!group.patterns.is_empty());
            group.statements.iter().for_each(|statement| check(statement, lines));
        }
        EditStatementKind::Put(parts) => parts.iter().for_each(|(_, part)| check_part(part)),
        EditStatementKind::Expect(_) | EditStatementKind::Base(_) => {}
    }
}

fn check_part(part: &DocumentPart) {
    let line = put_line(part);
    let again = read(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let EditStatementKind::Put(parts) = &again[0].kind else { panic!("{line}") };
    let [(1, again)] = &parts[..] else { panic!("{line}") };
    assert_eq!((&again.place, again.was, again.rows), (&part.place, part.was, part.rows));
    // The last bit of a real number may be lost on the way to its text.
    let value = part.value.as_ref().map(|value| value.to_string().parse());
    assert_eq!(again.value, value.map(|value| value.expect("JSON that was written")));
}

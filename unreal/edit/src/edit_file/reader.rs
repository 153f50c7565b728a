//! A file of edits as it is read: every line is checked before a package is opened.

use std::collections::BTreeSet;

use super::words::{self, EditVariables, EditWord};
use super::{
    EditGroup, EditStatement, EditStatementKind, LineError, PackageGroup, PackageHash, put,
};
use crate::inspect::Expectation;

/// Groups stand in groups at most this deep.
const DEEPEST: usize = 16;

/// Bytes that variables may add to all lines together: these, and so many for each byte of the file.
const ROOM: usize = 1 << 24;
const ROOM_A_BYTE: usize = 16;

/// The option of a group with what its objects fulfil.
const WHERE: &str = "--where";

/// What makes a command of its words, or says what is wrong with them.
type ReadCommand<'a, C> = &'a mut dyn FnMut(&[String]) -> Result<C, LineError>;

/// Reads the statements of a file.
///
/// ```
/// use unreal_packages::edit_file::{LineError, EditFileReader, EditStatementKind};
///
/// let text = "let RADIUS = 32\nset Light1.LightRadius=$RADIUS\n";
/// let mut words = |words: &[String]| Ok::<_, LineError>(words.join(" "));
/// let statements = EditFileReader::new(text, &[], &mut words).read()?;
/// assert!(matches!(&statements[0].kind, EditStatementKind::Command(command) if command == "set Light1.LightRadius=32"));
/// let error = EditFileReader::new("for Light* {", &[], &mut words).read().unwrap_err();
/// assert_eq!(error.to_string(), "line 1: the group does not end");
/// # Ok::<(), LineError>(())
/// ```
pub struct EditFileReader<'a, C> {
    command: ReadCommand<'a, C>,
    variables: EditVariables,
    /// The variables that the command line gives: a line of the file does not change them.
    given: BTreeSet<String>,
    used: BTreeSet<String>,
    /// Bytes that variables may still add.
    room: usize,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
    /// Whether the lines are those of some packages.
    in_package: bool,
}

impl<C> std::fmt::Debug for EditFileReader<'_, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("EditFileReader").field("variables", &self.variables).finish_non_exhaustive()
    }
}

impl<'a, C> EditFileReader<'a, C> {
    /// A reader of this text, with variables that its lines do not change. The caller says what a command is: of one
    /// with the object of a group in it the words are shown with another object in its place, and the answer is not
    /// kept.
    pub fn new(
        text: &'a str,
        given: &[(String, String)],
        command: &'a mut dyn FnMut(&[String]) -> Result<C, LineError>,
    ) -> Self {
        let variables: EditVariables = given.iter().cloned().collect();
        let given = variables.keys().cloned().collect();
        let (used, lines) = (BTreeSet::new(), text.lines().enumerate());
        let room = ROOM.saturating_add(text.len().saturating_mul(ROOM_A_BYTE));
        Self { command, variables, given, used, room, lines, in_package: false }
    }

    /// All statements.
    ///
    /// # Errors
    /// The first line that is wrong; a file without edits, and a given variable that no line uses.
    pub fn read(mut self) -> Result<Vec<EditStatement<C>>, LineError> {
        let statements = self.block(None, 0)?;
        if statements.is_empty() {
            return Err(LineError::new("it has no edits").with_next("see --help"));
        }
        if let Some(name) = self.given.difference(&self.used).next() {
            let next = "leave it away, or write $NAME where it belongs";
            return Err(LineError::new(format!("it has no ${name}")).with_next(next));
        }
        Ok(statements)
    }

    /// The statements up to the end of the group that began in this line, or of the file.
    fn block(
        &mut self,
        begun: Option<usize>,
        depth: usize,
    ) -> Result<Vec<EditStatement<C>>, LineError> {
        let mut statements = Vec::new();
        while let Some((at, text)) = self.lines.next() {
            let number = at + 1;
            let wrong = |error: LineError| error.at(number);
            let fault = |reason: &str| LineError::new(reason).at(number);
            let split =
                shlex::split(text).ok_or_else(|| fault("a quote that is opened is not closed"))?;
            let Some((verb, rest)) = split.split_first() else { continue };
            let kind = match verb.as_str() {
                "}" if begun.is_some() && rest.is_empty() => return Ok(statements),
                "}" => return Err(fault("'}' ends no group")),
                "let" => {
                    self.set(rest).map_err(wrong)?;
                    continue;
                }
                "expect" => self.expect(text, rest, depth > 0).map_err(wrong)?,
                "for" if depth >= DEEPEST => {
                    let reason = format!("groups stand in groups at most {DEEPEST} deep");
                    return Err(fault(&reason));
                }
                "for" => {
                    let mut group = self.group(rest, depth > 0).map_err(wrong)?;
                    group.statements = self.block(Some(number), depth + 1)?;
                    EditStatementKind::For(group)
                }
                "package" if depth > 0 || self.in_package => {
                    return Err(fault("'package' is no line of a group"));
                }
                "package" => {
                    let patterns = self.packages(rest).map_err(wrong)?;
                    self.in_package = true;
                    let statements = self.block(Some(number), 0);
                    self.in_package = false;
                    EditStatementKind::Package(PackageGroup { patterns, statements: statements? })
                }
                "base" => EditStatementKind::Base(PackageHash::parse(rest).map_err(wrong)?),
                "put" if depth > 0 => {
                    return Err(fault("'put' is no line of a group"));
                }
                "put" => {
                    let words: Result<Vec<EditWord>, LineError> =
                        rest.iter().map(|text| self.word(text, false)).collect();
                    let words = words.map_err(wrong)?;
                    let words = words.iter().map(|word| word.of_object("", ""));
                    let part = put::read(words).map_err(wrong)?;
                    match statements.last_mut() {
                        Some(EditStatement { kind: EditStatementKind::Put(parts), .. }) => {
                            parts.push((number, part));
                            continue;
                        }
                        _ => EditStatementKind::Put(vec![(number, part)]),
                    }
                }
                _ => self.edit(&split, depth > 0).map_err(wrong)?,
            };
            statements.push(EditStatement { number, kind });
        }
        match begun {
            Some(number) => {
                let next = "write '}' on a line of its own behind it";
                Err(LineError::new("the group does not end").with_next(next).at(number))
            }
            None => Ok(statements),
        }
    }

    fn word(&mut self, text: &str, in_group: bool) -> Result<EditWord, LineError> {
        for name in &self.given {
            if text.contains(&format!("${name}")) || text.contains(&format!("${{{name}}}")) {
                self.used.insert(name.clone());
            }
        }
        EditWord::parse(text, &self.variables, in_group, &mut self.room)
    }

    /// `let NAME = VALUE`: the value is the words behind the sign.
    fn set(&mut self, rest: &[String]) -> Result<(), LineError> {
        let (name, value) = words::assignment(&rest.join(" "))?;
        if self.given.contains(&name) {
            self.used.insert(name);
            return Ok(());
        }
        let value = self.word(&value, false)?.of_object("", "");
        self.variables.insert(name, value);
        Ok(())
    }

    /// `expect CONDITION`: as it stands, since texts in it have quotes of their own; or as one word in quotes.
    fn expect(
        &mut self,
        line: &str,
        rest: &[String],
        in_group: bool,
    ) -> Result<EditStatementKind<C>, LineError> {
        let raw = line.trim().strip_prefix("expect").unwrap_or_default();
        let text = match rest {
            [one] => one.as_str(),
            _ => raw.split_once(" #").map_or(raw, |(text, _)| text).trim(),
        };
        let word = self.word(text, in_group)?;
        // What it says is checked now, whatever the object will be.
        let sample = word.of_object("Object", "Object");
        sample.parse::<Expectation>().map_err(|error| LineError::new(error.to_string()))?;
        Ok(EditStatementKind::Expect(word))
    }

    /// `package PATTERN… {`.
    fn packages(&mut self, rest: &[String]) -> Result<Vec<String>, LineError> {
        let wrong =
            |reason: &str| LineError::new(reason).with_next("write package 'Folder/DT_*' {");
        let Some(("{", head)) = rest.split_last().map(|(last, head)| (last.as_str(), head)) else {
            return Err(wrong("the line does not end in '{'"));
        };
        if head.is_empty() {
            return Err(wrong("the group has no packages"));
        }
        let word = |text: &String| Ok(self.word(text, false)?.of_object("", ""));
        head.iter().map(word).collect()
    }

    /// `for PATTERN… --where CONDITION {`.
    fn group(&mut self, rest: &[String], in_group: bool) -> Result<EditGroup<C>, LineError> {
        let wrong = |reason: String| {
            LineError::new(reason).with_next("write for 'Light*' --where CONDITION {")
        };
        let Some(("{", head)) = rest.split_last().map(|(last, head)| (last.as_str(), head)) else {
            return Err(wrong("the line does not end in '{'".to_owned()));
        };
        let (mut patterns, mut conditions, mut head) = (Vec::new(), Vec::new(), head.iter());
        while let Some(text) = head.next() {
            let condition = match text.strip_prefix(WHERE) {
                Some("") => {
                    let missing = || wrong(format!("'{WHERE}' has no condition"));
                    Some(head.next().ok_or_else(missing)?.as_str())
                }
                Some(rest) => rest.strip_prefix('='),
                None => None,
            };
            if let Some(text) = condition {
                let word = self.word(text, in_group)?;
                if !word.is_plain() {
                    let reason = "the conditions of a group are the same for all of its objects";
                    return Err(wrong(reason.to_owned()));
                }
                let text = word.of_object("", "");
                let condition = text.parse().map_err(|error| wrong(format!("{error}")))?;
                conditions.push(condition);
            } else if text.starts_with('-') {
                return Err(wrong(format!("'{text}' is no option of a group")));
            } else {
                // Patterns may name the object of the group around.
                patterns.push(self.word(text, in_group)?);
            }
        }
        if patterns.is_empty() {
            return Err(wrong("the group has no objects".to_owned()));
        }
        Ok(EditGroup { patterns, conditions, statements: Vec::new() })
    }

    fn edit(
        &mut self,
        split: &[String],
        in_group: bool,
    ) -> Result<EditStatementKind<C>, LineError> {
        let words: Result<Vec<EditWord>, LineError> =
            split.iter().map(|text| self.word(text, in_group)).collect();
        let words = words?;
        let sample: Vec<String> = words.iter().map(|it| it.of_object("Object", "Object")).collect();
        let command = (self.command)(&sample)?;
        Ok(match words.iter().all(EditWord::is_plain) {
            true => EditStatementKind::Command(command),
            false => EditStatementKind::CommandOfObject(words),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<EditStatement<String>>, LineError> {
        EditFileReader::new(text, &[], &mut |words| Ok(words.join("|"))).read()
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line, reason) in [
            ("", None, "it has no edits"),
            ("set A.B=1\n}", Some(2), "'}' ends no group"),
            ("set 'A", Some(1), "a quote that is opened is not closed"),
            ("\nfor A {\nset A.B=1", Some(2), "the group does not end"),
            ("for A {\nput A {}\n}", Some(2), "'put' is no line of a group"),
            ("for A {\npackage B {\n}\n}", Some(2), "'package' is no line of a group"),
            ("package A {\npackage B {\n}\n}", Some(2), "'package' is no line of a group"),
            ("package {\n}", Some(1), "the group has no packages"),
            ("package A", Some(1), "the line does not end in '{'"),
            ("for {\n}", Some(1), "the group has no objects"),
            ("for A --where {\n}", Some(1), "'--where' has no condition"),
            ("for A --when x {\n}", Some(1), "'--when' is no option of a group"),
            ("for A {\nfor B --where X==$NAME {\n}\n}", Some(2), "the conditions of a group"),
            ("for A", Some(1), "the line does not end in '{'"),
            ("put A", Some(1), "'put' takes an object and its value"),
            ("put --count 1 A {}", Some(1), "'--count' is of rows"),
            ("put --row x A {}", Some(1), "'--row' is no number: 'x'"),
            ("put A {} --was", Some(1), "'--was' has no value"),
            ("put A {} --was 12", Some(1), "'12' is no hash"),
            ("put A {} --row 1 --row 2", Some(1), "'--row' stands twice"),
            ("put --key K --row 1 {}", Some(1), "rows of a list are a list"),
            ("base 12", Some(1), "the package is not named by its hash"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.reason.starts_with(reason), "{text}: {error}");
        }
    }

    #[test]
    fn groups_take_conditions_in_both_forms() {
        let read =
            read("for 'L*' --where A==1 --where=B==2 {\nset $OBJECT.C=1\nset D.E=2\n}").unwrap();
        let EditStatementKind::For(group) = &read[0].kind else { panic!("{read:?}") };
        assert_eq!((group.patterns.len(), group.conditions.len()), (1, 2));
        assert!(matches!(group.statements[0].kind, EditStatementKind::CommandOfObject(_)));
        assert!(
            matches!(&group.statements[1].kind, EditStatementKind::Command(it) if it == "set|D.E=2")
        );
    }

    /// Thirty lines would be a gibibyte.
    #[test]
    fn variables_that_double_are_refused() {
        let mut text = "let A0 = xx\n".to_owned();
        for at in 1..40 {
            text += &format!("let A{at} = $A{}$A{}\n", at - 1, at - 1);
        }
        let error = read(&(text + "set A.B=1")).unwrap_err();
        assert_eq!(error.reason, "the values of variables are too long together");
    }

    #[test]
    fn parts_are_read_as_they_are_written() {
        use crate::edit::{DocumentPart, PartPlace};
        let object = |path: &str, row| PartPlace::Object { path: path.to_owned(), row };
        let rows = PartPlace::Rows { key: "names".to_owned(), row: 3, count: 2 };
        for place in [object("A.B", None), object("--key", Some(1)), object("it's $A", None), rows]
        {
            let value = match place {
                PartPlace::Rows { .. } => serde_json::json!(["$A", -1]),
                _ => serde_json::json!({ "a": "it's $A \" --was" }),
            };
            let part = DocumentPart { place, was: None, value: Some(value), rows: None };
            let line = super::super::put_line(&part);
            let read = read(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
            let EditStatementKind::Put(parts) = &read[0].kind else { panic!("{read:?}") };
            assert_eq!(super::super::put_line(&parts[0].1), line);
            assert_eq!(format!("{:?}", parts[0].1), format!("{part:?}"));
        }
    }
}

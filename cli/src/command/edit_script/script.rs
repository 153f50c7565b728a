//! A file of edits as it is read: every line is checked before a package is opened.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Parser;
use unreal_packages::edit::DocumentPart;
use unreal_packages::inspect::{Condition, Expectation};

use super::base::PackageHash;
use super::line;
use super::put::PutLine;
use super::words::{self, Variables, Word};
use crate::args::OpenArgs;
use crate::command::Command;
use crate::command::set::condition;
use crate::failure::Failure;

/// Groups stand in groups at most this deep.
const DEEPEST: usize = 16;

/// A line, or a group of lines.
pub struct Statement {
    /// Its number, from 1.
    pub number: usize,
    pub kind: StatementKind,
}

impl Statement {
    /// Whether it is made of lines, each of which fits or does not.
    pub fn has_lines(&self) -> bool {
        matches!(self.kind, StatementKind::For(_) | StatementKind::Put(_))
    }
}

/// What a statement does.
pub enum StatementKind {
    /// An edit that is the same for every object.
    Edit(Box<Command>),
    /// An edit of the object of a group.
    EditOfObject(Vec<Word>),
    /// A condition on the package.
    Expect(Word),
    /// Statements that are done with each of some objects.
    For(Group),
    /// The package that the file was made for.
    Base(PackageHash),
    /// Parts of the package's document with their lines, put in place at once.
    Put(Vec<(usize, DocumentPart)>),
}

/// The objects of a group and what is done with each.
pub struct Group {
    pub patterns: Vec<Word>,
    pub conditions: Vec<Condition>,
    pub statements: Vec<Statement>,
}

/// The head of a group as words.
#[derive(Debug, Parser)]
#[command(name = "for", no_binary_name = true, disable_help_flag = true)]
struct GroupHead {
    #[arg(required = true)]
    patterns: Vec<String>,
    #[arg(long = "where", value_parser = condition)]
    conditions: Vec<Condition>,
}

/// Reads the statements of a file.
pub struct Reader<'a> {
    /// The file, as errors call it.
    shown: String,
    open: &'a OpenArgs,
    variables: Variables,
    /// The variables that the command line gives: a line of the file does not change them.
    given: BTreeSet<String>,
    used: BTreeSet<String>,
    lines: std::iter::Enumerate<std::str::Lines<'a>>,
}

impl<'a> Reader<'a> {
    /// Of this text.
    pub fn new(file: &Path, text: &'a str, open: &'a OpenArgs, given: &[(String, String)]) -> Self {
        let variables: Variables = given.iter().cloned().collect();
        let given = variables.keys().cloned().collect();
        let shown = file.display().to_string();
        let (used, lines) = (BTreeSet::new(), text.lines().enumerate());
        Self { shown, open, variables, given, used, lines }
    }

    /// All statements.
    pub fn read(mut self) -> Result<Vec<Statement>, Failure> {
        let statements = self.block(None, 0)?;
        let shown = &self.shown;
        if statements.is_empty() {
            return Err(Failure::usage(format!("'{shown}' has no edits\n  next: see --help")));
        }
        if let Some(name) = self.given.difference(&self.used).next() {
            let next = "leave it away, or write $NAME where it belongs";
            return Err(Failure::usage(format!("'{shown}' has no ${name}\n  next: {next}")));
        }
        Ok(statements)
    }

    /// The statements up to the end of the group that began in this line, or of the file.
    fn block(&mut self, begun: Option<usize>, depth: usize) -> Result<Vec<Statement>, Failure> {
        let mut statements = Vec::new();
        while let Some((at, text)) = self.lines.next() {
            let number = at + 1;
            let shown = self.shown.clone();
            let wrong = |what: String| Failure::usage(format!("{shown}, line {number}: {what}"));
            let split = shlex::split(text)
                .ok_or_else(|| wrong("a quote that is opened is not closed".to_owned()))?;
            let Some((verb, rest)) = split.split_first() else { continue };
            let kind = match verb.as_str() {
                "}" if begun.is_some() && rest.is_empty() => return Ok(statements),
                "}" => return Err(wrong("'}' ends no group".to_owned())),
                "let" => {
                    self.set(rest).map_err(wrong)?;
                    continue;
                }
                "expect" => self.expect(text, rest, depth > 0).map_err(wrong)?,
                "for" if depth >= DEEPEST => {
                    return Err(wrong(format!("groups stand in groups at most {DEEPEST} deep")));
                }
                "for" => {
                    let mut group = self.group(rest, depth > 0).map_err(wrong)?;
                    group.statements = self.block(Some(number), depth + 1)?;
                    StatementKind::For(group)
                }
                "base" => StatementKind::Base(PackageHash::parse(rest).map_err(wrong)?),
                "put" if depth > 0 => {
                    return Err(wrong("'put' is no line of a group".to_owned()));
                }
                "put" => {
                    let words: Result<Vec<Word>, String> =
                        rest.iter().map(|text| self.word(text, false)).collect();
                    let words = words.map_err(wrong)?;
                    let words = words.iter().map(|word| word.of_object("", ""));
                    let part = PutLine::read(words).map_err(wrong)?;
                    match statements.last_mut() {
                        Some(Statement { kind: StatementKind::Put(parts), .. }) => {
                            parts.push((number, part));
                            continue;
                        }
                        _ => StatementKind::Put(vec![(number, part)]),
                    }
                }
                _ => self.edit(&split, depth > 0).map_err(wrong)?,
            };
            statements.push(Statement { number, kind });
        }
        match begun {
            Some(number) => {
                let shown = &self.shown;
                let next = "write '}' on a line of its own behind it";
                Err(Failure::usage(format!(
                    "{shown}, line {number}: the group does not end\n  next: {next}"
                )))
            }
            None => Ok(statements),
        }
    }

    fn word(&mut self, text: &str, in_group: bool) -> Result<Word, String> {
        for name in &self.given {
            if text.contains(&format!("${name}")) || text.contains(&format!("${{{name}}}")) {
                self.used.insert(name.clone());
            }
        }
        Word::parse(text, &self.variables, in_group)
    }

    /// `let NAME = VALUE`: the value is the words behind the sign.
    fn set(&mut self, rest: &[String]) -> Result<(), String> {
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
    ) -> Result<StatementKind, String> {
        let raw = line.trim().strip_prefix("expect").unwrap_or_default();
        let text = match rest {
            [one] => one.as_str(),
            _ => raw.split_once(" #").map_or(raw, |(text, _)| text).trim(),
        };
        let word = self.word(text, in_group)?;
        // What it says is checked now, whatever the object will be.
        let sample = word.of_object("Object", "Object");
        sample.parse::<Expectation>().map_err(|error| error.to_string())?;
        Ok(StatementKind::Expect(word))
    }

    /// `for PATTERN… --where CONDITION {`.
    fn group(&mut self, rest: &[String], in_group: bool) -> Result<Group, String> {
        let next = "write for 'Light*' --where CONDITION {";
        let Some(("{", head)) = rest.split_last().map(|(last, head)| (last.as_str(), head)) else {
            return Err(format!("the line does not end in '{{'\n  next: {next}"));
        };
        // Conditions are the same for all objects; patterns may name the object of the group around.
        let mut words = Vec::new();
        for text in head {
            let word = self.word(text, in_group)?;
            words.push((word.of_object("\u{1}", "\u{2}"), word));
        }
        let head = GroupHead::try_parse_from(words.iter().map(|(text, _)| text));
        let head = head.map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            format!("{}\n  next: {next}", first.trim_start_matches("error: "))
        })?;
        let is_pattern = |text: &String| head.patterns.contains(text);
        let patterns = words.iter().filter(|(text, _)| is_pattern(text));
        let patterns = patterns.map(|(_, word)| word.clone()).collect();
        Ok(Group { patterns, conditions: head.conditions, statements: Vec::new() })
    }

    fn edit(&mut self, split: &[String], in_group: bool) -> Result<StatementKind, String> {
        let words: Result<Vec<Word>, String> =
            split.iter().map(|text| self.word(text, in_group)).collect();
        let words = words?;
        let sample: Vec<String> = words.iter().map(|it| it.of_object("Object", "Object")).collect();
        let command = line::parse(&sample, self.open)?;
        Ok(match words.iter().all(Word::is_plain) {
            true => StatementKind::Edit(Box::new(command)),
            false => StatementKind::EditOfObject(words),
        })
    }
}

//! The statements of a file of edits, done with one package.

use std::fmt;
use std::path::Path;

use serde_json::{Value, json};
use unreal_packages::PackageIndex;
use unreal_packages::edit::Edit;
use unreal_packages::inspect::{Defaults, Expectation, PackageValues};

use super::line;
use super::script::{Group, Statement, StatementKind};
use super::words::Word;
use crate::args::OpenArgs;
use crate::command::edit::{Change, Editing};
use crate::failure::Failure;
use crate::output::count;

/// A condition on a package that does not hold: the package is left alone.
#[derive(Debug)]
pub struct Unmet {
    /// The line that says it.
    pub line: usize,
    expected: String,
    found: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, expected, found } = self;
        write!(f, "line {line} expects {expected}, but {found}")
    }
}

impl std::error::Error for Unmet {}

impl Unmet {
    /// The condition that a failure is about, if it is about one.
    pub fn of(failure: &Failure) -> Option<&Self> {
        let (Failure::Usage(error) | Failure::Failed(error)) = failure;
        error.chain().find_map(|cause| cause.downcast_ref())
    }
}

/// An object of a group.
#[derive(Debug, Clone, Copy)]
struct GroupObject<'a> {
    path: &'a str,
    name: &'a str,
}

impl GroupObject<'_> {
    fn fill(object: Option<&Self>, word: &Word) -> String {
        object.map_or_else(|| word.of_object("", ""), |it| word.of_object(it.path, it.name))
    }
}

/// What was done so far.
struct Work<'a> {
    file: &'a Path,
    open: &'a OpenArgs,
    texts: Vec<String>,
    changes: Vec<Value>,
    expectations: u64,
}

/// Does the statements with the package from `file`.
pub fn carry_out(
    statements: &[Statement],
    edit: &mut Edit,
    file: &Path,
    open: &OpenArgs,
) -> Result<Change, Failure> {
    let (texts, changes) = (Vec::new(), Vec::new());
    let mut work = Work { file, open, texts, changes, expectations: 0 };
    work.all(statements, edit, None)?;
    let Work { mut texts, changes, expectations, .. } = work;
    texts.push(count(changes.len() as u64, "edit", "edits"));
    Ok(Change {
        text: texts.join("\n"),
        json: json!({ "kind": "edit", "edits": changes, "expectations_met": expectations }),
    })
}

impl Work<'_> {
    fn all(
        &mut self,
        statements: &[Statement],
        edit: &mut Edit,
        object: Option<&GroupObject<'_>>,
    ) -> Result<(), Failure> {
        for statement in statements {
            let at = || match object {
                Some(object) => format!("line {}, {}", statement.number, object.path),
                None => format!("line {}", statement.number),
            };
            self.one(statement, edit, object).map_err(|failure| match failure {
                // It names its line itself.
                failure if Unmet::of(&failure).is_some() => failure,
                Failure::Usage(error) => Failure::Usage(error.context(at())),
                Failure::Failed(error) => Failure::Failed(error.context(at())),
            })?;
        }
        Ok(())
    }

    fn one(
        &mut self,
        statement: &Statement,
        edit: &mut Edit,
        object: Option<&GroupObject<'_>>,
    ) -> Result<(), Failure> {
        match &statement.kind {
            StatementKind::Edit(command) => match command.editing() {
                Some(command) => self.change(command, edit),
                None => Ok(()),
            },
            StatementKind::EditOfObject(words) => {
                let words: Vec<String> =
                    words.iter().map(|word| GroupObject::fill(object, word)).collect();
                let command = line::parse(&words, self.open).map_err(Failure::usage)?;
                match command.editing() {
                    Some(command) => self.change(command, edit),
                    None => Ok(()),
                }
            }
            StatementKind::Expect(word) => {
                let text = GroupObject::fill(object, word);
                self.expect(&text, statement.number, edit)
            }
            StatementKind::For(group) => self.group(group, edit, object),
        }
    }

    fn change(&mut self, command: &dyn Editing, edit: &mut Edit) -> Result<(), Failure> {
        let change = command.change(edit, self.file)?;
        self.texts.push(change.text);
        self.changes.push(change.json);
        Ok(())
    }

    fn expect(&mut self, text: &str, line: usize, edit: &Edit) -> Result<(), Failure> {
        let expectation: Expectation = text.parse()?;
        let defaults = self.open.defaults(self.file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        match edit.values().with_defaults(defaults).unmet(&expectation)? {
            None => {
                self.expectations += 1;
                Ok(())
            }
            Some(found) => {
                let expected = expectation.to_string();
                Err(Failure::Failed(Unmet { line, expected, found }.into()))
            }
        }
    }

    /// The objects are chosen before the first of them changes.
    fn group(
        &mut self,
        group: &Group,
        edit: &mut Edit,
        object: Option<&GroupObject<'_>>,
    ) -> Result<(), Failure> {
        let mut rows = Vec::new();
        {
            let defaults = self.open.defaults(self.file)?;
            let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
            let values = edit.values().with_defaults(defaults);
            for pattern in &group.patterns {
                let pattern = GroupObject::fill(object, pattern);
                rows.extend(values.select(&pattern, &group.conditions)?.rows);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        for row in rows {
            let (path, name) =
                (edit.exports().path(row), edit.object_name(PackageIndex::export(row)));
            let object = GroupObject { path: &path, name: &name };
            self.all(&group.statements, edit, Some(&object))?;
        }
        Ok(())
    }
}

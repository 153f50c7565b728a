//! The statements of a file of edits, done with one package.

use std::fmt;
use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use unreal_packages::PackageIndex;
use unreal_packages::container::{Containers, package_name};
use unreal_packages::edit::{DocumentPart, Edit};
use unreal_packages::edit_file::{self, EditStatementKind, EditWord, LineError, PackageHash};
use unreal_packages::inspect::{Defaults, Expectation, PackageValues, matches_file};

use super::line;
use crate::args::OpenArgs;
use crate::command::Command;
use crate::command::edit::{Change, Editing};
use crate::failure::Failure;
use crate::output::count;

/// A statement whose commands are those of this program.
pub type Statement = edit_file::EditStatement<Box<Command>>;

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

/// Whether one of these patterns means a package: by its path, or by what the game calls it.
pub fn means(patterns: &[String], file: &Path) -> bool {
    let shown = file.display().to_string().replace('\\', "/");
    let inside = Containers::split(file).map(|(_, inside)| package_name(&inside));
    patterns.iter().any(|pattern| {
        let ends = [".uasset", ".umap"].iter().find_map(|end| pattern.strip_suffix(end));
        let bare = ends.unwrap_or(pattern);
        let of_game = inside.as_deref().is_some_and(|name| matches_file(bare, name));
        of_game || matches_file(pattern, &shown)
    })
}

/// Whether the statements have anything to do with a package: all of them may stand in groups for others.
pub fn are_for(statements: &[Statement], file: &Path) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        EditStatementKind::Package(group) => means(&group.patterns, file),
        EditStatementKind::Expect(_) | EditStatementKind::Base(_) => false,
        _ => true,
    }) || statements.iter().all(|it| !matches!(it.kind, EditStatementKind::Package(_)))
}

/// The groups for packages of which none is among these, with their lines.
pub fn meaningless<'a>(statements: &'a [Statement], files: &[&Path]) -> Vec<(usize, &'a [String])> {
    let of = |statement: &'a Statement| match &statement.kind {
        EditStatementKind::Package(group) => Some((statement.number, &group.patterns[..])),
        _ => None,
    };
    let groups = statements.iter().filter_map(of);
    groups.filter(|(_, patterns)| !files.iter().any(|file| means(patterns, file))).collect()
}

/// An object of a group.
#[derive(Debug, Clone, Copy)]
struct GroupObject<'a> {
    path: &'a str,
    name: &'a str,
}

impl GroupObject<'_> {
    fn fill(object: Option<&Self>, word: &EditWord) -> String {
        object.map_or_else(|| word.of_object("", ""), |it| word.of_object(it.path, it.name))
    }
}

/// Something that a package does not take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unfit {
    /// The line that says it.
    pub line: usize,
    pub reason: String,
}

/// How the statements are done.
#[derive(Debug, Clone, Copy)]
pub struct Manner<'a> {
    /// The file of the package.
    pub file: &'a Path,
    /// How other packages are opened.
    pub open: &'a OpenArgs,
    /// Whether lines that do not fit are left out instead of ending the edit.
    pub fitting: bool,
}

/// What was done so far.
struct Work<'a> {
    manner: Manner<'a>,
    texts: Vec<String>,
    changes: Vec<Value>,
    expectations: u64,
    unfit: Vec<Unfit>,
}

/// Does the statements with a package; what did not fit is listed.
pub fn carry_out(
    statements: &[Statement],
    edit: &mut Edit,
    manner: Manner<'_>,
) -> Result<(Change, Vec<Unfit>), Failure> {
    let (texts, changes, unfit) = (Vec::new(), Vec::new(), Vec::new());
    let mut work = Work { manner, texts, changes, expectations: 0, unfit };
    work.all(statements, edit, None)?;
    let Work { mut texts, changes, expectations, unfit, .. } = work;
    texts.extend(unfit.iter().map(|it| format!("left out: line {}: {}", it.line, it.reason)));
    texts.push(match unfit.len() as u64 {
        0 => count(changes.len() as u64, "edit", "edits"),
        left => {
            let left = count(left, "line does", "lines do");
            format!("{}; {left} not fit", count(changes.len() as u64, "edit", "edits"))
        }
    });
    let mut json = json!({ "kind": "edit", "edits": changes, "expectations_met": expectations });
    if !unfit.is_empty() {
        json["left_out"] = json!(unfit);
    }
    Ok((Change { text: texts.join("\n"), json }, unfit))
}

impl Work<'_> {
    fn all(
        &mut self,
        statements: &[Statement],
        edit: &mut Edit,
        object: Option<&GroupObject<'_>>,
    ) -> Result<(), Failure> {
        let mut statements = statements.iter();
        while let Some(statement) = statements.next() {
            let at = || match object {
                Some(object) => format!("line {}, {}", statement.number, object.path),
                None => format!("line {}", statement.number),
            };
            let done = match self.manner.fitting {
                // Parts and groups leave out by themselves what does not fit.
                true if !statement.has_lines() => {
                    edit.attempt(|edit| self.one(statement, edit, object))
                }
                _ => self.one(statement, edit, object),
            };
            let Err(failure) = done else { continue };
            if self.manner.fitting {
                let (Failure::Usage(error) | Failure::Failed(error)) = &failure;
                let reason = match Unmet::of(&failure) {
                    Some(Unmet { expected, found, .. }) => {
                        format!("it expects {expected}, but {found}")
                    }
                    None => format!("{error:#}").lines().next().unwrap_or_default().to_owned(),
                };
                self.unfit.push(Unfit { line: statement.number, reason });
                // What it guards goes with it.
                if matches!(statement.kind, EditStatementKind::Expect(_)) {
                    statements.next();
                }
                continue;
            }
            return Err(match failure {
                // It names its line itself.
                failure if Unmet::of(&failure).is_some() => failure,
                Failure::Usage(error) => Failure::Usage(error.context(at())),
                Failure::Failed(error) => Failure::Failed(error.context(at())),
            });
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
            EditStatementKind::Command(command) => match command.editing() {
                Some(command) => self.change(command, edit),
                None => Ok(()),
            },
            EditStatementKind::CommandOfObject(words) => {
                let words: Vec<String> =
                    words.iter().map(|word| GroupObject::fill(object, word)).collect();
                let command = line::parse(&words, self.manner.open).map_err(unread)?;
                match command.editing() {
                    Some(command) => self.change(command, edit),
                    None => Ok(()),
                }
            }
            EditStatementKind::Expect(word) => {
                let text = GroupObject::fill(object, word);
                self.expect(&text, statement.number, edit)
            }
            EditStatementKind::For(group) => self.group(group, edit, object),
            EditStatementKind::Package(group) if means(&group.patterns, self.manner.file) => {
                self.all(&group.statements, edit, object)
            }
            EditStatementKind::Package(_) => Ok(()),
            EditStatementKind::Base(expected) => {
                let found = PackageHash::of(edit);
                if found == *expected {
                    return Ok(());
                }
                let expected = "another version of the package".to_owned();
                let next = "\n  next: --what-fits does what fits this one and names the rest";
                let next = if self.manner.fitting { "" } else { next };
                let found = format!("the hash of this one is {found}{next}");
                Err(Failure::Failed(Unmet { line: statement.number, expected, found }.into()))
            }
            EditStatementKind::Put(parts) => self.put(parts, edit),
        }
    }

    /// Parts of the document, all at once.
    fn put(&mut self, parts: &[(usize, DocumentPart)], edit: &mut Edit) -> Result<(), Failure> {
        let own: Vec<DocumentPart> = parts.iter().map(|(_, part)| part.clone()).collect();
        let done = edit.put_parts(&own, self.manner.fitting)?;
        for unfit in &done.unfit {
            let line = parts.get(unfit.part).map_or(0, |(line, _)| *line);
            let reason = format!("{}: {}", unfit.place, unfit.reason);
            self.unfit.push(Unfit { line, reason });
        }
        let left: Vec<usize> = done.unfit.iter().map(|unfit| unfit.part).collect();
        for (at, part) in own.iter().enumerate().filter(|(at, _)| !left.contains(at)) {
            let place = part.place.to_string();
            let what = match (&part.was, &part.value) {
                (_, None) => "gone",
                (None, Some(_)) => "new",
                (Some(_), Some(_)) => "changed",
            };
            self.texts.push(format!("{place}: {what}"));
            self.changes.push(json!({ "kind": "put", "place": place, "what": what, "part": at }));
        }
        Ok(())
    }

    fn change(&mut self, command: &dyn Editing, edit: &mut Edit) -> Result<(), Failure> {
        let change = command.change(edit, self.manner.file)?;
        self.texts.push(change.text);
        self.changes.push(change.json);
        Ok(())
    }

    fn expect(&mut self, text: &str, line: usize, edit: &Edit) -> Result<(), Failure> {
        let expectation: Expectation = text.parse()?;
        let defaults = self.manner.open.defaults(self.manner.file)?;
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
        group: &edit_file::EditGroup<Box<Command>>,
        edit: &mut Edit,
        object: Option<&GroupObject<'_>>,
    ) -> Result<(), Failure> {
        let mut rows = Vec::new();
        {
            let defaults = self.manner.open.defaults(self.manner.file)?;
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

/// A line that is no command once it has its object.
fn unread(error: LineError) -> Failure {
    let LineError { reason, next, .. } = error;
    let next = next.map(|next| format!("\n  next: {next}")).unwrap_or_default();
    Failure::usage(format!("{reason}{next}"))
}

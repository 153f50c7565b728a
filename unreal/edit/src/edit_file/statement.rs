//! The statements of a file of edits.

use super::{EditWord, PackageHash};
use crate::edit::DocumentPart;
use crate::inspect::Condition;

/// A line, or a group of lines. `C` is what a program makes of a command.
#[derive(Debug, Clone)]
pub struct EditStatement<C> {
    /// Its number, from 1.
    pub number: usize,
    /// What it does.
    pub kind: EditStatementKind<C>,
}

impl<C> EditStatement<C> {
    /// Whether it is made of lines, each of which fits or does not.
    pub fn has_lines(&self) -> bool {
        matches!(
            self.kind,
            EditStatementKind::For(_) | EditStatementKind::Put(_) | EditStatementKind::Package(_)
        )
    }
}

/// What a statement does.
#[derive(Debug, Clone)]
pub enum EditStatementKind<C> {
    /// A command that is the same for every object.
    Command(C),
    /// The words of a command with the object of a group in them.
    CommandOfObject(Vec<EditWord>),
    /// A condition on the package.
    Expect(EditWord),
    /// Statements that are done with each of some objects.
    For(EditGroup<C>),
    /// Statements that are done with some of the packages alone.
    Package(PackageGroup<C>),
    /// The package that the file was made for.
    Base(PackageHash),
    /// Parts of the package's document with their lines, put in place at once.
    Put(Vec<(usize, DocumentPart)>),
}

/// The packages of a group and what is done with each.
#[derive(Debug, Clone)]
pub struct PackageGroup<C> {
    /// Which packages: the ends of their paths, with wildcards.
    pub patterns: Vec<String>,
    /// What is done with each.
    pub statements: Vec<EditStatement<C>>,
}

/// The objects of a group and what is done with each.
#[derive(Debug, Clone)]
pub struct EditGroup<C> {
    /// Which objects: names or paths with wildcards.
    pub patterns: Vec<EditWord>,
    /// What all of them fulfil.
    pub conditions: Vec<Condition>,
    /// What is done with each.
    pub statements: Vec<EditStatement<C>>,
}

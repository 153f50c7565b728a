//! The statements of a file of edits.

use super::{PackageHash, Word};
use crate::edit::DocumentPart;
use crate::inspect::Condition;

/// A line, or a group of lines. `C` is what a program makes of a command.
#[derive(Debug, Clone)]
pub struct Statement<C> {
    /// Its number, from 1.
    pub number: usize,
    /// What it does.
    pub kind: StatementKind<C>,
}

impl<C> Statement<C> {
    /// Whether it is made of lines, each of which fits or does not.
    pub fn has_lines(&self) -> bool {
        matches!(self.kind, StatementKind::For(_) | StatementKind::Put(_))
    }
}

/// What a statement does.
#[derive(Debug, Clone)]
pub enum StatementKind<C> {
    /// A command that is the same for every object.
    Command(C),
    /// The words of a command with the object of a group in them.
    CommandOfObject(Vec<Word>),
    /// A condition on the package.
    Expect(Word),
    /// Statements that are done with each of some objects.
    For(Group<C>),
    /// The package that the file was made for.
    Base(PackageHash),
    /// Parts of the package's document with their lines, put in place at once.
    Put(Vec<(usize, DocumentPart)>),
}

/// The objects of a group and what is done with each.
#[derive(Debug, Clone)]
pub struct Group<C> {
    /// Which objects: names or paths with wildcards.
    pub patterns: Vec<Word>,
    /// What all of them fulfil.
    pub conditions: Vec<Condition>,
    /// What is done with each.
    pub statements: Vec<Statement<C>>,
}

//! Files of edits: their language, which reads every line before a package is opened.
//!
//! | line | meaning |
//! |---|---|
//! | `let NAME = VALUE` | gives a variable its value; `$NAME` and `${NAME}` stand for it, `$$` is a dollar |
//! | `expect CONDITION` | an [`Expectation`](crate::inspect::Expectation) of the package |
//! | `for PATTERN… --where CONDITION {` … `}` | lines that are done with each object; `$OBJECT` is its path, `$NAME` its name |
//! | `package PATTERN… {` … `}` | lines that are done with these packages alone, by the ends of their paths |
//! | `base HASH` | the [`PackageHash`] of the package that the file was made for |
//! | `put OBJECT VALUE`, `put --key KEY VALUE` | a [`DocumentPart`](crate::edit::DocumentPart) |
//! | any other | a command: what it means is up to the program that reads the file |
//!
//! Words are split as a shell splits them, `#` begins a comment.

mod fault;
mod package_hash;
mod put;
mod reader;
mod statement;
mod words;

pub use fault::LineError;
pub use package_hash::PackageHash;
pub use put::{put_line, quoted};
pub use reader::EditFileReader;
pub use statement::{EditGroup, EditStatement, EditStatementKind, PackageGroup};
pub use words::{EditWord, assignment};

//! The one error of the crate: what went wrong, at which byte of which field, in which version.

use std::fmt::{self, Write as _};

#[doc(hidden)]
pub mod near;
mod noun;
mod of_format;
mod one_line;
mod stamp;
mod step;

pub use noun::Noun;
pub use of_format::FormatError;
use one_line::OneLine;
pub use stamp::{ShowVersions, VersionStamp};
pub use step::{PathStep, WrittenPath};

/// A result whose error is [`Error`]; eight bytes for `Result<()>`.
pub type Result<T = (), E = Error> = std::result::Result<T, E>;

/// An error: its kind, at which byte of which field, in which file version.
///
/// Displays as one line: `exports[12].serial_size at 0x1a4 (version 69/0): needed 4 bytes, 2 remain`.
/// Boxed, because an unboxed error of this size slows every primitive read down.
pub struct Error(Box<ErrorParts>);

struct ErrorParts {
    kind: ErrorKind,
    offset: Option<u64>,
    /// Innermost step first: a path grows outwards while the error travels up.
    path: Vec<PathStep>,
    /// The way through a document, which says more than the path to the field.
    document: Option<String>,
    versions: Option<VersionStamp>,
}

/// The kinds of failure, each with its numbers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end before the value does.
    #[error("needed {needed} bytes, {remaining} remain")]
    UnexpectedEnd {
        /// Bytes the value wants.
        needed: u64,
        /// Bytes that are left in the file or in the enclosing part.
        remaining: u64,
    },
    /// A count promises more elements than bytes are left.
    #[error("a count of {count} does not fit into the {remaining} bytes that remain")]
    TooLong {
        /// The stored count.
        count: u64,
        /// Bytes that are left in the file or in the enclosing part.
        remaining: u64,
    },
    /// A count is below zero where only zero or more makes sense.
    #[error("a count of {count} is below zero")]
    NegativeCount {
        /// The stored count.
        count: i64,
    },
    /// The tables of this file would take more memory than its size allows.
    #[error("{wanted} bytes of memory wanted, {left} left in the budget of this file")]
    Budget {
        /// Bytes that the next allocation needs.
        wanted: u64,
        /// Bytes left in the budget.
        left: u64,
    },
    /// Parts nest deeper than any real file.
    #[error("parts nest deeper than {limit} levels")]
    TooDeep {
        /// The number of levels that are allowed.
        limit: u32,
    },
    /// A part of declared size was not used up by its value.
    #[error("{left} bytes of the declared {size} are left over")]
    LeftOver {
        /// Bytes the value did not use.
        left: u64,
        /// The declared size.
        size: u64,
    },
    /// The bytes use a form that the type can't keep (an overlong count, a bool of 2).
    #[error("a form that this type can't keep: {form}")]
    NonCanonical {
        /// The form that was found.
        form: &'static str,
    },
    /// A discriminant that no variant has.
    #[error("{value} is no variant of {type_name}")]
    UnknownVariant {
        /// The stored discriminant.
        value: i64,
        /// The enum.
        type_name: &'static str,
    },
    /// A discriminant whose variant only other versions have.
    #[error("{value} is the variant {variant} of {type_name}, which is there {bounds}")]
    VariantNotInVersion {
        /// The stored discriminant.
        value: i64,
        /// The enum.
        type_name: &'static str,
        /// The variant.
        variant: &'static str,
        /// The versions that have it: `from 2`.
        bounds: String,
    },
    /// Other bytes than those that every file of the format has here.
    #[error("'{}' belongs here, found '{}'", wanted.escape_ascii(), found.escape_ascii())]
    BadMagic {
        /// The bytes of the format.
        wanted: Vec<u8>,
        /// The bytes that were found.
        found: Vec<u8>,
    },
    /// The value is not empty, but the target version has no place for it.
    #[error("the value is set, but this version has no such field")]
    NotInVersion,
    /// A number does not fit the width that this version gives it.
    #[error("{value} does not fit the field's {bits} bits")]
    OutOfRange {
        /// The number.
        value: i128,
        /// The width of the field in this version.
        bits: u32,
    },
    /// A text that the format can't hold.
    #[error("the text can't be stored: {reason}")]
    BadText {
        /// Why not.
        reason: &'static str,
    },
    /// Bytes that are no text in the encoding that belongs there.
    #[error("the bytes are no text: {reason}")]
    NotText {
        /// Why not.
        reason: &'static str,
    },
    /// A source range that is not inside the source of this archive.
    #[error("the range {start:#x}..{end:#x} lies outside the source of {length:#x} bytes")]
    OutsideSource {
        /// Start of the range.
        start: u64,
        /// End of the range.
        end: u64,
        /// Length of the source.
        length: u64,
    },
    /// An index that the renumbering has no answer for.
    #[error("{what} {index} has no new index")]
    NotMapped {
        /// The label of the number space, such as `name` or `object`.
        what: &'static str,
        /// The index that was met.
        index: i32,
    },
    /// An offset points outside the file.
    #[error("offset {offset:#x} lies outside the file of {length:#x} bytes")]
    BadOffset {
        /// The stored offset.
        offset: i64,
        /// The length of the file.
        length: u64,
    },
    /// Something that was asked for by name or index is not in the package.
    #[error("{what} '{name}' not found{hint}")]
    NotFound {
        /// The kind of thing.
        what: Noun,
        /// The name that was asked for.
        name: String,
        /// Names that could be meant, or empty.
        hint: String,
    },
    /// Something is there already and must be unique.
    #[error("{what} '{name}' is there already")]
    Exists {
        /// The kind of thing.
        what: Noun,
        /// The name that was asked for.
        name: String,
    },
    /// An argument that can't be carried out as it is.
    #[error("{reason}")]
    Invalid {
        /// Why, and what to do instead.
        reason: String,
    },
    /// The operating system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's error.
        source: std::io::Error,
    },
    /// A failure of one format alone, which the crate of that format defines.
    #[error("{0}")]
    Format(Box<dyn FormatError>),
}

impl ErrorKind {
    /// The path of the file that the message names, if it names one.
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::Io { path, .. } => Some(path),
            Self::NotFound { what: Noun::File, name, .. }
            | Self::Exists { what: Noun::File, name } => Some(name),
            Self::Format(error) => error.file(),
            _ => None,
        }
    }
}

impl Error {
    /// An error for a request that can't be carried out, in words that say what to do.
    #[cold]
    #[doc(hidden)]
    pub fn invalid(reason: impl Into<String>) -> Self {
        ErrorKind::Invalid { reason: reason.into() }.into()
    }

    /// An error of `kind` at `offset` bytes from the start of the file.
    #[cold]
    #[inline(never)]
    pub fn new(kind: impl Into<ErrorKind>, offset: u64, versions: impl Into<VersionStamp>) -> Self {
        Self(Box::new(ErrorParts {
            kind: kind.into(),
            offset: Some(offset),
            path: Vec::new(),
            document: None,
            versions: Some(versions.into()),
        }))
    }

    /// Whether a file is not there.
    pub fn is_not_found(&self) -> bool {
        matches!(&self.0.kind, ErrorKind::Io { source, .. }
            if source.kind() == std::io::ErrorKind::NotFound)
    }

    /// The kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Takes the error apart and keeps only what went wrong.
    pub fn into_kind(self) -> ErrorKind {
        self.0.kind
    }

    /// Where, in bytes from the start of the file, if it is about a byte.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The path of the field, such as `exports[12].serial_size`; empty if there is none.
    pub fn path(&self) -> String {
        if let Some(document) = &self.0.document {
            return document.clone();
        }
        let mut text = String::new();
        for step in self.0.path.iter().rev() {
            step.append_to(&mut text);
        }
        text
    }

    /// Whether it is about a row of this table, or about a field of one.
    #[doc(hidden)]
    pub fn is_in_row_of(&self, table: &str) -> bool {
        let mut steps = self.0.path.iter().rev();
        matches!(
            (steps.next(), steps.next()),
            (Some(PathStep::Field(field)), Some(PathStep::Index(_))) if *field == table
        )
    }

    /// Adds the field that was being serialised; called while the error travels outwards.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn in_field(self, field: &'static str) -> Self {
        self.within(PathStep::Field(field))
    }

    /// Adds the element that was being serialised.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn at_index(self, index: usize) -> Self {
        self.within(PathStep::Index(index))
    }

    /// Adds any step of the way.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn within(mut self, step: PathStep) -> Self {
        self.0.path.push(step);
        self
    }

    /// The same as a place in a document, such as `bodies[2].value.text`, where there are no bytes; the
    /// steps to the field are not named then.
    #[cold]
    #[must_use]
    #[cfg_attr(not(feature = "json"), allow(dead_code))]
    pub(crate) fn in_document(mut self, path: String) -> Self {
        (self.0.document, self.0.offset) = (Some(path), None);
        self
    }

    /// Whether it says a place in a document.
    #[cfg_attr(not(feature = "json"), allow(dead_code))]
    pub(crate) fn is_in_document(&self) -> bool {
        self.0.document.is_some()
    }

    /// An input or output error of the file at `path`.
    #[cold]
    pub fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        ErrorKind::Io { path: path.display().to_string(), source }.into()
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(ErrorParts {
            kind,
            offset: None,
            path: Vec::new(),
            document: None,
            versions: None,
        }))
    }
}

/// One line, whatever names and texts of files it shows.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let f = &mut OneLine(f);
        let path = self.path();
        let mut start = true;
        if !path.is_empty() {
            write!(f, "{path}")?;
            start = false;
        }
        if let Some(offset) = self.0.offset {
            write!(f, "{}at {offset:#x}", if start { "" } else { " " })?;
            start = false;
        }
        if let Some(versions) = self.0.versions {
            write!(f, "{}(version {versions})", if start { "" } else { " " })?;
            start = false;
        }
        write!(f, "{}{}", if start { "" } else { ": " }, self.0.kind)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("offset", &self.0.offset)
            .field("path", &self.path())
            .field("versions", &self.0.versions)
            .finish()
    }
}

// No source: the system's error stands in the text already, and whoever prints the chain would print it twice.
impl std::error::Error for Error {}

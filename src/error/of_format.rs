//! Failures of one format.

use std::any::Any;
use std::fmt;

/// A failure of one format alone: [`ErrorKind::Format`](super::ErrorKind::Format) carries it; code that knows its type
/// has it back by [`Any`].
pub trait FormatError: Any + fmt::Debug + fmt::Display + Send + Sync {
    /// The path of the file that the message names, if it names one.
    fn file(&self) -> Option<&str> {
        None
    }
}

//! Things that are looked for, or that may be there once.

use std::fmt;

/// The kind of thing that was not found or is there already; displays as its word. Formats define constants for their
/// own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Noun {
    /// A file, on the disk or in a container.
    File,
    /// A thing of a format.
    Own(&'static str),
}

impl Noun {
    /// The word in messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Own(word) => word,
        }
    }

    /// The noun with this word, such as the label of a number space.
    pub fn named(word: &'static str) -> Self {
        if word == Self::File.word() { Self::File } else { Self::Own(word) }
    }
}

impl fmt::Display for Noun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

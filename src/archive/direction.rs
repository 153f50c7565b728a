//! Directions of archives: loading, saving, visiting.

/// The work of an archive on the values that are handed to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Values are overwritten with what the bytes say.
    Loading,
    /// Values are turned into bytes, or into their number.
    Saving,
    /// Neither: names, object references and spans are collected or replaced.
    Visiting,
}

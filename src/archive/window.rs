//! A value that is being serialised as a whole.

/// A value that is being serialised as a whole: what an archive goes back to where that fails. An archive
/// that has nothing to go back to hands out the default.
#[derive(Debug, Default)]
#[must_use = "close the window"]
pub struct Window {
    /// Whether it was opened with a size.
    pub(super) sized: bool,
    /// Where it starts, as the archive counts.
    pub(super) start: u64,
    /// Where the bytes around it end.
    pub(super) end: u64,
    pub(super) opaque: u64,
    pub(super) payload: u64,
    pub(super) records: usize,
    pub(super) steps: usize,
}

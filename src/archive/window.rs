//! A value that is being serialised as a whole.

/// Where a value stands that is serialised as a whole: what [`Archive::open`](super::Archive::open) is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Extent {
    /// Here, without a size: one level deeper into values that nest.
    Level,
    /// Here, in so many bytes. Only loading looks at the number: what is saved takes the bytes that it needs.
    Size(u64),
    /// At so many bytes from the start of the file. [`Archive::close`](super::Archive::close) goes back to where
    /// the archive was.
    At(u64),
}

/// A value that is being serialised as a whole: the state that an archive returns to where that fails. An archive
/// that has nothing to return to hands out the default.
///
/// An archive of one's own keeps its state in `start` and `end`, which mean what that archive wants:
/// [`Window::new`], [`Window::start`], [`Window::end`]. One that wraps another archive passes the window on.
#[derive(Debug, Default)]
#[must_use = "close the window"]
pub struct Window {
    /// How it was opened; `None` in the default.
    pub(super) extent: Option<Extent>,
    /// Where it starts, as the archive counts.
    pub(super) start: u64,
    /// Where the bytes around it end.
    pub(super) end: u64,
    pub(super) opaque: u64,
    pub(super) payload: u64,
    pub(super) records: usize,
    pub(super) steps: usize,
}

impl Window {
    /// A window that keeps two numbers of the archive that opens it.
    #[inline]
    pub fn new(extent: Extent, start: u64, end: u64) -> Self {
        Self { extent: Some(extent), start, end, ..Self::default() }
    }

    /// How it was opened; `None` for the default.
    #[inline]
    pub fn extent(&self) -> Option<Extent> {
        self.extent
    }

    /// Whether it was opened with a size: a value that fails in it leaves nothing behind.
    #[inline]
    pub fn is_sized(&self) -> bool {
        matches!(self.extent, Some(Extent::Size(_)))
    }

    /// Whether it stands at a place of its own, from which closing goes back.
    #[inline]
    pub fn is_elsewhere(&self) -> bool {
        matches!(self.extent, Some(Extent::At(_)))
    }

    /// The first of the archive's numbers: usually where the value starts.
    #[inline]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The second one: usually where the bytes around it end.
    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }
}

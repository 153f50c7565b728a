//! What the two benchmarks share: each case is a pair of closures that do the same work, ours and
//! somebody else's, and that say how long one pass took.

mod clock;
mod hand;
mod package;
mod rival;
mod sample;
mod tables;

use std::time::Duration;

use clock::timed;

/// One pass; the time that it took, without its preparation and without freeing what it made.
type Pass = Box<dyn FnMut() -> Duration>;

/// Two ways to do the same work.
pub struct Case {
    /// The work.
    pub title: String,
    /// Who does it the other way.
    pub rival: &'static str,
    /// The most that our time may be, as a multiple of the other's.
    pub bar: f64,
    /// Our way.
    pub ours: Pass,
    /// The other way.
    pub other: Pass,
}

/// How many rows the tables have.
#[derive(Clone, Copy)]
pub struct Scale {
    /// Rows of the tables that are compared with code written by hand.
    pub rows: usize,
    /// Rows of the tables that every pass puts into a new list: fewer, since the system takes longer to
    /// hand out the pages of a very large list than anyone takes to fill it.
    pub fresh_rows: usize,
    /// Names and exports of the package.
    pub package: (usize, usize),
}

impl Scale {
    /// What the published figures are measured with.
    pub const FULL: Self = Self { rows: 1_000_000, fresh_rows: 100_000, package: (3_600, 5_600) };
    /// Enough to see that everything runs.
    pub const QUICK: Self = Self { rows: 10_000, fresh_rows: 10_000, package: (360, 560) };
}

/// Makes the cases of one group; their data lives as long as they do.
type Group = fn(Scale) -> Vec<Case>;

/// The groups, one after the other so that only one group's data is in memory.
pub const GROUPS: &[Group] = &[
    |scale| tables::exports(69, scale),
    |scale| tables::exports(684, scale),
    |scale| tables::names(69, scale),
    |scale| tables::names(684, scale),
    tables::owned_names,
    |scale| package::open(69, scale),
    |scale| package::open(684, scale),
    rival::exports,
    rival::names,
];

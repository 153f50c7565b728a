//! Types that say versions.

use super::Archive;
use crate::version::Versions;

/// An archive, or versions themselves: what a condition may ask that is used in layouts and beside them.
pub trait Versioned {
    /// The versions.
    fn versions(&self) -> &Versions;
}

impl Versioned for Versions {
    fn versions(&self) -> &Versions {
        self
    }
}

impl<A: Archive + ?Sized> Versioned for A {
    fn versions(&self) -> &Versions {
        Archive::versions(self)
    }
}

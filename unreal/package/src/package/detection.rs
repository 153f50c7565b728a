//! Which release has saved a package that says no version, and how that was found.

use super::{OpenOptions, Package};
use crate::version::EngineRelease;

/// How well one release reads a package that says no version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReleaseFit {
    /// The release.
    pub release: EngineRelease,
    /// Bytes of the package that it leaves opaque or that no section claims. Where the attempt ended as soon as
    /// another release was known to be better, those up to there; 0 where only the header was looked at.
    pub unread: u64,
    /// Whether no other release leaves fewer.
    pub is_best: bool,
    /// Which of the best ones reads the package as the same values: those with one number do.
    pub reading: u32,
}

/// The releases that a package was tried with that does not say which one has saved it.
///
/// Releases whose header fits are tried on the bodies; the one that leaves the fewest bytes unread wins. Several that
/// read all bodies alike count as one, and the newest of them is used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReleaseDetection {
    pub(super) fits: Vec<ReleaseFit>,
    pub(super) decoded: u64,
    pub(super) opened: u32,
    pub(super) problem: Option<String>,
}

impl ReleaseDetection {
    /// How the package was opened that says no version: `None` for one that says its own or was opened with
    /// [`OpenOptions::engine`].
    pub fn of(package: &Package) -> Option<&Self> {
        package.detection.as_deref()
    }

    /// The releases that read a package better than the one that it was opened with
    /// ([`OpenOptions::engine`]), which `options` name, where it says no version itself. One body of each class is
    /// looked at, so that asking costs little.
    pub fn better(package: &Package, options: &OpenOptions) -> Option<Self> {
        package.better_releases(options)
    }

    /// The releases whose header fits, ascending.
    pub fn fits(&self) -> &[ReleaseFit] {
        &self.fits
    }

    /// The releases that leave the fewest bytes unread, ascending.
    pub fn best(&self) -> impl DoubleEndedIterator<Item = EngineRelease> + '_ {
        self.fits.iter().filter(|fit| fit.is_best).map(|fit| fit.release)
    }

    /// The release that the package is read as: the newest of the best ones. `None` where these read it as different
    /// values, or where no header fits.
    pub fn release(&self) -> Option<EngineRelease> {
        let mut best = self.fits.iter().filter(|fit| fit.is_best);
        let last = best.next_back()?;
        best.all(|fit| fit.reading == last.reading).then_some(last.release)
    }

    /// Why there is no release, where the package was opened all the same
    /// ([`OpenOptions::partly`]).
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Bytes of bodies that were decoded to find it.
    pub fn decoded(&self) -> u64 {
        self.decoded
    }

    /// How often the tables were loaded to find it.
    pub fn opened(&self) -> u32 {
        self.opened
    }

    /// The best releases as people write them: `4.18 to 4.27`, `4.16`.
    pub fn best_text(&self) -> String {
        let all: Vec<_> = self.fits.iter().map(|fit| (fit.release, fit.is_best)).collect();
        let mut parts = Vec::new();
        for run in all.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1) {
            let (first, last) = (run[0].0, run[run.len() - 1].0);
            parts.push(match run.len() {
                1 => first.to_string(),
                _ => format!("{first} to {last}"),
            });
        }
        parts.join(", ")
    }
}

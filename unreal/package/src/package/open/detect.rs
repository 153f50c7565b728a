//! Trying releases on a package that does not say which one has saved it.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use crate::archive::{Archive, Archived, Counter, Loader, Outline};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors, Unsupported};
use crate::package::by_class::ByClass;
use crate::package::{OpenOptions, Package, ReleaseDetection, ReleaseFit, Section};
use crate::version::{EngineRelease, UnrealVersions};

/// The reading of a package by one release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReleaseReading {
    /// Bytes that are opaque or that no section claims.
    unread: u64,
    /// Tells values of one form from those of another.
    outline: u64,
}

/// The outline of a reading that is compared with no other.
const ALONE: u64 = 0;

/// A release whose tables fit.
struct Candidate {
    at: usize,
    package: Package,
    reading: Option<ReleaseReading>,
}

/// A release whose tables do not fit, with what could be loaded.
struct Misfit {
    package: Package,
    error: Option<Error>,
}

/// The releases that are tried on a package, with what came out of it.
pub(super) struct Trial<'a> {
    source: &'a Bytes,
    options: &'a OpenOptions,
    releases: Vec<EngineRelease>,
    /// The reading of each release, where it was tried and fits.
    fits: Vec<Option<ReleaseReading>>,
    best: Option<Candidate>,
    /// The one that went furthest.
    misfit: Option<Misfit>,
    /// Whether one body of each class is enough.
    sample: bool,
    decoded: u64,
    opened: u32,
}

impl<'a> Trial<'a> {
    /// Nothing tried yet of these releases, which ascend.
    pub fn new(
        source: &'a Bytes,
        options: &'a OpenOptions,
        releases: impl Iterator<Item = EngineRelease>,
    ) -> Self {
        let releases: Vec<_> = releases.collect();
        let fits = vec![None; releases.len()];
        let (best, misfit, sample) = (None, None, false);
        Self { source, options, releases, fits, best, misfit, sample, decoded: 0, opened: 0 }
    }

    /// Opens the package with the release that reads it best. Of those that can't be opened so, what is there is
    /// opened if that is wanted.
    ///
    /// # Errors
    /// `Unsupported` where no release fits, or several do that read the package as different values.
    pub fn open(mut self) -> Result<Package> {
        self.run();
        let mut found = self.found();
        let release = found.release();
        self.open_newest(release);
        let (package, error) = match (self.best, self.misfit) {
            (Some(best), _) => (best.package, tie(&found)),
            (None, Some(misfit)) => {
                (misfit.package.without_stray_bodies(), unfitting(misfit.error))
            }
            (None, None) => return Err(unfitting(None)),
        };
        match release {
            None if !self.options.partly => return Err(error),
            None => found.problem = Some(error.to_string()),
            Some(_) => {}
        }
        Ok(Package { detection: Some(Arc::new(found)), ..package })
    }

    /// Opens the newest of the releases between two that read alike, which were not opened before.
    fn open_newest(&mut self, release: Option<EngineRelease>) {
        let Some(at) = self.releases.iter().position(|it| Some(*it) == release) else { return };
        if self.best.as_ref().is_some_and(|best| best.at != at) {
            self.opened += 1;
            let (package, result) = self.options.load_as(self.source, self.releases[at]);
            if result.is_ok() {
                self.best = Some(Candidate { at, package, reading: None });
            }
        }
    }

    /// The readings of all releases, where one is better than the one that the package was opened with.
    pub fn better_than(mut self, package: &Package) -> Option<ReleaseDetection> {
        self.sample = true;
        let own = self.read(package, u64::MAX);
        if own.unread == 0 {
            return None;
        }
        self.run();
        let best = self.best.take()?;
        let reading = best.reading.unwrap_or_else(|| self.read(&best.package, u64::MAX));
        (reading.unread < own.unread).then(|| self.found())
    }

    /// The releases that were tried.
    pub fn found(&self) -> ReleaseDetection {
        let least = self.fits.iter().flatten().map(|reading| reading.unread).min();
        let mut outlines = Vec::new();
        let mut fit = |(reading, release): (&Option<ReleaseReading>, &EngineRelease)| {
            let reading = (*reading)?;
            let is_best = Some(reading.unread) == least;
            let known = outlines.iter().position(|known| *known == reading.outline);
            let number = known.unwrap_or_else(|| {
                outlines.push(reading.outline);
                outlines.len() - 1
            });
            let (release, unread) = (*release, reading.unread);
            Some(ReleaseFit { release, unread, is_best, reading: number as u32 })
        };
        let fits = self.fits.iter().zip(&self.releases).filter_map(&mut fit).collect();
        let (decoded, opened) = (self.decoded, self.opened);
        ReleaseDetection { fits, decoded, opened, problem: None }
    }

    /// Tries all: the newest, the oldest, then one in the midst of those left, so that a good one is soon among
    /// them and the others end early. Layouts change at some release and stay so: where two read every byte, and
    /// as the same values, so do those between them.
    pub fn run(&mut self) {
        let count = self.releases.len();
        let headers: Vec<_> = self.releases.iter().map(|it| self.has_header_of(*it)).collect();
        let is_any = headers.iter().any(|fits| *fits);
        let all: Vec<_> = (0..count).filter(|&at| headers[at] || !is_any).collect();
        for place in spread(all.len()) {
            let at = all[place];
            match self.between_alike(at) {
                Some(reading) => self.fits[at] = Some(reading),
                None => self.consider(at),
            }
        }
    }

    /// The reading of a release that has on both sides one that reads every byte, both alike.
    fn between_alike(&self, at: usize) -> Option<ReleaseReading> {
        let whole = |reading: &&ReleaseReading| reading.unread == 0 && reading.outline != ALONE;
        let before = self.fits[..at].iter().rev().flatten().find(whole)?;
        let after = self.fits[at + 1..].iter().flatten().find(whole)?;
        (before == after).then_some(*before)
    }

    /// Whether the summary ends where the names begin, as it does in all packages (spec: ue4-5/02 §2).
    fn has_header_of(&self, release: EngineRelease) -> bool {
        let mut loader = Loader::new(self.source, self.options.versions_of(release));
        let mut package = Package::empty(Bytes::new());
        let read = package.serialize_section(Section::Summary, &mut loader);
        let names = u64::try_from(package.tables.summary.name_offset).unwrap_or(0);
        read.is_ok() && names == loader.position()
    }

    fn consider(&mut self, at: usize) {
        let release = self.releases[at];
        self.opened += 1;
        let (package, result) = self.options.load_as(self.source, release);
        if result.is_err() || !package.header_tiles() || package.versions.release() != Some(release)
        {
            let places = |misfit: &Misfit| misfit.package.places.len();
            if self.misfit.as_ref().is_none_or(|known| places(known) < package.places.len()) {
                self.misfit = Some(Misfit { package, error: result.err() });
            }
            return;
        }
        let mut fresh = Candidate { at, package, reading: None };
        let Some(mut best) = self.best.take() else {
            // One that is alone needs not be read.
            self.fits[at] = Some(ReleaseReading { unread: 0, outline: ALONE });
            self.best = Some(fresh);
            return;
        };
        let of_best = match best.reading {
            Some(reading) => reading,
            None => self.read(&best.package, u64::MAX),
        };
        best.reading = Some(of_best);
        self.fits[best.at] = Some(of_best);
        let reading = self.read(&fresh.package, of_best.unread);
        self.fits[at] = Some(reading);
        fresh.reading = Some(reading);
        let newer = reading == of_best && at > best.at;
        let is_better = reading.unread < of_best.unread || newer;
        self.best = Some(if is_better { fresh } else { best });
    }

    /// Decodes all bodies, until more than `most` bytes are not read.
    fn read(&mut self, package: &Package, most: u64) -> ReleaseReading {
        let (mut order, classes) = package.by_class_first();
        if self.sample {
            order.truncate(classes);
        }
        package.read_rows(&order, most, &mut self.decoded)
    }
}

impl Package {
    /// Bodies that do not lie in the file have no bytes.
    fn without_stray_bodies(mut self) -> Self {
        let length = self.source.len() as u64;
        for row in 0..self.export_count() {
            let (start, size) = self.body_range(row);
            if start.checked_add(size).is_none_or(|end| end > length) {
                self.tables.exports[row].serial_size.set(0);
            }
        }
        self
    }

    /// Rows of exports that have bytes, the smallest one of each class first; and how many those are.
    fn by_class_first(&self) -> (Vec<u32>, usize) {
        let mut smallest = ByClass::new(self);
        let mut rows: Vec<_> = (0..self.export_count() as u32).collect();
        let export = |row: u32| &self.tables.exports[row as usize];
        rows.retain(|&row| export(row).size() > 0);
        for &row in &rows {
            let known = smallest.get_or_insert_with(export(row).class_index, || row);
            if export(row).size() < export(*known).size() {
                *known = row;
            }
        }
        let mut is_smallest =
            |row: u32| *smallest.get_or_insert_with(export(row).class_index, || row) == row;
        let (mut first, rest): (Vec<_>, Vec<_>) = rows.iter().partition(|&&row| is_smallest(row));
        first.sort_by_key(|&row| export(row).size());
        let classes = first.len();
        first.extend(rest);
        (first, classes)
    }

    /// The readings of these rows' bodies, until more than `most` bytes are not read; `decoded` counts the bytes of
    /// bodies that were decoded.
    fn read_rows(&self, rows: &[u32], most: u64, decoded: &mut u64) -> ReleaseReading {
        let gaps = &self.claims().gaps;
        let mut reading = ReleaseReading { unread: 0, outline: 0 };
        reading.unread = gaps.iter().map(|gap| gap.end - gap.start).sum();
        let mut decoder = self.decoder();
        let context = self.decoding_context();
        for &row in rows {
            if reading.unread > most {
                break;
            }
            let (start, size) = self.body_range(row as usize);
            let Some(mut body) = decoder.decode(self, row as usize, |_| true) else {
                reading.unread += size;
                continue;
            };
            *decoded += size;
            let Some(body) = Arc::get_mut(&mut body) else { continue };
            reading.unread += body.opaque;
            let mut counter = Counter::new(self.versions.of_bodies());
            counter = counter.with_context(context.clone()).at(start);
            let mut outline = Outline::new(&mut counter);
            // What can't be visited is told apart by what was visited of it.
            let _ = body.body.serialize(outline.as_dyn());
            reading.outline = reading.outline.rotate_left(7) ^ outline.sum();
        }
        reading
    }
}

/// The last of so many places, the first, then those in the midst of what is left.
fn spread(count: usize) -> impl Iterator<Item = usize> {
    let ends = [count.checked_sub(1), (count > 1).then_some(0)];
    let mut spans = VecDeque::from([(0, count.saturating_sub(1))]);
    let between = std::iter::from_fn(move || {
        while let Some((first, last)) = spans.pop_front() {
            if last - first > 1 {
                let middle = first + (last - first) / 2;
                spans.extend([(first, middle), (middle, last)]);
                return Some(middle);
            }
        }
        None
    });
    ends.into_iter().flatten().chain(between)
}

#[cold]
fn release_needed(reason: String) -> Error {
    Error::unsupported_by(Unsupported::NeedsRelease, reason)
}

/// The error for a package that several releases read as different values.
fn tie(found: &ReleaseDetection) -> Error {
    let last = found.best().next_back().map(|last| last.to_string()).unwrap_or_default();
    let best = found.best_text();
    release_needed(format!(
        "the package has no versions, and several engine releases read it equally well, but not as the same \
         values ({best}): say which one (--engine {last})"
    ))
}

/// The error for a package that no release fits.
fn unfitting(error: Option<Error>) -> Error {
    let none = "the package has no versions and fits no known engine release";
    match error {
        // A reason that has nothing to do with releases: bodies that are not there, or not all of them.
        Some(error) if is_of_bodies(&error) => error,
        Some(error) => release_needed(format!(
            "{none}; read as the one that comes nearest: {error}. Say which one (--engine 5.4)"
        )),
        None => release_needed(format!("{none}: say which one (--engine 5.4)")),
    }
}

/// Whether the tables fit and the bodies that they name are not in the file.
fn is_of_bodies(error: &Error) -> bool {
    match error.kind() {
        ErrorKind::BadOffset { .. } => error.is_in_row_of("exports"),
        _ => matches!(error.unreal(), Some(UnrealError::MissingBodies { .. })),
    }
}

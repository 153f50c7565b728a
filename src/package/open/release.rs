//! Which release a package of UE4 or UE5 is of: as it says, as the caller does, or as its header fits.

use bytes::Bytes;

use crate::archive::{Archive, Loader};
use crate::error::{Error, Result};
use crate::package::{OpenOptions, Package};
use crate::table::{COOKED_PACKAGE_NAMES, PACKAGE_TAG};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, Game, Versions};

/// Bytes of an import row with and without the name of its package, from UE5 object version 1003.
const IMPORT_SIZES: (i64, i64) = (40, 32);

impl Package {
    /// Opens a package whose header has the form of UE4 and UE5.
    pub(in crate::package) fn open_by_release(
        source: Bytes,
        options: &OpenOptions,
    ) -> Result<Self> {
        let game = match options.game {
            Game::Detect => Game::Mainline,
            game => game,
        };
        let attempt = |versions: Versions| {
            let versions = Versions { game, ..versions };
            let bytes = source.clone();
            let mut loader = Loader::new(&bytes, versions);
            let mut package = Self::empty(source.clone());
            package.load(&bytes, &mut loader)?;
            package.mappings = options.mappings.clone();
            Ok(package)
        };
        let needs_release = options.written.is_none() && is_unversioned(&source);
        match legacy_version(&source) {
            Some(legacy) if needs_release => detect(legacy, attempt),
            _ => attempt(options.written.clone().unwrap_or_default()),
        }
    }

    /// Cooked imports name their packages from 5.8 on, and no version says so: the size of the import table
    /// does (spec: ue4-5/03 §4).
    pub(super) fn settle_release(&mut self, loader: &mut Loader<'_>) {
        let summary = &self.tables.summary;
        let (count, start) = (i64::from(summary.import_count), i64::from(summary.import_offset));
        let next = i64::from(summary.export_offset);
        let cooked = self.versions.filter_editor_only;
        if self.versions.ue5 < ue5::IMPORT_TYPE_HIERARCHIES || !cooked || count <= 0 {
            return;
        }
        let fits = |size: i64| {
            count.checked_mul(size).and_then(|all| all.checked_add(start)) == Some(next)
        };
        let is_new = self.versions.is_release(COOKED_PACKAGE_NAMES);
        let release = match (fits(IMPORT_SIZES.0), fits(IMPORT_SIZES.1)) {
            (true, false) if !is_new => COOKED_PACKAGE_NAMES,
            (false, true) if is_new => EngineRelease::new(5, 7),
            _ => return,
        };
        self.versions.release = Some(release);
        loader.set_versions(self.versions.clone());
    }

    /// Whether header sections stand one behind the other up to the bodies; only zeros may fill the end.
    fn header_tiles(&self) -> bool {
        let summary = &self.tables.summary;
        let end = u64::try_from(summary.total_header_size).unwrap_or(0);
        let mut places: Vec<_> = self.places.iter().filter(|place| place.start < end).collect();
        places.sort_by_key(|place| (place.start, place.size));
        let mut at = 0;
        for place in places {
            if place.start != at {
                return false;
            }
            at = place.end();
        }
        let rest = self.source.get(at as usize..end as usize);
        let first = self.body_ranges().filter(|range| range.1 > 0).map(|range| range.0).min();
        rest.is_some_and(|rest| rest.iter().all(|&byte| byte == 0))
            && first.is_none_or(|first| first == end)
    }
}

/// The form of the header, if the file starts as packages of UE4 and UE5 do.
fn legacy_version(source: &[u8]) -> Option<i32> {
    word(source, 4).map(|word| word as i32).filter(|legacy| (-9..0).contains(legacy))
}

fn word(source: &[u8], at: usize) -> Option<u32> {
    let number = |at: usize| source.get(at..)?.first_chunk::<4>().copied();
    let big = u32::from_le_bytes(number(0)?) == PACKAGE_TAG.swap_bytes();
    number(at).map(|bytes| if big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
}

/// Whether the versions of the header are all zero.
fn is_unversioned(source: &[u8]) -> bool {
    let Some(legacy) = legacy_version(source) else { return false };
    let first = if legacy == -4 { 8 } else { 12 };
    let words = if legacy <= -8 { 3 } else { 2 };
    (0..words).all(|at| word(source, first + at * 4) == Some(0))
}

/// Tries every release that writes this form of header; what fits alone is it.
fn detect(legacy: i32, attempt: impl Fn(Versions) -> Result<Package>) -> Result<Package> {
    let mut fitting = Vec::new();
    let mut found = None;
    for release in EngineRelease::all().filter(|it| it.legacy_file_version() == legacy) {
        let Ok(package) = attempt(release.versions()) else { continue };
        if package.header_tiles() && package.versions.release == Some(release) {
            fitting.push(release.to_string());
            found = Some(package);
        }
    }
    match (found, fitting.len()) {
        (Some(package), 1) => Ok(package),
        (_, 0) => Err(Error::unsupported(
            "the package has no versions and fits no known engine release: \
                          say which one (--engine 5.4)",
        )),
        _ => {
            let (first, last) = (&fitting[0], &fitting[fitting.len() - 1]);
            let list =
                if fitting.len() > 3 { format!("{first} to {last}") } else { fitting.join(", ") };
            Err(Error::unsupported(format!(
                "the package has no versions and its header fits several engine releases ({list}): \
                 say which one (--engine {last})"
            )))
        }
    }
}

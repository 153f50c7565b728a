//! Which release a package of UE4 or UE5 is of: as it says, as the caller does, or as its bytes fit.

use bytes::Bytes;

use super::detect::Trial;
use crate::archive::{Archive, Loader};
use crate::error::{Error, Result, UnrealErrors};
use crate::package::{OpenOptions, Package, ReleaseDetection};
use crate::property::Mappings;
use crate::table::{COOKED_PACKAGE_NAMES, PACKAGE_TAG};
use crate::version::threshold::ue5;
use crate::version::{EngineRelease, Game, UnrealVersions, Versions};

/// Bytes of an import row with and without the name of its package, from UE5 object version 1003.
const IMPORT_SIZES: (i64, i64) = (40, 32);

impl OpenOptions {
    /// The versions of a release, for the game that is asked for.
    pub(super) fn versions_of(&self, release: EngineRelease) -> Versions {
        release.versions().with_game(self.ue4_game())
    }

    fn ue4_game(&self) -> Game {
        match self.game {
            Game::Detect => Game::Mainline,
            game => game,
        }
    }

    /// Loads the tables as a release has written them; where they do not fit, as far as they do.
    pub(super) fn load_as(&self, source: &Bytes, release: EngineRelease) -> (Package, Result<()>) {
        self.load_with(source, self.versions_of(release))
    }

    fn load_with(&self, source: &Bytes, versions: Versions) -> (Package, Result<()>) {
        let bytes = source.clone();
        let mut loader = Loader::new(&bytes, versions);
        let mut package = Package::empty(source.clone());
        let result = package.load(&bytes, &mut loader);
        package.mappings = self.mappings.clone();
        (package, result)
    }

    /// The releases that write this form of header, ascending. Mappings may say the object versions of their game.
    fn releases(&self, legacy: i32) -> Vec<EngineRelease> {
        let all = EngineRelease::all().filter(|it| it.legacy_file_version() == legacy);
        let stated = self.mappings.as_deref().and_then(Mappings::versions);
        let fits = |release: &EngineRelease| {
            stated.is_none_or(|stated| {
                let versions = (i64::from(release.ue4()), i64::from(release.ue5()));
                versions == (stated.ue4.into(), stated.ue5.into())
            })
        };
        let (fitting, others): (Vec<_>, Vec<_>) = all.partition(fits);
        if fitting.is_empty() { others } else { fitting }
    }
}

impl Package {
    /// The releases that read a package better that says no version and was opened with
    /// [`OpenOptions::engine`]: where that leaves bytes unread, of one body of each class, and another leaves fewer.
    /// `options` are those that it was opened with.
    pub(crate) fn better_releases(&self, options: &OpenOptions) -> Option<ReleaseDetection> {
        let legacy = legacy_version(&self.source).filter(|_| is_unversioned(&self.source))?;
        let releases = options.releases(legacy).into_iter();
        Trial::new(&self.source, options, releases).better_than(self)
    }

    /// Opens a package whose header has the form of UE4 and UE5.
    pub(in crate::package) fn open_by_release(
        source: Bytes,
        options: &OpenOptions,
    ) -> Result<Self> {
        let legacy = legacy_version(&source).filter(|_| is_unversioned(&source));
        let trial = |legacy| Trial::new(&source, options, options.releases(legacy).into_iter());
        if let (Some(legacy), None) = (legacy, &options.written) {
            return trial(legacy).open();
        }
        let versions = options.written.clone().unwrap_or_else(Versions::unreal);
        let release = versions.release();
        let versions = versions.with_game(options.ue4_game());
        match (options.load_with(&source, versions), legacy, release) {
            ((package, Ok(())), ..) => Ok(package),
            ((_, Err(error)), Some(legacy), Some(release)) if options.written_by_release => {
                Err(wrong_release(error, release, trial(legacy)))
            }
            ((_, Err(error)), ..) => Err(error),
        }
    }

    /// A package that was opened only in part, or as one of several releases, is not saved.
    pub(in crate::package) fn refuse_unknown_release(&self) -> Result<()> {
        match &self.detection {
            Some(found) if found.release().is_none() => Err(Error::unsupported(
                "no engine release is known to read it, so it can be looked at only: say which one (--engine 5.4)",
            )),
            _ => Ok(()),
        }
    }

    /// Cooked imports name their packages from 5.8 on, and no version says so: the size of the import table
    /// does (spec: ue4-5/03 §4).
    pub(super) fn settle_release(&mut self, loader: &mut Loader<'_>) {
        let summary = &self.tables.summary;
        let (count, start) = (i64::from(summary.import_count), i64::from(summary.import_offset));
        let next = i64::from(summary.export_offset);
        let cooked = self.versions.filter_editor_only();
        if self.versions.ue5() < ue5::IMPORT_TYPE_HIERARCHIES || !cooked || count <= 0 {
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
        self.versions.set_release(Some(release));
        loader.set_versions(self.versions.clone());
    }

    /// Whether header sections stand one behind the other up to the bodies; only zeros may fill the end.
    pub(super) fn header_tiles(&self) -> bool {
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

/// The error for a package that does not fit the release that was asked for, with those that it fits.
fn wrong_release(error: Error, release: EngineRelease, mut trial: Trial<'_>) -> Error {
    trial.run();
    let found = trial.found();
    match found.best().next_back() {
        // Something else is wrong with it.
        None => error,
        Some(last) => Error::unsupported(format!(
            "the package was not saved by the engine release {release} that was asked for ({error}); it fits {} \
             (--engine {last})",
            found.best_text()
        )),
    }
}

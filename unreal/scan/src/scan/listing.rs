//! The files that a scan looks at, one after the other: memory does not grow with them.

mod names;
mod note;
mod place;
mod store;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::names::PlaceNames;
use self::note::ContainerOpener;
pub use self::note::ListingNote;
use self::place::{Listed, PlaceFiles, is_mounted};
pub use self::store::StoreListing;
use super::{FileFault, FileToScan};
use crate::container::GameContainer;
use crate::environment::Settings;
use crate::error::Result;
use crate::file::Links;

/// The files that a scan of some places looks at, in the order of their paths, found while they are asked for: folders
/// are searched at every depth, and containers stand there with each of their packages.
///
/// Of what nobody has named those are passed over that are read together with a package or a container, those whose
/// name is that of another kind of file (`.png`, `.txt`), and the `.bak` that an edit has left beside its package.
/// Containers that can't be opened and folders that can't be listed are among the files, with the reason: nothing is
/// passed over without a row.
///
/// Held are the entries of one folder and of those around it, and where links are followed all folders.
pub struct FileListing {
    places: Vec<PlaceFiles>,
    /// The next file of each place.
    next: BinaryHeap<Reverse<Upcoming>>,
    /// The last one that was given.
    last: Option<PathBuf>,
    settings: Vec<Settings>,
    names: PlaceNames,
    notes: Vec<ListingNote>,
}

impl std::fmt::Debug for FileListing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileListing").field("places", &self.places.len()).finish_non_exhaustive()
    }
}

/// The next file of a place. Where several places have it the one that names it comes first.
struct Upcoming {
    listed: Listed,
    place: usize,
}

impl Upcoming {
    fn key(&self) -> (&Path, bool, usize) {
        (Path::new(&self.listed.shown), !self.listed.is_named, self.place)
    }
}

impl PartialEq for Upcoming {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Upcoming {}

impl PartialOrd for Upcoming {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Upcoming {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl FileListing {
    /// The files of these places but for what lies in one of `without`; `open` opens a container.
    ///
    /// # Errors
    /// `Io` for a place that is not there, `Unfinished` for a file that a replacement which was cut short has taken
    /// away, and why a container can't be opened that a place leads into.
    pub fn new(
        places: &[PathBuf],
        without: &[PathBuf],
        links: Links,
        open: impl Fn(&Path) -> Result<Arc<GameContainer>> + Send + Sync + 'static,
    ) -> Result<Self> {
        let open: ContainerOpener = Arc::new(open);
        let start = |place: &PathBuf| PlaceFiles::new(place, without, links, open.clone());
        let folders = places.iter().filter(|path| path.is_dir());
        let settings = folders.filter_map(|path| Settings::detect_with(path, links).ok());
        let mut listing = Self {
            places: places.iter().map(start).collect::<Result<_>>()?,
            next: BinaryHeap::new(),
            last: None,
            settings: settings.filter(is_mounted).collect(),
            names: PlaceNames::new(places, start)?,
            notes: Vec::new(),
        };
        (0..places.len()).for_each(|place| listing.advance(place));
        Ok(listing)
    }

    /// What there was to say since the last time.
    pub fn notes(&mut self) -> Vec<ListingNote> {
        std::mem::take(&mut self.notes)
    }

    fn advance(&mut self, place: usize) {
        let listed = self.places[place].next(&mut |note| self.notes.push(note));
        self.next.extend(listed.map(|listed| Reverse(Upcoming { listed, place })));
    }
}

impl Iterator for FileListing {
    type Item = FileToScan;

    fn next(&mut self) -> Option<FileToScan> {
        loop {
            let Reverse(Upcoming { listed, place }) = self.next.pop()?;
            self.advance(place);
            // Places may lie in each other.
            if self.last.as_ref() == Some(&listed.file) {
                continue;
            }
            self.last = Some(listed.file.clone());
            let relative_path = self.names.below(&listed.file, &listed.shown);
            return Some(listed.into_file(relative_path, &self.settings));
        }
    }
}

impl FileFault {
    fn because(reason: &str) -> Self {
        Self { is_unsupported: false, reason: reason.to_owned() }
    }
}

//! What files are called below the places that were searched.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::place::PlaceFiles;
use crate::error::Result;

/// The names below the places: the full path where two files would be called the same.
pub(super) struct PlaceNames {
    /// Each place, and the folder below which its files are called.
    bases: Vec<(PathBuf, PathBuf)>,
    /// Hashes of names that several files have, which then lie in places of one name: 16 bytes each.
    shared: HashSet<[u8; 16]>,
}

impl PlaceNames {
    /// Places of one name are searched by `start`, once, for what they have in common.
    pub fn new(places: &[PathBuf], start: impl Fn(&PathBuf) -> Result<PlaceFiles>) -> Result<Self> {
        let is_alone = places.len() == 1;
        let base = |place: &PathBuf| match is_alone && place.is_dir() {
            true => (place.clone(), place.clone()),
            false => (place.clone(), place.parent().unwrap_or(Path::new("")).to_owned()),
        };
        let bases = places.iter().map(base).collect();
        let mut names = Self { bases, shared: HashSet::new() };
        let mut alike: HashMap<&OsStr, Vec<usize>> = HashMap::new();
        let mut known = HashSet::new();
        for (at, place) in places.iter().enumerate().filter(|(_, place)| known.insert(*place)) {
            alike.entry(place.file_name().unwrap_or_default()).or_default().push(at);
        }
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let files = group.into_iter().map(|place| Ok((place, start(&places[place])?)));
            names.note_shared(files.collect::<Result<_>>()?);
        }
        Ok(names)
    }

    /// Notes the names that files of several of these places have.
    fn note_shared(&mut self, mut places: Vec<(usize, PlaceFiles)>) {
        let bases = &self.bases;
        let next_of = |(place, files): &mut (usize, PlaceFiles)| {
            let own = std::iter::from_fn(|| files.next(&mut |_| {}));
            let mut own = own.filter(|listed| place_of(bases, &listed.file) == Some(*place));
            own.find_map(|listed| below(&bases[*place].1, &listed.file)).map(PathBuf::from)
        };
        let mut next = BinaryHeap::new();
        for (at, files) in places.iter_mut().enumerate() {
            next.extend(next_of(files).map(|name| Reverse((name, at))));
        }
        let mut last = None;
        while let Some(Reverse((name, at))) = next.pop() {
            next.extend(next_of(&mut places[at]).map(|name| Reverse((name, at))));
            if last.as_ref() == Some(&name) {
                self.shared.insert(hash(&name.to_string_lossy()));
            }
            last = Some(name);
        }
    }

    /// The name of a file.
    pub fn below(&self, file: &Path, shown: &str) -> String {
        let base = place_of(&self.bases, file).map(|place| &self.bases[place].1);
        let below = base.and_then(|base| below(base, file));
        let is_shared =
            |name: &String| !self.shared.is_empty() && self.shared.contains(&hash(name));
        below.filter(|name| !is_shared(name)).unwrap_or_else(|| shown.to_owned())
    }
}

fn hash(name: &str) -> [u8; 16] {
    let hash = blake3::hash(name.as_bytes());
    let (first, _) = hash.as_bytes().as_chunks::<16>();
    first[0]
}

/// The first place that a file lies in.
fn place_of(bases: &[(PathBuf, PathBuf)], file: &Path) -> Option<usize> {
    bases.iter().position(|(place, _)| file.starts_with(place))
}

/// The path of a file below a folder, with `/`; `None` for the folder itself, which can't be listed.
pub(super) fn below(base: &Path, file: &Path) -> Option<String> {
    let below = file.strip_prefix(base).ok().filter(|below| !below.as_os_str().is_empty())?;
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

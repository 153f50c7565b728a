//! What scans have written into a folder: the proof that a file is theirs.
//!
//! A scan removes and replaces files, and the folder that it is given may hold others. So each file is listed with
//! the hash of its content before it gets its name, in a file of lines that only grows, and nothing goes or is
//! replaced whose content is not listed. Files that are not whole yet bear a number in their name that was listed
//! before they were made.
//!
//! Content speaks for itself. Those numbers, and the sizes by which a file counts as cut short, do not: anybody may
//! have brought a list along that names them. So the list says of itself what nothing can bring along, its own
//! number in the file system, the moment at which it was made and its folder's number, and only where that is right
//! do they count.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::super::TableKind;
use super::reader::{TableFile, is_whole};
use super::shard::{DRAFT, drafts_of, number_of};
use super::shards::SETTINGS;
use super::views;
use crate::error::{Error, ErrorKind, Result, Unreadable};
use crate::file::{self, FileFacts, FileOrigin, Replacement, SCAN_MANIFEST as NAME};

/// Its first line.
const HEAD: &str = "farchive scan 1";
/// What a line lists: a file, the number in names of files that are not whole, or what proves the list itself.
const FILE: &str = "file";
const DRAFTS: &str = "drafts";
const PROOF: &str = "proof";
/// Lines beyond which those of files that are not there any more go.
const MANY: usize = 1024;
/// Files that an error names.
const NAMED: usize = 8;

/// The files that scans have written into a folder.
#[derive(Debug)]
pub(super) struct Manifest {
    folder: PathBuf,
    /// The number in the names of this scan's files that are not whole.
    drafts: String,
    /// Whether the list was written here, into this very file, and not brought along.
    was_proven: bool,
    state: Mutex<ManifestState>,
}

#[derive(Debug, Default)]
struct ManifestState {
    out: Option<fs::File>,
    /// Hashes of what was written, with its size.
    contents: HashSet<(String, u64)>,
    /// The newest size of each file.
    sizes: HashMap<String, u64>,
    /// Numbers of drafts.
    drafts: HashSet<String>,
    /// What the list says that proves it.
    proofs: HashSet<String>,
    /// Whether it was written here, into this very file: then numbers of drafts and sizes count.
    is_proven: bool,
    lines: usize,
}

impl ManifestState {
    /// Adds what a line lists; one that was cut short lists nothing.
    fn add(&mut self, line: &str) {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        match &words[..] {
            [FILE, hash, bytes, name] => {
                let Ok(bytes) = bytes.parse() else { return };
                self.sizes.insert((*name).to_owned(), bytes);
                self.contents.insert(((*hash).to_owned(), bytes));
            }
            [DRAFTS, number] => drop(self.drafts.insert((*number).to_owned())),
            [PROOF, ..] => drop(self.proofs.insert(line.to_owned())),
            _ => {}
        }
        self.lines += 1;
    }
}

fn line_of(hash: &str, bytes: u64, name: &str) -> String {
    format!("{FILE} {hash} {bytes} {name}")
}

impl Manifest {
    /// That of the folder, which this process has locked. In a folder of a version that listed nothing, files count
    /// as written by a scan that say so themselves.
    ///
    /// # Errors
    /// `Io`; `Invalid` for a file of this name that is none; `NotReadable` for a link.
    pub fn open(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        if path.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
            return Err(file::refused(&path, Unreadable::Link, "it is a link"));
        }
        let mut state = ManifestState::default();
        let is_new = match file::read_found(&path) {
            Ok((bytes, _)) => {
                let text = String::from_utf8_lossy(&bytes);
                let mut lines = text.lines();
                if lines.next() != Some(HEAD) {
                    return Err(foreign(folder, &[path]));
                }
                // The last line may be cut short.
                lines.for_each(|line| state.add(line));
                false
            }
            Err(error) if error.is_not_found() => true,
            Err(error) => return Err(error),
        };
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u32(std::process::id());
        let drafts = format!("{:016x}", hasher.finish());
        let (folder, state_of) = (folder.to_owned(), Mutex::default());
        let mut manifest = Self { folder, drafts, was_proven: false, state: state_of };
        if is_new {
            manifest.adopt(&mut state)?;
        }
        state.is_proven = manifest.proof()?.is_some_and(|proof| state.proofs.contains(&proof));
        manifest.was_proven = state.is_proven;
        if !state.is_proven {
            state.drafts.clear();
        }
        state.drafts.insert(manifest.drafts.clone());
        // A line that was cut short must not run into the next one.
        let mut text = format!("\n{DRAFTS} {}\n", manifest.drafts);
        if !state.is_proven || state.lines > MANY + 8 * state.sizes.len() {
            let whole = manifest.text(&state)?;
            if !state.is_proven {
                // What it says of files that were not found as listed proves nothing either.
                state.sizes.clear();
                whole.lines().skip(1).for_each(|line| state.add(line));
            }
            let written = Replacement::new(&path, whole.as_bytes()).origin(FileOrigin::Found);
            written.overwrite(true).commit()?;
            // Only a file that is there has a number.
            let proof = manifest.proof()?;
            state.is_proven = proof.is_some();
            text = proof.map(|proof| proof + "\n").unwrap_or_default();
        }
        let mut out = file::open_lock(&path)?;
        let io = |error| Error::io(&path, error);
        io::Seek::seek(&mut out, io::SeekFrom::End(0)).map_err(io)?;
        out.write_all(text.as_bytes()).and_then(|()| out.sync_data()).map_err(io)?;
        state.out = Some(out);
        *manifest.lock() = state;
        Ok(manifest)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, ManifestState> {
        // What is written is complete at every step; another thread's panic spoils nothing.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The line that proves the list where it stands; `None` where there is none, or the system gives no numbers.
    fn proof(&self) -> Result<Option<String>> {
        let facts = |path: &Path| {
            let facts = FileFacts::at(path).map_err(|error| Error::io(path, error))?;
            Ok::<_, Error>(facts.filter(|facts| facts.number != 0))
        };
        let folder =
            dunce::canonicalize(&self.folder).map_err(|error| Error::io(&self.folder, error))?;
        let (own, folder) = (facts(&self.folder.join(NAME))?, facts(&folder)?);
        Ok(own
            .zip(folder)
            .filter(|(own, _)| own.is_file)
            .map(|(own, folder)| format!("{PROOF} {} {} {}", own.number, own.born, folder.number)))
    }

    /// The lines for what is there, without those of files that have gone.
    fn text(&self, state: &ManifestState) -> Result<String> {
        let mut text = format!("{HEAD}\n");
        let names: Vec<_> = self.names().collect();
        let mut drafts: HashSet<_> =
            names.iter().filter_map(|path| drafts_of(path)).map(str::to_owned).collect();
        drafts.retain(|number| state.drafts.contains(number));
        drafts.insert(self.drafts.clone());
        for number in drafts {
            text.push_str(&format!("{DRAFTS} {number}\n"));
        }
        for name in state.sizes.keys() {
            let path = self.folder.join(name);
            if let Ok(hash) = file::hash_of(&path, FileOrigin::Found)
                && let bytes = path.metadata().map_err(|error| Error::io(&path, error))?.len()
                && state.contents.contains(&(hash.to_hex().to_string(), bytes))
            {
                text.push_str(&line_of(hash.to_hex().as_str(), bytes, name));
                text.push('\n');
            }
        }
        Ok(text)
    }

    /// Lists what scans of earlier versions have written, as the files themselves say.
    fn adopt(&self, state: &mut ManifestState) -> Result<()> {
        let says_so = |path: &PathBuf| {
            let file = number_of(path).and_then(|_| TableFile::open(path).ok());
            file.is_some_and(|file| file.note(SETTINGS).is_some())
        };
        let mut own: Vec<_> = self.names().filter(says_so).collect();
        let views = self.folder.join(views::FILE);
        own.extend(views::is_written_by_a_scan(&views).then_some(views));
        for path in own {
            let hash = file::hash_of(&path, FileOrigin::Found)?.to_hex().to_string();
            let bytes = path.metadata().map_err(|error| Error::io(&path, error))?.len();
            state.add(&line_of(&hash, bytes, &self.name_of(&path)));
        }
        Ok(())
    }

    /// What the folders of tables hold.
    fn names(&self) -> impl Iterator<Item = PathBuf> {
        let folders = TableKind::ALL.map(|table| self.folder.join(table.name()));
        let entries = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok());
        entries.flat_map(|entries| entries.flatten().map(|entry| entry.path()))
    }

    fn name_of(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.folder).unwrap_or(path);
        let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
        parts.join("/")
    }

    /// The number in the names of this scan's files that are not whole.
    pub fn drafts(&self) -> &str {
        &self.drafts
    }

    /// Whether a scan before this one has written the list here.
    pub fn was_proven(&self) -> bool {
        self.was_proven
    }

    /// Lists files that are about to get their names: their hashes and sizes.
    ///
    /// # Errors
    /// `Io`.
    pub fn note(&self, files: &[(PathBuf, blake3::Hash, u64)]) -> Result<()> {
        let mut text = String::new();
        for (path, hash, bytes) in files {
            text.push_str(&line_of(hash.to_hex().as_str(), *bytes, &self.name_of(path)));
            text.push('\n');
        }
        let mut state = self.lock();
        if let Some(out) = &mut state.out {
            // The one thing that is synced: without it nothing could be told apart after a loss of power.
            let written = out.write_all(text.as_bytes()).and_then(|()| out.sync_data());
            written.map_err(|error| Error::io(&self.folder.join(NAME), error))?;
        }
        text.lines().for_each(|line| state.add(line));
        Ok(())
    }

    /// Whether a scan has written the file that stands here: its content is listed, or, where the list is proven, it
    /// has the number of drafts that are listed, or it is listed and was cut short.
    pub fn owns(&self, path: &Path) -> bool {
        let Ok(metadata) = path.symlink_metadata() else { return false };
        if !metadata.is_file() {
            return false;
        }
        let bytes = metadata.len();
        let (has_size, listed) = {
            let state = self.lock();
            if drafts_of(path).is_some_and(|number| state.drafts.contains(number)) {
                return true;
            }
            let has_size = state.contents.iter().any(|(_, size)| *size == bytes);
            let listed = state.sizes.get(&self.name_of(path)).filter(|_| state.is_proven);
            (has_size, listed.copied())
        };
        let hash = has_size.then(|| file::hash_of(path, FileOrigin::Found).ok()).flatten();
        let is_listed = hash
            .is_some_and(|hash| self.lock().contents.contains(&(hash.to_hex().to_string(), bytes)));
        is_listed || listed.is_some_and(|size| bytes <= size) && is_cut_short(path)
    }

    /// Whether a file is listed with its size, which is soon seen.
    fn lists(&self, path: &Path) -> bool {
        let bytes = path.symlink_metadata().ok().filter(|it| it.is_file()).map(|it| it.len());
        bytes.is_some() && self.lock().sizes.get(&self.name_of(path)).copied() == bytes
    }

    /// The files that a scan could have to remove or replace and has not written.
    ///
    /// # Errors
    /// `Invalid` with their names; `NotReadable` for a table's folder that is a link.
    pub fn check(&self) -> Result<()> {
        let mut others = Vec::new();
        for table in TableKind::ALL {
            let place = self.folder.join(table.name());
            if place.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
                return Err(file::refused(&place, Unreadable::Link, "it is a link"));
            }
        }
        for path in self.names() {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let counts = name.starts_with(DRAFT) || number_of(&path).is_some();
            if counts && !self.lists(&path) && !self.owns(&path) {
                others.push(path);
            }
        }
        let views = self.folder.join(views::FILE);
        if views.symlink_metadata().is_ok() && !self.owns(&views) {
            others.push(views);
        }
        match others.is_empty() {
            true => Ok(()),
            false => {
                others.sort();
                Err(foreign(&self.folder, &others))
            }
        }
    }

    /// Removes a file that a scan has written; it may be gone.
    ///
    /// # Errors
    /// `Invalid` for a file that no scan has written; `Io`.
    pub fn remove(&self, path: &Path) -> Result<()> {
        self.check_own(path)?;
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path, error)),
            _ => Ok(()),
        }
    }

    /// Insists on a file that a scan has written, or none.
    ///
    /// # Errors
    /// `Invalid` with its name.
    pub fn check_own(&self, path: &Path) -> Result<()> {
        match path.symlink_metadata().is_err() || self.owns(path) {
            true => Ok(()),
            false => Err(foreign(&self.folder, &[path.to_owned()])),
        }
    }
}

/// Whether a file begins as those of tables do, or with nothing, and does not end so: a loss of power has left it.
fn is_cut_short(path: &Path) -> bool {
    let mut start = [0; 4];
    let Ok((mut file, metadata)) = file::open(path, FileOrigin::Found) else { return false };
    let begins = match metadata.len() {
        0..4 => metadata.len() == 0,
        _ => file.read_exact(&mut start).is_ok() && (start == *b"PAR1" || start == [0; 4]),
    };
    begins && !is_whole(path)
}

fn foreign(folder: &Path, paths: &[PathBuf]) -> Error {
    let shown: Vec<_> = paths.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    let more = match paths.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (folder, shown) = (folder.display(), shown.join(", "));
    let reason = format!(
        "'{folder}' holds what no scan has written as it is now, and a scan would replace or remove it: {shown}{more}"
    );
    ErrorKind::Invalid { reason }.into()
}

/// A file that is hashed while it is written.
#[derive(Debug)]
pub(super) struct HashedFile {
    file: fs::File,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl HashedFile {
    pub fn new(file: fs::File) -> Self {
        Self { file, hasher: blake3::Hasher::new(), bytes: 0 }
    }

    /// The hash and the size of what was written.
    pub fn end(self) -> (blake3::Hash, u64) {
        (self.hasher.finalize(), self.bytes)
    }
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        self.bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

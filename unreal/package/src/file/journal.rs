//! Journals: the plan of a replacement of several files, so that a later run can finish or undo it.
//!
//! A journal lies in the folder of its files and not in one of the user's own: files on a share are finished by a
//! run on another machine, and a run without a home folder, or with a full one, writes as safely as any other. So
//! that no journal that came along with other files acts, it says what nothing can bring along: its own number in
//! the file system, the moment at which it was made, the folder's number, and the numbers of all its files, also of
//! those that stood there before. See [`Journal::proof`].

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::disk::Disk;
use super::facts::{FileFacts, open_own};
use super::leftover::{is_aside, is_draft, is_own};
use super::state::{Stamp, folder_of, resolved};
use crate::archive::{hex, unhex};
use crate::error::{Error, Result};

/// The start of all journals, those of other versions of this program, too.
const ANY_TITLE: &str = "upk journal ";
/// The first line of a journal.
const TITLE: &str = "upk journal 2";
/// Bytes of the longest journal that is read; one of a hundred files has a tenth of it.
pub(super) const LONGEST_JOURNAL: u64 = 1 << 19;

/// Files that are replaced as one, and their backups. All names are of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Journal {
    /// Copies of old files and the free names that they get before anything else changes.
    pub backups: Vec<SetMember>,
    /// The files of the set. The first is the head, without which the others mean nothing to any reader: its new
    /// name is the moment from which the new set is there.
    pub members: Vec<SetMember>,
}

/// One file of a replacement. What has neither a new file nor an old one is not in a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetMember {
    /// Its name.
    pub target: PathBuf,
    /// The written and synced file that gets the name; `None` where the set loses the member.
    pub new: Option<StoredFile>,
    /// The file that has the name now, and the name that it has until all is done.
    pub old: Option<StoredFile>,
}

/// A file as the journal knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredFile {
    /// Its name while it has not got, or has no longer, its true one.
    pub path: PathBuf,
    pub hash: Hash,
    /// Its number in the file system, never 0 where the journal counts.
    pub number: u64,
    /// Of an old file: what the run that writes the journal has seen it to be. No journal says it.
    pub stamp: Option<Stamp>,
}

/// A journal's text, with what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredJournal {
    pub journal: Journal,
    number: u64,
    born: u128,
    folder: u64,
}

/// The content of a file that is called like a journal.
#[derive(Debug)]
pub(super) enum JournalText {
    Known(StoredJournal),
    /// That of another version, which may need any file beside it.
    OtherVersion,
    /// No journal, or a part of one: journals get their names when they are whole, so no replacement waits for it.
    Unknown,
}

impl Journal {
    /// Whether `path` is one of the files that are replaced.
    pub fn names(&self, path: &Path) -> bool {
        let path = resolved(path);
        self.members.iter().any(|member| resolved(&member.target) == path)
    }

    /// All files that it names beside the targets.
    pub fn stored_files(&self) -> impl Iterator<Item = &StoredFile> {
        let all = self.backups.iter().chain(&self.members);
        all.flat_map(|member| member.new.iter().chain(&member.old))
    }

    /// The journal's text for a file with these facts in a folder with this number: a line a file, names in
    /// hexadecimal digits, since any byte may stand in them.
    pub fn text(&self, own: FileFacts, folder: u64) -> String {
        let mut text = format!("{TITLE}\nproof {} {} {folder}\n", own.number, own.born);
        let stored = |file: &Option<StoredFile>| match file {
            Some(StoredFile { path, hash, number, .. }) => {
                format!("{} {} {number}", name_digits(path), hash.to_hex())
            }
            None => "- - -".to_owned(),
        };
        let kinds = std::iter::once("head").chain(std::iter::repeat("member"));
        let backups = std::iter::repeat("backup").zip(&self.backups);
        for (kind, member) in backups.chain(kinds.zip(&self.members)) {
            let SetMember { target, new, old } = member;
            text += &format!("{kind} {} {} {}\n", name_digits(target), stored(new), stored(old));
        }
        text + "end\n"
    }
}

impl StoredJournal {
    /// The journal that this is, if it was written by this user, in this folder, into this very file. `user` is the
    /// owner of files that this process makes there; a reader, which makes none, does not ask for it.
    ///
    /// # Errors
    /// Why it does not count, for people.
    pub fn proof(&self, disk: &Disk, path: &Path, user: Option<Option<u32>>) -> Result<(), String> {
        let facts = |path: &Path| disk.facts(path).ok().flatten();
        let (Some(own), Ok(folder)) = (facts(path), disk.folder_number(folder_of(path))) else {
            return Err("it can't be looked at".to_owned());
        };
        if !own.is_file {
            return Err("it is no regular file".to_owned());
        }
        if user.is_some_and(|user| user != own.owner) {
            return Err("it belongs to another user".to_owned());
        }
        // A number of 0 is that of every file where the system gives none, and so of none.
        let numbers = self.journal.stored_files().map(|file| file.number);
        if numbers.chain([self.number, self.folder]).any(|number| number == 0) {
            return Err("it names files by no number".to_owned());
        }
        let is_here = (self.number, self.born, self.folder) == (own.number, own.born, folder);
        if !is_here {
            return Err("it was written elsewhere and brought here".to_owned());
        }
        Ok(())
    }
}

impl JournalText {
    /// The content of the file at `path`.
    ///
    /// # Errors
    /// `Io`.
    pub fn read(path: &Path) -> Result<Self> {
        let fail = |error| Error::io(path, error);
        let mut text = Vec::new();
        open_own(path, false)
            .map_err(fail)?
            .take(LONGEST_JOURNAL)
            .read_to_end(&mut text)
            .map_err(fail)?;
        Ok(Self::parse(&text, folder_of(path)))
    }

    /// The journal in a text of a file in `folder`.
    pub fn parse(text: &[u8], folder: &Path) -> Self {
        let Ok(text) = std::str::from_utf8(text) else { return Self::Unknown };
        match parse(text, folder) {
            Some(journal) => Self::Known(journal),
            None if text.starts_with(ANY_TITLE) && !text.starts_with(TITLE) => Self::OtherVersion,
            None => Self::Unknown,
        }
    }
}

fn parse(text: &str, folder: &Path) -> Option<StoredJournal> {
    let body = text.strip_prefix(TITLE)?.strip_prefix("\nproof ")?.strip_suffix("\nend\n")?;
    let mut lines = body.lines();
    let [number, born, folder_number] = words(lines.next()?)?;
    let mut journal = Journal { backups: Vec::new(), members: Vec::new() };
    for line in lines {
        let [kind, target, draft, new_hash, new_number, aside, old_hash, old_number] = words(line)?;
        let stored = |words: [&str; 3], is_own: fn(&Path) -> bool| match words {
            ["-", "-", "-"] => Some(None),
            [path, hash, number] => {
                // Only our own temporary files may go, whoever wrote the journal.
                let path = file_of(path, folder).filter(|path| is_own(path))?;
                let (hash, number) = (Hash::from_hex(hash).ok()?, number.parse().ok()?);
                Some(Some(StoredFile { path, hash, number, stamp: None }))
            }
        };
        let member = SetMember {
            target: file_of(target, folder).filter(|path| !is_own(path))?,
            new: stored([draft, new_hash, new_number], is_draft)?,
            old: stored([aside, old_hash, old_number], is_aside)?,
        };
        let is_there = member.new.is_some() || member.old.is_some();
        match (kind, journal.members.is_empty()) {
            ("backup", true) if member.new.is_some() && member.old.is_none() => {
                journal.backups.push(member);
            }
            ("head", true) if member.new.is_some() => journal.members.push(member),
            ("member", false) if is_there => journal.members.push(member),
            _ => return None,
        }
    }
    let (number, born) = (number.parse().ok()?, born.parse().ok()?);
    let folder = folder_number.parse().ok()?;
    let names = journal.backups.iter().chain(&journal.members).map(|member| &member.target);
    let names = names.chain(journal.stored_files().map(|file| &file.path));
    let mut seen = HashSet::new();
    let all_differ = names.into_iter().all(|name| seen.insert(name.clone()));
    let is_set = all_differ && !journal.members.is_empty();
    is_set.then_some(StoredJournal { journal, number, born, folder })
}

/// Exactly as many words.
fn words<const COUNT: usize>(line: &str) -> Option<[&str; COUNT]> {
    line.split(' ').collect::<Vec<_>>().try_into().ok()
}

/// The name of a file as digits: it may be no text.
fn name_digits(path: &Path) -> String {
    hex(path.file_name().unwrap_or_default().as_encoded_bytes())
}

/// The file of this name in `folder`; `None` for what leads elsewhere.
fn file_of(digits: &str, folder: &Path) -> Option<PathBuf> {
    let bytes = unhex(digits)?;
    #[cfg(unix)]
    let name: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let name: OsString = String::from_utf8(bytes).ok()?.into();
    let path = Path::new(&name);
    let plain = path.file_name() == Some(&name) && path.components().count() == 1;
    plain.then(|| folder.join(name))
}

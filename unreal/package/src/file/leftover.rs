//! Files that killed runs leave behind.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use super::backup::NewestBackups;
use super::disk::Disk;
use super::draft::Draft;
use super::folder::{self, FolderLock};
use super::journal::{Journal, JournalText};
use super::open::FileOrigin;
use super::state::folder_of;
use crate::error::{Error, Result, UnrealError};

/// The prefix of temporary files' names; the process follows.
pub(super) const PREFIX: &str = ".upk-";
/// How many letters and digits without meaning stand behind the process.
pub(super) const RANDOM: usize = 6;
/// The extension of new files that have not got their true name yet: all of them can be made again.
pub(super) const DRAFT: &str = ".tmp";
/// The extension of old files that are on their way out. They may be the only ones of their content: without
/// their journal none is removed.
pub(super) const ASIDE: &str = ".old";
/// The extension of journals.
pub(super) const JOURNAL: &str = ".journal";

/// A folder that a replacement of this process has left without leftovers.
struct CleanFolder {
    /// When it was last changed then: it is as it was as long as this is.
    changed: SystemTime,
    /// The backups in it, once they were asked for.
    backups: Option<NewestBackups>,
}

/// So a run over thousands of files does not list their folder once a file.
static CLEAN: Mutex<Option<HashMap<PathBuf, CleanFolder>>> = Mutex::new(None);
/// How many folders are remembered.
const REMEMBERED: usize = 1024;

/// Whether a file is one of those by which replacements work: temporary, a journal or a lock. Whoever lists the
/// files of a folder passes over them.
pub fn is_temporary(path: &Path) -> bool {
    is_own(path) || path.file_name().is_some_and(|name| name == folder::LOCK)
}

/// Finishes or undoes what a killed run has begun with the file at `path`, and removes the temporary files of
/// killed runs in its folder. Every replacement does it by itself. Says whether a replacement was finished or
/// undone.
///
/// # Errors
/// `Io` where a journal of the file can't be carried out; `ForeignState` where it can't be shown to come from a run
/// of this user in this folder; `Busy`.
pub fn recover(path: &Path) -> Result<bool> {
    recover_on(&Disk::default(), path)
}

/// As [`recover`], on this disk.
///
/// # Errors
/// As [`recover`].
#[doc(hidden)]
pub fn recover_on(disk: &Disk, path: &Path) -> Result<bool> {
    let target = super::attributes::target(path, FileOrigin::Named)?;
    let folder = folder_of(&target);
    // Most folders have nothing to clear up, and some can't be written to.
    if is_known_clean(folder) {
        return Ok(false);
    }
    if leftovers(folder).is_empty() {
        // A run that is killed at its very end leaves nothing else.
        FolderLock::remove_abandoned(folder);
        return Ok(false);
    }
    let _lock = FolderLock::take(folder)?;
    Ok(clean(disk, folder, &[&target])?.settled)
}

/// The result of clearing up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cleaned {
    /// Whether a replacement was finished or undone.
    pub settled: bool,
    /// Whether a journal is left.
    pub journals_left: bool,
}

/// The journals in a folder that count.
fn proven_journals(folder: &Path) -> impl Iterator<Item = Journal> {
    let journals = leftovers(folder).into_iter().filter(|path| is_journal(path));
    journals.filter_map(|file| match JournalText::read(&file) {
        Ok(JournalText::Known(known)) => {
            known.proof(&Disk::default(), &file, None).is_ok().then_some(known.journal)
        }
        _ => None,
    })
}

/// Whether a run has left this file half replaced; those that are running are waited for.
#[doc(hidden)]
pub fn is_unfinished(path: &Path) -> bool {
    let folder = folder_of(path);
    let is_named = || proven_journals(folder).any(|journal| journal.names(path));
    if !is_named() {
        return false;
    }
    FolderLock::wait_until_free(folder);
    !path.exists() && is_named()
}

/// The files of a folder that a run has left half replaced, and that are not there therefore; runs that go on are
/// waited for.
pub fn unfinished_in(folder: &Path) -> Vec<PathBuf> {
    let is_gone = |path: &PathBuf| matches!(path.try_exists(), Ok(false));
    let gone = || {
        let members = proven_journals(folder).flat_map(|journal| journal.members);
        // A set may also lose a member: then nothing is what should stand there.
        let members = members.filter(|member| member.new.is_some());
        members.map(|member| member.target).filter(is_gone).collect::<Vec<_>>()
    };
    if gone().is_empty() {
        return Vec::new();
    }
    FolderLock::wait_until_free(folder);
    gone()
}

/// The same for everything in a folder that is locked. Only a journal of one of `targets` that can't be
/// carried out is an error: others are none of this run's business.
pub(super) fn clean(disk: &Disk, folder: &Path, targets: &[&Path]) -> Result<Cleaned> {
    let found = leftovers(folder);
    if found.is_empty() {
        return Ok(Cleaned::default());
    }
    let user = Draft::owner_of_files(disk, folder)?;
    let mut settled = false;
    // Files that a journal needs which stays; with one of another version that may be any.
    let (mut needed, mut all_needed) = (Vec::new(), false);
    for path in found.iter().filter(|path| is_journal(path)) {
        let known = match JournalText::read(path) {
            Ok(JournalText::Known(known)) => known,
            Ok(JournalText::Unknown) => continue,
            Ok(JournalText::OtherVersion) | Err(_) => {
                all_needed = true;
                continue;
            }
        };
        let journal = &known.journal;
        let is_wanted = targets.iter().any(|target| journal.names(target));
        let done = match known.proof(disk, path, Some(user)) {
            Err(reason) if is_wanted => return Err(foreign(path, journal, &reason)),
            Err(_) => false,
            Ok(()) => match journal.settle(disk) {
                Err(error) if is_wanted => return Err(error),
                done => done.is_ok() && disk.remove(path).is_ok(),
            },
        };
        settled |= done;
        if !done {
            needed.extend(journal.stored_files().map(|file| file.path.clone()));
        }
    }
    let drafts = found.iter().filter(|path| is_draft(path));
    for path in drafts.filter(|path| !all_needed && !needed.contains(path)) {
        if disk.facts(path).is_ok_and(|facts| facts.is_some_and(|facts| facts.owner == user)) {
            // What can't be removed is in nobody's way.
            let _ = disk.remove(path);
        }
    }
    Ok(Cleaned { settled, journals_left: all_needed || !needed.is_empty() })
}

/// The error for a journal that does not count: it says what a user who knows the set can do.
fn foreign(path: &Path, journal: &Journal, reason: &str) -> Error {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let aside = journal.members.iter().filter_map(|member| {
        let old = member.old.as_ref()?;
        let there = old.path.symlink_metadata().is_ok();
        there.then(|| format!("; {} is {} as it was", name(&old.path), name(&member.target)))
    });
    let reason = format!(
        "this journal of a replacement that was cut short is not carried out, since {reason}{}",
        aside.collect::<String>()
    );
    UnrealError::ForeignState { path: path.display().to_string(), reason }.into()
}

/// Whether nothing has changed in `folder` since a replacement of this process has left it clean.
fn is_known_clean(folder: &Path) -> bool {
    let known = CLEAN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.as_ref().and_then(|known| known.get(folder));
    known.is_some_and(|known| Some(known.changed) == changed_at(folder))
}

/// The backups in `folder`, as far as they were listed, where nothing has changed in it since a replacement of
/// this process has left it clean; `None` where that is not so.
pub(super) fn take_known(folder: &Path) -> Option<Option<NewestBackups>> {
    let mut known = CLEAN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.as_mut()?.remove(folder)?;
    (Some(known.changed) == changed_at(folder)).then_some(known.backups)
}

/// Notes that `folder` is clean.
pub(super) fn remember(folder: &Path, backups: Option<NewestBackups>) {
    let mut known = CLEAN.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    let Some(changed) = changed_at(folder) else { return };
    if known.len() >= REMEMBERED {
        known.clear();
    }
    known.insert(folder.to_owned(), CleanFolder { changed, backups });
}

fn changed_at(folder: &Path) -> Option<SystemTime> {
    folder.metadata().ok()?.modified().ok()
}

/// New files and journals in `folder`; folders, links and pipes of such names are none.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| is_draft(path) || is_journal(path))
        .filter(|path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()))
        .collect()
}

/// Whether a file has the name of a journal.
pub(super) fn is_journal(path: &Path) -> bool {
    has_name(path, JOURNAL)
}

/// Whether a file has the name of a new one.
pub(super) fn is_draft(path: &Path) -> bool {
    has_name(path, DRAFT)
}

/// Whether a file has the name of an old one on its way out.
pub(super) fn is_aside(path: &Path) -> bool {
    has_name(path, ASIDE)
}

/// Whether a file has a name that replacements give.
pub(super) fn is_own(path: &Path) -> bool {
    is_draft(path) || is_aside(path) || is_journal(path)
}

fn has_name(path: &Path, end: &str) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(end));
    stem.is_some_and(|stem| is_stem(stem, end == ASIDE))
}

/// Whether this stands between the beginning and the end of a name that replacements give: `PROCESS-RANDOM`, of an old
/// file `PROCESS-RANDOM-NUMBER`. Any other file whose name begins and ends so is somebody's own.
fn is_stem(stem: &str, is_numbered: bool) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = stem.split('-');
    let process = parts.next().is_some_and(is_number);
    let random = parts.next().is_some_and(|text| {
        text.len() == RANDOM && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_rest_right = match parts.next() {
        None => !is_numbered,
        Some(number) => is_numbered && is_number(number),
    };
    process && random && is_rest_right && parts.next().is_none()
}

/// Removes a file that may be gone already.
pub(super) fn remove(disk: &Disk, path: &Path) -> Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}

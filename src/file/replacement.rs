//! One file, or several that belong together, replaced as one.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::draft::Draft;
use super::folder::FolderLock;
use super::journal::{Aside, Journal, JournalStep};
use super::leftover::{self, JOURNAL, PREFIX, TEMPORARY};
use super::state::{FileState, Stamp, folder_of};
use super::{attributes, backup};
use crate::error::{Error, ErrorKind, Result};

type ContentWriter<'a> = Box<dyn FnOnce(&mut dyn Write) -> Result<()> + 'a>;

/// New content for a file, or for the files of one package: all of it is written and synced beside the
/// targets before the first of them changes; then they change as one.
///
/// ```
/// use farchive::file::Replacement;
///
/// # fn main() -> farchive::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("Mod.u");
/// Replacement::new(&path, b"first").commit()?;
/// assert!(Replacement::new(&path, b"second").commit().is_err(), "it is there already");
/// let done = Replacement::new(&path, b"second").overwrite(true).backup(true).commit()?;
/// assert_eq!(std::fs::read(&done.backups[0]).unwrap(), b"first");
/// # Ok(())
/// # }
/// ```
pub struct Replacement<'a> {
    files: Vec<(PathBuf, ContentWriter<'a>)>,
    overwrite: bool,
    backup: bool,
    unsynced: bool,
    read: Vec<FileState>,
    disk: Disk,
}

/// What a replacement did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// The files that now hold the new content, the header first.
    pub files: Vec<PathBuf>,
    /// The files that hold the old content, in the same order; none where there was none or none was wanted.
    pub backups: Vec<PathBuf>,
}

/// A file that is about to be replaced.
struct ReplacedFile<'a> {
    path: PathBuf,
    content: ContentWriter<'a>,
    /// The file that is there.
    old: Option<(File, Metadata)>,
}

impl fmt::Debug for Replacement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths: Vec<_> = self.files.iter().map(|(path, _)| path).collect();
        f.debug_struct("Replacement").field("files", &paths).finish_non_exhaustive()
    }
}

impl<'a> Replacement<'a> {
    /// These bytes for the file at `path`.
    pub fn new(path: impl Into<PathBuf>, bytes: &'a [u8]) -> Self {
        let path = path.into();
        let shown = path.clone();
        Self::by(path, move |file| write_all(file, bytes, &shown))
    }

    /// What `content` writes for the file at `path`.
    pub fn by(
        path: impl Into<PathBuf>,
        content: impl FnOnce(&mut dyn Write) -> Result<()> + 'a,
    ) -> Self {
        let files = vec![(path.into(), Box::new(content) as ContentWriter<'a>)];
        let (read, disk) = (Vec::new(), Disk::default());
        Self { files, overwrite: false, backup: false, unsynced: false, read, disk }
    }

    /// A second file that belongs to the first one, in the same folder: whoever finds the first one finds
    /// the second one that goes with it.
    #[must_use]
    pub fn with(mut self, path: impl Into<PathBuf>, bytes: &'a [u8]) -> Self {
        let path = path.into();
        let shown = path.clone();
        let content = move |file: &mut dyn Write| write_all(file, bytes, &shown);
        self.files.push((path, Box::new(content)));
        self
    }

    /// Files that are there are replaced; without it that is an error.
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// Files that are replaced stay under their names with `.bak` behind: see [`super::backups`].
    #[must_use]
    pub fn backup(mut self, backup: bool) -> Self {
        self.backup = backup;
        self
    }

    /// Leaves it to the system when the bytes reach the disk, and what killed runs have left to others: for
    /// many files that can be made again.
    #[must_use]
    pub fn unsynced(mut self, unsynced: bool) -> Self {
        self.unsynced = unsynced;
        self
    }

    /// What was read of the files that are replaced: a file that has changed since is an error. States of
    /// other files are passed over.
    #[must_use]
    pub fn read(mut self, states: &[FileState]) -> Self {
        self.read.extend_from_slice(states);
        self
    }

    /// Works on this disk.
    #[must_use]
    pub fn on(mut self, disk: Disk) -> Self {
        self.disk = disk;
        self
    }

    /// Writes, syncs, compares, renames. What killed runs have left in the folder is finished or removed
    /// first.
    ///
    /// # Errors
    /// `Exists` for a file that is there and may not be overwritten; `Changed` for one that is not what was
    /// read; `NotReplaceable`; `Io`. Then every file is what it was; only where the folder can't be synced
    /// after a single file got its name, that file is the new one.
    pub fn commit(self) -> Result<Replaced> {
        let Self { files, overwrite, backup, unsynced, read, disk } = self;
        let disk = if unsynced { disk.unsynced() } else { disk };
        let mut targets = Vec::new();
        for (path, content) in files {
            let path = attributes::target(&path)?;
            targets.push(ReplacedFile { path, content, old: None });
        }
        let Some(folder) = targets.first().map(|target| folder_of(&target.path).to_path_buf())
        else {
            return Ok(Replaced::default());
        };
        if let Some(apart) = targets.iter().find(|target| folder_of(&target.path) != folder) {
            let path = apart.path.display().to_string();
            let reason = "it belongs to a file in another folder";
            return Err(ErrorKind::NotReplaceable { path, reason }.into());
        }
        let _lock = FolderLock::take(&folder)?;
        if !unsynced {
            let paths: Vec<_> = targets.iter().map(|target| target.path.as_path()).collect();
            leftover::clean(&disk, &folder, &paths)?;
        }
        for target in &mut targets {
            target.old = look(&target.path)?;
            if target.old.is_some() && !overwrite {
                return Err(exists(&target.path));
            }
        }
        let mut drafts = Vec::new();
        let mut kept = Vec::new();
        for target in targets {
            let ReplacedFile { path, content, old } = target;
            let like = old.as_ref().map(|(_, metadata)| metadata);
            drafts.push(Draft::write(&disk, &folder, like, false, content, &path)?);
            kept.push((path, old));
        }
        let mut work = Work { disk, folder, targets: kept, drafts, backups: Vec::new() };
        let mut done = Replaced::default();
        if backup {
            done.backups = work.back_up()?;
        }
        work.check(&read)?;
        match work.targets.len() {
            1 => work.replace_one()?,
            _ => work.replace_together()?,
        }
        done.files = work.targets.into_iter().map(|(path, _)| path).collect();
        Ok(done)
    }
}

/// A replacement whose files are written.
struct Work {
    disk: Disk,
    folder: PathBuf,
    /// The header first.
    targets: Vec<(PathBuf, Option<(File, Metadata)>)>,
    drafts: Vec<Draft>,
    /// Copies of the old files, and their names to be.
    backups: Vec<(Draft, PathBuf)>,
}

impl Work {
    /// Copies the old files; the names that the copies will have, or have already where the same files were
    /// kept before.
    fn back_up(&mut self) -> Result<Vec<PathBuf>> {
        let old = self.targets.iter().filter(|(_, old)| old.is_some());
        let old: Vec<_> = old.map(|(path, _)| path.as_path()).collect();
        let (names, are_there) = backup::free_names(&old)?;
        if !are_there {
            let old = self.targets.iter().filter_map(|(path, old)| Some((path, old.as_ref()?)));
            for (name, (path, (file, metadata))) in names.iter().zip(old) {
                let copy = |mut to: &mut dyn Write| {
                    copy_all(file, &mut to).map_err(|error| Error::io(path, error))
                };
                let (disk, like) = (&self.disk, Some(metadata));
                let draft = Draft::write(disk, &self.folder, like, true, copy, path)?;
                self.backups.push((draft, name.clone()));
            }
        }
        Ok(names)
    }

    /// Whether the files are still what was read.
    fn check(&self, read: &[FileState]) -> Result<()> {
        for (path, old) in &self.targets {
            let path = super::state::resolved(path);
            for state in read.iter().filter(|state| state.path() == path) {
                state.check(old.as_ref().map(|(file, _)| file))?;
            }
            // Other programs know nothing of our locks.
            let Some((file, _)) = old else { continue };
            let same = match (file.metadata(), path.metadata()) {
                (Ok(seen), Ok(now)) => Stamp::of(&seen) == Stamp::of(&now),
                _ => false,
            };
            if !same {
                let what = "another file has taken its place";
                let path = path.display().to_string();
                return Err(ErrorKind::Changed { path, what }.into());
            }
        }
        Ok(())
    }

    fn replace_one(&mut self) -> Result<()> {
        let (path, old) = &self.targets[0];
        let fail = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => Error::io(path, error),
        };
        for (draft, name) in &self.backups {
            let kept = self.disk.rename_new(draft.path(), name);
            kept.map_err(|error| Error::io(name, error))?;
        }
        if !self.backups.is_empty() {
            // A crash must not keep the new file and lose the name of the backup.
            self.disk.sync_folder(&self.folder).map_err(fail)?;
        }
        let from = self.drafts[0].path();
        let renamed = match old {
            Some(_) => self.disk.rename(from, path),
            None => self.disk.rename_new(from, path),
        };
        if renamed.is_err() {
            for (_, name) in &self.backups {
                let _ = self.disk.remove(name);
            }
        }
        renamed.map_err(fail)?;
        self.disk.sync_folder(&self.folder).map_err(fail)
    }

    fn replace_together(&mut self) -> Result<()> {
        let journal = self.journal()?;
        let path = &self.targets[0].0;
        let note = |file: &mut dyn Write| write_all(file, journal.text().as_bytes(), path);
        let draft = Draft::write(&self.disk, &self.folder, None, false, note, path)?;
        let name = draft.path().with_extension(&JOURNAL[1..]);
        let fail = |error| Error::io(&name, error);
        let begun = self.disk.rename_new(draft.path(), &name);
        let begun = begun.and_then(|()| self.disk.sync_folder(&self.folder)).map_err(fail);
        let result = begun.and_then(|()| journal.apply(&self.disk));
        if result.is_ok() {
            // What can't be swept is only in nobody's way.
            if journal.sweep(&self.disk).is_ok() {
                let _ = self.disk.remove(&name);
            }
            return Ok(());
        }
        // As long as the journal is there, everything that it names must be, too.
        let undone = journal.undo(&self.disk).is_ok() && self.disk.remove(&name).is_ok();
        if !undone && name.exists() {
            let drafts = self.drafts.iter_mut();
            drafts.chain(self.backups.iter_mut().map(|(draft, _)| draft)).for_each(Draft::leave);
        }
        result
    }

    fn journal(&self) -> Result<Journal> {
        let mut steps: Vec<_> = self
            .backups
            .iter()
            .map(|(draft, name)| JournalStep {
                is_backup: true,
                draft: draft.path().to_owned(),
                target: name.clone(),
                aside: None,
                new: draft.hash(),
                number: draft.number(),
            })
            .collect();
        // The header last.
        for (number, ((path, old), draft)) in
            self.targets.iter().zip(&self.drafts).enumerate().rev()
        {
            let aside = old.as_ref().and_then(|(file, _)| {
                let process = std::process::id();
                let stem = draft.path().file_stem()?.to_string_lossy().into_owned();
                let name = format!("{PREFIX}{process}-old{number}-{stem}{TEMPORARY}");
                let mut hasher = blake3::Hasher::new();
                Some(
                    copy_all(file, &mut hasher)
                        .map(|()| Aside { path: self.folder.join(name), hash: hasher.finalize() }),
                )
            });
            let aside = aside.transpose().map_err(|error| Error::io(path, error))?;
            let (new, number, target) = (draft.hash(), draft.number(), path.clone());
            let draft = draft.path().to_owned();
            steps.push(JournalStep { is_backup: false, draft, target, aside, new, number });
        }
        Ok(Journal { steps })
    }
}

fn write_all(file: &mut dyn Write, bytes: &[u8], path: &Path) -> Result<()> {
    file.write_all(bytes).map_err(|error| Error::io(path, error))
}

fn copy_all(mut from: &File, to: &mut impl Write) -> std::io::Result<()> {
    from.rewind()?;
    std::io::copy(&mut from, to).map(drop)
}

/// The file at `path`, open; `None` where there is none.
fn look(path: &Path) -> Result<Option<(File, Metadata)>> {
    let Some(metadata) = attributes::replaceable(path)? else { return Ok(None) };
    let file = File::open(path).map_err(|error| Error::io(path, error))?;
    Ok(Some((file, metadata)))
}

fn exists(path: &Path) -> Error {
    let name = path.display().to_string();
    ErrorKind::Exists { what: "file", name }.into()
}

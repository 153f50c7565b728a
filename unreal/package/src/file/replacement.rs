//! One file, or several that belong together, replaced as one.

use std::fmt;
use std::fs::{File, Metadata};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use super::attributes;
use super::backup::{self, NewestBackups};
use super::disk::Disk;
use super::draft::Draft;
use super::folder::FolderLock;
use super::journal::{Journal, LONGEST_JOURNAL, SetMember, StoredFile};
use super::leftover::{self, ASIDE, JOURNAL};
use super::open::FileOrigin;
use super::state::{FileState, Stamp, folder_of};
use crate::error::{Error, ErrorKind, Noun, Result, UnrealError, UnrealErrors};

type ContentWriter<'a> = Box<dyn FnOnce(&mut dyn Write) -> Result<()> + 'a>;

/// New content for a file, or for the files of one package or container: all of it is written and synced beside
/// the targets before the first of them changes; then they change as one.
///
/// ```
/// use unreal_packages::file::Replacement;
///
/// # fn main() -> unreal_packages::Result<()> {
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
    /// The head first; `None` for a file that goes.
    files: Vec<(PathBuf, Option<ContentWriter<'a>>)>,
    origin: FileOrigin,
    overwrite: bool,
    backup: bool,
    unsynced: bool,
    read: Vec<FileState>,
    disk: Disk,
}

/// The result of a replacement.
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
    content: Option<ContentWriter<'a>>,
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

    /// A replacement of the file at `path` by what `content` writes.
    pub fn by(
        path: impl Into<PathBuf>,
        content: impl FnOnce(&mut dyn Write) -> Result<()> + 'a,
    ) -> Self {
        let files = vec![(path.into(), Some(Box::new(content) as ContentWriter<'a>))];
        let (origin, read, disk) = (FileOrigin::Named, Vec::new(), Disk::default());
        Self { files, origin, overwrite: false, backup: false, unsynced: false, read, disk }
    }

    /// Another file that belongs to the first one, in the same folder: whoever finds the first one finds
    /// those that go with it.
    #[must_use]
    pub fn with(self, path: impl Into<PathBuf>, bytes: &'a [u8]) -> Self {
        let path = path.into();
        let shown = path.clone();
        self.with_by(path, move |file| write_all(file, bytes, &shown))
    }

    /// As [`Replacement::with`], what `content` writes. The content of the first file is asked for last: it may
    /// say where the others have what.
    #[must_use]
    pub fn with_by(
        mut self,
        path: impl Into<PathBuf>,
        content: impl FnOnce(&mut dyn Write) -> Result<()> + 'a,
    ) -> Self {
        self.files.push((path.into(), Some(Box::new(content))));
        self
    }

    /// A file that belonged to the first one and goes, if it is there: a set may lose members.
    #[must_use]
    pub fn without(mut self, path: impl Into<PathBuf>) -> Self {
        self.files.push((path.into(), None));
        self
    }

    /// All files of another replacement as well, with the states in which they were read: those of both change as one.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        self.files.extend(other.files);
        self.read.extend(other.read);
        self
    }

    /// The files that get new content, the head first.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let files = self.files.iter().filter(|(_, content)| content.is_some());
        files.map(|(path, _)| path.as_path())
    }

    /// How many files get new content.
    pub fn len(&self) -> usize {
        self.paths().count()
    }

    /// Whether no file gets new content.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the names of the files come from. A link that the user has named (the default) is followed, so that the
    /// file behind it is replaced; one that was found in a folder is refused, since it leads wherever whoever made
    /// the folder wants.
    #[must_use]
    pub fn origin(mut self, origin: FileOrigin) -> Self {
        self.origin = origin;
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

    /// The states in which the files that are replaced were read: a file that has changed since is an error. States of
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
    /// read, or that another program changes meanwhile; `NotReplaceable`; `Io`. Then every file is what it was; only where the folder can't be synced
    /// after a single file got its name, that file is the new one.
    pub fn commit(self) -> Result<Replaced> {
        let Self { files, origin, overwrite, backup, unsynced, read, disk } = self;
        let disk = if unsynced { disk.unsynced() } else { disk };
        let mut targets = Vec::new();
        for (path, content) in files {
            let path = attributes::target(&path, origin)?;
            targets.push(ReplacedFile { path, content, old: None });
        }
        let Some(folder) = targets.first().map(|target| folder_of(&target.path).to_path_buf())
        else {
            return Ok(Replaced::default());
        };
        if let Some(apart) = targets.iter().find(|target| folder_of(&target.path) != folder) {
            let path = apart.path.display().to_string();
            let reason = "it belongs to a file in another folder";
            return Err(UnrealError::NotReplaceable { path, reason }.into());
        }
        let known = leftover::take_known(&folder);
        let (mut is_clean, mut backups) = (known.is_some(), known.flatten());
        let lock = FolderLock::take(&folder)?;
        if !unsynced && !is_clean {
            let paths: Vec<_> = targets.iter().map(|target| target.path.as_path()).collect();
            is_clean = !leftover::clean(&disk, &folder, &paths)?.journals_left;
        }
        let newest = backup.then(|| backups.get_or_insert_with(|| NewestBackups::of(&folder)));
        let done = replace(disk.clone(), &folder, targets, overwrite, newest.as_deref(), &read);
        drop(lock);
        if is_clean
            && disk.is_tidy()
            && let Ok(done) = &done
        {
            if let Some(newest) = &mut backups {
                newest.add(&done.backups);
            }
            leftover::remember(&folder, backups);
        }
        done
    }
}

/// Replaces files of a folder that is locked and clean.
fn replace(
    disk: Disk,
    folder: &Path,
    mut targets: Vec<ReplacedFile<'_>>,
    overwrite: bool,
    newest: Option<&NewestBackups>,
    read: &[FileState],
) -> Result<Replaced> {
    for target in &mut targets {
        target.old = look(&target.path)?;
        if target.old.is_some() && !overwrite {
            return Err(exists(&target.path));
        }
    }
    targets.retain(|target| target.content.is_some() || target.old.is_some());
    let mut files = Vec::new();
    // The first one last.
    for target in targets.into_iter().rev() {
        let ReplacedFile { path, content, old } = target;
        let like = old.as_ref().map(|(_, metadata)| metadata);
        let draft = content
            .map(|content| Draft::write(&disk, folder, like, false, |draft| content(draft), &path));
        files.push(DraftedFile { draft: draft.transpose()?, path, old });
    }
    files.reverse();
    let mut work = Work { disk, folder: folder.to_owned(), files, backups: Vec::new() };
    let mut done = Replaced::default();
    if let Some(newest) = newest {
        done.backups = work.back_up(newest)?;
    }
    work.check(read)?;
    match work.files.len() {
        1 => work.replace_one()?,
        _ => work.replace_together()?,
    }
    let files = work.files.into_iter().filter(|file| file.draft.is_some());
    done.files = files.map(|file| file.path).collect();
    Ok(done)
}

/// A replacement whose files are written.
struct Work {
    disk: Disk,
    folder: PathBuf,
    /// The head first.
    files: Vec<DraftedFile>,
    /// Copies of the old files, and their names to be.
    backups: Vec<(Draft, PathBuf)>,
}

/// A file whose new content is written beside it.
struct DraftedFile {
    path: PathBuf,
    /// The file that is there.
    old: Option<(File, Metadata)>,
    /// `None` for a file that goes.
    draft: Option<Draft>,
}

impl Work {
    /// Copies the old files; the names that the copies will have, or have already where the same files were
    /// kept before.
    fn back_up(&mut self, newest: &NewestBackups) -> Result<Vec<PathBuf>> {
        let old: Vec<_> = self
            .files
            .iter()
            .filter_map(|it| Some((it.path.as_path(), it.old.as_ref()?)))
            .collect();
        let paths: Vec<_> = old.iter().map(|(path, _)| *path).collect();
        let (names, are_there) = backup::free_names(&paths, newest)?;
        if !are_there {
            for (name, (path, (file, metadata))) in names.iter().zip(old) {
                let copy =
                    |to: &mut Draft| copy_all(file, to).map_err(|error| Error::io(path, error));
                let (disk, like) = (&self.disk, Some(metadata));
                let draft = Draft::write(disk, &self.folder, like, true, copy, path)?;
                self.backups.push((draft, name.clone()));
            }
        }
        Ok(names)
    }

    /// Whether the files are still what was read.
    fn check(&self, read: &[FileState]) -> Result<()> {
        for DraftedFile { path, old, .. } in &self.files {
            for state in read.iter().filter(|state| state.path() == path) {
                state.check(old.as_ref().map(|(file, _)| file))?;
            }
            // Other programs know nothing of our locks.
            let Some((_, seen)) = old else { continue };
            let now = path.symlink_metadata().ok();
            Stamp::of(seen).check(path, now.as_ref())?;
        }
        Ok(())
    }

    /// Closes the files that are there, after they were compared; says whether there was any.
    fn close_old(&mut self) -> bool {
        self.files.iter_mut().filter_map(|file| file.old.take()).count() > 0
    }

    fn replace_one(&mut self) -> Result<()> {
        // Some systems replace no file that is open, even by this process: older ones of Windows, Wine, shares in a network.
        let is_there = self.close_old();
        let Some(DraftedFile { path, draft: Some(draft), .. }) = self.files.first() else {
            return Ok(());
        };
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
        let renamed = match is_there {
            true => self.disk.rename(draft.path(), path),
            false => self.disk.rename_new(draft.path(), path),
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
        let Some(path) = self.files.first().map(|file| file.path.clone()) else { return Ok(()) };
        let mut journal = self.journal()?;
        self.close_old();
        let folder = self.disk.folder_number(&self.folder);
        let folder = folder.map_err(|error| Error::io(&self.folder, error))?;
        let note = |file: &mut Draft| {
            let text = journal.text(file.facts()?, folder);
            if text.len() as u64 > LONGEST_JOURNAL {
                let path = path.display().to_string();
                let reason = "too many files belong to it to be replaced as one";
                return Err(UnrealError::NotReplaceable { path, reason }.into());
            }
            write_all(file, text.as_bytes(), &path)
        };
        let draft = Draft::write(&self.disk, &self.folder, None, false, note, &path)?;
        let name = draft.path().with_extension(&JOURNAL[1..]);
        let fail = |error| Error::io(&name, error);
        let begun = self.disk.rename_new(draft.path(), &name);
        let begun = begun.and_then(|()| self.disk.sync_folder(&self.folder)).map_err(fail);
        let result = begun.and_then(|()| journal.advance(&self.disk, &journal.beginning()));
        let result = result.and_then(|()| journal.check_asides(&self.disk));
        if result.is_ok() {
            // What can't be swept is only in nobody's way.
            if journal.sweep_own(&self.disk).is_ok() {
                let _ = self.disk.remove(&name);
            }
            return Ok(());
        }
        let is_changed = result
            .as_ref()
            .is_err_and(|error| matches!(error.unreal(), Some(UnrealError::Changed { .. })));
        if is_changed {
            journal.accept_asides(&self.disk);
        }
        // As long as the journal is there, everything that it names must be, too.
        let undone = journal.undo(&self.disk).is_ok()
            && (!is_changed || journal.keep_asides(&self.disk).is_ok())
            && self.disk.remove(&name).is_ok();
        if !undone && name.exists() {
            let drafts = self.files.iter_mut().filter_map(|file| file.draft.as_mut());
            drafts.chain(self.backups.iter_mut().map(|(draft, _)| draft)).for_each(Draft::leave);
        }
        result
    }

    fn journal(&self) -> Result<Journal> {
        let mut journal = Journal { backups: Vec::new(), members: Vec::new() };
        for (draft, name) in &self.backups {
            let (target, new) = (name.clone(), Some(draft.stored()?));
            journal.backups.push(SetMember { target, new, old: None });
        }
        // The new files have names that no file has, and so have these.
        let base = self.files.iter().find_map(|file| file.draft.as_ref()).map(Draft::path);
        let base = base.and_then(Path::file_stem).unwrap_or_default();
        for (number, DraftedFile { path, old, draft }) in self.files.iter().enumerate() {
            let old = old.as_ref().map(|(file, seen)| {
                let mut name = base.to_owned();
                name.push(format!("-{number}{ASIDE}"));
                let fail = |error| Error::io(path, error);
                let mut hasher = blake3::Hasher::new();
                copy_all(file, &mut hasher).map_err(fail)?;
                let facts = self.disk.facts(path).map_err(fail)?;
                let number = facts.map_or(0, |facts| facts.number);
                let (path, hash) = (self.folder.join(name), hasher.finalize());
                Ok::<_, Error>(StoredFile { path, hash, number, stamp: Some(Stamp::of(seen)) })
            });
            let new = draft.as_ref().map(Draft::stored).transpose()?;
            let (target, old) = (path.clone(), old.transpose()?);
            journal.members.push(SetMember { target, new, old });
        }
        // Without numbers nothing could be undone.
        if journal.stored_files().any(|file| file.number == 0) {
            let path = self.folder.display().to_string();
            let reason = "several files as one need a file system that numbers its files";
            return Err(UnrealError::NotReplaceable { path, reason }.into());
        }
        Ok(journal)
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
    ErrorKind::Exists { what: Noun::File, name }.into()
}

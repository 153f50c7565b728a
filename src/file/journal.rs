//! What a replacement of several files is about to do, so that a later run can finish or undo it.

use std::ffi::OsString;
use std::io::{ErrorKind as Io, Read};
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::backup;
use super::disk::Disk;
use super::leftover::{is_temporary, remove};
use super::state::{Stamp, folder_of, resolved};
use crate::error::{Error, ErrorKind, Result};

/// The first line of a journal.
const TITLE: &str = "upk journal 1";
/// Bytes of the longest journal that is read.
const LONGEST: u64 = 1 << 16;

/// The steps of one replacement: backups, then bodies, then the header, whose new name is the moment from
/// which the new package is there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Journal {
    pub steps: Vec<JournalStep>,
}

/// One file of a replacement. All names are of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JournalStep {
    /// Whether the file is a backup, which may be there before anything else changes.
    pub is_backup: bool,
    /// The written and synced file.
    pub draft: PathBuf,
    /// The name that it gets.
    pub target: PathBuf,
    /// Where the old file of that name goes until all is done, if there is one.
    pub aside: Option<Aside>,
    /// The hash of the new file.
    pub new: Hash,
    /// The system's number of the new file, 0 where it tells none: a journal that came from elsewhere with its
    /// files does not know the numbers that they have here, and nothing is done for it.
    pub number: u64,
}

/// An old file on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aside {
    pub path: PathBuf,
    pub hash: Hash,
}

/// How far a step has got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// The new file waits beside its name, which is free or the old file's.
    Waiting,
    /// The new file has its name.
    Placed,
    /// Neither: other programs have been here.
    Lost,
}

impl Journal {
    /// Whether `path` is one of the files that are replaced.
    pub fn names(&self, path: &Path) -> bool {
        let path = resolved(path);
        self.steps.iter().any(|step| resolved(&step.target) == path)
    }

    fn split(&self) -> Option<(&JournalStep, &[JournalStep])> {
        self.steps.split_last()
    }

    /// Renames step by step. The header's old file goes first and its new one comes last: in between nobody
    /// finds a package here. Steps that are done are passed over.
    ///
    /// # Errors
    /// `Io`, also when a new file that was written is gone; what has been done can be undone.
    pub fn apply(&self, disk: &Disk) -> Result<()> {
        let Some((header, rest)) = self.split() else { return Ok(()) };
        let folder = folder_of(&header.target);
        let fail = |error| Error::io(&header.target, error);
        for step in rest.iter().filter(|step| step.is_backup) {
            step.place(disk)?;
        }
        if !header.is_placed() {
            header.set_aside(disk)?;
        }
        disk.sync_folder(folder).map_err(fail)?;
        for step in rest.iter().filter(|step| !step.is_backup) {
            if !step.is_placed() {
                step.set_aside(disk)?;
            }
            step.place(disk)?;
        }
        disk.sync_folder(folder).map_err(fail)?;
        header.place(disk)?;
        disk.sync_folder(folder).map_err(fail)
    }

    /// Gives every old file its name back, the header last. What is neither an old file nor one that this
    /// replacement has placed is not touched.
    ///
    /// # Errors
    /// `Io`; then the journal must stay for a later run.
    pub fn undo(&self, disk: &Disk) -> Result<()> {
        let Some((header, rest)) = self.split() else { return Ok(()) };
        // A new header must not be seen with old bodies.
        if header.is_placed() {
            let away = disk.rename(&header.target, &header.draft);
            away.map_err(|error| Error::io(&header.target, error))?;
        }
        for step in rest.iter().chain([header]) {
            let is_placed = step.is_placed();
            let is_free = is_placed || !step.target.try_exists().unwrap_or(true);
            match &step.aside {
                Some(aside) if is_free && hash_of(&aside.path)? == Some(aside.hash) => {
                    let back = disk.rename(&aside.path, &step.target);
                    back.map_err(|error| Error::io(&step.target, error))?;
                }
                None if is_placed => remove(disk, &step.target)?,
                _ => {}
            }
        }
        disk.sync_folder(folder_of(&header.target))
            .map_err(|error| Error::io(&header.target, error))
    }

    /// Removes what is no longer needed once all is done or undone.
    ///
    /// # Errors
    /// `Io`.
    pub fn sweep(&self, disk: &Disk) -> Result<()> {
        for step in &self.steps {
            remove(disk, &step.draft)?;
            if let Some(aside) = &step.aside {
                remove(disk, &aside.path)?;
            }
        }
        Ok(())
    }

    /// Finishes what a killed run has begun, or undoes it where its new files are not whole. Where other
    /// programs have been here since, their files stay, and old ones on their way out become backups.
    ///
    /// # Errors
    /// `Io`, and `Invalid` for a journal whose files came from elsewhere; then the journal must stay.
    pub fn settle(&self, disk: &Disk) -> Result<()> {
        if self.steps.iter().any(JournalStep::is_foreign) {
            return Err(Error::invalid("the journal of another folder stands here"));
        }
        let files = self.steps.iter().filter(|step| !step.is_backup);
        let progress = files.clone().map(JournalStep::progress).collect::<Result<Vec<_>>>()?;
        if !progress.contains(&Progress::Lost) {
            // A backup that somebody has removed since is not asked for again.
            let steps = self.steps.iter().filter(|step| {
                !step.is_backup || step.progress().is_ok_and(|it| it != Progress::Lost)
            });
            Self { steps: steps.cloned().collect() }.apply(disk)?;
            return self.sweep(disk);
        }
        let is_old = |step: &JournalStep| -> Result<bool> {
            let now = hash_of(&step.target)?;
            Ok(now.is_none() || now == step.aside.as_ref().map(|aside| aside.hash))
        };
        let mut untouched = true;
        for step in files.clone() {
            untouched &= is_old(step)? || step.progress()? == Progress::Placed;
        }
        if untouched {
            self.undo(disk)?;
        }
        for step in files {
            let Some(aside) = step.aside.as_ref().filter(|aside| aside.path.exists()) else {
                continue;
            };
            let (names, are_there) = backup::free_names(&[&step.target])?;
            if let Some(name) = names.first().filter(|_| !are_there) {
                let kept = disk.rename_new(&aside.path, name);
                kept.map_err(|error| Error::io(name, error))?;
            }
        }
        self.sweep(disk)
    }

    /// The journal's text: a line a step, names in hexadecimal digits, since any byte may stand in them.
    pub fn text(&self) -> String {
        let mut text = format!("{TITLE}\n");
        for step in &self.steps {
            let (aside, old) = match &step.aside {
                Some(aside) => (hex(&aside.path), aside.hash.to_hex().to_string()),
                None => ("-".to_owned(), "-".to_owned()),
            };
            let (draft, target, new) = (hex(&step.draft), hex(&step.target), step.new.to_hex());
            let kind = if step.is_backup { "backup" } else { "file" };
            let number = step.number;
            text.push_str(&format!("{kind} {draft} {target} {aside} {old} {new} {number}\n"));
        }
        text.push_str("end\n");
        text
    }

    /// A journal from its file.
    ///
    /// # Errors
    /// `Io`; `Invalid` for what is no journal of this form.
    pub fn read(path: &Path) -> Result<Self> {
        let fail = |error| Error::io(path, error);
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(fail)?;
        file.take(LONGEST).read_to_string(&mut text).map_err(fail)?;
        Self::parse(&text, folder_of(path)).ok_or_else(|| {
            let reason = format!("{} is no journal that can be read here", path.display());
            Error::invalid(reason)
        })
    }

    fn parse(text: &str, folder: &Path) -> Option<Self> {
        let body = text.strip_prefix(TITLE)?.strip_prefix('\n')?.strip_suffix("end\n")?;
        let steps = body.lines().map(|line| {
            let words: Vec<_> = line.split(' ').collect();
            let [kind, draft, target, aside, old, new, number] = words[..] else { return None };
            // Only our own temporary files may go, whoever wrote the journal.
            let own = |text| unhex(text, folder).filter(|path| is_temporary(path));
            let aside = match aside {
                "-" => None,
                path => Some(Aside { path: own(path)?, hash: Hash::from_hex(old).ok()? }),
            };
            let is_backup = match kind {
                "backup" => true,
                "file" => false,
                _ => return None,
            };
            let (draft, target) = (own(draft)?, unhex(target, folder)?);
            let (new, number) = (Hash::from_hex(new).ok()?, number.parse().ok()?);
            Some(JournalStep { is_backup, draft, target, aside, new, number })
        });
        Some(Self { steps: steps.collect::<Option<_>>()? })
    }
}

impl JournalStep {
    fn progress(&self) -> Result<Progress> {
        let (draft, target) = (hash_of(&self.draft)?, hash_of(&self.target)?);
        let old = self.aside.as_ref().map(|aside| aside.hash);
        Ok(match () {
            // Behind a link both names are there for a moment.
            () if target == Some(self.new) && self.is_number(&self.target) => Progress::Placed,
            () if draft == Some(self.new) && (target.is_none() || target == old) => {
                Progress::Waiting
            }
            () => Progress::Lost,
        })
    }

    /// Whether the new file has its name, as the system numbers files; where it does not, as names tell.
    fn is_placed(&self) -> bool {
        match self.number {
            0 => !self.draft.exists() && self.target.exists(),
            _ => self.is_number(&self.target),
        }
    }

    /// Whether the file is the one that was written.
    fn is_number(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|metadata| Stamp::of(&metadata).number() == self.number)
    }

    /// Whether the new file is there under its first name, but is not the one that was written.
    fn is_foreign(&self) -> bool {
        self.draft.exists() && !self.is_number(&self.draft)
    }

    fn set_aside(&self, disk: &Disk) -> Result<()> {
        let Some(aside) = &self.aside else { return Ok(()) };
        if !self.target.exists() {
            return Ok(());
        }
        if aside.path.exists() {
            // Somebody has put the same file back meanwhile.
            return match hash_of(&self.target)? == Some(aside.hash) {
                true => remove(disk, &self.target),
                false => Err(self.exists()),
            };
        }
        let renamed = disk.rename(&self.target, &aside.path);
        renamed.map_err(|error| Error::io(&self.target, error))
    }

    /// Gives the new file its name, if it has not got it yet.
    fn place(&self, disk: &Disk) -> Result<()> {
        if self.is_placed() {
            return remove(disk, &self.draft);
        }
        match disk.rename_new(&self.draft, &self.target) {
            Err(error) if error.kind() == Io::AlreadyExists => Err(self.exists()),
            done => done.map_err(|error| Error::io(&self.target, error)),
        }
    }

    fn exists(&self) -> Error {
        let name = self.target.display().to_string();
        ErrorKind::Exists { what: "file", name }.into()
    }
}

/// The hash of a file's bytes; `None` where there is no file.
fn hash_of(path: &Path) -> Result<Option<Hash>> {
    let fail = |error| Error::io(path, error);
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() => {}
        Err(error) if error.kind() == Io::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
        Ok(_) => return Err(fail(Io::InvalidInput.into())),
    }
    let mut file = std::fs::File::open(path).map_err(fail)?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut file, &mut hasher).map_err(fail)?;
    Ok(Some(hasher.finalize()))
}

fn hex(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file of this name in `folder`; `None` for what leads elsewhere.
fn unhex(text: &str, folder: &Path) -> Option<PathBuf> {
    let digits = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?;
        u8::from_str_radix(pair, 16).ok()
    });
    let bytes: Vec<u8> = digits.collect::<Option<_>>()?;
    #[cfg(unix)]
    let name: OsString = std::os::unix::ffi::OsStringExt::from_vec(bytes);
    #[cfg(not(unix))]
    let name: OsString = String::from_utf8(bytes).ok()?.into();
    let path = Path::new(&name);
    let plain = path.file_name() == Some(&name) && path.components().count() == 1;
    plain.then(|| folder.join(name))
}

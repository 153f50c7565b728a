//! What a replacement of several files is about to do, so that a later run can finish or undo it.

use std::ffi::OsString;
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};

use blake3::Hash;

use super::disk::Disk;
use super::state::folder_of;
use crate::error::{Error, ErrorKind, Result};

/// The first line of a journal.
const TITLE: &str = "upk journal 1";

/// The steps of one replacement: backups, then bodies, then the header, whose new name is the moment from
/// which the new package is there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Journal {
    pub steps: Vec<Step>,
}

/// One file of a replacement. All names are of one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
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
}

/// An old file on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aside {
    pub path: PathBuf,
    pub hash: Hash,
}

impl Journal {
    /// Whether `path` is one of the files that are replaced.
    pub fn names(&self, path: &Path) -> bool {
        let path = super::state::resolved(path);
        self.steps.iter().any(|step| super::state::resolved(&step.target) == path)
    }

    /// Renames step by step. The header's old file goes first and its new one comes last: in between nobody
    /// finds a package here.
    ///
    /// # Errors
    /// `Io`; what has been done can be undone.
    pub fn apply(&self, disk: &Disk) -> Result<()> {
        let Some(header) = self.steps.last() else { return Ok(()) };
        let folder = folder_of(&header.target);
        let fail = |error| Error::io(&header.target, error);
        let rest = &self.steps[..self.steps.len() - 1];
        for step in rest.iter().filter(|step| step.is_backup) {
            step.place(disk)?;
        }
        if header.draft.exists() {
            header.set_aside(disk)?;
            disk.sync_folder(folder).map_err(fail)?;
        }
        for step in rest.iter().filter(|step| !step.is_backup && step.draft.exists()) {
            step.set_aside(disk)?;
            step.place(disk)?;
        }
        disk.sync_folder(folder).map_err(fail)?;
        header.place(disk)?;
        disk.sync_folder(folder).map_err(fail)
    }

    /// Gives every old file its name back, the header last.
    ///
    /// # Errors
    /// `Io`; then the journal must stay for a later run.
    pub fn undo(&self, disk: &Disk) -> Result<()> {
        let Some(header) = self.steps.last() else { return Ok(()) };
        // A new header must not be seen with old bodies.
        if !header.draft.exists() && header.target.exists() {
            let away = disk.rename(&header.target, &header.draft);
            away.map_err(|error| Error::io(&header.target, error))?;
        }
        for step in &self.steps {
            match &step.aside {
                Some(aside) if aside.path.exists() => {
                    let back = disk.rename(&aside.path, &step.target);
                    back.map_err(|error| Error::io(&step.target, error))?;
                }
                // What has lost its draft has been given its name by this replacement.
                None if !step.draft.exists() => remove(disk, &step.target)?,
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

    /// Finishes what a killed run has begun. Where another program has written meanwhile, its files stay and
    /// the rest goes.
    ///
    /// # Errors
    /// `Io`; then the journal must stay.
    pub fn settle(&self, disk: &Disk) -> Result<()> {
        let mut can_finish = true;
        let mut can_undo = true;
        for step in &self.steps {
            let (draft, target) = (hash_of(&step.draft)?, hash_of(&step.target)?);
            let old = step.aside.as_ref().map(|aside| aside.hash);
            let placed = draft.is_none() && target == Some(step.new);
            let waiting = draft == Some(step.new) && (target.is_none() || target == old);
            // Placed by a link whose first name has not gone yet.
            let linked = draft == Some(step.new) && target == draft;
            can_finish &= placed || waiting || linked;
            can_undo &= target.is_none() || target == old || target == Some(step.new);
        }
        if can_finish {
            self.apply(disk)?;
        } else if can_undo {
            self.undo(disk)?;
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
            text.push_str(&format!("{kind} {draft} {target} {aside} {old} {new}\n"));
        }
        text.push_str("end\n");
        text
    }

    /// A journal from its file; `None` for one that was not written to its end, whose steps have not begun.
    ///
    /// # Errors
    /// `Io`.
    pub fn read(path: &Path) -> Result<Option<Self>> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if matches!(error.kind(), Io::NotFound | Io::InvalidData) => {
                return Ok(None);
            }
            Err(error) => return Err(Error::io(path, error)),
        };
        Ok(Self::parse(&text, folder_of(path)))
    }

    fn parse(text: &str, folder: &Path) -> Option<Self> {
        let body = text.strip_prefix(TITLE)?.strip_prefix('\n')?.strip_suffix("end\n")?;
        let steps = body.lines().map(|line| {
            let words: Vec<_> = line.split(' ').collect();
            let [kind, draft, target, aside, old, new] = words[..] else { return None };
            // Only our own temporary files may go, whoever wrote the journal.
            let own = |text| unhex(text, folder).filter(|path| super::leftover::is_temporary(path));
            let aside = match aside {
                "-" => None,
                path => Some(Aside { path: own(path)?, hash: Hash::from_hex(old).ok()? }),
            };
            let (draft, target) = (own(draft)?, unhex(target, folder)?);
            let is_backup = kind == "backup";
            Some(Step { is_backup, draft, target, aside, new: Hash::from_hex(new).ok()? })
        });
        Some(Self { steps: steps.collect::<Option<_>>()? })
    }
}

impl Step {
    fn set_aside(&self, disk: &Disk) -> Result<()> {
        match &self.aside {
            Some(aside) if self.target.exists() && !aside.path.exists() => disk
                .rename(&self.target, &aside.path)
                .map_err(|error| Error::io(&self.target, error)),
            _ => Ok(()),
        }
    }

    /// Gives the new file its name, if it has not got it yet.
    fn place(&self, disk: &Disk) -> Result<()> {
        if !self.draft.exists() {
            return Ok(());
        }
        let placed = match disk.rename_new(&self.draft, &self.target) {
            // Both names may be of one file already.
            Err(error) if error.kind() == Io::AlreadyExists => {
                match hash_of(&self.target)? == Some(self.new) {
                    true => return remove(disk, &self.draft),
                    false => {
                        let name = self.target.display().to_string();
                        return Err(ErrorKind::Exists { what: "file", name }.into());
                    }
                }
            }
            other => other,
        };
        placed.map_err(|error| Error::io(&self.target, error))
    }
}

fn remove(disk: &Disk, path: &Path) -> Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() != Io::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}

/// The hash of a file's bytes; `None` where there is no file.
fn hash_of(path: &Path) -> Result<Option<Hash>> {
    let fail = |error| Error::io(path, error);
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == Io::NotFound => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
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

//! A set of files on its way from the old state to the new one, or back: the steps, and how far a run has got
//! that was cut short.
//!
//! Forward: backups get their names; the head's old file goes aside where any other member changes, so that nobody
//! finds a head with members of another state; the members change; the head comes last. Back is the same in
//! reverse. Every step asks what the files are now, never what they should be: what is neither an old file nor a
//! new one by content and number is another program's, and is neither moved nor replaced nor removed.

use std::io::ErrorKind as Io;
use std::path::Path;

use blake3::Hash;

use super::backup;
use super::disk::Disk;
use super::facts::open_own;
use super::journal::{Journal, SetMember, StoredFile};
use super::leftover::remove;
use super::state::folder_of;
use crate::error::{Error, ErrorKind, Noun, Result};

/// The file that has the name of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedFile {
    Nothing,
    New,
    Old,
    /// A file that another program has put there.
    Foreign,
}

/// Where the files of a member are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Progress {
    named: NamedFile,
    /// Whether the new file has its first name.
    is_drafted: bool,
    /// Whether the old file is aside.
    is_aside: bool,
    /// Whether the old file can't go aside: another program's file has that name.
    is_blocked: bool,
}

/// Where the files of a journal are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SetProgress {
    backups: Vec<Progress>,
    members: Vec<Progress>,
}

impl Journal {
    /// How things stand right after the journal was written.
    pub fn beginning(&self) -> SetProgress {
        let begin = |member: &SetMember| Progress {
            named: if member.old.is_some() { NamedFile::Old } else { NamedFile::Nothing },
            is_drafted: member.new.is_some(),
            is_aside: false,
            is_blocked: false,
        };
        let all = |members: &[SetMember]| members.iter().map(begin).collect();
        SetProgress { backups: all(&self.backups), members: all(&self.members) }
    }

    fn progress(&self, disk: &Disk) -> Result<SetProgress> {
        let all = |members: &[SetMember]| {
            members.iter().map(|member| member.progress(disk)).collect::<Result<_>>()
        };
        Ok(SetProgress { backups: all(&self.backups)?, members: all(&self.members)? })
    }

    /// Whether the head is out of sight while the members change.
    fn hides_head(&self) -> bool {
        self.members.iter().skip(1).any(|member| member.old.is_some())
    }

    /// Gives all new files their names.
    ///
    /// # Errors
    /// `Io`; `Exists` where another program was faster. What has been done can be undone.
    pub fn advance(&self, disk: &Disk, progress: &SetProgress) -> Result<()> {
        let Some(((head, head_at), rest)) = self.split(progress) else { return Ok(()) };
        let folder = folder_of(&head.target);
        let fail = |error| Error::io(&head.target, error);
        for (member, &at) in self.backups.iter().zip(&progress.backups) {
            // A backup that somebody has removed since, or whose name another file has, is not asked for again.
            if at.is_drafted && matches!(at.named, NamedFile::Nothing | NamedFile::New) {
                member.place(disk, at)?;
            }
        }
        if self.hides_head() {
            head.set_aside(disk, head_at)?;
        }
        disk.sync_folder(folder).map_err(fail)?;
        for (member, at) in rest {
            member.set_aside(disk, at)?;
            member.place(disk, at)?;
        }
        disk.sync_folder(folder).map_err(fail)?;
        match (&head.new, head_at.named) {
            // Whoever looks sees one of the two.
            (Some(new), NamedFile::Old) if !self.hides_head() => {
                disk.rename(&new.path, &head.target).map_err(fail)?;
            }
            _ => head.place(disk, head_at)?,
        }
        disk.sync_folder(folder).map_err(fail)
    }

    /// Gives all old files their names back, the head last. Where another program's file has the name, or not all
    /// old files are left, they become backups.
    ///
    /// # Errors
    /// `Io`; then the journal must stay for a later run.
    pub fn undo(&self, disk: &Disk) -> Result<()> {
        let progress = self.progress(disk)?;
        let Some(((head, head_at), rest)) = self.split(&progress) else { return Ok(()) };
        if head_at.named == NamedFile::New && head.old.is_some() && !self.hides_head() {
            // It was the last step, and the old file is gone with it.
            return self.sweep(disk);
        }
        // What another program has put there stays, and says nothing of the others.
        let has_old = |(member, at): (&SetMember, &Progress)| {
            member.old.is_none()
                || at.is_aside
                || matches!(at.named, NamedFile::Old | NamedFile::Foreign)
        };
        let can_go_back = self.members.iter().zip(&progress.members).all(has_old);
        if can_go_back {
            // A new head must not be seen with old members.
            head.take_away(disk, head_at)?;
            for (member, at) in rest {
                member.take_away(disk, at)?;
                member.bring_back(disk, at)?;
            }
            head.bring_back(disk, head_at)?;
        }
        let fail = |error| Error::io(&head.target, error);
        disk.sync_folder(folder_of(&head.target)).map_err(fail)?;
        let is_old = |(member, at): (&SetMember, &Progress)| {
            let is_back =
                at.named == NamedFile::Old || at.is_aside && at.named != NamedFile::Foreign;
            member.old.is_none() || is_back
        };
        if self.members.iter().zip(&progress.members).all(is_old) {
            // Each is a copy of what has its old name again.
            for (member, &at) in self.backups.iter().zip(&progress.backups) {
                member.take_away(disk, at)?;
            }
        }
        for (member, &at) in self.members.iter().zip(&progress.members) {
            // Without all of the others an old file would make a mixed set.
            if at.named == NamedFile::Foreign || at.named == NamedFile::Nothing && !can_go_back {
                member.keep_aside(disk, at)?;
            }
        }
        self.sweep(disk)
    }

    /// Removes what is no longer needed once all is done or undone.
    ///
    /// # Errors
    /// `Io`; then the journal must stay for a later run.
    pub fn sweep(&self, disk: &Disk) -> Result<()> {
        for file in self.stored_files() {
            if file.is_at(disk, &file.path)? {
                remove(disk, &file.path)?;
            }
        }
        Ok(())
    }

    /// The same right after this process has moved the files there: nothing is read once more.
    ///
    /// # Errors
    /// As [`Journal::sweep`].
    pub fn sweep_own(&self, disk: &Disk) -> Result<()> {
        for file in self.stored_files() {
            let facts = disk.facts(&file.path).map_err(|error| Error::io(&file.path, error))?;
            if facts.is_some_and(|facts| facts.is_file && facts.number == file.number) {
                remove(disk, &file.path)?;
            }
        }
        Ok(())
    }

    /// Whether the old files that are aside are still what this run has seen: other programs know nothing of its
    /// lock, and one may have written into a file, or put another in its place, right before it was moved.
    ///
    /// # Errors
    /// `Changed`; then all can be undone once [`Journal::accept_asides`] was called.
    pub fn check_asides(&self, disk: &Disk) -> Result<()> {
        self.members.iter().try_for_each(|member| match &member.old {
            Some(old) if disk.facts(&old.path).is_ok_and(|facts| facts.is_some()) => {
                member.check_aside(old)
            }
            _ => Ok(()),
        })
    }

    /// Takes the old files that are aside for what they are now, where another program has changed one: undone, it
    /// gets its name back as that program has left it.
    pub fn accept_asides(&mut self, disk: &Disk) {
        for member in &mut self.members {
            let Some(old) = &member.old else { continue };
            if member.check_aside(old).is_ok() {
                continue;
            }
            if let Ok(Some(facts)) = disk.facts(&old.path)
                && facts.is_file
                && let Ok(hash) = hash_of(&old.path)
                && let Some(old) = &mut member.old
            {
                (old.number, old.hash) = (facts.number, hash);
            }
        }
    }

    /// Makes backups of old files that are aside still, since another program goes on writing to them: none stays
    /// out of sight.
    ///
    /// # Errors
    /// `Io`; then the journal must stay.
    pub fn keep_asides(&self, disk: &Disk) -> Result<()> {
        for member in &self.members {
            let Some(old) = &member.old else { continue };
            if disk.facts(&old.path).map_err(|error| Error::io(&old.path, error))?.is_some() {
                member.keep(disk, old)?;
            }
        }
        Ok(())
    }

    /// Finishes what a run has begun that was cut short, or undoes it where a new file is damaged or another
    /// program has been here since.
    ///
    /// # Errors
    /// `Io`; then the journal must stay.
    pub fn settle(&self, disk: &Disk) -> Result<()> {
        let progress = self.progress(disk)?;
        let Some(((_, head), _)) = self.split(&progress) else { return Ok(()) };
        if head.named == NamedFile::New {
            // All had been done: what is other now was changed after it. Only the last names may not last yet.
            let folder = folder_of(&self.members[0].target);
            disk.sync_folder(folder).map_err(|error| Error::io(folder, error))?;
            return self.sweep(disk);
        }
        let can_go_on = |(member, at): (&SetMember, &Progress)| {
            let is_there = member.new.is_none() || at.is_drafted || at.named == NamedFile::New;
            is_there
                && at.named != NamedFile::Foreign
                && !(at.is_blocked && at.named == NamedFile::Old)
        };
        if self.members.iter().zip(&progress.members).all(can_go_on) {
            self.advance(disk, &progress)?;
            return self.sweep(disk);
        }
        self.undo(disk)
    }

    #[expect(clippy::type_complexity, reason = "the head and the rest, each with its state")]
    fn split<'a>(
        &'a self,
        progress: &'a SetProgress,
    ) -> Option<((&'a SetMember, Progress), impl Iterator<Item = (&'a SetMember, Progress)>)> {
        let mut all = self.members.iter().zip(progress.members.iter().copied());
        Some((all.next()?, all))
    }
}

impl SetMember {
    fn progress(&self, disk: &Disk) -> Result<Progress> {
        let is_stored = |file: &Option<StoredFile>| {
            file.as_ref().map_or(Ok(false), |file| file.is_at(disk, &file.path))
        };
        let has_name = |file: &Option<StoredFile>| {
            file.as_ref().map_or(Ok(false), |file| file.is_at(disk, &self.target))
        };
        let (is_drafted, is_aside) = (is_stored(&self.new)?, is_stored(&self.old)?);
        let fail = |error| Error::io(&self.target, error);
        let named = match disk.facts(&self.target).map_err(fail)? {
            None => NamedFile::Nothing,
            Some(_) if has_name(&self.new)? => NamedFile::New,
            Some(_) if has_name(&self.old)? => NamedFile::Old,
            // Somebody has put the same file back by hand.
            Some(facts) if is_aside && facts.is_file => {
                let old = self.old.as_ref().map(|old| old.hash);
                if Some(hash_of(&self.target)?) == old {
                    NamedFile::Old
                } else {
                    NamedFile::Foreign
                }
            }
            Some(_) => NamedFile::Foreign,
        };
        let aside = self.old.as_ref().filter(|_| !is_aside).map(|old| disk.facts(&old.path));
        let is_blocked = aside.transpose().map_err(fail)?.flatten().is_some();
        Ok(Progress { named, is_drafted, is_aside, is_blocked })
    }

    /// Moves the old file out of the way, if it is still the one that was seen.
    fn set_aside(&self, disk: &Disk, at: Progress) -> Result<()> {
        let Some(old) = self.old.as_ref().filter(|_| at.named == NamedFile::Old) else {
            return Ok(());
        };
        if at.is_aside {
            return remove(disk, &self.target);
        }
        self.rename_to_free(disk, &self.target, &old.path)?;
        let checked = self.check_aside(old);
        if checked.is_err() {
            // At once: that program may go on writing to it. What can't go back now `accept_asides` looks after.
            let _ = disk.rename_new(&old.path, &self.target);
        }
        checked
    }

    fn check_aside(&self, old: &StoredFile) -> Result<()> {
        let Some(stamp) = old.stamp else { return Ok(()) };
        stamp.check(&self.target, old.path.symlink_metadata().ok().as_ref())
    }

    /// Gives the new file its name, if it has not got it yet.
    fn place(&self, disk: &Disk, at: Progress) -> Result<()> {
        let Some(new) = self.new.as_ref().filter(|_| at.is_drafted) else { return Ok(()) };
        if at.named == NamedFile::New {
            return remove(disk, &new.path);
        }
        match disk.rename_new(&new.path, &self.target) {
            Err(error) if error.kind() == Io::AlreadyExists => Err(exists(&self.target)),
            done => done.map_err(|error| Error::io(&self.target, error)),
        }
    }

    /// Takes the name from the new file.
    fn take_away(&self, disk: &Disk, at: Progress) -> Result<()> {
        let Some(new) = self.new.as_ref().filter(|_| at.named == NamedFile::New) else {
            return Ok(());
        };
        match at.is_drafted {
            true => remove(disk, &self.target),
            false => self.rename_to_free(disk, &self.target, &new.path),
        }
    }

    /// Gives the old file its name back, which is free or the new file's until [`SetMember::take_away`].
    fn bring_back(&self, disk: &Disk, at: Progress) -> Result<()> {
        let Some(old) = self.old.as_ref().filter(|_| at.is_aside) else { return Ok(()) };
        match at.named {
            NamedFile::Nothing | NamedFile::New => {
                self.rename_to_free(disk, &old.path, &self.target)
            }
            NamedFile::Old | NamedFile::Foreign => Ok(()),
        }
    }

    /// Makes a backup of an old file that can't have its name again.
    fn keep_aside(&self, disk: &Disk, at: Progress) -> Result<()> {
        match self.old.as_ref().filter(|_| at.is_aside) {
            Some(old) => self.keep(disk, old),
            None => Ok(()),
        }
    }

    fn keep(&self, disk: &Disk, old: &StoredFile) -> Result<()> {
        let name = backup::free_name(&self.target)?;
        disk.rename_new(&old.path, &name).map_err(|error| Error::io(&name, error))
    }

    fn rename_to_free(&self, disk: &Disk, from: &Path, to: &Path) -> Result<()> {
        let fail = |error| Error::io(&self.target, error);
        if disk.facts(to).map_err(fail)?.is_some() {
            return Err(exists(to));
        }
        disk.rename(from, to).map_err(fail)
    }
}

impl StoredFile {
    /// Whether the file at `path` is this one: by its number and by its content.
    fn is_at(&self, disk: &Disk, path: &Path) -> Result<bool> {
        let facts = disk.facts(path).map_err(|error| Error::io(path, error))?;
        let Some(facts) = facts.filter(|facts| facts.is_file) else { return Ok(false) };
        Ok(self.number != 0 && facts.number == self.number && hash_of(path)? == self.hash)
    }
}

/// The hash of a file's bytes.
fn hash_of(path: &Path) -> Result<Hash> {
    let fail = |error| Error::io(path, error);
    let mut file = open_own(path, false).map_err(fail)?;
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut file, &mut hasher).map_err(fail)?;
    Ok(hasher.finalize())
}

fn exists(path: &Path) -> Error {
    let name = path.display().to_string();
    ErrorKind::Exists { what: Noun::File, name }.into()
}

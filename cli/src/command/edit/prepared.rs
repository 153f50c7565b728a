//! Packages that are changed together: nothing is written before all of them can be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use unreal_packages::edit::{Edit, EditOptions};
use unreal_packages::file::{FileOrigin, Replaced, Replacement, Run, recover};
use unreal_packages::package::{Package, Saved};

use super::{Change, Done, Place, SaveArgs, warnings};
use crate::failure::Failure;
use crate::output::{Output, count};
use crate::target::unwritten;

/// Packages of one folder that are replaced as one.
const SET: usize = 128;

/// A package that is changed and not yet written.
pub struct Prepared {
    file: PathBuf,
    before: Package,
    package: Package,
    change: Change,
    saved: Saved,
}

/// A file that was replaced, and what it was.
type Former = (PathBuf, Vec<u8>);

impl SaveArgs {
    /// Opens `file`, lets `change` change it and proves what comes out; nothing is written.
    pub fn prepare_package(
        &self,
        file: &Path,
        change: impl FnOnce(&mut Edit) -> Result<Change, Failure>,
    ) -> Result<Prepared, Failure> {
        if self.in_place && !self.dry_run {
            // What a killed run has left half done is ended before it is read.
            recover(file)?;
        }
        let mut package = self.open.open(file)?;
        let before = package.clone();
        let changed = self.save_options().edit(&mut package, |edit| {
            self.prepare(edit);
            let mut change = change(edit)?;
            change.tell_notes(edit.notes());
            Ok::<_, Failure>(change)
        });
        let (change, saved) = changed?;
        Ok(Prepared { file: file.to_owned(), before, package, change, saved })
    }

    /// Replaces all packages, or none: those of a folder as one, and where another folder fails the first is put back.
    /// A run that is killed between two folders has its list, by which `upk restore` puts all back.
    pub fn replace_together(
        &self,
        all: Vec<Prepared>,
        name: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let is_changed =
            |it: &Prepared| it.before.file() != it.saved.bytes || !it.saved.companions.is_empty();
        let mut folders: BTreeMap<PathBuf, Vec<&Prepared>> = BTreeMap::new();
        for prepared in all.iter().filter(|it| is_changed(it)) {
            let path =
                dunce::canonicalize(&prepared.file).unwrap_or_else(|_| prepared.file.clone());
            let folder = path.parent().unwrap_or(Path::new(".")).to_path_buf();
            folders.entry(folder).or_default().push(prepared);
        }
        let mut run = self
            .keeps_backups()
            .then(|| Run::named_freely(name, folders.keys().map(PathBuf::as_path)));
        let mut former: Vec<Former> = Vec::new();
        let mut backups: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        if !self.dry_run {
            let sets = folders.values().flat_map(|packages| packages.chunks(SET));
            for set in sets {
                if let Err(failure) = self.replace_set(set, &mut former, &mut backups, &mut run) {
                    let failure = self.put_back(former, failure)?;
                    if let Some(run) = run {
                        run.discard()?;
                    }
                    return Err(failure);
                }
            }
        }
        for Prepared { file, before, package, change, saved } in &all {
            for text in warnings(change, package, before) {
                out.warn(text)?;
            }
            let target = (!self.dry_run).then(|| Place::Itself(file.clone()));
            let rebuilt = package.source() != before.source();
            let backups = backups.remove(file).unwrap_or_default();
            let done =
                Done { file, package, before: before.file(), rebuilt, saved, target, backups };
            self.report(&done, change, out)?;
        }
        if let Some(run) = run.filter(|_| !self.dry_run && !former.is_empty())
            && !out.is_json()
        {
            let name = run.name();
            out.line(format!("`upk restore FOLDER --run {name}` brings all of them back"))?;
        }
        Ok(())
    }

    fn replace_set(
        &self,
        set: &[&Prepared],
        former: &mut Vec<Former>,
        backups: &mut BTreeMap<PathBuf, Vec<PathBuf>>,
        run: &mut Option<Run>,
    ) -> Result<(), Failure> {
        let mut replacement: Option<Replacement<'_>> = None;
        let mut counts = Vec::new();
        for prepared in set {
            let own = prepared.saved.replacement(&prepared.file);
            counts.push(own.len());
            replacement = Some(match replacement {
                None => own,
                Some(all) => all.join(own),
            });
        }
        let Some(replacement) = replacement else { return Ok(()) };
        let mut old = Vec::new();
        for path in replacement.paths() {
            let bytes = unreal_packages::file::read(path)?.0;
            old.push((path.to_owned(), bytes.to_vec()));
        }
        // Links in the folders of --env lead wherever their makers want.
        let replacement = replacement.origin(FileOrigin::Found);
        let done = replacement.overwrite(true).backup(self.keeps_backups()).commit();
        let done = done.map_err(unwritten)?;
        // From here on the files are others.
        former.extend(old);
        let (mut files, mut kept) = (done.files.into_iter(), done.backups.into_iter());
        for (prepared, count) in set.iter().zip(counts) {
            let files: Vec<_> = files.by_ref().take(count).collect();
            let kept: Vec<_> = kept.by_ref().take(count).collect();
            backups.insert(prepared.file.clone(), kept.clone());
            if let Some(run) = run {
                run.add(&Replaced { files, backups: kept })?;
            }
            Self::check_written(&prepared.file, &prepared.saved)?;
        }
        Ok(())
    }

    /// Writes files as they were, since others could not be replaced; one that can't be leaves no other as it is.
    fn put_back(&self, former: Vec<Former>, failure: Failure) -> Result<Failure, Failure> {
        let mut left = Vec::new();
        for (path, bytes) in former.into_iter().rev() {
            if let Err(error) = Replacement::new(&path, &bytes).overwrite(true).commit() {
                left.push(format!("{}: {error}", path.display()));
            }
        }
        if left.is_empty() {
            return Ok(failure);
        }
        let what = count(left.len() as u64, "file", "files");
        let next = match self.keeps_backups() {
            true => "`upk restore` brings them back: their backups have what they were",
            false => {
                "take them from a copy of your own: without backups nothing has what they were"
            }
        };
        let title = format!("{}; {what} could not be put back", failure.parts().0);
        Err(Failure::listing(title, left, next))
    }
}

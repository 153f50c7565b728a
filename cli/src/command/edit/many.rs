//! Many packages, edited in one run: each by itself, several at once, one report.

mod sums;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use serde_json::json;
use unreal_packages::container::Containers;
use unreal_packages::environment::is_passed_over;
use unreal_packages::file::{Run, has_backup_name};
use unreal_packages::scan::FileOrigin;

use self::sums::{End, Sums};
use super::{Edited, SaveArgs};
use crate::args;
use crate::containers::{self, Patch};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::output::{KeptOutput, Output, count};
use crate::progress;

/// Packages for each thread that are edited before the first one's report is printed: the reports stay in order.
const AHEAD: usize = 4;

/// A command that edits each of many packages.
pub trait EachPackage: Sync {
    /// Edits one and saves it; how many of its parts were left out.
    fn edit(&self, path: &Path, out: &mut Output) -> Result<(Edited, usize), Failure>;

    /// Whether a failure says that the package is left alone, which the command reports as it likes.
    fn leaves_alone(
        &self,
        path: &Path,
        failure: &Failure,
        out: &mut Output,
    ) -> Result<bool, Failure>;

    /// What the sums call the packages that are left alone, and how the run ends because of them.
    fn left_alone(&self) -> (&'static str, Outcome);

    /// Whether packages that are the same as before have lines of their own, besides those of JSON.
    fn lists_same(&self) -> bool;
}

/// The packages that the paths of a command mean.
pub struct ManyPackages<'a> {
    save: &'a SaveArgs,
    places: &'a [PathBuf],
    /// All files that were found, also those that are never changed.
    pub found: BTreeMap<PathBuf, FileOrigin>,
    /// Those that are edited.
    pub files: Vec<(PathBuf, FileOrigin)>,
    patch: Option<Arc<Patch>>,
    sums: Sums,
}

/// Whether paths mean more than one package: folders and containers do.
pub fn are_many(paths: &[PathBuf]) -> bool {
    paths.len() > 1 || paths.iter().any(|path| path.is_dir() || containers::is_many(path))
}

impl SaveArgs {
    /// Insists on a target that takes several packages.
    pub fn require_many(&self) -> Result<(), Failure> {
        if self.takes_many() {
            return Ok(());
        }
        let next = "use --in-place, or --dry-run to look first; -o Name_P.pak or Name_P.utoc takes packages of one \
                    container";
        Err(Failure::usage(format!("several packages can't go to one file\n  next: {next}")))
    }

    /// The run that lists the backups of these packages, of this name or called freely like `stem`; `None` where no
    /// backups are made, or nobody has named the run of a single package.
    pub fn start_run(
        &self,
        files: &[&Path],
        name: Option<&str>,
        stem: &str,
    ) -> Result<Option<Run>, Failure> {
        let is_wanted = files.len() > 1 || name.is_some();
        if !self.keeps_backups() || !is_wanted {
            return Ok(None);
        }
        let folders: BTreeSet<PathBuf> = files
            .iter()
            .filter_map(|file| Some(dunce::canonicalize(file).ok()?.parent()?.to_path_buf()))
            .collect();
        let Some(name) = name else {
            return Ok(Some(Run::named_freely(stem, folders.iter().map(PathBuf::as_path))));
        };
        let run = Run::new(name);
        match folders.iter().find(|folder| run.is_in(folder)) {
            None => Ok(Some(run)),
            Some(folder) => {
                let (name, folder) = (run.name(), folder.display());
                Err(Failure::usage(format!(
                    "'{folder}' has a run '{name}' already\n  next: choose another name"
                )))
            }
        }
    }
}

impl<'a> ManyPackages<'a> {
    /// Finds them, and says what can't be read.
    pub fn collect(
        save: &'a SaveArgs,
        places: &'a [PathBuf],
        out: &mut Output,
    ) -> Result<Self, Failure> {
        let Collected { files: found, unlisted, mut unopened } = collect(places)?;
        let patch = save.start_patch(places)?;
        let takes_contained = patch.is_some() || save.is_dry();
        if let Some(container) =
            places.iter().find(|path| containers::is_many(path)).filter(|_| !takes_contained)
        {
            let next = "-o Name_P.pak or Name_P.utoc writes a patch";
            return Err(Failure::usage(format!(
                "'{}' is a container, which is never changed\n  next: {next}",
                container.display()
            )));
        }
        // What lies in a container is never changed in place, and backups are what packages were.
        let stays = |path: &Path| match Containers::split(path) {
            Some(_) => !takes_contained,
            None => has_backup_name(path),
        };
        // Found ones are passed over where nothing in them would be edited, or where they are none.
        unopened.retain(|(path, error)| {
            let is_found = found.get(path) == Some(&FileOrigin::Found);
            !is_found || takes_contained && !is_passed_over(path, error)
        });
        let files: Vec<(PathBuf, FileOrigin)> = found
            .iter()
            .filter(|(path, _)| !containers::is_many(path))
            .filter(|(path, origin)| **origin == FileOrigin::Named || !stays(path))
            .map(|(path, origin)| (path.clone(), *origin))
            .collect();
        let mut many = Self { save, places, found, files, patch, sums: Sums::default() };
        for (path, reason) in unlisted {
            many.fail(format!("{}: {reason}", path.display()), out)?;
        }
        for (path, error) in unopened {
            many.sums.add(&path, End::Failed(args::unopened(&path, error)), out)?;
        }
        Ok(many)
    }

    /// The paths of those that are edited.
    pub fn paths(&self) -> Vec<&Path> {
        self.files.iter().map(|(path, _)| path.as_path()).collect()
    }

    /// Warns of something that counts as a failure.
    pub fn fail(&mut self, reason: String, out: &mut Output) -> Result<(), Failure> {
        self.sums.failed += 1;
        out.warn(reason)
    }

    /// Counts packages that are left alone without being opened.
    pub fn leave_alone(&mut self, number: u64) {
        self.sums.left_alone += number;
    }

    /// Edits all of them, and lists their backups in this run.
    pub fn edit(
        mut self,
        run: Option<Run>,
        command: &dyn EachPackage,
        out: &mut Output,
    ) -> CommandResult {
        let run = run.map(Mutex::new);
        if let Some((path, _)) = self.files.first() {
            // Read once for all threads.
            self.save.open.environment(path)?;
        }
        let bar = progress::bar(self.files.len(), "packages");
        let is_json = out.is_json();
        let files = std::mem::take(&mut self.files);
        for files in files.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let edit = |(path, origin): &(PathBuf, FileOrigin)| {
                let end = edit_one(command, path, *origin, run.as_ref(), is_json);
                bar.inc(1);
                end
            };
            let ends: Vec<(KeptOutput, End)> = files.par_iter().map(edit).collect();
            for ((path, _), (kept, end)) in files.iter().zip(ends) {
                out.say_kept(&kept)?;
                self.sums.add(path, end, out)?;
            }
        }
        bar.finish_and_clear();
        let run = run.map(|run| run.into_inner().unwrap_or_else(PoisonError::into_inner));
        let run = run.filter(|_| self.sums.edited > 0);
        if let Some(patch) = self.patch.as_ref().filter(|_| !self.save.is_dry()) {
            self.save.write_patch(patch, out)?;
        }
        self.report(run.as_ref(), command.left_alone().0, out)?;
        let Sums { left_alone, failed, partly, .. } = self.sums;
        Ok(match (failed + partly, left_alone) {
            (0, 0) => Outcome::Fine,
            (0, _) => command.left_alone().1,
            _ => Outcome::Wrong,
        })
    }

    fn report(&self, run: Option<&Run>, alone: &str, out: &mut Output) -> Result<(), Failure> {
        let Sums { edited, same, left_alone, failed, partly } = self.sums;
        if out.is_json() {
            return out.object(&json!({ "summary": {
                "edited": edited, "same": same, "left_alone": left_alone, "failed": failed, "partly": partly,
                "dry_run": self.save.is_dry(), "run": run.map(Run::name) } }));
        }
        let mut parts = vec![format!("{} edited", count(edited, "package", "packages"))];
        let others = [
            (same, "the same as before"),
            (partly, "in part"),
            (left_alone, alone),
            (failed, "failed"),
        ];
        parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        out.summary(parts.join(", "))?;
        let Some(run) = run else { return Ok(()) };
        let folder = match self.places {
            [folder] => folder.display().to_string(),
            _ => "FOLDER".to_owned(),
        };
        out.summary(format!("`upk restore {folder} --run {}` brings them back", run.name()))
    }
}

fn edit_one(
    command: &dyn EachPackage,
    path: &Path,
    origin: FileOrigin,
    run: Option<&Mutex<Run>>,
    is_json: bool,
) -> (KeptOutput, End) {
    let mut out = Output::keeping(is_json);
    let end = edit_and_list(command, path, run, &mut out);
    let end = end.unwrap_or_else(|failure| {
        let (Failure::Usage(error) | Failure::Failed(error)) = &failure;
        let mut causes = error.chain().filter_map(|cause| cause.downcast_ref());
        match origin == FileOrigin::Found && causes.any(|error| is_passed_over(path, error)) {
            true => End::NoPackage,
            false => End::Failed(failure),
        }
    });
    (out.kept(), end)
}

fn edit_and_list(
    command: &dyn EachPackage,
    path: &Path,
    run: Option<&Mutex<Run>>,
    out: &mut Output,
) -> Result<End, Failure> {
    let mut report = Output::keeping(out.is_json());
    let (edited, left_out) = match command.edit(path, &mut report) {
        Ok(edited) => edited,
        Err(failure) if command.leaves_alone(path, &failure, out)? => return Ok(End::LeftAlone),
        Err(failure) => return Err(failure),
    };
    // Before anything else can fail: the package has changed.
    if let Some(run) = run {
        run.lock().unwrap_or_else(PoisonError::into_inner).add(&edited.replaced)?;
    }
    let is_changed = edited.is_changed;
    if !out.is_json() && (is_changed || command.lists_same()) {
        out.line(format!("{}:", path.display()))?;
    }
    if out.is_json() || is_changed || command.lists_same() {
        out.say_later(&report.kept())?;
    }
    Ok(End::Edited { is_changed, left_out })
}

//! A file of edits on many packages: each by itself, several at once, one report.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use serde_json::json;
use unreal_packages::container::Containers;
use unreal_packages::environment::is_passed_over;
use unreal_packages::file::{Run, has_backup_name};
use unreal_packages::scan::FileOrigin;

use super::statements::{Statement, are_for, meaningless};
use super::{EditScript, Unmet};
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::output::{KeptOutput, Output, count};
use crate::{input, progress};

/// Packages for each thread that are edited before the first one's report is printed: the reports stay in order.
const AHEAD: usize = 4;

/// How the edit of one package ended.
enum End {
    Edited {
        is_changed: bool,
        /// How many lines did not fit.
        left_out: usize,
    },
    LeftAlone,
    Failed(Failure),
    /// It is no package, and nobody has named it.
    NoPackage,
}

/// How many packages ended in which way.
#[derive(Debug, Default)]
struct Sums {
    edited: u64,
    same: u64,
    left_alone: u64,
    failed: u64,
    /// Packages that some lines did not fit.
    partly: u64,
}

impl EditScript {
    /// Edits every package that the paths mean.
    pub(super) fn edit_many(&self, statements: &[Statement], out: &mut Output) -> CommandResult {
        let Collected { files: found, unlisted, mut unopened } = collect(&self.packages)?;
        let patch = self.save.start_patch(&self.packages)?;
        let takes_contained = patch.is_some() || self.save.is_dry();
        if let Some(container) =
            self.packages.iter().find(|path| containers::is_many(path)).filter(|_| !takes_contained)
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
            .into_iter()
            .filter(|(path, _)| !containers::is_many(path))
            .filter(|(path, origin)| *origin == FileOrigin::Named || !stays(path))
            .collect();
        let mut sums = Sums { failed: unlisted.len() as u64, ..Sums::default() };
        for (path, reason) in unlisted {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        for (path, error) in unopened {
            let failure = crate::args::unopened(&path, error);
            sums.add(&path, End::Failed(failure), out)?;
        }
        let paths: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
        for (line, patterns) in meaningless(statements, &paths) {
            sums.failed += 1;
            out.warn(format!("line {line}: no package is called like {}", patterns.join(" or ")))?;
        }
        let files: Vec<_> =
            files.iter().filter(|(path, _)| are_for(statements, path)).cloned().collect();
        let paths: Vec<&Path> = files.iter().map(|(path, _)| path.as_path()).collect();
        let run = self.started_run(&paths)?.map(Mutex::new);
        if let Some(path) = paths.first() {
            // Read once for all threads.
            self.save.open.environment(path)?;
        }
        let bar = progress::bar(files.len(), "packages");
        let is_json = out.is_json();
        for files in files.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let edit = |(path, origin): &(PathBuf, FileOrigin)| {
                let end = self.edit_one(statements, path, *origin, run.as_ref(), is_json);
                bar.inc(1);
                end
            };
            let ends: Vec<(KeptOutput, End)> = files.par_iter().map(edit).collect();
            for ((path, _), (kept, end)) in files.iter().zip(ends) {
                out.say_kept(&kept)?;
                sums.add(path, end, out)?;
            }
        }
        bar.finish_and_clear();
        let run = run.map(|run| run.into_inner().unwrap_or_else(PoisonError::into_inner));
        let run = run.filter(|_| sums.edited > 0);
        if let Some(patch) = patch.filter(|_| !self.save.is_dry()) {
            self.save.write_patch(&patch, out)?;
        }
        self.report_sums(&sums, run.as_ref(), out)?;
        Ok(if sums.left_alone + sums.failed + sums.partly == 0 {
            Outcome::Fine
        } else {
            Outcome::Wrong
        })
    }

    /// The run that lists the backups of these packages; `None` where none are made, or nobody has named the run of a
    /// single package.
    pub(super) fn started_run(&self, files: &[&Path]) -> Result<Option<Run>, Failure> {
        let is_wanted = files.len() > 1 || self.run.is_some();
        if !self.save.keeps_backups() || !is_wanted {
            return Ok(None);
        }
        let folders: BTreeSet<PathBuf> = files
            .iter()
            .filter_map(|file| Some(dunce::canonicalize(file).ok()?.parent()?.to_path_buf()))
            .collect();
        if let Some(name) = &self.run {
            let run = Run::new(name);
            return match folders.iter().find(|folder| run.is_in(folder)) {
                None => Ok(Some(run)),
                Some(folder) => {
                    let (name, folder) = (run.name(), folder.display());
                    Err(Failure::usage(format!(
                        "'{folder}' has a run '{name}' already\n  next: choose another name"
                    )))
                }
            };
        }
        let stem = self.script.file_stem().filter(|_| !input::is_standard(&self.script));
        let name = stem.map_or_else(|| "edit".into(), |stem| stem.to_string_lossy());
        Ok(Some(Run::named_freely(&name, folders.iter().map(PathBuf::as_path))))
    }

    fn edit_one(
        &self,
        statements: &[Statement],
        path: &Path,
        origin: FileOrigin,
        run: Option<&Mutex<Run>>,
        is_json: bool,
    ) -> (KeptOutput, End) {
        let mut out = Output::keeping(is_json);
        let end = self.edit_and_list(statements, path, run, &mut out);
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
        &self,
        statements: &[Statement],
        path: &Path,
        run: Option<&Mutex<Run>>,
        out: &mut Output,
    ) -> Result<End, Failure> {
        let mut report = Output::keeping(out.is_json());
        let (edited, left_out) = match self.edit(statements, path, &mut report) {
            Ok(edited) => edited,
            Err(failure) => {
                let Some(unmet) = Unmet::of(&failure) else { return Err(failure) };
                unmet.report(path, out)?;
                return Ok(End::LeftAlone);
            }
        };
        // Before anything else can fail: the package has changed.
        if let Some(run) = run {
            run.lock().unwrap_or_else(PoisonError::into_inner).add(&edited.replaced)?;
        }
        if !out.is_json() {
            out.line(format!("{}:", path.display()))?;
        }
        out.say_later(&report.kept())?;
        Ok(End::Edited { is_changed: edited.is_changed, left_out: left_out.len() })
    }

    fn report_sums(&self, sums: &Sums, run: Option<&Run>, out: &mut Output) -> Result<(), Failure> {
        let Sums { edited, same, left_alone, failed, partly } = *sums;
        if out.is_json() {
            return out.object(&json!({ "summary": {
                "edited": edited, "same": same, "left_alone": left_alone, "failed": failed, "partly": partly,
                "dry_run": self.save.is_dry(), "run": run.map(Run::name) } }));
        }
        let mut parts = vec![format!("{} edited", count(edited, "package", "packages"))];
        let others = [
            (same, "the same as before"),
            (partly, "in part"),
            (left_alone, "left alone"),
            (failed, "failed"),
        ];
        parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        out.summary(parts.join(", "))?;
        let Some(run) = run else { return Ok(()) };
        let folder = match &self.packages[..] {
            [folder] => folder.display().to_string(),
            _ => "FOLDER".to_owned(),
        };
        out.summary(format!("`upk restore {folder} --run {}` brings them back", run.name()))
    }
}

impl Sums {
    fn add(&mut self, path: &Path, end: End, out: &mut Output) -> Result<(), Failure> {
        if matches!(end, End::Edited { left_out: 1.., .. }) {
            self.partly += 1;
        }
        match end {
            End::Edited { is_changed: true, .. } => self.edited += 1,
            End::Edited { is_changed: false, .. } => self.same += 1,
            End::LeftAlone => self.left_alone += 1,
            End::NoPackage => {}
            End::Failed(failure) => {
                self.failed += 1;
                let (message, next) = failure.parts();
                let shown = path.display().to_string();
                let message = match failure.names(&shown) {
                    true => message,
                    false => format!("{shown}: {message}"),
                };
                if out.is_json() {
                    out.object(&json!({ "input": shown, "error": message, "next": next }))?;
                }
                out.warn(match next {
                    Some(next) => format!("{message}\n  next: {next}"),
                    None => message,
                })?;
            }
        }
        Ok(())
    }
}

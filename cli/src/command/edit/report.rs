//! What an edit says when it is done.

use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::package::{CompanionKind, Package, SaveReport, Saved};

use super::place::Place;
use super::{Change, SaveArgs};
use crate::command::save_report;
use crate::failure::Failure;
use crate::output::{self, Output, grouped};

/// What became of a changed package.
pub(super) struct Done<'a> {
    pub(super) file: &'a Path,
    pub(super) package: &'a Package,
    /// The bytes that the package had.
    pub(super) before: &'a [u8],
    /// Whether the change has made a new package.
    pub(super) rebuilt: bool,
    pub(super) saved: &'a Saved,
    /// Where it was written; `None` for a dry run.
    pub(super) target: Option<Place>,
    pub(super) backups: Vec<PathBuf>,
}

impl SaveArgs {
    /// Says it, for people or for scripts.
    pub(super) fn report(
        &self,
        done: &Done<'_>,
        change: &Change,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let (package, saved) = (done.package, done.saved);
        let (before, after) = (done.before.len() as u64, saved.bytes.len() as u64);
        let changed = done.before != saved.bytes || !saved.companions.is_empty();
        let layout =
            if done.rebuilt { "rebuilt".to_owned() } else { save_report::layout(&saved.report) };
        let (output, backup) = (done.target.as_ref().map(Place::shown), first(&done.backups));
        if out.is_json() {
            return out.object(&json!({
                "input": done.file.display().to_string(),
                "output": output,
                "backup": backup,
                "dry_run": self.dry_run,
                "change": change.json,
                "warnings": out.warnings(),
                "changed": changed,
                "layout": layout,
                "moved": save_report::moved_json(&saved.report, package),
                "bytes_before": before,
                "bytes_after": after,
                "resaves_identically": true,
            }));
        }
        change.say(out)?;
        if !changed {
            out.line("the package is the same as before")?;
        }
        match done.rebuilt {
            true => out.line("layout: rebuilt, every body written anew")?,
            false => self.report_layout(&saved.report, out)?,
        }
        // Bulk data stays beside the input; the copy needs it too.
        let apart = package.companions().iter().filter(|file| file.kind != CompanionKind::Exports);
        let is_written = |kind| saved.companions.iter().any(|(written, _)| *written == kind);
        let apart = apart.filter(|file| !is_written(file.kind));
        for file in apart.filter(|_| matches!(done.target, Some(Place::Elsewhere(_)))) {
            out.line(format!("it needs a copy of {} beside it", file.path.display()))?;
        }
        for (kind, bytes) in &saved.companions {
            let bytes = grouped(bytes.len() as u64);
            out.summary(format!("bulk data (.{}): {bytes} bytes", kind.extension()))?;
        }
        for backup in &done.backups {
            out.summary(format!("kept the old one as {}", backup.display()))?;
        }
        let sizes = format!("{} bytes, {} before", grouped(after), grouped(before));
        match output {
            Some(output) if matches!(done.target, Some(Place::LaterPatch(_))) => {
                out.line(format!("for {output}: {sizes}; reopened, re-saves identically"))
            }
            Some(_) if !changed && matches!(done.target, Some(Place::Itself(_))) => {
                out.summary(format!("nothing written: {sizes}; re-saves identically"))
            }
            Some(output) => {
                out.summary(format!("wrote {output}: {sizes}; reopened, re-saves identically"))
            }
            None => {
                out.line(format!("dry run, nothing written: {sizes}; would re-save identically"))
            }
        }
    }

    fn report_layout(&self, report: &SaveReport, out: &mut Output) -> Result<(), Failure> {
        save_report::lines(report).into_iter().try_for_each(|line| out.summary(line))?;
        // Without the lines around it, it is said all the same.
        match output::is_quiet() && save_report::is_forced(report) {
            true => out.warn(save_report::FORCED.to_owned()),
            false => Ok(()),
        }
    }
}

/// The backup of the package itself; that of its bodies has the same number.
pub(super) fn first(backups: &[PathBuf]) -> Option<String> {
    backups.first().map(|path| path.display().to_string())
}

//! What all commands that change a package share: input, output, layout, and the checks around saving.

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args, ValueEnum};
use farchive::package::{CompanionKind, LayoutChoice, Package, SaveOptions, SaveReport, Saved};
use serde_json::{Value, json};

use super::report;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, grouped};

/// Arguments of every command that changes a package.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("target").args(["output", "in_place", "dry_run"])
          .required(true).multiple(true))]
pub struct EditArgs {
    /// The package
    pub file: PathBuf,
    /// Write the changed package here
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place", help_heading = "Saving")]
    output: Option<PathBuf>,
    /// Replace the package by the changed one
    #[arg(long, help_heading = "Saving")]
    in_place: bool,
    /// Report what would be done and write nothing
    #[arg(long, help_heading = "Saving")]
    dry_run: bool,
    /// Which layout to use; auto moves bodies only when they may move
    #[arg(long, value_enum, default_value = "auto", help_heading = "Saving")]
    layout: LayoutArg,
    /// Move only bodies that are known to hold no file positions
    #[arg(long, conflicts_with = "force", help_heading = "Saving")]
    strict: bool,
    /// Move bodies whatever they hold; they may be corrupt afterwards
    #[arg(long, help_heading = "Saving")]
    force: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// `--layout`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LayoutArg {
    /// In place if it fits, else canonical, else keep
    Auto,
    /// The engine's own order, tightly packed
    Canonical,
    /// Bodies stay where they are
    Keep,
}

/// What a command has changed.
pub struct Change {
    /// In words.
    pub text: String,
    /// For scripts.
    pub json: Value,
}

impl EditArgs {
    /// Opens the package, lets `change` change it, saves it and says what was done.
    pub fn run(
        &self,
        out: &mut Output,
        change: impl FnOnce(&mut Package) -> Result<Change, Failure>,
    ) -> CommandResult {
        let target = self.target()?;
        let mut package = self.open.read(&self.file)?;
        let change = change(&mut package)?;
        let options = self.save_options();
        let saved = package.save(&options)?;
        // Before anything is written: a file that is fine now must not be replaced by one that is not.
        self.check(&saved)?;
        if let Some(target) = &target {
            package.save_file(target, &options)?;
            self.check_written(target, &saved)?;
        }
        self.report(&package, &change, &saved, target.as_deref(), out)?;
        Ok(Outcome::Fine)
    }

    fn save_options(&self) -> SaveOptions {
        let layout = match self.layout {
            LayoutArg::Auto => LayoutChoice::Auto,
            LayoutArg::Canonical => LayoutChoice::Canonical,
            LayoutArg::Keep => LayoutChoice::Keep,
        };
        SaveOptions::new().layout(layout).strict(self.strict).force(self.force)
    }

    /// The file to write; `None` for a dry run.
    fn target(&self) -> Result<Option<PathBuf>, Failure> {
        // Through links: the file is to change, not the link to it. One that is not there fails on opening.
        let input = self.file.canonicalize().unwrap_or_else(|_| self.file.clone());
        let Some(output) = &self.output else {
            return Ok((!self.dry_run).then_some(input));
        };
        let shown = output.display();
        if output.is_dir() {
            return Err(Failure::usage(format!(
                "'{shown}' is a folder\n  next: name a file in it"
            )));
        }
        if self.file.exists() && canonical(output).is_some_and(|output| output == input) {
            let next = "use --in-place to replace the input, or name another file";
            return Err(Failure::usage(format!("'{shown}' is the input itself\n  next: {next}")));
        }
        Ok((!self.dry_run).then(|| output.clone()))
    }

    /// Whether the saved bytes open again and re-save identically.
    fn check(&self, saved: &Saved) -> Result<(), Failure> {
        let unsound = |what: String| {
            let file = self.file.display();
            Failure::failed(format!(
                "{file}: the result {what}\n  next: nothing was written; please report it"
            ))
        };
        let reopened = self.open.options()?.open_bytes(saved.bytes.clone());
        let reopened =
            reopened.map_err(|error| unsound(format!("can't be opened again: {error}")))?;
        match reopened.to_bytes() {
            Ok(bytes) if bytes == saved.bytes => Ok(()),
            Ok(_) => Err(unsound("re-saves differently".to_owned())),
            Err(error) => Err(unsound(format!("can't be saved again: {error}"))),
        }
    }

    /// Whether what now stands in the file is what was checked, opens, and re-saves identically.
    fn check_written(&self, target: &Path, saved: &Saved) -> Result<(), Failure> {
        let written = self.open.read(target)?;
        if written.source() != saved.bytes || written.to_bytes()? != saved.bytes {
            let target = target.display();
            return Err(Failure::failed(format!(
                "{target}: what was written is not what was saved"
            )));
        }
        Ok(())
    }

    fn report(
        &self,
        package: &Package,
        change: &Change,
        saved: &Saved,
        target: Option<&Path>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let (before, after) = (package.source().len() as u64, saved.bytes.len() as u64);
        let changed = package.source() != saved.bytes;
        let output = target.map(|target| target.display().to_string());
        if out.is_json() {
            return out.object(&json!({
                "input": self.file.display().to_string(),
                "output": output,
                "dry_run": self.dry_run,
                "change": change.json,
                "changed": changed,
                "layout": report::layout(&saved.report),
                "moved": report::moved_json(&saved.report, package),
                "bytes_before": before,
                "bytes_after": after,
                "resaves_identically": true,
            }));
        }
        out.line(&change.text)?;
        if !changed {
            out.line("the package is the same as before")?;
        }
        self.report_layout(&saved.report, out)?;
        // Bulk data stays beside the input; the copy needs it too.
        let apart = package.companions().iter().filter(|file| file.kind != CompanionKind::Exports);
        for file in apart.filter(|_| target.is_some_and(|target| target != self.file)) {
            out.line(format!("it needs a copy of {} beside it", file.path.display()))?;
        }
        let sizes = format!("{} bytes, {} before", grouped(after), grouped(before));
        match output {
            Some(output) => {
                out.line(format!("wrote {output}: {sizes}; reopened, re-saves identically"))
            }
            None => {
                out.line(format!("dry run, nothing written: {sizes}; would re-save identically"))
            }
        }
    }

    fn report_layout(&self, report: &SaveReport, out: &mut Output) -> Result<(), Failure> {
        report::lines(report).into_iter().try_for_each(|line| out.line(line))
    }
}

/// The true path of a file that may not be there yet.
fn canonical(path: &Path) -> Option<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Some(path);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

//! `upk restore`: a package as it was before it was changed in place.

mod run;

use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use serde_json::json;
use unreal_packages::Error;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::file::{self, Backup, Replacement};
use unreal_packages::package::{CompanionKind, OpenOptions};

use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};

/// Bring back a package as it was before --in-place changed it
///
/// Takes the newest backup (.bak, .bak1, …) that differs from the package, with the .uexp file that was kept
/// with it. What is there now is kept as a backup, too: a second restore takes the first one back. A change
/// that was killed half-way is finished or undone first.
///
/// The packages that a run of `upk edit` has changed in a folder, and in all folders in it, come back together with
/// --run; a package that was changed since is left alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk restore MyMod.u
  upk restore MyMod.u --list
  upk restore MyMod.u --number 0         the oldest: MyMod.u.bak
  upk restore MyMod.u --dry-run --json
  upk restore Levels --run dim           all that `upk edit dim.txt Levels --in-place` has changed")]
pub struct Restore {
    /// The package, not its backup; a folder with --run or --list
    file: PathBuf,
    /// Bring back all packages that this run of `upk edit` has changed in the folder
    #[arg(long, value_name = "NAME", conflicts_with_all = ["number", "list"])]
    run: Option<String>,
    /// Which backup: 0 for .bak, 1 for .bak1
    #[arg(long, value_name = "N")]
    number: Option<u32>,
    /// List the backups that there are; of a folder the runs
    #[arg(long, conflicts_with_all = ["number", "dry_run", "no_backup"])]
    list: bool,
    /// Do not keep what is there now
    #[arg(long)]
    no_backup: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl Restore {
    /// Lists or brings back.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match (&self.run, self.file.is_dir()) {
            (Some(run), true) => return self.restore_run(run, out),
            (None, true) if self.list => return run::list(&self.file, out),
            (Some(_), false) => {
                let next = "name the folder that `upk edit` was given";
                let file = self.file.display();
                return Err(Failure::usage(format!("'{file}' is no folder\n  next: {next}")));
            }
            (None, true) => {
                let next = "name one package in it, or a run: --list shows those that there are";
                let file = self.file.display();
                return Err(Failure::usage(format!("'{file}' is a folder\n  next: {next}")));
            }
            (None, false) => {}
        }
        // Before its path is looked up: it may have no file yet.
        let settled = !self.dry_run && !self.list && file::recover(&self.file)?;
        let through = |path: PathBuf| dunce::canonicalize(&path).unwrap_or(path);
        let file = through(self.file.clone());
        // Each through its own link: that is where they were kept.
        let bodies = through(CompanionKind::Exports.path_beside(&self.file));
        if self.list {
            return list(&file, &bodies, out);
        }
        let backup = match self.number {
            Some(number) => file::backups(&file).into_iter().find(|backup| backup.number == number),
            None => file::latest_backup(&[&file, &bodies])?,
        };
        let Some(backup) = backup else {
            if settled {
                return ended(&file, out);
            }
            return Err(self.nothing(&file));
        };
        let done = self.bring_back(&file, &bodies, &backup)?;
        self.report(&file, &backup, done, out)
    }

    /// Puts a backup in the place of the package: its bytes, and where what was there is kept.
    fn bring_back(
        &self,
        file: &Path,
        bodies: &Path,
        backup: &Backup,
    ) -> Result<(u64, Vec<PathBuf>), Failure> {
        let (header, _) = file::read_found(&backup.path)?;
        let kept_bodies = backup.of(bodies).map(|path| Ok::<_, Error>(file::read_found(&path)?.0));
        // A package that is one file needs no bodies, whatever was kept under that number.
        let is_whole = OpenOptions::new().open_bytes(header.clone()).is_ok();
        let kept_bodies = kept_bodies.transpose()?.filter(|_| !is_whole);
        check(backup, &header, kept_bodies.as_ref())?;
        let mut kept = Vec::new();
        if !self.dry_run {
            let mut replacement = Replacement::new(file, &header);
            match &kept_bodies {
                Some(bytes) => replacement = replacement.with(bodies, bytes),
                // The bodies of what is there now would belong to nothing.
                None if is_split(file) => replacement = replacement.without(bodies),
                None => {}
            }
            let done = replacement.overwrite(true).backup(!self.no_backup).commit()?;
            kept = done.backups;
        }
        let size = (header.len() + kept_bodies.map_or(0, |bodies| bodies.len())) as u64;
        Ok((size, kept))
    }

    fn report(
        &self,
        file: &Path,
        backup: &Backup,
        (size, kept): (u64, Vec<PathBuf>),
        out: &mut Output,
    ) -> CommandResult {
        let from = backup.path.display();
        if out.is_json() {
            let kept = kept.first().map(|path| path.display().to_string());
            out.object(&json!({ "file": file.display().to_string(), "from": from.to_string(),
                                "number": backup.number, "bytes": size, "backup": kept,
                                "dry_run": self.dry_run }))?;
            return Ok(Outcome::Fine);
        }
        let verb = if self.dry_run { "would bring back" } else { "brought back" };
        out.line(format!("{verb} {} from {from}: {} bytes", file.display(), grouped(size)))?;
        for path in kept {
            out.line(format!("kept what was there as {}", path.display()))?;
        }
        Ok(Outcome::Fine)
    }

    fn nothing(&self, file: &Path) -> Failure {
        let shown = file.display();
        let there = file::backups(file).len() as u64;
        match (there, self.number) {
            (0, _) => Failure::failed(format!(
                "'{shown}' has no backup\n  next: --in-place makes one (.bak) with every change"
            )),
            (_, Some(number)) => Failure::failed(format!(
                "'{shown}' has no backup {number}\n  next: --list shows those that there are"
            )),
            (there, None) => {
                let backups = count(there, "backup", "backups");
                Failure::failed(format!(
                    "'{shown}' is the same as its newest backup ({backups})\n  \
                     next: --list shows them, --number takes one"
                ))
            }
        }
    }
}

/// The change that was cut short is ended, and there is nothing else to bring back.
fn ended(file: &Path, out: &mut Output) -> CommandResult {
    let shown = file.display().to_string();
    match out.is_json() {
        true => out.object(&json!({ "file": shown, "from": null, "dry_run": false }))?,
        false => {
            let how = if file.exists() { "ended" } else { "undone" };
            out.line(format!("a change of {shown} that was cut short is {how}; no backup"))?;
        }
    }
    Ok(Outcome::Fine)
}

/// Whether the package that is there now has a file of bodies.
fn is_split(file: &Path) -> bool {
    OpenOptions::new().open(file).is_ok_and(|package| package.split_at().is_some())
}

/// A header without its bodies, or with those of another backup, brings nothing back.
fn check(backup: &Backup, header: &Bytes, bodies: Option<&Bytes>) -> Result<(), Failure> {
    let options = OpenOptions::new();
    let opened = match bodies {
        Some(bodies) => options.open_split(header, bodies),
        None => options.open_bytes(header.clone()),
    };
    let opened = opened.map_err(Error::into_kind);
    match opened.as_ref().err().and_then(UnrealErrors::unreal) {
        Some(kind @ UnrealError::MixedPair { .. }) => {
            let path = backup.path.display();
            let next = "--list shows all backups";
            Err(Failure::failed(format!("{path}: {kind}\n  next: {next}")))
        }
        Some(kind @ UnrealError::MissingBodies { .. }) => {
            let path = backup.path.display();
            let next = "put the .uexp backup beside it";
            Err(Failure::failed(format!("{path}: {kind}\n  next: {next}")))
        }
        // Whatever else it is, it is what was there.
        _ => Ok(()),
    }
}

fn list(file: &Path, bodies: &Path, out: &mut Output) -> CommandResult {
    let backups = file::backups(file);
    for backup in &backups {
        let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
        let other = backup.of(bodies);
        let bytes = size(&backup.path) + other.as_deref().map_or(0, size);
        let path = backup.path.display();
        if out.is_json() {
            let other = other.map(|path| path.display().to_string());
            out.object(&json!({ "number": backup.number, "path": path.to_string(),
                                "bodies": other, "bytes": bytes }))?;
        } else {
            let with = if other.is_some() { " with its .uexp file" } else { "" };
            out.line(format!("{:>3}  {path}{with}, {} bytes", backup.number, grouped(bytes)))?;
        }
    }
    if !out.is_json() {
        out.summary(count(backups.len() as u64, "backup", "backups"))?;
    }
    Ok(Outcome::Fine)
}

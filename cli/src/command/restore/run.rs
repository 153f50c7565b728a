//! All packages of a run, as they were before it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::file::{self, Links, RunMember, Walk, run_members, runs};
use unreal_packages::package::CompanionKind;

use super::Restore;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Why a package of a run is left alone.
const NO_BACKUP: &str = "its backup is gone";
const CHANGED: &str = "it was changed since";

impl Restore {
    /// Brings back all packages that a run has changed in the folder.
    pub(super) fn restore_run(&self, run: &str, out: &mut Output) -> CommandResult {
        let folders = folders(&self.file);
        let Some(folders) = folders.get(run) else {
            let (folder, next) = (self.file.display(), "--list shows the runs that there are");
            return Err(Failure::failed(format!("'{folder}' has no run '{run}'\n  next: {next}")));
        };
        let (mut back, mut same, mut left) = (0_u64, 0_u64, 0_u64);
        for folder in folders {
            for member in run_members(folder, run)? {
                match self.restore_member(&member, out) {
                    Ok(true) => back += 1,
                    Ok(false) => same += 1,
                    Err(failure) => {
                        left += 1;
                        let (path, (reason, _)) = (member.path.display(), failure.parts());
                        match out.is_json() {
                            true => out.object(&json!({ "file": path.to_string(),
                                                        "left_alone": reason }))?,
                            false => out.line(format!("{path}: left alone: {reason}"))?,
                        }
                    }
                }
            }
        }
        if out.is_json() {
            out.object(&json!({ "summary": { "run": run, "brought_back": back, "same": same,
                                             "left_alone": left, "dry_run": self.dry_run } }))?;
        } else {
            let verb = if self.dry_run { "would be brought back" } else { "brought back" };
            let mut parts = vec![format!("{} {verb}", count(back, "package", "packages"))];
            let others = [(same, "already as before the run"), (left, "left alone")];
            parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, it)| format!("{n} {it}")));
            out.line(parts.join(", "))?;
        }
        Ok(if left == 0 { Outcome::Fine } else { Outcome::Wrong })
    }

    /// Whether the package had to be brought back; a failure where it is left alone.
    fn restore_member(&self, member: &RunMember, out: &mut Output) -> Result<bool, Failure> {
        let path = &member.path;
        if !self.dry_run {
            file::recover(path)?;
        }
        let bodies = CompanionKind::Exports.path_beside(path);
        let backup = member.backup().ok_or_else(|| Failure::failed(NO_BACKUP))?;
        if !member.is_untouched()? {
            let is_back = |file: &Path, kept: &Path| {
                Ok::<_, Failure>(file::read_found(file)?.0 == file::read_found(kept)?.0)
            };
            let kept_bodies = backup.of(&bodies);
            let same = is_back(path, &backup.path)?
                && kept_bodies.map_or(Ok(true), |kept| is_back(&bodies, &kept))?;
            return if same { Ok(false) } else { Err(Failure::failed(CHANGED)) };
        }
        let done = self.bring_back(path, &bodies, &backup)?;
        self.report(path, &backup, done, out)?;
        Ok(true)
    }
}

/// The runs in a folder and in all folders in it, each with those that have a list of it.
fn folders(root: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let mut all: Vec<PathBuf> = vec![root.to_path_buf()];
    let files = Walk::new(root, Links::default()).run().files;
    all.extend(files.iter().filter_map(|file| Some(file.parent()?.to_path_buf())));
    all.sort();
    all.dedup();
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for folder in all {
        for run in runs(&folder) {
            found.entry(run).or_default().push(folder.clone());
        }
    }
    found
}

/// Lists the runs.
pub fn list(root: &Path, out: &mut Output) -> CommandResult {
    let found = folders(root);
    for (run, folders) in &found {
        let mut packages = 0_u64;
        for folder in folders {
            packages += run_members(folder, run)?.len() as u64;
        }
        match out.is_json() {
            true => out.object(&json!({ "run": run, "packages": packages }))?,
            false => out.line(format!("{run}: {}", count(packages, "package", "packages")))?,
        }
    }
    if !out.is_json() {
        out.summary(count(found.len() as u64, "run", "runs"))?;
    }
    Ok(Outcome::Fine)
}

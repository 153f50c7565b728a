//! What `--fix` mends: in all packages, or in none.

use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::container::Containers;
use unreal_packages::edit::Edit;
use unreal_packages::environment::{Environment, Repair, RepairReason, Repairs};
use unreal_packages::file::Run;
use unreal_packages::version::UnrealVersions;

use crate::args::OpenArgs;
use crate::command::edit::{Change, SaveArgs};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// A file, and what is mended in it.
type FileRepairs<'a> = (&'a Path, &'a [Repair]);

/// Mends what can be mended. Every package is changed and proved before the first is written; where one can't be, none
/// is.
pub fn fix(
    environment: &Environment,
    open: &OpenArgs,
    dry_run: bool,
    out: &mut Output,
) -> CommandResult {
    let Repairs { repairs, ambiguous } = environment.repairs();
    let all = repairs.iter().map(|(id, repairs)| (&*environment.file(*id).path, &repairs[..]));
    let (inside, files): (Vec<FileRepairs<'_>>, Vec<FileRepairs<'_>>) =
        all.partition(|(path, _)| Containers::split(path).is_some());
    let mut left = Vec::new();
    for (path, repairs) in inside {
        let reason = "it lies in a container, which is not changed in place";
        left.extend(
            repairs
                .iter()
                .map(|it| (path.display().to_string(), it.old.clone(), reason.to_owned())),
        );
    }
    for (package, old, several) in ambiguous {
        left.push((package, old, format!("several could be meant: {}", several.join(", "))));
    }
    let trial = SaveArgs::for_run(open.clone(), true);
    let mut failed = 0;
    for (path, repairs) in &files {
        // As files of Perforce are that are not opened for edit: found before another one was written.
        if path.metadata().is_ok_and(|it| it.permissions().readonly()) {
            out.warn(format!("{}: it is read-only\n  next: check it out first", path.display()))?;
            failed += 1;
            continue;
        }
        let mut kept = Output::keeping(out.is_json());
        if let Err(failure) = carry_out(&trial, path, repairs, &mut kept) {
            let (message, _) = failure.parts();
            out.warn(format!("{}: {message}", path.display()))?;
            failed += 1;
        }
    }
    let is_written = failed == 0 && !dry_run && !files.is_empty();
    let mut run = is_written.then(|| started(&files));
    if let Some(run) = &mut run {
        let save = SaveArgs::for_run(open.clone(), false);
        for (path, repairs) in &files {
            let mut kept = Output::keeping(out.is_json());
            let edited = carry_out(&save, path, repairs, &mut kept).map_err(|failure| {
                let (message, _) = failure.parts();
                let next =
                    format!("upk restore FOLDER --run {} brings back those before it", run.name());
                Failure::failed(format!("{}: {message}\n  next: {next}", path.display()))
            })?;
            run.add(&edited.replaced)?;
        }
    }
    if failed == 0 {
        for (path, repairs) in &files {
            for repair in *repairs {
                say(path, repair, dry_run, out)?;
            }
        }
    }
    for (place, old, reason) in &left {
        match out.is_json() {
            true => out.object(&json!({ "left": old, "in": place, "reason": reason }))?,
            false => out.line(format!("left: {old} in {place}: {reason}"))?,
        }
    }
    let references: usize = files.iter().map(|(_, repairs)| repairs.len()).sum();
    let name = run.as_ref().map(Run::name);
    if out.is_json() {
        out.object(&json!({ "summary": {
            "packages": files.len(), "references": references, "left": left.len(), "failed": failed,
            "dry_run": dry_run, "written": is_written, "run": name } }))?;
    } else {
        let packages = count(files.len() as u64, "package", "packages");
        let references = count(references as u64, "reference", "references");
        out.line(match (failed, dry_run) {
            (0, false) => format!("{references} mended in {packages}, {} left", left.len()),
            (0, true) => format!("{references} would be mended in {packages}, {} left", left.len()),
            _ => format!("{failed} of {packages} can't be mended, so that nothing was written"),
        })?;
        if let Some(name) = name {
            out.line(format!("`upk restore FOLDER --run {name}` brings them back"))?;
        }
    }
    Ok(if failed == 0 { Outcome::Fine } else { Outcome::Wrong })
}

fn carry_out(
    save: &SaveArgs,
    path: &Path,
    repairs: &[Repair],
    out: &mut Output,
) -> Result<crate::command::edit::Edited, Failure> {
    save.apply_replacing(path, out, |edit| {
        for repair in repairs {
            mend(edit, repair)?;
        }
        let text = count(repairs.len() as u64, "reference", "references");
        Ok(Change { text: format!("{text} mended"), json: json!({ "kind": "fix" }) })
    })
}

/// One reference, through the editor.
fn mend(edit: &mut Edit, repair: &Repair) -> Result<(), Failure> {
    let Repair { reason, old, new, class } = repair;
    let is_soft = *reason == RepairReason::Moved || class.is_empty();
    match () {
        () if is_soft => drop(edit.retarget_soft(old, new)?),
        // Where both are imported already, what used the old one uses the other.
        () if edit.can_redirect(old, new) => {
            edit.redirect(old, new, false)?;
            if edit.versions().has_soft_references() {
                // A package need not refer to it softly as well.
                let _ = edit.retarget_soft(old, new);
            }
        }
        () if edit.versions().has_soft_references() => drop(edit.retarget(old, new)?),
        () => drop(edit.retarget_import(old, new, class)?),
    }
    // Or the package of the redirector would still be loaded, and be needed.
    let package = old.split('.').next().unwrap_or(old);
    Ok(edit.drop_unused_imports(package)?)
}

fn say(path: &Path, repair: &Repair, dry_run: bool, out: &mut Output) -> Result<(), Failure> {
    let Repair { reason, old, new, .. } = repair;
    let path = path.display().to_string();
    if out.is_json() {
        return out.object(&json!({ "path": path, "repair": repair, "dry_run": dry_run }));
    }
    let why = match reason {
        RepairReason::Redirector => "a redirector leads there",
        RepairReason::Moved => "the only package with this name and all that is referred to",
    };
    out.line(format!("{path}: {old} -> {new} ({why})"))
}

/// The list of the backups that belong together.
fn started(files: &[FileRepairs<'_>]) -> Run {
    let folders = files
        .iter()
        .filter_map(|(path, _)| Some(dunce::canonicalize(path).ok()?.parent()?.to_owned()));
    let mut folders: Vec<PathBuf> = folders.collect();
    folders.sort();
    folders.dedup();
    Run::named_freely("doctor-fix", folders.iter().map(PathBuf::as_path))
}

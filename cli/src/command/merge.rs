//! `upk merge`: what two people have changed in one package.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::edit::{
    EditOptions, MergeConflict, MergeOptions, MergePreference, Merged, conflict_file,
};
use unreal_packages::file::{Replacement, create_new};
use unreal_packages::package::{Package, SaveOptions, Saved};

use super::texts::{self, Texts};
use crate::args::{OpenArgs, read_text};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::lfs::Pointer;
use crate::output::{Output, count};
use crate::target::Target;

/// Merge two changed packages that come from one: by object, property, element, row and function
///
/// OURS gets what THEIRS has changed since BASE: objects that came, went or were renamed, flags, properties,
/// elements of arrays, rows of tables, code. Where both have changed one place, or a change can't be carried
/// over, all conflicts are listed with both values, nothing is written and the exit code is 1. What only says
/// which save this is, or what each save makes anew (GUIDs of a save, thumbnails, tags of the asset registry),
/// is never a conflict: where both have changed it, it stays as in OURS. The result is compared with
/// BASE before it is written: each change of either side must be in it, and nothing else.
///
/// Texts of a language (`.locres`, `.int` and its kin) are merged by key and column, registries of assets by asset and tag.
///
/// OUT may be OURS itself, as git wants it of a merge driver: `upk git-setup` makes this command one. Pointers of Git LFS
/// stand for the packages whose objects are at hand, and where OURS is one, OUT becomes one as well.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk merge Base.u Ours.u Theirs.u -o Out.u
  upk merge Base.u Ours.u Theirs.u -o Out.u --prefer theirs
  upk merge Base.u Ours.u Theirs.u -o Out.u --ours Lamp --theirs Door.bLocked
  upk merge Base.u Ours.u Theirs.u --dry-run --conflicts conflicts.txt
  upk merge Base.u Ours.u Theirs.u -o Out.u --resolve conflicts.txt
  upk merge Base.u Ours.u Theirs.u --dry-run --json
  upk merge Base.locres Ours.locres Theirs.locres -o Out.locres

Exit codes: 0 merged; 1 conflicts, and nothing is written; 2 wrong usage or unreadable input.")]
pub struct Merge {
    /// The package that both come from
    base: PathBuf,
    /// The one that is merged into
    ours: PathBuf,
    /// The other one
    theirs: PathBuf,
    /// Write the merged package here: OURS itself, or a new file; - for standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "dry_run")]
    output: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, requires = "output")]
    overwrite: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Whose value holds where both have changed one
    #[arg(long, value_enum, value_name = "SIDE")]
    prefer: Option<PreferredSide>,
    /// OURS holds at this path, whatever holds elsewhere: a conflict's, an object's, or `header`
    #[arg(long = "ours", value_name = "PATH")]
    ours_at: Vec<String>,
    /// THEIRS holds at this path
    #[arg(long = "theirs", value_name = "PATH")]
    theirs_at: Vec<String>,
    /// Write the conflicts to this file, to be edited and given to --resolve
    #[arg(long, value_name = "FILE")]
    conflicts: Option<PathBuf>,
    /// Take the choices of this edited conflict file
    #[arg(long, value_name = "FILE")]
    resolve: Option<PathBuf>,
    /// What messages call the package: the files of a merge driver have names that say nothing
    #[arg(long, value_name = "NAME")]
    path: Option<String>,
    #[command(flatten)]
    open: OpenArgs,
}

/// `--prefer`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PreferredSide {
    /// That of OURS
    Ours,
    /// That of THEIRS
    Theirs,
}

/// Where the result goes.
enum MergeTarget {
    /// Over OURS.
    Ours,
    /// Elsewhere.
    Elsewhere(Target),
}

impl Merge {
    /// Merges and saves. Of a merge driver everything that can't be merged is a conflict, with its reason: git leaves
    /// the file as OURS, says that it is unmerged and goes on with the others.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let Some(name) = &self.path else { return self.merge(out) };
        self.merge(out).map_err(|failure| {
            let (message, next) = failure.parts();
            let next = next.unwrap_or_else(|| {
                "git checkout --ours, or --theirs, and git add decide which of both stays"
                    .to_owned()
            });
            // Git's own words for the three files say nothing to whoever reads them.
            let sides = [(&self.base, "BASE"), (&self.ours, "OURS"), (&self.theirs, "THEIRS")];
            let message = sides.iter().fold(message, |message, (path, side)| {
                message.replace(&*path.display().to_string(), side)
            });
            let message = match message.strip_prefix(&format!("{name}: ")) {
                Some(message) => message.to_owned(),
                None => message,
            };
            Failure::failed(format!("{name}: not merged: {message}\n  next: {next}"))
        })
    }

    fn merge(&self, out: &mut Output) -> CommandResult {
        let options = self.options()?;
        let named = self.path.as_deref().map_or(&*self.ours, Path::new);
        let open = |path: &Path| texts::open_named(path, named);
        if let Some(ours) = open(&self.ours)? {
            let no_texts = || {
                Failure::failed(
                    "all three have to be texts of a language, or registries of assets".to_owned(),
                )
            };
            let [base, theirs] = [open(&self.base)?, open(&self.theirs)?];
            let (base, theirs) = base.zip(theirs).ok_or_else(no_texts)?;
            return self.texts([base, ours, theirs], &options, out);
        }
        let base = self.side(&self.base, "BASE")?;
        let mut ours = self.side(&self.ours, "OURS")?;
        let theirs = self.side(&self.theirs, "THEIRS")?;
        let target = self.target(Form::of(&ours), out)?;
        let done = SaveOptions::new().edit(&mut ours, |edit| {
            // What looks wrong was put there on one of the sides.
            edit.set_checks(false);
            edit.merge(&base, &theirs, &options)
        });
        let (merged, saved) = done.map_err(|error| match &self.path {
            Some(path) => Failure::from(error).of_file(path),
            None => error.into(),
        })?;
        self.write_conflicts(&merged)?;
        let target = target.filter(|_| merged.conflicts.is_empty() && !self.dry_run);
        match &target {
            Some(MergeTarget::Ours) if Pointer::at(&self.ours).is_some() => {
                let stored = Pointer::store(whole(&saved)?)?.text();
                Replacement::new(&self.ours, stored.as_bytes()).overwrite(true).commit()?;
            }
            Some(MergeTarget::Ours) => {
                saved.replacement(&self.ours).overwrite(true).commit()?;
            }
            Some(MergeTarget::Elsewhere(target)) => target.write_package(&saved, out)?,
            None => {}
        }
        self.tell(target, &merged, ("object", "objects"), out)
    }

    /// Merges texts of a language, or registries of assets.
    fn texts(
        &self,
        [base, mut ours, theirs]: [Texts; 3],
        options: &MergeOptions,
        out: &mut Output,
    ) -> CommandResult {
        let target = self.target(Form::Any, out)?;
        let merged = ours.merge(&base, &theirs, options)?;
        self.write_conflicts(&merged)?;
        let target = target.filter(|_| merged.conflicts.is_empty() && !self.dry_run);
        match &target {
            Some(MergeTarget::Ours) => {
                let bytes = ours.save()?;
                Replacement::new(&self.ours, &bytes).overwrite(true).commit()?;
            }
            Some(MergeTarget::Elsewhere(target)) => target.write(&ours.save()?, out)?,
            None => {}
        }
        self.tell(target, &merged, ("row", "rows"), out)
    }

    fn options(&self) -> Result<MergeOptions, Failure> {
        let preference = match self.prefer {
            None => MergePreference::Neither,
            Some(PreferredSide::Ours) => MergePreference::Ours,
            Some(PreferredSide::Theirs) => MergePreference::Theirs,
        };
        let mut options = MergeOptions::new().prefer(preference);
        if let Some(path) = &self.resolve {
            options = options
                .resolve(&read_text(path)?)
                .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        }
        let sides =
            [(&self.ours_at, MergePreference::Ours), (&self.theirs_at, MergePreference::Theirs)];
        for (paths, side) in sides {
            options = paths.iter().fold(options, |options, path| options.choose(path, side));
        }
        Ok(options)
    }

    fn write_conflicts(&self, merged: &Merged) -> Result<(), Failure> {
        let conflicts = &merged.conflicts;
        let Some(path) = self.conflicts.as_ref().filter(|_| !conflicts.is_empty()) else {
            return Ok(());
        };
        // One that is there may have been edited.
        create_new(path)?
            .write_all(conflict_file(conflicts).as_bytes())
            .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
    }

    fn tell(
        &self,
        target: Option<MergeTarget>,
        merged: &Merged,
        nouns: (&str, &str),
        out: &mut Output,
    ) -> CommandResult {
        let written = target.map(|target| match target {
            MergeTarget::Ours => self.ours.display().to_string(),
            MergeTarget::Elsewhere(target) => target.shown(),
        });
        match out.is_json() {
            true => out.object(&json!({
                "base": self.base.display().to_string(),
                "ours": self.ours.display().to_string(),
                "theirs": self.theirs.display().to_string(),
                "output": written,
                "dry_run": self.dry_run,
                "merge": merged,
            }))?,
            false => self.report(merged, written.as_deref(), nouns, out)?,
        }
        Ok(if merged.conflicts.is_empty() { Outcome::Fine } else { Outcome::Wrong })
    }

    /// One of the three packages; of a pointer of Git LFS the one that it stands for.
    fn side(&self, path: &Path, side: &str) -> Result<Package, Failure> {
        if self.path.is_some() && path.metadata().is_ok_and(|it| it.len() == 0) {
            let reason = match side {
                "BASE" => "both sides have added it, so that there is nothing that both come from",
                _ => "it is an empty file",
            };
            return Err(Failure::failed(format!("{side}: {reason}")));
        }
        match Pointer::at(path) {
            Some(pointer) => self.open.open(&pointer.object().map_err(|it| it.of_file(side))?),
            None => self.open.open(path),
        }
    }

    /// Over OURS if that is what is named; another file as everywhere.
    fn target(&self, ours: Form, out: &mut Output) -> Result<Option<MergeTarget>, Failure> {
        let Some(output) = self.output.as_ref().filter(|_| !self.dry_run) else { return Ok(None) };
        let full = |path: &PathBuf| dunce::canonicalize(path).ok();
        if full(output).is_some_and(|path| Some(path) == full(&self.ours)) {
            return Ok(Some(MergeTarget::Ours));
        }
        let target = Target::for_package(output, self.overwrite, ours, &self.ours, out)?;
        Ok(Some(MergeTarget::Elsewhere(target)))
    }

    fn report(
        &self,
        merged: &Merged,
        written: Option<&str>,
        (one, many): (&str, &str),
        out: &mut Output,
    ) -> Result<(), Failure> {
        let name = self.path.clone().unwrap_or_else(|| self.ours.display().to_string());
        let mut list = |what: &str, conflicts: &[MergeConflict]| -> Result<(), Failure> {
            for conflict in conflicts {
                let text = conflict.to_string();
                for (at, line) in text.lines().enumerate() {
                    out.line(if at == 0 { format!("{what} {line}") } else { line.to_owned() })?;
                }
            }
            Ok(())
        };
        list("conflict", &merged.conflicts)?;
        list("preferred", &merged.preferred)?;
        if !merged.conflicts.is_empty() {
            let number = merged.conflicts.len() as u64;
            let conflicts = count(number, "conflict", "conflicts");
            out.line(format!("{name}: {conflicts}, nothing written"))?;
            return out.line(
                "  next: --prefer ours or --prefer theirs, --ours PATH or --theirs PATH for one of them, or \
                 --conflicts FILE and, edited, --resolve FILE",
            );
        }
        for kept in &merged.kept {
            out.line(format!("kept as in OURS, header {kept}"))?;
        }
        let Merged { taken, combined, removed, renamed, .. } = merged;
        out.line(format!(
            "{name}: {} taken over, {} combined, {} removed, {} renamed",
            count(taken.len() as u64, one, many),
            combined.len(),
            removed.len(),
            renamed.len(),
        ))?;
        out.summary(match written {
            // To git it goes under a name of git's own.
            Some(file) => format!("wrote {}", self.path.as_deref().unwrap_or(file)),
            None => "dry run, nothing written".to_owned(),
        })
    }
}

/// The bytes of a package in one file: a pointer stands for one object.
fn whole(saved: &Saved) -> Result<&[u8], Failure> {
    match saved.split.is_none() && saved.companions.is_empty() {
        true => Ok(&saved.bytes),
        false => Err(Failure::failed(
            "the package is several files, and a pointer of Git LFS stands for one",
        )),
    }
}

//! What all commands that change a package share: input, output, layout, and the checks around saving.

mod many;
mod place;
mod prepared;
mod proof;
mod report;
mod warnings;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use unreal_packages::edit::{Edit, EditOptions, PackageEdit, converted};

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::{Value, json};
use unreal_packages::Guid;
use unreal_packages::compression::{ContainerForm, Storage};
use unreal_packages::file::{Replaced, Replacement, recover};
use unreal_packages::package::{LayoutChoice, OpenOptions, Package, SaveOptions, Saved};
use unreal_packages::version::UnrealVersions;

pub use self::many::{EachPackage, ManyPackages, are_many};
use self::place::Place;
pub use self::prepared::Prepared;
use self::report::{Done, first};
use self::warnings::warnings;
use crate::args::{self, OpenArgs};
use crate::containers::{Patch, is_patch};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::input;
use crate::output::{Output, count, grouped};

/// Arguments of every command that changes the package named first.
#[derive(Debug, Args)]
pub struct EditArgs {
    /// The package
    pub file: PathBuf,
    #[command(flatten)]
    pub save: SaveArgs,
}

/// Where a changed package goes, and how it is saved.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("target").args(["output", "in_place", "dry_run"])
          .required(true).multiple(true))]
pub struct SaveArgs {
    /// Write the changed package here; - for standard output
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place", help_heading = "Saving")]
    output: Option<PathBuf>,
    /// Replace the package by the changed one; the old one stays beside it as .bak
    #[arg(long, help_heading = "Saving")]
    in_place: bool,
    /// Keep no .bak
    #[arg(long, requires = "in_place", conflicts_with = "output", help_heading = "Saving")]
    no_backup: bool,
    /// Replace a file that is there
    #[arg(long, requires = "output", help_heading = "Saving")]
    overwrite: bool,
    /// Report what would be done and write nothing
    #[arg(long, help_heading = "Saving")]
    dry_run: bool,
    /// Which layout to use; auto moves bodies only when they may move
    #[arg(long, value_enum, default_value = "auto", help_heading = "Saving")]
    layout: LayoutArg,
    /// Move only bodies that are known to hold no file positions
    #[arg(long, conflicts_with = "move_undecoded", help_heading = "Saving")]
    strict: bool,
    /// Move bodies that are not decoded even if they seem to hold file positions: they may be corrupt afterwards
    #[arg(long, help_heading = "Saving")]
    move_undecoded: bool,
    /// Do what is refused because it looks wrong: values of another class or that their enum lacks, odd names
    #[arg(long, help_heading = "Saving")]
    force: bool,
    /// Make it a package of its own: a new GUID and, in UE1 to UE3, one generation, so that nobody takes it for
    /// the one that players have
    #[arg(long, help_heading = "Saving")]
    new_guid: bool,
    #[command(flatten)]
    pub open: OpenArgs,
    /// The patch that takes all packages that are edited, and is written when all are done.
    #[arg(skip)]
    patch: OnceLock<Arc<Patch>>,
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

impl Change {
    /// Says it in words, each line as one: [`Output::line`] would escape what ends them.
    fn say(&self, out: &mut Output) -> Result<(), Failure> {
        self.text.lines().try_for_each(|line| out.line(line))
    }

    /// What could not be kept true.
    fn tell_notes(&mut self, notes: &[String]) {
        if notes.is_empty() {
            return;
        }
        for note in notes {
            self.text.push_str(&format!("\ncare: {note}"));
        }
        match self.json.get_mut("care").and_then(Value::as_array_mut) {
            Some(known) => known.extend(notes.iter().map(|note| json!(note))),
            None => self.json["care"] = json!(notes),
        }
    }

    /// The package is one of its own now.
    fn tell_guid(&mut self, old: Guid, new: Guid) {
        self.text.push_str(&format!("\nGUID {new}, was {old}"));
        self.json["new_guid"] = json!(new);
    }
}

/// A package that was edited.
pub struct Edited {
    /// Whether its bytes are others now.
    pub is_changed: bool,
    /// The files that were replaced in place, and their backups.
    pub replaced: Replaced,
}

/// A command that changes a package.
pub trait Editing {
    /// Changes the package that was opened from `file`.
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure>;
}

impl EditArgs {
    /// Opens the package, lets a command change it, saves it and says what was done.
    pub fn apply(&self, command: &dyn Editing, out: &mut Output) -> CommandResult {
        self.save.apply(&self.file, out, |edit| command.change(edit, &self.file))
    }

    /// Opens the package and stores it in this way.
    pub fn run_stored(
        &self,
        storage: Storage,
        out: &mut Output,
        change: impl FnOnce(&mut Package) -> Result<Change, Failure>,
    ) -> CommandResult {
        let options = self.save.save_options().storage(storage);
        self.save.run_with(&self.file, out, options, None, |package| {
            if package.container().is_some_and(|it| it.form() == ContainerForm::Zen) {
                return Err(Failure::failed(
                    "it is a zen package, which is not compressed\n  next: upk convert --to legacy makes \
                     .uasset and .uexp of it",
                ));
            }
            change(package)
        })
    }

    /// What the written file is called, without its extension; `None` for a dry run.
    pub fn target_stem(&self) -> Option<String> {
        let save = &self.save;
        let file = save.output.as_ref().or(save.in_place.then_some(&self.file))?;
        Some(file.file_stem()?.to_string_lossy().into_owned())
    }

    /// Writes a file of this form that is no package, in the way that packages are written.
    pub fn write(
        &self,
        bytes: &[u8],
        form: Form,
        change: &Change,
        out: &mut Output,
    ) -> CommandResult {
        self.save.write(&self.file, bytes, form, change, out)
    }
}

impl SaveArgs {
    /// As [`EditArgs::write`], for commands that name their file otherwise.
    pub fn write_bytes(
        &self,
        file: &Path,
        bytes: &[u8],
        change: &Change,
        out: &mut Output,
    ) -> CommandResult {
        self.write(file, bytes, Form::Any, change, out)
    }

    /// Opens `file`, lets `change` change it, saves it and says what was done: any number of changes, one
    /// layout and one proof.
    pub fn apply(
        &self,
        file: &Path,
        out: &mut Output,
        change: impl FnOnce(&mut Edit) -> Result<Change, Failure>,
    ) -> CommandResult {
        self.apply_replacing(file, out, change).map(|_| Outcome::Fine)
    }

    /// The same; what was replaced in place.
    pub fn apply_replacing(
        &self,
        file: &Path,
        out: &mut Output,
        change: impl FnOnce(&mut Edit) -> Result<Change, Failure>,
    ) -> Result<Edited, Failure> {
        let options = self.save_options();
        self.save_changed(file, out, |package| {
            let before = package.guid();
            options.edit(package, |edit| {
                self.prepare(edit);
                let mut change = change(edit)?;
                change.tell_notes(edit.notes());
                if self.new_guid {
                    change.tell_guid(before, edit.renew_identity()?);
                }
                Ok(change)
            })
        })
    }

    /// Opens `file`, and saves it for another file version.
    pub fn run_for_version(
        &self,
        file: &Path,
        out: &mut Output,
        version: u32,
        change: impl FnOnce(&mut Package) -> Result<Change, Failure>,
    ) -> CommandResult {
        self.run_with(file, out, self.save_options(), Some(version), change)
    }

    /// Opens `file`, and writes what `convert` saves it as.
    pub fn run_converted(
        &self,
        file: &Path,
        out: &mut Output,
        convert: impl FnOnce(&Package, &SaveOptions) -> Result<(Change, Saved), Failure>,
    ) -> CommandResult {
        let options = self.save_options();
        let saved = self.save_changed(file, out, |package| convert(package, &options));
        saved.map(|_| Outcome::Fine)
    }

    fn run_with(
        &self,
        file: &Path,
        out: &mut Output,
        options: SaveOptions,
        version: Option<u32>,
        change: impl FnOnce(&mut Package) -> Result<Change, Failure>,
    ) -> CommandResult {
        let saved = self.save_changed(file, out, |package| {
            let before = package.guid();
            let mut change = change(package)?;
            if self.new_guid {
                change.tell_guid(before, package.edit(|edit| edit.renew_identity())?);
            }
            let saved = match version {
                Some(version) => converted(package, version)?.save(&options)?,
                None => package.save(&options)?,
            };
            // Before anything is written: a file that is fine now must not be replaced by one that is not.
            self.check(&self.options_for(file, package)?, file, &saved)?;
            Ok((change, saved))
        });
        saved.map(|_| Outcome::Fine)
    }

    fn save_changed(
        &self,
        file: &Path,
        out: &mut Output,
        work: impl FnOnce(&mut Package) -> Result<(Change, Saved), Failure>,
    ) -> Result<Edited, Failure> {
        if self.in_place && !self.dry_run && !input::is_standard(file) {
            // What a killed run has left half done is ended before it is read.
            recover(file)?;
        }
        let mut package = self.open.open(file)?;
        let target = self.target(file, Form::of(&package), out)?;
        // Some changes rebuild the package, which then has another source.
        let before = package.clone();
        let (change, saved) = work(&mut package)?;
        for text in warnings(&change, &package, &before) {
            out.warn(text)?;
        }
        if self.move_undecoded {
            self.warn_of_positions(&self.options_for(file, &package)?, &saved, out)?;
        }
        let is_changed = before.file() != saved.bytes || !saved.companions.is_empty();
        let mut replaced = Replaced::default();
        match &target {
            Some(Place::Itself(path)) if is_changed => {
                let backup = !self.no_backup;
                let replacement = saved.replacement(path).overwrite(true).backup(backup);
                replaced = replacement.commit()?;
                Self::check_written(path, &saved)?;
            }
            Some(Place::Patch(patch)) => {
                patch.add(file, &saved)?;
                patch.write(self.open.engine)?;
            }
            Some(Place::LaterPatch(patch)) if is_changed => patch.add(file, &saved)?,
            // What is the same is not written: nothing that watches the file takes it for another one.
            Some(Place::Itself(_) | Place::LaterPatch(_)) => {}
            Some(Place::Elsewhere(target)) => {
                target.write_package(&saved, out)?;
                if let Some(path) = target.path() {
                    Self::check_written(path, &saved)?;
                }
            }
            None => {}
        }
        let rebuilt = package.source() != before.source();
        let (package, before, saved) = (&package, before.file(), &saved);
        let backups = replaced.backups.clone();
        let done = Done { file, package, before, rebuilt, saved, target, backups };
        self.report(&done, &change, out)?;
        Ok(Edited { is_changed, replaced })
    }

    /// What looks wrong is done where it is forced.
    pub fn prepare(&self, edit: &mut Edit) {
        edit.set_checks(!self.force);
    }

    /// In place with backups, or nothing written: for commands that choose what they edit.
    pub fn for_run(open: OpenArgs, dry_run: bool) -> Self {
        Self {
            output: None,
            in_place: !dry_run,
            no_backup: false,
            overwrite: false,
            dry_run,
            layout: LayoutArg::Auto,
            strict: false,
            move_undecoded: false,
            force: false,
            new_guid: false,
            open,
            patch: OnceLock::new(),
        }
    }

    /// Whether several packages can be saved so.
    fn takes_many(&self) -> bool {
        self.output.as_ref().is_none_or(|output| is_patch(output))
    }

    /// The patch that takes what all of these files become, if one is written; it is for the container of the first.
    pub fn start_patch(&self, files: &[PathBuf]) -> Result<Option<Arc<Patch>>, Failure> {
        let Some(output) = self.output.as_ref().filter(|output| is_patch(output)) else {
            return Ok(None);
        };
        let Some(first) = files.first() else { return Ok(None) };
        let patch = Arc::new(Patch::new(output, self.overwrite || self.dry_run, first)?);
        Ok(Some(self.patch.get_or_init(|| patch).clone()))
    }

    /// Writes the patch that has taken several packages, and says so.
    pub fn write_patch(&self, patch: &Patch, out: &mut Output) -> Result<(), Failure> {
        let files = patch.write(self.open.engine)?;
        let shown = patch.shown();
        match (out.is_json(), files) {
            (true, _) => {
                let patch = (files > 0).then_some(shown);
                out.object(&json!({ "patch": patch, "files": files }))
            }
            (false, 0) => out.line("no package has changed: no patch was written"),
            (false, _) => {
                let files = count(files as u64, "file", "files");
                out.summary(format!("wrote {shown}: {files}"))
            }
        }
    }

    /// Whether packages are replaced, and what was there is kept.
    pub fn keeps_backups(&self) -> bool {
        self.in_place && !self.dry_run && !self.no_backup
    }

    /// Whether what looks wrong is done all the same.
    pub fn is_forced(&self) -> bool {
        self.force
    }

    /// Whether the package itself is replaced.
    pub fn is_in_place(&self) -> bool {
        self.in_place
    }

    /// Whether nothing is written.
    pub fn is_dry(&self) -> bool {
        self.dry_run
    }

    fn save_options(&self) -> SaveOptions {
        let layout = match self.layout {
            LayoutArg::Auto => LayoutChoice::Auto,
            LayoutArg::Canonical => LayoutChoice::Canonical,
            LayoutArg::Keep => LayoutChoice::Keep,
        };
        SaveOptions::new().layout(layout).strict(self.strict).force(self.move_undecoded)
    }

    fn write(
        &self,
        file: &Path,
        bytes: &[u8],
        form: Form,
        change: &Change,
        out: &mut Output,
    ) -> CommandResult {
        let ((before, state), target) = (args::read_state(file)?, self.target(file, form, out)?);
        let mut backups = Vec::new();
        match &target {
            Some(Place::Itself(path)) => {
                let backup = !self.no_backup && before != bytes;
                form.check_like(path, file)?;
                let replacement = Replacement::new(path, bytes).overwrite(true).backup(backup);
                backups = replacement.read(state.as_slice()).commit()?.backups;
            }
            Some(Place::Elsewhere(target)) => target.write(bytes, out)?,
            Some(Place::Patch(patch)) => {
                patch.add_file(file, bytes)?;
                patch.write(self.open.engine)?;
            }
            Some(Place::LaterPatch(patch)) => patch.add_file(file, bytes)?,
            None => {}
        }
        let (before, after) = (before.len() as u64, bytes.len() as u64);
        let (output, backup) = (target.as_ref().map(Place::shown), first(&backups));
        if out.is_json() {
            out.object(&json!({
                "input": file.display().to_string(),
                "output": output,
                "backup": backup,
                "dry_run": self.dry_run,
                "change": change.json,
                "bytes_before": before,
                "bytes_after": after,
            }))?;
            return Ok(Outcome::Fine);
        }
        change.say(out)?;
        let sizes = format!("{} bytes, {} before", grouped(after), grouped(before));
        out.summary(match output {
            Some(output) => format!("wrote {output}: {sizes}"),
            None => format!("dry run, nothing written: {sizes}"),
        })?;
        Ok(Outcome::Fine)
    }

    /// How what was saved is opened again: with the release that the package was read as.
    fn options_for(&self, file: &Path, package: &Package) -> Result<OpenOptions, Failure> {
        let options = self.open.options(file)?;
        let release = package.versions().release();
        let release = release.filter(|_| package.summary().versions.is_unversioned());
        Ok(release.into_iter().fold(options, OpenOptions::engine))
    }
}

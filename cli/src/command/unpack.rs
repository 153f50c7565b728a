//! `upk unpack`: the file inside one that game servers hand out, the files in a container.

mod container;
mod legacy;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::compression::redirect::Redirect;
use unreal_packages::container::GameContainer;

use self::legacy::LegacyForm;
use crate::args::{self, OpenArgs};
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::{OverwriteArgs, Target};

/// Unpack a file that game servers hand out for download (.uz, .uz2, .uz3), or a container (.pak, .utoc)
///
/// Of a container the files are written into a folder, each under its whole path; a folder or file in it may be
/// named alone. Their hashes must be right: a file that is damaged is not written, and the exit code is 1. So it is
/// where a file can't have its own name on every system: then it gets a free one, and both names are said. Names that
/// lead out of the folder or that programs act on (.git, upk.toml) are not written.
///
/// Packages of IoStore containers (.utoc) are written in their zen form, with --legacy as the .uasset and .uexp that they
/// were cooked as, as far as a container says it (see `upk convert --help`); `upk pack` makes zen packages of those again.
///
/// The file's content shows what it is. A .uz file notes the name of the file inside, which is said but never
/// used as a path.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk unpack MyMod.u.uz -o MyMod.u
  upk unpack MyMod.u.uz2 -o MyMod.u --json
  upk unpack Game.pak -o Files
  upk unpack Game.pak/Game/Content/Maps -o Files    one folder in it
  upk unpack Town.utoc -o Cooked --legacy --script-objects ScriptObjects.bin")]
pub struct Unpack {
    /// The packed file; - for standard input; a container, or a folder in one
    file: PathBuf,
    /// Write the file inside here; - for standard output; a folder for the files of a container
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Let all files of a container together become this large (else 64M, or 64 times the container)
    #[arg(long, value_name = "SIZE", value_parser = OpenArgs::size)]
    max_total: Option<u64>,
    /// Of an IoStore container: write packages as .uasset and .uexp
    #[arg(long)]
    legacy: bool,
    /// With --legacy: call imports of which only a hash is known by it
    #[arg(long, requires = "legacy")]
    force: bool,
    /// Write encrypted files as well for which nothing proves that the first key is right
    #[arg(long)]
    unproven_keys: bool,
    #[command(flatten)]
    write: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl Unpack {
    fn legacy_form(&self, open: &GameContainer) -> Result<Option<LegacyForm>, Failure> {
        if !self.legacy {
            return Ok(None);
        }
        if open.as_store().is_none() {
            let next = "leave --legacy away";
            return Err(Failure::usage(format!(
                ".pak files hold packages as .uasset and .uexp already\n  next: {next}"
            )));
        }
        let options = self.open.options(&self.file)?;
        Ok(Some(LegacyForm { options, is_forced: self.force }))
    }

    /// Unpacks and writes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.unproven_keys {
            containers::use_unproven_keys();
        }
        let most = self.open.max_image.max(self.max_total);
        if let Some((path, open, inside)) = containers::folder_within(&self.file, most)? {
            let max_total =
                self.max_total.unwrap_or_else(|| container::largest_total(&path, &open));
            let (folder, overwrite) = (&*self.output, self.write.overwrite);
            let is_unproven = self.unproven_keys;
            containers::refuse_empty(&path, &open, "unpack")?;
            let legacy = self.legacy_form(&open)?;
            let into = container::Unpacking {
                folder,
                overwrite,
                max_total,
                is_unproven,
                legacy,
                container: &path,
            };
            return into.unpack(&self.file, &open, &inside, out);
        }
        if self.legacy {
            let next = "name a .utoc file";
            return Err(Failure::usage(format!("--legacy is for containers\n  next: {next}")));
        }
        let file = args::read(&self.file)?;
        let redirect = Redirect::recognise(&file).ok_or_else(|| {
            let shown = self.file.display();
            let next = "name a .uz, .uz2 or .uz3 file; `upk decompress` takes compressed packages";
            Failure::usage(format!("'{shown}' is no packed file\n  next: {next}"))
        })?;
        let target = Target::new(&self.output, self.write.overwrite, Form::Any, out)?;
        let bytes = redirect.unpack_within(&file, self.open.max_image)?;
        let name = redirect.name(&file)?;
        target.write(&bytes, out)?;
        let (before, after) = (file.len() as u64, bytes.len() as u64);
        if out.is_json() {
            out.object(&json!({
                "input": self.file, "output": self.output, "kind": redirect.extension(),
                "name": name, "bytes_before": before, "bytes_after": after,
            }))?;
            return Ok(Outcome::Fine);
        }
        if let Some(name) = name {
            out.line(format!("the file inside is called {name}"))?;
        }
        let shown = target.shown();
        out.summary(format!(
            "wrote {shown}: {} bytes, {} before",
            grouped(after),
            grouped(before)
        ))?;
        Ok(Outcome::Fine)
    }
}

//! Actors of levels of UE5 that store each in a package of its own.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::PackageEdit;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, grouped};
use crate::places::Places;

/// An actor of a level of UE5 that stores each in a package of its own, made of another one
///
/// The new actor has GUIDs of its own, also in what the header tells the level of it, and its package the name and
/// folders that the editor looks for it at. It stands where the other one does: `upk set` and `upk move` change that.
#[derive(Debug, Args)]
pub struct Actor {
    /// The package of an actor of that level
    #[arg(long, value_name = "FILE")]
    like: PathBuf,
    /// The name of the actor; one that no other actor has if not said
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The folder of the level's content: the file goes to __ExternalActors__ in it
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Actor {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut package = self.open.open(&self.like)?;
        let made = package.edit(|edit| edit.make_own_actor(self.name.as_deref()))?;
        let saved = package.save(&Default::default())?;
        if package.reopened(saved.bytes.clone())?.to_bytes()? != saved.bytes {
            let next = "nothing was written; please report it";
            return Err(Failure::failed(format!(
                "the result re-saves differently\n  next: {next}"
            )));
        }
        let mut places = Places::new(&self.output, self.overwrite, self.dry_run, out);
        // Folders of content are called as its root, which no file says.
        let inside = made.package[1..].split_once('/').map_or("", |(_, inside)| inside);
        let file = format!("{inside}.uasset");
        let planned = places.plan(std::iter::once(file.as_str())).swap_remove(0);
        let refused = |refused: crate::taken::Refused| Failure::failed(refused.reason());
        let file = self.output.join(planned.map_err(refused)?);
        places.write(&file, &saved.bytes)?;
        places.finish(out)?;
        let shown = places.shown(&file);
        let care = &made.renamed.care;
        if out.is_json() {
            out.object(&json!({
                "output": (!self.dry_run).then_some(&shown), "dry_run": self.dry_run,
                "package": made.package, "actor": made.name, "care": care,
                "bytes": saved.bytes.len(), "resaves_identically": true,
            }))?;
            return Ok(Outcome::Fine);
        }
        let bytes = grouped(saved.bytes.len() as u64);
        match self.dry_run {
            true => {
                out.line(format!("dry run, nothing written: {}, {bytes} bytes", made.package))?
            }
            false => out.summary(format!(
                "wrote {shown}: {}, {bytes} bytes; reopened, re-saves identically",
                made.name
            ))?,
        }
        for line in care {
            out.summary(format!("  {line}"))?;
        }
        Ok(Outcome::Fine)
    }
}

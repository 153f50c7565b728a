//! `upk conform`: a new package that meets an old one on the net.

use std::fmt::Display;
use std::mem::discriminant;
use std::path::PathBuf;

use unreal_packages::edit::{Conformed, mismatches};
use unreal_packages::package::Package;

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Conform a new package to the one that players already have, so that both may meet on the net
///
/// The new package takes the old one's GUID and generations, and keeps its names and exports in their
/// rows, as `ucc conform` does.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk conform New/MyMod.u --to Released/MyMod.u -o MyMod.u
  upk conform New/MyMod.u --to Released/MyMod.u --in-place --json
Next: upk check MyMod.u --against Released/MyMod.u")]
pub struct Conform {
    #[command(flatten)]
    edit: EditArgs,
    /// The package that players have
    #[arg(long, value_name = "OLD")]
    to: PathBuf,
}

impl Conform {
    /// Conforms and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let old = self.edit.save.open.open(&self.to)?;
        self.edit.save.apply(&self.edit.file, out, |package| {
            let done = package.conform_to(&old)?;
            if let Some(mismatch) = mismatches(package, &old).first() {
                let next = "nothing was written; please report it";
                return Err(Failure::failed(format!("the result: {mismatch}\n  next: {next}")));
            }
            let text = format!(
                "generation {} of {}\nnames: {} kept, {} added, {} gone\nexports: {} kept, {} added, {} gone",
                done.generations,
                self.to.display(),
                done.names_kept,
                done.names_added.len(),
                done.names_nulled.len(),
                done.exports_kept,
                done.exports_added.len(),
                done.exports_nulled.len(),
            );
            let warnings = unrelated(&done, &old, &self.to.display().to_string());
            let json = json!({
                "kind": "conform", "warnings": warnings, "to": self.to.display().to_string(),
                "generations": done.generations, "guid": done.guid.to_string(),
                "names": { "kept": done.names_kept, "added": done.names_added,
                           "nulled": done.names_nulled },
                "exports": { "kept": done.exports_kept, "added": done.exports_added,
                             "nulled": done.exports_nulled },
            });
            Ok(Change { text, json })
        })
    }
}

/// How much of the old package must be there still for one to go on from the other, as its n-th part.
const KEPT: usize = 2;

/// A warning where most exports of the old package are gone: another package than the one that was meant.
fn unrelated(done: &Conformed, old: &Package, shown: &str) -> Vec<String> {
    let exports = (0..old.exports().len()).filter(|row| !old.exports().is_null(*row)).count();
    if exports == 0 || done.exports_kept * KEPT >= exports {
        return Vec::new();
    }
    let gone = gone_text(&done.exports_nulled);
    vec![format!(
        "only {} of the {exports} exports of {shown} are in the package: {gone} gone\n  next: if the two are \
         releases of one package, build it with those objects; if they are not, leave it as it is, with a \
         GUID of its own (--new-guid)",
        done.exports_kept
    )]
}

/// The first objects of a list, and how many more there are.
fn gone_text(gone: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = gone.get(..gone.len().min(SHOWN)).unwrap_or_default().join(", ");
    match gone.len().saturating_sub(SHOWN) {
        0 => format!("{shown} {}", if gone.len() == 1 { "is" } else { "are" }),
        more => format!("{shown} and {more} more are"),
    }
}

/// The exports of the old package that the new one has as null exports, by path.
fn gone(new: &Package, old: &Package) -> Vec<String> {
    let is_gone = |row: &usize| !old.exports().is_null(*row) && new.exports().is_null(*row);
    let rows = (0..old.exports().len().min(new.exports().len())).filter(is_gone);
    rows.map(|row| old.exports().path(row)).collect()
}

/// Say whether a package conforms to an older one, with every reason why not
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk check MyMod.u --against Released/MyMod.u
  upk check MyMod.u --against Released/MyMod.u --all
  upk check MyMod.u --against Released/MyMod.u --json

Of each kind the first 20 are shown.")]
pub struct Check {
    /// The new package
    file: PathBuf,
    /// The package that players have
    #[arg(long, value_name = "OLD")]
    against: PathBuf,
    /// Show every reason and all that is gone, not the first 20 of each kind
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    open: crate::args::OpenArgs,
}

/// How many reasons of each kind are shown.
const SHOWN: usize = 20;

impl Check {
    /// Prints the first of a list of one kind, and how many more there are.
    fn list<T: Display>(&self, lines: &[T], out: &mut Output) -> Result<(), Failure> {
        let shown = if self.all { lines.len() } else { lines.len().min(SHOWN) };
        lines[..shown].iter().try_for_each(|line| out.line(line))?;
        match lines.len() - shown {
            0 => Ok(()),
            more => out.line(format!("… and {more} more (--all, --json)")),
        }
    }

    /// Compares and reports.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        use crate::failure::Outcome;
        let (new, old) = (self.open.open(&self.file)?, self.open.open(&self.against)?);
        let found = mismatches(&new, &old);
        let conforms = found.is_empty();
        // The other way round: conforming would make a generation of what has one already.
        let is_older = !conforms && mismatches(&old, &new).is_empty();
        let gone = gone(&new, &old);
        if !gone.is_empty() {
            out.warn(format!(
                "{} gone since {}: what refers to them there finds nothing",
                gone_text(&gone),
                self.against.display()
            ))?;
        }
        if out.is_json() {
            let reasons: Vec<_> = found
                .iter()
                .map(|reason| json!({ "reason": reason, "text": reason.to_string() }))
                .collect();
            out.object(&json!({ "file": self.file.display().to_string(),
                                "against": self.against.display().to_string(),
                                "conforms": conforms, "older": is_older, "reasons": reasons, "gone": gone,
                                "warnings": out.warnings() }))?;
        } else if conforms {
            let generations =
                new.summary().generations.len().max(new.tables().heritage.len()) as u64;
            let generations = count(generations, "generation", "generations");
            out.line(format!("conforms: {generations}, GUID {}", new.guid()))?;
            let gone: Vec<_> = gone.iter().map(|path| format!("  gone  {path}")).collect();
            self.list(&gone, out)?;
        } else {
            // They stand by their kinds.
            for reasons in found.chunk_by(|one, next| discriminant(one) == discriminant(next)) {
                self.list(reasons, out)?;
            }
            let number = count(found.len() as u64, "reason", "reasons");
            out.line(match is_older {
                true => format!(
                    "does not conform: {number}; it is an older generation of {}, and both can meet",
                    self.against.display()
                ),
                false => format!("does not conform: {number}; `upk conform` makes it so"),
            })?;
        }
        Ok(if conforms { Outcome::Fine } else { Outcome::Wrong })
    }
}

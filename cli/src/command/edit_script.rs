//! `upk edit`: a file of edits for many packages.

mod line;
mod many;
pub mod patch;
mod statements;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::edit_file::{self, EditFileReader, LineError};

use self::statements::{Manner, Statement, Unfit, Unmet, are_for, carry_out};
use super::edit::{Edited, SaveArgs, are_many};
use crate::args::{self, OpenArgs};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Carry out a file of edits, one a line, on packages and folders of packages
///
/// A line is a command without `upk`, without its package and without what says where the result goes: set,
/// set-string, rename, move, remove, duplicate, copy, add, retarget, prune, add-name, add-import, set-guid,
/// set-flags, set-code, replace-body, import. Words are split as a shell splits them; `#` begins a comment. All lines are done in one
/// edit: one layout, one proof, all of it or, where a line fails, nothing. Options that are for all lines (-o, --layout,
/// --force, --json and the like) belong behind `upk edit` and are refused in a line; those that say how packages are
/// opened only where a line opens another one or asks classes for defaults: copy, rename, move, remove, set-code, set,
/// duplicate.
///
/// `let NAME = VALUE` gives a variable its value, which --let NAME=VALUE replaces; $NAME or ${NAME} stands for it, $$
/// is a dollar. `expect CONDITION` is a condition on the package, in the language of --where (docs/expressions.md)
/// with OBJECT.PROPERTY and count(PATTERN, CONDITION); where it does not hold, the package is left alone and the report
/// says so. `for PATTERN --where CONDITION {` begins a group, `}` ends it: its lines are done with each object that
/// fits, $OBJECT being its path and $NAME its name.
///
/// `package PATTERN {` begins a group of lines for some of the packages: for those whose path ends so, wildcards allowed
/// (DT_*, Maps/Town, /Game/Data/DT_Items); where all lines stand in such groups, other packages are not opened.
///
/// `base HASH` names the package that the file was made for, as `upk diff OLD NEW --as-edits` writes it, and `put` says
/// a part of its document (docs/documents.md) that no command says. Another package is left alone, unless --what-fits:
/// then lines that do not fit are left out, an `expect` that does not hold with the line behind it, and the report
/// names them.
///
/// Of several packages each is edited by itself; one that fails stays as it was, and the others go on. Their
/// backups belong together: `upk restore FOLDER --run NAME` brings all of them back. A container (.pak, .utoc) is a
/// folder that is never changed: -o Name_P.pak or Name_P.utoc writes one patch of all packages of it that have changed.
///
/// Exit codes: 0 all are edited; 1 some were left alone or failed, or lines did not fit; 2 wrong usage.
#[derive(Debug, Args)]
#[command(after_help = "\
A file of edits, dim.txt:
  # half the light, in maps that have some
  let RADIUS = 32
  expect count(Light*, class==Light) > 0
  set Light1.LightRadius=$RADIUS
  duplicate Light1 Light9
  for 'Light*' --where 'class==Light && LightBrightness>128' {
    set $OBJECT.LightBrightness/=2
  }

Examples:
  upk edit dim.txt Map.unr --in-place
  upk edit dim.txt Map.unr DM-Deck16.unr --dry-run
  upk edit dim.txt Map.unr --let RADIUS=48 -o Dimmed.unr
  upk edit items.txt Game.pak -o Items_P.pak")]
pub struct EditScript {
    /// The edits, one a line; - for standard input
    script: PathBuf,
    /// Packages, folders and containers; more than one package with --in-place, --dry-run, or -o Name_P.pak
    #[arg(required = true)]
    packages: Vec<PathBuf>,
    /// Give a variable of the file this value (may be repeated)
    #[arg(long = "let", value_name = "NAME=VALUE", value_parser = assignment)]
    lets: Vec<(String, String)>,
    /// Call the run so, for `upk restore FOLDER --run NAME` (default: as the file of edits)
    #[arg(long, value_name = "NAME", requires = "in_place", conflicts_with = "no_backup")]
    run: Option<String>,
    /// Leave out lines that do not fit the package, and name them; what fits is done
    #[arg(long)]
    what_fits: bool,
    #[command(flatten)]
    save: SaveArgs,
}

impl EditScript {
    /// Edits each package and saves it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let is_many = are_many(&self.packages);
        if is_many {
            self.save.require_many()?;
        }
        let refusal =
            "is no text, and so no edits\n  next: the edits stand first: upk edit EDITS PACKAGE";
        let text = args::read_text_or(&self.script, refusal)?;
        let shown = self.script.display().to_string();
        let statements = read_statements(&shown, &text, &self.save.open, &self.lets)?;
        match &self.packages[..] {
            [package] if !is_many && !are_for(&statements, package) => {
                let package = package.display();
                let next = "name a package that a line or a group is for";
                Err(Failure::failed(format!("no line is for {package}\n  next: {next}")))
            }
            [package] if !is_many => {
                let run = self.started_run(&[package.as_path()])?;
                match self.edit(&statements, package, out) {
                    Ok((edited, unfit)) => {
                        if let Some(mut run) = run {
                            run.add(&edited.replaced)?;
                        }
                        Ok(if unfit.is_empty() { Outcome::Fine } else { Outcome::Wrong })
                    }
                    Err(failure) => match Unmet::of(&failure) {
                        Some(unmet) => {
                            unmet.report(package, out)?;
                            Ok(Outcome::Wrong)
                        }
                        None => Err(failure),
                    },
                }
            }
            _ => self.edit_many(&statements, out),
        }
    }

    fn edit(
        &self,
        statements: &[Statement],
        package: &std::path::Path,
        out: &mut Output,
    ) -> Result<(Edited, Vec<Unfit>), Failure> {
        let manner = Manner { file: package, open: &self.save.open, fitting: self.what_fits };
        let mut left_out = Vec::new();
        let edited = self.save.apply_replacing(package, out, |edit| {
            let (change, unfit) = carry_out(statements, edit, manner)?;
            left_out = unfit;
            Ok(change)
        })?;
        Ok((edited, left_out))
    }
}

/// The statements of a file of edits, each command of which is one of this program.
fn read_statements(
    shown: &str,
    text: &str,
    open: &OpenArgs,
    lets: &[(String, String)],
) -> Result<Vec<Statement>, Failure> {
    let mut command = |words: &[String]| line::parse(words, open).map(Box::new);
    let read = EditFileReader::new(text, lets, &mut command).read();
    read.map_err(|error| {
        let LineError { line, reason, next, .. } = error;
        let next = next.map(|next| format!("\n  next: {next}")).unwrap_or_default();
        Failure::usage(match line {
            Some(line) => format!("{shown}, line {line}: {reason}{next}"),
            None => format!("{shown}: {reason}{next}"),
        })
    })
}

/// `NAME=VALUE`.
fn assignment(text: &str) -> Result<(String, String), String> {
    edit_file::assignment(text).map_err(|LineError { reason, next, .. }| match next {
        Some(next) => format!("{reason}\n  next: {next}"),
        None => reason,
    })
}

impl Unmet {
    /// Says that a package was left alone.
    fn report(&self, package: &std::path::Path, out: &mut Output) -> Result<(), Failure> {
        let package = package.display().to_string();
        match out.is_json() {
            true => out.object(&json!({ "input": package, "left_alone": self.to_string(),
                                        "line": self.line })),
            false => {
                // Its advice stands on a line of its own.
                let text = format!("{package}: left alone: {self}");
                text.lines().try_for_each(|line| out.line(line))
            }
        }
    }
}

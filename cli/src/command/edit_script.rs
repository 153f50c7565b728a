//! `upk edit`: a file of edits for many packages.

use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use farchive::edit::Edit;
use serde_json::{Value, json};

use super::Command;
use super::edit::{Change, SaveArgs};
use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Stands where a line's own command has its package.
const PACKAGE: &str = "PACKAGE";

/// Carry out a file of edits, one a line, on one or more packages
///
/// A line is a command without `upk`, without its package and without what says where the result goes: set,
/// set-string, rename, move, remove, duplicate, copy, add, retarget, prune, add-name, add-import, set-guid,
/// set-flags, replace-body, import. Words are split as a shell splits them; `#` begins a comment. All lines are done in one
/// edit: one layout, one proof, all of it or, where a line fails, nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
A file of edits, dim.txt:
  # half the light
  set Light1.LightRadius=32
  duplicate Light1 Light9

Examples:
  upk edit dim.txt Map.unr --in-place
  upk edit dim.txt Map.unr DM-Deck16.unr --dry-run
  upk edit dim.txt Map.unr -o Dimmed.unr")]
pub struct EditScript {
    /// The edits, one a line; - for standard input
    script: PathBuf,
    /// The packages; more than one with --in-place or --dry-run
    #[arg(required = true)]
    packages: Vec<PathBuf>,
    #[command(flatten)]
    save: SaveArgs,
}

/// A line of the file.
struct Line {
    number: usize,
    command: Command,
}

impl EditScript {
    /// Edits each package and saves it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.packages.len() > 1 && !self.save.takes_many() {
            let next = "use --in-place, or --dry-run to look first";
            return Err(Failure::usage(format!(
                "several packages can't go to one file\n  next: {next}"
            )));
        }
        let lines = self.lines()?;
        for package in &self.packages {
            if self.packages.len() > 1 && !out.is_json() {
                out.line(format!("{}:", package.display()))?;
            }
            self.save.apply(package, out, |edit| carry_out(&lines, edit, package))?;
        }
        Ok(Outcome::Fine)
    }

    fn lines(&self) -> Result<Vec<Line>, Failure> {
        let text = args::read_text(&self.script)?;
        let shown = self.script.display();
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let number = at + 1;
            let wrong = |what: String| Failure::usage(format!("{shown}, line {number}: {what}"));
            let words = shlex::split(line)
                .ok_or_else(|| wrong("a quote that is opened is not closed".to_owned()))?;
            let Some((verb, rest)) = words.split_first() else { continue };
            let command = parse(verb, rest).map_err(wrong)?;
            lines.push(Line { number, command });
        }
        match lines.is_empty() {
            true => Err(Failure::usage(format!("'{shown}' has no edits\n  next: see --help"))),
            false => Ok(lines),
        }
    }
}

/// The command of a line.
fn parse(verb: &str, rest: &[String]) -> Result<Command, String> {
    let mut words = vec!["upk".to_owned(), verb.to_owned()];
    // Only copying names the package that is changed behind the others.
    let behind = verb == "copy";
    if !behind {
        words.push(PACKAGE.to_owned());
    }
    words.extend_from_slice(rest);
    if behind {
        let at = 4.min(words.len());
        words.insert(at, PACKAGE.to_owned());
    }
    words.push("--dry-run".to_owned());
    let cli = args::Cli::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        format!("{}\n  next: see upk {verb} --help", first.trim_start_matches("error: "))
    })?;
    match cli.command.editing() {
        Some(_) => Ok(cli.command),
        None => Err(format!("'{verb}' does not change objects\n  next: see upk edit --help")),
    }
}

fn carry_out(lines: &[Line], edit: &mut Edit, package: &Path) -> Result<Change, Failure> {
    let (mut texts, mut changes) = (Vec::new(), Vec::new());
    for line in lines {
        let Some(command) = line.command.editing() else { continue };
        let at = || format!("line {}", line.number);
        let change = command.change(edit, package).map_err(|failure| match failure {
            Failure::Usage(error) => Failure::Usage(error.context(at())),
            Failure::Failed(error) => Failure::Failed(error.context(at())),
        })?;
        texts.push(change.text);
        changes.push(change.json);
    }
    texts.push(count(lines.len() as u64, "edit", "edits"));
    Ok(Change {
        text: texts.join("\n"),
        json: json!({ "kind": "edit", "edits": Value::Array(changes) }),
    })
}

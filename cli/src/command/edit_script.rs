//! `upk edit`: a file of edits for many packages.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command as ClapCommand, CommandFactory, FromArgMatches};
use serde_json::{Value, json};
use unreal_packages::edit::Edit;

use super::Command;
use super::edit::{Change, SaveArgs};
use crate::args::{self, OpenArgs};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Stands where a line's own command has its package.
const PACKAGE: &str = "PACKAGE";

/// Carry out a file of edits, one a line, on one or more packages
///
/// A line is a command without `upk`, without its package and without what says where the result goes: set,
/// set-string, rename, move, remove, duplicate, copy, add, retarget, prune, add-name, add-import, set-guid,
/// set-flags, set-code, replace-body, import. Words are split as a shell splits them; `#` begins a comment. All lines are done in one
/// edit: one layout, one proof, all of it or, where a line fails, nothing. Options that are for all lines (-o, --layout,
/// --force, --json and the like) belong behind `upk edit` and are refused in a line; those that say how packages are
/// opened only where a line opens another one: copy, rename, move, remove, set-code.
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

/// Commands that open other packages for their edit: a line of theirs may say how.
const OPENING: [&str; 5] = ["copy", "rename", "move", "remove", "set-code"];

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
            let command = parse(verb, rest, &self.save.open).map_err(wrong)?;
            lines.push(Line { number, command });
        }
        match lines.is_empty() {
            true => Err(Failure::usage(format!("'{shown}' has no edits\n  next: see --help"))),
            false => Ok(lines),
        }
    }
}

/// The command of a line; where it opens other packages, as `open` says, unless the line says it.
fn parse(verb: &str, rest: &[String], open: &OpenArgs) -> Result<Command, String> {
    let mut words: Vec<OsString> = vec!["upk".into(), verb.into()];
    // Only copying names the package that is changed by an option.
    if verb == "copy" {
        words.push("--into".into());
    }
    words.push(PACKAGE.into());
    words.extend(rest.iter().map(OsString::from));
    let opens = OPENING.contains(&verb);
    if opens {
        let says = |option: &OsString| {
            let option = option.to_string_lossy();
            rest.iter().any(|word| word.split('=').next() == Some(&*option))
        };
        let missing = open.words().into_iter().filter(|[option, _]| !says(option));
        words.extend(missing.flatten());
    }
    let wrong = |error: clap::Error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        format!("{}\n  next: see upk {verb} --help", first.trim_start_matches("error: "))
    };
    // Where the result goes is none of a line's business, but its command asks for it.
    words.push("--dry-run".into());
    let matches = args::Cli::command().try_get_matches_from(words).map_err(wrong)?;
    if let Some(option) = option_for_all(&matches, opens) {
        let next = "give it to `upk edit` itself: it counts for all lines";
        return Err(format!("'{option}' has no place in a line\n  next: {next}"));
    }
    let cli = args::Cli::from_arg_matches(&matches).map_err(wrong)?;
    match cli.command.editing() {
        Some(_) => Ok(cli.command),
        None => Err(format!("'{verb}' does not change objects\n  next: see upk edit --help")),
    }
}

/// The first option of a line that its edit does not look at: those of saving, of opening where it opens nothing, of
/// every command. The one that [`parse`] adds is not looked for; twice it is an error.
fn option_for_all(line: &ArgMatches, opens: bool) -> Option<String> {
    let (_, words) = line.subcommand()?;
    let saving = SaveArgs::augment_args(ClapCommand::new("line"));
    let opening = OpenArgs::augment_args(ClapCommand::new("line"));
    let everywhere = args::Cli::command();
    let mut options = saving.get_arguments().chain(everywhere.get_arguments());
    let is_given = |option: &&Arg| {
        let id = option.get_id().as_str();
        // A command may lack one of them, and some have an id of this name for something else than an option.
        let source = words.try_contains_id(id).is_ok().then(|| words.value_source(id)).flatten();
        let is_opening = opens && opening.get_arguments().any(|option| option.get_id() == id);
        id != "dry_run" && !is_opening && source == Some(ValueSource::CommandLine)
    };
    let option = options.find(is_given)?;
    let long = option.get_long().map(|long| format!("--{long}"));
    long.or_else(|| option.get_short().map(|short| format!("-{short}")))
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

//! A line of a file of edits as a command.

use std::cell::RefCell;
use std::ffi::OsString;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command as ClapCommand, CommandFactory, FromArgMatches};
use unreal_packages::edit_file::LineError;

use crate::args::{self, OpenArgs};
use crate::command::Command;
use crate::command::edit::SaveArgs;

/// Stands where a line's own command has its package.
const PACKAGE: &str = "PACKAGE";

/// Commands that open other packages for their edit: a line of theirs may say how.
const OPENING: [&str; 7] = ["copy", "rename", "move", "remove", "set-code", "set", "duplicate"];

thread_local! {
    /// What a file of edits says thousands of times: making the commands anew takes 25 million instructions a line.
    static GRAMMAR: RefCell<Grammar> = RefCell::new(Grammar::new());
}

/// The commands of this program, and the options that a line may not have.
struct Grammar {
    program: ClapCommand,
    /// Those of saving and those of every command.
    for_all: Vec<Arg>,
    /// Those of opening, which some lines may have.
    opening: ClapCommand,
}

impl Grammar {
    fn new() -> Self {
        let program = args::Cli::command();
        let saving = SaveArgs::augment_args(ClapCommand::new("line"));
        let for_all = saving.get_arguments().chain(program.get_arguments()).cloned().collect();
        Self { for_all, opening: OpenArgs::augment_args(ClapCommand::new("line")), program }
    }

    /// The first option of a line that its edit does not look at: those of saving, of opening where it opens nothing, of
    /// every command. The one that [`parse`] adds is not looked for; twice it is an error.
    fn option_for_all(&self, line: &ArgMatches, opens: bool) -> Option<String> {
        let (_, words) = line.subcommand()?;
        let is_given = |option: &&Arg| {
            let id = option.get_id().as_str();
            // A command may lack one of them, and some have an id of this name for something else than an option.
            let source =
                words.try_contains_id(id).is_ok().then(|| words.value_source(id)).flatten();
            let mut opening = self.opening.get_arguments();
            let is_opening = opens && opening.any(|option| option.get_id() == id);
            id != "dry_run" && !is_opening && source == Some(ValueSource::CommandLine)
        };
        let option = self.for_all.iter().find(is_given)?;
        let long = option.get_long().map(|long| format!("--{long}"));
        long.or_else(|| option.get_short().map(|short| format!("-{short}")))
    }
}

/// The command of a line; where it opens other packages, as `open` says, unless the line says it.
pub fn parse(line: &[String], open: &OpenArgs) -> Result<Command, LineError> {
    let Some((verb, rest)) = line.split_first() else {
        return Err(LineError::new("it is empty"));
    };
    let verb = verb.as_str();
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
        let reason = first.trim_start_matches("error: ");
        LineError::new(reason).with_next(format!("see upk {verb} --help"))
    };
    // Where the result goes is none of a line's business, but its command asks for it.
    words.push("--dry-run".into());
    let parsed = GRAMMAR.with_borrow_mut(|grammar| {
        let matches = grammar.program.try_get_matches_from_mut(words)?;
        let for_all = grammar.option_for_all(&matches, opens);
        Ok((matches, for_all))
    });
    let (matches, for_all) = parsed.map_err(wrong)?;
    if let Some(option) = for_all {
        let next = "give it to `upk edit` itself: it counts for all lines";
        return Err(LineError::new(format!("'{option}' has no place in a line")).with_next(next));
    }
    let mut command = args::Cli::from_arg_matches(&matches).map_err(wrong)?.command;
    // What stands around is read once for all lines that look there.
    if let Some(own) = command.open_mut().filter(|own| own.words() == open.words()) {
        *own = open.clone();
    }
    match command.editing() {
        Some(_) => Ok(command),
        None => {
            let reason = format!("'{verb}' does not change objects");
            Err(LineError::new(reason).with_next("see upk edit --help"))
        }
    }
}

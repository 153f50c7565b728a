//! Commands that may write a changed package, and need not.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use super::edit::SaveArgs;

/// Where a changed package goes, for a command that may as well change nothing, and then needs no place to write to.
#[derive(Debug)]
pub struct OptionalSave(pub SaveArgs);

impl Args for OptionalSave {
    fn augment_args(command: Command) -> Command {
        SaveArgs::augment_args(command).mut_group("target", |group| group.required(false))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for OptionalSave {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        SaveArgs::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

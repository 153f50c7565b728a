//! `upk completions`: completion scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::args::Cli;
use crate::failure::{CommandResult, Outcome};
use crate::output::Output;

/// Print the completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk completions bash > ~/.local/share/bash-completion/completions/upk
  upk completions zsh > ~/.zfunc/_upk
  upk completions fish > ~/.config/fish/completions/upk.fish")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "upk", &mut script);
        if out.is_json() {
            let script = String::from_utf8_lossy(&script);
            out.object(&json!({ "shell": self.shell.to_string(), "script": script }))?;
        } else {
            out.raw(&script)?;
        }
        Ok(Outcome::Fine)
    }
}

//! `upk completions`: completion scripts for shells.

use clap::{Args, ValueEnum};
use clap_complete::env::Shells;
use serde_json::json;

use crate::complete::VARIABLE;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Print the completion script for a shell
///
/// The shell asks upk what fits: commands, options and files, and the objects and properties of the package that the
/// line names. Let the shell read the script when it starts, so that it fits the upk that is there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk completions bash > ~/.local/share/bash-completion/completions/upk
  upk completions zsh > ~/.zfunc/_upk
  upk completions fish > ~/.config/fish/completions/upk.fish")]
pub struct Completions {
    /// The shell
    shell: ShellName,
}

/// Shells that ask.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ShellName {
    Bash,
    Elvish,
    Fish,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

impl Completions {
    /// Prints the script.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let name = self.shell.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        let shells = Shells::builtins();
        let shell = shells.completer(name);
        let shell = shell.ok_or_else(|| Failure::usage(format!("no script for {name}")))?;
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, "upk", "upk", "upk", &mut script)?;
        let script = String::from_utf8_lossy(&script);
        // Where upk offers nothing readline completes files, and quotes them.
        let script = script.replace("-o bashdefault", "-o bashdefault -o default");
        if out.is_json() {
            out.object(&json!({ "shell": name, "script": script }))?;
        } else {
            out.raw(script.as_bytes())?;
        }
        Ok(Outcome::Fine)
    }
}

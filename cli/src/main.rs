//! `upk`: looks into, verifies, explains, changes and re-saves Unreal Engine packages.
// Doc comments of arguments are their help: brackets in them are what users type, not links.
#![allow(rustdoc::broken_intra_doc_links)]

mod args;
mod command;
mod failure;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    let mut out = output::Output::new(cli.json);
    let result = cli.command.run(&mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    failure::exit_code(result)
}

//! `upk`: looks into, verifies, explains, changes and re-saves Unreal Engine packages.
// Doc comments of arguments are their help: brackets in them are what users type, not links.
#![allow(rustdoc::broken_intra_doc_links)]
// Files are opened by `unreal_packages::file` alone (clippy.toml).
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
// These macros end the program where the stream can't be written to: `output` has what does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod command;
mod config;
mod containers;
mod failure;
mod files;
mod form;
mod input;
mod lfs;
mod output;
mod places;
mod progress;
mod related;
mod taken;
mod target;
mod trust;
mod undecoded;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let json = std::env::args_os().any(|argument| argument == "--json");
            return failure::usage(&error, json);
        }
    };
    trust::set_up(cli.trust_config);
    input::set_up(cli.follow_links);
    output::set_up(cli.json);
    let mut out = output::Output::new(cli.json);
    let result = containers::use_keys(&cli.keys).and_then(|()| cli.command.run(&mut out));
    let result = result.and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    failure::exit_code(result, cli.json)
}

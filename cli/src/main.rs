//! `upk`: looks into, verifies, explains, changes and re-saves Unreal Engine packages.
// Doc comments of arguments are their help: brackets in them are what users type, not links.
#![allow(rustdoc::broken_intra_doc_links)]
// Files are opened by `unreal_packages::file` alone (clippy.toml).
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]
// These macros end the program where the stream can't be written to: `output` has what does not.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod channel;
mod color;
mod command;
mod complete;
mod config;
mod containers;
mod failure;
mod files;
mod form;
mod former;
mod help;
mod html;
mod input;
mod lfs;
mod output;
mod package_folders;
mod pager;
mod places;
mod progress;
mod related;
mod taken;
mod target;
mod trust;
mod undecoded;

use std::process::ExitCode;

fn main() -> ExitCode {
    complete::answer();
    let cli = match args::Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            let json = std::env::args_os().any(|argument| argument == "--json");
            return failure::usage(&error, json);
        }
    };
    trust::set_up(cli.trust_config);
    input::set_up(cli.follow_links);
    output::set_up(cli.json, cli.quiet);
    color::set_up(cli.color);
    let result = run(&cli);
    failure::exit_code(result, cli.json)
}

/// Carries the command out; what a pager shows was read when this ends.
fn run(cli: &args::Cli) -> failure::CommandResult {
    if let Some(jobs) = cli.jobs {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.into()).build_global();
        pool.map_err(|error| failure::Failure::Failed(error.into()))?;
    }
    let mut out = match cli.no_pager || !cli.command.is_read() {
        true => output::Output::new(cli.json),
        false => output::Output::paged(cli.json),
    };
    containers::use_keys(&cli.keys)?;
    let outcome = cli.command.run(&mut out)?;
    out.flush()?;
    Ok(outcome)
}

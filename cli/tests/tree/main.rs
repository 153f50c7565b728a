//! Folders that were made to harm, and every command run in them: hostile packages, containers, journals, locks,
//! `upk.toml`, links, pipes, sparse files and odd names. `UPK_TREES` says how many folders are made (12 if it is
//! not set), `UPK_TREE` runs the one of this number alone and prints what is run.
//!
//! Whatever lies there: the command ends by itself with exit code 0, 1 or 2, says why in words and not in a panic,
//! stays within its memory, changes nothing outside of the folder, and in it nothing that the command line has not
//! named.

#[path = "../../../tests/common/needs.rs"]
mod needs;

mod calls;
mod items;
mod random;
mod run;
mod snapshot;

use std::process::ExitCode;

use needs::trials;

/// Pipes, links and limits of memory are those of Unix.
fn unix() -> Result<(), String> {
    if cfg!(unix) { Ok(()) } else { Err("needs a Unix: links, pipes, limits".into()) }
}

fn main() -> ExitCode {
    needs::run(trials![unix => [run::hostile_folders_do_no_harm];])
}

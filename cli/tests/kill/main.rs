//! Edits in place that are killed at random moments, on a full disk and in a folder that can't be written to.
//! `UPK_KILLS` says how many are killed (120 if it is not set). And one fault at the system calls of every command
//! that writes.

#[path = "../../../tests/common/needs.rs"]
mod needs;

mod commands;
mod disk;
mod faults;
mod listings;
mod moments;
mod scene;
mod strace;

use std::process::ExitCode;

use needs::trials;

/// Kills other than by a signal run to an end.
fn unix() -> Result<(), String> {
    if cfg!(unix) { Ok(()) } else { Err("needs a Unix: processes are killed by signals".into()) }
}

/// A file system of a size of its own can be mounted.
fn mounts() -> Result<(), String> {
    disk::Mounted::new("1m").map(drop).map_err(|error| format!("needs to mount a tmpfs: {error}"))
}

fn main() -> ExitCode {
    needs::run(trials![
        unix => [moments::killed_edits_leave_whole_packages];
        strace::is_there => [
            faults::sets_are_old_or_new_after_every_fault, listings::a_folder_is_not_listed_once_a_file,
        ];
        mounts => [disk::a_full_disk_leaves_the_old_package, disk::a_read_only_disk_is_named];
    ])
}

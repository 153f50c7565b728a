//! Files: read whole, replaced as one, backed up and restored.
//!
//! A package may be the only one of its kind. So nothing is ever written into a file that is there: new
//! bytes are written and synced beside it and renamed over it, and whoever looks in between, or after a
//! crash, finds the old file or the new one. Files that belong together, such as the two of a split package or
//! those of a container, are replaced as one ([`Replacement`]): while members of two states stand beside each
//! other the first file, without which nobody takes the others for anything, is out of sight; a journal beside
//! them lets the next run finish what a killed one has begun.
//!
//! One process at a time replaces files in a folder (`.upk-lock`). Temporary files are called `.upk-PROCESS-…`:
//! new ones end in `.tmp`, old ones on their way out in `.old`, journals in `.journal`. Those of killed runs are
//! removed by the next replacement in their folder. None of them is followed where it is a link, a journal counts
//! only where it was written by this user in this folder, and nothing that it names is moved or removed unless
//! its content is the journal's own.

mod attributes;
mod backup;
mod disk;
mod draft;
mod facts;
mod folder;
mod journal;
mod leftover;
mod links;
mod name;
mod open;
mod read;
mod recovery;
mod replacement;
mod run;
mod state;
mod walk;

pub use backup::{Backup, backed_up, backups, has_backup_name, latest_backup};
pub use disk::{Disk, DiskProbe, Operation};
pub use facts::FileFacts;
#[doc(hidden)]
pub use leftover::is_unfinished;
#[doc(hidden)]
pub use leftover::recover_on;
pub use leftover::{is_temporary, recover, unfinished_in};
pub use links::Links;
#[doc(hidden)]
pub use links::leads_into;
#[doc(hidden)]
pub use name::{SCAN_MANIFEST, SCAN_OTHERS};
pub use name::{VERSION_CONTROL, acts_by_itself, file_name_fault, is_invisible, safe_file_name};
#[doc(hidden)]
pub use open::refused;
pub use open::{FileOrigin, create_new, open, open_lock};
#[doc(hidden)]
pub use read::hash_of;
pub use read::{File, Pair, holds, read, read_found, read_pair};
#[doc(hidden)]
pub use read::{FileStart, read_pair_with, read_range, read_with};
pub use replacement::{Replaced, Replacement};
pub use run::{Run, RunMember, run_members, runs};
pub use state::FileState;
pub use walk::{LeftOut, Walk, WalkStep, WalkSteps, Walked};

//! Files: read whole, replaced as one, backed up and restored.
//!
//! A package may be the only one of its kind. So nothing is ever written into a file that is there: new
//! bytes are written and synced beside it and renamed over it, and whoever looks in between, or after a
//! crash, finds the old file or the new one. The two files of a split package are replaced as one
//! ([`Replacement`]): their header is out of sight while the pair is mixed, so that no reader takes a new
//! header with old bodies for a package; a journal beside them lets the next run finish what a killed one
//! has begun.
//!
//! One process at a time replaces files in a folder (`.upk-lock`). Temporary files are called `.upk-PROCESS-…`;
//! those of killed runs are removed by the next replacement in their folder.

mod attributes;
mod backup;
mod disk;
mod draft;
mod folder;
mod journal;
mod leftover;
mod links;
mod name;
mod open;
mod read;
mod replacement;
mod state;
mod walk;

pub use backup::{Backup, backups, latest_backup};
pub use disk::{Disk, DiskProbe, Operation};
pub use leftover::recover;
#[doc(hidden)]
pub use leftover::recover_on;
pub use links::Links;
pub(crate) use links::leads_into;
pub use name::{acts_by_itself, file_name_fault, is_invisible, safe_file_name};
pub(crate) use open::refused;
pub use open::{FileOrigin, create_new, open, open_lock};
#[cfg(feature = "scan")]
pub(crate) use read::hash_of;
pub use read::{File, Pair, holds, read, read_found, read_pair};
pub(crate) use read::{FileStart, read_pair_with, read_range, read_with};
pub use replacement::{Replaced, Replacement};
pub use state::FileState;
pub use walk::{LeftOut, Walk, Walked};

//! One container: its tables rebuilt and compared, the hashes of all files checked.

use std::path::Path;

use unreal_packages::error::{UnrealError, UnrealErrors};

use super::row::{Row, Status};
use crate::containers;

/// Hashes that are listed when they are wrong.
const SHOWN: usize = 3;

/// Checks a container itself; the packages in it are rows of their own.
pub fn check(path: &Path) -> Row {
    let mut row = Row::new(path);
    let open = match containers::open(path, None).and_then(|open| open.container(path)) {
        Ok(open) => open,
        Err(error) => {
            // Keys that were given and do not fit are wrong; without any nothing was asked of it.
            let is_closed = matches!(
                error.unreal(),
                Some(UnrealError::NeedsKey { tried: 0, .. } | UnrealError::Unsupported { .. })
            );
            row.status = if is_closed { Status::Unsupported } else { Status::Failed };
            row.reason = error.to_string();
            return row;
        }
    };
    let files = containers::stored_parts(path, &open);
    row.bytes =
        files.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|it| it.len()).sum();
    let mut wrong = Vec::new();
    match open.check_tables() {
        Ok(tables) => {
            row.typed = tables.iter().map(|table| table.bytes).sum::<u64>().min(row.bytes);
            for table in tables {
                if !table.identical {
                    wrong.push(format!("its {} can't be rebuilt as it is", table.name));
                }
                if !table.hash_is_right {
                    wrong.push(format!("the hash of its {} is another than is stored", table.name));
                }
            }
        }
        Err(error) => wrong.push(error.to_string()),
    }
    let mut stored = 0_u64;
    for file in 0..open.files().len() {
        let checked = open.file(file).and_then(|known| {
            stored = stored.saturating_add(known.stored);
            if known.deleted { Ok(()) } else { open.read_checked(file).map(drop) }
        });
        if let Err(error) = checked {
            wrong.push(format!("{}: {error}", open.files()[file]));
        }
    }
    row.payload = stored.min(row.bytes - row.typed);
    (row.opaque, row.gap) = (0, row.bytes - row.typed - row.payload);
    match wrong.as_slice() {
        [] => row.status = Status::Identical,
        _ => {
            row.status = Status::Different;
            let more = wrong.len().saturating_sub(SHOWN);
            row.reason = wrong.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
            if more > 0 {
                row.reason.push_str(&format!("; and {more} more"));
            }
        }
    }
    row.container_files = Some(open.files().len());
    row
}

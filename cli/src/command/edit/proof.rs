//! Whether what was saved, and what was written, is what it should be.

use std::path::Path;

use unreal_packages::inspect::Positions;
use unreal_packages::package::{OpenOptions, Saved};

use super::SaveArgs;
use crate::failure::Failure;
use crate::output::{Output, count};

impl SaveArgs {
    /// Whether the saved bytes open again and re-save identically.
    pub(super) fn check(
        &self,
        options: &OpenOptions,
        file: &Path,
        saved: &Saved,
    ) -> Result<(), Failure> {
        let unsound = |what: String| {
            let file = file.display();
            Failure::failed(format!(
                "{file}: the result {what}\n  next: nothing was written; please report it"
            ))
        };
        let reopened = options.open_bytes(saved.bytes.clone());
        let reopened =
            reopened.map_err(|error| unsound(format!("can't be opened again: {error}")))?;
        match reopened.to_bytes() {
            Ok(bytes) if bytes == saved.bytes => Ok(()),
            Ok(_) => Err(unsound("re-saves differently".to_owned())),
            Err(error) => Err(unsound(format!("can't be saved again: {error}"))),
        }
    }

    /// Bodies that moved although they are not decoded may hold positions that lead nowhere now.
    pub(super) fn warn_of_positions(
        &self,
        options: &OpenOptions,
        saved: &Saved,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let mut result = options.open_bytes(saved.bytes.clone())?;
        result.decode_all();
        let wrong = Positions::of(&result).wrong;
        let Some(first) = wrong.first() else { return Ok(()) };
        let all = count(wrong.len() as u64, "position is", "positions are");
        out.warn(format!(
            "{all} wrong now: {first}\n  next: without --move-undecoded nothing is moved that may hold positions"
        ))
    }

    /// Whether what now stands in the file is what was proved.
    pub(super) fn check_written(target: &Path, saved: &Saved) -> Result<(), Failure> {
        if !saved.is_in_files(target)? {
            let target = target.display();
            return Err(Failure::failed(format!(
                "{target}: what was written is not what was saved"
            )));
        }
        Ok(())
    }
}

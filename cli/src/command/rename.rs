//! `upk rename`: another text for a name.

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::Output;

/// Give a name of the name table another text; everything that uses the name follows
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk rename MyMod.u OldName NewName -o Out.u
  upk rename MyMod.u OldName NewName --in-place
  upk rename MyMod.u OldName NewName --dry-run --json")]
pub struct Rename {
    #[command(flatten)]
    edit: EditArgs,
    /// The name as it is; case does not matter
    old: String,
    /// What it is to be
    new: String,
}

impl Rename {
    /// Renames and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.run(out, |package| {
            let row = package.rename_name(&self.old, &self.new)?;
            Ok(Change {
                text: format!("renamed '{}' to '{}' (name {row})", self.old, self.new),
                json: json!({ "kind": "rename", "name": row, "old": self.old, "new": self.new }),
            })
        })
    }
}

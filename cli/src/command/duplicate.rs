//! `upk duplicate`: an object twice.

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::Output;

/// Add a copy of an object beside it, with all that lies in it
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk duplicate Skins.utx Dark.Blue DarkerBlue -o Out.utx
  upk duplicate MyMod.u MyPawn MyOtherPawn --in-place")]
pub struct Duplicate {
    #[command(flatten)]
    edit: EditArgs,
    /// The object: its path, or its row as #12
    object: String,
    /// The name of the copy
    name: String,
}

impl Duplicate {
    /// Duplicates and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.run(out, |package| {
            let old = package.exports().path(package.find_export(&self.object)?);
            let before = package.exports().len();
            let row = package.edit(|edit| edit.duplicate_object(&self.object, &self.name))?;
            let (new, added) = (package.exports().path(row), package.exports().len() - before);
            Ok(Change {
                text: format!("copied {old} to {new} (row {row}, {added} new)"),
                json: json!({ "kind": "duplicate", "export": row, "old": old, "new": new,
                              "rows_added": added }),
            })
        })
    }
}

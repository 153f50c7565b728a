//! `upk convert`: another file version.

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::Output;

/// Save a package for another file version of its engine
///
/// Every value is carried over; one that the other version has no place for is named and nothing is written.
/// The result is opened again and compared with the original, value by value.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk convert Skins.utx --to-version 68 -o Old/Skins.utx
  upk convert Map.unr --to-version 69 --dry-run")]
pub struct Convert {
    #[command(flatten)]
    edit: EditArgs,
    /// The file version to save for: 61 to 69 in Unreal Engine 1
    #[arg(long, value_name = "VERSION")]
    to_version: u32,
}

impl Convert {
    /// Converts and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let to = self.to_version;
        self.edit.save.run_for_version(&self.edit.file, out, to, |package| {
            let from = package.versions().file;
            Ok(Change {
                text: format!("version {to}, was {from}; every value is the same"),
                json: json!({ "kind": "convert", "old": from, "new": to }),
            })
        })
    }
}

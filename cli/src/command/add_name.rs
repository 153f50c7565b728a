//! `upk add-name`: a name more.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Add a name to the name table, unless it is there already
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk add-name MyMod.u RocketLauncher -o Out.u
  upk add-name MyMod.u RocketLauncher --in-place")]
pub struct AddName {
    #[command(flatten)]
    edit: EditArgs,
    /// The name
    name: String,
}

impl AddName {
    /// Adds and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for AddName {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let before = edit.names().len();
        let row = edit.add_name(&self.name)?.index.value();
        let added = edit.names().len() > before;
        let what = if added { "added" } else { "there already:" };
        Ok(Change {
            text: format!("{what} '{}' (name {row})", self.name),
            json: json!({ "kind": "add-name", "name": row, "text": self.name, "added": added }),
        })
    }
}

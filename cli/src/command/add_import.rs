//! `upk add-import`: an import more.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Add an import, with the packages and groups around it, unless it is there already
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk add-import MyMod.u Botpack.Enforcer Core.Class -o Out.u
  upk add-import MyMod.u Botskins.Skins.Blue Engine.Texture --in-place
  upk add-import MyMod.u Botpack Core.Package --dry-run")]
pub struct AddImport {
    #[command(flatten)]
    edit: EditArgs,
    /// The object, its package first: Botpack.Enforcer
    path: String,
    /// Its class, with the class's package: Core.Class
    class: String,
}

impl AddImport {
    /// Adds and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for AddImport {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let before = edit.imports().len();
        let reference = edit.add_import(&self.path, &self.class)?.value();
        let added = edit.imports().len() - before;
        let (path, class) = (&self.path, &self.class);
        let text = match added as u64 {
            0 => format!("there already: {path} (reference {reference})"),
            rows => format!(
                "added {path} of class {class} (reference {reference}; {})",
                count(rows, "new row", "new rows")
            ),
        };
        let json = json!({ "kind": "add-import", "path": path, "class": class,
                           "reference": reference, "rows_added": added });
        Ok(Change { text, json })
    }
}

//! `upk duplicate`: an object twice.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Add a copy of an object beside it, with all that lies in it and belongs to it
///
/// Existing objects keep their rows. A copied actor is in its level's list, with a GUID and a label of its own. A
/// copied brush has a model of its own.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk duplicate Skins.utx Dark.Blue DarkerBlue -o Out.utx
  upk duplicate MyMod.u MyPawn MyOtherPawn --in-place
  upk duplicate Map.umap Map.PersistentLevel.Lamp_3 Lamp_4 -o Out.umap")]
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
        self.edit.apply(self, out)
    }
}

impl Editing for Duplicate {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let old = edit.exports().path(edit.find_export(&self.object)?);
        let before = edit.exports().len();
        let row = edit.duplicate_object(&self.object, &self.name)?;
        let (new, added) = (edit.exports().path(row), edit.exports().len() - before);
        let objects: Vec<_> =
            (before..before + added).map(|row| edit.exports().path(row)).collect();
        let mut text = format!("copied {old} to {new} (row {row}, {added} new)");
        // What lies in the copy has the names that it has in the original; what stands beside it has others.
        let inner = format!("{new}.");
        for path in objects.iter().filter(|path| **path != new && !path.starts_with(&inner)) {
            text += &format!("\n  {path} (new)");
        }
        Ok(Change {
            text,
            json: json!({ "kind": "duplicate", "export": row, "old": old, "new": new,
                          "rows_added": added, "objects": objects }),
        })
    }
}

//! `upk duplicate`: objects twice.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use super::objects::WhereArgs;
use super::placing::PlacingArgs;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Add copies of objects beside them, with all that lies in them and belongs to them
///
/// Existing objects keep their rows. A copy is in every list that its original is in: of its level, its sequence, its
/// graph, its material; it has GUIDs and a label of its own. A copied brush has a model of its own. Several objects,
/// of wildcards, --where or a list in a file (@FILE), are copied together: references among them are references among
/// the copies, which get the next free names. --offset, --rotate and --mirror place the copies of actors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk duplicate Skins.utx Dark.Blue DarkerBlue -o Out.utx
  upk duplicate MyMod.u MyPawn MyOtherPawn --in-place
  upk duplicate Map.umap Map.PersistentLevel.Lamp_3 Lamp_4 -o Out.umap
  upk duplicate Map.unr 'Light*' --where class==Light --offset '(X=0,Y=0,Z=64)' -o Out.unr
  upk duplicate Map.unr 'Light*' --where class==Light --rotate '(Yaw=90deg)' --pivot '(X=0,Y=0)' -o Out.unr")]
pub struct Duplicate {
    #[command(flatten)]
    pub(super) edit: EditArgs,
    /// The object: its path, or its row as #12; with wildcards, --where or @FILE many
    object: String,
    /// The name of the copy; several get the next free ones
    #[arg(conflicts_with = "as_name")]
    name: Option<String>,
    /// The name of the copy, too
    #[arg(long = "as", value_name = "NAME", id = "as_name")]
    as_name: Option<String>,
    #[command(flatten)]
    choice: WhereArgs,
    #[command(flatten)]
    placing: PlacingArgs,
}

impl Duplicate {
    /// Duplicates and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for Duplicate {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let words = std::slice::from_ref(&self.object);
        let name = self.name.as_ref().or(self.as_name.as_ref());
        let objects = match self.choice.is_query(words) {
            true => self.choice.objects(words, edit, &self.edit.save.open, file)?,
            false => vec![self.object.clone()],
        };
        if let (Some(name), 2..) = (name, objects.len()) {
            let number = objects.len();
            return Err(Failure::usage(format!(
                "{number} objects can't all be called '{name}'\n  next: leave the name away"
            )));
        }
        let old: Vec<String> = objects
            .iter()
            .map(|object| Ok(edit.exports().path(edit.find_export(object)?)))
            .collect::<Result<_, Failure>>()?;
        let before = edit.exports().len();
        let rows = match name {
            Some(name) => vec![edit.duplicate_object(&objects[0], name)?],
            None => {
                let paths: Vec<&str> = objects.iter().map(String::as_str).collect();
                edit.duplicate_objects(&paths)?
            }
        };
        let added: Vec<String> =
            (before..edit.exports().len()).map(|row| edit.exports().path(row)).collect();
        let new: Vec<String> = rows.iter().map(|&row| edit.exports().path(row)).collect();
        let mut lines = Vec::new();
        if let ([old], [new], [row]) = (&old[..], &new[..], &rows[..]) {
            lines.push(format!("copied {old} to {new} (row {row}, {} new)", added.len()));
        } else {
            let number = count(rows.len() as u64, "object", "objects");
            lines.push(format!("copied {number} ({} new)", added.len()));
            lines.extend(new.iter().map(|path| format!("  {path}")));
        }
        // What lies in a copy has the names that it has in the original; what stands beside it has others.
        let is_within = |path: &String| {
            new.iter().any(|new| path == new || path.starts_with(&format!("{new}.")))
        };
        let beside = added.iter().filter(|path| !is_within(path));
        lines.extend(beside.map(|path| format!("  {path} (new)")));
        let mut change = Change {
            text: lines.join("\n"),
            json: json!({ "kind": "duplicate", "export": rows[0], "old": old[0], "new": new[0],
                          "rows_added": added.len(), "objects": added, "copies": new }),
        };
        self.placing.place(edit, &rows, (&self.edit.save.open, file), &mut change)?;
        Ok(change)
    }
}

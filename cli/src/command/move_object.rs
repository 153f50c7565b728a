//! `upk move`: objects in another group, actors at another place.

use std::path::Path;

use clap::{ArgGroup, Args};
use serde_json::json;
use unreal_packages::edit::Edit;

use super::breaks::BreakArgs;
use super::edit::{Change, EditArgs, Editing};
use super::objects::WhereArgs;
use super::placing::PlacingArgs;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Move an object, with all that lies in it, into another group, or actors to another place
///
/// --offset, --rotate and --mirror place actors in their level: what hangs on them, the keys of movers and the scales
/// that mirror a shape follow. What can't be turned exactly is refused or said.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("place").args(["into", "top", "offset", "rotate", "mirror"])
          .required(true).multiple(true))]
#[command(after_help = "\
Examples:
  upk move Skins.utx Red --into Dark -o Out.utx
  upk move Skins.utx 'Red*' --where class==Texture --into Dark --in-place
  upk move Skins.utx Dark.Blue --top --env ~/Games/UT --in-place
  upk move Map.unr 'Light*' --where class==Light --offset '(Z=64)' -o Out.unr
  upk move Map.unr 'Light*' --where class==Light --mirror X --pivot '(X=0)' -o Out.unr")]
pub struct Move {
    #[command(flatten)]
    edit: EditArgs,
    /// The object: its path, or its row as #12; with wildcards, --where or @FILE many
    object: String,
    /// The group, which must be there
    #[arg(long, value_name = "GROUP")]
    into: Option<String>,
    /// To the top of the package
    #[arg(long, conflicts_with = "into")]
    top: bool,
    #[command(flatten)]
    choice: WhereArgs,
    #[command(flatten)]
    placing: PlacingArgs,
    #[command(flatten)]
    breaks: BreakArgs,
}

impl Move {
    /// Moves and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for Move {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let around = self.breaks.around(file, &self.edit.save.open)?;
        let words = std::slice::from_ref(&self.object);
        let objects = match self.choice.is_query(words) {
            true => self.choice.objects(words, edit, &self.edit.save.open, file)?,
            false => vec![self.object.clone()],
        };
        let goes_elsewhere = self.top || self.into.is_some();
        let (mut lines, mut moved, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for object in objects {
            let row = edit.find_export(&object)?;
            let old = edit.exports().path(row);
            if goes_elsewhere {
                around.check([old.as_str()])?;
                edit.move_object(&format!("#{row}"), self.into.as_deref())?;
            }
            rows.push(row);
            let new = edit.exports().path(row);
            lines.push(match goes_elsewhere {
                true => format!("moved {old} to {new}"),
                false => format!("moved {old}"),
            });
            moved.push(json!({ "export": row, "old": old, "new": new }));
        }
        let mut json = moved[0].clone();
        json["kind"] = json!("move");
        if moved.len() > 1 {
            json["moved"] = json!(moved);
        }
        let mut change = Change { text: lines.join("\n"), json };
        self.placing.place(edit, &rows, (&self.edit.save.open, file), &mut change)?;
        Ok(change)
    }
}

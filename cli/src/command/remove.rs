//! `upk remove`: objects less.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::{Edit, RemoveOptions};

use super::breaks::BreakArgs;
use super::edit::{Change, EditArgs, Editing};
use super::objects::WhereArgs;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Remove objects with all that lies in them; the table closes up, and every index follows
///
/// Refused while other objects refer to them. What only lists them loses them without a word: the lists of their level, sequence, graph or material, light maps of a light, what must be loaded first. Paths from and to navigation points go with them. Names and imports stay: `upk prune` drops what nothing uses.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk remove Skins.utx Dark.Blue -o Out.utx
  upk remove Skins.utx Dark.Blue Dark.Green --null-references --in-place
  upk remove Map.unr Light1 -o Out.unr       an actor, out of its level's list as well
  upk remove Map.unr '*' --where 'class==Light && LightHue<30' -o Out.unr
  upk remove Skins.utx Dark --env ~/Games/UT --in-place   refused while other packages import it
  upk remove Skins.utx Dark --dry-run --json     what would go, and what refers to it
  upk remove SM_Rock.uasset SM_Rock --thumbnail --in-place     only its picture in browsers")]
pub struct Remove {
    #[command(flatten)]
    pub(super) edit: EditArgs,
    /// The objects: their paths, or their rows as #12; with wildcards, --where or @FILE many
    #[arg(required = true)]
    objects: Vec<String>,
    /// Only the thumbnails of the objects, which stay
    #[arg(long, conflicts_with = "null_references")]
    thumbnail: bool,
    /// Let references to what is removed become null instead of refusing
    #[arg(long)]
    null_references: bool,
    #[command(flatten)]
    choice: WhereArgs,
    #[command(flatten)]
    breaks: BreakArgs,
}

impl Remove {
    /// Removes and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }

    fn thumbnails(&self, edit: &mut Edit) -> Result<Change, Failure> {
        for object in &self.objects {
            edit.remove_thumbnail(object)?;
        }
        let number = count(self.objects.len() as u64, "thumbnail", "thumbnails");
        let json = json!({ "kind": "remove-thumbnails", "objects": self.objects });
        Ok(Change { text: format!("removed {number}"), json })
    }
}

impl Editing for Remove {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        if self.thumbnail {
            return self.thumbnails(edit);
        }
        let options = match self.null_references {
            true => RemoveOptions::NullReferences,
            false => RemoveOptions::Refuse,
        };
        let around = self.breaks.around(file, &self.edit.save.open)?;
        let objects = match self.choice.is_query(&self.objects) {
            true => self.choice.objects(&self.objects, edit, &self.edit.save.open, file)?,
            false => self.objects.clone(),
        };
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let removed = edit.remove_objects(&objects, options)?;
        around.check(removed.objects.iter().map(String::as_str))?;
        let number = removed.objects.len() as u64;
        let mut lines = vec![format!("removed {}", count(number, "object", "objects"))];
        lines.extend(removed.objects.iter().map(|path| format!("  {path}")));
        if !removed.nulled.is_empty() {
            lines.push("references to them are null now in".to_owned());
            lines.extend(removed.nulled.iter().map(|path| format!("  {path}")));
        }
        if !removed.unlisted.is_empty() {
            lines.push("no longer listed by".to_owned());
            lines.extend(removed.unlisted.iter().map(|path| format!("  {path}")));
        }
        let json = json!({ "kind": "remove", "objects": removed.objects,
                           "nulled": removed.nulled, "unlisted": removed.unlisted });
        Ok(Change { text: lines.join("\n"), json })
    }
}

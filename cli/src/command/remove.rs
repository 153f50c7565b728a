//! `upk remove`: objects less.

use clap::Args;
use farchive::edit::RemoveOptions;
use serde_json::json;

use super::breaks::BreakArgs;
use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::{Output, count};

/// Remove objects with all that lies in them; the table closes up, and every index follows
///
/// Refused while other objects refer to them. Names and imports stay: `upk prune` drops what nothing uses.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk remove Skins.utx Dark.Blue -o Out.utx
  upk remove Skins.utx Dark.Blue Dark.Green --null-references --in-place
  upk remove Skins.utx Dark --env ~/Games/UT --in-place   refused while other packages import it
  upk remove Skins.utx Dark --dry-run --json     what would go, and what refers to it
  upk remove SM_Rock.uasset SM_Rock --thumbnail --in-place     only its picture in browsers")]
pub struct Remove {
    #[command(flatten)]
    edit: EditArgs,
    /// The objects: their paths, or their rows as #12
    #[arg(required = true)]
    objects: Vec<String>,
    /// Only the thumbnails of the objects, which stay
    #[arg(long, conflicts_with = "null_references")]
    thumbnail: bool,
    /// Let references to what is removed become null instead of refusing
    #[arg(long)]
    null_references: bool,
    #[command(flatten)]
    breaks: BreakArgs,
}

impl Remove {
    /// Removes and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.thumbnail {
            return self.edit.run(out, |package| {
                for object in &self.objects {
                    package.edit(|edit| edit.remove_thumbnail(object))?;
                }
                let number = count(self.objects.len() as u64, "thumbnail", "thumbnails");
                let json = json!({ "kind": "remove-thumbnails", "objects": self.objects });
                Ok(Change { text: format!("removed {number}"), json })
            });
        }
        let options = match self.null_references {
            true => RemoveOptions::NullReferences,
            false => RemoveOptions::Refuse,
        };
        let around = self.breaks.around(&self.edit.file, &self.edit.save.open)?;
        self.edit.run(out, |package| {
            let objects: Vec<&str> = self.objects.iter().map(String::as_str).collect();
            let removed = package.edit(|edit| edit.remove_objects(&objects, options))?;
            around.check(removed.objects.iter().map(String::as_str))?;
            let number = removed.objects.len() as u64;
            let mut lines = vec![format!("removed {}", count(number, "object", "objects"))];
            lines.extend(removed.objects.iter().map(|path| format!("  {path}")));
            if !removed.nulled.is_empty() {
                lines.push("references to them are null now in".to_owned());
                lines.extend(removed.nulled.iter().map(|path| format!("  {path}")));
            }
            let json = json!({ "kind": "remove", "objects": removed.objects,
                               "nulled": removed.nulled });
            Ok(Change { text: lines.join("\n"), json })
        })
    }
}

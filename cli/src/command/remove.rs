//! `upk remove`: objects less.

use clap::Args;
use farchive::package::RemoveOptions;
use serde_json::json;

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
  upk remove Skins.utx Dark --dry-run --json     what would go, and what refers to it")]
pub struct Remove {
    #[command(flatten)]
    edit: EditArgs,
    /// The objects: their paths, or their rows as #12
    #[arg(required = true)]
    objects: Vec<String>,
    /// Let references to what is removed become null instead of refusing
    #[arg(long)]
    null_references: bool,
}

impl Remove {
    /// Removes and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let options = match self.null_references {
            true => RemoveOptions::NullReferences,
            false => RemoveOptions::Refuse,
        };
        self.edit.run(out, |package| {
            let objects: Vec<&str> = self.objects.iter().map(String::as_str).collect();
            let removed = package.remove_objects(&objects, options)?;
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

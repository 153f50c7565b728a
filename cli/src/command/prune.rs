//! `upk prune`: what nothing uses goes.

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::{Output, count};

/// Drop names, imports and null exports that nothing uses; start anew with one generation and a new GUID
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk prune MyMod.u -o Out.u
  upk prune MyMod.u --in-place
  upk prune MyMod.u --dry-run --json     every name and import that would go")]
pub struct Prune {
    #[command(flatten)]
    edit: EditArgs,
}

impl Prune {
    /// Prunes and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.run(out, |package| {
            let pruned = package.edit(|edit| edit.prune())?;
            let text = format!(
                "dropped {}, {}, {}, {} and {}",
                count(pruned.names.len() as u64, "name", "names"),
                count(pruned.nones as u64, "further None", "further Nones"),
                count(pruned.imports.len() as u64, "import", "imports"),
                count(pruned.null_exports as u64, "null export", "null exports"),
                count(pruned.generations as u64, "older generation", "older generations"),
            );
            let guid = pruned.guid.map(|guid| guid.to_string());
            let json = json!({ "kind": "prune", "names": pruned.names, "nones": pruned.nones,
                               "imports": pruned.imports, "null_exports": pruned.null_exports,
                               "generations": pruned.generations, "guid": guid });
            Ok(Change { text, json })
        })
    }
}

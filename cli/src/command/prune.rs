//! `upk prune`: what nothing uses goes.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Drop names, imports and null exports that nothing uses; start anew with one generation and a new GUID
///
/// Where a body is not decoded whole, the names and objects that it may use stay.
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
        self.edit.apply(self, out)
    }
}

impl Editing for Prune {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let pruned = edit.prune()?;
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
    }
}

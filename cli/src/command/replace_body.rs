//! `upk replace-body`: other bytes for an object.

use std::path::Path;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::args;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, grouped};

/// Replace the body of an export by the bytes of a file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk replace-body MyMod.u Group.Readme readme.bin -o Out.u
  upk replace-body MyMod.u '#12' readme.bin --in-place
  upk replace-body MyMod.u Group.Readme readme.bin --dry-run --json")]
pub struct ReplaceBody {
    #[command(flatten)]
    edit: EditArgs,
    /// The export: its path, or its row as #12
    export: String,
    /// The file with the new body, as it is to stand in the package
    body: PathBuf,
}

impl ReplaceBody {
    /// Replaces and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for ReplaceBody {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let body = args::read(&self.body)?;
        let row = edit.find_export(&self.export)?;
        let path = edit.exports().path(row);
        let (before, after) = (edit.body(row)?.len(), body.len());
        edit.replace_body(row, body)?;
        let (old, new) = (grouped(before as u64), grouped(after as u64));
        Ok(Change {
            text: format!("body of {path}: {new} bytes, were {old}"),
            json: json!({ "kind": "replace-body", "export": row, "path": path,
                          "bytes_before": before, "bytes_after": after }),
        })
    }
}

//! `upk set-guid`: another GUID.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::Guid;
use unreal_packages::edit::Edit;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Give a package another GUID
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk set-guid MyMod.u --new -o Out.u
  upk set-guid MyMod.u 0123456789ABCDEF0123456789ABCDEF --in-place")]
pub struct SetGuid {
    #[command(flatten)]
    edit: EditArgs,
    /// 32 hexadecimal digits; dashes and braces are passed over
    #[arg(required_unless_present = "new", conflicts_with = "new")]
    guid: Option<Guid>,
    /// Draw a new one that no other package has
    #[arg(long)]
    new: bool,
}

impl SetGuid {
    /// Sets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for SetGuid {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let old = edit.guid();
        let new = match self.guid {
            Some(guid) => {
                edit.set_guid(guid)?;
                guid
            }
            None => edit.renew_guid()?,
        };
        Ok(Change {
            text: format!("GUID {new}, was {old}"),
            json: json!({ "kind": "set-guid", "old": old, "new": new }),
        })
    }
}

//! `upk retarget`: an import that refers to something else.

use clap::Args;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::CommandResult;
use crate::output::Output;

/// Let an import refer to another object; everything that uses it follows
///
/// A package can be exchanged for another: what is imported from it follows.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk retarget MyMod.u Botpack.Enforcer NewPack.Enforcer Core.Class -o Out.u
  upk retarget MyMod.u OldSkins NewSkins Core.Package --in-place")]
pub struct Retarget {
    #[command(flatten)]
    edit: EditArgs,
    /// The import, its package first: Botpack.Enforcer
    old: String,
    /// What it is to refer to
    new: String,
    /// The class of that, with the class's package: Core.Class
    class: String,
}

impl Retarget {
    /// Retargets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.run(out, |package| {
            let (old, new, class) = (&self.old, &self.new, &self.class);
            let reference = package.retarget_import(old, new, class)?.value();
            Ok(Change {
                text: format!("{old} is {new} of class {class} now (reference {reference})"),
                json: json!({ "kind": "retarget", "old": old, "new": new, "class": class,
                              "reference": reference }),
            })
        })
    }
}

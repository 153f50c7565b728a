//! `upk retarget`: references that go to something else.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::version::UnrealVersions;

use super::edit::{Change, EditArgs, Editing};
use super::renamed;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Let references go to another object or package; everything that uses them follows
///
/// In packages of UE1 to UE3 this is one import, with the class of what is new; a package can be exchanged for
/// another: what is imported from it follows. In packages of UE4 and UE5 it is every import and every soft
/// reference, tags of the asset registry included: of an object (/Game/Old.Old) or of a whole package
/// (/Game/Old, with the assets that are called like it).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk retarget MyMod.u Botpack.Enforcer NewPack.Enforcer Core.Class -o Out.u
  upk retarget MyMod.u OldSkins NewSkins Core.Package --in-place
  upk retarget BP_Door.uasset /Game/Old/Wood /Game/New/Oak -o Out.uasset
  upk retarget BP_Door.uasset /Game/Wood.Wood /Game/Oak.Oak --soft --in-place")]
pub struct Retarget {
    #[command(flatten)]
    edit: EditArgs,
    /// The import, its package first: Botpack.Enforcer, /Game/Old.Old
    old: String,
    /// What it is to refer to
    new: String,
    /// The class of that, with the class's package: Core.Class; in UE4 and UE5 it stays unless it is given
    class: Option<String>,
    /// Soft references alone: imports stay (UE4 and UE5)
    #[arg(long, conflicts_with = "class")]
    soft: bool,
}

impl Retarget {
    /// Retargets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }

    fn import(&self, edit: &mut Edit, class: &str) -> Result<Change, Failure> {
        let (old, new) = (&self.old, &self.new);
        let reference = edit.retarget_import(old, new, class)?.value();
        Ok(Change {
            text: format!("{old} is {new} of class {class} now (reference {reference})"),
            json: json!({ "kind": "retarget", "old": old, "new": new, "class": class,
                          "reference": reference }),
        })
    }

    fn references(&self, edit: &mut Edit) -> Result<Change, Failure> {
        let (old, new) = (&self.old, &self.new);
        if !edit.versions().has_soft_references() {
            let next = "state it behind the new path: upk retarget MyMod.u Old New Core.Class";
            return Err(Failure::usage(format!(
                "packages of UE1 to UE3 need the class of what is imported\n  next: {next}"
            )));
        }
        let done = match self.soft {
            true => edit.retarget_soft(old, new)?,
            false => edit.retarget(old, new)?,
        };
        let mut json = renamed::json(&done);
        json["kind"] = json!("retarget");
        (json["old"], json["new"]) = (json!(old), json!(new));
        Ok(Change { text: renamed::text(&format!("{old} is {new} now"), &done), json })
    }
}

impl Editing for Retarget {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        match &self.class {
            Some(class) => self.import(edit, class),
            None => self.references(edit),
        }
    }
}

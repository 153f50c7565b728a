//! `upk retarget`: references that go to something else.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::version::UnrealVersions;

use super::edit::{Change, EditArgs, Editing};
use super::renamed;
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Let references go to another object or package; everything that uses them follows
///
/// What is in the package already, imported or its own, takes the place of the old object: with what is imported from
/// within it, so that the imports of one package become those of another. Objects of a class become objects of the other;
/// properties that this one does not declare are refused, or go with --drop. In UE3 and later archetypes and templates
/// follow.
///
/// Else, in packages of UE1 to UE3 this is one import, with the class of what is new; a package can be exchanged for
/// another: what is imported from it follows. In packages of UE4 and UE5 it is every import and every soft
/// reference, tags of the asset registry included: of an object (/Game/Old.Old) or of a whole package
/// (/Game/Old, with the assets that are called like it).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk retarget MyMod.u Botpack.Enforcer NewPack.Enforcer Core.Class -o Out.u
  upk retarget MyMod.u OldSkins NewSkins Core.Package --in-place
  upk retarget MyMod.u Botpack.Enforcer MyPawn -o Out.u     a class of the package itself, with its objects
  upk retarget BP_Door.uasset /Game/Old/Wood /Game/New/Oak -o Out.uasset
  upk retarget BP_Door.uasset /Game/Wood.Wood /Game/Oak.Oak --soft --in-place")]
pub struct Retarget {
    #[command(flatten)]
    edit: EditArgs,
    /// The import, its package first: Botpack.Enforcer, /Game/Old.Old; or an object of the package
    old: String,
    /// What it is to refer to
    new: String,
    /// The class of that, with the class's package: Core.Class; in UE4 and UE5 it stays unless it is given
    class: Option<String>,
    /// Soft references alone: imports stay (UE4 and UE5)
    #[arg(long, conflicts_with = "class")]
    soft: bool,
    /// Drop stored properties that the new class does not declare
    #[arg(long, conflicts_with = "soft")]
    drop: bool,
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

    /// Goes to what is in the package already.
    fn redirect(&self, edit: &mut Edit) -> Result<Change, Failure> {
        let (old, new) = (&self.old, &self.new);
        let done = edit.redirect(old, new, self.drop)?;
        // Paths of UE4 and UE5 are soft references as well; a package need not have any.
        let soft = match edit.versions().has_soft_references() && old.starts_with('/') {
            true => edit.retarget_soft(old, new).map_or(0, |done| done.soft_paths),
            false => 0,
        };
        let mut lines = vec![format!(
            "{old} is {new} now: {}",
            count(done.objects.len() as u64, "object refers to it", "objects refer to it")
        )];
        lines.extend(done.instances.iter().map(|path| format!("  {path} (of the new class)")));
        lines.extend(done.dropped.iter().map(|path| format!("  {path} (dropped)")));
        let references: Vec<_> =
            done.references.iter().map(|(old, new)| json!({ "old": old, "new": new })).collect();
        Ok(Change {
            text: lines.join("\n"),
            json: json!({ "kind": "retarget", "old": old, "new": new, "references": references,
                          "objects": done.objects, "instances": done.instances,
                          "dropped": done.dropped, "soft_paths": soft }),
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
        if !self.soft && edit.can_redirect(&self.old, &self.new) {
            return self.redirect(edit);
        }
        match &self.class {
            Some(class) => self.import(edit, class),
            None => self.references(edit),
        }
    }
}

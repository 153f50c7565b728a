//! `upk set-flags`: package flags and object flags.

use std::path::Path;

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use serde_json::json;
use unreal_packages::edit::Edit;
use unreal_packages::environment::Definition;
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::version::UnrealVersions;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, flags};

/// Change the flags of a package, or of one of its exports
///
/// Flags are names, which differ between engine generations, or numbers such as 0x20. A wrong name lists
/// those that there are.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("flags").args(["package", "add", "remove", "from"]).required(true).multiple(true))]
#[command(after_help = "\
Examples:
  upk set-flags MyMod.u --add ServerSideOnly -o Out.u
  upk set-flags MyMod.u --package AllowDownload,ClientOptional --in-place
  upk set-flags MyMod.u --from MyMod/Classes/MyMod.upkg --in-place
  upk set-flags MyMod.u --export Group.Readme --add Standalone --remove 0x4 -o Out.u")]
pub struct SetFlags {
    #[command(flatten)]
    edit: EditArgs,
    /// Exactly these package flags; 0 for none
    #[arg(long, value_name = "FLAG,FLAG", value_delimiter = ',',
          conflicts_with_all = ["add", "remove", "export"])]
    package: Option<Vec<String>>,
    /// The download flags that a definition file (.upkg) says; the other flags stay
    #[arg(long, value_name = "FILE.upkg", conflicts_with_all = ["package", "add", "remove", "export"])]
    from: Option<PathBuf>,
    /// Set these flags
    #[arg(long, value_name = "FLAG", value_delimiter = ',', num_args = 1..)]
    add: Vec<String>,
    /// Clear these flags
    #[arg(long, value_name = "FLAG", value_delimiter = ',', num_args = 1..)]
    remove: Vec<String>,
    /// Change the object flags of this export: its path, or its row as #12
    #[arg(long, value_name = "PATH")]
    export: Option<String>,
}

impl SetFlags {
    /// Sets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }

    fn change_package(&self, package: &mut Edit) -> Result<Change, Failure> {
        let engine = package.versions().engine();
        let parse = |names: &[String]| {
            let all = known(names).map(|name| PackageFlags::parse(name, engine));
            all.reduce(|sum, next| Ok(sum?.with(next?)))
                .unwrap_or(Ok(PackageFlags(0)))
                .map_err(wrong)
        };
        let old = package.summary().package_flags;
        let new = match (&self.package, &self.from) {
            (_, Some(file)) => Definition::open(file).map_err(wrong)?.apply(old),
            (Some(names), None) => parse(names)?,
            (None, None) => old.with(parse(&self.add)?).without(parse(&self.remove)?),
        };
        package.set_package_flags(new)?;
        let (old_names, new_names) = (old.names(engine), new.names(engine));
        let (old, new) = (u64::from(old.0), u64::from(new.0));
        Ok(change("package", &old_names, old, &new_names, new))
    }

    fn change_object(&self, package: &mut Edit, export: &str) -> Result<Change, Failure> {
        let engine = package.versions().engine();
        let parse = |names: &[String]| {
            let all = known(names).map(|name| ObjectFlags::parse(name, engine));
            all.reduce(|sum, next| Ok(sum?.with(next?)))
                .unwrap_or(Ok(ObjectFlags(0)))
                .map_err(wrong)
        };
        let (add, remove) = (parse(&self.add)?, parse(&self.remove)?);
        let row = package.find_export(export)?;
        let path = package.exports().path(row);
        let old = package.exports().get(row).map(|export| export.flags()).unwrap_or_default();
        let new = old.with(add).without(remove);
        package.set_object_flags(row, new)?;
        Ok(change(&path, &old.names(engine), old.0, &new.names(engine), new.0))
    }
}

impl Editing for SetFlags {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        match &self.export {
            Some(export) => self.change_object(edit, export),
            None => self.change_package(edit),
        }
    }
}

/// `--package ""` clears all flags.
fn known(names: &[String]) -> impl Iterator<Item = &String> {
    names.iter().filter(|name| !name.is_empty())
}

/// A flag that is not there is wrong usage.
fn wrong(error: unreal_packages::Error) -> Failure {
    Failure::Usage(error.into())
}

fn change(of: &str, old_names: &[String], old: u64, new_names: &[String], new: u64) -> Change {
    Change {
        text: format!("flags of {of}: {}, were {}", flags(new_names, new), flags(old_names, old)),
        json: json!({ "kind": "set-flags", "of": of,
                      "old": { "value": old, "names": old_names },
                      "new": { "value": new, "names": new_names } }),
    }
}

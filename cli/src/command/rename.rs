//! `upk rename`: another name for an object, or another text for a name.

use clap::Args;
use farchive::ErrorKind;
use farchive::package::Package;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Give an object another name, or, with --name, a name of the name table another text
///
/// Everything that refers to the object follows. What means it by its name does not: calls of virtual
/// functions, tags of properties, other packages. A name of the name table is renamed wherever it is used.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk rename MyMod.u Skins.Blue DarkBlue -o Out.u
  upk rename MyMod.u '#12' DarkBlue --in-place
  upk rename MyMod.u --name OldName NewName --dry-run --json")]
pub struct Rename {
    #[command(flatten)]
    edit: EditArgs,
    /// The object: its path, or its row as #12; with --name the name as it is, case does not matter
    old: String,
    /// What it is to be called
    new: String,
    /// Rename a name of the name table instead of an object
    #[arg(long)]
    name: bool,
}

impl Rename {
    /// Renames and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.run(out, |package| match self.name {
            true => self.rename_name(package),
            false => self.rename_object(package),
        })
    }

    fn rename_name(&self, package: &mut Package) -> Result<Change, Failure> {
        let (old, new) = (&self.old, &self.new);
        let row = package.rename_name(old, new)?;
        Ok(Change {
            text: format!("renamed '{old}' to '{new}' (name {row})"),
            json: json!({ "kind": "rename", "name": row, "old": old, "new": new }),
        })
    }

    fn rename_object(&self, package: &mut Package) -> Result<Change, Failure> {
        let row = package.find_export(&self.old).map_err(|error| self.hint(package, error))?;
        let old = package.exports().path(row);
        package.rename_object(&format!("#{row}"), &self.new)?;
        let new = package.exports().path(row);
        Ok(Change {
            text: format!("renamed {old} to {new}"),
            json: json!({ "kind": "rename", "export": row, "old": old, "new": new }),
        })
    }

    /// Where there is a name but no object, the name may be meant.
    fn hint(&self, package: &Package, error: farchive::Error) -> Failure {
        let is_name = package.names().find(&self.old).is_some();
        if is_name && matches!(error.kind(), ErrorKind::NotFound { .. }) {
            return Failure::failed(format!(
                "{error}\n  next: '{}' is a name of the name table: --name renames it",
                self.old
            ));
        }
        error.into()
    }
}

//! `upk rename`: another name for an object or package, or another text for a name.

mod users;

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::ErrorKind;
use unreal_packages::edit::{Edit, RenamePackage};
use unreal_packages::inspect::package_path;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use super::breaks::{Around, BreakArgs};
use super::edit::{Change, EditArgs, Editing};
use super::renamed;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Give an object another name, or, with --package, a package another path, or, with --name, a name another
/// text
///
/// Everything that refers to the object follows, and what means a declaration by its name where the types say
/// so: stored values of a variable, calls of a function and what overrides it, states, structs and enums that
/// tags name. What can't follow is listed with its object: names as values, ini files, compiled code. A name of
/// the name table is renamed wherever it is used.
/// A package of UE4 and UE5 has its path in itself: with --package header, tags, soft paths to itself and the
/// main asset's name follow. Call the file like the last part of the path. Packages of --env that refer to it
/// break, and so may packages that say the name of a declaration: they are named, and nothing is done, unless
/// --break-imports; with --package --fix-users those that refer to the package follow, all of them or none.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk rename MyMod.u Skins.Blue DarkBlue -o Out.u
  upk rename MyMod.u '#12' DarkBlue --in-place
  upk rename MyMod.u Skins.Blue DarkBlue --env ~/Games/UT --in-place
  upk rename MyMod.u --name OldName NewName --dry-run --json
  upk rename BP_Door.uasset BP_Door BP_Gate --in-place
  upk rename BP_Door.uasset --package /Game/Doors/BP_Gate -o BP_Gate.uasset
  upk rename BP_Door.uasset --package /Game/BP_Gate --from /Game/BP_Door --in-place
  upk rename BP_Door.uasset --package /Game/BP_Gate --env MyProject --fix-users --in-place")]
pub struct Rename {
    #[command(flatten)]
    edit: EditArgs,
    /// The object: its path, or its row as #12; with --name the name as it is, case does not matter
    #[arg(required_unless_present = "package")]
    old: Option<String>,
    /// What it is to be called
    #[arg(required_unless_present = "package")]
    new: Option<String>,
    /// Rename a name of the name table instead of an object
    #[arg(long)]
    name: bool,
    /// Give the package this path, as the engine writes it: /Game/Folder/Name (UE4 and UE5)
    #[arg(long, value_name = "PATH", conflicts_with_all = ["old", "name"])]
    package: Option<String>,
    /// The path that the package has so far, where it does not say it (before UE5.1)
    #[arg(long, value_name = "PATH", requires = "package")]
    from: Option<String>,
    /// With --package: let the packages of --env that refer to it follow; all files are replaced, or none
    #[arg(long, requires = "package", requires = "env", conflicts_with_all = ["break_imports", "keep_object", "new_guid"])]
    fix_users: bool,
    /// The main asset keeps its name; engines then do not find it by the package's
    #[arg(long, requires = "package")]
    keep_object: bool,
    #[command(flatten)]
    breaks: BreakArgs,
}

impl Rename {
    /// Renames and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match &self.package {
            Some(path) if self.fix_users => self.with_users(path, out),
            _ => self.edit.apply(self, out),
        }
    }

    /// Old and new name; they are required without --package.
    fn names(&self) -> (&str, &str) {
        (self.old.as_deref().unwrap_or_default(), self.new.as_deref().unwrap_or_default())
    }

    fn rename_package(
        &self,
        package: &mut Edit,
        path: &str,
        around: &Around,
    ) -> Result<Change, Failure> {
        let old = self.from.clone().or_else(|| package_path(package));
        if !self.fix_users {
            around.check_package(old.as_deref())?;
        }
        let mut options = RenamePackage::new().keep_object(self.keep_object);
        if let Some(from) = &self.from {
            options = options.from(from);
        }
        let mut done = package.rename_package(path, &options)?;
        let short = path.rsplit('/').next().unwrap_or(path);
        if let Some(stem) = self.edit.target_stem()
            && !stem.eq_ignore_ascii_case(short)
        {
            done.care.push(format!("the file is called {stem}: call it {short}, as the package"));
        }
        let shown = old.as_deref().unwrap_or("the package");
        let mut json = renamed::json(&done);
        json["kind"] = json!("rename-package");
        (json["old"], json["new"]) = (json!(old), json!(path));
        Ok(Change { text: renamed::text(&format!("renamed {shown} to {path}"), &done), json })
    }

    fn rename_name(&self, package: &mut Edit, around: &Around) -> Result<Change, Failure> {
        let (old, new) = self.names();
        // Every object that has the name gets another path.
        let has_name = |name: &str| name.eq_ignore_ascii_case(old);
        let named: Vec<String> = package
            .exports()
            .iter()
            .filter(|export| has_name(&export.name()))
            .map(|export| export.path())
            .collect();
        around.check(named.iter().map(String::as_str))?;
        let row = package.rename_name(old, new)?;
        Ok(Change {
            text: format!("renamed '{old}' to '{new}' (name {row})"),
            json: json!({ "kind": "rename", "name": row, "old": old, "new": new }),
        })
    }

    fn rename_object(&self, package: &mut Edit, around: &Around) -> Result<Change, Failure> {
        let (object, name) = self.names();
        let row = package.find_export(object).map_err(|error| self.hint(package, error))?;
        let old = package.exports().path(row);
        if !package.versions().has_tiled_layout() {
            around.check([old.as_str()])?;
        }
        check_declaration(package, row, around)?;
        let own = package_path(package);
        let mut done = package.rename_object(&format!("#{row}"), name)?;
        if let Some(own) = own {
            // With a blueprint its class and its defaults.
            around.check_in(&own, done.objects.iter().map(|(old, _)| old.as_str()))?;
        }
        let new = package.exports().path(row);
        let mut json = renamed::json(&done);
        json["kind"] = json!("rename");
        (json["export"], json["old"], json["new"]) = (json!(row), json!(old), json!(new));
        // The title says it.
        done.objects.retain(|(before, _)| *before != old);
        Ok(Change { text: renamed::text(&format!("renamed {old} to {new}"), &done), json })
    }

    /// Where there is a name but no object, the name may be meant.
    fn hint(&self, package: &Package, error: unreal_packages::Error) -> Failure {
        let (old, _) = self.names();
        let is_name = package.names().find(old).is_some();
        if is_name && matches!(error.kind(), ErrorKind::NotFound { .. }) {
            return Failure::failed(format!(
                "{error}\n  next: '{old}' is a name of the name table: --name renames it"
            ));
        }
        error.into()
    }
}

/// What other packages say of a declaration by its name.
fn check_declaration(package: &Package, row: usize, around: &Around) -> Result<(), Failure> {
    let Some(export) = package.exports().get(row) else { return Ok(()) };
    let class = export.class();
    let is = |ending: &str| class.ends_with(ending);
    let owner = match () {
        () if is("Property") || is("Function") || is(".State") => {
            package.path(export.entry().outer_index)
        }
        () if is("Struct") || is("Enum") => export.path(),
        () => return Ok(()),
    };
    around.check_name(&owner, &export.name())
}

impl Editing for Rename {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let around = self.breaks.around(file, &self.edit.save.open)?;
        match (&self.package, self.name) {
            (Some(path), _) => self.rename_package(edit, path, &around),
            (None, true) => self.rename_name(edit, &around),
            (None, false) => self.rename_object(edit, &around),
        }
    }
}

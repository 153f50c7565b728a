//! A package with another path, and all packages that refer to it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::json;
use unreal_packages::Error;
use unreal_packages::container::Containers;
use unreal_packages::edit::Edit;
use unreal_packages::inspect::package_path;

use super::Rename;
use crate::command::edit::{Change, Editing as _, Prepared};
use crate::command::renamed;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

impl Rename {
    /// Renames the package and lets everything that refers to it follow: all files are replaced, or none.
    pub(super) fn with_users(&self, path: &str, out: &mut Output) -> CommandResult {
        let save = &self.edit.save;
        let file = &self.edit.file;
        if !save.is_in_place() && !save.is_dry() {
            let next = "use --in-place, or --dry-run to look first";
            return Err(Failure::usage(format!(
                "--fix-users changes the packages of --env where they are\n  next: {next}"
            )));
        }
        let Some(environment) = save.open.environment(file)? else {
            let next = "name the folder of the packages with --env";
            return Err(Failure::usage(format!("--fix-users needs --env\n  next: {next}")));
        };
        let package = save.open.open(file)?;
        let Some(old) = self.from.clone().or_else(|| package_path(&package)) else {
            let next = "say the package's old path with --from";
            return Err(Failure::usage(format!(
                "who refers to the package can't be told: its path is not known\n  next: {next}"
            )));
        };
        drop(package);
        let own = dunce::canonicalize(file).unwrap_or_else(|_| file.clone());
        let unopened = environment.unopened_packages();
        if !unopened.is_empty() {
            let number = count(unopened.len() as u64, "package", "packages");
            let line = |(path, error): &(PathBuf, Error)| format!("{}: {error}", path.display());
            let lines = unopened.iter().map(line).collect();
            let next =
                "mend them or take them out of --env, or --break-imports without --fix-users";
            return Err(Failure::listing(
                format!("{number} can't be opened, and may refer to it"),
                lines,
                next,
            ));
        }
        let users = environment.users_of(&old, "");
        let users: BTreeSet<PathBuf> = users
            .into_iter()
            .map(|user| user.file)
            .filter(|user| dunce::canonicalize(user).map_or(true, |user| user != own))
            .collect();
        if let Some(contained) = users.iter().find(|user| Containers::split(user).is_some()) {
            let contained = contained.display();
            let next = "make a patch with `upk edit` and `retarget` for those in containers, then --break-imports";
            return Err(Failure::failed(format!(
                "{contained} refers to it and lies in a container, which is never changed\n  next: {next}"
            )));
        }
        let mut all: Vec<Prepared> = Vec::with_capacity(users.len() + 1);
        all.push(save.prepare_package(&own, |edit| self.change(edit, file))?);
        for user in &users {
            let shown = user.display().to_string();
            let prepared = save.prepare_package(user, |edit| retargeted(edit, &old, path));
            all.push(prepared.map_err(|failure| failure.of_file(&shown))?);
        }
        let name = format!("rename-{}", path.rsplit('/').next().unwrap_or(path));
        save.replace_together(all, &name, out)?;
        let users = users.len() as u64;
        match out.is_json() {
            true => out.object(&json!({ "summary": { "old": old, "new": path, "users": users,
                                                     "dry_run": save.is_dry() } }))?,
            false => {
                let verb = if save.is_dry() { "would follow" } else { "followed" };
                let noun = count(users, "package that refers to it", "packages that refer to it");
                out.line(format!("{noun} {verb}"))?;
            }
        }
        Ok(Outcome::Fine)
    }
}

fn retargeted(edit: &mut Edit, old: &str, new: &str) -> Result<Change, Failure> {
    let done = edit.retarget(old, new)?;
    let mut json = renamed::json(&done);
    json["kind"] = json!("retarget");
    (json["old"], json["new"]) = (json!(old), json!(new));
    Ok(Change { text: renamed::text(&format!("{old} is {new} now"), &done), json })
}

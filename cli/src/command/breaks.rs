//! What a change would break in other packages: asked before an object goes or gets another path.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use unreal_packages::edit::uses_of_name;
use unreal_packages::environment::{Dependency, Environment, User};

use super::env::package_name;
use crate::args::OpenArgs;
use crate::failure::Failure;
use crate::output::count;

/// Imports that a message names; more are only counted.
const NAMED: usize = 8;

/// Whether other packages are asked, and whether their answer counts.
#[derive(Debug, Clone, Args)]
pub struct BreakArgs {
    /// Change it even if packages of --env import it and break
    #[arg(long, requires = "env")]
    break_imports: bool,
}

/// The packages around the one that is changed.
pub struct Around {
    environment: Option<Arc<Environment>>,
    package: String,
    break_imports: bool,
}

impl BreakArgs {
    /// The packages of `--env`, if it was given.
    pub fn around(&self, file: &Path, open: &OpenArgs) -> Result<Around, Failure> {
        let environment = open.environment(file)?;
        let package = match &environment {
            Some(environment) => package_name(environment, file),
            None => String::new(),
        };
        Ok(Around { environment, package, break_imports: self.break_imports })
    }
}

impl Around {
    /// Refuses when packages import the objects with these paths, or anything within them.
    pub fn check<'a>(&self, paths: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        self.check_in(&self.package, paths)
    }

    /// The same for a package that is called like this.
    pub fn check_in<'a>(
        &self,
        package: &str,
        paths: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), Failure> {
        let Some(environment) = self.environment.as_ref().filter(|_| !self.break_imports) else {
            return Ok(());
        };
        let users: Vec<User> =
            paths.into_iter().flat_map(|path| environment.users_of(package, path)).collect();
        let line = |user: &User| format!("{} {} {}", user.package, verb(user), user.path);
        refuse(users.iter().map(line).collect(), "reference", "references")
    }

    /// Refuses when packages that import `owner`, or something within it, say the name of what it declares: values
    /// are stored and functions called by their names.
    pub fn check_name(&self, owner: &str, name: &str) -> Result<(), Failure> {
        let Some(environment) = self.environment.as_ref().filter(|_| !self.break_imports) else {
            return Ok(());
        };
        let users = environment.users_of(&self.package, owner);
        let packages: BTreeSet<&str> = users.iter().map(|user| user.package.as_str()).collect();
        let mut lines = Vec::new();
        for package in packages {
            let Some(id) = environment.find(package) else { continue };
            let Ok(opened) = environment.open_file(id) else { continue };
            let said = uses_of_name(&opened, name).into_iter();
            lines.extend(
                said.map(|(path, field)| format!("{package}: {path} says {name} ({field})")),
            );
        }
        refuse(lines, "use by name", "uses by name")
    }

    /// Refuses when packages refer to the package of UE4 or UE5 that has this path, by import or softly.
    pub fn check_package(&self, path: Option<&str>) -> Result<(), Failure> {
        let Some(environment) = self.environment.as_ref().filter(|_| !self.break_imports) else {
            return Ok(());
        };
        let Some(path) = path else {
            let next = "say the package's old path with --from";
            return Err(Failure::usage(format!(
                "who refers to the package can't be told: its path is not known\n  next: {next}"
            )));
        };
        let users = environment.users_of(path, "");
        let line = |user: &User| format!("{} {} {}", user.file.display(), verb(user), user.path);
        let next = "let them follow (--fix-users), or --break-imports";
        refuse_for(users.iter().map(line).collect(), "reference", "references", next)
    }
}

fn refuse(lines: Vec<String>, one: &str, many: &str) -> Result<(), Failure> {
    let next = "change these packages first (`upk retarget`), or --break-imports";
    refuse_for(lines, one, many, next)
}

fn refuse_for(mut lines: Vec<String>, one: &str, many: &str, next: &str) -> Result<(), Failure> {
    if lines.is_empty() {
        return Ok(());
    }
    let (all, number) = (lines.len(), count(lines.len() as u64, one, many));
    lines.truncate(NAMED);
    if all > NAMED {
        lines.push(format!("and {} more", all - NAMED));
    }
    Err(Failure::listing(format!("{number} of other packages would break"), lines, next))
}

/// How a package needs what would break.
fn verb(user: &User) -> &'static str {
    match user.kind {
        Dependency::Hard => "imports",
        Dependency::Soft => "refers to",
    }
}

//! What a change would break in other packages: asked before an object goes or gets another path.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use farchive::environment::{Dependency, Environment, User};

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
        let environment = open.environment()?;
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
        let Some(environment) = self.environment.as_ref().filter(|_| !self.break_imports) else {
            return Ok(());
        };
        let users: Vec<User> =
            paths.into_iter().flat_map(|path| environment.users_of(&self.package, path)).collect();
        if users.is_empty() {
            return Ok(());
        }
        let number = count(users.len() as u64, "import", "imports");
        let shown = users.iter().take(NAMED);
        let mut lines: Vec<String> =
            shown.map(|user| format!("  {} {} {}", user.package, verb(user), user.path)).collect();
        if users.len() > NAMED {
            lines.push(format!("  and {} more", users.len() - NAMED));
        }
        let next = "change these packages first (`upk retarget`), or --break-imports";
        let lines = lines.join("\n");
        Err(Failure::failed(format!(
            "{number} of other packages would break\n{lines}\n  next: {next}"
        )))
    }
}

/// How a package needs what would break.
fn verb(user: &User) -> &'static str {
    match user.kind {
        Dependency::Hard => "imports",
        Dependency::Soft => "refers to",
    }
}

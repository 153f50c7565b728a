//! `upk uses`: who needs an object.

use std::path::PathBuf;

use clap::Args;

use super::env::{environment, warn_of_containers};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count, table};

/// Show which packages of a folder import an object, or something within it, or refer to it softly
///
/// These packages break when the object goes or gets another name.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk uses Botpack.Enforcer ~/Games/UT
  upk uses Botpack ~/Games/UT                 whoever needs anything of the package
  upk uses /Game/Meshes/Rock.Rock MyProject
  upk uses Engine.Actor System Maps --json")]
pub struct Uses {
    /// The object with its package, or the package alone
    object: String,
    /// Game folders, ini files or folders of packages
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

impl Uses {
    /// Prints one line an import.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let environment = environment(&self.folders, &self.open, &self.folders[0])?;
        warn_of_containers(&environment, out)?;
        // Folders of a path may have dots.
        let start = self.object.rfind('/').unwrap_or(0);
        let (package, object) = match self.object[start..].find('.') {
            Some(at) => (&self.object[..start + at], &self.object[start + at + 1..]),
            None => (self.object.as_str(), ""),
        };
        let users = environment.users_of(package, object);
        if out.is_json() {
            for user in &users {
                out.object(user)?;
            }
            return Ok(Outcome::Fine);
        }
        let row = |user: &unreal_packages::environment::User| {
            vec![
                user.package.clone(),
                user.kind.word().to_owned(),
                user.path.clone(),
                user.class.clone(),
            ]
        };
        let rows: Vec<_> = users.iter().map(row).collect();
        for line in table(&["package", "kind", "imports", "as"], &[false; 4], &rows) {
            out.line(line)?;
        }
        let mut packages: Vec<_> = users.iter().map(|user| &user.file).collect();
        packages.dedup();
        let unreadable = environment.files().filter(|(id, _)| environment.digest(*id).is_err());
        let unreadable = unreadable.count() as u64;
        let packages = count(packages.len() as u64, "package needs", "packages need");
        out.line(format!("{packages} {}", self.object))?;
        if unreadable > 0 {
            let files = count(unreadable, "file", "files");
            out.line(format!("{files} can't be opened and may need it as well: `upk doctor`"))?;
        }
        Ok(Outcome::Fine)
    }
}

//! `upk package-map`: what a server sends to clients for a level.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::env::package_name;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count, grouped, table};

/// Show the packages that a server lists for a level: what clients may download and what they must have
///
/// The level and what it needs come first, then the ServerPackages of the ini file and what these need. `upk compare`
/// compares the list with a client's packages. Exit code 1 when the server needs a package that it has no file of.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk package-map Maps/DM-Deck16.unr --env ~/Games/UT
  upk package-map Maps/DM-Mine.unr --env ~/Games/UT --json")]
pub struct PackageMap {
    /// The level
    file: PathBuf,
    #[command(flatten)]
    open: OpenArgs,
}

impl PackageMap {
    /// Prints one row a package, then what is not sent.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        // A wrong file says so itself.
        drop(self.open.open_alone(&self.file)?);
        let environment = self.open.around(&self.file)?;
        let map = environment.package_map(&package_name(&environment, &self.file))?;
        let is_whole = !map.excluded.iter().any(|excluded| excluded.missing);
        let outcome = if is_whole { Outcome::Fine } else { Outcome::Wrong };
        if out.is_json() {
            for entry in &map.entries {
                out.object(entry)?;
            }
            for excluded in &map.excluded {
                out.object(&json!({ "excluded": excluded }))?;
            }
            return Ok(outcome);
        }
        let mut rows = Vec::new();
        for entry in &map.entries {
            rows.push(vec![
                entry.name.clone(),
                entry.guid.to_string(),
                grouped(entry.bytes),
                entry.generation.to_string(),
                if entry.downloadable { "may download" } else { "must have" }.to_owned(),
                entry.flag_names.join(" | "),
                entry.needed_by.clone().unwrap_or_default(),
            ]);
        }
        let header = ["package", "guid", "bytes", "generation", "clients", "flags", "needed by"];
        let right = [false, false, true, true, false, false, false];
        for line in table(&header, &right, &rows) {
            out.line(line)?;
        }
        for excluded in &map.excluded {
            let by = excluded.needed_by.as_deref().unwrap_or("the level");
            out.line(format!("not sent: {}, needed by {by}: {}", excluded.name, excluded.reason))?;
        }
        let sent = map.entries.len() as u64;
        out.summary(format!("{} sent", count(sent, "package is", "packages are")))?;
        Ok(outcome)
    }
}

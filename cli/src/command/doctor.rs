//! `upk doctor`: what is wrong in a folder of packages.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::env::{environment, warn_of_containers};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count};
use crate::progress;

/// Look for what is wrong in a game's folder: missing packages and objects, clashing names and GUIDs
///
/// Search paths, build order, server packages and cache come from the game's ini file where there is one.
/// Files that can't be opened are findings like the others. Redirectors are followed to what they lead to.
/// In UE4 and UE5 what only code declares (`/Script/...`) needs no file, and soft references to what is not
/// there are findings of their own.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk doctor ~/Games/UnrealTournament
  upk doctor ~/Games/UT2004/System/UT2004.ini
  upk doctor ~/Projects/MyProject             each content folder under its mount: /Game/, /Engine/, plugins
  upk doctor mods --json | jq -r 'select(.finding == \"package-missing\") | .package'")]
pub struct Doctor {
    /// Game folders, ini files or folders of packages
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

impl Doctor {
    /// Prints one line a finding and the totals.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let environment = environment(&self.folders, &self.open, &self.folders[0])?;
        warn_of_containers(&environment, out)?;
        let bar = progress::bar(2 * environment.len(), "steps");
        let findings = environment.doctor(&mut |step| bar.set_position(step.done as u64));
        bar.finish_and_clear();
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for finding in &findings {
            *kinds.entry(finding.word()).or_default() += 1;
            if out.is_json() {
                out.object(finding)?;
            } else {
                out.line(format!("{:<16}  {finding}", finding.word()))?;
            }
        }
        let packages = environment.len() as u64;
        if out.is_json() {
            let opened = environment.opened();
            out.object(
                &json!({ "packages": packages, "opened": opened, "findings": findings.len(),
                                "kinds": kinds }),
            )?;
        } else {
            let found = count(findings.len() as u64, "finding", "findings");
            out.line(format!("{}: {found}", count(packages, "package", "packages")))?;
        }
        Ok(if findings.is_empty() { Outcome::Fine } else { Outcome::Wrong })
    }
}

//! `upk check-layout`: what changed in the layouts of classes.

use std::path::{Path, PathBuf};

use clap::Args;
use unreal_packages::environment::{Classes, Environment};

use super::env::package_name;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Compare two releases of a code package: which layouts of classes changed in memory
///
/// A changed layout of a native class breaks the code that was compiled for it: exit code 1. Parents are
/// looked for in --env. Of UE4 and UE5 what the packages declare is compared: properties and their order,
/// enums by the numbers of their values.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk check-layout Old/Engine.u New/Engine.u
  upk check-layout Old/Botpack.u New/Botpack.u --env ~/Games/UT --json
  upk check-layout Old/BP_Hero.uasset New/BP_Hero.uasset")]
pub struct CheckLayout {
    /// The release before
    old: PathBuf,
    /// The release now
    new: PathBuf,
    #[command(flatten)]
    open: OpenArgs,
}

impl CheckLayout {
    /// Prints one line a change.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let environment = self.open.environment(&self.new)?;
        let name = match &environment {
            Some(environment) => package_name(environment, &self.new),
            None => self.new.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let old = self.classes(&self.old, environment.as_deref(), &name)?;
        let new = self.classes(&self.new, environment.as_deref(), &name)?;
        let changes = old.layout_changes(&new, &name);
        let broken = changes.iter().filter(|change| change.native).count();
        for change in &changes {
            if out.is_json() {
                out.object(change)?;
                continue;
            }
            let native = if change.native { "native " } else { "" };
            out.line(format!("{native}{}", change.class))?;
            for one in &change.changes {
                out.line(format!("  {one}"))?;
            }
        }
        if !out.is_json() {
            let all = count(changes.len() as u64, "layout", "layouts");
            out.summary(format!("{all} changed, {broken} of native classes"))?;
        }
        Ok(if broken > 0 { Outcome::Wrong } else { Outcome::Fine })
    }

    fn classes(
        &self,
        file: &Path,
        environment: Option<&Environment>,
        name: &str,
    ) -> Result<Classes, Failure> {
        let package = self.open.open_alone(file)?;
        // Both under one name: releases have names of their own, as Botpack_436.u.
        Ok(match environment {
            Some(environment) => environment.classes_around(&package, name),
            None => {
                let mut classes = Classes::default();
                classes.add(&package, name);
                classes
            }
        })
    }
}

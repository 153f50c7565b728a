//! `upk config`: which configurations count for a folder, and what they say.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::Game;

use crate::config::{Config, NAME, folder_of};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};
use crate::trust::{self, Searched};

/// Show which upk.toml counts for a folder, what it says, and which are passed over
///
/// The nearest file counts: that of the folder, or of one above, as far as they belong to one project and to this user.
/// Options of the command line have the last word. Keys are counted, never shown. Exit code 1 where a file is not
/// trusted, says what it may not, or names what is not there.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk config
  upk config ~/Projects/MyProject
  upk config Paks/Game --json | jq .takes_effect")]
pub struct ShowConfig {
    /// A folder, or a package in it
    #[arg(default_value = ".", hide_default_value = true)]
    folder: PathBuf,
}

/// What was found on the way up.
#[derive(Default)]
struct Search {
    /// The folders that were looked into.
    folders: Vec<PathBuf>,
    /// Files that are passed over, with the reason.
    refused: Vec<(PathBuf, &'static str)>,
    /// The file that counts.
    used: Option<PathBuf>,
    /// Why the search ended.
    end: &'static str,
}

impl Search {
    fn from(folder: &Path) -> Self {
        let (mut search, mut folder) = (Self::default(), folder);
        loop {
            search.folders.push(folder.to_owned());
            let Searched { file, refused, above } = trust::search(folder, NAME);
            match (file, refused) {
                (Some(file), Some(reason)) => search.refused.push((file, reason)),
                (file, _) => search.used = file,
            }
            match above {
                Ok(outer) => folder = outer,
                Err(end) => {
                    search.end = end;
                    return search;
                }
            }
        }
    }
}

impl ShowConfig {
    /// Prints the search, then what counts.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.folder.symlink_metadata().is_err() {
            let (folder, next) = (self.folder.display(), "check the path");
            return Err(Failure::usage(format!("'{folder}' is not there\n  next: {next}")));
        }
        let search = Search::from(&folder_of(&self.folder));
        let config = search.used.as_deref().map(Config::read).transpose();
        let (config, error) = match config {
            Ok(config) => (config, None),
            Err(failure) => (None, Some(failure.parts().0)),
        };
        let missing = config.as_ref().map(missing).unwrap_or_default();
        let is_fine = error.is_none() && missing.is_empty() && search.refused.is_empty();
        match out.is_json() {
            true => out.object(&as_json(&search, config.as_ref(), error.as_deref(), &missing))?,
            false => print(&search, config.as_ref(), error.as_deref(), &missing, out)?,
        }
        Ok(if is_fine { Outcome::Fine } else { Outcome::Wrong })
    }
}

/// The paths that it names and that are not there.
fn missing(config: &Config) -> Vec<PathBuf> {
    let paths = config.mappings.iter().chain(&config.env);
    paths.filter(|path| !path.exists()).cloned().collect()
}

fn as_json(
    search: &Search,
    config: Option<&Config>,
    error: Option<&str>,
    missing: &[PathBuf],
) -> Value {
    let shown = |path: &PathBuf| path.display().to_string();
    let all = |paths: &[PathBuf]| paths.iter().map(shown).collect::<Vec<_>>();
    let refused =
        |(file, reason): &(PathBuf, &str)| json!({ "file": shown(file), "reason": reason });
    let trusted = trust::trusted_folders();
    json!({
        "searched": all(&search.folders),
        "search_ended": search.end,
        "not_used": search.refused.iter().map(refused).collect::<Vec<_>>(),
        "file": search.used.as_ref().map(shown),
        "error": error,
        "takes_effect": config.map(|config| json!({
            "engine": config.engine.map(|engine| engine.to_string()),
            "game": config.game.map(Game::slug),
            "mappings": config.mappings.as_ref().map(shown),
            "env": all(&config.env),
            "keys": config.keys.len(),
            "rules": config.rules.iter().map(|rule| &rule.code).collect::<Vec<_>>(),
        })),
        "missing": all(missing),
        "trusts_all": trusted.is_none(),
        "trusted_folders": all(&trusted.unwrap_or_default()),
    })
}

fn print(
    search: &Search,
    config: Option<&Config>,
    error: Option<&str>,
    missing: &[PathBuf],
    out: &mut Output,
) -> Result<(), Failure> {
    for (file, reason) in &search.refused {
        out.line(format!("not used: {}: {reason}", file.display()))?;
    }
    match &search.used {
        Some(file) => match error {
            Some(error) => out.line(format!("wrong: {error}"))?,
            None => out.line(format!("used: {}", file.display()))?,
        },
        None => out.line(format!("no {NAME} counts here"))?,
    }
    for (label, text) in config.map(|config| facts(config, missing)).unwrap_or_default() {
        out.line(format!("  {label:<9} {text}"))?;
    }
    let first = search.folders.first().map(|folder| folder.display().to_string());
    let last = search.folders.last().map(|folder| folder.display().to_string());
    let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
    let place = if first == last { first } else { format!("{first} up to {last}") };
    out.line(format!("searched: {place}: {}", search.end))?;
    match trust::trusted_folders() {
        None => out.line("trusted: every folder (--trust-config, or UPK_TRUST_CONFIG=1)")?,
        Some(folders) => {
            for folder in folders {
                out.line(format!("trusted: {} (UPK_TRUST_CONFIG)", folder.display()))?;
            }
        }
    }
    Ok(())
}

/// What takes effect, label and text.
fn facts(config: &Config, missing: &[PathBuf]) -> Vec<(&'static str, String)> {
    let shown = |path: &PathBuf| match missing.contains(path) {
        true => format!("{} (not there)", path.display()),
        false => path.display().to_string(),
    };
    let mut facts = Vec::new();
    facts.extend(config.engine.map(|engine| ("engine", engine.to_string())));
    facts.extend(config.game.map(|game| ("game", game.slug().to_owned())));
    facts.extend(config.mappings.iter().map(|path| ("mappings", shown(path))));
    facts.extend(config.env.iter().map(|path| ("env", shown(path))));
    if !config.keys.is_empty() {
        facts.push(("keys", count(config.keys.len() as u64, "key", "keys")));
    }
    facts.extend(config.rules.iter().map(|rule| ("rule", rule.code.clone())));
    facts
}

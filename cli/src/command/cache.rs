//! `upk cache`: downloaded packages under their GUIDs.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;
use unreal_packages::Guid;
use unreal_packages::environment::{Cache as Files, CacheEntry, CacheState, Settings};

use crate::args::{self, OpenArgs};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::input;
use crate::output::{Output, count, grouped, table};
use crate::target::{OverwriteArgs, Target, unwritten};

/// List, find, extract and add downloaded packages (.uxx) of a game's cache
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk cache list ~/Games/UT
  upk cache find ~/Games/UT ChaosUT
  upk cache extract ~/Games/UT ChaosUT -o ~/Games/UT/System
  upk cache add ~/Games/UT/Cache MyMod.u")]
pub struct Cache {
    #[command(subcommand)]
    what: What,
}

/// What to do with the cache.
#[derive(Debug, Subcommand)]
enum What {
    /// List all packages, their names and whether their GUIDs are right
    List(Place),
    /// Show the packages with this name or GUID
    Find(Wanted),
    /// Copy a package out of the cache under its own name
    Extract {
        #[command(flatten)]
        wanted: Wanted,
        /// The folder or file to write; - for standard output
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        #[command(flatten)]
        write: OverwriteArgs,
    },
    /// Copy a package into the cache and note its name in the index
    Add {
        #[command(flatten)]
        place: Place,
        /// The package
        file: PathBuf,
    },
}

/// Where the cache is.
#[derive(Debug, Args)]
struct Place {
    /// The cache's folder, the game's folder or its ini file
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    #[command(flatten)]
    open: OpenArgs,
}

/// A package of the cache.
#[derive(Debug, Args)]
struct Wanted {
    #[command(flatten)]
    place: Place,
    /// The package's name, with or without extension, or its GUID
    package: String,
}

impl Place {
    fn cache(&self) -> Result<Files, Failure> {
        let usage = |error: unreal_packages::Error| Failure::Usage(error.into());
        let settings = Settings::detect_with(&self.folder, crate::input::links()).map_err(usage)?;
        let configured = settings.cache.as_deref();
        // Not the folder that was named: files of the cache would lie among those of the game.
        if let Some(written) = settings.cache_path.as_deref().filter(|_| configured.is_none()) {
            let next =
                "name the folder of the cache itself, or --follow-links where it lies outside";
            return Err(Failure::usage(format!(
                "the CachePath of the ini file, '{written}', leads to no folder of the game\n  next: {next}"
            )));
        }
        let folder = configured.unwrap_or(&self.folder);
        if folder.is_file() {
            let next = "name the folder of the cache";
            return Err(Failure::usage(format!("the ini file names no CachePath\n  next: {next}")));
        }
        let extension = match settings.cache_extension.as_str() {
            "" => ".uxx",
            extension => extension,
        };
        Files::open(folder, extension).map_err(usage)
    }
}

impl Wanted {
    fn find<'a>(&'a self, cache: &'a Files) -> Vec<&'a CacheEntry> {
        match self.package.parse::<Guid>() {
            Ok(guid) => cache.find(guid).into_iter().collect(),
            Err(_) => cache.find_name(&self.package).collect(),
        }
    }
}

impl Cache {
    /// Does it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match &self.what {
            What::List(place) => {
                let cache = place.cache()?;
                print(&cache, &cache.entries().collect::<Vec<_>>(), &place.open, out)
            }
            What::Find(wanted) => {
                let cache = wanted.place.cache()?;
                let found = wanted.find(&cache);
                if found.is_empty() && !out.is_json() {
                    out.line(format!("no package '{}' in the cache", wanted.package))?;
                }
                let outcome = print(&cache, &found, &wanted.place.open, out)?;
                Ok(if found.is_empty() { Outcome::Wrong } else { outcome })
            }
            What::Extract { wanted, output, write } => extract(wanted, output, *write, out),
            What::Add { place, file } => {
                if input::is_standard(file) {
                    let next = "name a file: the index of the cache keeps its name";
                    return Err(Failure::usage(format!(
                        "standard input has no name\n  next: {next}"
                    )));
                }
                let mut cache = place.cache()?;
                let usage = |error: unreal_packages::Error| Failure::Usage(error.into());
                let entry = cache.add(file, &place.open.options(file)?).map_err(usage)?;
                if out.is_json() {
                    out.object(&entry)?;
                } else {
                    let (file, path) = (file.display(), entry.path.display());
                    out.line(format!("{file} is in the cache as {path}"))?;
                }
                Ok(Outcome::Fine)
            }
        }
    }
}

fn extract(
    wanted: &Wanted,
    output: &Path,
    write: OverwriteArgs,
    out: &mut Output,
) -> CommandResult {
    let cache = wanted.place.cache()?;
    let found = wanted.find(&cache);
    let entry = match found[..] {
        [entry] => entry,
        [] => {
            let next = "`upk cache list` shows what there is";
            let package = &wanted.package;
            return Err(Failure::failed(format!(
                "no package '{package}' in the cache\n  next: {next}"
            )));
        }
        _ => {
            let guids: Vec<_> = found.iter().map(|entry| entry.guid.to_string()).collect();
            let (package, guids) = (&wanted.package, guids.join(", "));
            let message =
                format!("several packages were called '{package}'\n  next: say one of {guids}");
            return Err(Failure::failed(message));
        }
    };
    let state = cache.check(entry, &wanted.place.open.options(&entry.path)?);
    let shown = if input::is_standard(output) {
        let target = Target::new(output, false, Form::Any, out)?;
        target.write(&args::read(&entry.path)?, out)?;
        target.shown()
    } else {
        let path = cache.extract(entry.guid, output, write.overwrite).map_err(unwritten)?;
        path.display().to_string()
    };
    if out.is_json() {
        out.object(&json!({ "guid": entry.guid, "output": shown, "state": state }))?;
    } else {
        out.summary(format!("wrote {shown}"))?;
        if !matches!(state, CacheState::Fine | CacheState::NotIndexed) {
            out.line(format!("  {}", state.describe()))?;
        }
    }
    Ok(Outcome::Fine)
}

fn print(
    cache: &Files,
    entries: &[&CacheEntry],
    open: &OpenArgs,
    out: &mut Output,
) -> CommandResult {
    let mut rows = Vec::new();
    let mut wrong = 0;
    for entry in entries {
        let state = cache.check(entry, &open.options(&entry.path)?);
        wrong += u64::from(!matches!(state, CacheState::Fine | CacheState::NotIndexed));
        if out.is_json() {
            let mut object = serde_json::to_value(entry)?;
            if let Some(object) = object.as_object_mut()
                && let serde_json::Value::Object(state) = serde_json::to_value(&state)?
            {
                object.extend(state);
            }
            out.object(&object)?;
        } else {
            let original = entry.original.clone().unwrap_or_default();
            rows.push(vec![
                entry.guid.to_string(),
                original,
                grouped(entry.bytes),
                state.describe(),
            ]);
        }
    }
    if !out.is_json() {
        for line in table(&["guid", "name", "bytes", "state"], &[false, false, true, false], &rows)
        {
            out.line(line)?;
        }
        out.summary(count(entries.len() as u64, "package", "packages"))?;
    }
    Ok(if wrong > 0 { Outcome::Wrong } else { Outcome::Fine })
}

//! `upk grep`: every text of packages that fits a pattern.

mod hit;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use regex::{Regex, RegexBuilder};
use serde_json::json;
use unreal_packages::environment::is_passed_over;
use unreal_packages::inspect::{FoundText, TextKind, each_text};
use unreal_packages::package::Package;
use unreal_packages::scan::FileOrigin;

use self::hit::{Hit, Titles};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::input;
use crate::output::{Output, count};

/// Find names, values, texts and code by pattern, with their paths
///
/// Searched are the name table, the paths of imports and exports, each single value of a property, each line of
/// carried source and other texts, and each statement of code as `upk script --asm` writes it. A hit in a property
/// is printed as `upk get` and `upk set` take it. Folders are searched for packages at every depth.
///
/// Exit codes: 0 something is found, 1 nothing, 2 wrong usage or a package that can't be opened.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk grep Enforcer Botpack.u
  upk grep -i 'enforcer' System
  upk grep -F LevelInfo Maps --values
  upk grep -l Engine.Light Maps --names
  upk grep -i 'class .*extends' Botpack.u --texts --json")]
pub struct Grep {
    /// A regular expression (<https://docs.rs/regex/latest/regex/#syntax>)
    pattern: String,
    /// Packages, containers and folders; - for standard input
    #[arg(required = true, value_name = "PACKAGE")]
    paths: Vec<PathBuf>,
    /// Upper and lower case are the same
    #[arg(short, long)]
    ignore_case: bool,
    /// The pattern is a plain text
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Search rows of the name table and paths of imports and exports (may be combined with the other three)
    #[arg(long)]
    names: bool,
    /// Search values of properties, and names among what classes add to them
    #[arg(long)]
    values: bool,
    /// Search carried source and other texts of objects and tables
    #[arg(long)]
    texts: bool,
    /// Search code
    #[arg(long)]
    code: bool,
    /// Only print which packages have a hit
    #[arg(short = 'l', long, conflicts_with = "count")]
    files_with_matches: bool,
    /// Only print how many hits each package has
    #[arg(short, long)]
    count: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// Packages for each thread that are searched before the first one's hits are printed: their order stays, and the
/// hits of no more than these are kept.
const AHEAD: usize = 4;

/// What one package has.
#[derive(Default)]
struct Found {
    hits: Vec<Hit>,
    count: u64,
    /// Bodies that are not decoded whole.
    unseen: usize,
}

/// Files without the containers whose packages are among them: those stand right behind.
fn without_containers(files: BTreeMap<PathBuf, FileOrigin>) -> Vec<(PathBuf, FileOrigin)> {
    let mut kept: Vec<(PathBuf, FileOrigin)> = Vec::new();
    for (path, origin) in files {
        if kept.last().is_some_and(|(last, _)| path.starts_with(last)) {
            kept.pop();
        }
        kept.push((path, origin));
    }
    kept
}

/// Why the walk through a package ends.
enum Stop {
    /// One hit is enough.
    Enough,
    Failed(Failure),
}

impl Grep {
    /// Prints one line a hit.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let pattern = self.pattern()?;
        let kinds = self.kinds();
        let Collected { files, unlisted, .. } = collect(&self.paths)?;
        let mut failed = unlisted.len();
        for (path, reason) in unlisted {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        let (mut any, mut unseen) = (false, 0);
        let is_one = files.len() == 1;
        let files = without_containers(files);
        let environment = self.open.environment(&self.paths[0])?;
        let options = |path: &Path| {
            let options = self.open.options(path)?;
            Ok::<_, Failure>(if is_one { options } else { options.threads(1) })
        };
        // What is wrong with a configuration is said before the first package.
        files.iter().try_for_each(|(path, _)| options(path).map(drop))?;
        let open = |path: &Path| {
            let options = options(path).unwrap_or_default();
            let mut package = input::open(path, &options)?;
            if let Some(environment) = &environment {
                environment.add_class_layouts(&mut package);
            }
            Ok::<_, unreal_packages::Error>(package)
        };
        for files in files.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            // Hits of one package alone are printed as they are found.
            if let [(path, _)] = files
                && is_one
            {
                let package = open(path).map_err(|error| crate::args::unopened(path, error))?;
                let mut print = |hit: Hit| self.print(None, path, &hit, out);
                let found = self.search(&package, &pattern, &kinds, &mut print)?;
                any |= self.sum(None, path, &found, out)?;
                unseen += found.unseen;
                continue;
            }
            let search = |(path, origin): &(PathBuf, FileOrigin)| {
                let package = match open(path) {
                    Ok(package) => package,
                    Err(error) => {
                        let is_other = *origin == FileOrigin::Found && is_passed_over(path, &error);
                        return (!is_other).then(|| Err(error.into()));
                    }
                };
                let mut hits = Vec::new();
                let mut keep = |hit: Hit| {
                    hits.push(hit);
                    Ok(())
                };
                let found = self.search(&package, &pattern, &kinds, &mut keep);
                let found = found.map(|found| Found { hits, ..found });
                Some(found)
            };
            let found: Vec<_> = files.par_iter().map(search).collect();
            for ((path, _), found) in files.iter().zip(found) {
                match found {
                    None => {}
                    Some(Err(failure)) => {
                        failed += 1;
                        let path = path.display().to_string();
                        out.warn(match failure.names(&path) {
                            true => failure.to_string(),
                            false => format!("{path}: {failure}"),
                        })?;
                    }
                    Some(Ok(found)) => {
                        let package = Some(path.as_path());
                        for hit in &found.hits {
                            self.print(package, path, hit, out)?;
                        }
                        any |= self.sum(package, path, &found, out)?;
                        unseen += found.unseen;
                    }
                }
            }
        }
        if unseen > 0 {
            let bodies = count(unseen as u64, "body is", "bodies are");
            out.warn(format!("{bodies} not decoded whole and may hold more: see `upk verify`"))?;
        }
        if failed > 0 {
            let packages = count(failed as u64, "package", "packages");
            out.flush()?;
            return Err(Failure::usage(format!(
                "{packages} can't be searched\n  next: `upk verify` says why of each"
            )));
        }
        Ok(if any { Outcome::Fine } else { Outcome::Wrong })
    }

    fn pattern(&self) -> Result<Regex, Failure> {
        let pattern = match self.fixed_strings {
            true => regex::escape(&self.pattern),
            false => self.pattern.clone(),
        };
        let built = RegexBuilder::new(&pattern).case_insensitive(self.ignore_case).build();
        built.map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let pattern = &self.pattern;
            Failure::usage(format!("'{pattern}': {reason}\n  next: -F takes it as a plain text"))
        })
    }

    /// What to search; all where nothing is said.
    fn kinds(&self) -> Vec<TextKind> {
        let names = [TextKind::Name, TextKind::Import, TextKind::Export];
        let mut kinds = Vec::new();
        let all = !(self.names || self.values || self.texts || self.code);
        kinds.extend(names.into_iter().filter(|_| all || self.names));
        kinds.extend((all || self.values).then_some(TextKind::Value));
        kinds.extend((all || self.texts).then_some(TextKind::Text));
        kinds.extend((all || self.code).then_some(TextKind::Code));
        kinds
    }

    /// Goes through a package and hands on its hits, unless only their number is asked for.
    fn search(
        &self,
        package: &Package,
        pattern: &Regex,
        kinds: &[TextKind],
        take: &mut dyn FnMut(Hit) -> Result<(), Failure>,
    ) -> Result<Found, Failure> {
        let mut found = Found::default();
        let mut titles = Titles::new(package);
        let mut each = |text: FoundText<'_>| {
            let Some(met) = pattern.find(text.text) else { return Ok(()) };
            found.count += 1;
            if self.files_with_matches {
                return Err(Stop::Enough);
            }
            match self.count {
                true => Ok(()),
                false => take(Hit::of(&mut titles, &text, met.range())).map_err(Stop::Failed),
            }
        };
        let walked = each_text(package, kinds, &mut each);
        found.unseen = match walked {
            Ok(unseen) => unseen,
            Err(Stop::Enough) => 0,
            Err(Stop::Failed(failure)) => return Err(failure),
        };
        Ok(found)
    }

    /// One hit; with its package where there are several.
    fn print(
        &self,
        package: Option<&Path>,
        path: &Path,
        hit: &Hit,
        out: &mut Output,
    ) -> Result<(), Failure> {
        if out.is_json() {
            return out.object(&hit.json(path));
        }
        match package {
            Some(package) => out.line(format!("{}: {hit}", package.display())),
            None => out.line(hit),
        }
    }

    /// What is said of a package once; whether it has hits.
    fn sum(
        &self,
        package: Option<&Path>,
        path: &Path,
        found: &Found,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let (count, file) = (found.count, path.display().to_string());
        let is_listed = count > 0 && (self.count || self.files_with_matches);
        match (is_listed, self.count) {
            (false, _) => {}
            (true, true) if out.is_json() => {
                out.object(&json!({ "package": file, "count": count }))?;
            }
            (true, false) if out.is_json() => out.object(&json!({ "package": file }))?,
            (true, true) if package.is_none() => out.line(count)?,
            (true, true) => out.line(format!("{file}: {count}"))?,
            (true, false) => out.line(file)?,
        }
        Ok(count > 0)
    }
}

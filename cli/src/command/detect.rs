//! `upk detect`: which release has saved packages that say none.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use unreal_packages::environment::is_passed_over;
use unreal_packages::file::Replacement;
use unreal_packages::package::{Package, ReleaseDetection};
use unreal_packages::scan::FileOrigin;
use unreal_packages::{EngineRelease, Game};

use crate::args::OpenArgs;
use crate::config::Config;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::input;
use crate::output::{Output, count, grouped};
use crate::progress;
use crate::trust;

/// Find the engine release that has saved packages which say none
///
/// Cooked packages of UE4 and UE5 mostly leave their versions out. Each is tried with the releases that its header
/// fits; the one that leaves the fewest bytes unread is it. All commands do that where no --engine is given; several
/// packages of one game together narrow it down further. --save keeps the answer in upk.toml, with --mappings,
/// --env and --game where they are given: in the nearest one of the folder or those above it, or a new one. All
/// commands open the packages below that folder so.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk detect Lamp.uasset
  upk detect Paks/Game                  all packages of a game together
  upk detect Paks/Game --mappings Game.usmap --save
  upk detect Paks/Game --json | jq .release")]
pub struct Detect {
    /// Packages and folders
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Keep the answer in upk.toml
    #[arg(long)]
    save: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// What one package came to.
enum Found {
    /// It says its release itself.
    Said,
    Tried(ReleaseDetection),
    Failed(String),
}

impl Detect {
    /// Prints one line a package and what they have in common.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.open.engine.is_some() {
            let next = "leave --engine out";
            return Err(Failure::usage(format!("releases are what is looked for\n  next: {next}")));
        }
        let Collected { files, unlisted, .. } = collect(&self.paths)?;
        for (path, reason) in unlisted {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        let progress = progress::bar(files.len(), "packages");
        let found: Vec<_> = files
            .into_par_iter()
            .filter_map(|(path, origin)| {
                let found = self.try_on(&path, origin);
                progress.inc(1);
                Some((path, found?))
            })
            .collect();
        progress.finish_and_clear();
        let mut tried = Vec::new();
        for (path, found) in &found {
            print(path, found, out)?;
            if let Found::Tried(found) = found {
                tried.push(found);
            }
        }
        let (release, best) = common(&tried);
        let fitting = release.map_or(0, |release| votes(&tried, release));
        if self.save
            && let Some(release) = release
        {
            let place = self.keep(release)?;
            let folder = place.parent().unwrap_or(Path::new("."));
            for path in self.open.mappings.iter().chain(&self.open.env) {
                if !trust::is_within(&std::path::absolute(path)?, folder) {
                    let (path, next) = (
                        path.display(),
                        "put it into the folder, or set UPK_TRUST_CONFIG to the folder",
                    );
                    out.warn(format!("'{path}' lies outside of the folder of upk.toml, which may not name it\n  next: {next}"))?;
                }
            }
            if !out.is_json() {
                out.summary(format!("wrote {}", place.display()))?;
            }
        }
        if out.is_json() {
            let best: Vec<_> = best.iter().map(ToString::to_string).collect();
            out.object(&json!({ "release": release, "best": best, "packages": found.len(),
                                "tried": tried.len(), "fitting": fitting }))?;
        } else {
            out.line(summary(release, &best, fitting, tried.len()))?;
        }
        let is_one = release.is_some() && fitting == tried.len();
        Ok(if is_one || tried.is_empty() { Outcome::Fine } else { Outcome::Wrong })
    }

    /// `None` for a file in a folder that is no package.
    fn try_on(&self, path: &Path, origin: FileOrigin) -> Option<Found> {
        let open = || -> Result<Package, Failure> {
            let options = self.open.options_without_engine(path)?.threads(1).partly();
            input::open(path, &options).map_err(|error| Failure::Usage(error.into()))
        };
        match open() {
            Ok(package) => Some(match ReleaseDetection::of(&package) {
                Some(found) => Found::Tried(found.clone()),
                None => Found::Said,
            }),
            Err(Failure::Usage(error) | Failure::Failed(error)) => {
                let known = error.downcast_ref::<unreal_packages::Error>();
                let is_other = origin == FileOrigin::Found
                    && known.is_some_and(|error| is_passed_over(path, error));
                (!is_other).then(|| Found::Failed(error.to_string()))
            }
        }
    }

    fn keep(&self, release: EngineRelease) -> Result<PathBuf, Failure> {
        let place = Config::place(&self.paths[0])?;
        let config = Config {
            engine: Some(release),
            game: Some(self.open.game).filter(|game| *game != Game::Detect),
            mappings: self.open.mappings.clone(),
            env: self.open.env.clone(),
            ..Config::default()
        };
        let text = config.text_with(&place)?;
        let written = Replacement::new(&place, text.as_bytes()).origin(FileOrigin::Found);
        written.overwrite(true).backup(false).commit()?;
        Ok(place)
    }
}

/// Of how many packages a release is among the best.
fn votes(tried: &[&ReleaseDetection], release: EngineRelease) -> usize {
    tried.iter().filter(|found| found.best().any(|best| best == release)).count()
}

/// The releases that are among the best of the most packages, and the one to use: the newest, unless some package
/// would be read as different values by them.
fn common(tried: &[&ReleaseDetection]) -> (Option<EngineRelease>, Vec<EngineRelease>) {
    let mut counts = BTreeMap::new();
    for release in tried.iter().flat_map(|found| found.best()) {
        *counts.entry(release).or_insert(0_usize) += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    let best: Vec<_> = counts
        .into_iter()
        .filter(|(_, count)| *count == most)
        .map(|(release, _)| release)
        .collect();
    let is_in = |release: EngineRelease| best.contains(&release);
    let is_split = |found: &&ReleaseDetection| {
        let fits = found.fits().iter().filter(|fit| fit.is_best && is_in(fit.release));
        let mut readings: Vec<_> = fits.map(|fit| fit.reading).collect();
        readings.dedup();
        readings.len() > 1
    };
    let release = best.last().copied().filter(|_| !tried.iter().any(is_split));
    (release, best)
}

fn print(path: &Path, found: &Found, out: &mut Output) -> Result<(), Failure> {
    let shown = path.display();
    if out.is_json() {
        let path = shown.to_string();
        return out.object(&match found {
            Found::Said => json!({ "path": path, "says_versions": true }),
            Found::Failed(error) => json!({ "path": path, "error": error }),
            Found::Tried(found) => {
                let fits = found.fits().iter().map(|fit| {
                    json!({ "release": fit.release, "unread": fit.unread, "best": fit.is_best,
                            "reading": fit.reading })
                });
                json!({ "path": path, "release": found.release(), "fits": fits.collect::<Vec<_>>(),
                        "problem": found.problem() })
            }
        });
    }
    out.line(match found {
        Found::Said => format!("{shown}: says its versions itself"),
        Found::Failed(error) => format!("{shown}: {error}"),
        Found::Tried(found) => {
            let unread = found.fits().iter().find(|fit| fit.is_best).map_or(0, |fit| fit.unread);
            match (found.problem(), found.fits().len()) {
                (Some(problem), _) => format!("{shown}: {problem}"),
                (None, 1) => {
                    format!("{shown}: {}, the only one whose header fits", found.best_text())
                }
                (None, _) if unread == 0 => format!("{shown}: {}, all read", found.best_text()),
                _ => format!("{shown}: {}, {} bytes unread", found.best_text(), grouped(unread)),
            }
        }
    })
}

fn summary(
    release: Option<EngineRelease>,
    best: &[EngineRelease],
    fitting: usize,
    tried: usize,
) -> String {
    let packages = count(tried as u64, "package", "packages");
    let list: Vec<_> = best.iter().map(ToString::to_string).collect();
    let list = list.join(", ");
    match release {
        _ if tried == 0 => "no package that leaves its versions out".to_owned(),
        Some(release) if best.len() == 1 => format!("{release}: best for {fitting} of {packages}"),
        Some(release) => {
            format!(
                "{release}: best for {fitting} of {packages}, as are {list}, which read them alike"
            )
        }
        None if best.is_empty() => format!("no release fits ({packages})"),
        None => format!(
            "{list} read them equally well, but not as the same values: say which one (--engine)"
        ),
    }
}

//! `upk compare`: whether a client can play on a server.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use unreal_packages::environment::{ComparedPackage, Environment, Verdict, find_ignoring_case};

use super::env::{environment, package_name};
use super::pack::own_name;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped, table};

/// Compare a server's packages with a client's: what is the same, downloaded, too old, another one
///
/// Both are the folder of a game, its ini file, or a folder of packages, of UE1 to UE3. Packages belong together by
/// their GUID; of two generations both sides use the tables of the older one. Without --level each package of the server
/// counts, with it those that the server lists for the level. Packages that only the client has do not matter. Of the
/// client's downloads those count that its cache has under their GUID.
///
/// Exit code 0 when the client can play there, 1 when it can't, 2 when a folder can't be read.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk compare Server Client
  upk compare Server Client --level DM-Deck16
  upk compare Server Client --redirect Packed     what is downloaded, packed
  upk compare Server Client --all
  upk compare Server Client --json | jq -r 'select(.possible == false) | .name'")]
pub struct Compare {
    /// The server's packages
    server: PathBuf,
    /// The client's packages
    client: PathBuf,
    /// Only what the server lists for this level: its name or its file
    #[arg(long, value_name = "LEVEL")]
    level: Option<PathBuf>,
    /// The folder of packed files that clients download from: what they hold is the download, and a file that is
    /// missing or larger than its package is said
    #[arg(long, value_name = "DIR")]
    redirect: Option<PathBuf>,
    /// Show packages that are the same as well, and those of the client alone
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Compare {
    /// Prints one row a package, then what else is in the way.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let side = |place: &PathBuf| environment(std::slice::from_ref(place), &self.open, place);
        let (server, client) = (side(&self.server)?, side(&self.client)?);
        let level = self.level.as_ref().map(|level| level_name(&server, level));
        let mut found = server.compare(&client, level.as_deref())?;
        let packed = match &self.redirect {
            Some(folder) => Packed::of(&mut found.packages, folder)?,
            None => Vec::new(),
        };
        let possible = found.is_possible();
        let outcome = if possible { Outcome::Fine } else { Outcome::Wrong };
        let downloads = || found.packages.iter().filter_map(|package| package.download);
        let impossible = found.packages.iter().filter(|package| !package.possible).count();
        if out.is_json() {
            found.packages.iter().try_for_each(|package| out.object(package))?;
            found.findings.iter().try_for_each(|finding| out.object(finding))?;
            packed.iter().try_for_each(|packed| out.object(packed))?;
            out.object(&json!({
                "possible": possible, "packages": found.packages.len(), "impossible": impossible,
                "downloads": downloads().count(), "download_bytes": downloads().sum::<u64>(),
            }))?;
            return Ok(outcome);
        }
        let is_shown = |package: &&ComparedPackage| {
            self.all
                || !matches!(package.verdict, Verdict::Same | Verdict::Own | Verdict::ServerSide)
        };
        let rows: Vec<_> = found.packages.iter().filter(is_shown).map(row).collect();
        if !rows.is_empty() {
            let header = ["package", "state", "can play", "server", "client", "download", "why"];
            let right = [false, false, false, true, true, true, false];
            table(&header, &right, &rows).into_iter().try_for_each(|line| out.line(line))?;
        }
        found.findings.iter().try_for_each(|finding| out.line(finding))?;
        packed.iter().filter_map(Packed::line).try_for_each(|line| out.line(line))?;
        let all = |verdict| found.packages.iter().filter(|it| it.verdict == verdict).count();
        out.summary(format!(
            "{} the same, {} of the client alone, {} to download: {} bytes",
            count(all(Verdict::Same) as u64, "package is", "packages are"),
            all(Verdict::Own),
            downloads().count(),
            grouped(downloads().sum()),
        ))?;
        out.line(match possible {
            true => "the client can play on this server".to_owned(),
            false => format!(
                "the client can't play on this server: {}",
                count(impossible as u64, "package is in the way", "packages are in the way")
            ),
        })?;
        Ok(outcome)
    }
}

/// How a package that is downloaded stands in the folder of packed files.
#[derive(Debug, Serialize)]
struct Packed {
    redirect: String,
    bytes: u64,
    packed_bytes: Option<u64>,
    larger: bool,
}

impl Packed {
    /// Looks for each download, which then has the size of the packed file.
    fn of(packages: &mut [ComparedPackage], folder: &Path) -> Result<Vec<Self>, Failure> {
        if !folder.is_dir() {
            let (folder, next) = (folder.display(), "upk redirect SERVER -o DIR makes one");
            return Err(Failure::usage(format!("'{folder}' is no folder\n  next: {next}")));
        }
        let mut all = Vec::new();
        for package in packages {
            let (Some(bytes), Some(side)) = (package.download, &package.server) else { continue };
            let own = own_name(&side.path);
            let files = ["uz", "uz2", "uz3"].map(|end| format!("{own}.{end}"));
            let size = |name: &String| {
                let path = find_ignoring_case(folder, name)?;
                path.metadata().ok().filter(|it| it.is_file()).map(|it| it.len())
            };
            let packed_bytes = files.iter().find_map(size);
            package.download = packed_bytes.or(package.download);
            let larger = packed_bytes.is_some_and(|packed| packed > bytes);
            all.push(Self { redirect: own, bytes, packed_bytes, larger });
        }
        Ok(all)
    }

    /// What is worth saying.
    fn line(&self) -> Option<String> {
        let Self { redirect: name, bytes, packed_bytes, larger } = self;
        match packed_bytes {
            None => Some(format!("not in the redirect folder: {name}")),
            Some(packed) if *larger => Some(format!(
                "larger than its package: {name}: {} bytes packed, {} before",
                grouped(*packed),
                grouped(*bytes)
            )),
            Some(_) => None,
        }
    }
}

/// A level by its name, or by its file.
fn level_name(server: &Environment, level: &Path) -> String {
    match level.is_file() {
        true => package_name(server, level),
        false => level.display().to_string(),
    }
}

fn row(package: &ComparedPackage) -> Vec<String> {
    let generation = |generation: Option<usize>| {
        generation.map(|number| format!("generation {number}")).unwrap_or_default()
    };
    let by = package.needed_by.as_ref().map(|by| format!(" (needed by {by})")).unwrap_or_default();
    vec![
        package.name.clone(),
        package.verdict.word().to_owned(),
        if package.possible { "yes" } else { "no" }.to_owned(),
        generation(package.server.as_ref().map(|side| side.generation)),
        generation(package.client.as_ref().map(|side| side.generation)),
        package.download.map(grouped).unwrap_or_default(),
        format!("{}{by}", package.reason),
    ]
}

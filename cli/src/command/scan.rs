//! `upk scan`: folders of packages as tables.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use unreal_packages::scan::{
    Depot, FileHashes, FileListing, ListingNote, ScanReport, ScanStep, TableKind, TableSet,
};

use super::verify::without_panic_messages;
use crate::args::{OpenArgs, read};
use crate::config::Config;
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome, next_step};
use crate::files::warn_of_left_out;
use crate::input;
use crate::output::{Output, count, grouped};
use crate::progress;

/// Write what a folder of packages holds as tables: Parquet files for DuckDB, pandas, polars, Spark
///
/// The tables are packages, names, imports, exports, properties, refs, findings and tags; docs/scan.md has their columns,
/// docs/queries.md questions in SQL. One more, leaves, is made where --tables names it: a row for each field, element
/// and cell, with numbers as numbers. A later scan to the same folder opens only what has changed: files of another
/// size or time whose content is another one. What is gone goes, and a scan that was killed goes on where it was. A
/// file that can't be opened is a row with its error.
///
/// The other tables may hold rows of former versions until there are many of them: those whose package_id is not in
/// packages. The views in tables.sql leave them out, --compact does it in the files.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk scan ~/Projects/MyProject -o depot
  upk scan mods -o depot --tables exports,refs       only these, and packages
  upk scan mods -o cells --tables properties,leaves  fields of structs and cells of tables as rows
  upk scan mods -o hashes --hashes sha1,md5          as other programs know files
  upk scan mods Released -o depot --compact          take rows of former versions out
  upk scan Paks/Game -o depot --engine 5.4 --mappings Game.usmap")]
pub struct Scan {
    /// Folders and packages: all that the tables are to hold
    #[arg(required = true, value_name = "DIR")]
    paths: Vec<PathBuf>,
    /// The folder for the tables
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Which tables; packages always (default: all but leaves)
    #[arg(long, value_name = "TABLES", value_delimiter = ',')]
    tables: Vec<TableKind>,
    /// Also make these hashes of files: sha1, md5
    #[arg(long, value_name = "HASHES", value_delimiter = ',')]
    hashes: Vec<String>,
    /// Open every file again, whatever is known
    #[arg(long)]
    fresh: bool,
    /// Take rows of former versions out of all tables
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Scan {
    /// Brings the tables up to date and says what was done.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let own = self.own_folders()?;
        let mut listing = self.listing(&own)?;
        let notes = Mutex::new(Vec::new());
        let tables = match self.tables.is_empty() {
            true => TableSet::USUAL,
            false => TableSet::of(self.tables.iter().copied()),
        };
        let library = |error: unreal_packages::Error| Failure::Failed(error.into());
        let mut depot = Depot::open(&self.output, tables, &self.settings()?).map_err(library)?;
        depot = depot.hashing(self.hashes()?);
        if self.fresh {
            depot.forget();
        }
        let options = self.open.options(&self.paths[0])?.threads(1);
        let environment = self.open.environment(&self.paths[0])?;
        let bar = progress::bar(0, "packages");
        let step = |step: ScanStep| {
            bar.set_length(step.total as u64);
            bar.set_position(step.done as u64);
        };
        let mut update = || {
            let prepare = |package: &mut unreal_packages::Package| {
                if let Some(environment) = &environment {
                    environment.add_class_layouts(package);
                }
            };
            let files = std::iter::from_fn(|| {
                let file = listing.next();
                let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                notes.extend(listing.notes());
                file
            });
            without_panic_messages(|| depot.update(files, &options, prepare, &step))
        };
        let updated = update();
        bar.finish_and_clear();
        let mut report = updated.map_err(library)?;
        if self.compact {
            report.compacted += depot.compact().map_err(library)?;
        }
        let unlisted = told(notes.into_inner().unwrap_or_else(PoisonError::into_inner));
        let is_listed = unlisted.is_empty();
        for (path, reason) in unlisted {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        for folder in &own {
            out.warn(format!("{} holds the tables and was not looked into", folder.display()))?;
        }
        // Tables of nothing are seldom what was meant: the folder may be the wrong one, or its disk not mounted.
        let has_none = report.packages == 0;
        if has_none {
            let places: Vec<_> = self.paths.iter().map(|path| path.display().to_string()).collect();
            let next = "check the path, and --follow-links where packages are linked";
            out.warn(format!("there are no packages in {}\n  next: {next}", places.join(", ")))?;
        }
        match out.is_json() {
            true => out.object(&report)?,
            false => out.summary(line(&report))?,
        }
        Ok(if is_listed && !has_none { Outcome::Fine } else { Outcome::Wrong })
    }

    fn hashes(&self) -> Result<FileHashes, Failure> {
        FileHashes::named(self.hashes.iter().map(String::as_str))
            .map_err(|error| Failure::Usage(error.into()))
    }

    /// The folder of the tables, as each place that it lies in calls it: nothing in it is scanned.
    ///
    /// # Errors
    /// For places that lie in it: there is nothing else to scan.
    fn own_folders(&self) -> Result<Vec<PathBuf>, Failure> {
        let Ok(own) = self.output.canonicalize() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for place in &self.paths {
            let Ok(there) = place.canonicalize() else { continue };
            if there.starts_with(&own) {
                let (place, output) = (place.display(), self.output.display());
                let next = "name another folder for the tables: -o OUT";
                return Err(Failure::usage(format!(
                    "'{place}' is to be scanned and '{output}' is to hold the tables: they are one\n  next: {next}"
                )));
            }
            found.extend(own.strip_prefix(&there).map(|inside| place.join(inside)).ok());
        }
        Ok(found)
    }

    /// The files to scan, which are found while they are read.
    fn listing(&self, own: &[PathBuf]) -> Result<FileListing, Failure> {
        if self.paths.iter().any(|path| input::is_standard(path)) {
            return Err(Failure::usage(
                "standard input has no path\n  next: name files and folders",
            ));
        }
        let open = |path: &Path| containers::open(path, None)?.container(path);
        FileListing::new(&self.paths, own, input::links(), open)
            .map_err(|error| Failure::Usage(error.into()))
    }

    /// All that rows depend on beside their files.
    fn settings(&self) -> Result<String, Failure> {
        let (open, config) = (&self.open, Config::near(&self.paths[0])?);
        let mut text = format!("game {}", open.game.slug());
        // Writing to a String can't fail.
        if let Some(game) = config.game {
            let _ = write!(text, ", else {}", game.slug());
        }
        if let Some(release) = open.engine.or(config.engine) {
            let _ = write!(text, ", engine {release}");
        }
        if let Some(path) = open.mappings.as_ref().or(config.mappings.as_ref()) {
            let _ = write!(text, ", mappings {}", hash(&read(path)?));
        }
        if let Some(bytes) = open.max_image {
            let _ = write!(text, ", max image {bytes}");
        }
        for place in if open.env.is_empty() { &config.env } else { &open.env } {
            let _ = write!(text, ", env {}", place.display());
        }
        let hashes = self.hashes()?;
        for (is_wanted, name) in [(hashes.sha1, "sha1"), (hashes.md5, "md5")] {
            if is_wanted {
                let _ = write!(text, ", {name}");
            }
        }
        Ok(text)
    }
}

/// Says what was passed over; what can't be listed or opened, with the reason.
fn told(notes: Vec<ListingNote>) -> Vec<(PathBuf, String)> {
    let (mut unlisted, mut left_out) = (Vec::new(), Vec::new());
    for note in notes {
        match note {
            ListingNote::LeftOut(entry) => left_out.push(entry),
            ListingNote::Unlisted(path, reason) => unlisted.push((path, reason)),
            ListingNote::Unopened(path, error) => {
                let error = anyhow::Error::new(error);
                let next = next_step(&error).map(|next| format!("\n  next: {next}"));
                unlisted.push((path, format!("{error}{}", next.unwrap_or_default())));
            }
        }
    }
    warn_of_left_out(&left_out);
    unlisted
}

fn hash(bytes: &[u8]) -> String {
    unreal_packages::scan::content_hash(bytes)
}

fn line(report: &ScanReport) -> String {
    let mut text = format!(
        "{}: {} opened ({} bytes), {} unchanged",
        count(report.packages, "package", "packages"),
        grouped(report.opened),
        grouped(report.bytes),
        grouped(report.unchanged + report.same_content),
    );
    // Writing to a String can't fail.
    for (number, what) in [
        (report.removed, "gone"),
        (report.failed, "can't be opened: see the findings"),
        (report.compacted, "files of each table written anew"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {} {what}", grouped(number));
        }
    }
    text
}

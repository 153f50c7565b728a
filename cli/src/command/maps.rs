//! `upk maps`: the maps of a folder, as a table or a gallery.

mod gallery;
mod row;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde_json::json;
use unreal_packages::package::OpenOptions;
use unreal_packages::scan::FileOrigin;

use self::gallery::Gallery;
use self::row::MapRow;
use super::verify::without_panic_messages;
use crate::args::OpenArgs;
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::form::Form;
use crate::output::{Output, count, grouped};
use crate::progress;
use crate::target::{OverwriteArgs, Target};

/// List the maps of a folder: title, author, players, game type, packages that they need, hashes
///
/// Maps are known by their extension (.unr, .ut2, .ut3, .udk, .umap, ...) and by the level in them; a file that is named
/// itself may have any. The game type is what the file's name says before its dash (DM, CTF, ONS), else the class of the
/// game that the map names. A map that can't be read is a row with its error, and the exit code is 1.
/// The gallery is one page without scripts; its pictures are the screenshots that the maps have themselves, or from UE4 on
/// their thumbnails.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk maps ~/Games/UT/Maps
  upk maps ~/Games/UT/Maps --csv maps.csv
  upk maps ~/Games/UT/Maps --html maps.html
  upk maps Map.unr --json | jq -r .sha256")]
pub struct Maps {
    /// Folders, which are searched at every depth, and maps
    #[arg(required = true, value_name = "FOLDER")]
    paths: Vec<PathBuf>,
    /// Write all columns as CSV; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with = "html")]
    csv: Option<PathBuf>,
    /// Write a page with a picture of each map; - for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

/// Extensions of maps.
const EXTENSIONS: &[&str] =
    &["aao", "dx", "kfm", "rom", "s4m", "udk", "umap", "un2", "unr", "ut2", "ut3"];
/// Maps of one batch for each thread: no more of them are in memory at once.
const AHEAD: usize = 2;
/// Columns of the CSV file, as [`MapRow::cells`] fills them.
const COLUMNS: [&str; 18] = [
    "file",
    "title",
    "author",
    "players",
    "players_min",
    "players_max",
    "game_type",
    "game_class",
    "engine",
    "version",
    "bytes",
    "sha1",
    "sha256",
    "guid",
    "needs",
    "song",
    "description",
    "error",
];

/// What was found.
#[derive(Default)]
struct Sums {
    maps: u64,
    failed: u64,
    pictures: u64,
    bytes: u64,
}

impl Sums {
    fn add(&mut self, row: &MapRow) {
        self.maps += 1;
        self.failed += u64::from(row.error.is_some());
        self.pictures += u64::from(row.picture.is_some());
        self.bytes += row.bytes;
    }
}

impl Maps {
    /// Prints or writes one row a map.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let to = self.csv.as_ref().or(self.html.as_ref());
        let overwrite = self.overwrite.overwrite;
        let target = to.map(|path| Target::new(path, overwrite, Form::Any, out)).transpose()?;
        let Collected { files, unlisted, unopened } = collect(&self.paths)?;
        // A container that is named is a folder.
        let is_wanted = |(path, origin): &(PathBuf, FileOrigin)| {
            (*origin == FileOrigin::Named && !containers::is_many(path)) || is_map(path)
        };
        let files: Vec<_> = files.into_iter().filter(is_wanted).collect();
        let failed = (unlisted.len() + unopened.len()) as u64;
        let mut sums = Sums { failed, ..Sums::default() };
        let unopened = unopened.into_iter().map(|(path, error)| (path, error.to_string()));
        for (path, reason) in unlisted.into_iter().chain(unopened) {
            out.warn(format!("{}: {reason}", path.display()))?;
        }
        // What is wrong with a configuration is said before the first map.
        files.iter().try_for_each(|(path, _)| self.open.options(path).map(drop))?;
        match &target {
            None => self.print(&files, &mut sums, out)?,
            Some(target) => {
                let is_page = self.html.is_some();
                target.write_by(out, |to| match is_page {
                    true => self.page(&files, &mut sums, to),
                    false => self.table(&files, &mut sums, to),
                })?;
                let shown = target.shown();
                match out.is_json() {
                    true => out.object(&json!({ "output": shown, "maps": sums.maps,
                                                "failed": sums.failed, "pictures": sums.pictures }))?,
                    false => out.summary(format!("wrote {shown}"))?,
                }
            }
        }
        if !out.is_json() {
            let maps = count(sums.maps, "map", "maps");
            out.summary(format!(
                "{maps}, {} bytes; {} can't be read",
                grouped(sums.bytes),
                sums.failed
            ))?;
        }
        Ok(if sums.failed == 0 { Outcome::Fine } else { Outcome::Wrong })
    }

    /// Each map in the order of the paths; no more than a batch is in memory.
    fn each(
        &self,
        files: &[(PathBuf, FileOrigin)],
        with_pictures: bool,
        mut then: impl FnMut(MapRow) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let bar = progress::bar(files.len(), "maps");
        for files in files.chunks(rayon::current_num_threads().max(1) * AHEAD) {
            let read = |(path, origin): &(PathBuf, FileOrigin)| {
                let options = self.options(path, *origin);
                let row = options.map(|options| MapRow::of(path, *origin, &options, with_pictures));
                bar.inc(1);
                row
            };
            let rows: Vec<_> = without_panic_messages(|| files.par_iter().map(read).collect());
            for row in rows {
                row?.map_or(Ok(()), &mut then)?;
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn options(&self, path: &Path, origin: FileOrigin) -> Result<OpenOptions, Failure> {
        Ok(self.open.options(path)?.threads(1).origin(origin).partly())
    }

    fn print(
        &self,
        files: &[(PathBuf, FileOrigin)],
        sums: &mut Sums,
        out: &mut Output,
    ) -> Result<(), Failure> {
        self.each(files, false, |row| {
            sums.add(&row);
            if out.is_json() {
                return out.object(&row.as_json());
            }
            row.lines().into_iter().try_for_each(|line| out.line(line))
        })
    }

    fn table(
        &self,
        files: &[(PathBuf, FileOrigin)],
        sums: &mut Sums,
        to: &mut dyn Write,
    ) -> unreal_packages::Result<()> {
        let path = self.csv.as_deref().unwrap_or(Path::new(""));
        // A pipe that nobody reads any more is to be known as one.
        let failed = |error: csv::Error| {
            let error = match error.into_kind() {
                csv::ErrorKind::Io(error) => error,
                other => std::io::Error::other(format!("{other:?}")),
            };
            unreal_packages::Error::io(path, error)
        };
        let mut table = csv::Writer::from_writer(to);
        table.write_record(COLUMNS).map_err(failed)?;
        let written = self.each(files, false, |row| {
            sums.add(&row);
            Ok(table.write_record(row.cells()).map_err(failed)?)
        });
        written.map_err(of_library)?;
        table.flush().map_err(|error| unreal_packages::Error::io(path, error))
    }

    fn page(
        &self,
        files: &[(PathBuf, FileOrigin)],
        sums: &mut Sums,
        to: &mut dyn Write,
    ) -> unreal_packages::Result<()> {
        let path = self.html.as_deref().unwrap_or(Path::new(""));
        let failed = |error: std::io::Error| unreal_packages::Error::io(path, error);
        let mut gallery = Gallery::new(to, &self.paths).map_err(failed)?;
        let written = self.each(files, true, |row| {
            sums.add(&row);
            Ok(gallery.add(&row).map_err(failed)?)
        });
        written.map_err(of_library)?;
        gallery.finish(sums).map_err(failed)
    }
}

/// A failure within a file that is written, as the library says it.
fn of_library(failure: Failure) -> unreal_packages::Error {
    let (Failure::Usage(error) | Failure::Failed(error)) = failure;
    match error.downcast::<unreal_packages::Error>() {
        Ok(error) => error,
        Err(error) => unreal_packages::ErrorKind::Invalid { reason: format!("{error:#}") }.into(),
    }
}

/// Whether a file is called like a map.
fn is_map(path: &Path) -> bool {
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use unreal_packages::environment::is_passed_over;

    #[test]
    fn maps_are_packages() {
        let error = unreal_packages::Package::from_bytes(&b"no package"[..]).unwrap_err();
        for end in EXTENSIONS.iter().filter(|end| **end != "rom") {
            // What is called so is reported where it can't be opened.
            assert!(!is_passed_over(Path::new(&format!("DM-Deck.{end}")), &error), "{end}");
        }
    }
}

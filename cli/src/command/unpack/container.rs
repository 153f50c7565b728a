//! The files of a container into a folder.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde_json::json;
use unreal_packages::container::iostore::ChunkKind;
use unreal_packages::container::{GameContainer, is_package};
use unreal_packages::package::CompanionKind;

use super::legacy::{LegacyFiles, LegacyForm};
use crate::args;
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped, printable};
use crate::places::Places;
use crate::progress;

/// What all files of a small container together may become, bytes.
const ALWAYS: u64 = 64 << 20;
/// What each byte of a container may become: packages become three times as large, and rarely ten times.
const PER_BYTE: u64 = 64;

/// Bytes that all files of a container together may have unless the user says another number.
pub fn largest_total(path: &Path, open: &GameContainer) -> u64 {
    let stored = containers::stored_parts(path, open);
    let bytes = stored.iter().filter_map(|path| std::fs::metadata(path).ok());
    let bytes: u64 = bytes.map(|metadata| metadata.len()).sum();
    ALWAYS.max(bytes.saturating_mul(PER_BYTE))
}

/// Where the files of a container go.
#[derive(Debug)]
pub struct Unpacking<'a> {
    pub folder: &'a Path,
    pub overwrite: bool,
    /// Bytes that all of them together may have.
    pub max_total: u64,
    /// Whether files are written for which nothing proves the key.
    pub is_unproven: bool,
    /// How packages become those that they were cooked as; `None` leaves them as they are.
    pub legacy: Option<LegacyForm>,
    /// The container.
    pub container: &'a Path,
}

/// What became of the files.
#[derive(Debug, Default)]
struct Tally {
    written: u64,
    bytes: u64,
    /// Written under another name than they have.
    renamed: u64,
    /// Not written: the name is refused, the content is damaged, or the place is taken.
    failed: u64,
    /// Written though nothing proves the key.
    unproven: u64,
    /// Packages that were written as they were cooked, and those whose way back gives other bytes.
    legacy: u64,
    inexact: u64,
}

impl Unpacking<'_> {
    /// Writes the files that a path in a container means, each under its whole path; their hashes must be right.
    /// What is not as it should be is named, and the others go on.
    pub fn unpack(
        &self,
        path: &Path,
        open: &GameContainer,
        inside: &str,
        out: &mut Output,
    ) -> CommandResult {
        let folder = self.folder;
        if folder.is_file() {
            let shown = folder.display();
            let next = "name a folder with -o";
            return Err(Failure::usage(format!("'{shown}' is a file\n  next: {next}")));
        }
        let rows = rows(path, open, inside)?;
        let name = |row: usize| open.files().get(row).map_or("", String::as_str);
        let mut places = Places::new(folder, self.overwrite, false, out);
        let planned = places.plan(rows.iter().map(|row| name(*row)));
        let bar = progress::bar(rows.len(), "files");
        let mut tally = Tally::default();
        let mut placed = Vec::with_capacity(rows.len());
        for (row, place) in rows.into_iter().zip(planned) {
            let name = name(row);
            match place {
                Ok(place) => placed.push((row, place)),
                Err(refused) => {
                    bar.inc(1);
                    tally.failed += 1;
                    out.warn(printable(&format!("'{name}' is not written: {}", refused.reason())))?;
                }
            }
        }
        for set in sets(open, placed) {
            bar.inc(set.len() as u64);
            self.write(open, set, &mut places, &mut tally, out)?;
        }
        bar.finish_and_clear();
        places.finish(out)?;
        self.report(&tally, &places, out)
    }

    /// Writes a file, or a package with what belongs to it: all of these as one.
    fn write(
        &self,
        open: &GameContainer,
        set: Vec<(usize, String)>,
        places: &mut Places,
        tally: &mut Tally,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let name = |row: usize| open.files().get(row).map_or("", String::as_str);
        let (mut total, mut is_whole) = (tally.bytes, true);
        // Packages that become legacy ones, and those of them whose way back gives other bytes.
        let (mut legacies, mut inexact) = (0, 0);
        let mut files: Vec<(usize, String, PathBuf, Vec<u8>)> = Vec::with_capacity(set.len());
        let names: HashSet<String> = set.iter().map(|(_, place)| place.to_lowercase()).collect();
        for (row, place) in set {
            if let Some(legacy) = self.legacy.as_ref().filter(|_| is_package(name(row))) {
                let bodies = Path::new(&place).with_extension("uexp").display().to_string();
                let result = match names.contains(&bodies.to_lowercase()) {
                    true => Err("a file has the name of its bodies".to_owned()),
                    // Read for its hash: those of damaged chunks may still be opened.
                    false => self
                        .read(open, row, total)
                        .and_then(|_| legacy.files(self.container, name(row))),
                };
                match result {
                    Ok(LegacyFiles { header, bodies: content, is_exact }) => {
                        total = total.saturating_add((header.len() + content.len()) as u64);
                        legacies += 1;
                        inexact += u64::from(!is_exact);
                        files.push((row, place.clone(), self.folder.join(place), header));
                        files.push((row, bodies.clone(), self.folder.join(bodies), content));
                    }
                    Err(reason) => {
                        is_whole = false;
                        tally.failed += 1;
                        out.warn(printable(&format!("{}: {reason}", name(row))))?;
                    }
                }
                continue;
            }
            match self.read(open, row, total) {
                Ok(content) => {
                    total = total.saturating_add(content.len() as u64);
                    files.push((row, place.clone(), self.folder.join(place), content));
                }
                Err(reason) => {
                    is_whole = false;
                    tally.failed += 1;
                    out.warn(printable(&format!("{}: {reason}", name(row))))?;
                }
            }
        }
        // Beside files that are there already the others would be of another state than these.
        if !is_whole && self.overwrite {
            for (row, ..) in &files {
                let why = "not written, since a file that belongs to it is damaged";
                out.warn(printable(&format!("{}: {why}", name(*row))))?;
            }
            tally.failed += files.len() as u64;
            return Ok(());
        }
        let contents = files.iter().map(|(_, _, path, content)| (path.as_path(), &content[..]));
        if !places.try_write_set(&contents.collect::<Vec<_>>(), out)? {
            tally.failed += files.len() as u64;
            return Ok(());
        }
        tally.legacy += legacies;
        tally.inexact += inexact;
        for (row, place, _, content) in &files {
            self.report_file(open, *row, place, content.len() as u64, tally, out)?;
        }
        Ok(())
    }

    /// The content of a file, where all of them together do not become too large by it.
    fn read(&self, open: &GameContainer, row: usize, total: u64) -> Result<Vec<u8>, String> {
        let size = open.file(row).map_err(|error| error.to_string())?.size;
        // Nothing has been decompressed yet.
        if total.saturating_add(size) > self.max_total {
            let (size, limit) = (grouped(size), grouped(self.max_total));
            let why = format!("with its {size} bytes all would have more than {limit}");
            return Err(format!("{why} (--max-total)"));
        }
        open.read_checked(row).map(Into::into).map_err(|error| error.to_string())
    }

    /// What there is to say of a file that was written.
    fn report_file(
        &self,
        open: &GameContainer,
        row: usize,
        place: &str,
        size: u64,
        tally: &mut Tally,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let name = open.files().get(row).map_or("", String::as_str);
        tally.written += 1;
        tally.bytes = tally.bytes.saturating_add(size);
        // Bodies that stand apart now have no name in the container.
        let name = if self.legacy.is_some() && is_package(name) && !is_package(place) {
            place
        } else {
            name
        };
        let is_renamed = place != name.replace('\\', "/");
        if is_renamed {
            tally.renamed += 1;
            out.warn(printable(&format!(
                "'{name}' can't have its name on every system: written as '{place}'"
            )))?;
        }
        let is_unproven = self.is_unproven && !open.proves_key(row);
        if is_unproven {
            tally.unproven += 1;
            out.warn(printable(&format!(
                "{name}: nothing proves that the key is right: it may be noise"
            )))?;
        }
        if out.is_json() {
            let mut object = json!({ "path": name, "size": size });
            if is_renamed {
                object["written_as"] = json!(place);
            }
            if is_unproven {
                object["unproven_key"] = json!(true);
            }
            out.object(&object)?;
        }
        Ok(())
    }

    fn report(&self, tally: &Tally, places: &Places, out: &mut Output) -> CommandResult {
        let Tally { written, bytes, renamed, failed, unproven, legacy, inexact } = *tally;
        if out.is_json() {
            let mut object = json!({ "files": written, "size": bytes, "renamed": renamed,
                                     "failed": failed, "unproven_keys": unproven });
            if self.legacy.is_some() {
                object["legacy"] = json!(legacy);
                object["way_back_is_exact"] = json!(legacy - inexact);
            }
            out.object(&object)?;
        } else {
            let mut line = format!("wrote {}", count(written, "file", "files"));
            line += &format!(" to {}: {} bytes", places.shown(self.folder), grouped(bytes));
            let counts =
                [(renamed, "renamed"), (unproven, "with an unproven key"), (failed, "failed")];
            for (number, what) in counts.iter().filter(|(number, _)| *number > 0) {
                line += &format!(", {number} {what}");
            }
            out.summary(line)?;
            if self.legacy.is_some() {
                let packages = count(legacy, "package", "packages");
                out.summary(format!(
                    "{packages} as .uasset and .uexp; the way back gives {} of them the same bytes",
                    grouped(legacy - inexact)
                ))?;
            }
        }
        let is_fine = renamed == 0 && failed == 0 && unproven == 0;
        Ok(if is_fine { Outcome::Fine } else { Outcome::Wrong })
    }
}

/// The files that a path in a container means, without those that say that a file is not there.
fn rows(path: &Path, open: &GameContainer, inside: &str) -> Result<Vec<usize>, Failure> {
    let mut rows = open.within(inside);
    if rows.is_empty() && !inside.is_empty() {
        rows.push(open.find(inside).map_err(|error| args::unopened(path, error))?);
    }
    let is_left_out = |row: usize| {
        // What packages need of each other is made anew when they are packed.
        let kind = open.as_store().and_then(|store| store.kind_of(row));
        let is_header = kind == Some(ChunkKind::ContainerHeader) && inside.is_empty();
        // A record that can't be read is named when its file is written.
        is_header || open.file(row).is_ok_and(|file| file.deleted)
    };
    rows.retain(|row| !is_left_out(*row));
    Ok(rows)
}

/// Files by what is written as one: a package, then what belongs to it.
fn sets(open: &GameContainer, files: Vec<(usize, String)>) -> Vec<Vec<(usize, String)>> {
    let mut sets: Vec<Vec<(usize, String)>> = Vec::new();
    let mut packages: HashMap<String, usize> = HashMap::new();
    for (row, place) in files {
        if !is_package(&place) && !CompanionKind::is_of_a_package(Path::new(&place)) {
            sets.push(vec![(row, place)]);
            continue;
        }
        let stem = place.strip_suffix(".m.ubulk").or(place.rsplit_once('.').map(|(stem, _)| stem));
        let stem = stem.unwrap_or(&place).to_owned();
        let set = *packages.entry(stem).or_insert(sets.len());
        match sets.get_mut(set) {
            Some(set) => set.push((row, place)),
            None => sets.push(vec![(row, place)]),
        }
    }
    let is_companion = |row: usize| !open.files().get(row).is_some_and(|file| is_package(file));
    sets.iter_mut().for_each(|files| files.sort_by_key(|(row, _)| is_companion(*row)));
    sets
}

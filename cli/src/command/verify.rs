//! `upk verify`: opens packages, rebuilds them from their models and compares.

pub(super) mod check;
mod container;
mod row;

use std::path::{Path, PathBuf};

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use unreal_packages::scan::FileOrigin;

pub(super) use self::row::{Row, Status};
use super::storage;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::{Collected, collect};
use crate::output::{Output, count, grouped};
use crate::{progress, undecoded};

/// Rebuild packages from their models and compare with the files
///
/// Folders are searched for packages at every depth; files in them that are no packages are passed over, unless they
/// are called like one (.unr, .u, .uasset ...): those are broken, and the exit code is 1.
/// Containers (.pak, .utoc) are looked into: their tables are rebuilt, the hash of every file is checked, and every
/// package in them is one more row. Every byte of a package is counted as typed (a named field), payload (bulk data whose meaning is known),
/// opaque (kept, not decoded) or gap (claimed by nothing); of opaque ones the object, the field, the place and what was
/// expected there is listed. Of a compressed or encrypted file both the
/// package inside and the file around it are rebuilt and compared. Positions in the file that bodies and tables
/// hold must lead to their data: a wrong one is listed, and the exit code is 1; so is a file of bulk data (.ubulk) that is
/// not beside its package, and a package whose file of bodies (.uexp) is not there. Sectors of zeros between other
/// bytes, which a disk has lost, and bytes behind the end of a package are listed, and the exit code is 1. Stale
/// positions in packages of UE3 that disallow lazy loading are a note, since the engine does not use them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk verify Engine.u
  upk verify ~/Games/UT/System ~/Games/UT/Maps
  upk verify Paks/Game --engine 5.4     cooked packages that say no version
  upk verify Paks/Game --engine 5.4 --mappings Game.usmap
  upk verify Game.pak                   a container, and every package in it
  upk verify mods --json | jq -r 'select(.status == \"different\") | .path'")]
pub struct Verify {
    /// Packages and folders; - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

/// Wrong positions of one package that are listed.
const POSITIONS: usize = 8;

/// The last line.
#[derive(Debug, Default, Serialize)]
struct Totals {
    packages: usize,
    identical: usize,
    different: usize,
    unsupported: usize,
    /// Those whose file of bodies is not there.
    incomplete: usize,
    failed: usize,
    /// Positions in files that were looked at.
    positions: u64,
    /// Those that are wrong.
    wrong_positions: usize,
    /// Stale ones that nobody uses, as originals hold them.
    unused_positions: usize,
    /// Files of bulk data that are not beside their package.
    missing_files: usize,
    /// Sectors of zeros, and packages with bytes behind their end.
    damages: usize,
}

impl Verify {
    /// Prints one row a package and the totals.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let Collected { files, unlisted, .. } = collect(&self.paths)?;
        let row = |(path, reason): (PathBuf, String)| Row::failed(&path, reason);
        let mut rows: Vec<_> = unlisted.into_iter().map(row).collect();
        let environment = self.open.environment(&self.paths[0])?;
        let progress = progress::bar(files.len(), "packages");
        // Many files already keep every core busy.
        let is_one = files.len() < 2;
        let options = |path: &Path| {
            let options = self.open.options(path)?;
            Ok::<_, Failure>(if is_one { options } else { options.threads(1) })
        };
        // What is wrong with a configuration is said before the first package.
        files.keys().try_for_each(|path| options(path).map(drop))?;
        let checked: Vec<_> = without_panic_messages(|| {
            files
                .into_par_iter()
                .filter_map(|(path, origin)| {
                    let row = {
                        let named = origin == FileOrigin::Named;
                        let options = options(&path).unwrap_or_default();
                        check::check(&path, named, &options, environment.as_deref())
                    };
                    progress.inc(1);
                    row
                })
                .collect()
        });
        progress.finish_and_clear();
        rows.extend(checked);
        rows.sort_by(|a, b| a.path.cmp(&b.path));
        let mut totals = Totals { packages: rows.len(), ..Totals::default() };
        for row in &rows {
            *totals.of(row.status) += 1;
            totals.positions += row.positions.checked;
            totals.wrong_positions += row.positions.wrong.len();
            totals.unused_positions += row.positions.unused.len();
            totals.missing_files += row.positions.missing.len();
            totals.damages += row.damage.count();
            if out.is_json() {
                out.object(row)?;
            } else {
                let line = line(row);
                let (word, rest) = line.split_at(row.status.word().len());
                out.parts(&[(Some(row.status.paint()), word), (None, rest)])?;
                for line in undecoded::lines(&row.not_decoded) {
                    out.line(format!("             {line}"))?;
                }
                for wrong in row.positions.wrong.iter().take(POSITIONS) {
                    out.line(format!("             {wrong}"))?;
                }
                if let Some(first) = row.positions.unused.first() {
                    let all = row.positions.unused.len() as u64;
                    let all = count(all, "stale position", "stale positions");
                    out.line(format!(
                        "             note: {all} that the engine does not use: {first}"
                    ))?;
                }
                for file in &row.positions.missing {
                    let payloads = count(file.payloads, "payload stands", "payloads stand");
                    let (extension, bytes) = (&file.extension, grouped(file.bytes));
                    out.line(format!(
                        "             {payloads} in the .{extension} file, which is not there ({bytes} bytes)"
                    ))?;
                }
                for damage in row.damage.lines().take(POSITIONS) {
                    out.line(format!("             {damage}"))?;
                }
                let more = row.positions.wrong.len().saturating_sub(POSITIONS);
                if more > 0 {
                    out.line(format!("             and {more} more wrong positions"))?;
                }
            }
        }
        if out.is_json() {
            out.object(&totals)?;
        } else {
            out.summary(totals.line())?;
        }
        let fine = totals.different == 0
            && totals.failed == 0
            && totals.incomplete == 0
            && totals.damages == 0
            && totals.wrong_positions == 0
            && totals.missing_files == 0;
        Ok(if fine { Outcome::Fine } else { Outcome::Wrong })
    }
}

/// A panic becomes a row of its own; its message would only stand between the others.
pub(super) fn without_panic_messages<T>(work: impl FnOnce() -> T) -> T {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let result = work();
    std::panic::set_hook(hook);
    result
}

fn line(row: &Row) -> String {
    let (status, path) = (row.status.word(), &row.path);
    if row.status == Status::Identical
        && let Some(files) = row.container_files
    {
        let files = count(files as u64, "file", "files");
        let bytes = grouped(row.bytes);
        return format!(
            "{status:<11}  {path} ({bytes} bytes; container: every hash of {files} is right)"
        );
    }
    if row.status == Status::Identical {
        let (all, decoded) = row.decoded();
        let percent = decoded as f64 * 100.0 / all.max(1) as f64;
        let versions = match row.ue4 {
            0 => format!("{}/{}", row.file_version, row.licensee_version),
            ue4 => format!("ue4 {ue4}, ue5 {}", row.ue5),
        };
        let mut bytes = format!("{} bytes", grouped(row.bytes));
        if let Some(image) = &row.image {
            let stored = storage::form(image.storage);
            bytes.push_str(&format!(", {stored}, {} bytes inside", grouped(image.bytes)));
        }
        let newer =
            if row.newer_than_known { ", newer than any release that is known" } else { "" };
        return format!(
            "{status:<11}  {path}  ({versions}, {bytes}, {percent:.1}% decoded{newer})"
        );
    }
    format!("{status:<11}  {path}: {}", row.reason)
}

impl Totals {
    fn of(&mut self, status: Status) -> &mut usize {
        match status {
            Status::Identical => &mut self.identical,
            Status::Different => &mut self.different,
            Status::Unsupported => &mut self.unsupported,
            Status::Incomplete => &mut self.incomplete,
            Status::Failed => &mut self.failed,
        }
    }

    fn line(&self) -> String {
        let packages = count(self.packages as u64, "package", "packages");
        let (identical, different) = (self.identical, self.different);
        let (unsupported, failed) = (self.unsupported, self.failed);
        let positions = grouped(self.positions);
        let (wrong, unused) = (self.wrong_positions, self.unused_positions);
        let unused = match unused {
            0 => String::new(),
            unused => format!(", {unused} stale without use"),
        };
        let missing = match self.missing_files {
            0 => String::new(),
            missing => format!(", {} of bulk data missing", count(missing as u64, "file", "files")),
        };
        let incomplete = match self.incomplete {
            0 => String::new(),
            incomplete => format!(", {incomplete} incomplete"),
        };
        let damages = match self.damages {
            0 => String::new(),
            damages => format!(", {}", count(damages as u64, "sign of damage", "signs of damage")),
        };
        format!(
            "{packages}: {identical} identical, {different} different, {unsupported} unsupported, \
             {failed} failed{incomplete}; {positions} positions, {wrong} wrong{unused}{missing}{damages}"
        )
    }
}

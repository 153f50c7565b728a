//! `upk redirect`: the folder that a server's clients download from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;
use unreal_packages::Engine;
use unreal_packages::compression::UzForm;
use unreal_packages::compression::redirect::Redirect as Form;
use unreal_packages::file::{self, FileOrigin, Replacement};

use super::env::environment;
use super::pack::own_name;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};

/// Pack a server's packages for download (.uz, .uz2, .uz3), and check a folder that has them
///
/// Packs each package that clients may download, and reports what stands in the folder already: each file is unpacked
/// and compared with the server's. What is missing is written, what is out of date or damaged with --overwrite; files that
/// belong to no package are named and left alone. Exit code 0 when the folder is as it should be, 1 when it is not.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk redirect Server -o Redirect
  upk redirect Server -o Redirect --overwrite   what has changed is packed anew
  upk redirect Server -o Redirect --check       nothing is written")]
pub struct Redirect {
    /// The server's packages: the folder of a game, its ini file, or a folder of packages
    server: PathBuf,
    /// The folder of packed files
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    folder: PathBuf,
    /// The format; else that of each package's engine
    #[arg(long = "as", value_enum)]
    format: Option<As>,
    /// Only what the server lists for this level
    #[arg(long, value_name = "LEVEL")]
    level: Option<String>,
    /// Write nothing
    #[arg(long, conflicts_with = "overwrite")]
    check: bool,
    /// Replace files that are out of date or damaged
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// `--as`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    /// UE1
    Uz,
    /// UE2
    Uz2,
    /// UE3
    Uz3,
}

/// How a packed file stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    /// It holds the server's file.
    Fine,
    /// It was not there.
    Missing,
    /// It holds another file.
    Stale,
    /// It can't be unpacked.
    Damaged,
    /// It belongs to no package.
    Foreign,
}

/// One file of the folder.
#[derive(Debug, Serialize)]
struct PackedFile {
    file: String,
    state: State,
    written: bool,
    bytes: Option<u64>,
    packed_bytes: Option<u64>,
    /// Packing makes it larger: without it clients fetch less.
    larger: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl Redirect {
    /// Checks, packs and reports.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let server = environment(std::slice::from_ref(&self.server), &self.open, &self.server)?;
        let map = match &self.level {
            Some(level) => server.package_map(level)?,
            None => server.package_map_of_all(),
        };
        if !self.check {
            fs::create_dir_all(&self.folder)?;
        }
        let (mut names, mut files) = (BTreeSet::new(), Vec::new());
        for entry in map.entries.iter().filter(|entry| entry.downloadable) {
            let Some(id) = server.find(&entry.name).filter(|id| !server.is_cached(*id)) else {
                continue;
            };
            let engine = server.digest(id)?.engine();
            let path = server.file(id).path.clone();
            let format = self.format(engine)?;
            let name = format!("{}.{}", own_name(&path), format.extension());
            names.insert(name.to_ascii_lowercase());
            files.push(self.file(&path, name, format)?);
        }
        // Those of other levels are the server's as well.
        let all = server.files().map(|(_, file)| own_name(&file.path).to_ascii_lowercase());
        let all: BTreeSet<_> = all.collect();
        for name in listed(&self.folder)? {
            let lower = name.to_ascii_lowercase();
            let stem = lower.rsplit_once('.').map_or("", |(stem, _)| stem);
            if !names.contains(&lower) && (self.level.is_none() || !all.contains(stem)) {
                files.push(PackedFile {
                    file: name,
                    state: State::Foreign,
                    written: false,
                    bytes: None,
                    packed_bytes: None,
                    larger: false,
                    reason: None,
                });
            }
        }
        self.report(&files, out)
    }

    fn format(&self, engine: Engine) -> Result<Form, Failure> {
        Ok(match (self.format, engine) {
            (Some(As::Uz), _) | (None, Engine::Ue1) => Form::Uz(UzForm::FourStages),
            (Some(As::Uz2), _) | (None, Engine::Ue2) => Form::Uz2,
            (Some(As::Uz3), _) | (None, Engine::Ue3) => Form::Uz3,
            (None, _) => {
                let next = "name a server of UE1 to UE3";
                let reason = "servers of UE4 and UE5 send no packages";
                return Err(Failure::usage(format!("{reason}\n  next: {next}")));
            }
        })
    }

    /// One package: what stands there, and what is written.
    fn file(&self, path: &Path, name: String, format: Form) -> Result<PackedFile, Failure> {
        let (bytes, _) = file::read_found(path)?;
        let target = self.folder.join(&name);
        let mut packed_bytes = None;
        let (state, reason) = match file::read_found(&target) {
            Err(error) if error.is_not_found() => (State::Missing, None),
            Err(error) => (State::Damaged, Some(error.to_string())),
            Ok((packed, _)) => {
                packed_bytes = Some(packed.len() as u64);
                match format.unpack(&packed) {
                    Ok(unpacked) if bytes[..] == unpacked[..] => (State::Fine, None),
                    Ok(_) => (State::Stale, stale(&packed, format)),
                    Err(error) => (State::Damaged, Some(error.to_string())),
                }
            }
        };
        let wanted = match state {
            State::Missing => !self.check,
            State::Stale | State::Damaged => self.overwrite,
            State::Fine | State::Foreign => false,
        };
        if wanted {
            let packed = format.pack_named(&own_name(path), &bytes)?;
            Replacement::new(&target, &packed)
                .origin(FileOrigin::Found)
                .overwrite(state != State::Missing)
                .commit()?;
            packed_bytes = Some(packed.len() as u64);
        }
        let size = bytes.len() as u64;
        Ok(PackedFile {
            file: name,
            state,
            written: wanted,
            bytes: Some(size),
            packed_bytes,
            larger: packed_bytes.is_some_and(|packed| packed > size),
            reason,
        })
    }

    fn report(&self, files: &[PackedFile], out: &mut Output) -> CommandResult {
        let of = |state| files.iter().filter(|file| file.state == state && !file.written).count();
        let wrong = [State::Missing, State::Stale, State::Damaged].map(of);
        let is_fine = wrong == [0; 3];
        let outcome = if is_fine { Outcome::Fine } else { Outcome::Wrong };
        if out.is_json() {
            files.iter().try_for_each(|file| out.object(file))?;
            return Ok(outcome);
        }
        for file in files {
            let name = &file.file;
            let sizes = || {
                let (packed, bytes) = (file.packed_bytes.unwrap_or(0), file.bytes.unwrap_or(0));
                format!("{} bytes packed, {} before", grouped(packed), grouped(bytes))
            };
            let why = file.reason.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
            match (file.state, file.written) {
                (_, true) => out.summary(format!("wrote {name}: {}", sizes()))?,
                (State::Fine, _) => {}
                (State::Missing, _) => out.line(format!("missing: {name}"))?,
                (State::Stale, _) => out.line(format!("out of date: {name}{why}"))?,
                (State::Damaged, _) => out.line(format!("damaged: {name}{why}"))?,
                (State::Foreign, _) => out.line(format!("of no package: {name}"))?,
            }
            if file.larger {
                out.line(format!("larger than its package: {name}: {}", sizes()))?;
            }
        }
        let written = files.iter().filter(|file| file.written).count() as u64;
        out.summary(format!(
            "{}, {} as they should be, {} missing, {} out of date, {} damaged, {} of no package",
            count(written, "file written", "files written"),
            of(State::Fine),
            wrong[0],
            wrong[1],
            wrong[2],
            of(State::Foreign),
        ))?;
        if !is_fine {
            let next = if self.check { "upk redirect without --check" } else { "--overwrite" };
            out.line(format!("  next: {next} packs them"))?;
        }
        Ok(outcome)
    }
}

/// What a file that is out of date holds.
fn stale(packed: &[u8], format: Form) -> Option<String> {
    let name = format.name(packed).ok()??;
    Some(format!("it holds another {name}"))
}

/// The packed files of a folder by name.
fn listed(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    if !folder.is_dir() {
        return Ok(names);
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') && entry.path().is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

//! `upk layout`: the formats of all types, from the data that the types themselves carry.

mod markdown;
mod rows;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::archive::layout::{Layout as Format, Link, Shape};
use unreal_packages::archive::print::rows::sentence;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Versions};

use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, table};

/// Print what a type stores, in which order and versions; all types without a name
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk layout                             every type that there is
  upk layout Export                      its fields in all versions
  upk layout Export --at 69              what is there in file version 69
  upk layout NameEntry --at 128/29       with a licensee version
  upk layout Import --engine 5.4         what this release writes
  upk layout ue3::Polys                  one of several types of a name
  upk layout Generation --engine 4.27 --imhex
  upk layout --all --markdown Format/    the whole documentation, a page a module")]
pub struct Layout {
    /// The type, in any case; modules before it tell types of one name apart
    #[arg(value_name = "TYPE")]
    name: Option<String>,
    /// Every type, with --markdown
    #[arg(long, requires = "markdown", conflicts_with_all = ["name", "imhex"])]
    all: bool,
    /// Only what is there in this file version of UE1 to UE3, with a licensee version or without: 69, 128/29
    #[arg(long, value_name = "VERSION", value_parser = file_version, conflicts_with = "engine")]
    at: Option<(u32, u32)>,
    /// Only what is there in this engine release of UE4 or UE5: 4.27, 5.4
    #[arg(long, value_name = "RELEASE")]
    engine: Option<EngineRelease>,
    /// Print a pattern for the hex editor ImHex: the type in one version and all that it contains
    #[arg(long, requires = "name")]
    imhex: bool,
    /// Write pages into this folder, which is made if it is not there
    #[arg(long, value_name = "DIR", requires = "all")]
    markdown: Option<PathBuf>,
    /// Replace pages that are there
    #[arg(long)]
    overwrite: bool,
}

/// `69` or `128/29`.
fn file_version(text: &str) -> Result<(u32, u32), String> {
    let (file, licensee) = text.split_once('/').unwrap_or((text, "0"));
    let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
    Ok((number(file)?, number(licensee)?))
}

impl Layout {
    /// Prints or writes layouts.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let versions = self.versions();
        if let Some(folder) = &self.markdown {
            return markdown::write(folder, self.overwrite, versions.as_ref(), out);
        }
        let Some(name) = &self.name else { return list(out) };
        let found = unreal_packages::find_layouts(name);
        let found: Vec<&Format> = found.iter().filter_map(Link::layout).collect();
        if found.is_empty() {
            return Err(missing(name));
        }
        if self.imhex {
            return pattern(name, &found, versions, out);
        }
        for (at, layout) in found.iter().enumerate() {
            if out.is_json() {
                out.object(&rows::json(layout, versions.as_ref()))?;
                continue;
            }
            if at > 0 {
                out.line("")?;
            }
            for line in rows::lines(layout, versions.as_ref()) {
                out.line(line)?;
            }
        }
        Ok(Outcome::Fine)
    }

    /// The version that was asked for.
    fn versions(&self) -> Option<Versions> {
        let classic = |(file, licensee)| Versions::ue1_to_3(file, licensee);
        self.at.map(classic).or_else(|| self.engine.map(EngineRelease::versions))
    }
}

fn missing(name: &str) -> Failure {
    let near = unreal_packages::near_layouts(name);
    let next = match near.is_empty() {
        true => "`upk layout` shows the types that there are".to_owned(),
        false => format!("did you mean {}?", near.join(", ")),
    };
    Failure::failed(format!("type '{name}' not found\n  next: {next}"))
}

fn pattern(
    name: &str,
    found: &[&'static Format],
    versions: Option<Versions>,
    out: &mut Output,
) -> CommandResult {
    let Some(versions) = versions else {
        let next = "add --at or --engine";
        return Err(Failure::usage(format!("a pattern is of one version\n  next: {next}")));
    };
    let [layout] = found else {
        let (types, paths) = (found.len(), found.iter().map(|layout| rows::path(layout)));
        let next = format!("name one of {}", paths.collect::<Vec<_>>().join(", "));
        let message = format!("{types} types have the name '{name}'");
        return Err(Failure::usage(format!("{message}\n  next: {next}")));
    };
    let text = unreal_packages::imhex_pattern(layout, &versions);
    match out.is_json() {
        true => out.object(&json!({ "type": rows::path(layout), "pattern": text }))?,
        false => out.raw(text.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// All types, without the parameters that some are used with: each once.
fn all() -> Vec<&'static Format> {
    let mut all: Vec<&'static Format> =
        unreal_packages::layouts().iter().filter_map(Link::layout).collect();
    all.retain(|layout| unreal_packages::is_own_layout(layout));
    all.sort_by_key(|layout| layout.place_in_crate());
    all.dedup_by_key(|layout| layout.place_in_crate());
    all
}

fn list(out: &mut Output) -> CommandResult {
    let all = all();
    if out.is_json() {
        for layout in &all {
            let path = rows::path(layout);
            out.object(&json!({ "type": path, "kind": kind(layout), "doc": layout.doc }))?;
        }
        return Ok(Outcome::Fine);
    }
    let row = |layout: &&Format| {
        vec![rows::path(layout), kind(layout).to_owned(), sentence(layout.doc).to_owned()]
    };
    let rows: Vec<_> = all.iter().map(row).collect();
    for line in table(&["type", "kind", "meaning"], &[false; 3], &rows) {
        out.line(line)?;
    }
    out.summary(count(all.len() as u64, "type", "types"))?;
    Ok(Outcome::Fine)
}

fn kind(layout: &Format) -> &'static str {
    match layout.shape {
        Shape::Struct { .. } => "struct",
        Shape::Enum { .. } => "enum",
        Shape::Manual { .. } => "by hand",
    }
}

//! `upk source`: the source texts that classes carry.

use std::path::{Path, PathBuf};

use clap::Args;
use farchive::PackageIndex;
use farchive::object::Native;
use farchive::object::text::TextBuffer;
use farchive::package::{Package, native_as};
use farchive::primitive::ObjectRef;
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count};
use crate::places::Places;

/// Extract the source texts (.uc) that the classes of a package carry
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk source Botpack.u                   which classes carry their source
  upk source Botpack.u -o Botpack/Classes
  upk source Botpack.u --json            the texts themselves, for scripts")]
pub struct Source {
    /// The package
    file: PathBuf,
    /// Write one file a class into this folder, which is made if it is not there; - for standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Source {
    /// Prints or writes the texts.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let folder = self.output.as_deref().unwrap_or(Path::new(""));
        let mut places = Places::new(folder, self.overwrite, self.output.is_none(), out);
        let mut found = 0;
        for row in 0..package.exports().len() {
            let Some((class, text)) = class_source(&package, row) else { continue };
            found += 1;
            if out.is_json() {
                out.object(&json!({ "class": class, "text": text }))?;
            }
            // Dots part folders from each other there; a class has none around it.
            let file = places.take(&class.replace('.', "_"), "uc");
            places.write(&file, text.as_bytes())?;
            if !out.is_json() {
                let lines = count(text.lines().count() as u64, "line", "lines");
                let shown = places.shown(&file);
                out.line(match self.output {
                    Some(_) => format!("{class}: {lines} to {shown}"),
                    None => format!("{class}: {lines}"),
                })?;
            }
        }
        places.finish(out)?;
        if !out.is_json() {
            out.line(format!("{} with source", count(found, "class", "classes")))?;
        }
        Ok(Outcome::Fine)
    }
}

/// The name of the class in this row and its source, if it carries one.
fn class_source(package: &Package, row: usize) -> Option<(String, String)> {
    let export = package.exports().get(row)?;
    if !export.entry().class_index.is_null() {
        return None;
    }
    let class = package.decode(row).ok()?;
    let Native::Script(object) = &class.body.native else { return None };
    let ObjectRef::Export(text) = object.structure()?.script_text.target() else { return None };
    let text = package.decode(text).ok()?;
    let text = native_as::<TextBuffer>(&text.body)?.text.text(package.source()).ok()?;
    Some((package.object_name(PackageIndex::export(row)), text.into_owned()))
}

//! `upk source`: the source texts that classes carry.

use std::path::PathBuf;

use clap::Args;
use farchive::PackageIndex;
use farchive::object::Native;
use farchive::object::text::TextBuffer;
use farchive::package::{Package, native_as};
use farchive::primitive::ObjectRef;
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

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
    /// Write one file a class into this folder, which is made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

impl Source {
    /// Prints or writes the texts.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut package = self.open.open(&self.file)?;
        package.decode_all();
        if let Some(folder) = &self.output {
            std::fs::create_dir_all(folder).map_err(|error| farchive::Error::io(folder, error))?;
        }
        let mut found = 0;
        for row in 0..package.exports().len() {
            let Some((class, text)) = class_source(&package, row) else { continue };
            found += 1;
            if out.is_json() {
                out.object(&json!({ "class": class, "text": text }))?;
            }
            if let Some(folder) = &self.output {
                self.write(folder, &class, &text)?;
            }
            if !out.is_json() {
                out.line(format!("{class}: {} lines", text.lines().count()))?;
            }
        }
        if !out.is_json() {
            out.line(format!("{} with source", count(found, "class", "classes")))?;
        }
        Ok(Outcome::Fine)
    }

    fn write(&self, folder: &std::path::Path, class: &str, text: &str) -> Result<(), Failure> {
        // The name comes from the package and must not lead out of the folder.
        let plain = class.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        if !plain || class.is_empty() {
            return Err(Failure::failed(format!("'{class}' is no name for a file")));
        }
        let path = folder.join(format!("{class}.uc"));
        std::fs::write(&path, text).map_err(|error| farchive::Error::io(&path, error))?;
        Ok(())
    }
}

/// The name of the class in this row and its source, if it carries one.
fn class_source(package: &Package, row: usize) -> Option<(String, String)> {
    let export = package.exports().get(row)?;
    if !export.common().class_index.is_null() {
        return None;
    }
    let Native::Script(object) = &package.decoded(row)?.body.native else { return None };
    let ObjectRef::Export(text) = object.structure()?.script_text.target() else { return None };
    let buffer = native_as::<TextBuffer>(&package.decoded(text)?.body)?;
    let text = buffer.text.text(package.source()).ok()?;
    Some((package.object_name(PackageIndex::export(row)), text.into_owned()))
}

//! `upk to-json`: a package as JSON, without loss.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Write a package as JSON, from which from-json makes the same bytes again
///
/// Header, tables and objects stand there value by value, names and references as text; bulk data and what
/// is not decoded as base64. Edit what you like: sizes and positions are computed anew. Cooked packages of
/// UE4.26 to UE5 that leave out the names and types of their properties need the game's mappings, else their
/// objects are base64 as a whole.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk to-json Mod.u -o Mod.json
  upk to-json Mod.u --compact | jq '.bodies[].object'
  upk to-json Lamp.uasset --engine 5.4 --mappings Game.usmap -o Lamp.json")]
pub struct ToJson {
    /// The package
    file: PathBuf,
    /// Write here instead of standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// One line an object instead of indented
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl ToJson {
    /// Writes section by section.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let Some(path) = &self.output else {
            package.to_json(out, !self.compact)?;
            return Ok(Outcome::Fine);
        };
        if path.is_dir() {
            let shown = path.display();
            return Err(Failure::usage(format!(
                "'{shown}' is a folder\n  next: name a file in it"
            )));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(".".as_ref()))?;
        package.to_json(&mut std::io::BufWriter::new(&mut file), !self.compact)?;
        file.flush()?;
        file.persist(path).map_err(|error| error.error)?;
        if out.is_json() {
            let length = std::fs::metadata(path)?.len();
            out.object(&serde_json::json!({ "file": self.file, "output": path, "bytes": length }))?;
        } else {
            out.line(format!("wrote {}", path.display()))?;
        }
        Ok(Outcome::Fine)
    }
}

//! `upk to-json`: a package as JSON, without loss.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use unreal_packages::inspect::PackageEnums;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::form::Form;
use crate::input::STANDARD;
use crate::output::{Output, grouped};
use crate::related;
use crate::target::{OverwriteArgs, Target};

/// Write a package as JSON, from which from-json makes the same bytes again
///
/// Header, tables and objects stand there value by value, properties with name, type and value, references as
/// paths, code as the assembler's lines; bulk data and what is not decoded as base64. Edit what you like:
/// counts, sizes and positions are computed anew. docs/documents.md describes the document. Cooked packages of
/// UE4.26 to UE5 that leave out the names and types of their properties need the game's mappings, else their
/// objects are base64 as a whole.
///
/// Of save games, .locres files and AssetRegistry.bin come the values as `upk get` prints them, and the file itself:
/// the bytes of a save game, the fields of the others. from-json takes values of the first two that were changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk to-json Mod.u -o Mod.json
  upk to-json Mod.u --compact | jq '.exports[].object_name'
  upk to-json Lamp.uasset --engine 5.4 --mappings Game.usmap -o Lamp.json")]
pub struct ToJson {
    /// The package
    file: PathBuf,
    /// Write here; without it, or with -, to standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// One line an object instead of indented
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    write: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl ToJson {
    /// Writes section by section.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(mut file) = related::open(&self.file)? {
            let mut text = serde_json::to_vec_pretty(&file.json()?)?;
            text.push(b'\n');
            let output = self.output.as_deref().unwrap_or(Path::new(STANDARD));
            let target = Target::new(output, self.write.overwrite, Form::Json, out)?;
            target.write(&text, out)?;
            return self.report(&target, output, text.len() as u64, out);
        }
        let package = self.open.open(&self.file)?;
        let output = self.output.as_deref().unwrap_or(Path::new(STANDARD));
        let target = Target::new(output, self.write.overwrite, Form::Json, out)?;
        let mut length = 0;
        target.write_by(out, |file| {
            let mut counted = Counted { file: BufWriter::new(file), bytes: 0 };
            package.to_json_with(&mut counted, !self.compact, &PackageEnums::new(&package))?;
            counted.flush().map_err(|error| unreal_packages::Error::io(output, error))?;
            length = counted.bytes;
            Ok(())
        })?;
        self.report(&target, output, length, out)
    }

    /// Says what was written; nothing where the output itself is the document.
    fn report(
        &self,
        target: &Target,
        output: &Path,
        length: u64,
        out: &mut Output,
    ) -> CommandResult {
        if *target == Target::Standard {
            return Ok(Outcome::Fine);
        }
        if out.is_json() {
            out.object(
                &serde_json::json!({ "file": self.file, "output": output, "bytes": length }),
            )?;
        } else {
            out.summary(format!("wrote {}: {} bytes", target.shown(), grouped(length)))?;
        }
        Ok(Outcome::Fine)
    }
}

/// Counts what goes through.
struct Counted<W> {
    file: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

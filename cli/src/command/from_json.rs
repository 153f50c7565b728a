//! `upk from-json`: a package from its JSON form.

use std::path::PathBuf;

use clap::Args;
use farchive::EngineRelease;
use farchive::package::{OpenOptions, Package, SaveOptions, document_of_uassetapi};
use serde_json::json;

use crate::args::{mappings, read};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::{OverwriteArgs, Target};

/// Make a package from the JSON that to-json wrote, edited or not
///
/// What was not edited gives the same bytes again. Values, properties, elements, names, imports and objects
/// may be changed, added and removed: counts, sizes, positions and checksums are computed anew, and names that
/// are used are added. Packages of UE4 and UE5 whose bodies were in a .uexp file are written as two files
/// again. The key "stored" holds what no other key says; without it the canonical form comes out. Keys may
/// stand in any order; one that is unknown, missing or doubled is an error. Errors name the place in the JSON,
/// as in exports[2].value. docs/documents.md describes the document.
///
/// The number behind "farchive" is that of the form, 4; documents of another one are refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk from-json Mod.json -o Mod.u
  upk from-json Mod.json -o Mod.u --dry-run --json
  upk from-json Lamp.json -o Lamp.uasset --mappings Game.usmap
  upk from-json DT_Items.json -o DT_Items.uasset --uassetapi")]
pub struct FromJson {
    /// The JSON
    file: PathBuf,
    /// Write the package here; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Names and types of properties (.usmap): the file that to-json had, if it had one
    #[arg(long, value_name = "FILE")]
    mappings: Option<PathBuf>,
    /// The JSON is one that UAssetAPI has written (UAssetGUI, "tojson"): exports with properties, data and string
    /// tables, enums, and raw ones
    #[arg(long)]
    uassetapi: bool,
    /// With --uassetapi, for packages that do not say their versions: the engine's release
    #[arg(long, value_name = "RELEASE", requires = "uassetapi")]
    engine: Option<EngineRelease>,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    write: OverwriteArgs,
}

impl FromJson {
    /// Reads, saves, checks, writes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut text = read(&self.file)?;
        let mappings = self.mappings.as_deref().map(mappings).transpose()?;
        let failed = |error: farchive::Error| {
            let file = self.file.display();
            Failure::failed(format!("{file}: {error}\n  next: nothing was written"))
        };
        if self.uassetapi {
            text = document_of_uassetapi(&text, self.engine, mappings.as_deref())
                .map_err(failed)?
                .into();
        }
        let mut package = Package::from_json_with(&text, mappings).map_err(failed)?;
        let overwrite = self.write.overwrite || self.dry_run;
        let target = Target::new(&self.output, overwrite, Form::of(&package), out)?;
        drop(text);
        let saved = SaveOptions::new().save(&mut package)?;
        let mut options = OpenOptions::new().game(package.versions().game);
        if let Some(release) = package.versions().release {
            options = options.engine(release);
        }
        drop(package);
        let mut again = options.open_bytes(saved.bytes.clone())?;
        if SaveOptions::new().save(&mut again)?.bytes != saved.bytes {
            return Err(Failure::failed("the result re-saves differently; nothing was written"));
        }
        if !self.dry_run {
            target.write_package(&saved, out)?;
        }
        let (bytes, exports) = (saved.bytes.len(), again.exports().len());
        if out.is_json() {
            let report = json!({ "input": self.file, "output": self.output, "bytes": bytes,
                "exports": exports, "dry_run": self.dry_run });
            out.object(&report)?;
        } else {
            let done = if self.dry_run { "would write" } else { "wrote" };
            let (bytes, shown) = (grouped(bytes as u64), target.shown());
            out.line(format!("{done} {shown}: {bytes} bytes, {exports} exports"))?;
        }
        Ok(Outcome::Fine)
    }
}

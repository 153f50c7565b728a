//! `upk from-json`: a package from its JSON form.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use unreal_packages::EngineRelease;
use unreal_packages::decompile::check_code;
use unreal_packages::package::{
    OpenOptions, Package, SaveOptions, UassetapiOptions, check_unedited, document_of_uassetapi,
};
use unreal_packages::property::Mappings;
use unreal_packages::version::UnrealVersions;

use crate::args::{mappings, read};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::related::{self, RelatedFile};
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
/// Once a document is edited, its code is checked as `upk script --assemble` does it, with what the package itself
/// declares: code that the engine could not run is refused with the object, unless --force.
///
/// The number behind "farchive" is that of the form, 6; 5 is read as well, documents of another one are refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk from-json Mod.json -o Mod.u
  upk from-json Mod.json -o Mod.u --dry-run --json
  upk from-json Lamp.json -o Lamp.uasset --mappings Game.usmap
  upk from-json DT_Items.json -o DT_Items.uasset --uassetapi
  upk from-json DT_Items.json -o New.uasset --uassetapi --original Items.uasset")]
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
    /// With --uassetapi: the package that the document was made from. Classes, functions and what else is not read
    /// from such documents come from there, whatever the document says of them
    #[arg(long, value_name = "PACKAGE", requires = "uassetapi")]
    original: Option<PathBuf>,
    /// With --uassetapi, for packages that do not say their versions: the engine's release
    #[arg(long, value_name = "RELEASE", requires = "uassetapi")]
    engine: Option<EngineRelease>,
    /// Take code that looks as if it can't run
    #[arg(long)]
    force: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    write: OverwriteArgs,
}

impl FromJson {
    /// Writes a file that is no package.
    fn write_related(
        &self,
        bytes: &[u8],
        (kind, noun): (&str, &str),
        out: &mut Output,
    ) -> CommandResult {
        let overwrite = self.write.overwrite || self.dry_run;
        let target = Target::new(&self.output, overwrite, Form::Any, out)?;
        if !self.dry_run {
            target.write(bytes, out)?;
        }
        if out.is_json() {
            out.object(&json!({ "input": self.file, "output": self.output, "kind": kind,
                "bytes": bytes.len(), "dry_run": self.dry_run }))?;
        } else {
            let done = if self.dry_run { "would write" } else { "wrote" };
            let (bytes, shown) = (grouped(bytes.len() as u64), target.shown());
            out.line(format!("{done} {shown}: {bytes} bytes, {noun}"))?;
        }
        Ok(Outcome::Fine)
    }

    /// The package that a document was made from.
    fn open(&self, path: &Path, mappings: Option<&Arc<Mappings>>) -> Result<Package, Failure> {
        let mut options = OpenOptions::new();
        if let Some(engine) = self.engine {
            options = options.engine(engine);
        }
        if let Some(mappings) = mappings {
            options = options.mappings(mappings.clone());
        }
        let mut package = options.open(path)?;
        package.decode_all();
        Ok(package)
    }

    /// Reads, saves, checks, writes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut text = read(&self.file)?;
        if !self.uassetapi
            && related::is_document(&text)
            && let Ok(document) = serde_json::from_slice(&text)
            && let Some(mut file) = RelatedFile::of_document(&document)?
        {
            let kind = (file.kind(), file.noun());
            return self.write_related(&file.save()?, (kind.0, &kind.1), out);
        }
        let mut taken_over = Vec::new();
        let mappings = self.mappings.as_deref().map(mappings).transpose()?;
        let failed = |error: unreal_packages::Error| {
            let file = self.file.display();
            Failure::failed(format!("{file}: {error}\n  next: nothing was written"))
        };
        if self.uassetapi {
            let original = self.original.as_deref().map(|path| self.open(path, mappings.as_ref()));
            let original = original.transpose()?;
            let given = UassetapiOptions {
                engine: self.engine.or(original.as_ref().and_then(|it| it.versions().release())),
                mappings: mappings.as_deref(),
                original: original.as_ref(),
            };
            let own = document_of_uassetapi(&text, &given).map_err(failed)?;
            (text, taken_over) = (own.text.into(), own.taken_over);
        }
        let mut package = Package::from_json_with(&text, mappings).map_err(failed)?;
        let overwrite = self.write.overwrite || self.dry_run;
        let target = Target::new(&self.output, overwrite, Form::of(&package), out)?;
        let saved = SaveOptions::new().save(&mut package)?;
        let is_unedited = check_unedited(&text, &saved.bytes).map_err(failed)?;
        if !is_unedited && !self.force {
            check_code(&package)?;
        }
        drop(text);
        let mut options = OpenOptions::new().game(package.versions().game());
        if let Some(release) = package.versions().release() {
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
                "exports": exports, "taken_over": taken_over, "dry_run": self.dry_run });
            out.object(&report)?;
        } else {
            let done = if self.dry_run { "would write" } else { "wrote" };
            let (bytes, shown) = (grouped(bytes as u64), target.shown());
            out.line(format!("{done} {shown}: {bytes} bytes, {exports} exports"))?;
            if let (Some(original), Some(first)) = (&self.original, taken_over.first()) {
                let (count, from) = (taken_over.len(), original.display());
                out.line(format!("as they are in {from}: {count} objects, such as {first}"))?;
            }
        }
        Ok(Outcome::Fine)
    }
}

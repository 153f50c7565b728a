//! `upk refs`: who refers to an object.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::PackageIndex;
use unreal_packages::inspect::ReferencePlace;
use unreal_packages::package::Section;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Show who refers to an object: tables, properties, native data and code
///
/// In packages of UE4 and UE5 soft references count too: those by path, which need not be loaded. Bodies that are not decoded whole may refer to it unseen; they are counted at the end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk refs Botpack.u Engine.Actor          an import starts with its package
  upk refs Botpack.u Enforcer.Fire
  upk refs Botpack.u '#12' --json
  upk refs BP_Door.uasset /Script/Engine.Actor --places     which fields do")]
pub struct Refs {
    /// The package
    file: PathBuf,
    /// The object: the path of an export or import, or an export's row as #12
    object: String,
    /// Show every field that refers to it
    #[arg(long)]
    places: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Refs {
    /// Prints one line a table or body.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let export = package.find_export(&self.object);
        let object = match export {
            Ok(row) => PackageIndex::export(row),
            Err(error) => match package.find(&self.object) {
                Some(index) => index,
                None => return Err(Failure::Failed(error.into())),
            },
        };
        let (references, unseen) = ReferencePlace::search(&package, object);
        let unseen = unseen.len() as u64;
        let mut sections: Vec<(Section, Vec<&ReferencePlace>)> = Vec::new();
        for reference in &references {
            match sections.last_mut().filter(|(section, _)| *section == reference.section) {
                Some((_, places)) => places.push(reference),
                None => sections.push((reference.section, vec![reference])),
            }
        }
        for (section, places) in &sections {
            let by = match *section {
                Section::Body(row) => package.exports().path(row as usize),
                section => format!("the table of {section}"),
            };
            let number = places.len() as u64;
            let soft = places.iter().filter(|place| place.soft).count() as u64;
            if out.is_json() {
                let row = match section {
                    Section::Body(row) => Some(row),
                    _ => None,
                };
                out.object(&json!({ "by": by, "row": row, "count": number, "soft": soft,
                                    "places": places }))?;
                continue;
            }
            let kind = match soft {
                0 => String::new(),
                soft if soft == number => ", soft".to_owned(),
                soft => format!(", {soft} soft"),
            };
            out.line(format!("{by}: {}{kind}", count(number, "reference", "references")))?;
            let shown = if self.places { places.len() } else { 0 };
            for place in &places[..shown] {
                let soft = if place.soft { " (soft)" } else { "" };
                out.line(format!("    {}{soft}", place.place))?;
            }
        }
        if !out.is_json() {
            let places = count(sections.len() as u64, "place refers", "places refer");
            out.line(format!("{places} to {}", package.path(object)))?;
            if unseen > 0 {
                let bodies = count(unseen, "body is", "bodies are");
                out.line(format!("{bodies} not decoded whole and may refer to it as well"))?;
            }
        }
        Ok(Outcome::Fine)
    }
}

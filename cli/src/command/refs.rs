//! `upk refs`: who refers to an object.

use std::path::PathBuf;

use clap::Args;
use farchive::PackageIndex;
use farchive::package::Section;
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};

/// Show who refers to an object: tables, properties, native data and code
///
/// Bodies that are not decoded whole may refer to it unseen; they are counted at the end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk refs Botpack.u Botpack.Enforcer      an import starts with its package
  upk refs Botpack.u Enforcer.Fire
  upk refs Botpack.u '#12' --json")]
pub struct Refs {
    /// The package
    file: PathBuf,
    /// The object: the path of an export or import, or an export's row as #12
    object: String,
    #[command(flatten)]
    open: OpenArgs,
}

impl Refs {
    /// Prints one line a table or body.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let mut package = self.open.open(&self.file)?;
        let export = package.find_export(&self.object);
        let object = match export {
            Ok(row) => PackageIndex::export(row),
            Err(error) => match package.find(&self.object) {
                Some(index) => index,
                None => return Err(Failure::Failed(error.into())),
            },
        };
        package.decode_all();
        let referrers = package.referrers(object);
        for referrer in &referrers {
            let by = match referrer.section {
                Section::Body(row) => package.exports().path(row as usize),
                section => format!("the table of {section}"),
            };
            if out.is_json() {
                let row = match referrer.section {
                    Section::Body(row) => Some(row),
                    _ => None,
                };
                out.object(&json!({ "by": by, "row": row, "count": referrer.count }))?;
            } else {
                out.line(format!("{by}: {}", count(referrer.count, "reference", "references")))?;
            }
        }
        let unseen = (0..package.exports().len())
            .filter_map(|row| package.decoded(row))
            .filter(|decoded| !decoded.is_complete())
            .count() as u64;
        if !out.is_json() {
            let places = count(referrers.len() as u64, "place refers", "places refer");
            out.line(format!("{places} to {}", package.path(object)))?;
            if unseen > 0 {
                let bodies = count(unseen, "body is", "bodies are");
                out.line(format!("{bodies} not decoded whole and may refer to it as well"))?;
            }
        }
        Ok(Outcome::Fine)
    }
}

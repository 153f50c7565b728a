//! `upk dump`: what objects hold, field by field.

use farchive::compare::canonical;
use farchive::inspect::Explanation;
use std::path::PathBuf;

use clap::Args;
use farchive::package::{Decoded, Package};
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::Output;

/// Print what objects hold: properties, native data, code
///
/// Names and references are shown as texts and paths. What is not decoded is shown as opaque.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk dump Engine.u | less
  upk dump Engine.u Actor.Tick
  upk dump Engine.u '#12' --json       the export of row 12, for scripts
  upk dump Engine.u --canonical        as git compares it")]
pub struct Dump {
    /// The package
    file: PathBuf,
    /// Only this export: its path, or its row as #12
    object: Option<String>,
    /// The whole package as text that can be compared line by line: no rows and places, one value a line
    #[arg(long, conflicts_with_all = ["object", "all"])]
    canonical: bool,
    /// Also show what is only there to store the rest: property names, tags, lengths, terminators
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Dump {
    /// Prints one object after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        if self.canonical {
            canonical(&package, |part| match out.is_json() {
                true => part.lines().try_for_each(|line| out.object(&json!({ "line": line }))),
                false => part.lines().try_for_each(|line| out.line(line)),
            })?;
            return Ok(Outcome::Fine);
        }
        match &self.object {
            Some(object) => {
                let row = package.find_export(object)?;
                let fields = Explanation::of_body(&package, row)?;
                self.print(&package, row, Some(&*package.decode(row)?), fields, out)?;
            }
            None => Explanation::of_bodies(&package, |row, decoded, fields| {
                self.print(&package, row, decoded, fields, out)
            })?,
        }
        Ok(Outcome::Fine)
    }

    fn print(
        &self,
        package: &Package,
        row: usize,
        decoded: Option<&Decoded>,
        fields: Vec<Explanation>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let Some(export) = package.exports().get(row) else { return Ok(()) };
        let error = decoded.and_then(|decoded| decoded.error.as_ref()).map(|e| e.to_string());
        let prefix = format!("bodies[{row}].");
        let fields: Vec<_> = fields
            .into_iter()
            .map(|explained| explained.record)
            .filter(|record| self.all || !is_storage(&record.path))
            .collect();
        if out.is_json() {
            let fields: Vec<_> = fields
                .iter()
                .map(|record| {
                    let path = record.path.strip_prefix(&prefix).unwrap_or(&record.path);
                    json!({ "path": path, "type": record.type_name,
                            "value": record.value.to_string(), "meaning": record.meaning })
                })
                .collect();
            return out.object(&json!({
                "row": row, "path": export.path(), "class": export.class(),
                "bytes": export.body().len(),
                "opaque": decoded.map_or(0, |decoded| decoded.opaque),
                "error": error, "fields": fields,
            }));
        }
        out.line(format!(
            "#{row} {} ({}), {} bytes",
            export.path(),
            export.class(),
            export.body().len()
        ))?;
        if let Some(error) = error {
            out.line(format!("  not decoded whole: {error}"))?;
        }
        for record in &fields {
            let path = record.path.strip_prefix(&prefix).unwrap_or(&record.path);
            let value = match record.meaning.as_str() {
                "" => record.value.to_string(),
                meaning => meaning.to_owned(),
            };
            let size = record.end - record.start;
            let value = match record.value {
                farchive::archive::RecordValue::Span(kind) if record.meaning.is_empty() => {
                    format!("{size} bytes of {}", format!("{kind:?}").to_lowercase())
                }
                _ => value,
            };
            out.line(format!("  {path} = {value}"))?;
        }
        Ok(())
    }
}

/// Fields that only say how the others are stored.
fn is_storage(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "property_name" | "length" | "terminator" | "tag") || path.contains(".tag.")
}

//! `upk dump`: what objects hold, field by field.

use std::path::{Path, PathBuf};
use unreal_packages::archive::{Record, RecordValue};
use unreal_packages::compare::canonical;
use unreal_packages::inspect::Explanation;

use clap::Args;
use serde_json::json;
use unreal_packages::package::{Decoded, Package};
use unreal_packages::scan::content_hash;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::input;
use crate::lfs::{LONGEST, Pointer};
use crate::output::{Output, printable};

/// Print what objects hold: properties, native data, code
///
/// Names and references are shown as texts and paths. What is not decoded is shown as opaque.
///
/// With --canonical a file that can't be opened is shown as well: with the reason, its size and its hash, and with
/// exit code 0, since git would stop at it and show none of the other files. Of a pointer of Git LFS the package is
/// shown that it stands for, where that is at hand.
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
        let pointer = self.canonical.then(|| Pointer::at(&self.file)).flatten();
        let opened = match pointer.as_ref().map(Pointer::object) {
            Some(object) => object.and_then(|object| self.open.open(&object)),
            None => self.open.open(&self.file),
        };
        let package = match opened {
            Err(failure) if self.canonical => return unreadable(&self.file, failure, out),
            opened => opened?,
        };
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
            .filter_map(|record| if self.all { Some(record) } else { shown(record) })
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
                RecordValue::Span(kind) if record.meaning.is_empty() => {
                    format!("{size} bytes of {}", format!("{kind:?}").to_lowercase())
                }
                _ => value,
            };
            out.line(format!("  {path} = {value}"))?;
        }
        Ok(())
    }
}

/// A file that can't be opened as lines that can be compared: git stops at an error, and shows no file behind it.
fn unreadable(file: &Path, failure: Failure, out: &mut Output) -> CommandResult {
    // What can't be read at all is an error of whoever asked.
    let Ok((bytes, _)) = input::read(file) else { return Err(failure) };
    // Git names another folder each time.
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (message, _) = failure.parts();
    let reason = message.replace(&*file.display().to_string(), &name);
    let mut lines = vec![
        "no package that can be shown".to_owned(),
        format!("  reason = {}", printable(&reason)),
        format!("  size = {} bytes", bytes.len()),
        format!("  hash = {}", content_hash(&bytes)),
    ];
    if let Ok(text) = std::str::from_utf8(&bytes)
        && bytes.len() <= LONGEST
    {
        lines.extend(text.lines().map(|line| format!("  | {}", printable(line))));
    }
    for line in lines {
        match out.is_json() {
            true => out.object(&json!({ "line": line }))?,
            false => out.line(line)?,
        }
    }
    Ok(Outcome::Fine)
}

/// A field as it is shown without those that only say how the others are stored. A bool has no other bytes than those of
/// its tag: the value there stands for the property.
fn shown(mut record: Record) -> Option<Record> {
    if !is_storage(&record.path) {
        return Some(record);
    }
    let is_bool = matches!(record.value, RecordValue::Integer(_))
        && matches!(record.meaning.as_str(), "True" | "False");
    let tag = record.path.rfind(".tag").filter(|_| is_bool)?;
    record.path.truncate(tag);
    // Other bits of a byte that holds it are the tag's.
    record.type_name = "bool";
    record.value = RecordValue::Integer(i128::from(record.meaning == "True"));
    Some(record)
}

/// Fields that only say how the others are stored.
fn is_storage(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "property_name" | "length" | "terminator" | "tag") || path.contains(".tag.")
}

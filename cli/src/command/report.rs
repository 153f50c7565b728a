//! `upk report`: what is known of a package, without what is in it, for a report of a fault.

mod redact;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::Error;
use unreal_packages::environment::is_named_as_package;
use unreal_packages::error::UnrealErrors;
use unreal_packages::package::Package;
use unreal_packages::version::custom;

use self::redact::Redactor;
use super::verify::{Row, Status, check, without_panic_messages};
use super::version_facts::version_facts;
use crate::args::{self, OpenArgs};
use crate::failure::{CommandResult, Outcome};
use crate::form::Form;
use crate::input;
use crate::output::Output;
use crate::target::{OverwriteArgs, Target};

/// Write what is known of a package, without its content, to send with a report of a fault
///
/// A JSON file with versions, flags, counts, how much of each class is decoded, what is not and why, and the error. But for
/// the names of classes it has no name and no text of the package, and neither its path: look at it before you send it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk report Engine.u -o report.json
  upk report Lamp.uasset --engine 5.4 -o report.json
  upk report Map.unr -o -")]
pub struct Report {
    /// The package
    file: PathBuf,
    /// The file to write; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    overwrite: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl Report {
    /// Writes the report.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let options = self.open.options(&self.file)?;
        let environment = self.open.environment(&self.file)?;
        let target = Target::new(&self.output, self.overwrite.overwrite, Form::Json, out)?;
        if !input::is_standard(&self.file) {
            let found = std::fs::metadata(&self.file);
            found.map_err(|error| args::unopened(&self.file, Error::io(&self.file, error)))?;
        }
        // A package that makes the library panic is one that is to be reported.
        let opening = || input::open(&self.file, &options.clone().partly());
        let opened = without_panic_messages(|| catch_unwind(AssertUnwindSafe(opening)));
        let (opened, panicked) = match opened {
            Ok(opened) => (Some(opened), false),
            Err(_) => (None, true),
        };
        let package = opened.as_ref().and_then(|opened| opened.as_ref().ok());
        let error = opened.as_ref().and_then(|opened| opened.as_ref().err());
        let row = without_panic_messages(|| {
            check::check(&self.file, true, &options, environment.as_deref())
        });
        let redactor = Redactor::of(package, &self.file);
        let header = || package.map(header);
        let header = without_panic_messages(|| catch_unwind(AssertUnwindSafe(header)));
        let panicked = panicked || header.is_err();
        // Save games and texts of languages are no packages, and looked at all the same.
        let is_other = row.as_ref().is_some_and(|row| row.status == Status::Identical);
        let error = match panicked {
            true => Some(json!({ "kind": "Panic" })),
            false => error.filter(|_| !is_other).map(|error| error_facts(error, &redactor)),
        };
        let report = json!({
            "upk": env!("CARGO_PKG_VERSION"),
            "system": format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH),
            "options": self.options_given(),
            "file": file_facts(&self.file),
            "error": error,
            "header": header.ok().flatten(),
            "verify": row.as_ref().map(|row| verified(row, &redactor)),
            "classes": row.as_ref().map(|row| row.image.as_ref().map_or(&row.by_class, |it| &it.by_class)),
            "not_decoded": row.as_ref().map(|row| not_decoded(row, &redactor)),
        });
        let text = serde_json::to_string_pretty(&report)? + "\n";
        target.write(text.as_bytes(), out)?;
        let shown = target.shown();
        match out.is_json() {
            true => out.object(&json!({ "output": shown, "bytes": text.len() }))?,
            false => out.summary(format!(
                "wrote {shown}: no names and no content but the names of classes"
            ))?,
        }
        Ok(Outcome::Fine)
    }

    /// What was said of the package, without paths.
    fn options_given(&self) -> Value {
        json!({
            "game": self.open.game.slug(),
            "engine": self.open.engine.map(|engine| engine.to_string()),
            "mappings": self.open.mappings.is_some(),
            "env": self.open.env.len(),
            "script_objects": self.open.script_objects.len(),
        })
    }
}

/// Extensions that say no more than what a file is, beside those of packages.
const EXTENSIONS: &[&str] = &["locres", "pak", "sav", "utoc", "uxx", "uz", "uz2", "uz3"];

fn file_facts(path: &Path) -> Value {
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    let is_known = |it: &String| is_named_as_package(path) || EXTENSIONS.contains(&it.as_str());
    let extension = extension.filter(is_known);
    let bytes = std::fs::metadata(path).map(|metadata| metadata.len()).ok();
    json!({ "extension": extension, "bytes": bytes })
}

fn error_facts(error: &Error, redactor: &Redactor) -> Value {
    let word = |debug: String| {
        let end = debug.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(debug.len());
        debug[..end].to_owned()
    };
    let kind = match error.unreal() {
        Some(error) => word(format!("{error:?}")),
        None => word(format!("{:?}", error.kind())),
    };
    json!({ "kind": kind, "offset": error.offset(), "field": redactor.text(&error.path()),
            "message": redactor.text(&error.to_string()) })
}

/// Versions, flags and counts.
fn header(package: &Package) -> Value {
    let (summary, tables) = (package.summary(), package.tables());
    let saved_by = &summary.saved_by.engine_version;
    let custom: BTreeMap<String, i32> = summary
        .custom_versions()
        .rows()
        .iter()
        .map(|(guid, version)| {
            (custom::name_of(guid).map_or_else(|| guid.to_string(), str::to_owned), *version)
        })
        .collect();
    let companions: Vec<_> = package
        .companions()
        .iter()
        .map(|file| json!({ "kind": format!("{:?}", file.kind), "bytes": file.size }))
        .collect();
    let mut facts = version_facts(package);
    let more = json!({
        // Not its branch, which may be called as a project.
        "saved_by": [u64::from(saved_by.major), u64::from(saved_by.minor), u64::from(saved_by.patch)],
        "engine_version": summary.engine_version,
        "custom_versions": custom,
        "total_header_size": summary.total_header_size,
        "names": package.names().len(),
        "imports": package.imports().len(),
        "exports": package.exports().len(),
        "heritage": tables.heritage.len(),
        "thumbnails": tables.thumbnails.len(),
        "generations": summary.generations.len(),
        "stored_as": package.container().map(|container| container.form()),
        "companions": companions,
    });
    if let Value::Object(more) = more {
        facts.extend(more);
    }
    Value::Object(facts)
}

/// How the package came out when it was rebuilt.
fn verified(row: &Row, redactor: &Redactor) -> Value {
    let positions = &row.positions;
    let bytes = row.image.as_ref().map_or([row.typed, row.payload, row.opaque, row.gap], |image| {
        [image.typed, image.payload, image.opaque, image.gap]
    });
    let [typed, payload, opaque, gap] = bytes;
    json!({
        "status": row.status.word(),
        "reason": redactor.text(&row.reason),
        "bytes": { "typed": typed, "payload": payload, "opaque": opaque, "gap": gap },
        "exports_typed": row.exports_typed,
        "positions": positions.checked,
        "wrong_positions": positions.wrong.len(),
        "unused_positions": positions.unused.len(),
        "missing_files": positions.missing.len(),
        "damages": row.damage.count(),
    })
}

/// Fields of classes that are not decoded, with how often, how many bytes, and the first reason.
fn not_decoded(row: &Row, redactor: &Redactor) -> Vec<Value> {
    let mut groups: BTreeMap<(&str, String), (u64, u64, &str)> = BTreeMap::new();
    for part in &row.not_decoded {
        let field: String = part.field.chars().filter(|c| !c.is_ascii_digit()).collect();
        let group = groups.entry((&part.class, redactor.text(&field)));
        let (number, bytes, _) = group.or_insert((0, 0, &part.reason));
        (*number, *bytes) = (*number + 1, *bytes + part.bytes);
    }
    let shown = |((class, field), (number, bytes, reason)): ((&str, String), (u64, u64, &str))| {
        json!({ "class": class, "field": field, "places": number, "bytes": bytes,
                "reason": redactor.text(reason) })
    };
    groups.into_iter().map(shown).collect()
}

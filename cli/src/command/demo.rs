//! `upk demo`: everything at work on a package that it builds itself.

use std::path::{Path, PathBuf};

use clap::Args;
use farchive::package::{Builder, Package, SaveOptions};
use farchive::{Archived, FString, Saver, Versions};
use serde_json::{Value, json};

use super::{explain, report};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};

/// Build, change, save, verify and explain a small package, step by step; needs no file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk demo
  upk demo --json | jq .step")]
pub struct Demo {
    /// Keep the packages in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// The file version of Unreal Tournament.
const VERSION: u32 = 69;
/// How many fields the last step explains.
const EXPLAINED: usize = 8;

/// Prints the steps.
struct Steps<'a> {
    out: &'a mut Output,
    number: usize,
}

impl Steps<'_> {
    fn step(&mut self, name: &str, lines: &[String], facts: Value) -> Result<(), Failure> {
        self.number += 1;
        let number = self.number;
        if self.out.is_json() {
            return self.out.object(&json!({ "step": name, "number": number, "facts": facts }));
        }
        for (at, line) in lines.iter().enumerate() {
            match at {
                0 => self.out.line(format!("{number}. {name:<8} {line}"))?,
                _ => self.out.line(format!("            {line}"))?,
            }
        }
        Ok(())
    }
}

impl Demo {
    /// Plays it through.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match &self.keep {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|error| farchive::Error::io(folder, error))?;
                play(folder, out)
            }
            None => play(tempfile::tempdir()?.path(), out),
        }
    }
}

fn play(folder: &Path, out: &mut Output) -> CommandResult {
    let (first, second) = (folder.join("Demo.u"), folder.join("DemoChanged.u"));
    let mut steps = Steps { out, number: 0 };

    let bytes = build()?;
    std::fs::write(&first, &bytes).map_err(|error| farchive::Error::io(&first, error))?;
    let size = bytes.len() as u64;
    let text = format!("Demo.u, version {VERSION} (Unreal Tournament), {} bytes", grouped(size));
    steps.step("build", &[text], json!({ "file": "Demo.u", "version": VERSION, "bytes": size }))?;

    let mut package = Package::open(&first)?;
    let mut lines = vec![format!(
        "{}, {}, {}",
        count(package.names().len() as u64, "name", "names"),
        count(package.imports().len() as u64, "import", "imports"),
        count(package.exports().len() as u64, "export", "exports"),
    )];
    for export in package.exports().iter() {
        let (path, class, bytes) = (export.path(), export.class(), export.body().len());
        lines.push(format!("{path} ({class}, {bytes} bytes)"));
    }
    let paths: Vec<_> = package.exports().iter().map(|export| export.path()).collect();
    steps.step("open", &lines, json!({ "exports": paths }))?;

    package.rename_name("Readme", "Manual")?;
    let row = package.find_export("Texts.Manual")?;
    let text = "Texts.Readme is Texts.Manual now: one row of the name table changed".to_owned();
    steps.step("rename", &[text], json!({ "old": "Readme", "new": "Manual" }))?;

    let reference = package.add_import("Botpack.Enforcer", "Core.Class")?.value();
    let text = format!("Botpack.Enforcer, a Core.Class, can be referred to as {reference}");
    steps.step("import", &[text], json!({ "path": "Botpack.Enforcer", "reference": reference }))?;

    let before = package.body(row)?.len();
    let body =
        text_body("This text is longer than the one that it replaces, so what follows moves.")?;
    let after = body.len();
    package.replace_body(row, body)?;
    let text = format!("the body of Texts.Manual: {before} bytes become {after}");
    steps.step("replace", &[text], json!({ "before": before, "after": after }))?;

    let report = package.save_file(&second, &SaveOptions::new())?;
    let saved = Package::open(&second)?;
    let size = saved.source().len() as u64;
    let mut lines = vec![format!("DemoChanged.u, {} bytes", grouped(size))];
    lines.extend(report::lines(&report));
    let moved = report::moved_json(&report, &package);
    let layout = report::layout(&report);
    let facts = json!({ "file": "DemoChanged.u", "bytes": size, "layout": layout, "moved": moved });
    steps.step("save", &lines, facts)?;

    let identical = saved.to_bytes()? == saved.source();
    let coverage = saved.coverage();
    let lines = [
        match identical {
            true => "rebuilt from its model: identical, byte for byte".to_owned(),
            false => "rebuilt from its model: DIFFERENT; please report this".to_owned(),
        },
        format!(
            "{} bytes typed, {} payload, {} opaque, {} gap",
            coverage.typed, coverage.payload, coverage.opaque, coverage.gap
        ),
    ];
    steps.step("verify", &lines, json!({ "identical": identical, "coverage": coverage }))?;

    let fields = saved.explain()?;
    let shown = fields.iter().take(EXPLAINED).map(|field| &field.record);
    let mut lines = vec![format!("its first {EXPLAINED} of {} fields", fields.len())];
    lines.extend(shown.clone().map(|record| explain::line(&saved, record, 4)));
    let paths: Vec<_> = shown.map(|record| &record.path).collect();
    steps.step("explain", &lines, json!({ "fields": fields.len(), "first": paths }))?;

    if !out.is_json() {
        out.line("Now with your own files: upk verify FOLDER, upk explain FILE, upk --help")?;
    }
    Ok(if identical { Outcome::Fine } else { Outcome::Wrong })
}

/// A group with two texts in it.
fn build() -> Result<Vec<u8>, Failure> {
    let package = Builder::new(VERSION)
        .export("Texts", "Core.Package", [])
        .export("Texts.Readme", "Core.TextBuffer", text_body("Made by upk.")?)
        .export("Texts.Credits", "Core.TextBuffer", text_body("Thanks to all who wrote it down.")?);
    Ok(package.build()?)
}

/// The body of a `TextBuffer`: no properties, two numbers, the text (spec: ue1-3/06).
fn text_body(text: &str) -> Result<Vec<u8>, Failure> {
    let mut saver = Saver::new(Versions::classic(VERSION, 0));
    // A builder's first name is `None`, which ends the list of properties.
    let (mut none, mut position, mut top) = (farchive::CompactIndex::new(0), 0i32, 0i32);
    none.serialize(&mut saver)?;
    position.serialize(&mut saver)?;
    top.serialize(&mut saver)?;
    FString::new(text).serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

//! `upk demo`: everything at work on packages that it makes itself.

mod painted;

use std::path::{Path, PathBuf};
use unreal_packages::edit::{PackageEdit, mismatches};
use unreal_packages::generate::create;
use unreal_packages::inspect::Explanation;

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::content::{
    Image, NewTexture, NewTextures, PackageContents, Pixels, ReplaceTexture, TextEdits,
    TextureEdits,
};
use unreal_packages::edit::RemoveOptions;
use unreal_packages::generate::Profile;
use unreal_packages::package::{Package, SaveOptions};

use super::{explain, save_report};
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, grouped};

/// Make, change, save, verify, explain and conform a small package, step by step; needs no file
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk demo
  upk demo --keep Demo
  upk demo --json | jq .step")]
pub struct Demo {
    /// Keep the packages in this folder instead of a temporary one
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

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
                    .map_err(|error| unreal_packages::Error::io(folder, error))?;
                play(folder, out)
            }
            None => play(tempfile::tempdir()?.path(), out),
        }
    }
}

fn play(folder: &Path, out: &mut Output) -> CommandResult {
    let (first, second) = (folder.join("Demo.utx"), folder.join("DemoChanged.utx"));
    let third = folder.join("DemoNext.utx");
    let mut steps = Steps { out, number: 0 };
    generate(&first, &mut steps)?;
    change(&first, &second, &mut steps)?;
    let identical = verify(&second, &mut steps)?;
    let conforms = conform(&second, &third, &mut steps)?;
    explain_first(&third, &mut steps)?;
    if !out.is_json() {
        out.line("Now with your own files: upk verify FOLDER, upk new textures -o My.utx PICTURES, upk --help")?;
    }
    Ok(if identical && conforms { Outcome::Fine } else { Outcome::Wrong })
}

/// A texture package out of nothing.
fn generate(file: &Path, steps: &mut Steps<'_>) -> Result<(), Failure> {
    let profile = Profile::UT99;
    let mut package = create(&profile)?;
    let bricks = package.edit(|edit| {
        edit.add_texture("Walls.Bricks", &painted::bricks(64)?, &NewTexture::default())
    })?;
    package.edit(|edit| {
        edit.add_texture("Walls.Fence", &painted::fence(32)?, &NewTexture::default())
    })?;
    package.edit(|edit| edit.add_text("Texts.Readme", "Made by upk."))?;
    package.save(&SaveOptions::new())?.write_file(file)?;
    let facts = package.contents().texture_facts(bricks)?;
    let package = Package::open(file)?;
    let size = package.source().len() as u64;
    let mut lines = vec![
        format!("Demo.utx for {profile}, {} bytes, out of nothing", grouped(size)),
        format!(
            "Walls.Bricks: {} by {} texels, {}, {}; Walls.Fence is masked",
            facts.width,
            facts.height,
            facts.format,
            count(facts.mips as u64, "mip", "mips")
        ),
    ];
    for export in package.exports().iter() {
        let (path, class, bytes) = (export.path(), export.class(), export.body().len() as u64);
        lines.push(format!("{path} ({class}, {} bytes)", grouped(bytes)));
    }
    let paths: Vec<_> = package.exports().iter().map(|export| export.path()).collect();
    let json = json!({ "file": "Demo.utx", "game": profile.slug, "bytes": size, "exports": paths });
    steps.step("generate", &lines, json)
}

/// A pixel, a text, a name, an import; everything behind them moves.
fn change(from: &Path, to: &Path, steps: &mut Steps<'_>) -> Result<(), Failure> {
    let mut package = Package::open(from)?;
    package.decode_all();
    let row = package.find_export("Walls.Bricks")?;
    let picture = package.contents().content_file(row)?.bytes;
    let image = repainted(&Image::read(&picture)?)?;
    let change =
        package.edit(|edit| edit.replace_texture(row, &image, &ReplaceTexture::default()))?;
    let lines = [format!(
        "Walls.Bricks as a PNG of {} bytes, one pixel painted, and back: {} changed",
        grouped(picture.len() as u64),
        count(change.texels as u64, "texel", "texels")
    )];
    steps.step("import", &lines, json!({ "png": picture.len(), "texels": change.texels }))?;

    package.edit(|edit| edit.rename_name("Readme", "Manual"))?;
    let row = package.find_export("Texts.Manual")?;
    let text = "This text is longer than the one that it replaces, so what follows moves.";
    package.edit(|edit| edit.replace_text(row, text))?;
    let clamp = package.edit(|edit| edit.set_property("Walls.Bricks", "UClamp", "32"))?;
    let reference = package.edit(|edit| edit.add_import("Botpack.Enforcer", "Core.Class"))?.value();
    let lines = [
        "Texts.Readme is Texts.Manual now: one row of the name table changed".to_owned(),
        "its text is another, longer one".to_owned(),
        format!(
            "Walls.Bricks.UClamp is {} now, was {}",
            clamp.new.as_deref().unwrap_or("none"),
            clamp.old.as_deref().unwrap_or("none")
        ),
        format!("Botpack.Enforcer, a Core.Class, can be referred to as {reference}"),
    ];
    steps.step(
        "edit",
        &lines,
        json!({ "text": text, "reference": reference, "property": clamp }),
    )?;

    let saved = package.save(&SaveOptions::new())?;
    saved.write_file(to)?;
    let report = saved.report;
    let size = Package::open(to)?.source().len() as u64;
    let mut lines = vec![format!("DemoChanged.utx, {} bytes", grouped(size))];
    lines.extend(save_report::lines(&report));
    let moved = save_report::moved_json(&report, &package);
    let layout = save_report::layout(&report);
    let json =
        json!({ "file": "DemoChanged.utx", "bytes": size, "layout": layout, "moved": moved });
    steps.step("save", &lines, json)
}

/// The picture with the colour of its last pixel in its first.
fn repainted(image: &Image) -> Result<Image, Failure> {
    let mut pixels = image.pixels().clone();
    if let Pixels::Indexed { indices, .. } = &mut pixels
        && let Some(&last) = indices.last()
    {
        indices[0] = last;
    }
    Ok(Image::new(image.width(), image.height(), pixels)?)
}

/// Rebuilt from the model, the file is the same.
fn verify(file: &Path, steps: &mut Steps<'_>) -> Result<bool, Failure> {
    let mut package = Package::open(file)?;
    package.decode_all();
    let identical = package.to_bytes()? == package.source();
    let coverage = package.coverage();
    let lines = [
        match identical {
            true => "rebuilt from its model: identical, byte for byte".to_owned(),
            false => "rebuilt from its model: DIFFERENT; please report this".to_owned(),
        },
        format!(
            "{} bytes typed, {} payload, {} opaque, {} gap",
            grouped(coverage.typed),
            grouped(coverage.payload),
            coverage.opaque,
            coverage.gap
        ),
    ];
    steps.step("verify", &lines, json!({ "identical": identical, "coverage": coverage }))?;
    Ok(identical)
}

/// A next release, with an object less and one more, that players of the first can meet on the net.
fn conform(released: &Path, next: &Path, steps: &mut Steps<'_>) -> Result<bool, Failure> {
    let released = Package::open(released)?;
    let mut package = released.clone();
    package.decode_all();
    package.edit(|edit| {
        edit.remove_objects(&["Walls.Fence", "Walls.Palette2"], RemoveOptions::default())
    })?;
    package.edit(|edit| edit.add_text("Texts.Credits", "Thanks to all who wrote it down."))?;
    package.edit(|edit| edit.renew_guid())?;
    let before = mismatches(&package, &released);
    let lines = [
        "Walls.Fence and its palette are gone, Texts.Credits is new".to_owned(),
        format!(
            "as it is, {} keep it from meeting the first release on the net",
            count(before.len() as u64, "reason", "reasons")
        ),
    ];
    steps.step("release", &lines, json!({ "mismatches": before }))?;

    let done = package.edit(|edit| edit.conform_to(&released))?;
    package.save(&SaveOptions::new())?.write_file(next)?;
    let lines = [
        format!("generation {}, GUID {}", done.generations, done.guid),
        format!(
            "exports: {} kept in their rows, {} added, {} left as null",
            done.exports_kept,
            done.exports_added.len(),
            done.exports_nulled.len()
        ),
        format!("names: {} kept, {} added", done.names_kept, done.names_added.len()),
    ];
    let json = json!({ "file": "DemoNext.utx", "conformed": done });
    steps.step("conform", &lines, json)?;

    let saved = Package::open(next)?;
    let after = mismatches(&saved, &released);
    let conforms = after.is_empty();
    let lines = [match conforms {
        true => {
            "every name and object of the first release keeps its number: compatible".to_owned()
        }
        false => format!("NOT compatible: {}; please report this", after[0]),
    }];
    steps.step("check", &lines, json!({ "conforms": conforms, "mismatches": after }))?;
    Ok(conforms)
}

fn explain_first(file: &Path, steps: &mut Steps<'_>) -> Result<(), Failure> {
    let package = Package::open(file)?;
    let fields = Explanation::of(&package)?;
    let shown = fields.iter().take(EXPLAINED).map(|field| &field.record);
    let mut lines = vec![format!("its first {EXPLAINED} of {} fields", fields.len())];
    lines.extend(shown.clone().map(|record| explain::line(package.source(), record, 4)));
    let paths: Vec<_> = shown.map(|record| &record.path).collect();
    steps.step("explain", &lines, json!({ "fields": fields.len(), "first": paths }))
}

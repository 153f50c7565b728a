//! `upk source`: classes as source, carried or decompiled.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use unreal_packages::PackageIndex;
use unreal_packages::decompile::Decompiler;
use unreal_packages::object::Native;
use unreal_packages::object::text::TextBuffer;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::ObjectRef;
use unreal_packages::version::UnrealVersions;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count};
use crate::places::Places;

/// Write the classes of a package as UnrealScript source (.uc), blueprints as pseudo-code (.kismet)
///
/// A class that carries its source is written as its authors wrote it, with the default values behind it that
/// the text does not hold; any other is decompiled from its declarations and bytecode. Functions and values of other
/// packages have their names where these lie in --env, or where the engine's are known. Blueprints of UE4 and UE5
/// never carry any source: their pseudo-code is for reading, upk script --asm writes what can be put back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk source Botpack.u                   which classes carry their source
  upk source Botpack.u -o Botpack/Classes
  upk source Botpack.u -o Decompiled --decompile
  upk source BP_Door.uasset -o -         a blueprint as pseudo-code
  upk source Botpack.u --json            the texts themselves, for scripts")]
pub struct Source {
    /// The package
    file: PathBuf,
    /// Write one file a class into this folder, which is made if it is not there; - for standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long)]
    overwrite: bool,
    /// Decompile classes that carry their source as well
    #[arg(long, conflicts_with = "text")]
    decompile: bool,
    /// Only the texts that classes carry, as they are
    #[arg(long)]
    text: bool,
    #[command(flatten)]
    open: OpenArgs,
}

impl Source {
    /// Prints or writes the texts.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let folder = self.output.as_deref().unwrap_or(Path::new(""));
        let mut places = Places::new(folder, self.overwrite, self.output.is_none(), out);
        let decompiler = match self.open.environment(&self.file)? {
            Some(environment) => Decompiler::with(&package, environment.scripts_around(&package)),
            None => Decompiler::new(&package),
        };
        let (mut carried, mut decompiled) = (0, 0);
        for row in 0..package.exports().len() {
            let Some(source) = self.source(&package, &decompiler, row)? else { continue };
            let how = if source.is_carried { "" } else { " decompiled" };
            *if source.is_carried { &mut carried } else { &mut decompiled } += 1;
            let ClassSource { class, text, is_carried } = source;
            if out.is_json() {
                out.object(&json!({ "class": class, "carried": is_carried, "text": text }))?;
            }
            // Dots part folders from each other there; a class has none around it.
            let extension = if package.versions().has_object_versions() { "kismet" } else { "uc" };
            let file = places.take(&class.replace('.', "_"), extension)?;
            let is_written = places.try_write(&file, text.as_bytes(), out)?;
            if is_written && !out.is_json() {
                let lines = count(text.lines().count() as u64, "line", "lines");
                let shown = places.shown(&file);
                out.line(match self.output {
                    Some(_) => format!("{class}: {lines}{how} to {shown}"),
                    None => format!("{class}: {lines}{how}"),
                })?;
            }
        }
        places.finish(out)?;
        if !out.is_json() {
            let carried = format!("{} with source", count(carried, "class", "classes"));
            out.line(match decompiled {
                0 => carried,
                decompiled => format!("{carried}, {decompiled} decompiled"),
            })?;
        }
        Ok(if places.failed() == 0 { Outcome::Fine } else { Outcome::Wrong })
    }

    /// The source of the class in this row, if it is one.
    fn source(
        &self,
        package: &Package,
        decompiler: &Decompiler,
        row: usize,
    ) -> Result<Option<ClassSource>, Failure> {
        let carried = class_source(package, row).filter(|_| !self.decompile);
        if let Some((class, mut text)) = carried {
            if !self.text
                && let Some(defaults) = decompiler.defaults(row)?
            {
                // The line ends of the text stay what they are.
                let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
                // As it is, so that it comes back as it was where a package is made of it.
                if !text.ends_with('\n') {
                    text.push_str(end);
                    text.push_str(end);
                }
                text.push_str(&defaults.replace('\n', end));
            }
            return Ok(Some(ClassSource { class, text, is_carried: true }));
        }
        let text = if self.text { None } else { decompiler.class(row)? };
        let class = package.object_name(PackageIndex::export(row));
        Ok(text.map(|text| ClassSource { class, text, is_carried: false }))
    }
}

/// A class as source.
struct ClassSource {
    class: String,
    text: String,
    /// Whether the authors wrote it.
    is_carried: bool,
}

/// The text of the class in this row: the one that it carries, else what its declarations and code say.
pub(super) fn class_text(
    package: &Package,
    decompiler: &Decompiler,
    row: usize,
) -> Result<Option<String>, Failure> {
    match class_source(package, row) {
        Some((_, text)) => Ok(Some(text)),
        None => Ok(decompiler.class(row)?),
    }
}

/// The name of the class in this row and its source, if it carries one.
fn class_source(package: &Package, row: usize) -> Option<(String, String)> {
    let export = package.exports().get(row)?;
    if !export.entry().class_index.is_null() {
        return None;
    }
    let class = package.decode(row).ok()?;
    let Native::Script(object) = &class.body.native else { return None };
    let ObjectRef::Export(text) = object.structure()?.script_text.target() else { return None };
    let text = package.decode(text).ok()?;
    let text = native_as::<TextBuffer>(&text.body)?.text.text(package.source()).ok()?;
    // Cookers leave a space in the place of the text.
    let text = (!text.trim().is_empty()).then(|| text.into_owned())?;
    Some((package.object_name(PackageIndex::export(row)), text))
}

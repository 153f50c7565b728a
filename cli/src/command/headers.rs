//! `upk headers`: the classes of a package as source for native code.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::env::package_name;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::Output;
use crate::target::{OverwriteArgs, Target};
use unreal_packages::version::UnrealVersions;

/// Write the C++ header of native classes as the engine's compiler writes it: enums, structs, members,
/// native functions, functions that call events; with --rust structs for the properties of all classes
///
/// The packages that the classes build on are looked for in the package's own folder, or in --env. Classes
/// that are noexport, whose C++ is written by hand, stand where WITH_NOEXPORT is defined. Where CHECK_LAYOUTS
/// is defined, compilers of 32-bit programs check the sizes and offsets that are known.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk headers Engine.u > EngineClasses.h
  upk headers MyMod.u --env ~/Games/UT -o MyModClasses.h
  upk headers MyMod.u --inc MyMod/Inc
  upk headers MyMod.u --rust -o src/my_mod.rs    for the crate unreal-packages with its feature serde")]
pub struct Headers {
    /// The package
    file: PathBuf,
    /// Write Rust structs instead, which load and save objects of the classes
    #[arg(long)]
    rust: bool,
    /// The folder of the package's own headers: a class that has a file there (AActor.h) includes it
    #[arg(long, value_name = "DIR", conflicts_with = "rust")]
    inc: Option<PathBuf>,
    /// Write the source here; without it, or with -, to standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    write: OverwriteArgs,
    #[command(flatten)]
    open: OpenArgs,
}

impl Headers {
    /// The names of the files in the folder of headers.
    fn files(&self) -> Result<Vec<String>, Failure> {
        let Some(folder) = &self.inc else { return Ok(Vec::new()) };
        let failed = |error| {
            Failure::usage(format!("{}: {error}\n  next: check the path", folder.display()))
        };
        let entries = std::fs::read_dir(folder).map_err(failed)?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name()).map_err(failed));
        names.map(|name| name.map(|name| name.to_string_lossy().into_owned())).collect()
    }

    /// Prints or writes the source.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open_alone(&self.file)?;
        if !package.versions().engine().has_memory_layouts() && !self.rust {
            return Err(Failure::failed(format!(
                "{}: C++ headers are for packages of UE1 to UE3: classes of UE4 and UE5 that packages \
                 declare have no native code\n  next: --rust writes structs of their properties; \
                 `upk classes` shows what they declare",
                self.file.display()
            )));
        }
        let environment = self.open.around(&self.file)?;
        let name = package_name(&environment, &self.file);
        let classes = environment.classes_around(&package, &name);
        let text = match self.rust {
            true => classes.rust_source(&name),
            false => classes.cpp_header(&name, &self.files()?),
        };
        let Some(output) = &self.output else {
            match out.is_json() {
                true => out.object(&json!({ "package": name, "output": null, "source": text }))?,
                false => out.raw(text.as_bytes())?,
            }
            return Ok(Outcome::Fine);
        };
        let target = Target::new(output, self.write.overwrite, Form::Source, out)?;
        target.write(text.as_bytes(), out)?;
        let shown = target.shown();
        match out.is_json() {
            true => out.object(&json!({ "package": name, "output": shown, "source": text }))?,
            false => out.summary(format!("wrote {shown}"))?,
        }
        Ok(Outcome::Fine)
    }
}

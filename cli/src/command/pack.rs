//! `upk pack`: a file into one that game servers hand out, a folder into a container.

mod container;
mod walk;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::compression::UzForm;
use unreal_packages::compression::redirect::Redirect;

use self::container::ContainerArgs;
use crate::args;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::{OverwriteArgs, Target};

/// Pack a file as game servers hand it out for download (.uz, .uz2, .uz3), or a folder into a container (.pak, .utoc)
///
/// A folder becomes a container: its files have the paths in it that they have in the folder, below the mount
/// point. A .utoc file needs to know for which game it is (--like, --engine), and comes with a .ucas and a .pak
/// file that belong to it; it holds packages in their zen form, which cooked packages from 4.26 on (.uasset and
/// .uexp) get, and their bulk data. Before 5.1 their names are those of their paths (Game/Content/...), and those of
/// UE4 that import from other packages are refused. A name that ends in _P makes it a patch, which the game looks
/// into first. What no container can hold is named, and the exit code is 1: links, devices, empty folders, names that are no
/// Unicode text, and what belongs to git or to upk itself. The .bak that edits have left beside their packages stay out.
///
/// A .uz file notes the name of the file inside, by which the game stores it: that is FILE's own, unless --name
/// says another. What was unpacked and is packed again has the bytes of the engine's own packer (ucc compress).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk pack MyMod.u -o MyMod.u.uz
  upk pack MyMod.u --as uz-new -o MyMod.u.uz
  upk pack MyMod.u --as uz2 -o MyMod.u.uz2 --json
  upk pack ModFiles -o Mod_P.pak --compress zlib
  upk pack ModFiles -o Mod_P.pak --engine 4.21    for an older engine")]
pub struct Pack {
    /// The file; - for standard input; or a folder
    file: PathBuf,
    /// The kind; else the extension of OUT says it
    #[arg(long = "as", value_enum)]
    kind: Option<PackKind>,
    /// The name that a .uz file notes
    #[arg(long)]
    name: Option<String>,
    /// Write the packed file here; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    write: OverwriteArgs,
    #[command(flatten)]
    container: ContainerArgs,
}

/// What a file is packed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PackKind {
    /// For UE1 games: every version reads it
    Uz,
    /// For Unreal Tournament 436 and later, Unreal 227: a little smaller
    UzNew,
    /// For UE2 games
    Uz2,
    /// For UE3 games
    Uz3,
}

impl PackKind {
    /// The library's word for it.
    pub fn redirect(self) -> Redirect {
        match self {
            Self::Uz => Redirect::Uz(UzForm::FourStages),
            Self::UzNew => Redirect::Uz(UzForm::FiveStages),
            Self::Uz2 => Redirect::Uz2,
            Self::Uz3 => Redirect::Uz3,
        }
    }

    fn of_extension(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(OsStr::to_str)?;
        let kinds = [Self::Uz, Self::Uz2, Self::Uz3];
        kinds.into_iter().find(|kind| kind.redirect().extension().eq_ignore_ascii_case(extension))
    }
}

/// The form of a packed file.
pub fn form(redirect: Redirect) -> Form {
    match redirect {
        Redirect::Uz(_) => Form::Uz,
        Redirect::Uz2 => Form::Uz2,
        Redirect::Uz3 => Form::Uz3,
    }
}

/// The name of a file without its folders, for a `.uz` file.
pub fn own_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Pack {
    /// Packs and writes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if container::is_wanted(&self.file, &self.output)? {
            let overwrite = self.write.overwrite;
            return self.container.pack(&self.file, &self.output, overwrite, out);
        }
        let kind = self.kind.or_else(|| PackKind::of_extension(&self.output)).ok_or_else(|| {
            let next = "add --as uz, uz2 or uz3, or name the output so";
            Failure::usage(format!("which kind of file is wanted?\n  next: {next}"))
        })?;
        let redirect = kind.redirect();
        let name = self.name.clone().unwrap_or_else(|| own_name(&self.file));
        if self.name.is_some() && !matches!(redirect, Redirect::Uz(_)) {
            let next = "leave --name away";
            return Err(Failure::usage(format!("only .uz files note a name\n  next: {next}")));
        }
        let bytes = args::read(&self.file)?;
        let target = Target::new(&self.output, self.write.overwrite, form(redirect), out)?;
        let packed = redirect.pack_named(&name, &bytes)?;
        target.write(&packed, out)?;
        let (before, after) = (bytes.len() as u64, packed.len() as u64);
        if out.is_json() {
            let named = matches!(redirect, Redirect::Uz(_)).then_some(name);
            out.object(&json!({
                "input": self.file, "output": self.output, "kind": redirect.extension(),
                "name": named, "bytes_before": before, "bytes_after": after,
            }))?;
        } else {
            let shown = target.shown();
            out.summary(format!(
                "wrote {shown}: {} bytes, {} before",
                grouped(after),
                grouped(before)
            ))?;
        }
        Ok(Outcome::Fine)
    }
}

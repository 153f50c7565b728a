//! `upk unpack`: the file inside one that game servers hand out, the files in a container.

mod container;

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::compression::redirect::Redirect;

use crate::args::{self, OpenArgs};
use crate::containers;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::form::Form;
use crate::output::{Output, grouped};
use crate::target::{OverwriteArgs, Target};

/// Unpack a file that game servers hand out for download (.uz, .uz2, .uz3), or a container (.pak, .utoc)
///
/// Of a container the files are written into a folder, each under its whole path; a folder or file in it may be
/// named alone. Their hashes must be right: a file that is damaged is not written, and the exit code is 1. So it is
/// where a file can't have its own name on every system: then it gets a free one, and both names are said. Names that
/// lead out of the folder or that programs act on (.git, upk.toml) are not written.
///
/// The file's content shows what it is. A .uz file notes the name of the file inside, which is said but never
/// used as a path.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk unpack MyMod.u.uz -o MyMod.u
  upk unpack MyMod.u.uz2 -o MyMod.u --json
  upk unpack Game.pak -o Files
  upk unpack Game.pak/Game/Content/Maps -o Files    one folder in it")]
pub struct Unpack {
    /// The packed file; - for standard input; a container, or a folder in one
    file: PathBuf,
    /// Write the file inside here; - for standard output; a folder for the files of a container
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Let it become this large: bytes, or 512M, 4G (else 256M, or 64 times the file)
    #[arg(long, value_name = "SIZE", value_parser = OpenArgs::size)]
    max_image: Option<u64>,
    /// Let all files of a container together become this large (else 64M, or 64 times the container)
    #[arg(long, value_name = "SIZE", value_parser = OpenArgs::size)]
    max_total: Option<u64>,
    /// Write encrypted files as well for which nothing proves that the first key is right
    #[arg(long)]
    unproven_keys: bool,
    #[command(flatten)]
    write: OverwriteArgs,
}

impl Unpack {
    /// Unpacks and writes.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.unproven_keys {
            containers::use_unproven_keys();
        }
        let most = self.max_image.max(self.max_total);
        if let Some((path, open, inside)) = containers::folder_within(&self.file, most)? {
            let max_total =
                self.max_total.unwrap_or_else(|| container::largest_total(&path, &open));
            let (folder, overwrite) = (&*self.output, self.write.overwrite);
            let is_unproven = self.unproven_keys;
            let into = container::Unpacking { folder, overwrite, max_total, is_unproven };
            return into.unpack(&self.file, &open, &inside, out);
        }
        let file = args::read(&self.file)?;
        let redirect = Redirect::recognise(&file).ok_or_else(|| {
            let shown = self.file.display();
            let next = "name a .uz, .uz2 or .uz3 file; `upk decompress` takes compressed packages";
            Failure::usage(format!("'{shown}' is no packed file\n  next: {next}"))
        })?;
        let target = Target::new(&self.output, self.write.overwrite, Form::Any, out)?;
        let bytes = redirect.unpack_within(&file, self.max_image)?;
        let name = redirect.name(&file)?;
        target.write(&bytes, out)?;
        let (before, after) = (file.len() as u64, bytes.len() as u64);
        if out.is_json() {
            out.object(&json!({
                "input": self.file, "output": self.output, "kind": redirect.extension(),
                "name": name, "bytes_before": before, "bytes_after": after,
            }))?;
            return Ok(Outcome::Fine);
        }
        if let Some(name) = name {
            out.line(format!("the file inside is called {name}"))?;
        }
        let shown = target.shown();
        out.line(format!("wrote {shown}: {} bytes, {} before", grouped(after), grouped(before)))?;
        Ok(Outcome::Fine)
    }
}

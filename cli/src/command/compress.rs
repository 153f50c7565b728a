//! `upk compress`: a package in compressed chunks, as one stream, or as a redirect file.

use clap::{Args, ValueEnum};
use serde_json::json;
use unreal_packages::compression::redirect::Redirect;
use unreal_packages::compression::{Method, Storage, UzForm};

use super::edit::{Change, EditArgs};
use super::{pack, storage};
use crate::args;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Compress a package, or pack any file as .uz, .uz2 or .uz3
///
/// Chunks are cut at objects, about 1 MiB each, in blocks of 128 KiB; a package that is compressed with
/// this method already keeps its blocks. LZO is what PC games read, LZX those of Xbox 360, LZMA and zlib
/// those of PS3 and Wii U.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk compress MyMod.upk --with lzo -o Packed.upk
  upk compress MyMod.upk --with lzma --as stream -o MyMod.xxx
  upk compress Packed.upk --with none -o Plain.upk
  upk compress MyMod.u --as uz2 -o MyMod.u.uz2")]
pub struct Compress {
    #[command(flatten)]
    edit: EditArgs,
    /// The method; .uz2 and .uz3 files are always zlib, .uz files have their own
    #[arg(long, value_enum)]
    with: Option<With>,
    /// In which way the file stores the package
    #[arg(long = "as", value_enum, default_value = "chunks")]
    stored_as: As,
}

/// `--with`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum With {
    /// Deflate
    Zlib,
    /// LZO1X, for games on PC
    Lzo,
    /// LZX, for games on Xbox 360
    Lzx,
    /// LZMA, for games on PS3 and Wii U
    Lzma,
    /// Uncompressed
    None,
}

/// `--as`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum As {
    /// Chunks that the summary lists, from file version 334
    Chunks,
    /// One stream, the whole file (.xxx)
    Stream,
    /// A file for download from servers of UE1 games
    Uz,
    /// A file for download from servers of UE2 games
    Uz2,
    /// A file for download from servers of UE3 games
    Uz3,
}

impl Compress {
    /// Compresses and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let stored_as = match self.stored_as {
            As::Chunks => Storage::Chunks,
            As::Stream => Storage::Stream,
            As::Uz => return self.pack(Redirect::Uz(UzForm::FourStages), out),
            As::Uz2 => return self.pack(Redirect::Uz2, out),
            As::Uz3 => return self.pack(Redirect::Uz3, out),
        };
        let target = match self.with {
            Some(With::Zlib) => stored_as(Method::Zlib),
            Some(With::Lzo) => stored_as(Method::Lzo),
            Some(With::Lzx) => stored_as(Method::Lzx),
            Some(With::Lzma) => stored_as(Method::Lzma),
            Some(With::None) => Storage::Plain,
            None => {
                let next = "add --with lzo, the method of games on PC, or see --help";
                return Err(Failure::usage(format!("--with is missing\n  next: {next}")));
            }
        };
        self.edit.run_stored(target, out, |package| {
            let from = package.container().map(|container| container.form());
            let before = from.map_or_else(|| "uncompressed".to_owned(), storage::form);
            let (after, to) = match target {
                Storage::Chunks(method) => (format!("{method} chunks"), method.slug()),
                Storage::Stream(method) => (format!("{method} stream"), method.slug()),
                _ => ("uncompressed".to_owned(), "none"),
            };
            Ok(Change {
                text: format!("stored as {after}, before as {before}"),
                json: json!({ "kind": "compress", "from": from, "with": to,
                              "as": if to == "none" { "plain" } else { self.stored_as.word() } }),
            })
        })
    }

    fn pack(&self, redirect: Redirect, out: &mut Output) -> CommandResult {
        let kind = redirect.extension();
        let with = if kind == "uz" { None } else { Some(With::Zlib) };
        if self.with.is_some() && self.with != with {
            let next = "leave --with away";
            let reason = format!(".{kind} files have one method");
            return Err(Failure::usage(format!("{reason}\n  next: {next}")));
        }
        let name = pack::own_name(&self.edit.file);
        let packed = redirect.pack_named(&name, &args::read(&self.edit.file)?)?;
        let text = format!("packed as .{kind}");
        let json =
            json!({ "kind": "compress", "from": null, "with": with.map(|_| "zlib"), "as": kind });
        self.edit.write(&packed, pack::form(redirect), &Change { text, json }, out)
    }
}

impl As {
    fn word(self) -> &'static str {
        match self {
            Self::Chunks => "chunks",
            Self::Stream => "stream",
            Self::Uz => "uz",
            Self::Uz2 => "uz2",
            Self::Uz3 => "uz3",
        }
    }
}

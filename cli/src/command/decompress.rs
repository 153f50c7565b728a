//! `upk decompress`: the package as it lies in memory.

use clap::Args;
use serde_json::json;
use unreal_packages::compression::Storage;
use unreal_packages::compression::redirect::Redirect;

use super::edit::{Change, EditArgs};
use super::storage;
use crate::args;
use crate::failure::CommandResult;
use crate::form::Form;
use crate::output::Output;

/// Store a package uncompressed, or unpack a .uz, .uz2 or .uz3 file
///
/// The file's content shows what it is: compressed chunks, one compressed stream (.xxx), an encrypted
/// package of Lineage II, a redirect file. No offset of the package changes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk decompress Startup.upk -o Plain.upk
  upk decompress SFXGame.xxx -o SFXGame.upk --json
  upk decompress MyMod.u.uz2 -o MyMod.u")]
pub struct Decompress {
    #[command(flatten)]
    edit: EditArgs,
}

impl Decompress {
    /// Unpacks and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if !self.edit.file.is_dir() {
            let file = args::read(&self.edit.file)?;
            if let Some(redirect) = Redirect::recognise(&file) {
                let bytes = redirect.unpack_within(&file, self.edit.save.open.max_image)?;
                let kind = redirect.extension();
                let text = format!("unpacked from .{kind}");
                let json = json!({ "kind": "decompress", "from": { "kind": kind } });
                return self.edit.write(&bytes, Form::Any, &Change { text, json }, out);
            }
        }
        self.edit.run_stored(Storage::Plain, out, |package| {
            let from = package.container().map(|container| container.form());
            Ok(Change {
                text: match from {
                    Some(form) => format!("stored uncompressed, before as {}", storage::form(form)),
                    None => "it was stored uncompressed already".to_owned(),
                },
                json: json!({ "kind": "decompress", "from": from }),
            })
        })
    }
}

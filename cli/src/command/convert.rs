//! `upk convert`: another file version, or the form that packages have in containers.

use clap::{ArgGroup, Args, ValueEnum};
use serde_json::json;
use unreal_packages::package::{Package, ZenContext, ZenPackage};
use unreal_packages::version::UnrealVersions;

use super::edit::{Change, EditArgs};
use crate::failure::{CommandResult, Failure};
use crate::output::{Output, count};

/// Imports without names that are shown.
const SHOWN: usize = 5;

/// Save a package for another file version of its engine, or as containers of UE4 and UE5 store it
///
/// With --to-version every value is carried over; one that the other version has no place for is named and nothing
/// is written. The result is opened again and compared with the original, value by value.
///
/// With --to zen a cooked package from 4.26 on (.uasset and .uexp) becomes the zen package that an IoStore container
/// (.utoc, .ucas) holds. Those before 5.1 do not say their names (--package), and those of UE4 that
/// import from other packages are refused. With --to legacy a zen package becomes .uasset and .uexp again. It knows imports by hashes
/// only: --script-objects names those of compiled code, --env those of other packages. What it does not say at all gets
/// what cooked packages usually have: no forced exports; assets are the public, standalone objects that lie in nothing;
/// dependencies are those on other packages; data resources have no owners; names that only tables use count as used by
/// bodies.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("form").args(["to_version", "to"]).required(true), after_help = "\
Examples:
  upk convert Skins.utx --to-version 68 -o Old/Skins.utx
  upk convert Map.unr --to-version 69 --dry-run
  upk convert Cooked.uasset --to zen -o Packed.uasset
  upk convert Zen.uasset --to legacy --script-objects ScriptObjects.bin -o Unpacked.uasset")]
pub struct Convert {
    #[command(flatten)]
    edit: EditArgs,
    /// The file version to save for: 61 to 69 in Unreal Engine 1
    #[arg(long, value_name = "VERSION")]
    to_version: Option<u32>,
    /// The form to save in
    #[arg(long, value_enum)]
    to: Option<To>,
    /// The package's name where it does not say it: /Game/Folder/Name
    #[arg(long, value_name = "PATH", requires = "to")]
    package: Option<String>,
}

/// `--to`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// As IoStore containers hold it
    Zen,
    /// As .uasset and .uexp
    Legacy,
}

impl Convert {
    /// Converts and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match (self.to, self.to_version) {
            (Some(To::Zen), _) => self.to_zen(out),
            (Some(To::Legacy), _) => self.to_legacy(out),
            (None, to) => self.to_version(to.unwrap_or_default(), out),
        }
    }

    fn to_version(&self, to: u32, out: &mut Output) -> CommandResult {
        self.edit.save.run_for_version(&self.edit.file, out, to, |package| {
            let from = package.versions().file();
            Ok(Change {
                text: format!("version {to}, was {from}; every value is the same"),
                json: json!({ "kind": "convert", "old": from, "new": to }),
            })
        })
    }

    fn to_zen(&self, out: &mut Output) -> CommandResult {
        let mut context = ZenContext::new();
        if let Some(name) = &self.package {
            context = context.name(name);
        }
        self.edit.save.run_converted(&self.edit.file, out, |package, options| {
            let (zen, saved) = context.save(package, options)?;
            let imported = count(zen.imported.len() as u64, "package", "packages");
            Ok((
                Change {
                    text: format!(
                        "zen package {} ({:016x}), imports from {imported}",
                        zen.name, zen.id
                    ),
                    json: json!({ "kind": "convert", "to": "zen", "package": zen.name, "id": hex(zen.id),
                                  "imported_packages": zen.imported.iter().map(|id| hex(*id)).collect::<Vec<_>>() }),
                },
                saved,
            ))
        })
    }

    fn to_legacy(&self, out: &mut Output) -> CommandResult {
        self.edit.save.run_converted(&self.edit.file, out, |package, options| {
            let unknown = unknown(package);
            if !unknown.is_empty() && !self.edit.save.is_forced() {
                let shown = unknown.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>();
                let more = if unknown.len() > SHOWN { ", ..." } else { "" };
                let all = count(unknown.len() as u64, "import has", "imports have");
                return Err(Failure::failed(format!(
                    "{all} no name: {}{more}\n  next: name the table of script objects (--script-objects) and \
                     the packages around it (--env), or convert with the hashes as names (--force)",
                    shown.join(", ")
                )));
            }
            let (saved, is_exact) = ZenPackage::save_legacy(package, options)?;
            let back = match is_exact {
                true => "the way back gives the same bytes",
                false => "the way back gives other bytes",
            };
            let text = format!(
                ".uasset and .uexp; what zen packages do not say is as usual (upk convert --help); {back}"
            );
            let json = json!({ "kind": "convert", "to": "legacy", "unknown_imports": unknown,
                               "way_back_is_exact": is_exact });
            Ok((Change { text, json }, saved))
        })
    }
}

/// Numbers of 64 bits are too long for JSON.
fn hex(id: u64) -> String {
    format!("{id:016x}")
}

/// The imports of which only hashes are known.
fn unknown(package: &Package) -> Vec<String> {
    let unknown = package.imports().iter().filter(|import| !import.is_known());
    unknown.map(|import| import.path()).collect()
}

//! `upk get`: properties as text.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::inspect::{Condition, PackageValues, PropertyValue, has_wildcards};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use super::set::condition;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, grouped};
use crate::related;

/// Print properties in the form that `upk set` takes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk get DM-Deck16.unr LevelInfo0
  upk get DM-Deck16.unr Light1.Location.X
  upk get Map.unr 'Light*' --where class=Light  all that every light stores
  upk get Map.unr '*.Tag'
  upk get Botpack.u Enforcer --json        the defaults of a class, for scripts
  upk get Map.udk TheWorld.PersistentLevel.WorldInfo_0     UE3: levels lie in a world
  upk get Map.umap Map.PersistentLevel.Lamp_3
  upk get Weapons.uasset Weapons           a data table: its properties and rows
  upk get Weapons.uasset \"Weapons[Sword].Damage\"
  upk get Slot1.sav                        all that a save game stores
  upk get Game.locres Menu/Start
  upk get Lamp.uasset Default__Lamp_C --engine 5.4 --mappings Game.usmap")]
pub struct Get {
    /// The package, save game or .locres file
    file: PathBuf,
    /// An object or class (all that it stores), or one property: OBJECT.PROPERTY; `*` and `?` mean many. Of save
    /// games a property, of .locres files NAMESPACE/KEY; all without it
    path: Option<String>,
    /// Of objects that wildcards mean, only those of a class or of one that derives from it, class=NAME, or that
    /// store a value, PROPERTY=VALUE (may be repeated: all must be so)
    #[arg(long = "where", value_name = "CONDITION", value_parser = condition)]
    conditions: Vec<Condition>,
    #[command(flatten)]
    open: OpenArgs,
}

impl Get {
    /// Prints one line a property.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(file) = related::open(&self.file)? {
            return file.get(self.path.as_deref(), out);
        }
        let Some(path) = &self.path else {
            let next = "`upk list FILE` shows the objects, `upk get FILE OBJECT` what one stores";
            return Err(Failure::usage(format!("which object?\n  next: {next}")));
        };
        let package = self.open.open(&self.file)?;
        if has_wildcards(path) || !self.conditions.is_empty() {
            return self.query(path, &package, out);
        }
        let mut outcome = Outcome::Fine;
        let values = match package.find_export(path) {
            Ok(row) => {
                let mut values = package.values().properties(path)?;
                // Only tables have rows.
                values.extend(package.values().table_rows(path).unwrap_or_default());
                outcome = warn_of_rest(&package, row, out)?;
                values
            }
            Err(error) => match package.values().split_property_path(path) {
                Ok((object, property)) => vec![package.values().property(object, property)?],
                Err(_) => return Err(error.into()),
            },
        };
        for PropertyValue { path, property_type, text, .. } in values {
            if out.is_json() {
                let property_type = property_type.to_string();
                out.object(&json!({ "property": path, "type": property_type, "value": text }))?;
            } else {
                out.line(format!("{path}={text}"))?;
            }
        }
        Ok(outcome)
    }

    /// Values of many objects: with the object before each.
    fn query(&self, path: &str, package: &Package, out: &mut Output) -> CommandResult {
        let values = package.values();
        let mut found = Vec::new();
        let missing = match values.expand(path, &self.conditions, true) {
            Ok(paths) => {
                for (object, property) in paths {
                    found.push((object.clone(), values.property(&object, &property)?));
                }
                None
            }
            Err(error) => Some(error),
        };
        if missing.is_some() {
            for row in values.matching(path, &self.conditions) {
                let object = format!("#{row}");
                let mut all = values.properties(&object).unwrap_or_default();
                all.extend(values.table_rows(&object).unwrap_or_default());
                found.extend(all.into_iter().map(|value| (object.clone(), value)));
            }
        }
        if found.is_empty() {
            let next = "`upk list FILE` shows the objects, `upk get FILE OBJECT` what one stores";
            let reason = match missing {
                Some(error) => error.to_string(),
                None => format!("nothing fits '{path}'"),
            };
            return Err(Failure::failed(format!("{reason}\n  next: {next}")));
        }
        for (object, PropertyValue { path, property_type, text, .. }) in found {
            let row = package.find_export(&object)?;
            // Where several have one path the row is the only one that says which.
            let shown = package.exports().path(row);
            let object = if package.find_export(&shown).is_ok() { shown } else { object };
            if out.is_json() {
                let property_type = property_type.to_string();
                out.object(&json!({ "object": object, "property": path, "type": property_type,
                                    "value": text }))?;
            } else {
                let dot = if path.starts_with('[') { "" } else { "." };
                out.line(format!("{object}{dot}{path}={text}"))?;
            }
        }
        Ok(Outcome::Fine)
    }
}

/// Says what of an object is not decoded and so not shown. It fails for tables, which are their rows.
fn warn_of_rest(package: &Package, row: usize, out: &mut Output) -> CommandResult {
    let decoded = package.decode(row)?;
    if decoded.opaque == 0 {
        return Ok(Outcome::Fine);
    }
    let Some(error) = &decoded.error else { return Ok(Outcome::Fine) };
    let (path, opaque) = (package.exports().path(row), grouped(decoded.opaque));
    let next = match package.versions().unversioned_properties() {
        true => "\n  next: pass the mappings of this very game: --mappings FILE.usmap",
        false => "",
    };
    out.warn(format!("{opaque} bytes of {path} are not decoded and not shown: {error}{next}"))?;
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    let is_table = class.ends_with("Table");
    Ok(if is_table { Outcome::Wrong } else { Outcome::Fine })
}

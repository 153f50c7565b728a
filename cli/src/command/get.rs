//! `upk get`: properties as text.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use unreal_packages::inspect::{
    Condition, Defaults, Inherited, PackageValues, PropertyValue, has_wildcards,
};
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
  upk get Map.unr 'Light*.LightBrightness' --where 'class==Light && Location.Z<100'
  upk get Map.unr 'Light*.LightHue' --effective --env ~/Games/UT     stored or not
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
    /// Of objects that wildcards mean, only those that are so: class==Light && LightHue<30 (may be repeated: all must
    /// be so)
    #[arg(long = "where", value_name = "CONDITION", value_parser = condition)]
    conditions: Vec<Condition>,
    /// Also what objects do not store and have from their archetype or class, as far as the package or --env says it
    #[arg(long)]
    effective: bool,
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
        let defaults = self.open.defaults(&self.file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        if self.effective {
            return self.effective(path, &package, defaults, out);
        }
        if has_wildcards(path) || !self.conditions.is_empty() {
            return self.query(path, &package, defaults, out);
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

    /// Values that objects have, stored or not.
    fn effective(
        &self,
        path: &str,
        package: &Package,
        defaults: Option<&dyn Defaults>,
        out: &mut Output,
    ) -> CommandResult {
        let values = package.values().with_defaults(defaults);
        let found = match has_wildcards(path) || !self.conditions.is_empty() {
            true => values.expand(path, &self.conditions, false)?,
            false => {
                let (object, property) = values.split_property_path(path)?;
                vec![(object.to_owned(), property.to_owned())]
            }
        };
        let effective = values.effective();
        let mut outcome = Outcome::Fine;
        for (object, property) in found {
            let row = package.find_export(&object)?;
            let shown = package.exports().path(row);
            let text = match effective.value(row, &property)? {
                Inherited::Value(value) => Some(value.text),
                Inherited::Zero => Some("0".to_owned()),
                Inherited::Unknown => None,
            };
            if out.is_json() {
                let is_stored = values.property(&object, &property).is_ok();
                out.object(&json!({ "object": shown, "property": property, "value": text,
                                    "stored": is_stored }))?;
                continue;
            }
            match text {
                Some(text) => out.line(format!("{shown}.{property}={text}"))?,
                None => {
                    let next = "name the game's folder with --env";
                    out.warn(format!(
                        "{shown}.{property} is not stored, and its class is not here\n  next: {next}"
                    ))?;
                    outcome = Outcome::Wrong;
                }
            }
        }
        Ok(outcome)
    }

    /// Values of many objects: with the object before each.
    fn query(
        &self,
        path: &str,
        package: &Package,
        defaults: Option<&dyn Defaults>,
        out: &mut Output,
    ) -> CommandResult {
        let values = package.values().with_defaults(defaults);
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
            for row in values.select(path, &self.conditions)?.rows {
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

//! `upk get`: properties as text.

use std::path::PathBuf;

use clap::Args;
use farchive::inspect::PropertyValue;
use serde_json::json;

use crate::args::OpenArgs;
use crate::failure::{CommandResult, Outcome};
use crate::output::Output;

/// Print properties in the form that `upk set` takes
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk get DM-Deck16.unr LevelInfo0
  upk get DM-Deck16.unr Light1.Location.X
  upk get Botpack.u Enforcer --json        the defaults of a class, for scripts
  upk get Map.udk TheWorld.PersistentLevel.WorldInfo_0     UE3: levels lie in a world
  upk get Map.umap Map.PersistentLevel.Lamp_3
  upk get Weapons.uasset Weapons           a data table: its properties and rows
  upk get Weapons.uasset \"Weapons[Sword].Damage\"
  upk get Lamp.uasset Default__Lamp_C --engine 5.4 --mappings Game.usmap")]
pub struct Get {
    /// The package
    file: PathBuf,
    /// An object or class (all that it stores), or one property: OBJECT.PROPERTY
    path: String,
    #[command(flatten)]
    open: OpenArgs,
}

impl Get {
    /// Prints one line a property.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let package = self.open.open(&self.file)?;
        let values = match package.find_export(&self.path) {
            Ok(_) => {
                let mut values = package.values().properties(&self.path)?;
                // Only tables have rows.
                values.extend(package.values().table_rows(&self.path).unwrap_or_default());
                values
            }
            Err(error) => match package.values().split_property_path(&self.path) {
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
        Ok(Outcome::Fine)
    }
}

//! `upk add`: a new object.

use std::path::Path;

use clap::Args;
use serde_json::json;
use unreal_packages::edit::{Edit, Placement};
use unreal_packages::property::Type;

use super::edit::{Change, EditArgs, Editing};
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

const NO_COMPONENTS: &str = "it stores no components of its own: those of its class's defaults are meant; \
                             duplicate or copy an actor of this class to have some";
const UNKNOWN_CLASS: &str = "nothing says whether its class is that of an actor, so it stands in no level's \
                             list; --env names the game that has the class";

const OUTSIDE: &str =
    "its class is that of an actor and it lies in no level, so it stands in no level's list";

/// Add an object of a class, with properties
///
/// The class and what holds its defaults are imported. Objects around it must be there, or become groups. An
/// actor comes into the list of the level that it lies in, in UE1 and UE2 of the level that it stands beside,
/// and gets what the editor gives to an actor that is placed: flags, state frame, Level, Tag, Region. What an
/// actor still lacks is said. What a class stores behind its properties is blank: rows, texels and others come
/// with set and import.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk add MyMod.u Config.Limits Engine.Info --type int MaxPlayers=16 -o Out.u
  upk add Map.umap Map.PersistentLevel.Lamp_9 /Script/Engine.PointLight -o Out.umap")]
pub struct Add {
    #[command(flatten)]
    edit: EditArgs,
    /// Its path in the package: Group.Name
    path: String,
    /// The path of its class: Engine.Info, /Script/Engine.PointLight
    class: String,
    /// PROPERTY=VALUE, as in set
    #[arg(value_name = "PROPERTY=VALUE")]
    properties: Vec<String>,
    /// The type of properties that nothing declares, as in set
    #[arg(long = "type", value_name = "TYPE", value_parser = parsed_type)]
    property_type: Option<Type>,
}

/// The type that a text says.
fn parsed_type(text: &str) -> Result<Type, String> {
    text.parse::<Type>().map_err(|error| error.to_string())
}

impl Add {
    /// Adds and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        self.edit.apply(self, out)
    }
}

impl Editing for Add {
    fn change(&self, edit: &mut Edit, _: &Path) -> Result<Change, Failure> {
        let before = edit.exports().len();
        let row = edit.add_blank_object(&self.path, &self.class)?;
        let object = format!("#{row}");
        for text in &self.properties {
            let (name, value) = text.split_once('=').ok_or_else(|| {
                Failure::usage(format!("'{text}' has no '='\n  next: write PROPERTY=VALUE"))
            })?;
            match &self.property_type {
                Some(known) => edit.add_property(&object, name.trim(), known, value)?,
                None => edit.set_property(&object, name.trim(), value)?,
            };
        }
        let (level, note) = match edit.placement(row) {
            Placement::Placed(level) => (Some(level), None),
            Placement::WithoutComponents(level) => (Some(level), Some(NO_COMPONENTS)),
            Placement::Outside => (None, Some(OUTSIDE)),
            Placement::Unknown => (None, Some(UNKNOWN_CLASS)),
            _ => (None, None),
        };
        let level = level.map(|level| edit.exports().path(level));
        let (path, added) = (edit.exports().path(row), edit.exports().len() - before);
        let class = &self.class;
        let mut text = format!("added {path} of class {class} (row {row}, {added} new)");
        if let Some(level) = &level {
            text += &format!("\n  an actor of {level}");
        }
        if let Some(note) = note {
            text += &format!("\n  note: {note}");
        }
        Ok(Change {
            text,
            json: json!({ "kind": "add", "export": row, "path": path, "class": class,
                          "rows_added": added, "properties": self.properties.len(),
                          "level": level, "note": note }),
        })
    }
}

//! `upk set`: properties and texts.

use std::path::Path;

use clap::{ArgGroup, Args};
use farchive::edit::PropertyChange;
use farchive::package::Package;
use farchive::property::Type;
use serde_json::json;

use super::edit::{Change, EditArgs};
use crate::args::read;
use crate::failure::{CommandResult, Failure};
use crate::output::Output;

/// Set, add and remove properties of objects and defaults of classes, and replace texts
///
/// Values are written as `upk get` prints them: 7, 1.5, true, LT_Steady, "a text", Skins.Blue, (X=1,Y=2),
/// (1,2,3). Fields of a struct that are not named stay. An object that is not imported yet is written with
/// the path of its class: Engine.Texture'Botpack.Skins.Blue'. A property that is not stored is added if its
/// class is in the package or found by --env, or if --type says its type. All is done, or nothing.
///
/// In UE4 and UE5 also: soft paths /Game/Folder/Asset.Asset, enums EMode::Fast, maps ((Key,1),(Other,2)),
/// texts NSLOCTEXT("namespace","key","text"), of which a plain text keeps namespace and key. Elements of maps
/// are Map[Key], rows of data tables and texts of string tables TABLE[Row]; what is not there is added.
/// Packages without the names of their properties need --mappings.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("changes").args(["assignments", "remove", "rename_row", "text"])
          .required(true).multiple(true))]
#[command(after_help = "\
Examples:
  upk set Map.unr LevelSummary.Title=Arena --in-place
  upk set Map.unr Light1.Location.X=10.5 Light1.Tag=Hall -o Out.unr
  upk set Mod.u \"Gun.FireSound=Engine.Sound'Botpack.Boom'\" --type object -o Out.u
  upk set Mod.u --remove Gun.MyDamageType --dry-run
  upk set Mod.u --text Texts.Readme=readme.txt -o Out.u
  upk set Map.umap Map.PersistentLevel.Lamp_3.Intensity=5000 --in-place
  upk set Weapons.uasset \"Weapons[Sword].Damage=40\" \"Weapons[Axe]=(Damage=55)\" -o Out.uasset
  upk set Weapons.uasset --remove \"Weapons[Bow]\" --rename-row \"Weapons[Axe]=Hatchet\" --in-place
  upk set Texts.uasset \"Texts[Greeting]=Hello\" -o Out.uasset
  upk set Lamp.uasset Default__Lamp_C.Mesh=/Game/M.M --engine 5.4 --mappings Game.usmap -o Out.uasset")]
pub struct Set {
    #[command(flatten)]
    edit: EditArgs,
    /// OBJECT.PROPERTY=VALUE; elements are `Prop[3]`, fields `Prop.Field`
    #[arg(value_name = "OBJECT.PROPERTY=VALUE")]
    assignments: Vec<String>,
    /// Remove this property, so that the class's default counts again (may be repeated)
    #[arg(long, value_name = "OBJECT.PROPERTY")]
    remove: Vec<String>,
    /// Give a row of a table another name (may be repeated)
    #[arg(long, value_name = "TABLE[ROW]=NAME")]
    rename_row: Vec<String>,
    /// Replace the text of a text buffer by that of a file (may be repeated)
    #[arg(long, value_name = "OBJECT=FILE")]
    text: Vec<String>,
    /// The type of properties that are added: int, float, bool, byte, name, string, object, struct:NAME, array:TYPE;
    /// in UE4 and UE5 also text, double, soft-object, enum:NAME, set:TYPE, map:TYPE:TYPE and others
    #[arg(long = "type", value_name = "TYPE", value_parser = parsed_type)]
    property_type: Option<Type>,
}

/// The type that a text says.
fn parsed_type(text: &str) -> Result<Type, String> {
    text.parse::<Type>().map_err(|error| error.to_string())
}

impl Set {
    /// Sets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let pair = |text: &'_ str, form: &str| {
            let at = equals_sign(text).ok_or_else(|| {
                Failure::usage(format!("'{text}' has no '='\n  next: write {form}"))
            })?;
            Ok::<_, Failure>((text[..at].trim().to_owned(), text[at + 1..].to_owned()))
        };
        let assignments = self.assignments.iter().map(|text| pair(text, "OBJECT.PROPERTY=VALUE"));
        let assignments = assignments.collect::<Result<Vec<_>, _>>()?;
        let renames = self.rename_row.iter().map(|text| pair(text, "TABLE[ROW]=NAME"));
        let renames = renames.collect::<Result<Vec<_>, _>>()?;
        let texts = self.text.iter().map(|text| pair(text, "OBJECT=FILE"));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        self.edit.run(out, |package| {
            // Then every body may move, whatever grows.
            package.decode_all();
            let mut changes = Vec::new();
            for (path, value) in &assignments {
                changes.push(self.assign(package, path, value)?);
            }
            for path in &self.remove {
                let (object, property) = package.values().split_property_path(path)?;
                changes.push(package.edit(|edit| edit.remove_property(object, property))?);
            }
            for (path, name) in &renames {
                changes.push(rename_row(package, path, name)?);
            }
            for (object, file) in &texts {
                changes.push(replace_text(package, object, Path::new(file))?);
            }
            Ok(report(&changes))
        })
    }

    fn assign(
        &self,
        package: &mut Package,
        path: &str,
        value: &str,
    ) -> Result<PropertyChange, Failure> {
        let (object, property) = package.values().split_property_path(path)?;
        match &self.property_type {
            Some(known) => {
                Ok(package.edit(|edit| edit.add_property(object, property, known, value))?)
            }
            None => Ok(package.edit(|edit| edit.set_property(object, property, value))?),
        }
    }
}

/// Where the value begins: behind the first '=' that is no part of a key in brackets.
fn equals_sign(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, found) in text.char_indices() {
        match found {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '=' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

fn rename_row(package: &mut Package, path: &str, name: &str) -> Result<PropertyChange, Failure> {
    let (object, row) = package.values().split_property_path(path)?;
    let row = row.strip_prefix('[').and_then(|row| row.strip_suffix(']'));
    let Some(row) = row.map(|row| row.trim_matches('"')) else {
        return Err(Failure::usage(format!(
            "'{path}' names no row\n  next: write TABLE[ROW]=NAME"
        )));
    };
    Ok(package.edit(|edit| edit.rename_table_row(object, row, name))?)
}

fn replace_text(
    package: &mut Package,
    object: &str,
    file: &Path,
) -> Result<PropertyChange, Failure> {
    let bytes = read(file)?;
    let text = String::from_utf8(bytes.into()).map_err(|_| {
        let file = file.display();
        Failure::usage(format!("'{file}' is not UTF-8\n  next: save it as UTF-8"))
    })?;
    package.edit(|edit| edit.set_text(object, &text))?;
    let row = package.find_export(object)?;
    Ok(PropertyChange {
        object: package.exports().path(row),
        property: "text".to_owned(),
        old: None,
        new: Some(format!("the text of {}", file.display())),
    })
}

fn report(changes: &[PropertyChange]) -> Change {
    let line = |change: &PropertyChange| {
        let PropertyChange { object, property, old, new } = change;
        match (old, new) {
            (Some(old), Some(new)) => format!("{object}.{property}: {new}, was {old}"),
            (None, Some(new)) => format!("{object}.{property}: {new}"),
            (old, None) => {
                format!("{object}.{property}: removed, was {}", old.as_deref().unwrap_or_default())
            }
        }
    };
    let text = changes.iter().map(line).collect::<Vec<_>>().join("\n");
    Change { text, json: json!({ "kind": "set", "changes": changes }) }
}

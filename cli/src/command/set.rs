//! `upk set`: properties and texts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use serde_json::json;
use unreal_packages::ErrorKind;
use unreal_packages::edit::{Computation, Edit, EditOptions, PropertyChange};
use unreal_packages::error::noun;
use unreal_packages::inspect::{Condition, Defaults, PackageValues, has_wildcards};
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::property::{Type, equals_sign};

use super::edit::{Change, Editing, SaveArgs};
use crate::args::read;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::files::is_place;
use crate::output::Output;
use crate::related::{self, RelatedFile};

/// Set, add and remove properties of objects and defaults of classes, and replace texts
///
/// Values are written as `upk get` prints them: 7, 1.5, true, LT_Steady, "a text", Skins.Blue, (X=1,Y=2),
/// (1,2,3). Fields of a struct that are not named stay. An object that is not imported yet is written with
/// the path of its class: Engine.Texture'Botpack.Skins.Blue'. All is done, or nothing.
///
/// A property that is not stored is added if its class says its type: a class of the package, of --env or of the
/// engine itself; or if others of its kind store it. Else state the type, in the path (Light1.Foo:int=3) or for
/// all with --type. Array[+] adds an element, Array[2]^ inserts one, --remove 'Array[2]' takes one out.
///
/// Paths may have wildcards: 'Light*.LightRadius=64', '*.Tag'. They mean every object that stores or declares
/// the property; --where asks for more. Packages are the arguments without '='. An operator before the '=' computes:
/// *=, +=, -=, /= from the value that an object has, := from any of its values (docs/expressions.md).
///
/// In UE4 and UE5 also: soft paths /Game/Folder/Asset.Asset, enums EMode::Fast, maps ((Key,1),(Other,2)),
/// texts NSLOCTEXT("namespace","key","text"), of which a plain text keeps namespace and key; points in time
/// 2024-05-01T12:00:00. Elements of maps are Map[Key], rows of data tables and texts of string tables TABLE[Row];
/// what is not there is added. Packages without the names of their properties need --mappings.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("changes").args(["words", "remove", "rename_row", "text"])
          .required(true).multiple(true))]
#[command(after_help = "\
Examples:
  upk set Map.unr LevelSummary.Title=Arena --in-place
  upk set Map.unr Light1.Location.X=10.5 Light1.Tag=Hall -o Out.unr
  upk set Map.unr Light1.LightRadius=32 --dry-run
  upk set 'Light*.LightRadius=64' Map.unr --where class=Light --in-place
  upk set 'Light*.LightBrightness*=2' Map.unr --where 'class==Light && LightHue<30' --in-place
  upk set 'Light*.Location+=(Z=64)' Map.unr --in-place
  upk set 'Light*.LightRadius:=clamp(LightRadius*1.5,8,64)' Map.unr -o Out.unr
  upk set Mod.u \"Gun.FireSound=Engine.Sound'Botpack.Boom'\" --type object -o Out.u
  upk set Mod.u Gun.Shots:int=3 -o Out.u
  upk set Mod.u --remove Gun.MyDamageType --dry-run
  upk set Mod.u --text Texts.Readme=readme.txt -o Out.u
  upk set Map.umap Map.PersistentLevel.Lamp_3.Intensity=5000 --in-place
  upk set Weapons.uasset \"Weapons[Sword].Damage=40\" \"Weapons[Axe]=(Damage=55)\" -o Out.uasset
  upk set Weapons.uasset --remove \"Weapons[Bow]\" --rename-row \"Weapons[Axe]=Hatchet\" --in-place
  upk set Texts.uasset \"Texts[Greeting]=Hello\" -o Out.uasset
  upk set Slot1.sav Health=100 --in-place
  upk set Game.locres Menu/Start=Begin -o Out.locres
  upk set Game.pak/en/Game.locres Menu/Start=Begin -o Texts_P.pak
  upk set AssetRegistry.bin '/Game/A.A_2[Size]=512x512' '/Game/A.A_2[ChunkIDs]=0,2' -o Out.bin
  upk set Lamp.uasset Default__Lamp_C.Mesh=/Game/M.M --engine 5.4 --mappings Game.usmap -o Out.uasset")]
pub struct Set {
    /// Packages, and OBJECT.PROPERTY=VALUE; elements are `Prop[3]`, fields `Prop.Field`
    #[arg(value_name = "PACKAGE|OBJECT.PROPERTY=VALUE", required = true)]
    words: Vec<String>,
    /// Remove this property, so that the class's default counts again (may be repeated)
    #[arg(long, value_name = "OBJECT.PROPERTY")]
    remove: Vec<String>,
    /// Of objects that wildcards mean, only those that are so: class==Light && LightHue<30. Values that an object
    /// does not store are those of its class, as far as the package or --env says them (may be repeated: all must be
    /// so)
    #[arg(long = "where", value_name = "CONDITION", value_parser = condition)]
    conditions: Vec<Condition>,
    /// Give a row of a table another name (may be repeated)
    #[arg(long, value_name = "TABLE[ROW]=NAME")]
    rename_row: Vec<String>,
    /// Replace the text of a text buffer by that of a file (may be repeated)
    #[arg(long, value_name = "OBJECT=FILE")]
    text: Vec<String>,
    /// The type of properties that are added and state none: int, float, bool, byte, name, string, object,
    /// struct:NAME, byte-enum:NAME, array:TYPE; in UE4 and UE5 also text, double, soft-object, enum:NAME, set:TYPE,
    /// map:TYPE:TYPE and others
    #[arg(long = "type", value_name = "TYPE", value_parser = parsed_type)]
    property_type: Option<Type>,
    #[command(flatten)]
    pub(super) save: SaveArgs,
}

/// The type that a text says.
fn parsed_type(text: &str) -> Result<Type, String> {
    text.parse::<Type>().map_err(|error| error.to_string())
}

/// A condition that objects must fulfil.
pub fn condition(text: &str) -> Result<Condition, String> {
    text.parse::<Condition>().map_err(|error| error.to_string())
}

/// What is done to each package.
struct Changes {
    assignments: Vec<(String, String)>,
    renames: Vec<(String, String)>,
    texts: Vec<(String, String)>,
}

impl Set {
    /// Sets and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        let (changes, files) = self.changes()?;
        match &files[..] {
            [file] => {
                let file = Path::new(file);
                if let Some(content) = related::open(file)? {
                    return self.set_related(content, &changes, file, out);
                }
                self.save.apply(file, out, |edit| self.change(edit, file))
            }
            _ => self.run_all(&files, &changes, out),
        }
    }

    /// Sets values of a file that is no package.
    fn set_related(
        &self,
        mut content: RelatedFile,
        changes: &Changes,
        file: &Path,
        out: &mut Output,
    ) -> CommandResult {
        let others = [&self.remove, &self.rename_row, &self.text];
        if others.iter().any(|list| !list.is_empty()) || !self.conditions.is_empty() {
            let (file, noun) = (file.display(), content.noun());
            let next = "leave the other changes away: values are set as PATH=VALUE";
            return Err(Failure::usage(format!("{file} is {noun}\n  next: {next}")));
        }
        let (mut lines, mut list) = (Vec::new(), Vec::new());
        for (path, value) in &changes.assignments {
            let (old, new) = content.set(path, value)?;
            lines.push(format!("{path}: {old} -> {new}"));
            list.push(json!({ "property": path, "old": old, "new": new }));
        }
        let bytes = content.save()?;
        let json = json!({ "kind": "set", "changes": list });
        self.save.write_bytes(file, &bytes, &Change { text: lines.join("\n"), json }, out)
    }

    /// What is to be done, and to which packages.
    fn changes(&self) -> Result<(Changes, Vec<String>), Failure> {
        let pair = |text: &'_ str, form: &str| {
            let at = equals_sign(text).ok_or_else(|| {
                Failure::usage(format!("'{text}' has no '='\n  next: write {form}"))
            })?;
            Ok::<_, Failure>((text[..at].trim().to_owned(), text[at + 1..].to_owned()))
        };
        let all = |texts: &[String], form: &str| {
            texts.iter().map(|text| pair(text, form)).collect::<Result<Vec<_>, _>>()
        };
        let (assignments, files): (Vec<_>, Vec<_>) =
            self.words.iter().cloned().partition(|word| equals_sign(word).is_some());
        if let Some(word) = files.iter().skip(1).find(|file| !is_place(Path::new(file))) {
            let next = "write OBJECT.PROPERTY=VALUE, or name a package that is there";
            return Err(Failure::usage(format!(
                "'{word}' has no '=', and no such file is there\n  next: {next}"
            )));
        }
        let changes = Changes {
            assignments: all(&assignments, "OBJECT.PROPERTY=VALUE")?,
            renames: all(&self.rename_row, "TABLE[ROW]=NAME")?,
            texts: all(&self.text, "OBJECT=FILE")?,
        };
        let is_empty = changes.assignments.is_empty()
            && changes.renames.is_empty()
            && changes.texts.is_empty()
            && self.remove.is_empty();
        if is_empty || files.is_empty() {
            let missing = if is_empty { "changes" } else { "a package" };
            let next = "write PACKAGE OBJECT.PROPERTY=VALUE";
            return Err(Failure::usage(format!("{missing} required\n  next: {next}")));
        }
        Ok((changes, files))
    }

    /// Many packages: none is written unless all take the changes. Wildcards must mean something in one of them.
    fn run_all(&self, files: &[String], changes: &Changes, out: &mut Output) -> CommandResult {
        self.save.require_many()?;
        let paths: Vec<_> = files.iter().map(PathBuf::from).collect();
        let patch = self.save.start_patch(&paths)?;
        let (mut touched, mut missing) = (Vec::new(), None);
        let mut used = BTreeSet::new();
        for file in files {
            let mut package = self.save.open.open(Path::new(file))?;
            let mut unmatched = Vec::new();
            let done = SaveOptions::new().edit(&mut package, |edit| {
                self.save.prepare(edit);
                self.carry_out(edit, changes, Some(&mut unmatched), Path::new(file))
            });
            let (done, _) = done.map_err(|failure: Failure| failure.of_file(file))?;
            used.extend(
                self.wildcards(changes)
                    .filter(|path| !unmatched.iter().any(|known| known == path))
                    .map(str::to_owned),
            );
            missing = missing.or(unmatched.into_iter().next());
            if !done.is_empty() {
                touched.push(file);
            }
        }
        if let Some(path) = missing.filter(|path| !used.contains(path)) {
            return Err(Failure::failed(format!(
                "'{path}' means nothing in any of the packages\n  next: `upk get FILE '*'` shows what objects store"
            )));
        }
        for file in touched {
            self.save.apply(Path::new(file), out, |edit| {
                let done = self.carry_out(edit, changes, Some(&mut Vec::new()), Path::new(file))?;
                Ok(report(&done, self.save.is_dry()))
            })?;
        }
        if let Some(patch) = patch.filter(|_| !self.save.is_dry()) {
            self.save.write_patch(&patch, out)?;
        }
        Ok(Outcome::Fine)
    }

    /// The paths with wildcards.
    fn wildcards<'a>(&'a self, changes: &'a Changes) -> impl Iterator<Item = &'a str> {
        let paths = changes.assignments.iter().map(|(path, _)| Computation::split(path).0);
        paths.chain(self.remove.iter().map(String::as_str)).filter(|path| self.is_query(path))
    }

    fn is_query(&self, path: &str) -> bool {
        has_wildcards(path) || !self.conditions.is_empty()
    }

    /// Changes a package; paths with wildcards that mean nothing in it are errors, or go to `unmatched` where many
    /// packages are changed.
    fn carry_out(
        &self,
        package: &mut Edit,
        changes: &Changes,
        mut unmatched: Option<&mut Vec<String>>,
        file: &Path,
    ) -> Result<Vec<PropertyChange>, Failure> {
        let defaults = self.save.open.defaults(file)?;
        let defaults = defaults.as_ref().map(|known| known as &dyn Defaults);
        let mut meant = |package: &Package, path: &str, stored: bool| {
            if !self.is_query(path) {
                let (object, property) = package.values().split_property_path(path)?;
                return Ok::<_, Failure>(vec![(object.to_owned(), property.to_owned())]);
            }
            match package.values().with_defaults(defaults).expand(path, &self.conditions, stored) {
                Err(error) => match (&mut unmatched, error.kind()) {
                    (Some(unmatched), ErrorKind::NotFound { what: noun::MATCH, .. }) => {
                        unmatched.push(path.to_owned());
                        Ok(Vec::new())
                    }
                    _ => Err(error.into()),
                },
                Ok(found) => Ok(found),
            }
        };
        let mut done = Vec::new();
        for (path, value) in &changes.assignments {
            let (path, computation) = computation(package, path);
            let found = meant(package, path, false)?;
            for (object, property) in &found {
                match computation {
                    Some(how) => {
                        done.extend(
                            package.compute_property(object, property, how, value, defaults)?,
                        );
                    }
                    None => done.push(self.assign(package, (object, property), value, defaults)?),
                }
            }
        }
        for path in &self.remove {
            let found = meant(package, path, true)?;
            for (object, property) in &found {
                done.push(package.remove_property(object, property)?);
            }
        }
        for (path, name) in &changes.renames {
            done.push(rename_row(package, path, name)?);
        }
        for (object, file) in &changes.texts {
            done.push(replace_text(package, object, Path::new(file))?);
        }
        Ok(done)
    }

    /// The type of the command is that of what is not stored and states none itself.
    fn assign(
        &self,
        edit: &mut Edit,
        (object, property): (&str, &str),
        value: &str,
        defaults: Option<&dyn Defaults>,
    ) -> unreal_packages::Result<PropertyChange> {
        let given = self.property_type.as_ref();
        match given.filter(|_| edit.values().property(object, property).is_err()) {
            Some(known) => edit.add_property_or(object, property, known, value),
            None => edit.set_property_over(object, property, value, defaults),
        }
    }
}

impl Editing for Set {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        let (changes, _) = self.changes()?;
        Ok(report(&self.carry_out(edit, &changes, None, file)?, self.save.is_dry()))
    }
}

/// The path of an assignment and how its value is computed: `LightBrightness*=2` multiplies. What a property is
/// really called may end so.
fn computation<'a>(package: &Package, path: &'a str) -> (&'a str, Option<Computation>) {
    let split = Computation::split(path);
    if split.1.is_none() {
        return split;
    }
    let known = package.values().split_property_path(path);
    match known {
        Ok((object, property)) if package.values().property(object, property).is_ok() => {
            (path, None)
        }
        _ => split,
    }
}

fn rename_row(package: &mut Edit, path: &str, name: &str) -> Result<PropertyChange, Failure> {
    let (object, row) = package.values().split_property_path(path)?;
    let row = row.strip_prefix('[').and_then(|row| row.strip_suffix(']'));
    let Some(row) = row.map(|row| row.trim_matches('"')) else {
        return Err(Failure::usage(format!(
            "'{path}' names no row\n  next: write TABLE[ROW]=NAME"
        )));
    };
    Ok(package.rename_table_row(object, row, name)?)
}

fn replace_text(package: &mut Edit, object: &str, file: &Path) -> Result<PropertyChange, Failure> {
    let bytes = read(file)?;
    let text = String::from_utf8(bytes.into()).map_err(|_| {
        let file = file.display();
        Failure::usage(format!("'{file}' is not UTF-8\n  next: save it as UTF-8"))
    })?;
    package.set_text(object, &text)?;
    let row = package.find_export(object)?;
    Ok(PropertyChange {
        object: package.exports().path(row),
        property: "text".to_owned(),
        old: None,
        new: Some(format!("the text of {}", file.display())),
    })
}

fn report(changes: &[PropertyChange], is_dry: bool) -> Change {
    let unnamed = "nothing".to_owned();
    let line = |change: &PropertyChange| {
        let (path, old, new) = (change.path(), change.old.as_ref(), change.new.as_ref());
        if is_dry {
            let (old, new) = (old.unwrap_or(&unnamed), new.unwrap_or(&unnamed));
            return format!("{path}: {old} -> {new}");
        }
        match (old, new) {
            (Some(old), Some(new)) => format!("{path}: {new}, was {old}"),
            (None, Some(new)) => format!("{path}: {new}"),
            (old, None) => {
                format!("{path}: removed, was {}", old.map(String::as_str).unwrap_or_default())
            }
        }
    };
    let text = changes.iter().map(line).collect::<Vec<_>>().join("\n");
    Change { text, json: json!({ "kind": "set", "changes": changes }) }
}

//! `upk new`: packages from pictures, sounds, modules, meshes and texts; assets of UE4 and UE5.

mod actor;
mod asset;
mod assignments;
mod blueprint;
mod inputs;
mod made;

use std::path::{Path, PathBuf};
use unreal_packages::generate::create;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use serde_json::json;
use unreal_packages::content::{
    Image, NewTexture, NewTextures, PackageContents, SoundEdits, TextEdits,
};
use unreal_packages::edit::{Edit, EditOptions};
use unreal_packages::generate::Profile;
use unreal_packages::mesh::MeshEdits;
use unreal_packages::object::TextureFormat;
use unreal_packages::package::{Package, SaveOptions, Saved};
use unreal_packages::version::UnrealVersions;

use self::inputs::Input;
use self::made::Made;
use crate::failure::{CommandResult, Failure};
use crate::form::Form;
use crate::output::{Output, count, grouped};
use crate::{args, progress, target};

/// Make a package from pictures, sounds, modules, meshes, texts or tables
///
/// Folders stand for groups: `new textures -o My.utx Walls/` puts `Walls/Stone/Rough.png` into the group
/// Stone as Rough.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk new textures -o Mine.utx Walls/ Logo.png
  upk new textures -o Mine.utx Grate.png --group Metal --masked
  upk new textures -o Mine.upk --game udk Skins/ --format dxt5
  upk new sounds -o Mine.uax --game ut2004 Sounds/
  upk new music -o Mine.umx Song.it
  upk new meshes -o Mine.usx --game ut2004 Boulder.glb --group Rocks
  upk new text -o Notes.u Readme.txt
  upk new empty -o Blank.u --game deusex --dry-run
  upk new data-table --engine 5.4 --package /Game/Data/DT_Weapons --row-struct /Script/MyGame.Weapon Weapons.csv -o DT_Weapons.uasset
  upk new data-table --engine 5.4 --mappings Game.usmap --package /Game/DT_Ores --row-struct /Script/MyGame.Ore Ores.csv -o DT_Ores.uasset
  upk new string-table --engine 4.27 --package /Game/Text/ST_Menu Menu.csv -o ST_Menu.uasset
  upk new asset --engine 5.6 --package /Game/DA_Wolf --class /Script/MyGame.Beast --set Health:float=50 -o DA_Wolf.uasset
  upk new asset --like Lamp.uasset --engine 5.4 --mappings Game.usmap --package /Game/DA_Fox --class /Script/MyGame.Beast --set Health=20 -o DA_Fox.uasset
  upk new asset --cooked --engine 5.4 --mappings Game.usmap --package /Game/DA_Owl --class /Script/MyGame.Beast --set Health=5 -o DA_Owl.uasset
  upk new asset --cooked --zen --engine 5.4 --package /Game/DA_Elk --class /Script/MyGame.Beast --set Health:float=5 -o DA_Elk.uasset
  upk new blueprint --cooked --engine 5.4 --mappings Game.usmap --package /Game/BP_Elk --parent /Script/MyGame.Beast --class-flags HasInstancedReference --set Health=9 -o BP_Elk.uasset
  upk new actor --like LampActor.uasset --name Lamp_7 -o Content")]
pub struct New {
    #[command(subcommand)]
    what: What,
}

/// What the package holds.
#[derive(Debug, Subcommand)]
enum What {
    /// Textures from PNG and BMP pictures, with palettes and mips as the game wants them
    Textures(Textures),
    /// Sounds from files of WAV, FLAC or Ogg Vorbis
    Sounds(Plain),
    /// Music from tracker modules: s3m, xm, it, mod
    Music(Plain),
    /// Meshes from glTF files: with frames in UE1, static ones in UE2 and UE3
    ///
    /// Materials are objects of the package by their names; one that is called as a reference with the path of its class,
    /// Engine.Texture'Botpack.Skins.Blue', is imported.
    Meshes(Plain),
    /// Text buffers from text files in UTF-8
    Text(Plain),
    /// Nothing: a package with one name and no object
    Empty(Target),
    /// A data table of UE4 or UE5 from CSV, a workbook or JSON
    DataTable(asset::DataTable),
    /// A string table of UE4 or UE5 from CSV, a workbook or JSON
    StringTable(asset::StringTable),
    /// An object of UE4 or UE5 with properties, such as a data asset
    Asset(asset::Asset),
    /// A blueprint of UE4 or UE5 whose objects have other defaults than those of its parent, as games store it
    Blueprint(blueprint::Blueprint),
    /// An actor of a level of UE5 that stores each in a package of its own, made of another one
    Actor(actor::Actor),
}

/// Where the package goes and which game it is for.
#[derive(Debug, Args)]
struct Target {
    /// The package to write; its name is the package's name; - for standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The game that is to read it
    #[arg(long = "game", value_name = "GAME", default_value = Profile::UT99.slug,
          value_parser = profiles())]
    profile: Profile,
    /// Replace a file that is there
    #[arg(long)]
    overwrite: bool,
    /// Report what would be done and write nothing
    #[arg(long)]
    dry_run: bool,
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    let slugs = Profile::ALL.iter().map(|profile| profile.slug);
    PossibleValuesParser::new(slugs).try_map(|slug| slug.parse::<Profile>())
}

/// Files and folders, as objects.
#[derive(Debug, Args)]
struct Plain {
    /// Files, and folders whose folders become groups
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Put everything into this group: Walls, Walls.Stone
    #[arg(long, default_value = "")]
    group: String,
    #[command(flatten)]
    target: Target,
}

/// The same with what only textures have.
#[derive(Debug, Args)]
struct Textures {
    #[command(flatten)]
    plain: Plain,
    /// How texels are stored; the game's usual way if not said
    #[arg(long, value_parser = formats())]
    format: Option<TextureFormat>,
    /// Palette index 0 is transparent even if the picture has no transparent pixel
    #[arg(long, conflicts_with = "opaque")]
    masked: bool,
    /// Nothing is transparent, whatever the picture says
    #[arg(long)]
    opaque: bool,
    /// Only the largest size
    #[arg(long)]
    no_mips: bool,
}

fn formats() -> impl TypedValueParser<Value = TextureFormat> {
    let slugs = TextureFormat::ALL.iter().map(|format| format.slug());
    PossibleValuesParser::new(slugs).try_map(|slug| slug.parse::<TextureFormat>())
}

impl New {
    /// Makes it.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        match &self.what {
            What::Textures(textures) => {
                let masked = (textures.masked || textures.opaque).then_some(textures.masked);
                let new =
                    NewTexture { format: textures.format, masked, without_mips: textures.no_mips };
                textures.plain.run(&["png", "bmp"], out, |edit, path, file| {
                    Ok(Added::from(edit.add_texture(path, &Image::read(file)?, &new)?))
                })
            }
            What::Sounds(plain) => plain.run(&["wav", "flac", "ogg"], out, |edit, path, file| {
                Ok(edit.add_sound(path, file)?.into())
            }),
            What::Music(plain) => {
                plain.run(&["s3m", "xm", "it", "mod"], out, |edit, path, file| {
                    Ok(edit.add_music(path, file)?.into())
                })
            }
            What::Meshes(plain) => plain.run(&["glb", "gltf"], out, |edit, path, file| {
                let (row, change) = edit.add_mesh(path, file)?;
                Ok(Added { row, notes: change.notes })
            }),
            What::Text(plain) => plain.run(&["txt", "uc", "md", "ini", "int"], out, add_text),
            What::Empty(target) => {
                let to = target.check(out)?;
                let package = create(&target.profile)?;
                let saved = package.save(&SaveOptions::new())?;
                target.finish(&package, &saved, to, out)
            }
            What::DataTable(table) => table.run(out),
            What::StringTable(table) => table.run(out),
            What::Asset(asset) => asset.run(out),
            What::Blueprint(blueprint) => blueprint.run(out),
            What::Actor(actor) => actor.run(out),
        }
    }
}

/// An object of a file.
struct Added {
    row: usize,
    /// What of the file is not in it.
    notes: Vec<String>,
}

impl From<usize> for Added {
    fn from(row: usize) -> Self {
        Self { row, notes: Vec::new() }
    }
}

fn add_text(edit: &mut Edit, path: &str, file: &[u8]) -> unreal_packages::Result<Added> {
    match std::str::from_utf8(file) {
        Ok(text) => Ok(edit.add_text(path, text)?.into()),
        Err(_) => {
            let reason = "the text is not in UTF-8; convert it first".to_owned();
            Err(unreal_packages::ErrorKind::Invalid { reason }.into())
        }
    }
}

impl Plain {
    /// Adds an object for each file and writes the package.
    fn run(
        &self,
        extensions: &[&str],
        out: &mut Output,
        mut add: impl FnMut(&mut Edit, &str, &[u8]) -> unreal_packages::Result<Added>,
    ) -> CommandResult {
        let to = self.target.check(out)?;
        let inputs = inputs::find(&self.inputs, &self.group, extensions)?;
        let mut package = create(&self.target.profile)?;
        let bar = progress::bar(inputs.len(), "files");
        let ((), saved) = SaveOptions::new().edit(&mut package, |edit| -> Result<(), Failure> {
            for Input { file, path } in &inputs {
                let bytes = args::read(file)?;
                let added = add(edit, path, &bytes).map_err(|error| {
                    Failure::Failed(anyhow::Error::new(error).context(file.display().to_string()))
                })?;
                bar.inc(1);
                self.report(file, edit, &added, out)?;
            }
            Ok(())
        })?;
        bar.finish_and_clear();
        self.target.finish(&package, &saved, to, out)
    }

    fn report(
        &self,
        file: &Path,
        package: &Package,
        Added { row, notes }: &Added,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let Some(export) = package.exports().get(*row) else { return Ok(()) };
        let (path, class, file) = (export.path(), export.class(), file.display().to_string());
        let facts = package.contents().texture_facts(*row).ok();
        if out.is_json() {
            let texture = facts.map(|facts| {
                json!({ "format": facts.format.slug(), "width": facts.width,
                        "height": facts.height, "mips": facts.mips, "masked": facts.masked })
            });
            return out.object(&json!({ "file": file, "object": path, "class": class,
                                       "row": row, "texture": texture, "notes": notes }));
        }
        let more = facts.map_or(String::new(), |facts| {
            let mips = count(facts.mips as u64, "mip", "mips");
            let masked = if facts.masked { ", masked" } else { "" };
            format!(": {} by {}, {}, {mips}{masked}", facts.width, facts.height, facts.format)
        });
        out.line(format!("{path} ({class}) from {file}{more}"))?;
        notes.iter().try_for_each(|note| out.line(format!("  {note}")))
    }
}

impl Target {
    /// Before the work begins, not after it.
    fn check(&self, out: &mut Output) -> Result<target::Target, Failure> {
        let overwrite = self.overwrite || self.dry_run;
        let form = Form::of_versions(&self.profile.versions());
        target::Target::new(&self.output, overwrite, form, out)
    }

    /// Saves, checks that the result opens and re-saves identically, writes, reports.
    fn finish(
        &self,
        package: &Package,
        saved: &Saved,
        to: target::Target,
        out: &mut Output,
    ) -> CommandResult {
        let again = Package::from_bytes(saved.bytes.clone()).and_then(|again| again.to_bytes());
        let same = again.is_ok_and(|again| again == saved.bytes);
        let (exports, bytes) = (package.exports().len(), saved.bytes.len() as u64);
        let objects = count(exports as u64, "object", "objects");
        let made = Made {
            target: to,
            dry_run: self.dry_run,
            saved,
            exports,
            facts: json!({
                "game": self.profile.slug, "file_version": self.profile.versions().file(),
                "licensee_version": self.profile.versions().licensee(),
                "guid": package.guid().to_string(),
            }),
            what: format!("{objects}, {} bytes, for {}", grouped(bytes), self.profile),
        };
        made.finish(same, out)
    }
}

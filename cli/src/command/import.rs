//! `upk import`: the content of files into objects.

mod folder;
mod many;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::content::{
    ContentEdits, ContentKind, Image, PackageContents, ReplaceTexture, TableChange, TableEdits,
    TableFormat, TextureChange, TextureEdits, ThumbnailEdits,
};
use unreal_packages::edit::Edit;
use unreal_packages::mesh::{MeshChange, MeshEdits};

use self::folder::WithoutFiles;
use super::actors;
use super::edit::{Change, EditArgs, Editing, are_many};
use super::texts::{self, Texts};
use crate::args;
use crate::channel::ChannelArg;
use crate::failure::{CommandResult, Failure};
use crate::files::is_place;
use crate::output::{Output, count, grouped};
use crate::package_folders;

/// What is said of content that does not change.
const SAME: &str = "the content is the one that is there";

/// Give an object the content of a file, as `upk extract` writes it
///
/// Only what differs changes: a pixel changes its texel (or the block that holds it) and the texels of
/// smaller sizes that are made of it. Colours that the palette lacks make a new palette; where other objects
/// use the old one, --keep-palette or --own-palette says what to do.
///
/// Tables (CSV, JSON, or the first sheet of a workbook) give data tables, curve tables and string tables their rows: rows are
/// found by their names, what no cell changes stays as it is stored, and rows may come, go and stand in another order. An empty
/// cell is the struct's default. Texts of a language (.locres, and .int and its kin) and
/// registries of assets (AssetRegistry.bin) take tables alike: name the file alone.
///
/// Meshes as glTF 2.0 (.glb) go into static meshes of UE2 and UE3 and the meshes of UE1 without bones, which take morph targets as
/// frames: all that the engine makes of triangles is made anew, materials are found by their names, and a file as `upk extract`
/// writes it changes nothing.
///
/// Actors as UnrealEd's text (.t3d, of UE1 to UE3) come into the level of a map, brushes with their polygons, as UnrealEd
/// pastes them, in UE3 with their components: name the file alone. `upk map --t3d` writes such a text.
///
/// With --from come the files of a folder, for all objects that have one there, into one package or many: folders of packages,
/// containers (.pak, .utoc) and folders in them. Each package of these has its files where `upk extract FOLDER -o OUT` writes them:
/// in OUT/ and its own path, as in OUT/Textures/Stone.utx/. A package that is named itself has them in OUT/Stone.utx/ or, named
/// alone, in OUT itself. Packages without files there are left alone; one that fails stays as it was, and the others go on. Their
/// backups belong together: `upk restore FOLDER --run NAME` brings all of them back. A container is never changed: -o Name_P.pak or
/// Name_P.utoc writes one patch of all packages of it that have changed.
#[derive(Debug, Args)]
#[command(override_usage = "\
upk import [OPTIONS] <--output <OUT>|--in-place|--dry-run> <FILE> <OBJECT INPUT|TABLE|ACTORS|[PACKAGE]... --from FOLDER>")]
#[command(after_help = "\
Examples:
  upk import Mine.utx Walls.Rough Rough.png -o Out.utx
  upk import Mine.utx Walls.Rough Rough.png --in-place --keep-palette
  upk import Mine.utx --from Painted --in-place
  upk import Textures --from Painted --in-place
  upk import Game.pak --from Painted -o Painted_P.pak
  upk import Mine.utx Walls.Rough Rough.png -o Out.utx --own-palette
  upk import Mine.utx Walls.Rough Rough.png --channel red --own-palette --dry-run
  upk import T_Sky.uasset T_Sky Sky.dds --in-place
  upk import Mine.uax Bang Bang.wav --in-place
  upk import Mine.usx Rocks.Boulder Boulder.glb --in-place
  upk import Mine.u Actor.ScriptText Actor.uc -o Out.u
  upk import DT_Weapons.uasset DT_Weapons Weapons.csv --in-place
  upk import Game.locres Game.csv -o Out.locres
  upk import AssetRegistry.bin AssetRegistry.csv -o Out.bin
  upk import Arena.unr Room.t3d --in-place
  upk import Mine.u '#12' Thing.bin --raw --dry-run
  upk import SM_Rock.uasset SM_Rock Rock.png --thumbnail --in-place")]
pub struct Import {
    #[command(flatten)]
    edit: EditArgs,
    /// The object: its path, or its row as #12; of texts of a language and registries of assets the table; of a map a text of actors
    #[arg(required_unless_present = "from")]
    object: Option<String>,
    /// The file: PNG, BMP, PCX, TGA or JPEG for textures (those of UE4 and UE5 also HDR, EXR and DDS),
    /// WAV, FLAC or Ogg for sounds, a module for music, UTF-8 for texts, CSV, XLSX or JSON for tables, GLB for meshes
    input: Option<PathBuf>,
    /// Further packages, folders of packages, containers and folders in them, with --from
    #[arg(value_name = "PACKAGE", requires = "from")]
    further: Vec<PathBuf>,
    /// A folder with files as `upk extract` writes them, for all objects that have one there; or the file
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["raw", "thumbnail"])]
    from: Option<PathBuf>,
    /// Call the run over many packages so, for `upk restore FOLDER --run NAME` (default: import)
    #[arg(long, value_name = "NAME", requires_all = ["from", "in_place"], conflicts_with = "no_backup")]
    run: Option<String>,
    /// The file holds the object's bytes as they stand in the package
    #[arg(long)]
    raw: bool,
    /// The file is the picture that browsers show for the object; its content stays
    #[arg(long, conflicts_with_all = ["raw", "keep_palette"])]
    thumbnail: bool,
    /// Take the nearest colours of the palette that is there instead of making a new one
    #[arg(long, conflicts_with = "raw")]
    keep_palette: bool,
    /// Give the texture a palette of its own where its colours are not in one that other objects use
    #[arg(long, conflicts_with_all = ["raw", "keep_palette", "thumbnail"])]
    own_palette: bool,
    /// The picture is one channel of the texture, as brightness; the others stay. With --from files are called so: Rough~alpha.png
    #[arg(long, value_enum, conflicts_with_all = ["raw", "thumbnail"])]
    channel: Option<ChannelArg>,
    /// Store all sizes of a texture of UE3 in the package, where some stand in a texture file cache (.tfc)
    #[arg(long, conflicts_with_all = ["raw", "thumbnail"])]
    inline: bool,
}

impl Import {
    /// Imports and saves.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some((packages, from)) = self.many()? {
            return self.import_many(&packages, from, out);
        }
        if let Some(texts) = texts::open(&self.edit.file)? {
            return self.texts(texts, out);
        }
        if self.input.is_none() && self.from.is_none() && self.actors().is_none() {
            let next = "write upk import PACKAGE OBJECT FILE, or PACKAGE --from FOLDER";
            return Err(Failure::usage(format!("a file required\n  next: {next}")));
        }
        self.edit.apply(self, out)
    }

    /// The packages and the folder of their files, where these are many: words behind the first one name packages then.
    fn many(&self) -> Result<Option<(Vec<PathBuf>, &Path)>, Failure> {
        let Some(from) = self.from.as_deref() else {
            let file = &self.edit.file;
            if file.is_dir() || are_many(std::slice::from_ref(file)) {
                let next = "name a package in it, or all of it with --from FOLDER";
                let file = file.display();
                return Err(Failure::usage(format!("'{file}' has many packages\n  next: {next}")));
            }
            return Ok(None);
        };
        let mut packages = vec![self.edit.file.clone()];
        match (&self.object, &self.input) {
            // An object of the one package.
            (Some(object), None) if !is_place(Path::new(object)) => {
                if !are_many(&packages) {
                    return Ok(None);
                }
                let next = "name one package for one object, or packages that are there";
                return Err(Failure::usage(format!("no file '{object}' is there\n  next: {next}")));
            }
            (object, input) => {
                packages.extend(object.as_ref().map(PathBuf::from));
                packages.extend(input.iter().chain(&self.further).cloned());
            }
        }
        let is_run = self.run.is_some();
        Ok((is_run || are_many(&packages)).then_some((packages, from)))
    }

    /// The file of actors as text, where one is named.
    fn actors(&self) -> Option<&Path> {
        let named = self.object.as_deref().map(Path::new).filter(|_| self.input.is_none());
        named.filter(|file| actors::is_text(file))
    }

    /// Gives a file of texts the rows of a table.
    fn texts(&self, mut texts: Texts, out: &mut Output) -> CommandResult {
        let file = &self.edit.file;
        let table = match (&self.object, &self.input, &self.from) {
            (Some(table), None, None) => Path::new(table),
            (None, None, Some(table)) => table.as_path(),
            _ => {
                let next = "name the file of texts and a table: upk import Game.locres Game.csv";
                let file = file.display();
                return Err(Failure::usage(format!("'{file}' holds no objects\n  next: {next}")));
            }
        };
        if self.raw || self.thumbnail {
            let next = "leave --raw and --thumbnail away";
            let file = file.display();
            return Err(Failure::usage(format!("'{file}' holds no objects\n  next: {next}")));
        }
        let change = texts.replace(&args::read(table)?)?;
        let mut text = table_text(&change);
        if matches!(texts, Texts::Registry(..)) && change.added + change.removed > 0 {
            text += "; dependencies and the data of packages stay as they are";
        }
        let json = json!({ "kind": "import", "content": "table", "facts": change,
                           "file": table.display().to_string() });
        let bytes = texts.save()?;
        self.edit.save.write_bytes(file, &bytes, &Change { text, json }, out)
    }

    fn thumbnail(&self, package: &mut Edit, object: &str, file: &[u8]) -> Result<Change, Failure> {
        let row = package.find_export(object)?;
        let path = package.exports().path(row);
        let change = package.replace_thumbnail(object, file)?;
        let text = match &change {
            Some(change) => {
                let done = if change.added { "a new thumbnail" } else { "another thumbnail" };
                format!("{done}, {}x{}, {}", change.width, change.height, change.kind)
            }
            None => "the thumbnail is the one that is there".to_owned(),
        };
        let json = json!({ "kind": "thumbnail", "export": row, "path": path, "change": change });
        Ok(Change { text: format!("{path}: {text}"), json })
    }

    fn import(
        &self,
        package: &mut Edit,
        row: usize,
        file: &[u8],
    ) -> Result<(Option<String>, Value, String), Failure> {
        if self.raw {
            package.replace_body(row, file)?;
            let text = format!("{} bytes", grouped(file.len() as u64));
            return Ok((None, Value::Null, text));
        }
        let kind = package.contents().content_kind(row)?;
        let name = kind.map(|kind| kind.to_string());
        let (keep_palette, own_palette) = (self.keep_palette, self.own_palette);
        let options = ReplaceTexture { keep_palette, own_palette, inline: self.inline };
        if let Some(channel) = self.channel {
            if kind != Some(ContentKind::Texture) {
                let path = package.exports().path(row);
                return Err(Failure::failed(format!("{path} is no texture: it has no channels")));
            }
            let old = package.contents().texture_image(row)?;
            let new = old.with_channel(channel.channel(), &Image::read(file)?)?;
            let change = package.replace_texture(row, &new, &options)?;
            return Ok(texture_change(name, &change));
        }
        if kind == Some(ContentKind::Texture) {
            let change = package.replace_picture(row, file, &options);
            let change = change.map_err(|error| {
                // Whether a palette of its own would do says whether the palette is what is wrong.
                let own = ReplaceTexture { own_palette: true, ..options };
                let palette = package.clone().replace_picture(row, file, &own);
                let inline = ReplaceTexture { inline: true, ..options };
                let is_cached = || package.clone().replace_picture(row, file, &inline).is_ok();
                match palette.is_ok() && !keep_palette {
                    true => Failure::failed(format!(
                        "{error}\n  next: --keep-palette takes the nearest colours of the palette \
                         that is there, --own-palette makes one for this texture alone"
                    )),
                    false if !self.inline && is_cached() => Failure::failed(format!(
                        "{error}\n  next: --inline stores all sizes in the package"
                    )),
                    false => error.into(),
                }
            })?;
            return Ok(texture_change(name, &change));
        }
        if kind == Some(ContentKind::Mesh) {
            let change = package.replace_mesh(row, file)?;
            return Ok((name, json!(change), mesh_text(&change)));
        }
        if kind == Some(ContentKind::Table) {
            let change = package.replace_table(row, file, TableFormat::detect(file))?;
            return Ok((name, json!(change), table_text(&change)));
        }
        let changed = package.replace_content(row, file, &options)?;
        let text = match changed {
            true => format!("{} bytes from the file", grouped(file.len() as u64)),
            false => SAME.to_owned(),
        };
        Ok((name, json!({ "changed": changed }), text))
    }
}

/// The change of a texture: its kind, for scripts, in words.
fn texture_change(kind: Option<String>, change: &TextureChange) -> (Option<String>, Value, String) {
    let facts = json!({ "texels": change.texels, "palette": change.palette,
                        "resized": change.resized, "thumbnail": change.thumbnail });
    let mut text = match (change.texels, change.resized, change.palette) {
        (0, false, false) => "the picture is the one that is there".to_owned(),
        (_, true, _) => "a picture of another size, all mips made anew".to_owned(),
        (_, _, true) => "a new palette, all texels made anew".to_owned(),
        (texels, ..) => format!("{} changed", count(texels as u64, "texel", "texels")),
    };
    if change.thumbnail {
        text.push_str(", and the thumbnail with it");
    }
    (kind, facts, text)
}

/// The change of a mesh in words, with what the file and the mesh have and the other has not.
fn mesh_text(change: &MeshChange) -> String {
    let mut text = match change.changed {
        true => format!(
            "{}, {} as they are drawn",
            count(change.triangles as u64, "triangle", "triangles"),
            count(change.vertices as u64, "vertex", "vertices")
        ),
        false => "the mesh is the one that is there".to_owned(),
    };
    for note in &change.notes {
        text.push_str("\n  ");
        text.push_str(note);
    }
    text
}

/// The changes of a table in words.
fn table_text(change: &TableChange) -> String {
    let mut parts = Vec::new();
    for (number, one, many) in [
        (change.cells, "cell changed", "cells changed"),
        (change.added, "row added", "rows added"),
        (change.removed, "row removed", "rows removed"),
    ] {
        if number > 0 {
            parts.push(count(number as u64, one, many));
        }
    }
    if change.reordered {
        parts.push("rows in another order".to_owned());
    }
    if change.namespace {
        parts.push("another namespace".to_owned());
    }
    match parts.is_empty() {
        true => "the table is the one that is there".to_owned(),
        false => parts.join(", "),
    }
}

impl Editing for Import {
    fn change(&self, edit: &mut Edit, file: &Path) -> Result<Change, Failure> {
        if let Some(text) = self.actors() {
            return actors::add(edit, text, self.edit.save.open.environment(file)?);
        }
        let (object, input) = match (&self.from, &self.object, &self.input) {
            (None, Some(object), Some(input)) => (object, input),
            (from, object, None) => {
                let from = from.as_deref().unwrap_or(Path::new("."));
                let folder = package_folders::of_one(file, from);
                let folder = folder.as_deref().unwrap_or(from);
                return self.import_all(edit, file, folder, object.as_deref());
            }
            (_, _, Some(input)) => {
                let (input, next) =
                    (input.display(), "name the object, then the folder with --from");
                return Err(Failure::usage(format!("'{input}' has no place here\n  next: {next}")));
            }
        };
        let file = args::read(input)?;
        if self.thumbnail {
            return self.thumbnail(edit, object, &file);
        }
        let row = edit.find_export(object)?;
        let path = edit.exports().path(row);
        let (kind, facts, text) = self.import(edit, row, &file)?;
        let json = json!({ "kind": "import", "export": row, "path": path, "content": kind,
                           "bytes": file.len(), "facts": facts });
        Ok(Change { text: format!("{path}: {text}"), json })
    }
}

//! `upk extract`: objects as files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::json;
use unreal_packages::content::{ContentKind, GraphTexts, PackageContents, TableFormat};
use unreal_packages::error::{ErrorKind, noun};
use unreal_packages::inspect::{PackageValues, StoredGraph};
use unreal_packages::mesh::{
    ActorXOutput, KnownSkeletons, Mesh, MeshLods, MeshObjects, MeshOptions, PackageMeshes,
};
use unreal_packages::package::Package;
use unreal_packages::version::EngineFacts;

use super::extract_around::Around;
use super::extract_psk;
use super::texts::{self, Texts};
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome, SKELETONS};
use crate::output::{Output, count, grouped};
use crate::places::Places;
use crate::progress;

/// Write objects to files: textures as PNG, sounds as WAV, music as modules, meshes as glTF, texts and source
/// code; of UE4 and UE5 also tables, fonts and thumbnails
///
/// Files of texts (.locres, and .int and its kin of UE1 to UE3) become tables. Groups become folders. A texture with a palette becomes an indexed PNG with that palette, so that
/// `upk import` of the unchanged file changes nothing. Textures of UE4 and UE5 become the picture that
/// they were imported from, or once cooked their largest size that is here (HDR without bounds, slices
/// below each other); cooked sounds stay compressed as they are stored. Meshes become binary glTF (.glb) in metres,
/// with bones, frames and the pictures of their materials that are in the package or, with --env, in others; models
/// of brushes and levels come with --kind mesh or by name. Animations of UE3 to UE5 become binary glTF too, with the
/// bones of their skeleton, which --env finds: as they were imported, or cooked ones of UE3 and of UE4 up to 4.21 as
/// they are played. Graphs of blueprints come with --kind graph or by name, as the
/// text that their editor copies and pastes. What can't be extracted is reported with its reason, and the exit code is 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk extract Mine.utx -o Pictures
  upk extract Mine.utx Walls.Rough -o Pictures
  upk extract Mine.u -o Out --kind text
  upk extract DT_Weapons.uasset -o Out --tables csv --types
  upk extract Game.locres -o Out --tables csv
  upk extract M_Rock.uasset -o Out --kind thumbnail
  upk extract Rocks.usx -o Meshes --kind mesh --lod all
  upk extract Rocks.usx -o Meshes --kind mesh --psk
  upk extract BP_Lift.uasset BP_Lift.EventGraph -o Nodes --kind graph
  upk extract Mine.u '#12' -o Out --raw        the bytes as they stand in the package")]
pub struct Extract {
    /// The package
    file: PathBuf,
    /// Only this object or what is in this group: its path, or its row as #12
    object: Option<String>,
    /// The folder to write to; - for one object to standard output
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Only objects of this kind
    #[arg(long, value_enum, conflicts_with = "raw")]
    kind: Option<KindArg>,
    /// How tables are written
    #[arg(long, value_name = "FORMAT", default_value = "json", value_parser = table_formats())]
    tables: TableFormat,
    /// The types of columns in the head of CSV, as `upk new data-table` takes them: Damage:float
    #[arg(long, conflicts_with = "raw")]
    types: bool,
    /// The level of detail of meshes: 0 is the finest (the default), or all
    #[arg(long, value_name = "N|all", value_parser = lods)]
    lod: Option<MeshLods>,
    /// Meshes with the simple shapes that things collide with, each a node of its own: UBX_Rock_00 (boxes),
    /// USP (spheres), UCP (capsules), UCX (convex hulls)
    #[arg(long, conflicts_with = "raw")]
    collision: bool,
    /// Meshes and animations as files of Unreal's importers: .psk with bones, .psa for what moves them, .pskx for
    /// meshes without bones or with more than .psk has places for; Rock~lod1.pskx for further levels of detail
    #[arg(long, conflicts_with = "raw")]
    psk: bool,
    /// Textures as DDS files: the texels of all sizes, as they are stored (cooked ones of UE4 and UE5; no palettes)
    #[arg(long, conflicts_with = "raw")]
    dds: bool,
    /// Each size of textures as a picture of its own: Rough.png, Rough~mip1.png
    #[arg(long, conflicts_with_all = ["raw", "dds"])]
    all_mips: bool,
    /// The bytes of each object as they stand in the package
    #[arg(long)]
    raw: bool,
    /// Replace files that are there
    #[arg(long)]
    overwrite: bool,
    /// Report what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    open: OpenArgs,
    /// What materials of other packages are found with.
    #[arg(skip)]
    objects: OnceLock<Around>,
    /// What its animations share, likewise.
    #[arg(skip)]
    skeletons: KnownSkeletons,
    /// The graphs of the package, looked for once.
    #[arg(skip)]
    graphs: OnceLock<Vec<StoredGraph>>,
}

/// `--kind`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindArg {
    /// Pictures
    Texture,
    /// Sounds
    Sound,
    /// Modules
    Music,
    /// Texts and source code
    Text,
    /// Font files
    Font,
    /// Data tables, curve tables, string tables, enums
    Table,
    /// Meshes, and the models of brushes and levels
    Mesh,
    /// Animations of UE3 to UE5, with the bones of their skeleton: --env finds it in other packages
    Animation,
    /// Small pictures of objects
    Thumbnail,
    /// Nodes of graphs, as the editor copies them
    Graph,
}

fn table_formats() -> impl TypedValueParser<Value = TableFormat> {
    let slugs = TableFormat::ALL.iter().map(|format| format.slug());
    PossibleValuesParser::new(slugs).try_map(|slug| slug.parse::<TableFormat>())
}

/// What has a file of its own.
const CONTENT: &str = "texture, sound, music, text, font, table, mesh or animation";

/// Whether an animation did not come out since its bones are in another package.
fn lacks_skeleton(error: &unreal_packages::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound { what: noun::SKELETON, .. })
}

/// Why an object has no file of its own.
fn no_content(package: &Package, row: usize) -> unreal_packages::Error {
    let (path, class) = (package.exports().path(row), class_name(package, row));
    let reason = format!("{path} ({class}) is no {CONTENT}; --raw writes its bytes");
    ErrorKind::Invalid { reason }.into()
}

/// The class of an object without its package.
fn class_name(package: &Package, row: usize) -> String {
    let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    class.rsplit('.').next().unwrap_or_default().to_owned()
}

/// Whether an object is a mesh: all engines call their classes so.
fn is_mesh(package: &Package, row: usize) -> bool {
    class_name(package, row).ends_with("Mesh")
}

/// Whether an object is the model of a brush or level: every map has hundreds, which come out when asked for.
fn is_model(package: &Package, row: usize) -> bool {
    class_name(package, row) == "Model"
}

/// Whether an object is a mesh or moves one.
fn is_shape(kind: Option<ContentKind>) -> bool {
    matches!(kind, Some(ContentKind::Mesh | ContentKind::Animation))
}

/// Whether an object has nodes whose text the editor copies.
fn is_graph(package: &Package, row: usize) -> bool {
    package.versions().has_node_text() && package.values().stored_graph(row).is_ok()
}

/// `--lod`.
fn lods(text: &str) -> Result<MeshLods, String> {
    match text {
        "all" => Ok(MeshLods::All),
        _ => text.parse().map(MeshLods::One).map_err(|_| "a number from 0 on, or all".to_owned()),
    }
}

/// Bytes of bodies that are decoded at a time, and rows of a batch: the tables are copied for each.
const BATCH_BYTES: u64 = 16 << 20;
const BATCH_ROWS: usize = 1024;

/// The rows in batches, of at least as many as there are threads.
fn batches<'r>(
    package: &Package,
    rows: &'r [usize],
    at_once: usize,
) -> impl Iterator<Item = &'r [usize]> {
    let sizes: Vec<u64> = rows
        .iter()
        .map(|row| {
            package
                .tables()
                .exports
                .get(*row)
                .map_or(0, |export| export.serial_size.value().max(0) as u64)
        })
        .collect();
    let mut start = 0;
    std::iter::from_fn(move || {
        let (mut end, mut bytes) = (start, 0_u64);
        while end < rows.len() && end - start < BATCH_ROWS.max(at_once) {
            bytes = bytes.saturating_add(sizes.get(end).copied().unwrap_or(0));
            if bytes > BATCH_BYTES && end - start >= at_once {
                break;
            }
            end += 1;
        }
        let batch = rows.get(start..end)?;
        start = end;
        (!batch.is_empty()).then_some(batch)
    })
}

/// An object as a file.
struct ObjectFile {
    /// What stands behind the object's name.
    suffix: String,
    extension: String,
    bytes: Vec<u8>,
    note: Option<String>,
}

/// What becomes of an object.
enum Extracted {
    /// It has no file, or not of a kind that was asked for.
    Nothing,
    Files(Option<ContentKind>, Vec<ObjectFile>),
    /// It should have one.
    Refused(unreal_packages::Error),
}

impl KindArg {
    fn is(self, kind: ContentKind) -> bool {
        matches!(
            (self, kind),
            (Self::Texture, ContentKind::Texture)
                | (Self::Sound, ContentKind::Sound)
                | (Self::Music, ContentKind::Music)
                | (Self::Text, ContentKind::Text)
                | (Self::Font, ContentKind::Font)
                | (Self::Table, ContentKind::Table)
                | (Self::Mesh, ContentKind::Mesh)
                | (Self::Animation, ContentKind::Animation)
                | (Self::Thumbnail, ContentKind::Thumbnail)
                | (Self::Graph, ContentKind::Graph)
        )
    }
}

impl Extract {
    /// Writes one file after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(texts) = texts::open(&self.file)? {
            return self.texts(&texts, out);
        }
        let package = self.open.open(&self.file)?;
        if let Some(environment) = self.open.environment(&self.file)? {
            let around = Around::new(environment);
            around.add(&package, &self.file);
            let _ = self.objects.set(around);
        }
        let (rows, named) = self.rows(&package)?;
        if self.raw && named.is_none() {
            package.exports().refuse_shared_bodies()?;
        }
        let mut places = Places::new(&self.output, self.overwrite, self.dry_run, out);
        let (mut written, mut passed, mut lacks_skeletons) = (0_u64, 0, false);
        let all = rows.len() as u64;
        let bar = progress::bar(rows.len(), "objects");
        // Of as many objects as there are threads files are in memory at a time, of a batch the decoded bodies.
        let at_once = rayon::current_num_threads().max(1);
        for rows in batches(&package, &rows, at_once) {
            let decoded = match self.raw {
                true => Cow::Borrowed(&package),
                false => Cow::Owned(package.with_decoded(rows)?),
            };
            let graphs = match self.is_graph() {
                true => Some(decoded.contents().graph_texts()?),
                false => None,
            };
            for rows in rows.chunks(at_once) {
                let one =
                    |&row: &usize| (row, self.extracted(&decoded, row, named, graphs.as_ref()));
                let found: Vec<_> = rows.par_iter().map(one).collect();
                bar.inc(rows.len() as u64);
                for (row, found) in found {
                    match found? {
                        Extracted::Nothing => {}
                        Extracted::Files(kind, files) => {
                            for file in files {
                                let is_written =
                                    self.write(&package, row, kind, &file, &mut places, out)?;
                                written += u64::from(is_written);
                            }
                        }
                        // What was asked for by name must come.
                        Extracted::Refused(error) if named == Some(row) => return Err(error.into()),
                        Extracted::Refused(error) => {
                            passed += 1;
                            lacks_skeletons |= lacks_skeleton(&error);
                            self.pass_over(&package, row, &error, out)?;
                        }
                    }
                }
            }
        }
        bar.finish_and_clear();
        let wanted = self.kind.is_none_or(|kind| kind.is(ContentKind::Thumbnail));
        if wanted && !self.raw && self.object.is_none() {
            let (pictures, without) = self.thumbnails(&package, &mut places, out)?;
            (written, passed) = (written + pictures, passed + without);
        }
        places.finish(out)?;
        if written + passed == 0 && all > 0 {
            passed = all;
            let kind = self.kind.and_then(|kind| kind.to_possible_value());
            let kind = kind.map_or_else(|| CONTENT.to_owned(), |kind| kind.get_name().to_owned());
            let objects = count(all, "object is", "objects are");
            let reason = format!("{objects} no {kind}; --raw writes their bytes");
            match out.is_json() {
                true => out.object(&json!({ "not_extracted": reason }))?,
                false => out.line(format!("not extracted: {reason}"))?,
            }
        }
        if !out.is_json() {
            let verb = if self.dry_run { "would write" } else { "wrote" };
            let files = count(written, "file", "files");
            let folder = places.shown(&self.output);
            let mut rest = match passed {
                0 => String::new(),
                passed => format!("; {} not extracted", count(passed, "object", "objects")),
            };
            if places.failed() > 0 {
                rest += &format!("; {} not written", count(places.failed(), "file", "files"));
            }
            out.summary(format!("{verb} {files} to {folder}{rest}"))?;
            if lacks_skeletons && self.open.env.is_empty() {
                out.summary(format!("  next: {SKELETONS}"))?;
            }
        }
        let is_whole = passed == 0 && places.failed() == 0;
        Ok(if is_whole { Outcome::Fine } else { Outcome::Wrong })
    }

    /// What becomes of an object, which is decoded once.
    fn extracted(
        &self,
        package: &Package,
        row: usize,
        named: Option<usize>,
        graphs: Option<&GraphTexts<'_>>,
    ) -> unreal_packages::Result<Extracted> {
        let is_text =
            !self.raw && (self.is_graph() || named == Some(row) && is_graph(package, row));
        let kind = match is_text {
            true => Some(ContentKind::Graph),
            false => package.contents().content_kind(row)?,
        };
        let is_kind = |kind| match self.kind {
            Some(wanted) => wanted.is(kind),
            None => !is_model(package, row),
        };
        let wanted = self.raw || kind.is_some_and(is_kind);
        if !wanted && named != Some(row) {
            // A mesh is content as well, though nothing writes those of this class.
            let is_passed = kind.is_none() && self.kind.is_none() && is_mesh(package, row);
            return Ok(match is_passed {
                true => Extracted::Refused(no_content(package, row)),
                false => Extracted::Nothing,
            });
        }
        let files = match self.psk && is_shape(kind) {
            true => self.psk(package, row, kind),
            false => self.file_of(package, row, kind, graphs).map(|file| vec![file]),
        };
        let mut files = match files {
            Ok(files) => files,
            Err(error) => return Ok(Extracted::Refused(error)),
        };
        if self.all_mips && kind == Some(ContentKind::Texture) {
            match self.mips(package, row) {
                Ok(mips) => files.extend(mips),
                Err(error) => return Ok(Extracted::Refused(error)),
            }
        }
        Ok(Extracted::Files(kind, files))
    }

    /// A mesh, or an animation with its bones.
    fn mesh(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
    ) -> unreal_packages::Result<Mesh> {
        let objects = self.objects.get().map(|objects| objects as &dyn MeshObjects);
        let options = MeshOptions {
            lods: self.lod.unwrap_or_default(),
            folders: &[self.folder()],
            objects,
            known: Some(&self.skeletons),
            played: false,
            collision: self.collision,
        };
        match kind {
            Some(ContentKind::Animation) => package.animation(row, &options),
            _ => package.mesh(row, &options),
        }
    }

    /// A mesh or animation as files of Unreal's importers.
    fn psk(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
    ) -> unreal_packages::Result<Vec<ObjectFile>> {
        let file = |(suffix, made): (String, ActorXOutput)| {
            let note = (!made.notes.is_empty()).then(|| made.notes.join(", "));
            let extension = made.extension.to_owned();
            ObjectFile { suffix, extension, bytes: made.bytes, note }
        };
        let files = extract_psk::files(&self.mesh(package, row, kind)?);
        let files = files.map_err(|error| {
            let (path, class) = (package.exports().path(row), class_name(package, row));
            unreal_packages::Error::from(ErrorKind::Invalid {
                reason: format!("{path} ({class}): {error}"),
            })
        })?;
        Ok(files.into_iter().map(file).collect())
    }

    fn is_graph(&self) -> bool {
        matches!(self.kind, Some(KindArg::Graph))
    }

    /// The smaller sizes of a texture that are here, each as a picture.
    fn mips(&self, package: &Package, row: usize) -> unreal_packages::Result<Vec<ObjectFile>> {
        let contents = package.contents();
        let folder = self.folder();
        let mut files = Vec::new();
        for size in 1..contents.texture_sizes(row)?.len() {
            let (extension, bytes) = contents.texture_size_file(row, size, &[folder])?;
            let suffix = format!("~mip{size}");
            files.push(ObjectFile { suffix, extension, bytes, note: None });
        }
        Ok(files)
    }

    /// The folder of the package, where texture file caches lie.
    fn folder(&self) -> &Path {
        let folder = self.file.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new("."))
    }

    /// Writes the texts of a language as a table.
    fn texts(&self, texts: &Texts, out: &mut Output) -> CommandResult {
        let is_other = self.kind.is_some_and(|kind| !kind.is(ContentKind::Table));
        let is_other =
            is_other || self.dds || self.types || self.all_mips || self.lod.is_some() || self.psk;
        if self.object.is_some() || self.raw || is_other {
            let next = "name the file alone, with --tables at most; `upk get` prints single texts";
            let file = self.file.display();
            return Err(Failure::usage(format!(
                "'{file}' holds texts, no objects\n  next: {next}"
            )));
        }
        let table = texts.table()?;
        let bytes = table.file(self.tables)?;
        let mut places = Places::new(&self.output, self.overwrite, self.dry_run, out);
        let stem = self.file.file_stem().unwrap_or_default().to_string_lossy().replace('.', "_");
        let file = places.take(&stem, self.tables.slug())?;
        let is_written = places.try_write(&file, &bytes, out)?;
        places.finish(out)?;
        let (shown, rows) = (places.shown(&file), table.rows().len());
        match out.is_json() {
            true => out.object(&json!({ "kind": "table", "file": shown, "rows": rows,
                                        "bytes": bytes.len() }))?,
            false => {
                let verb = if self.dry_run { "would write" } else { "wrote" };
                let rows = count(rows as u64, "text", "texts");
                out.summary(format!("{verb} {rows} to {shown}"))?;
            }
        }
        Ok(if is_written { Outcome::Fine } else { Outcome::Wrong })
    }

    /// Writes the thumbnails to a folder of their own; how many were written, and how many not.
    fn thumbnails(
        &self,
        package: &Package,
        places: &mut Places,
        out: &mut Output,
    ) -> Result<(u64, u64), Failure> {
        let (mut written, mut passed) = (0, 0);
        for (row, thumbnail) in package.tables().thumbnails.iter().enumerate() {
            let path = thumbnail.object_path.text(package.source())?.into_owned();
            let file = match package.contents().thumbnail_file(row) {
                Ok(Some(file)) => file,
                // Many rows have no picture.
                Ok(None) => continue,
                Err(error) => {
                    passed += 1;
                    let reason = error.to_string();
                    match out.is_json() {
                        true => {
                            out.object(&json!({ "object": path, "kind": "thumbnail",
                                                "not_extracted": reason }))?;
                        }
                        false => out.line(format!("not extracted: {reason}"))?,
                    }
                    continue;
                }
            };
            let place = places.take(&format!("Thumbnails.{path}"), &file.extension)?;
            if !places.try_write(&place, &file.bytes, out)? {
                continue;
            }
            let shown = places.shown(&place);
            let bytes = file.bytes.len();
            match out.is_json() {
                true => out.object(&json!({ "object": path, "kind": "thumbnail", "file": shown,
                                            "bytes": bytes, "note": file.note }))?,
                false => {
                    let bytes = grouped(bytes as u64);
                    let note = file.note.map(|note| format!(" ({note})")).unwrap_or_default();
                    out.line(format!("thumbnail of {path} to {shown}, {bytes} bytes{note}"))?;
                }
            }
            written += 1;
        }
        Ok((written, passed))
    }

    /// The rows that are asked for, and the one that is asked for by name unless it is a group.
    fn rows(&self, package: &Package) -> Result<(Vec<usize>, Option<usize>), Failure> {
        let all = 0..package.exports().len();
        let row = match &self.object {
            Some(object) => Some(package.find_export(object)?),
            None => None,
        };
        if self.is_graph() {
            let graphs = match package.versions().has_node_text() {
                true => package.values().stored_graphs(row),
                false => Vec::new(),
            };
            let rows: Vec<usize> = graphs.iter().map(|graph| graph.row).collect();
            let _ = self.graphs.set(graphs);
            let named = row.filter(|row| rows.contains(row) || rows.is_empty());
            return Ok(named.map_or((rows, None), |row| (vec![row], Some(row))));
        }
        let Some(row) = row else { return Ok((all.collect(), None)) };
        let group = package.exports().path(row).to_ascii_lowercase() + ".";
        let inside =
            |row: &usize| package.exports().path(*row).to_ascii_lowercase().starts_with(&group);
        let rows: Vec<_> = all.filter(inside).collect();
        let is_content = package.contents().content_kind(row)?.is_some() || is_graph(package, row);
        match rows.is_empty() || is_content || self.raw {
            true => Ok((vec![row], Some(row))),
            false => Ok((rows, None)),
        }
    }

    fn file_of(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
        graphs: Option<&GraphTexts<'_>>,
    ) -> unreal_packages::Result<ObjectFile> {
        let file = |extension: &str, bytes, note| ObjectFile {
            suffix: String::new(),
            extension: extension.to_owned(),
            bytes,
            note,
        };
        if self.raw {
            return Ok(file("bin", package.body(row)?.to_vec(), None));
        }
        if kind.is_none() {
            return Err(no_content(package, row));
        }
        if kind == Some(ContentKind::Graph) {
            let known = self.graphs.get().and_then(|known| {
                Some(&known[known.binary_search_by_key(&row, |it| it.row).ok()?])
            });
            let made = match (graphs, known) {
                (Some(texts), Some(graph)) => texts.file(graph)?,
                _ => {
                    let graph = package.values().stored_graph(row)?;
                    package.contents().graph_texts()?.file(&graph)?
                }
            };
            return Ok(file(&made.extension, made.bytes, made.note));
        }
        if self.dds && kind == Some(ContentKind::Texture) {
            return Ok(file("dds", package.contents().texture_dds(row, &[self.folder()])?, None));
        }
        if kind == Some(ContentKind::Table) {
            let table = package.contents().table(row)?;
            let table = if self.types { table.with_types() } else { table };
            let bytes = table.file(self.tables)?;
            return Ok(file(self.tables.slug(), bytes, None));
        }
        if is_shape(kind) {
            let mesh = self.mesh(package, row, kind)?;
            let note = (!mesh.notes.is_empty()).then(|| mesh.notes.join(", "));
            return Ok(file("glb", mesh.to_glb()?, note));
        }
        package
            .contents()
            .content_file_beside(row, &[self.folder()])
            .map(|made| file(&made.extension, made.bytes, made.note))
    }

    fn write(
        &self,
        package: &Package,
        row: usize,
        kind: Option<ContentKind>,
        made: &ObjectFile,
        places: &mut Places,
        out: &mut Output,
    ) -> Result<bool, Failure> {
        let path = package.exports().path(row);
        let ObjectFile { suffix, extension, bytes, note } = made;
        let file = places.take_part(&path, suffix, extension)?;
        if !places.try_write(&file, bytes, out)? {
            return Ok(false);
        }
        let shown = places.shown(&file);
        let class = package.exports().get(row).map(|export| export.class()).unwrap_or_default();
        if out.is_json() {
            let kind = kind.filter(|_| !self.raw).map(|kind| kind.to_string());
            out.object(&json!({ "row": row, "object": path, "class": class, "kind": kind,
                                "file": shown, "bytes": bytes.len(), "note": note }))?;
            return Ok(true);
        }
        let note = note.as_ref().map_or(String::new(), |note| format!("; {note}"));
        out.line(format!(
            "{path} ({class}) to {shown}, {} bytes{note}",
            grouped(bytes.len() as u64)
        ))?;
        Ok(true)
    }

    fn pass_over(
        &self,
        package: &Package,
        row: usize,
        error: &unreal_packages::Error,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let reason = error.to_string();
        if out.is_json() {
            let path = package.exports().path(row);
            return out.object(&json!({ "row": row, "object": path, "not_extracted": reason }));
        }
        out.line(format!("not extracted: {reason}"))
    }
}

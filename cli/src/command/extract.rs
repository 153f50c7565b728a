//! `upk extract`: objects as files.

pub(super) mod around;
mod batches;
mod folder;
mod kind;
mod language;
mod object_file;
mod psk;
mod refused;
mod thumbnails;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde_json::json;
use unreal_packages::content::{ContentKind, PackageContents, TableFormat};
use unreal_packages::inspect::{PackageValues, StoredGraph};
use unreal_packages::mesh::{KnownSkeletons, MeshLods};
use unreal_packages::package::Package;
use unreal_packages::version::EngineFacts;

use self::around::Around;
use self::batches::batches;
use self::kind::{CONTENT, KindArg, class_name, has_named_class, is_graph, lacks_skeleton};
use self::object_file::{Extracted, ObjectFile};
use self::refused::NotExtracted;
use super::texts;
use crate::args::OpenArgs;
use crate::channel::ChannelArg;
use crate::containers;
use crate::failure::{CLASS_NAMES, CommandResult, Failure, Outcome, SKELETONS};
use crate::input;
use crate::output::{Output, count, grouped};
use crate::places::Places;
use crate::progress;

/// Write objects to files: textures as PNG, sounds as WAV, music as modules, meshes as glTF, texts and source
/// code; of UE4 and UE5 also tables, fonts and thumbnails
///
/// Files of texts (.locres, and .int and its kin of UE1 to UE3) and registries of assets (AssetRegistry.bin) become tables. Groups become folders. A texture with a palette becomes an indexed PNG with that palette, so that
/// `upk import` of the unchanged file changes nothing. Textures of UE4 and UE5 become the picture that
/// they were imported from, or once cooked their largest size that is here (HDR without bounds, slices
/// below each other); cooked sounds stay compressed as they are stored,
/// or become WAV files with --decode. Meshes become binary glTF (.glb) in metres,
/// with bones, frames and the pictures of their materials that are in the package or, with --env, in others; models
/// of brushes and levels come with --kind mesh or by name. Animations of UE3 to UE5 become binary glTF too, with the
/// bones of their skeleton, which --env finds: as they were imported, or cooked ones of UE3 and of UE4 up to 4.21 as
/// they are played. Graphs of blueprints come with --kind graph or by name, as the
/// text that their editor copies and pastes. What can't be extracted is reported with its reason, and the exit code is 1.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  upk extract Mine.utx -o Pictures
  upk extract Textures -o Pictures
  upk extract Mine.utx Walls.Rough -o Pictures
  upk extract Mine.u -o Out --kind text
  upk extract DT_Weapons.uasset -o Out --tables csv --types
  upk extract Game.locres -o Out --tables csv
  upk extract AssetRegistry.bin -o Out --tables csv
  upk extract M_Rock.uasset -o Out --kind thumbnail
  upk extract T_Sky.uasset -o Out --dds        a cube, array or volume too
  upk extract Rocks.usx -o Meshes --kind mesh --lod all
  upk extract Rocks.usx -o Meshes --kind mesh --psk
  upk extract BP_Lift.uasset BP_Lift.EventGraph -o Nodes --kind graph
  upk extract Mine.u '#12' -o Out --raw        the bytes as they stand in the package")]
pub struct Extract {
    /// The package, or a folder of packages, each of which gets a folder of its own
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
    /// Textures as DDS files: the texels of all sizes, as they are stored (cooked ones of UE4 and UE5, also cubes, arrays and
    /// volumes; no palettes)
    #[arg(long, conflicts_with = "raw")]
    dds: bool,
    /// Each size of textures as a picture of its own: Rough.png, Rough~mip1.png
    #[arg(long, conflicts_with_all = ["raw", "dds"])]
    all_mips: bool,
    /// One channel of textures, as brightness: Rough~alpha.png
    #[arg(long, value_enum, conflicts_with_all = ["raw", "dds", "all_mips"])]
    channel: Option<ChannelArg>,
    /// Sounds as WAV files, also those that are stored in Ogg Vorbis or ADPCM
    #[arg(long, conflicts_with = "raw")]
    decode: bool,
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
    /// What is found out about the package.
    #[arg(skip)]
    known: Arc<KnownPackage>,
    /// Whether it is one of a folder.
    #[arg(skip)]
    is_one_of_many: bool,
}

/// What is found out about a package while its objects are written.
#[derive(Debug, Default)]
struct KnownPackage {
    /// What materials of other packages are found with.
    objects: OnceLock<Around>,
    /// What its animations share.
    skeletons: KnownSkeletons,
    /// The graphs of the package, looked for once.
    graphs: OnceLock<Vec<StoredGraph>>,
}

/// What has become of objects.
#[derive(Debug, Default)]
struct ExtractSums {
    written: u64,
    /// Objects that are not extracted.
    passed: u64,
    /// Files that are not written.
    failed: u64,
    lacks_skeletons: bool,
    /// Whether an object's class is known by its hash alone.
    lacks_names: bool,
}

/// Why an object does not come out whose class is known by its hash alone.
const NAMELESS: &str = "nothing at hand names its class";

impl ExtractSums {
    fn add(&mut self, other: &Self) {
        self.written += other.written;
        self.passed += other.passed;
        self.failed += other.failed;
        self.lacks_skeletons |= other.lacks_skeletons;
        self.lacks_names |= other.lacks_names;
    }

    fn is_whole(&self) -> bool {
        self.passed + self.failed == 0
    }
}

fn table_formats() -> impl TypedValueParser<Value = TableFormat> {
    let slugs = TableFormat::ALL.iter().map(|format| format.slug());
    PossibleValuesParser::new(slugs).try_map(|slug| slug.parse::<TableFormat>())
}

/// `--lod`.
fn lods(text: &str) -> Result<MeshLods, String> {
    match text {
        "all" => Ok(MeshLods::All),
        _ => text.parse().map(MeshLods::One).map_err(|_| "a number from 0 on, or all".to_owned()),
    }
}

impl Extract {
    /// Writes one file after the other.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if self.file.is_dir() || containers::is_many(&self.file) {
            return self.folder_of_packages(out);
        }
        if let Some(texts) = texts::open(&self.file)? {
            return self.texts(&texts, out);
        }
        let sums = self.package(rayon::current_num_threads().max(1), out)?;
        self.report(&sums, "", out)?;
        Ok(if sums.is_whole() { Outcome::Fine } else { Outcome::Wrong })
    }

    /// Writes the objects of a package: files of so many are in memory at a time.
    fn package(&self, at_once: usize, out: &mut Output) -> Result<ExtractSums, Failure> {
        let package = self.open.open(&self.file)?;
        if let Some(environment) = self.open.environment(&self.file)? {
            let around = Around::new(environment);
            around.add(&package, &self.file);
            let _ = self.known.objects.set(around);
        }
        let (rows, named) = self.rows(&package)?;
        if self.raw && named.is_none() {
            package.exports().refuse_shared_bodies()?;
        }
        let mut places = Places::new(&self.output, self.overwrite, self.dry_run, out);
        let mut sums = ExtractSums::default();
        let all = rows.len() as u64;
        let bar =
            if self.is_one_of_many { None } else { Some(progress::bar(rows.len(), "objects")) };
        // Of a batch the decoded bodies are in memory.
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
                if let Some(bar) = &bar {
                    bar.inc(rows.len() as u64);
                }
                for (row, found) in found {
                    match found? {
                        Extracted::Nothing if !self.raw && !has_named_class(&package, row) => {
                            (sums.passed, sums.lacks_names) = (sums.passed + 1, true);
                            let path = &*package.exports().path(row);
                            let class = &*class_name(&package, row);
                            let object = NotExtracted::Object { row, path, class };
                            self.report_refused(&object, NAMELESS, out)?;
                        }
                        Extracted::Nothing => {}
                        Extracted::Files(kind, files) => {
                            for file in files {
                                let is_written =
                                    self.write(&package, row, kind, &file, &mut places, out)?;
                                sums.written += u64::from(is_written);
                            }
                        }
                        // What was asked for by name must come.
                        Extracted::Refused(error) if named == Some(row) => return Err(error.into()),
                        Extracted::Refused(error) => {
                            sums.passed += 1;
                            sums.lacks_skeletons |= lacks_skeleton(&error);
                            let path = &*package.exports().path(row);
                            let class = &*class_name(&package, row);
                            let object = NotExtracted::Object { row, path, class };
                            self.report_refused(&object, &error.to_string(), out)?;
                        }
                    }
                }
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let wanted = self.kind.is_none_or(|kind| kind.is(ContentKind::Thumbnail));
        if wanted && !self.raw && self.object.is_none() {
            let (pictures, without) = self.thumbnails(&package, &mut places, out)?;
            (sums.written, sums.passed) = (sums.written + pictures, sums.passed + without);
        }
        places.finish(out)?;
        sums.failed = places.failed();
        // A folder may have packages without any; one that is named should have some.
        if sums.written + sums.passed == 0 && all > 0 && !self.is_one_of_many {
            sums.passed = all;
            let kind = self.kind.and_then(|kind| kind.to_possible_value());
            let kind = kind.map_or_else(|| CONTENT.to_owned(), |kind| kind.get_name().to_owned());
            let objects = count(all, "object is", "objects are");
            let reason = format!("{objects} no {kind}; --raw writes their bytes");
            self.report_refused(&NotExtracted::AllObjects, &reason, out)?;
        }
        Ok(sums)
    }

    /// Says how much was written, `of` so many packages.
    fn report(&self, sums: &ExtractSums, of: &str, out: &mut Output) -> Result<(), Failure> {
        if out.is_json() {
            return Ok(());
        }
        let verb = if self.dry_run { "would write" } else { "wrote" };
        let files = count(sums.written, "file", "files");
        let folder = match input::is_standard(&self.output) {
            true => "standard output".to_owned(),
            false => self.output.display().to_string(),
        };
        let mut rest = match sums.passed {
            0 => String::new(),
            passed => format!("; {} not extracted", count(passed, "object", "objects")),
        };
        if sums.failed > 0 {
            rest += &format!("; {} not written", count(sums.failed, "file", "files"));
        }
        out.summary(format!("{verb} {files}{of} to {folder}{rest}"))?;
        if sums.lacks_skeletons && self.open.env.is_empty() {
            out.summary(format!("  next: {SKELETONS}"))?;
        }
        if sums.lacks_names {
            out.summary(format!("  next: {CLASS_NAMES}"))?;
        }
        Ok(())
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
            let _ = self.known.graphs.set(graphs);
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
            out.object(&self.of_package(json!({ "row": row, "object": path, "class": class,
                                                "kind": kind, "file": shown,
                                                "bytes": bytes.len(), "note": note })))?;
            return Ok(true);
        }
        let note = note.as_ref().map_or(String::new(), |note| format!("; {note}"));
        out.line(format!(
            "{path} ({class}) to {shown}, {} bytes{note}",
            grouped(bytes.len() as u64)
        ))?;
        Ok(true)
    }

    /// A line of JSON, with its package where there are several.
    fn of_package(&self, mut line: serde_json::Value) -> serde_json::Value {
        if self.is_one_of_many {
            line["package"] = json!(self.file.display().to_string());
        }
        line
    }
}

//! How fast packages of UE4 and UE5 are parsed and written, beside the crate `unreal_asset` on the same
//! files: both sides in turn, in one run, on one thread.
//!
//! ```text
//! cargo bench -p farchive-benches --bench ue4               # the heaviest maps and data tables of the corpus
//! cargo bench -p farchive-benches --bench ue4 -- FILE...    # these packages
//! cargo bench -p farchive-benches --bench ue4 -- --quick    # only shows that everything runs
//! cargo bench -p farchive-benches --bench ue4 -- --check    # fails when a bar is missed
//! ```
//! Parsing: from bytes to the tables and the typed form of every body; theirs leaves what classes add behind
//! the properties as bytes, ours does not. Writing: from that form to bytes; ours must be those of the file.
//! Files of which theirs gives up an object, or ours leaves properties as bytes, are left out.
//!
//! `UPK_CORPUS` names a folder with `modern/`; without one only a generated package is measured.

#[path = "support/clock.rs"]
mod clock;
#[path = "support/turns.rs"]
mod turns;

use std::cmp::Reverse;
use std::hint::black_box;
use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bytes::Bytes;
use clock::timed;
use turns::{compare, median};
use unreal_asset::Asset;
use unreal_asset::engine_version::EngineVersion;
use unreal_asset::exports::{Export, ExportNormalTrait};
use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, Package, SaveOptions};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::Value;
use unreal_packages::version::{EngineRelease, UnrealVersions};

/// Turns of one case; odd, so that there is a middle one.
const TURNS: usize = 15;
/// Files of the corpus that are measured.
const FILES: usize = 12;
/// How many times as fast as theirs ours must be, as the median over the files.
const BAR: f64 = 3.0;
/// Smaller files say nothing.
const SMALLEST: u64 = 4_000;

type Theirs = Asset<Cursor<Bytes>>;

/// One package, as both sides take it.
struct Sample {
    title: String,
    is_world_or_table: bool,
    header: Bytes,
    bodies: Option<Bytes>,
    options: OpenOptions,
    release: EngineVersion,
}

impl Sample {
    fn open(path: &Path) -> Option<Self> {
        let hint = hint(path);
        let options = hint.map_or_else(OpenOptions::new, |hint| OpenOptions::new().engine(hint));
        let package = options.open(path).ok()?;
        let versions = package.versions();
        let release = hint.or(versions.release());
        let release =
            release.unwrap_or_else(|| EngineRelease::of_versions(versions.ue4(), versions.ue5()));
        let is_table = |class: &str| class.ends_with(".World") || class.ends_with("DataTable");
        let is_world_or_table = package.exports().iter().any(|export| is_table(&export.class()));
        let file = Bytes::from(std::fs::read(path).ok()?);
        let bodies = package.split_at().map(|_| std::fs::read(path.with_extension("uexp")));
        Some(Self {
            title: path.file_name()?.to_string_lossy().into_owned(),
            is_world_or_table,
            header: file,
            bodies: bodies.transpose().ok()?.map(Bytes::from),
            options,
            release: theirs_of(release)?,
        })
    }

    fn size(&self) -> usize {
        self.header.len() + self.bodies.as_ref().map_or(0, Bytes::len)
    }

    /// Bytes to tables and typed bodies.
    fn ours(&self) -> Package {
        let opened = match &self.bodies {
            Some(bodies) => self.options.open_split(&self.header, bodies),
            None => self.options.open_bytes(self.header.clone()),
        };
        let mut package = opened.expect("a package");
        package.decode_all();
        package
    }

    /// The same for them.
    fn theirs(&self) -> Result<Theirs, unreal_asset::error::Error> {
        let bodies = self.bodies.clone().map(Cursor::new);
        Asset::new(Cursor::new(self.header.clone()), bodies, self.release)
    }

    /// What both sides do with it, or why the two can't be compared.
    fn work(&self) -> Result<Work, String> {
        let read = catch_unwind(AssertUnwindSafe(|| self.theirs()));
        let read = read.map_err(|_| "they panic".to_owned())?;
        let theirs = read.map_err(|error| format!("they say: {error}"))?;
        let exports = &theirs.asset_data.exports;
        if exports.iter().any(|export| matches!(export, Export::RawExport(_))) {
            return Err("they give up an object".to_owned());
        }
        let lists = exports.iter().filter_map(Export::get_normal_export);
        let (count, rest) = lists.fold((0, 0), |(count, rest), list| {
            (count + list.properties.len(), rest + list.extras.len())
        });
        let ours = self.ours();
        let mut work = Work { properties: 0, opaque: 0, their_rest: rest };
        for decoded in (0..ours.exports().len()).filter_map(|row| ours.decoded(row)) {
            work.opaque += decoded.opaque as usize;
            let Some(prologue) = &decoded.body.prologue else { continue };
            let list = &prologue.properties;
            if list.class().is_some() {
                return Err("properties without tags".to_owned());
            }
            work.properties += list.properties.len();
            let mut typed = true;
            prologue.properties.walk(&mut |value| typed &= !matches!(value, Value::Opaque(_)));
            if !typed {
                return Err("we keep a property as bytes".to_owned());
            }
        }
        assert!(work.properties >= count, "{}: they read {count} properties", self.title);
        let saved = ours.save(&SaveOptions::new()).expect("a package that can be saved");
        assert!(saved.bytes == ours.source(), "{}: saved as loaded", self.title);
        // They must be able to write, too.
        let write = catch_unwind(AssertUnwindSafe(|| written(&theirs)));
        write.ok().flatten().ok_or("they can't write it".to_owned())?;
        Ok(work)
    }
}

/// What both sides do with a package.
struct Work {
    properties: usize,
    /// Bytes that ours keeps as they are.
    opaque: usize,
    /// Bytes that theirs keeps as they are.
    their_rest: usize,
}

/// A file in memory.
type File = Cursor<Vec<u8>>;

/// Both files as they write them.
fn written(asset: &Theirs) -> Option<(File, Option<File>)> {
    let mut header = Cursor::new(Vec::new());
    let mut bodies = asset.asset_data.use_event_driven_loader.then(|| Cursor::new(Vec::new()));
    asset.write_data(&mut header, bodies.as_mut()).ok()?;
    Some((header, bodies))
}

/// Their name of a release: 4.0 is the third of theirs, 5.0 follows 4.27.
fn theirs_of(release: EngineRelease) -> Option<EngineVersion> {
    let first = match release.major() {
        4 => EngineVersion::VER_UE4_0,
        _ => EngineVersion::VER_UE5_0,
    };
    let last = EngineVersion::VER_UE5_2;
    EngineVersion::try_from(i32::from(first) + i32::from(release.minor()))
        .ok()
        .filter(|found| *found <= last)
}

fn main() -> ExitCode {
    let has = |flag| std::env::args().any(|argument| argument == flag);
    let turns = if has("--quick") { 1 } else { TURNS };
    let named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let mut files: Vec<PathBuf> = named.map(PathBuf::from).collect();
    let from_corpus = files.is_empty();
    if from_corpus {
        files = heaviest();
    }
    // They print what went wrong before they give up.
    std::panic::set_hook(Box::new(|_| {}));
    let found = files.iter().filter_map(|file| Sample::open(file));
    let mut left_out = Vec::new();
    let found = found.filter(|sample| !from_corpus || sample.is_world_or_table);
    let found = found.filter_map(|sample| match sample.work() {
        Ok(work) => Some((sample, work)),
        Err(reason) => {
            left_out.push(format!("{}: {reason}", sample.title));
            None
        }
    });
    let mut samples: Vec<_> = found.take(if from_corpus { FILES } else { usize::MAX }).collect();
    let _ = std::panic::take_hook();
    let generated = generated();
    match generated.work() {
        Ok(work) => samples.push((generated, work)),
        Err(reason) => left_out.push(format!("{}: {reason}", generated.title)),
    }
    println!(
        "| package | kB | properties | bytes kept, ours | theirs | parse, MB/s | theirs | times | write, MB/s | theirs | times |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut parse, mut write) = (Vec::new(), Vec::new());
    for (sample, work) in &samples {
        let size = sample.size();
        let parsed = compare(
            &mut || timed(|| sample.ours()),
            &mut || timed(|| sample.theirs().expect("checked before")),
            turns,
        );
        let mut package = sample.ours();
        let asset = sample.theirs().expect("checked before");
        let saved = compare(
            &mut || timed(|| SaveOptions::new().save(&mut package).expect("checked before").bytes),
            &mut || timed(|| written(black_box(&asset))),
            turns,
        );
        let rate = |milliseconds: f64| size as f64 / 1e3 / milliseconds;
        println!(
            "| {} | {} | {} | {} | {} | {:.0} | {:.0} | {:.1} | {:.0} | {:.0} | {:.1} |",
            sample.title,
            size / 1000,
            work.properties,
            work.opaque,
            work.their_rest,
            rate(parsed.0),
            rate(parsed.1),
            1.0 / parsed.2,
            rate(saved.0),
            rate(saved.1),
            1.0 / saved.2,
        );
        parse.push(1.0 / parsed.2);
        write.push(1.0 / saved.2);
    }
    let (parse, write) = (median(parse), median(write));
    let met = parse >= BAR && write >= BAR;
    println!("| median | | | | | | | {parse:.1} | | | {write:.1} |");
    println!("bar: {BAR:.0} times theirs, {}", if met { "met" } else { "missed" });
    for reason in left_out {
        println!("left out: {reason}");
    }
    if files.is_empty() {
        println!("only a generated package: no corpus (set UPK_CORPUS to a folder with modern/)");
    }
    if !met && has("--check") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Packages of the corpus, the largest first.
fn heaviest() -> Vec<PathBuf> {
    let corpus = std::env::var_os("UPK_CORPUS").map(PathBuf::from);
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/corpus"));
    let Ok(folder) = std::fs::read_dir(corpus.unwrap_or_else(default).join("modern")) else {
        return Vec::new();
    };
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |data| data.len());
    let whole = |path: &Path| size(path) + size(&path.with_extension("uexp"));
    let ends = |path: &Path, end| path.extension().is_some_and(|found| found == end);
    let mut files: Vec<_> = folder
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| ends(path, "umap") || ends(path, "uasset"))
        .filter(|path| whole(path) >= SMALLEST)
        .collect();
    files.sort_by_key(|path| Reverse((whole(path), path.clone())));
    files
}

/// The release that the list beside the file says, for packages without versions.
fn hint(path: &Path) -> Option<EngineRelease> {
    let list = std::fs::read_to_string(path.parent()?.join("manifest.tsv")).ok()?;
    let mut lines = list.lines().map(|line| line.split('\t'));
    let column = lines.next()?.position(|title| title == "engine_hint")?;
    let name = path.file_name()?.to_str()?;
    let mut row = lines.find(|row| row.clone().next() == Some(name))?;
    row.nth(column)?.parse().ok()
}

/// A package with many objects of plain properties, as 4.27 saves it.
fn generated() -> Sample {
    let release = EngineRelease::new(4, 27);
    let names = [
        "Health",
        "IntProperty",
        "Speed",
        "FloatProperty",
        "Title",
        "StrProperty",
        "Kind",
        "NameProperty",
        "Targets",
        "ArrayProperty",
        "ObjectProperty",
        "Place",
        "StructProperty",
        "Vector",
        "Active",
        "BoolProperty",
    ];
    // `None` comes first.
    let row = |text: &str| {
        let at = names.iter().position(|name| *name == text).map_or(0, |at| at as i32 + 1);
        [at.to_le_bytes(), [0; 4]].concat()
    };
    let tag = |name: &str, kind: &str, detail: &[u8], value: &[u8]| {
        let size = (value.len() as u32).to_le_bytes();
        [&row(name), &row(kind), &size[..], &[0; 4], detail, &[0], value].concat()
    };
    // Of headers with data for the editor they read those up to 4.18 only.
    let mut builder = Builder::for_release(release).flags(PackageFlags::FILTER_EDITOR_ONLY);
    for name in names {
        builder = builder.name(name);
    }
    for number in 0..4_000_u32 {
        let place: Vec<u8> =
            (0..3).flat_map(|axis| ((number * 3 + axis) as f32).to_le_bytes()).collect();
        let targets: Vec<u8> =
            [3, 1, 2, number % 50 + 1].iter().flat_map(|n: &u32| n.to_le_bytes()).collect();
        let title = format!("Thing {number:05}\0");
        let title = [&(title.len() as u32).to_le_bytes(), title.as_bytes()].concat();
        let body = [
            tag("Health", "IntProperty", &[], &number.to_le_bytes()),
            tag("Speed", "FloatProperty", &[], &(number as f32).to_le_bytes()),
            tag("Title", "StrProperty", &[], &title),
            tag("Kind", "NameProperty", &[], &row("Health")),
            tag("Targets", "ArrayProperty", &row("ObjectProperty"), &targets),
            tag("Place", "StructProperty", &[row("Vector"), vec![0; 16]].concat(), &place),
            tag("Active", "BoolProperty", &[1], &[]),
            row("None"),
            vec![0; 4],
        ]
        .concat();
        builder = builder.export(format!("Thing{number}"), "/Script/Game.Thing", body);
    }
    Sample {
        title: "4,000 generated objects".to_owned(),
        is_world_or_table: false,
        header: builder.build().expect("it can be built").into(),
        bodies: None,
        options: OpenOptions::new(),
        release: EngineVersion::VER_UE4_27,
    }
}

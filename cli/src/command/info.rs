//! `upk info`: the header, the tables and where everything stands.

use std::path::PathBuf;
use unreal_packages::inspect::{
    OpaquePart, coverage, folder_name, is_newer_than_known, main_asset, package_path,
};
use unreal_packages::package::Overlap;
use unreal_packages::package::checksum::saved_hash_is_right;

use clap::Args;
use serde_json::{Value, json};
use unreal_packages::package::{Package, ReleaseDetection, Section, SectionPlace};
use unreal_packages::version::{UnrealVersions, custom};
use unreal_packages::{EngineRelease, Guid};

use super::storage;
use super::version_facts::version_facts;
use crate::args::OpenArgs;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, flags, grouped};
use crate::{related, undecoded};

/// Show a package's header: versions, flags, GUID, tables, coverage, chunk map and section map
///
/// Of a save game (.sav) the engine, the class and what is in it; of texts of a language (.locres) their counts; of a registry of assets
/// (AssetRegistry.bin) what it lists. Packages that say no version are shown also where no engine release is known.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  upk info Engine.u
  upk info Engine.u --bodies            where every object stands
  upk info Slot1.sav                    a save game
  upk info Lamp.uasset --engine 5.4     cooked: says no version itself
  upk info Engine.u --json | jq .guid")]
pub struct Info {
    /// The package
    file: PathBuf,
    /// List every body and thumbnail in the section map instead of one row for all
    #[arg(long)]
    bodies: bool,
    #[command(flatten)]
    open: OpenArgs,
}

/// One row of the section map.
struct Row {
    section: String,
    start: u64,
    end: u64,
    /// Bytes; less than the range where a row stands for several places.
    size: u64,
    note: String,
}

impl Info {
    /// Prints what the header says.
    pub fn run(&self, out: &mut Output) -> CommandResult {
        if let Some(file) = related::open(&self.file)? {
            return file.info(&self.file, out);
        }
        let package = self.open.open_partly(&self.file)?;
        let rows = section_rows(&package, self.bodies);
        if out.is_json() {
            out.object(&self.as_json(&package, &rows))?;
        } else {
            self.print(&package, &rows, out)?;
        }
        Ok(Outcome::Fine)
    }

    fn print(&self, package: &Package, rows: &[Row], out: &mut Output) -> Result<(), Failure> {
        out.line(self.file.display())?;
        for (label, text) in facts(package) {
            out.line(format!("  {label:<12} {text}"))?;
        }
        if let Some(container) = package.container() {
            let image = package.source().len() as u64;
            for (at, line) in storage::lines(container, image).into_iter().enumerate() {
                let label = if at == 0 { "stored as" } else { "" };
                out.line(format!("  {label:<12} {line}"))?;
            }
        }
        let parts = undecoded::listed(package, OpaquePart::of(package));
        if !parts.is_empty() {
            out.line("  not decoded  what was expected, one line for each field of a class")?;
        }
        for line in undecoded::lines(&parts) {
            out.line(format!("    {line}"))?;
        }
        out.line("  sections")?;
        for row in rows {
            let place = format!("{:#010x}..{:#010x}", row.start, row.end);
            let size = grouped(row.size);
            out.line(format!("    {place} {size:>13}  {}  {}", row.section, row.note))?;
        }
        let overlaps = Overlap::of(package);
        if !overlaps.is_empty() {
            out.line("  overlaps     the first section has the bytes")?;
        }
        for overlap in overlaps {
            let (start, end) = (overlap.start, overlap.end);
            let (first, second) = (overlap.first, overlap.second);
            out.line(format!("    {start:#010x}..{end:#010x}  {first}, also claimed by {second}"))?;
        }
        Ok(())
    }

    fn as_json(&self, package: &Package, rows: &[Row]) -> Value {
        let summary = package.summary();
        let unversioned = summary.versions.unversioned();
        let sections: Vec<_> = rows
            .iter()
            .map(|row| {
                let (section, note) = (&row.section, &row.note);
                json!({ "section": section, "start": row.start, "end": row.end,
                        "size": row.size, "note": note })
            })
            .collect();
        let overlaps: Vec<_> = Overlap::of(package)
            .iter()
            .map(|overlap| {
                json!({ "first": overlap.first.to_string(), "second": overlap.second.to_string(),
                        "start": overlap.start, "end": overlap.end })
            })
            .collect();
        let mut facts = json!({
            "path": self.file.display().to_string(),
            "bytes": package.source().len(),
            "storage": package.container().map(|container| {
                storage::as_json(container, package.source().len() as u64)
            }),
        });
        let more = json!({
            "guid": guid(package),
            "folder": folder(package),
            "package": package_path(package),
            "asset": asset(package).map(|(path, class)| json!({ "path": path, "class": class })),
            "likely_release": likely_release(package),
            "release_problem": ReleaseDetection::of(package).and_then(ReleaseDetection::problem),
            "newer_than_known": is_newer_than_known(package),
            "saved_by": unversioned.map(|_| summary.saved_by.engine_version.to_string()),
            "custom_versions": custom_versions(package),
            "split_at": package.split_at(),
            "companions": package.companions(),
            "saved_hash_is_right": saved_hash_is_right(package),
            "engine_version": summary.engine_version,
            "cooker_version": summary.cooker_version,
            "total_header_size": summary.total_header_size,
            "tables": table_sizes(package).into_iter().collect::<serde_json::Map<_, _>>(),
            "generations": package.summary().generations,
            "heritage": package.tables().heritage,
            "coverage": coverage(package),
            "not_decoded": undecoded::listed(package, OpaquePart::of(package)),
            "sections": sections,
            "overlaps": overlaps,
        });
        if let (Value::Object(facts), Value::Object(more)) = (&mut facts, more) {
            facts.extend(version_facts(package));
            facts.extend(more);
        }
        facts
    }
}

/// What people want to know first, label and text.
fn facts(package: &Package) -> Vec<(&'static str, String)> {
    let (versions, summary) = (package.versions(), package.summary());
    let engine = versions.engine();
    let names = package.summary().package_flags.names(engine);
    let order = if versions.byte_order.is_big() { "big-endian" } else { "little-endian" };
    let tables: Vec<_> = table_sizes(package)
        .into_iter()
        .filter(|(_, rows)| *rows != 0)
        .map(|(table, rows)| format!("{rows} {}", table.replace('_', " ")))
        .collect();
    let coverage = coverage(package);
    let bytes = package.source().len() as u64;
    let share = |part: u64| {
        let percent = part as f64 * 100.0 / bytes.max(1) as f64;
        format!("{} ({percent:.1}%)", grouped(part))
    };
    let mut facts = vec![
        ("engine", engine.to_string()),
        ("version", format!("{versions}, {order}")),
        ("game", format!("{} ({})", versions.game(), versions.game().slug())),
        ("flags", flags(&names, package.summary().package_flags.0.into())),
        ("guid", guid(package).map_or_else(|| "none".to_owned(), |guid| guid.to_string())),
    ];
    if let Some(path) = package_path(package) {
        facts.push(("package", path));
    }
    if let Some(folder) = folder(package) {
        facts.push(("folder", folder));
    }
    if let Some((path, class)) = asset(package) {
        facts.push(("asset", format!("{path} ({class})")));
    }
    for (label, number) in
        [("saved by", summary.engine_version), ("cooked by", summary.cooker_version)]
    {
        if number != 0 {
            facts.push((label, format!("version {number}")));
        }
    }
    facts.extend(later_facts(package));
    facts.push(("tables", tables.join(", ")));
    for (at, generation) in package.summary().generations.iter().enumerate() {
        let text = format!(
            "{}: {} exports, {} names",
            at + 1,
            generation.export_count,
            generation.name_count
        );
        facts.push((if at == 0 { "generations" } else { "" }, text));
    }
    for (at, guid) in package.tables().heritage.iter().enumerate() {
        facts.push((if at == 0 { "heritage" } else { "" }, guid.to_string()));
    }
    facts.push(("bytes", grouped(bytes)));
    for (label, kind, part) in [
        ("coverage", "typed", coverage.typed),
        ("", "payload", coverage.payload),
        ("", "opaque", coverage.opaque),
        ("", "gap", coverage.gap),
    ] {
        facts.push((label, format!("{kind:<8}{}", share(part))));
    }
    facts
}

/// The editor's folder; from UE5.1 on the package's own path stands in its place.
fn folder(package: &Package) -> Option<String> {
    let stored = Some(folder_name(package)).filter(|folder| !folder.is_empty() && folder != "None");
    stored.filter(|folder| package_path(package).as_ref() != Some(folder))
}

/// The GUID; later packages of UE5 have none, and cooked ones of UE4 an empty one.
fn guid(package: &Package) -> Option<Guid> {
    Some(package.guid()).filter(|guid| *guid != Guid::default())
}

/// What a package of UE4 or UE5 is about: its main object and the class of it.
fn asset(package: &Package) -> Option<(String, String)> {
    let export = package.exports().get(main_asset(package)?)?;
    Some((export.path(), export.class()))
}

/// The release whose versions a package of UE4 or UE5 has, where it does not say by which it was saved.
fn likely_release(package: &Package) -> Option<String> {
    let versions = package.versions();
    package.summary().likely_release(versions).map(|release| release.to_string())
}

/// What only packages of UE4 and UE5 say.
fn later_facts(package: &Package) -> Vec<(&'static str, String)> {
    let summary = package.summary();
    let mut facts = Vec::new();
    if summary.saved_by.engine_version.major > 0 {
        facts.push(("saved by", summary.saved_by.engine_version.to_string()));
    } else if summary.saved_by.changelist > 0 {
        facts.push(("saved by", format!("changelist {}", summary.saved_by.changelist)));
    }
    if let Some(release) = likely_release(package) {
        facts.push(("release", format!("{release} or near it, by its versions")));
    }
    if let Some(release) = package.versions().release()
        && summary.versions.is_unversioned()
    {
        facts.push(("read as", read_as(package, release)));
    }
    if is_newer_than_known(package) {
        let text = "newer than any release that is known: read with the newest rules";
        facts.push(("warning", text.to_owned()));
    }
    for (at, (name, version)) in custom_versions(package).into_iter().enumerate() {
        facts.push((if at == 0 { "custom" } else { "" }, format!("{name} {version}")));
    }
    for (at, file) in package.companions().iter().enumerate() {
        let text = format!("{} ({} bytes)", file.path.display(), grouped(file.size));
        facts.push((if at == 0 { "beside it" } else { "" }, text));
    }
    if let Some(right) = saved_hash_is_right(package) {
        let text = if right { "is right" } else { "is not that of the file" };
        facts.push(("saved hash", text.to_owned()));
    }
    facts
}

/// Which release is used for a package that says none, and why.
fn read_as(package: &Package, release: EngineRelease) -> String {
    let Some(found) = ReleaseDetection::of(package) else {
        return format!("{release}, since the package says no version");
    };
    match (found.problem(), found.fits().len()) {
        (Some(problem), _) => format!("{release} as far as that goes: {problem}"),
        (None, 1) => format!("{release}, the only release whose header fits"),
        (None, _) if found.best().count() == 1 => format!("{release}, which reads most of it"),
        (None, _) => format!("{release}; {} read it alike", found.best_text()),
    }
}

/// The custom versions that the package lists, by their names or GUIDs.
fn custom_versions(package: &Package) -> Vec<(String, i32)> {
    let list = package.summary().custom_versions().rows();
    let name = |guid: &Guid| custom::name_of(guid).map_or(guid.to_string(), str::to_owned);
    list.iter().map(|(guid, version)| (name(guid), *version)).collect()
}

fn table_sizes(package: &Package) -> Vec<(String, Value)> {
    let further = &package.tables().further;
    [
        ("names", package.names().len()),
        ("imports", package.imports().len()),
        ("exports", package.exports().len()),
        ("heritage", package.tables().heritage.len()),
        ("depends", package.tables().depends.len()),
        ("import_guids", package.tables().import_guids.len()),
        ("export_guids", package.tables().export_guids.len()),
        ("thumbnails", package.tables().thumbnails.len()),
        ("soft_object_paths", package.tables().further.soft_object_paths.len()),
        ("soft_package_references", further.soft_package_references.len()),
        ("gatherable_text", further.gatherable_text.len()),
        ("preload_dependencies", further.preload_dependencies.len()),
        ("data_resources", further.data_resources.as_ref().map_or(0, |table| table.rows.len())),
    ]
    .map(|(table, rows)| (table.to_owned(), rows.into()))
    .into()
}

/// The section map; bodies and images in one row each unless all are wanted.
fn section_rows(package: &Package, all: bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut joined: Vec<(Joined, usize, u64)> = Vec::new();
    for place in package.sections() {
        let many = match place.section {
            Section::Body(row) if all => {
                rows.push(Row { note: package.exports().path(row as usize), ..one(&place) });
                continue;
            }
            Section::Body(_) => BODIES,
            Section::ThumbnailImage(_) if !all => IMAGES,
            _ => {
                rows.push(one(&place));
                continue;
            }
        };
        match joined.iter_mut().find(|(known, ..)| *known == many) {
            Some((_, at, number)) => {
                let row = &mut rows[*at];
                row.end = row.end.max(place.end());
                row.size += place.size;
                *number += 1;
            }
            None => {
                joined.push((many, rows.len(), 1));
                rows.push(Row { section: many.section.to_owned(), ..one(&place) });
            }
        }
    }
    for (many, at, number) in joined {
        rows[at].note = count(number, many.one, many.many);
    }
    rows
}

/// Sections of which a package has too many to show each.
#[derive(Clone, Copy, PartialEq)]
struct Joined {
    section: &'static str,
    one: &'static str,
    many: &'static str,
}

const BODIES: Joined = Joined { section: "bodies", one: "object", many: "objects" };
const IMAGES: Joined = Joined { section: "thumbnail_images", one: "image", many: "images" };

fn one(place: &SectionPlace) -> Row {
    let (start, end, size) = (place.start, place.end(), place.size);
    Row { section: place.section.to_string(), start, end, size, note: String::new() }
}

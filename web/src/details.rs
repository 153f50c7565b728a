//! What is known of a place.

use serde_json::{Value, json};
use unreal_packages::Guid;
use unreal_packages::archive::{Archived, References};
use unreal_packages::compression::ContainerForm;
use unreal_packages::content::{ContentKind, PackageContents};
use unreal_packages::inspect::{
    PackageValues, ReferencePlace, Referrer, folder_name, is_newer_than_known, main_asset,
    package_path,
};
use unreal_packages::package::checksum::saved_hash_is_right;
use unreal_packages::package::{Overlap, Package, Section};
use unreal_packages::primitive::{NameReferences, PackageIndex};
use unreal_packages::version::{UnrealVersions, custom};

use crate::curves;
use crate::failure::{Failure, Result};
use crate::fields;
use crate::graph;
use crate::level;
use crate::opened::Opened;
use crate::tree::{Key, grouped, title};

/// Places that are listed of one reference.
const MOST_PLACES: usize = 2_000;

/// What the page shows above everything else.
pub(crate) fn summary(opened: &Opened) -> Value {
    let package = opened.package();
    let versions = package.versions();
    json!({
        "name": opened.name,
        "engine": versions.engine().to_string(),
        "version": versions.to_string(),
        "game": versions.game().slug(),
        "release": versions.release(),
        "unversioned": package.summary().versions.is_unversioned() && versions.has_object_versions(),
        "newer": is_newer_than_known(package),
        "bytes": package.source().len(),
        "file": package.file().len(),
        "split": package.split_at(),
        "packed": package.container().map(|around| stored_as(around.form())),
        "big": versions.byte_order.is_big(),
        "names": package.names().len(),
        "imports": package.imports().len(),
        "exports": package.exports().len(),
        "rows": opened.tree_rows(0, 0)["total"],
        "map": level::is_in(package),
        "asset": main_asset(package).map(|row| Key::Export(row).to_string()),
        "sections": sections(package),
    })
}

/// How a package is stored that does not lie in its file as it is.
fn stored_as(form: ContainerForm) -> &'static str {
    match form {
        ContainerForm::Zen => "zen form",
        ContainerForm::Lineage { .. } => "encrypted",
        _ => "compressed",
    }
}

/// Where everything stands, bodies as one.
fn sections(package: &Package) -> Vec<Value> {
    let mut bodies: Option<(u64, u64)> = None;
    let mut all = Vec::new();
    for place in package.sections() {
        match place.section {
            Section::Body(_) => {
                let (start, end) = bodies.get_or_insert((place.start, place.end()));
                (*start, *end) = ((*start).min(place.start), (*end).max(place.end()));
            }
            Section::ThumbnailImage(_) => {}
            section => all.push((title(&section.to_string()), place.start, place.end())),
        }
    }
    all.extend(bodies.map(|(start, end)| ("Bodies".to_owned(), start, end)));
    all.sort_by_key(|(_, start, end)| (*start, *end));
    all.into_iter()
        .map(|(name, start, end)| json!({ "name": name, "start": start, "end": end }))
        .collect()
}

fn fact(label: &str, value: impl Into<String>) -> Value {
    json!({ "label": label, "value": value.into() })
}

/// A fact that leads somewhere.
fn linked(label: &str, package: &Package, index: PackageIndex) -> Option<Value> {
    let key = Key::of(index)?;
    Some(json!({ "label": label, "value": package.path(index), "link": key.to_string() }))
}

/// Everything about a place but its values.
pub(crate) fn of(opened: &mut Opened, key: &str) -> Result<Value> {
    let place = opened.key(key)?;
    let package = opened.package();
    let mut value = match place {
        Key::Header => header(package),
        Key::Names | Key::Imports | Key::Exports => table(package, place),
        Key::Table(section) => {
            let places = package.sections().into_iter().filter(|it| it.section == section);
            let (start, end) = places
                .fold((u64::MAX, 0), |(start, end), it| (start.min(it.start), end.max(it.end())));
            json!({ "title": title(&section.to_string()), "subtitle": "Table",
                    "facts": [fact("Bytes", grouped((end.saturating_sub(start)) as usize))],
                    "tabs": ["fields"], "range": [start.min(end), end] })
        }
        Key::Thumbnail(row) => json!({ "title": format!("Thumbnail {row}"), "subtitle": "Picture",
            "facts": thumbnail_facts(package, row), "tabs": ["picture"], "range": Value::Null }),
        Key::Name(row) => name(package, row)?,
        Key::Import(row) => import(package, row)?,
        Key::Export(row) => export(package, row)?,
    };
    value["key"] = json!(place.to_string());
    // Several objects may have one path.
    let path = value["path"].as_str().unwrap_or_default();
    let is_own = package.find(path).and_then(Key::of) == Some(place);
    value["address"] =
        if is_own { json!(format!("path:{path}")) } else { json!(place.to_string()) };
    Ok(value)
}

fn thumbnail_facts(package: &Package, row: usize) -> Vec<Value> {
    let thumbnail = package.tables().thumbnails.get(row);
    thumbnail.map(|it| vec![fact("Stored", format!("{it:?}"))]).unwrap_or_default()
}

fn missing(what: &str, row: usize) -> Failure {
    Failure::new(format!("there is no {what} {row}"), "Choose one in the tree.")
}

fn header(package: &Package) -> Value {
    let (versions, summary) = (package.versions(), package.summary());
    let engine = versions.engine();
    let order = if versions.byte_order.is_big() { "big-endian" } else { "little-endian" };
    let flags = summary.package_flags;
    let guid = Some(package.guid()).filter(|guid| *guid != Guid::default());
    let mut facts = vec![
        fact("Engine", engine.to_string()),
        fact("Version", format!("{versions}, {order}")),
        fact("Game", format!("{} ({})", versions.game(), versions.game().slug())),
        json!({ "label": "Flags", "value": words(&flags.names(engine), flags.0.into()), "flags": flags.names(engine),
                "edit": { "change": { "do": "package-flags" }, "field": "flags" } }),
    ];
    match guid {
        Some(guid) => facts.push(json!({ "label": "GUID", "value": guid.to_string(),
            "edit": { "change": { "do": "guid" }, "field": "guid" } })),
        None => facts.push(fact("GUID", "none")),
    }
    facts.extend(package_path(package).map(|path| fact("Package", path)));
    let folder = folder_name(package);
    if !folder.is_empty() && folder != "None" && package_path(package).as_ref() != Some(&folder) {
        facts.push(fact("Folder", folder));
    }
    let asset = main_asset(package).map(PackageIndex::export);
    facts.extend(asset.and_then(|index| linked("Asset", package, index)));
    for (label, number) in
        [("Saved by", summary.engine_version), ("Cooked by", summary.cooker_version)]
    {
        if number != 0 {
            facts.push(fact(label, format!("version {number}")));
        }
    }
    if summary.saved_by.engine_version.major > 0 {
        facts.push(fact("Saved by", summary.saved_by.engine_version.to_string()));
    }
    // Where nothing says the release, its versions do.
    if let Some(near) = summary.likely_release(versions) {
        facts.push(fact("Release", format!("{near} or near it, by its versions")));
    } else if let Some(release) = versions.release() {
        facts.push(fact("Read as", format!("{release}")));
    }
    if is_newer_than_known(package) {
        facts.push(fact(
            "Warning",
            "newer than any release that is known: read with the newest rules",
        ));
    }
    for (at, generation) in summary.generations.iter().enumerate() {
        let (exports, names) = (generation.export_count, generation.name_count);
        facts.push(fact(
            &format!("Generation {}", at + 1),
            format!("{exports} exports, {names} names"),
        ));
    }
    for (at, guid) in package.tables().heritage.iter().enumerate() {
        facts.push(fact(&format!("Heritage {}", at + 1), guid.to_string()));
    }
    for (guid, version) in summary.custom_versions().rows() {
        let name = custom::name_of(&guid).map_or(guid.to_string(), str::to_owned);
        facts.push(fact(&name, version.to_string()));
    }
    if let Some(right) = saved_hash_is_right(package) {
        facts.push(fact("Saved hash", if right { "is right" } else { "is not that of the file" }));
    }
    if let Some(container) = package.container() {
        let (file, image) = (container.file().len(), package.source().len());
        facts.push(fact(
            "Stored as",
            format!(
                "{:?}: {} bytes in a file of {}",
                container.form(),
                grouped(image),
                grouped(file)
            ),
        ));
    }
    for overlap in Overlap::of(package) {
        facts.push(fact(
            "Overlap",
            format!(
                "{:#x}..{:#x}: {} has the bytes, {} claims them as well",
                overlap.start, overlap.end, overlap.first, overlap.second
            ),
        ));
    }
    let end = package
        .sections()
        .iter()
        .find(|place| place.section == Section::Summary)
        .map(|it| it.end());
    let mut tabs = if level::is_in(package) { vec!["map"] } else { Vec::new() };
    tabs.extend(["sizes", "dependencies", "fields"]);
    json!({ "title": "Header", "subtitle": engine.to_string(), "facts": facts, "tabs": tabs,
            "range": [0, end.unwrap_or(0)] })
}

fn words(names: &[String], bits: u64) -> String {
    match names.is_empty() {
        true => "none (0x0)".to_owned(),
        false => format!("{} ({bits:#x})", names.join(" | ")),
    }
}

fn table(package: &Package, key: Key) -> Value {
    let (title, section, total, columns) = match key {
        Key::Names => {
            ("Names", Section::Names, package.names().len(), json!(["Row", "Name", "Flags"]))
        }
        Key::Imports => {
            ("Imports", Section::Imports, package.imports().len(), json!(["Row", "Path", "Class"]))
        }
        _ => (
            "Exports",
            Section::Exports,
            package.exports().len(),
            json!(["Row", "Path", "Class", "Offset", "Bytes"]),
        ),
    };
    let place = package.sections().into_iter().find(|place| place.section == section);
    json!({ "title": title, "subtitle": format!("{} rows", grouped(total)), "facts": [], "tabs": ["rows", "fields"],
            "columns": columns, "total": total,
            "range": place.map(|place| [place.start, place.end()]) })
}

/// Rows of the three main tables.
pub(crate) fn rows(opened: &mut Opened, key: &str, from: usize, count: usize) -> Result<Value> {
    let package = opened.package();
    let cells: Vec<Value> = match Key::parse(key)? {
        Key::Names => (from..from.saturating_add(count).min(package.names().len())).map(|row| {
            let flags = package.names().entries().get(row).map(|entry| entry.flags.0).unwrap_or(0);
            let name = package.names().get(row).unwrap_or_default();
            json!({ "key": Key::Name(row).to_string(), "cells": [row, name, format!("{flags:#x}")] })
        }).collect(),
        Key::Imports => (from..from.saturating_add(count).min(package.imports().len())).filter_map(|row| {
            let import = package.imports().get(row)?;
            Some(json!({ "key": Key::Import(row).to_string(), "cells": [row, import.path(), import.class()] }))
        }).collect(),
        Key::Exports => (from..from.saturating_add(count).min(package.exports().len())).filter_map(|row| {
            let export = package.exports().get(row)?;
            let offset = format!("{:#x}", export.offset());
            Some(json!({ "key": Key::Export(row).to_string(),
                         "cells": [row, export.path(), export.class(), offset, grouped(export.size() as usize)] }))
        }).collect(),
        _ => Vec::new(),
    };
    Ok(json!({ "from": from, "rows": cells }))
}

fn name(package: &Package, row: usize) -> Result<Value> {
    let entry = package.names().entries().get(row).ok_or_else(|| missing("name", row))?;
    let text = package.names().get(row).unwrap_or_default().into_owned();
    let facts = vec![
        json!({ "label": "Text", "value": text,
                "edit": { "change": { "do": "rename-name", "old": text }, "field": "new" } }),
        fact("Row", row.to_string()),
        fact(
            if package.versions().has_object_versions() { "Hashes" } else { "Flags" },
            format!("{:#x}", entry.flags.0),
        ),
    ];
    Ok(json!({ "title": text, "subtitle": "Name", "facts": facts, "tabs": ["references"],
               "range": fields::place(package, Section::Names, row) }))
}

fn import(package: &Package, row: usize) -> Result<Value> {
    let import = package.imports().get(row).ok_or_else(|| missing("import", row))?;
    let mut facts = vec![
        json!({ "label": "Path", "value": import.path(),
                "edit": { "change": { "do": "retarget", "old": import.path(), "class": import.class() }, "field": "new" } }),
        fact("Class", import.class()),
    ];
    facts.extend(linked("Outer", package, package.outer(import.index())));
    facts.push(fact("Reference", import.index().value().to_string()));
    Ok(
        json!({ "title": import.name(), "subtitle": format!("Import, {}", import.class()), "path": import.path(), "facts": facts,
               "tabs": ["references"], "range": fields::place(package, Section::Imports, row) }),
    )
}

fn export(package: &Package, row: usize) -> Result<Value> {
    let export = package.exports().get(row).ok_or_else(|| missing("export", row))?;
    let engine = package.versions().engine();
    let (entry, flags) = (export.entry(), export.flags());
    let object = format!("#{row}");
    let mut facts = vec![
        json!({ "label": "Name", "value": export.name(),
                "edit": { "change": { "do": "rename", "object": object }, "field": "name" } }),
        fact("Path", export.path()),
    ];
    match linked("Class", package, entry.class_index) {
        Some(class) => facts.push(class),
        None => facts.push(fact("Class", export.class())),
    }
    facts.extend(linked("Derives from", package, entry.super_index));
    facts.extend(linked("Outer", package, package.outer(export.index())));
    facts.extend(linked("Archetype", package, entry.archetype()));
    facts.push(json!({ "label": "Flags", "value": words(&flags.names(engine), flags.0), "flags": flags.names(engine),
        "edit": { "change": { "do": "object-flags", "object": object }, "field": "flags" } }));
    let (start, size) = (export.offset(), export.size());
    facts.push(fact(
        "Body",
        match size {
            0 => "none".to_owned(),
            size => format!("{} bytes at {start:#x}", grouped(size as usize)),
        },
    ));
    facts.push(json!({ "label": "Row", "value": row.to_string(),
                       "range": fields::place(package, Section::Exports, row) }));
    facts.push(fact("Reference", export.index().value().to_string()));
    let mut tabs = Vec::new();
    let mut notes = Vec::new();
    if size > 0 {
        let decoded = package.decode(row)?;
        if decoded.opaque > 0 || decoded.payload > 0 {
            facts.push(fact(
                "Coverage",
                format!(
                    "{} typed, {} payload, {} opaque",
                    grouped(size.saturating_sub(decoded.opaque + decoded.payload) as usize),
                    grouped(decoded.payload as usize),
                    grouped(decoded.opaque as usize)
                ),
            ));
        }
        notes.extend(decoded.error.as_ref().map(|error| error.to_string()));
        if package.values().properties(&object).is_ok() {
            tabs.push("properties");
        }
        match package.contents().content_kind(row) {
            Ok(Some(ContentKind::Texture)) => tabs.insert(0, "picture"),
            Ok(Some(ContentKind::Sound | ContentKind::Music)) => tabs.insert(0, "sound"),
            Ok(Some(ContentKind::Text)) => tabs.insert(0, "text"),
            Ok(Some(ContentKind::Table)) => tabs.insert(0, "table"),
            Ok(Some(ContentKind::Font)) => tabs.insert(0, "file"),
            Ok(Some(ContentKind::Mesh)) => tabs.insert(0, "mesh"),
            Ok(Some(ContentKind::Animation)) => tabs.insert(0, "animation"),
            _ => {}
        }
        let class = export.class();
        let class = class.rsplit('.').next().unwrap_or_default();
        let has_code = ["Class", "Function", "State", "DelegateFunction"].contains(&class)
            || class.ends_with("BlueprintGeneratedClass");
        if has_code {
            tabs.insert(0, "code");
        }
    }
    if size > 0 && curves::are_in(package, row) {
        tabs.insert(0, "curve");
    }
    if graph::is_in(package, row) {
        tabs.insert(0, "graph");
    }
    tabs.extend(["references"]);
    if size > 0 {
        tabs.push("fields");
    }
    Ok(
        json!({ "title": export.name(), "subtitle": export.class(), "path": export.path(), "object": object,
               "row": row, "facts": facts, "tabs": tabs, "notes": notes,
               "thumbnail": package.contents().thumbnail_of(row).map(|row| Key::Thumbnail(row).to_string()),
               "range": [start, start + size] }),
    )
}

/// Who refers to a place, and what it refers to.
pub(crate) fn references(package: &Package, key: &str) -> Result<Value> {
    let by = |section: Section| match section {
        Section::Body(row) => {
            (package.exports().path(row as usize), Some(Key::Export(row as usize).to_string()))
        }
        section => (format!("The table of {}", title(&section.to_string()).to_lowercase()), None),
    };
    let index = match Key::parse(key)? {
        Key::Name(row) => {
            let referrers: Vec<_> = Referrer::of_name(package, row)
                .into_iter()
                .map(|it| {
                    let (text, link) = by(it.section);
                    json!({ "text": text, "link": link, "count": it.count, "places": [] })
                })
                .collect();
            return Ok(json!({ "by": referrers, "to": [], "unseen": 0 }));
        }
        Key::Import(row) => PackageIndex::import(row),
        Key::Export(row) => PackageIndex::export(row),
        _ => return Ok(json!({ "by": [], "to": [], "unseen": 0 })),
    };
    let (places, unseen) = ReferencePlace::search(package, index);
    let mut groups: Vec<(Section, Vec<&ReferencePlace>)> = Vec::new();
    for place in places.iter().take(MOST_PLACES) {
        match groups.last_mut().filter(|(section, _)| *section == place.section) {
            Some((_, places)) => places.push(place),
            None => groups.push((place.section, vec![place])),
        }
    }
    let referrers: Vec<_> = groups
        .into_iter()
        .map(|(section, places)| {
            let (text, link) = by(section);
            let shown: Vec<_> = places.iter().take(20).map(|it| it.place.as_str()).collect();
            json!({ "text": text, "link": link, "count": places.len(), "places": shown })
        })
        .collect();
    let mut targets = Vec::new();
    if let Key::Export(row) = Key::parse(key)?
        && row < package.exports().len()
    {
        let mut references = References::new(package.versions().of_bodies());
        let mut decoded = package.decode(row)?.into_owned();
        // Visiting never fails: it neither reads nor writes.
        let _ = decoded.body.serialize(&mut references);
        for (index, count) in references.objects() {
            let index = PackageIndex::new(*index);
            if let Some(key) = Key::of(index) {
                targets.push(
                    json!({ "text": package.path(index), "link": key.to_string(), "count": count }),
                );
            }
        }
    }
    Ok(
        json!({ "by": referrers, "to": targets, "unseen": unseen.len(), "more": places.len() > MOST_PLACES }),
    )
}

//! Pictures, sounds, texts, tables, code.

use serde_json::{Value, json};
use unreal_packages::content::{ContentKind, PackageContents, TableFormat};
use unreal_packages::decompile::Decompiler;
use unreal_packages::inspect::script_lines;
use unreal_packages::object::Native;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;
use unreal_packages::script::{Script, ScriptString};
use unreal_packages::version::UnrealVersions;

use crate::answer::Answer;
use crate::failure::{Failure, Result};
use crate::tree::Key;

/// Rows of a table that are sent.
const MOST_ROWS: usize = 1_000;

/// A picture: pixels as red, green, blue, alpha, or a file in a format that browsers know. A texture's size stands
/// behind its place: `export:3@1`.
pub(crate) fn picture(package: &Package, key: &str) -> Result<Answer> {
    let (key, size) = key.split_once('@').unwrap_or((key, ""));
    let contents = package.contents();
    match Key::parse(key)? {
        Key::Thumbnail(row) => {
            let file = contents.thumbnail_file(row)?.ok_or_else(|| {
                Failure::new(format!("thumbnail {row} has no picture"), "Choose another one.")
            })?;
            Ok(Answer::with(&json!({ "form": file.extension }), file.bytes))
        }
        Key::Export(row) => {
            let sizes = contents.texture_sizes(row).unwrap_or_default();
            let image = match size.parse::<usize>() {
                Ok(size) => contents.texture_size_image(row, size),
                Err(_) => contents.texture_image(row),
            };
            let facts = contents.texture_facts(row).ok();
            let format = facts.as_ref().map(|facts| facts.format.to_string());
            match image {
                Ok(image) => {
                    let value = json!({ "form": "rgba", "width": image.width(), "height": image.height(),
                                        "sizes": sizes, "format": format });
                    Ok(Answer::with(&value, image.to_rgba().concat()))
                }
                // Its file holds more than what is shown.
                Err(_) => {
                    let image = contents.texture_shown(row, size.parse().ok())?;
                    let value = json!({ "form": "rgba", "width": image.width(), "height": image.height(),
                                        "sizes": sizes, "format": format, "reduced": true });
                    Ok(Answer::with(&value, image.to_rgba().concat()))
                }
            }
        }
        _ => Err(Failure::new("it is no picture", "Choose a texture or a thumbnail.")),
    }
}

/// The texels of a texture as they are stored.
pub(crate) fn dds(package: &Package, row: usize) -> Result<Answer> {
    Ok(Answer::with(&json!({}), package.contents().texture_dds(row, &[])?))
}

/// A table as a file.
pub(crate) fn table_file(package: &Package, row: usize, format: &str) -> Result<Answer> {
    let known = TableFormat::ALL.iter().find(|known| known.slug() == format);
    let format = known.ok_or_else(|| {
        Failure::new(format!("tables are no files of type '{format}'"), "Choose csv or json.")
    })?;
    Ok(Answer::with(&json!({}), package.contents().table(row)?.file(*format)?))
}

/// An object as file; tables as rows and columns, from a row on.
pub(crate) fn file(package: &Package, row: usize, from: usize) -> Result<Answer> {
    let contents = package.contents();
    if contents.content_kind(row)? == Some(ContentKind::Table) {
        let table = contents.table(row)?;
        let columns = table.columns();
        let rows: Vec<Value> = table
            .rows()
            .enumerate()
            .skip(from)
            .take(MOST_ROWS)
            .map(|(at, name)| {
                let cells: Vec<_> = columns.iter().map(|column| table.cell(at, column)).collect();
                json!({ "name": name, "cells": cells })
            })
            .collect();
        let total = table.rows().len();
        return Ok(Answer::of(
            &json!({ "kind": "table", "columns": columns, "rows": rows, "total": total }),
        ));
    }
    let file = contents.content_file(row)?;
    let name = package.object_name(unreal_packages::PackageIndex::export(row));
    let value = json!({ "kind": file.kind.to_string(), "extension": file.extension, "note": file.note, "name": name });
    Ok(Answer::with(&value, file.bytes))
}

/// Code as text: what a class carries, and what its bytecode says.
pub(crate) fn code(package: &Package, decompiler: &Decompiler, row: usize) -> Result<Value> {
    let text = match decompiler.class(row)? {
        Some(text) => text,
        None => match decompiler.state(row)? {
            Some(text) => text,
            None => decompiler.function(row)?,
        },
    };
    // Values that can't be read are said where the class is.
    let defaults = decompiler.defaults(row).ok().flatten();
    let decoded = package.decode(row)?;
    let strings = decoded.body.native.code().map(|code| strings(package, code)).unwrap_or_default();
    let lines = decoded.body.native.code().and_then(|code| script_lines(package, code).ok());
    Ok(
        json!({ "text": text, "defaults": defaults, "carried": carried(package, row), "listing": lines, "strings": strings,
               "language": if package.versions().has_object_versions() { "pseudo-code" } else { "UnrealScript" } }),
    )
}

/// The string constants of code, with their places.
fn strings(package: &Package, code: &Script) -> Vec<Value> {
    let versions = package.versions();
    let all = ScriptString::all(&code.items, versions);
    let one = |string: &ScriptString| {
        let text = string.text(&code.items, package.source(), versions.byte_order).ok()?;
        Some(json!({ "place": string.place, "text": text }))
    };
    all.iter().take(MOST_ROWS).filter_map(one).collect()
}

/// The place of the text that a class carries.
fn carried(package: &Package, row: usize) -> Option<String> {
    let decoded = package.decode(row).ok()?;
    let Native::Script(object) = &decoded.body.native else { return None };
    match object.structure()?.script_text.target() {
        ObjectRef::Export(text) if text < package.exports().len() => {
            Some(Key::Export(text).to_string())
        }
        _ => None,
    }
}

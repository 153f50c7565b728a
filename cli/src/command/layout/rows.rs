//! A layout as rows: for tables, pages and JSON.

use serde_json::{Value, json};
use unreal_packages::Versions;
use unreal_packages::archive::layout::{Bound, Field, Layout, Shape, Variant};
use unreal_packages::archive::print::rows::{self, FieldRow, condition, number, versions_text};
use unreal_packages::version::UnrealVersions;

use crate::output::table;

/// Versions that stand for all: what is fixed has one size in each.
pub fn eras() -> Vec<Versions> {
    let files = [61, 128, 178, 369, 868].map(|file| Versions::ue1_to_3(file, 0));
    files.into_iter().chain([Versions::ue4_and_5(342, 0), Versions::ue4_and_5(522, 1018)]).collect()
}

/// The fields that are there in these versions, or all of them; `start` is where they begin.
fn rows(
    fields: &'static [Field],
    start: Option<u64>,
    versions: Option<&Versions>,
) -> Vec<FieldRow> {
    rows::rows(fields, start, versions, &eras())
}

/// The type's path without the name of the library: `table::export::Export`.
pub fn path(layout: &Layout) -> String {
    layout.place_in_crate().to_owned()
}

/// The lines that `upk layout TYPE` prints.
pub fn lines(layout: &Layout, versions: Option<&Versions>) -> Vec<String> {
    let mut lines = vec![path(layout)];
    lines.extend(layout.doc.lines().map(|line| format!("  {line}")));
    match layout.shape {
        Shape::Struct { fields } => lines.extend(fields_table(fields, Some(0), versions)),
        Shape::Enum { repr, variants } => {
            lines.push(format!("  {repr}, then what follows it:"));
            for variant in variants.iter().filter(|it| versions.is_none_or(|v| it.is_in(v))) {
                let bounds = versions_text(if versions.is_none() { variant.bounds } else { &[] });
                let parts = [variant.doc.to_owned(), bounds];
                let parts: Vec<_> = parts.into_iter().filter(|it| !it.is_empty()).collect();
                let Variant { name, fields, .. } = variant;
                let value = variant.number();
                lines.push(format!("  {value} = {name}: {}", parts.join("; ")));
                if !fields.is_empty() {
                    let table = fields_table(fields, number(repr), versions);
                    lines.extend(table.into_iter().map(|line| format!("  {line}")));
                }
            }
        }
        Shape::Manual { fields, .. } => {
            lines.push(
                "  its function is written by hand; its parts as they are declared".to_owned(),
            );
            if !fields.is_empty() {
                lines.extend(fields_table(fields, None, versions));
            }
        }
    }
    lines
}

fn fields_table(
    fields: &'static [Field],
    start: Option<u64>,
    versions: Option<&Versions>,
) -> Vec<String> {
    let rows = rows(fields, start, versions);
    if rows.is_empty() {
        let version = if versions.is_some() { " in this version" } else { "" };
        return vec![format!("  no fields{version}")];
    }
    let cells = |row: &FieldRow| {
        vec![
            row.order.to_string(),
            row.offset.map(|offset| format!("{offset:#x}")).unwrap_or_default(),
            row.field.ty.to_owned(),
            row.field.name.to_owned(),
            // Of one version only what is there is shown.
            versions_text(if versions.is_none() { row.field.bounds } else { &[] }),
            condition(row.field),
            row.field.doc.to_owned(),
        ]
    };
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let header = ["#", "offset", "type", "field", "versions", "condition", "meaning"];
    // A column in which nothing stands is left out.
    let shown: Vec<usize> = (0..header.len())
        .filter(|&column| cells.iter().any(|row| row.get(column).is_some_and(|it| !it.is_empty())))
        .collect();
    let pick = |row: &[String]| shown.iter().filter_map(|&it| row.get(it).cloned()).collect();
    let cells: Vec<Vec<String>> = cells.iter().map(|row| pick(row)).collect();
    let header: Vec<&str> = shown.iter().filter_map(|&it| header.get(it).copied()).collect();
    let right: Vec<bool> = shown.iter().map(|&column| column < 2).collect();
    table(&header, &right, &cells).into_iter().map(|line| format!("  {line}")).collect()
}

/// The layout for scripts.
pub fn json(layout: &Layout, versions: Option<&Versions>) -> Value {
    let mut value = json!({ "type": path(layout), "doc": layout.doc });
    match layout.shape {
        Shape::Struct { fields } => {
            value["kind"] = "struct".into();
            value["fields"] = fields_json(fields, Some(0), versions);
        }
        Shape::Manual { fields, .. } => {
            value["kind"] = "by hand".into();
            value["fields"] = fields_json(fields, None, versions);
        }
        Shape::Enum { repr, variants } => {
            value["kind"] = "enum".into();
            value["repr"] = repr.into();
            let present = variants.iter().filter(|it| versions.is_none_or(|v| it.is_in(v)));
            let variant = |it: &'static Variant| {
                json!({
                    "name": it.name, "value": (!it.is_other).then_some(it.value), "doc": it.doc,
                    "bounds": bounds_json(it.bounds),
                    "fields": fields_json(it.fields, number(repr), versions),
                })
            };
            value["variants"] = present.map(variant).collect();
        }
    }
    value["size"] = versions.and_then(|versions| layout.size(versions)).into();
    value
}

fn fields_json(fields: &'static [Field], start: Option<u64>, versions: Option<&Versions>) -> Value {
    let field = |row: &FieldRow| {
        let Field { name, ty, doc, bounds, when, with, links, .. } = *row.field;
        let links = links.iter().filter_map(|link| link.layout()).map(path);
        json!({
            "order": row.order, "offset": row.offset, "name": name, "type": ty, "doc": doc,
            "bounds": bounds_json(bounds), "when": when, "with": with,
            "types": links.collect::<Vec<_>>(),
        })
    };
    rows(fields, start, versions).iter().map(field).collect()
}

fn bounds_json(bounds: &[Bound]) -> Value {
    let bound = |it: &Bound| json!({ "text": it.to_string(), "value": it.value, "name": it.name });
    bounds.iter().map(bound).collect()
}

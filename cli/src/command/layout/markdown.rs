//! The documentation of all formats as pages of Markdown: one a module, and an index.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;
use unreal_packages::Versions;
use unreal_packages::archive::layout::{Field, Layout, Link, Shape};

use super::rows::{self, Row};
use crate::failure::{CommandResult, Outcome};
use crate::output::{Output, count};
use crate::places::Places;

/// Writes all pages into `folder`.
pub fn write(
    folder: &Path,
    overwrite: bool,
    versions: Option<&Versions>,
    out: &mut Output,
) -> CommandResult {
    let mut pages: BTreeMap<String, Vec<&'static Layout>> = BTreeMap::new();
    for layout in super::all() {
        pages.entry(page_of(layout)).or_default().push(layout);
    }
    let mut places = Places::new(folder, overwrite, false, out);
    let index = places.take("README", "md")?;
    let mut files = vec![(index, index_page(&pages))];
    for (page, layouts) in &pages {
        // A dot parts folders from each other there.
        let file = places.take(&page.replace('/', "."), "md")?;
        files.push((file, module_page(page, layouts, versions)));
    }
    let types: usize = pages.values().map(Vec::len).sum();
    for (file, text) in &files {
        places.write(file, text.as_bytes())?;
    }
    places.finish(out)?;
    if out.is_json() {
        let folder = folder.display().to_string();
        out.object(&json!({ "folder": folder, "pages": files.len(), "types": types }))?;
    } else {
        let (pages, types) = (count(files.len() as u64, "page", "pages"), types as u64);
        let types = count(types, "type", "types");
        out.line(format!("{types} on {pages} in {}", folder.display()))?;
    }
    Ok(Outcome::Fine)
}

/// The page of a type's module: `table/export`.
fn page_of(layout: &Layout) -> String {
    let path = rows::path(layout);
    let module = path.rsplit_once("::").map_or("", |(module, _)| module);
    module.replace("::", "/")
}

fn name_of(layout: &Layout) -> &'static str {
    let place = layout.place();
    place.rsplit("::").next().unwrap_or(place)
}

fn index_page(pages: &BTreeMap<String, Vec<&'static Layout>>) -> String {
    let mut text = "# Formats\n\nEvery type that packages hold, by module. A version is the file \
                    version of UE1 to UE3 if nothing else is said.\n"
        .to_owned();
    for (page, layouts) in pages {
        text += &format!("\n## [{page}]({page}.md)\n\n| type | meaning |\n|---|---|\n");
        for layout in layouts {
            let (name, meaning) = (name_of(layout), cell(rows::sentence(layout.doc)));
            text += &format!("| [{name}]({page}.md#{}) | {meaning} |\n", name.to_lowercase());
        }
    }
    text
}

fn module_page(page: &str, layouts: &[&'static Layout], versions: Option<&Versions>) -> String {
    let index = "../".repeat(page.matches('/').count());
    let mut text = format!("# {page}\n\n[All formats]({index}README.md)\n");
    for layout in layouts {
        text += &format!("\n## {}\n", name_of(layout));
        for paragraph in layout.doc.lines() {
            text += &format!("\n{paragraph}\n");
        }
        match layout.shape {
            Shape::Struct { fields } => text += &fields_table(page, fields, Some(0), versions),
            Shape::Manual { fields, .. } => {
                text += "\nIts function is written by hand; its parts as they are declared.\n";
                if !fields.is_empty() {
                    text += &fields_table(page, fields, None, versions);
                }
            }
            Shape::Enum { repr, variants } => {
                text += &format!("\nStored as `{repr}`, then the fields of the variant.\n");
                text += "\n| value | variant | versions | meaning |\n|---|---|---|---|\n";
                let present = variants.iter().filter(|it| versions.is_none_or(|v| it.is_in(v)));
                for it in present.clone() {
                    let (bounds, doc) = (cell(&rows::versions_text(it.bounds)), cell(it.doc));
                    text += &format!("| {} | {} | {bounds} | {doc} |\n", it.value, it.name);
                }
                for it in present.filter(|it| !it.fields.is_empty()) {
                    text += &format!("\n### {}: {}\n", name_of(layout), it.name);
                    text += &fields_table(page, it.fields, rows::number(repr), versions);
                }
            }
        }
    }
    text
}

fn fields_table(
    page: &str,
    fields: &'static [Field],
    start: Option<u64>,
    versions: Option<&Versions>,
) -> String {
    let rows = rows::rows(fields, start, versions);
    if rows.is_empty() {
        return "\nNo fields.\n".to_owned();
    }
    let mut text = "\n| # | offset | type | field | versions | condition | meaning |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for Row { order, offset, field } in rows {
        let offset = offset.map(|offset| format!("{offset:#x}")).unwrap_or_default();
        let ty = type_cell(page, field);
        let versions = cell(&rows::versions_text(field.bounds));
        let condition = rows::condition(field);
        let condition =
            if condition.is_empty() { condition } else { format!("`{}`", cell(&condition)) };
        let (name, doc) = (field.name, cell(field.doc));
        text +=
            &format!("| {order} | {offset} | {ty} | {name} | {versions} | {condition} | {doc} |\n");
    }
    text
}

/// Text that a table can hold.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// A type in which each name leads to the name's own table.
fn type_cell(page: &str, field: &Field) -> String {
    let links: Vec<_> = field.links.iter().filter_map(Link::layout).collect();
    let mut text = String::new();
    let mut rest = field.ty;
    while !rest.is_empty() {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let word = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        if word == 0 {
            let sign = rest.chars().next().unwrap_or_default();
            match sign {
                '<' => text += "&lt;",
                '>' => text += "&gt;",
                '|' => text += "\\|",
                '[' | ']' => text.extend(['\\', sign]),
                _ => text.push(sign),
            }
            rest = &rest[sign.len_utf8()..];
            continue;
        }
        let (name, behind) = rest.split_at(word);
        match links.iter().find(|layout| name_of(layout) == name) {
            Some(layout) if unreal_packages::is_own_layout(layout) => {
                let target = relative(page, &page_of(layout));
                text += &format!("[{name}]({target}#{})", name.to_lowercase());
            }
            _ => text += name,
        }
        rest = behind;
    }
    text
}

/// The path from one page to another; nothing within one.
fn relative(from: &str, to: &str) -> String {
    match from == to {
        true => String::new(),
        false => format!("{}{to}.md", "../".repeat(from.matches('/').count())),
    }
}

//! The layouts that fields belong to.

use serde_json::{Value, json};
use unreal_packages::archive::layout::{Bound, Field, Layout, Link, Shape};

use crate::failure::{Failure, Result};

fn name_of(layout: &Layout) -> String {
    layout.place_in_crate().to_owned()
}

fn bounds(bounds: &[Bound]) -> String {
    let one = |bound: &Bound| match bound.name {
        Some(name) if !bound.to_string().contains(name) => format!("{bound} ({name})"),
        _ => bound.to_string(),
    };
    bounds.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// What is known of a field by its path: the type that it belongs to, its bounds, what it means.
pub(crate) fn field(path: &str, class: Option<&str>) -> Option<Value> {
    let steps: Vec<&str> =
        path.split('.').map(|step| step.split('[').next().unwrap_or(step)).collect();
    let (root, rest) = steps.split_first()?;
    let starts: Vec<&'static Layout> = match class {
        Some(class) => {
            let class = class.rsplit('.').next().unwrap_or_default();
            let mut starts = layouts_called(class);
            starts.extend(layouts_called("Body"));
            starts
        }
        None => {
            let name = match *root {
                "summary" => "Summary",
                "names" => "NameEntry",
                "imports" => "Import",
                "exports" => "Export",
                _ => "",
            };
            match name.is_empty() {
                true => layouts_called(&camel(root)),
                false => layouts_called(name),
            }
        }
    };
    let mut depth = 0;
    for layout in starts {
        for skip in 0..rest.len() {
            if let Some((layout, field)) = walk(layout, &rest[skip..], &mut depth) {
                return Some(json!({
                    "layout": name_of(layout),
                    "field": field.name,
                    "type": field.ty,
                    "doc": field.doc,
                    "bounds": bounds(field.bounds),
                    "when": field.when,
                }));
            }
        }
    }
    None
}

/// `soft_package_references` as the name of a row's type.
fn camel(step: &str) -> String {
    let step = step.strip_suffix('s').unwrap_or(step);
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    step.split('_').map(word).collect()
}

fn layouts_called(name: &str) -> Vec<&'static Layout> {
    unreal_packages::find_layouts(name).iter().filter_map(Link::layout).collect()
}

/// Follows field names through layouts.
fn walk(
    layout: &'static Layout,
    steps: &[&str],
    depth: &mut usize,
) -> Option<(&'static Layout, &'static Field)> {
    const MOST: usize = 4_000;
    *depth += 1;
    if *depth > MOST {
        return None;
    }
    let (step, rest) = steps.split_first()?;
    let field = layout.fields().find(|field| field.name == *step)?;
    if rest.is_empty() {
        return Some((layout, field));
    }
    for inner in field.links.iter().filter_map(Link::layout) {
        if let Some(found) = walk(inner, rest, depth) {
            return Some(found);
        }
    }
    // The rest belongs to a value whose parts have no names of their own.
    Some((layout, field))
}

/// A layout as a page.
pub(crate) fn page(name: &str) -> Result<Value> {
    let found = layouts_called(name);
    let layout =
        found.iter().find(|layout| name_of(layout) == name).or(found.first()).ok_or_else(|| {
            Failure::new(format!("no layout is called {name}"), "Choose a field.")
        })?;
    let row = |field: &Field| {
        let linked = field.links.iter().filter_map(Link::layout).next().map(name_of);
        json!({ "name": field.name, "type": field.ty, "doc": field.doc, "bounds": bounds(field.bounds),
                "when": field.when, "link": linked })
    };
    let shape = match layout.shape {
        Shape::Struct { .. } => "Its fields, one after the other.",
        Shape::Enum { .. } => "A number, then the fields of the variant that it stands for.",
        Shape::Manual { .. } => "Its function is written by hand; its parts as they are declared.",
    };
    let fields: Vec<_> = layout.fields().map(row).collect();
    Ok(json!({ "name": name_of(layout), "doc": layout.doc, "shape": shape, "fields": fields }))
}

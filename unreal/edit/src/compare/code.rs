//! Code: the lines of its source that differ, or of its listing.

use super::canonical::{numbered, numbered_source};
use super::lines::{LineHunk, line_hunks};
use super::{Difference, FieldDifference, Side};
use crate::decompile::native_name;
use crate::inspect::script_lines_with;
use crate::object::{Body, Native};

/// Takes the code of both bodies out and compares it: as source where both sides have some, with labels that are
/// counted, so that what stands in front of one does not change it.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    [(before, old_body), (after, new_body)]: [(usize, &mut Body); 2],
) -> Vec<Difference> {
    let (a, b) = (listing(old, old_body), listing(new, new_body));
    if a == b {
        return Vec::new();
    }
    if !old.has_plain_code {
        let found = source_differences(old, new, (before, after));
        if !found.is_empty() {
            return found;
        }
        // What source does not say: the code of what has none, and how the same is stored.
        let (a, b) = (numbered(&a.join("\n")), numbered(&b.join("\n")));
        let found = line_hunks(&a, &b);
        if !found.is_empty() {
            return as_differences(found);
        }
    }
    let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[first..], &b[first..]);
    let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - last], &b[..b.len() - last]);
    vec![Difference::Code { line: first, old: a.to_vec(), new: b.to_vec() }]
}

/// Whether a field is an item of code that can't be listed, as that of blueprints.
pub(super) fn is_item(field: &FieldDifference) -> bool {
    field.field.starts_with("script[") || field.field.contains(".script[")
}

/// The lines of the source of code that differ; none where one side has none.
pub(super) fn source_differences(
    old: &Side<'_>,
    new: &Side<'_>,
    (before, after): (usize, usize),
) -> Vec<Difference> {
    let sources = || Some((source(old, before)?, source(new, after)?));
    as_differences(sources().map(|(old, new)| line_hunks(&old, &new)).unwrap_or_default())
}

fn as_differences(hunks: Vec<LineHunk>) -> Vec<Difference> {
    let one =
        |hunk: LineHunk| Difference::Code { line: hunk.old_line, old: hunk.old, new: hunk.new };
    hunks.into_iter().map(one).collect()
}

/// The code of an object as a reader writes it; `None` where it has none that is source.
fn source(side: &Side<'_>, row: usize) -> Option<String> {
    let source = side.decompiler().function(row).ok()?;
    // A function that claims to have no code is a declaration there.
    source.trim_end().ends_with('}').then(|| numbered_source(&source))
}

/// The code of an object item by item, which is taken out of it.
fn listing(side: &Side<'_>, body: &mut Body) -> Vec<String> {
    let Native::Script(object) = &mut body.native else { return Vec::new() };
    let Some(structure) = object.structure_mut() else { return Vec::new() };
    // Code that can't be listed stays, and is compared item by item.
    let name = |number| native_name(number, side.package.versions());
    let lines = script_lines_with(side.package, &structure.script, name);
    let Ok(lines) = lines else { return Vec::new() };
    structure.script.items = Vec::new();
    lines
}

//! A layout as rows: what tables, pages and patterns are printed from.

use crate::archive::layout::{Bound, Field, Layout};
use crate::version::Versions;

/// One field, as a table shows it.
#[derive(Debug, Clone, Copy)]
pub struct FieldRow {
    /// Its place among the fields that are there.
    pub order: usize,
    /// Bytes from the start of the value, as long as everything before has one size.
    pub offset: Option<u64>,
    /// The field.
    pub field: &'static Field,
}

/// The fields that are there in these versions, or all of them; `start` is where they begin. Of all versions a field
/// has a size where it has the same in each of `eras`.
pub fn rows(
    fields: &'static [Field],
    start: Option<u64>,
    versions: Option<&Versions>,
    eras: &[Versions],
) -> Vec<FieldRow> {
    let present = fields.iter().filter(|field| versions.is_none_or(|it| field.is_in(it)));
    let mut offset = start;
    let row = |(at, field): (usize, &'static Field)| {
        let row = FieldRow { order: at + 1, offset, field };
        offset = offset.zip(size(field, versions, eras)).map(|(offset, size)| offset + size);
        row
    };
    present.enumerate().map(row).collect()
}

fn size(field: &Field, versions: Option<&Versions>, eras: &[Versions]) -> Option<u64> {
    if let Some(versions) = versions {
        return field.size(versions);
    }
    let mut sizes = eras.iter().map(|versions| field.size(versions));
    let first = sizes.next()?.filter(|_| field.bounds.is_empty())?;
    sizes.all(|size| size == Some(first)).then_some(first)
}

/// The first sentence of a text.
pub fn sentence(doc: &str) -> &str {
    let line = doc.lines().next().unwrap_or_default();
    line.find(". ").map_or(line, |end| line.get(..=end).unwrap_or(line))
}

/// Bounds as people read them; nothing where it is in every version.
pub fn versions_text(bounds: &[Bound]) -> String {
    bounds.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Condition and other form, as people read them.
pub fn condition(field: &Field) -> String {
    let when = field.when.map(|it| format!("when {it}"));
    let with = field.with.map(|it| match it.starts_with("count = ") || it.starts_with("tag = ") {
        true => it.to_owned(),
        false => format!("stored by {it}"),
    });
    when.into_iter().chain(with).collect::<Vec<_>>().join("; ")
}

/// Bytes of an integer by its name: `u8` to `i64`.
pub fn number(repr: &str) -> Option<u64> {
    repr.get(1..)?.parse::<u64>().ok().map(|bits| bits / 8)
}

/// The name of a type's definition: without modules and parameters.
pub fn name_of(layout: &Layout) -> &'static str {
    let place = layout.place();
    place.rsplit("::").next().unwrap_or(place)
}

/// The parts of `[element; count]`.
pub fn array(ty: &str) -> Option<(&str, u64)> {
    let (element, count) = ty.strip_prefix('[')?.strip_suffix(']')?.rsplit_once("; ")?;
    Some((element, count.parse().ok()?))
}

/// The name and the parameters of `Name<A, B>`.
pub fn generic(ty: &str) -> Option<(&str, Vec<&str>)> {
    let (outer, inner) = ty.strip_suffix('>')?.split_once('<')?;
    let (mut arguments, mut depth, mut start) = (Vec::new(), 0_u32, 0);
    for (at, sign) in inner.char_indices() {
        match sign {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                arguments.push(inner.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    arguments.push(inner.get(start..)?.trim());
    Some((outer.rsplit("::").next().unwrap_or(outer), arguments))
}

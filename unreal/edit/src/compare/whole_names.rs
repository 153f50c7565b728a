//! Names that have their number in the text of their row: `Foo_85` as one row is another name for the engines than
//! `Foo` with the number 86, though both have one text.

use std::collections::HashMap;

use super::{FieldDifference, Side};
use crate::archive::Archived;
use crate::object::Body;
use crate::primitive::{Name, Visit, Visitor, Way};
use crate::version::UnrealVersions;

/// The words behind such a name.
pub(super) const WHOLE: &str = ", one row";

/// Whether a name has its number in the text of its row.
pub(super) fn is_whole(side: &Side<'_>, name: Name) -> bool {
    name.number == 0
        && side.package.versions().has_name_numbers()
        && usize::try_from(name.index.value())
            .ok()
            .and_then(|row| side.package.names().get(row))
            .is_some_and(|text| Name::split(&text).is_some())
}

/// The names that may have a number, by the paths of their fields.
struct NumberedNames<'s, 'a> {
    side: &'s Side<'a>,
    /// The text, and whether it is that of one row.
    found: Vec<(String, String, bool)>,
}

impl Visitor for NumberedNames<'_, '_> {
    fn name(&mut self, name: &mut Name, path: &Way) {
        let is_whole = is_whole(self.side, *name);
        if is_whole || name.number > 0 {
            let (path, text) = (path.to_string(), self.side.package.name_text(*name));
            self.found.push((path, text, is_whole));
        }
    }
}

fn names_of(side: &Side<'_>, value: &mut impl Archived) -> Vec<(String, String, bool)> {
    if !side.package.versions().has_name_numbers() {
        return Vec::new();
    }
    let (versions, context) = (side.package.versions().of_bodies(), side.context.clone());
    let mut names = NumberedNames { side, found: Vec::new() };
    // Visiting never fails: it neither reads nor writes.
    let _ = value.serialize(&mut Visit::new(&mut names, versions, context));
    names.found
}

/// The names of a body that are whole, by the paths of their fields.
pub(super) fn texts(side: &Side<'_>, body: &mut Body) -> impl Iterator<Item = (String, String)> {
    let names = names_of(side, body).into_iter().filter(|(.., is_whole)| *is_whole);
    names.map(|(path, text, _)| (path, format!("{text}{WHOLE}")))
}

/// A name and how it is stored.
fn shown(text: &str, is_whole: bool) -> Option<String> {
    let whole = if is_whole { WHOLE } else { "" };
    Some(format!("{text}{whole}"))
}

/// The names of two bodies that have one text, and on one side alone their number in it.
pub(super) fn differences(
    old: &Side<'_>,
    new: &Side<'_>,
    [before, after]: [&mut Body; 2],
) -> Vec<FieldDifference> {
    let (before, after) = (names_of(old, before), names_of(new, after));
    let mut left: HashMap<(&str, &str), Vec<bool>> = HashMap::new();
    for (path, text, is_whole) in after.iter().rev() {
        left.entry((path, text)).or_default().push(*is_whole);
    }
    let mut found = Vec::new();
    for (path, text, was) in &before {
        let is = left.get_mut(&(path.as_str(), text.as_str())).and_then(Vec::pop);
        if let Some(is) = is.filter(|is| is != was) {
            found.push(FieldDifference::of(path, shown(text, *was), shown(text, is)));
        }
    }
    found
}

/// The same of the objects' own names.
pub(super) fn own(old: &Side<'_>, new: &Side<'_>, rows: (usize, usize)) -> Option<FieldDifference> {
    let name = |side: &Side<'_>, row: usize| {
        side.package.exports().entries().get(row).map(|export| export.object_name)
    };
    let (before, after) = (name(old, rows.0)?, name(new, rows.1)?);
    let (was, is) = (is_whole(old, before), is_whole(new, after));
    let [old, new] = [(old, before, was), (new, after, is)]
        .map(|(side, name, is_whole)| shown(&side.package.name_text(name), is_whole));
    // Other texts are a renaming.
    let is_one = old.as_deref().map(plain) == new.as_deref().map(plain);
    (was != is && is_one).then(|| FieldDifference::of("object_name", old, new))
}

fn plain(text: &str) -> String {
    text.trim_end_matches(WHOLE).to_ascii_lowercase()
}

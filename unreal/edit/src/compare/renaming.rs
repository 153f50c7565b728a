//! Packages of UE4 and UE5 with another name than before: what follows from it is no difference.

use super::{Difference, FieldDifference, Side};
use crate::inspect::folder_name;
use crate::package::{PathMap, family};

/// Notes what the paths of the old package have become; says so in fields of the header where no other does.
pub(super) fn find(old: &mut Side<'_>, new: &Side<'_>) -> Vec<FieldDifference> {
    let asset = |side: &Side<'_>| {
        let name = side.package.exports().get(crate::inspect::main_asset(side.package)?)?.name();
        Some(name.strip_suffix("_C").unwrap_or(&name).to_owned())
    };
    let mut found = Vec::new();
    let (Some(before), Some(after)) = (asset(old), asset(new)) else { return found };
    let paths = [&*old, new].map(|side| crate::inspect::package_path(side.package));
    let [before_path, after_path] = paths.clone().map(Option::unwrap_or_default);
    let has = |side: &Side<'_>, name: &str| {
        let names = side.package.exports();
        names.iter().any(|export| export.path().eq_ignore_ascii_case(name))
    };
    // Both under one name would be another object.
    let is_renamed = before != after
        && (before.eq_ignore_ascii_case(&after) || !has(new, &before) && !has(old, &after));
    let is_moved = before_path != after_path && !before_path.is_empty() && !after_path.is_empty();
    if !is_renamed && !is_moved {
        return found;
    }
    let mut note = |field: &str, old: &str, new: &str| {
        found.push(FieldDifference::of(field, Some(old.to_owned()), Some(new.to_owned())));
    };
    if is_renamed {
        note("main asset", &before, &after);
    }
    if is_moved && !folder_name(old.package).starts_with('/') {
        note("package path", &before_path, &after_path);
    }
    let mut objects = if is_renamed { family(&before, &after) } else { Vec::new() };
    // The blueprint of a level is called like its world.
    let level = |name: &str| format!("{name}.PersistentLevel.{name}");
    if is_renamed && has(old, &level(&before)) && has(new, &level(&after)) {
        objects.push((level(&before), level(&after)));
    }
    old.renamed = Some(PathMap { old: before_path, new: after_path, whole: is_moved, objects });
    found
}

/// Whether a text has become the other one because paths in it have. Only paths that start with the package's own
/// are: another text that an object is called by may be the value of a name, which a renaming leaves alone.
/// References are compared by their objects.
fn is_same(side: &Side<'_>, old: &Option<String>, new: &Option<String>) -> bool {
    let (Some(map), Some(old), Some(new)) = (&side.renamed, old, new) else { return false };
    map.text(old).as_ref() == Some(new)
}

/// Whether a difference of the header follows from the renaming; the path itself does not.
pub(super) fn explains(old: &Side<'_>, field: &FieldDifference) -> bool {
    field.field != "folder_name" && is_same(old, &field.old, &field.new)
}

/// The same for a difference of an object.
pub(super) fn explains_change(side: &Side<'_>, change: &Difference) -> bool {
    match change {
        Difference::Attribute(field) | Difference::Field(field) => explains(side, field),
        Difference::Property { old, new, .. } => is_same(side, old, new),
        _ => false,
    }
}

//! What two packages differ in.

use serde_json::{Value, json};
use unreal_packages::compare::{Difference, FieldDifference, diff};
use unreal_packages::edit::mismatches;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;

use crate::properties::cut;
use crate::tree::Key;

/// Characters of a value that are shown.
const LONGEST: usize = 600;
/// Differences of one kind that are listed.
const MOST: usize = 2_000;

fn side(text: &Option<String>) -> Value {
    text.as_ref().map_or(Value::Null, |text| cut(text, LONGEST).into())
}

fn field(field: &FieldDifference) -> Value {
    json!({ "what": field.field, "old": side(&field.old), "new": side(&field.new) })
}

fn change(difference: &Difference) -> Value {
    match difference {
        Difference::Attribute(it) | Difference::Field(it) => field(it),
        Difference::Property { property, old, new }
        | Difference::Element { property, old, new } => {
            json!({ "what": property, "old": side(old), "new": side(new) })
        }
        Difference::Code { line, old, new } => {
            let text = |lines: &[String]| cut(&lines.join("\n"), LONGEST).to_owned();
            json!({ "what": format!("code from line {line}"), "old": text(old), "new": text(new) })
        }
        other => json!({ "what": other.to_string() }),
    }
}

/// What differs, object by object, and what keeps the new package from meeting the old one on the net.
pub(crate) fn of(old: &Package, new: &Package) -> Value {
    let found = diff(old, new);
    let title = |object: &unreal_packages::compare::ObjectTitle, link: bool| json!({ "path": object.path, "class": object.class, "link": link.then(|| Key::Export(object.row).to_string()) });
    let changed: Vec<_> = found.changed.iter().take(MOST).map(|object| {
        let changes: Vec<_> = object.changes.iter().take(200).map(change).collect();
        json!({ "path": object.path, "class": object.class, "link": Key::Export(object.rows.1).to_string(), "changes": changes,
                "more": object.changes.len().saturating_sub(200) })
    }).collect();
    let renamed: Vec<_> = found.renamed.iter().take(MOST).map(|object| {
        json!({ "old": object.old, "path": object.new, "class": object.class, "link": Key::Export(object.rows.1).to_string() })
    }).collect();
    let can_conform =
        !old.versions().has_object_versions() && !new.versions().has_object_versions();
    let reasons = match can_conform {
        true => mismatches(new, old),
        false => Vec::new(),
    };
    json!({
        "same": found.is_empty(), "bytes": old.source() == new.source(),
        "header": found.header.iter().take(MOST).map(field).collect::<Vec<_>>(),
        "added": found.added.iter().take(MOST).map(|it| title(it, true)).collect::<Vec<_>>(),
        "removed": found.removed.iter().take(MOST).map(|it| title(it, false)).collect::<Vec<_>>(),
        "renamed": renamed, "changed": changed,
        "counts": [found.header.len(), found.added.len(), found.removed.len(), found.renamed.len(), found.changed.len()],
        "conform": can_conform.then(|| json!({
            "conforms": reasons.is_empty(), "count": reasons.len(),
            "reasons": reasons.iter().take(20).map(ToString::to_string).collect::<Vec<_>>(),
        })),
    })
}

//! References to packages that are not imported: soft references, and the targets of redirectors.

use crate::inspect::folder_name;
use std::collections::HashSet;

use crate::package::{Package, redirector_target};
use crate::primitive::PackageIndex;
use crate::property::Value;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;

/// The packages and objects that a package of UE4 or UE5 refers to softly, each once: those that its
/// header lists, and of packages without lists, which are cooked or early, those in properties.
///
/// Spec: ue4-5/03 §2, §7.
pub(super) fn references(package: &Package) -> Vec<String> {
    let further = &*package.tables().further;
    let context = package.context();
    let mut found = Vec::new();
    let are_names = package.versions().ue4() >= ue4::ADDED_SOFT_OBJECT_PATH;
    for reference in &further.soft_package_references {
        found.push(match are_names {
            true => package.name_text(reference.name),
            false => reference.path.text(package.source()).unwrap_or_default().into(),
        });
    }
    found.extend(further.soft_object_paths.iter().map(|path| path.text(&context)));
    if found.is_empty() && lacks_lists(package) && may_refer(package) {
        package.each_body(|_, decoded| {
            let Some(prologue) = decoded.body.prologue.as_ref() else { return };
            prologue.properties.walk(&mut |value| {
                if let Value::SoftObject(path) = value {
                    found.push(path.text(&context));
                }
            });
        });
    }
    let mut seen = HashSet::new();
    found.retain(|path| {
        let is = path.starts_with('/') && path.len() > 1;
        is && seen.insert(path.to_ascii_lowercase())
    });
    found
}

/// Cooked packages and those before the lists do not say what they refer to softly.
fn lacks_lists(package: &Package) -> bool {
    let versions = package.versions();
    versions.ue4() < ue4::ADD_STRING_ASSET_REFERENCES_MAP || !versions.has_editor_only_data()
}

/// Whether a soft reference is possible: from UE4 514 its package is a name, and one that no import has.
fn may_refer(package: &Package) -> bool {
    if package.versions().ue4() < ue4::ADDED_SOFT_OBJECT_PATH {
        return true;
    }
    let imports = package.imports();
    let imported: HashSet<String> = imports
        .iter()
        .filter(|import| import.entry().outer_index.is_null())
        .map(|import| import.name().to_ascii_lowercase())
        .collect();
    let own = folder_name(package);
    package.names().iter().any(|name| {
        name.starts_with('/')
            && !name.eq_ignore_ascii_case(&own)
            && !imported.contains(&name.to_ascii_lowercase())
    })
}

/// Rows of redirectors and the objects that they lead to, ascending.
pub(super) fn redirects(package: &Package) -> Vec<(usize, PackageIndex)> {
    let is = |class: &str| class.eq_ignore_ascii_case("ObjectRedirector");
    let exports = package.exports();
    let rows: Vec<usize> = exports
        .iter()
        .filter(|export| is(&package.object_name(export.entry().class_index)))
        .map(|export| export.row())
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut decoded = package.clone();
    decoded.decode_where(is);
    let target = |row: usize| redirector_target(&decoded.decoded(row)?.body);
    rows.into_iter().filter_map(|row| Some((row, target(row)?))).collect()
}

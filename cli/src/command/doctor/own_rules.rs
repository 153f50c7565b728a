//! What the rules in `upk.toml` find.

use std::path::Path;

use serde_json::json;
use unreal_packages::environment::{Digest, Environment, PackageFile};
use unreal_packages::package::{CompanionKind, Package};
use unreal_packages::scan::ScanFinding;

use super::Reported;
use crate::config::{CompiledRule, OwnCheck};
use crate::failure::Failure;

/// An object that has a name of its own in a package: an asset, or an object of UE1 to UE3 within groups alone.
struct NamedObject {
    name: String,
    path: String,
    class: String,
}

/// Looks at every package by these rules. Only packages that are looked at anyway are read.
///
/// # Errors
/// None of a package: one that can't be opened is a finding of its own.
pub fn look(
    rules: &[CompiledRule],
    environment: &Environment,
    relative: impl Fn(&Path) -> String,
) -> Result<Vec<Reported>, Failure> {
    let mut found = Vec::new();
    for (id, file) in environment.files() {
        let Ok(digest) = environment.digest(id) else { continue };
        let objects = objects(&digest, &file.name);
        let mut opened = None;
        for rule in rules {
            if rule.within.as_ref().is_some_and(|within| !within.is_match(&file.name)) {
                continue;
            }
            let of_class = |object: &&NamedObject| {
                rule.class.as_ref().is_none_or(|class| class.is_match(&object.class))
            };
            let mut add = |object: Option<&str>, what: String| {
                found.push(reported(rule, file, relative(&file.path), object, &what));
            };
            match &rule.check {
                OwnCheck::Name(name, written) => {
                    let wrong = |object: &&NamedObject| !name.is_match(&object.name);
                    for object in objects.iter().filter(of_class).filter(wrong) {
                        let what =
                            format!("{} ({}) is not called {written}", object.path, object.class);
                        add(Some(&object.path), what);
                    }
                }
                OwnCheck::Forbidden(patterns) => {
                    if rule.class.is_some() && !objects.iter().any(|object| of_class(&object)) {
                        continue;
                    }
                    for other in referred(&digest, &file.name) {
                        if patterns.iter().any(|pattern| pattern.is_match(&other)) {
                            let what = format!("{} refers to {other}", file.name);
                            add(Some(&other), what);
                        }
                    }
                }
                OwnCheck::Size(most) => {
                    let Some(object) = objects.iter().find(of_class) else { continue };
                    let bytes = size(&file.path, &digest);
                    if bytes > *most {
                        let (path, class) = (&object.path, &object.class);
                        add(
                            Some(path),
                            format!("{path} ({class}) has {bytes} bytes, and {most} are allowed"),
                        );
                    }
                }
                OwnCheck::Tags(wanted) => {
                    let selected: Vec<_> = objects.iter().filter(of_class).collect();
                    if selected.is_empty() {
                        continue;
                    }
                    if opened.is_none() {
                        opened = environment.open_file(id).ok();
                    }
                    let Some(package) = &opened else { continue };
                    for object in selected {
                        // An object that the registry does not list has no tags that could be missing.
                        let Some(tags) = tags(package, &object.name) else { continue };
                        let missing = wanted.iter().filter(|wanted| !tags.contains(*wanted));
                        for tag in missing {
                            add(Some(&object.path), format!("{} lacks the tag {tag}", object.path));
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}

fn reported(
    rule: &CompiledRule,
    file: &PackageFile,
    relative: String,
    object: Option<&str>,
    what: &str,
) -> Reported {
    let message = match &rule.message {
        Some(message) => format!("{what}: {message}"),
        None => what.to_owned(),
    };
    let path = file.path.display().to_string();
    let finding = ScanFinding {
        rule: rule.code.clone(),
        severity: rule.severity,
        path: Some(path.clone()),
        relative_path: Some(relative),
        object: object.map(str::to_owned),
        message,
    };
    let json = json!({ "finding": finding.rule, "severity": finding.severity, "path": path,
                       "package": &*file.name, "object": object, "message": finding.message });
    Reported { finding, json }
}

/// Objects at the top of a package, and within its groups.
fn objects(digest: &Digest, name: &str) -> Vec<NamedObject> {
    use unreal_packages::primitive::{ObjectRef, PackageIndex};
    let is_group = |index: PackageIndex| match index.target() {
        ObjectRef::Null => true,
        ObjectRef::Export(row) => digest.class_of(row, name).1.eq_ignore_ascii_case("Package"),
        ObjectRef::Import(_) => false,
    };
    let rows = 0..digest.exports.len();
    let named = rows.filter_map(|row| {
        let index = PackageIndex::export(row);
        let class = digest.class_of(row, name).1;
        let counts = is_group(digest.outer(index))
            && !["Package", "ObjectRedirector", "MetaData"].contains(&class)
            && !digest.name(index).starts_with("Default__");
        let path = || format!("{name}.{}", digest.path(index));
        counts.then(|| NamedObject {
            name: digest.name(index).to_owned(),
            path: path(),
            class: class.to_owned(),
        })
    });
    named.collect()
}

/// The packages that one refers to, each once.
fn referred(digest: &Digest, own: &str) -> Vec<String> {
    let soft = (0..digest.soft.len()).map(|row| digest.soft_reference(row).0);
    let mut all: Vec<String> =
        digest.packages().into_iter().chain(soft).map(str::to_owned).collect();
    all.sort();
    all.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    all.retain(|name| !name.eq_ignore_ascii_case(own));
    all
}

/// Bytes of a package's files.
fn size(path: &Path, digest: &Digest) -> u64 {
    let length = |path: &Path| path.metadata().ok().filter(|it| it.is_file()).map(|it| it.len());
    let Some(own) = length(path) else { return digest.bytes };
    let beside = CompanionKind::ALL.into_iter().map(|kind| kind.path_beside(path));
    own + beside.filter_map(|beside| length(&beside)).sum::<u64>()
}

/// The tags that the package's own part of the asset registry has for an object.
fn tags(package: &Package, object: &str) -> Option<Vec<String>> {
    let registry = package.tables().further.asset_registry.as_ref()?;
    let text = |text: &unreal_packages::primitive::FString| {
        text.text(package.source()).unwrap_or_default().to_string()
    };
    let named = |path: &str| path.rsplit('.').next().unwrap_or(path).eq_ignore_ascii_case(object);
    let asset = registry.assets.iter().find(|asset| named(&text(&asset.object_path)))?;
    Some(asset.tags.iter().map(|tag| text(&tag.key)).collect())
}
